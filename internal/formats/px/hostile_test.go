package px

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/memtest"
)

// Large heads are read in time and memory linear in them, or refused; so are a few
// compressed KB that stand for many.
func TestHostile(t *testing.T) {
	var names, singles, values strings.Builder
	for n := range 100_000 {
		fmt.Fprintf(&names, `,"v%d"`, n)
		fmt.Fprintf(&singles, "VALUES(\"v%d\")=\"a\";", n)
		fmt.Fprintf(&values, `,"%d"`, n)
	}
	few := strings.Join(strings.SplitAfterN(values.String(), ",", 602)[:601], "")
	few = strings.TrimSuffix(few, ",")
	zip := func(text string, times int) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		head, tail, _ := strings.Cut(text, "@")
		io.WriteString(z, head)
		for range times {
			io.WriteString(z, tail)
		}
		z.Close()
		return b.String()
	}
	for _, tc := range []struct{ name, text, want string }{
		{"one text of many", strings.Replace(minimal, "DATA=", "NOTE="+strings.Repeat("\"x\"\n", 1_000_000)+";DATA=", 1), ""},
		{"variables", "STUB=\"v\"" + names.String() + ";" + singles.String() + "DATA=1;", "more than 256 variables"},
		{"values without data", `STUB="r";HEADING="c";VALUES("r")="Total"` + values.String() + `;VALUES("c")="a","b";DATA=;`, "the data end at Total/a; want 200002 numbers, 2 a row"},
		{"values of values", `STUB="r";HEADING="c";VALUES("r")="Total"` + values.String() + `;VALUES("c")="Total"` + values.String() + `;DATA=;`, "more than 16777216 cells; --read-limit 2 raises the limits of input"},
		{"statements", strings.Repeat("A=1;", 250_000), "the file ends without DATA"},
		{"packed list", zip(`STUB="r";VALUES("r")="Total"@,"a"`, 3_000_000), "compressed bytes; unpack the file first, if it is meant to hold as much"},
		{"packed data", zip(`STUB="r";HEADING="c";VALUES("r")="Total"`+few+`;VALUES("c")="Total"`+few+`;DATA=@0 `, 601*601), "compressed bytes; unpack the file first, if it is meant to hold as much"},
		{"packed blanks", zip("STUB=\"r\";VALUES(\"r\")=\"Total\";DATA=1@"+strings.Repeat(" ", 1<<16), 1024), "times their size; unpack the file first, if it is meant to hold as much"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			memtest.Bound(t, len(tc.text), 192<<20, 200, func() {
				_, err := ReadFrom(strings.NewReader(tc.text), "t.px", formats.Options{Magnitude: true})
				if (err == nil) != (tc.want == "") || err != nil && !strings.HasSuffix(err.Error(), tc.want) {
					t.Errorf("%v, want … %s", err, tc.want)
				}
			})
		})
	}
}
