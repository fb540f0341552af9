package xlsx

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/memtest"
	"github.com/hitoku/hitoku/internal/test/must"
)

// Parts of a workbook are fuzzed. A copy that is made opens again, and holds the mark.
func FuzzWithhold(f *testing.F) {
	for _, l := range leaks {
		p := newPlanted(f)
		l.plant(p)
		for _, part := range []string{tablePart, bookPart, otherTab, "xl/styles.xml", "xl/sharedStrings.xml", "xl/charts/chart1.xml", "xl/drawings/drawing1.xml", "xl/comments1.xml"} {
			if text, ok := p.parts[part]; ok && text != newPlanted(f).parts[part] {
				f.Add(part, text)
			}
		}
	}
	f.Fuzz(func(t *testing.T, part, text string) {
		p := newPlanted(t)
		if _, ok := p.parts[part]; !ok {
			switch {
			case strings.HasPrefix(part, "xl/charts/"):
				p.lineChart("")
			case strings.HasPrefix(part, "xl/drawings/"):
				p.drawing("")
			case strings.HasPrefix(part, "xl/comments"):
				p.comment("B3", 2, 1, "")
			default:
				return
			}
			if _, ok := p.parts[part]; !ok {
				return
			}
		}
		p.parts[part] = text
		src := p.book()
		withheld, published := leakCells()
		for k := range withheld {
			withheld[k].Value = ""
		}
		var out bytes.Buffer
		memtest.Bound(t, len(src), 384<<20, 4000, func() {
			if _, err := withhold(&out, src, withheld, CopyOptions{Mark: "X", Published: published, Drop: true}); err != nil {
				out.Reset()
			}
		})
		if out.Len() == 0 {
			return
		}
		c, err := newCopying(out.Bytes(), CopyOptions{})
		if err != nil {
			t.Fatalf("the copy cannot be read: %v", err)
		}
		for _, w := range withheld {
			if _, s, err := c.find(w.Place); err != nil || s != nil && s.text != "X" {
				t.Fatalf("%s: %+v %v", w.Place, s, err)
			}
		}
		var again bytes.Buffer
		if _, err := withhold(&again, src, withheld, CopyOptions{Mark: "X", Published: published, Drop: true}); err != nil || !bytes.Equal(out.Bytes(), again.Bytes()) {
			t.Fatalf("not the same twice: %v", err)
		}
	})
}

// Small files that stand for large ones, and formulas that take long to follow, end soon and in little memory.
func TestWithholdHostile(t *testing.T) {
	for _, tc := range []struct {
		name  string
		plant func(*planted)
		want  string // in the error, "" for none
	}{
		{"elements", func(p *planted) { p.behind(tablePart, strings.Repeat("<x/>", 3<<20)) }, "elements"},
		{"depth", func(p *planted) { p.behind(tablePart, strings.Repeat("<x>", 5000)) }, "within each other"},
		{"blanks", func(p *planted) {
			p.parts[tablePart] = strings.Replace(p.parts[tablePart], "<sheetData>", "<sheetData>"+strings.Repeat(" ", 200<<20), 1)
		}, "unpack"},
		{"ranges", func(p *planted) { // each formula refers to all before it
			var b strings.Builder
			for r := 9; r < 4000; r++ {
				fmt.Fprintf(&b, `<row r="%d"><c r="A%d"><f>SUM(A$8:A%d)</f><v>1</v></c></row>`, r, r, r-1)
			}
			p.change(otherTab, "</sheetData>", b.String()+"</sheetData>")
		}, ""},
		{"circles", func(p *planted) {
			p.row(otherTab, 9, "=B9|1", "=A9|1", "=C9|1")
		}, ""},
		{"names", func(p *planted) {
			p.change(bookPart, "</definedNames>", `<definedName name="a">b</definedName><definedName name="b">a</definedName></definedNames>`)
			p.row(otherTab, 9, "=a|1")
		}, ""},
		{"the same numbers", func(p *planted) {
			var b strings.Builder
			for r := 9; r < 3000; r++ {
				fmt.Fprintf(&b, `<row r="%d"><c r="A%d"><v>7</v></c><c r="B%d"><v>48213</v></c></row>`, r, r, r)
			}
			p.change(otherTab, "</sheetData>", b.String()+"</sheetData>")
		}, ""},
		{"two parts of one name", func(p *planted) { p.parts["XL/workbook.xml"] = p.parts[bookPart] }, "one name"},
		{"a name that leads out", func(p *planted) { p.parts["../x.xml"] = "<x/>" }, "leads elsewhere"},
		{"cells out of order", func(p *planted) { p.change(tablePart, `<row r="6">`, `<row r="4">`) }, "order"},
		{"a document type", func(p *planted) { p.parts[otherTab] = "<!DOCTYPE x>" + p.parts[otherTab] }, "document type"},
		{"half of UTF-16", func(p *planted) { p.parts[otherTab] = "\xff\xfe<\x00" }, "without a name"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := newPlanted(t)
			tc.plant(p)
			src := p.book()
			withheld, published := leakCells()
			memtest.Bound(t, len(src), 384<<20, 4000, func() {
				_, err := withhold(io.Discard, src, withheld, CopyOptions{Mark: "X", Published: published})
				if err == nil && tc.want != "" || err != nil && (tc.want == "" || !strings.Contains(err.Error(), tc.want)) {
					t.Errorf("%v, want %s", err, tc.want)
				}
			})
		})
	}
}

// What a caller may do wrong.
func TestWithholdMistakes(t *testing.T) {
	t.Parallel()
	src := newPlanted(t).book()
	b3 := Place{"表1", "B3"}
	for want, tc := range map[string]struct {
		cells []WithheldCell
		o     CopyOptions
	}{
		"表1!B3 does not hold the number that was read there: the file has changed, or the address is wrong": {[]WithheldCell{{Place: b3, Value: "48214"}}, CopyOptions{}},
		"表1!B3: x: not a number":                         {[]WithheldCell{{Place: b3, Value: "x"}}, CopyOptions{}},
		"表1!B3 is withheld twice":                        {[]WithheldCell{{Place: b3, Value: "48213"}, {Place: b3, Value: "48213"}}, CopyOptions{}},
		"表1!B3 is both withheld and published":           {[]WithheldCell{{Place: b3, Value: "48213"}}, CopyOptions{Published: []Place{b3}}},
		"表9!B3: the workbook has no such sheet of cells": {[]WithheldCell{{Place: Place{"表9", "B3"}, Value: "1"}}, CopyOptions{}},
		"表1!3B: not the address of a cell":               {[]WithheldCell{{Place: Place{"表1", "3B"}, Value: "1"}}, CopyOptions{}},
	} {
		var out bytes.Buffer
		if _, err := withhold(&out, src, tc.cells, tc.o); err == nil || err.Error() != want || out.Len() > 0 {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := withhold(io.Discard, []byte("PK"), nil, CopyOptions{}); err == nil {
		t.Error("no workbook, no error")
	}
}

// Marks may be anything: an empty one leaves the cell empty, blanks and signs of XML stay.
func TestWithholdMarks(t *testing.T) {
	t.Parallel()
	for _, mark := range []string{"", "χ", "(D)", " x ", "<&\"'>", "共有", "-"} {
		withheld, published := leakCells()
		var out bytes.Buffer
		must.Get(withhold(&out, newPlanted(t).book(), withheld, CopyOptions{Mark: mark, Published: published, Derived: []DerivedCell{{Place{"表1", "A6"}, []Place{{"表1", "B3"}}}}}))(t)
		for _, ref := range []string{"B3", "A6"} {
			if got, err := excelizeValue(out.Bytes(), Place{"表1", ref}); err != nil || got != mark {
				t.Errorf("%q: %s is %q (%v)", mark, ref, got, err)
			}
		}
	}
}
