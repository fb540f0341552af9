package xlsx

import (
	"bytes"
	"testing"

	"github.com/xuri/excelize/v2"
	"pgregory.net/rapid"
)

// Texts of any characters come back as they were, from the reader of this package and, but for those that XML cannot hold, from another one.
func TestPlainTexts(t *testing.T) {
	text := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune("_x0041_&<>\"' \t\n\r\x01\x1f\ufffe"))))
	rapid.Check(t, func(t *rapid.T) {
		s := text.Draw(t, "text")
		sheet := &plainSheet{name: "a & b", codes: 1}
		if err := sheet.add([]plainCell{{text: s, style: headStyle}, {text: "-1.50", number: true, style: primaryStyle}}); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := writePlain(&b, []*plainSheet{sheet}); err != nil {
			t.Fatal(err)
		}
		if got := unescape(escapeControls(s)); got != s {
			t.Fatalf("%q comes back as %q", s, got)
		}
		f, err := excelize.OpenReader(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		rows, err := f.GetRows("a & b", excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != 1 || len(rows[0]) != 2 || rows[0][1] != "-1.50" {
			t.Fatalf("read as %q", rows)
		}
		if escapeControls(s) == s && rows[0][0] != s {
			t.Fatalf("%q is read as %q", s, rows[0][0])
		}
	})
}
