package xlsx

import (
	"bytes"
	xmllib "encoding/xml"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/hitoku/hitoku/internal/formats/ods"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
)

// A copy of a spreadsheet has colours and comments, added to those that were, and says what it said.
func TestHighlightSpreadsheet(t *testing.T) {
	t.Parallel()
	sheet := &plainSheet{name: "a & b"}
	must.Do(t, sheet.add([]plainCell{{text: "x"}, {text: "-1.50", number: true, style: primaryStyle}, {text: "-1.50", number: true}}))
	var b bytes.Buffer
	must.Do(t, writeODS(&b, []*plainSheet{sheet}))
	b = *bytes.NewBuffer(contentOf(t, b.Bytes(), func(xml string) string { // as a program writes it that needs no such namespace
		return withoutSpace().ReplaceAllString(xml, "")
	}))
	book := func() map[string]string {
		file := must.Get(ods.Open(b.Bytes()))(t)
		_, parts := contents(t, file.Book)
		return parts
	}
	before := book()
	for n, text := range []string{"one\ntwo & 2", "three"} {
		var out bytes.Buffer
		must.Do(t, Highlight(&out, b.Bytes(), []HighlightedCell{{Place: Place{Sheet: "a & b", Ref: "B1"}, Text: text, Fill: "AB12CD"}}))
		b = out
		after := book()
		if sheet := "xl/worksheets/sheet1.xml"; after[sheet] != before[sheet] {
			t.Errorf("%s instead of %s", after[sheet], before[sheet])
		}
		said := after["xl/comments1.xml"]
		for k, want := range []string{"one", "two &amp; 2", "three"} {
			if strings.Count(said, ">"+want+"</") != 1 && (n == 1 || k < 2) || strings.Count(said, ` ref="B1"`) != 1 {
				t.Errorf("%q is missing in the comment %s", want, said)
			}
		}
		_, parts := contents(t, b.Bytes())
		if now := parts["content.xml"]; strings.Count(now, ` table:style-name="marked`) != 1 || !strings.Contains(now, `fo:background-color="#AB12CD"`) || !declared(now) {
			t.Errorf("no colour in %s", now)
		}
	}
	if err := Highlight(io.Discard, b.Bytes(), []HighlightedCell{{Place: Place{Sheet: "c", Ref: "B1"}}}); err == nil {
		t.Error("a cell of no sheet is marked")
	}
}

// A copy with colours and comments is the workbook otherwise, with those it had.
func TestHighlight(t *testing.T) {
	t.Parallel()
	check := func(t *testing.T, src []byte, cells []HighlightedCell, changed []string) {
		var out, again bytes.Buffer
		must.Do(t, Highlight(&out, src, cells))
		if err := Highlight(&again, src, cells); err != nil || !bytes.Equal(out.Bytes(), again.Bytes()) {
			t.Errorf("not the same twice: %v", err)
		}
		f := must.Get(excelize.OpenReader(bytes.NewReader(out.Bytes())))(t)
		_, parts := contents(t, out.Bytes())
		for _, h := range cells {
			want, _ := excelizeValue(src, h.Place)
			if got, err := f.GetCellValue(h.Sheet, h.Ref); err != nil || got != want {
				t.Errorf("%s: %q, want %q (%v)", h.Place, got, want, err)
			}
			fill := h.Fill
			if fill == "" {
				fill = primaryFill
			}
			if s := style(t, f, h.Place); s.Fill.Pattern != 1 || strings.Join(s.Fill.Color, "") != "" && s.Fill.Color[0] != fill || !strings.Contains(parts["xl/styles.xml"], `rgb="FF`+fill) { // colours are read only with a theme
				t.Errorf("%s: fill %v, want %s", h.Place, s.Fill, fill)
			}
			comments := must.Get(f.GetComments(h.Sheet))(t)
			n := 0
			for _, c := range comments {
				text := c.Text
				for _, p := range c.Paragraph {
					text += p.Text
				}
				if c.Cell == h.Ref && strings.Contains(text, h.Text) {
					n++
				}
			}
			if n != 1 {
				t.Errorf("%s: %d comments %v", h.Place, n, comments)
			}
		}
		names, before := contents(t, src)
		for _, name := range names {
			if before[name] != parts[name] && !slices.Contains(changed, name) {
				t.Errorf("%s has changed", name)
			}
		}
		if c, err := newCopying(out.Bytes(), CopyOptions{}); err != nil || len(c.tabs) == 0 {
			t.Errorf("the copy cannot be read: %v", err)
		}
	}
	t.Run("without comments", func(t *testing.T) {
		check(t, newPlanted(t).book(), []HighlightedCell{{Place{"表1", "B3"}, "100090 − 51877 = <48213>", ""}, {Place{"表1", "C4"}, "61241 − 61234", "BDD7EE"}, {Place{"別表", "B3"}, "x", ""}},
			[]string{tablePart, otherTab, "xl/styles.xml", "[Content_Types].xml"})
	})
	t.Run("with comments", func(t *testing.T) {
		p := newPlanted(t)
		p.comment("B3", 2, 1, "<t>既にある</t>")
		check(t, p.book(), []HighlightedCell{{Place{"表1", "B3"}, "既にある", ""}, {Place{"表1", "C4"}, "new", ""}},
			[]string{tablePart, "xl/styles.xml", "xl/comments1.xml", "xl/drawings/vmlDrawing1.vml"})
	})
	t.Run("an office's own", func(t *testing.T) {
		src := must.Get(os.ReadFile(shared.Path(t, "data", "layouts", "office-formulas", "haigu.xlsx")))(t)
		check(t, src, []HighlightedCell{{Place{"表１", "F5"}, "秘匿前は 2 人", ""}, {Place{"表１", "C6"}, "24 − 22 − 1 − 0", ""}, {Place{"グラフ", "B1"}, "F5", ""}},
			[]string{"xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml", "xl/worksheets/_rels/sheet2.xml.rels", "xl/styles.xml", "xl/comments1.xml", "xl/drawings/vmlDrawing1.vml", "[Content_Types].xml"})
	})
	for want, cells := range map[string][]HighlightedCell{
		"x!A1: the workbook has no such sheet of cells": {{Place: Place{"x", "A1"}}},
		"表1!B3 is highlighted twice":                    {{Place: Place{"表1", "B3"}}, {Place: Place{"表1", "B3"}}},
	} {
		if err := Highlight(io.Discard, newPlanted(t).book(), cells); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// withoutSpace finds what stands in one namespace of styles, and its declaration.
var withoutSpace = lazy.Regexp(` (?:xmlns:fo|fo:[a-z-]+)="[^"]*"`)

// declared reports whether all prefixes of a document are declared.
func declared(xml string) bool {
	d := xmllib.NewDecoder(strings.NewReader(xml))
	for {
		token, err := d.Token()
		if err != nil {
			return err == io.EOF
		}
		if start, ok := token.(xmllib.StartElement); ok && slices.ContainsFunc(start.Attr, func(a xmllib.Attr) bool {
			return a.Name.Space != "" && a.Name.Space != "xmlns" && !strings.Contains(a.Name.Space, ":")
		}) {
			return false
		}
	}
}
