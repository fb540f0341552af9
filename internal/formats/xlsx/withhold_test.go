package xlsx

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
)

// A protection is how a workbook of the shared layouts is protected, and what to check in the copy.
type protection struct {
	Mark, Input string
	Sensitive   []struct {
		Place
		Codes []string
		Value json.Number
	} `json:"expected_sensitive"`
	Survive struct {
		Sheets []struct{ Name, State string }
		Layout []struct {
			Sheet   string
			Merged  []string
			Widths  map[string]float64 `json:"column_widths"`
			Heights map[string]float64 `json:"row_heights"`
		}
		Styles []struct{ Sheet, Cells string } `json:"styles_of_table_cells"`
		Notes  []struct {
			Place
			Text string
		}
	} `json:"must_survive"`
	Formulas []struct {
		Place
		Formula string
	}
	Mirrors []struct {
		Place
		Of Place
		At string `json:"place"`
		Pt int
	}
	Leaks []struct {
		Place
		At, Name, Literal string
		Tells             []string
	}
}

// cellsOf returns the cells of all tables of expected.json.
func cellsOf(t *testing.T, dir string) (all []WithheldCell) {
	t.Helper()
	type tables struct {
		Cells []struct {
			Place
			Codes []string
			Value json.Number
			Mark  *string
		}
		Tables []tables
	}
	var e tables
	unmarshal(t, shared.Path(t, "data", "layouts", dir, "expected.json"), &e)
	for _, one := range append(e.Tables, e) {
		for _, c := range one.Cells {
			if c.Mark != nil { // a zero that is written as one
				c.Value = ""
			}
			all = append(all, WithheldCell{Place: c.Place, Value: c.Value.String(), Labels: c.Codes})
		}
	}
	return all
}

func unmarshal(t *testing.T, path string, to any) {
	t.Helper()
	raw := must.Get(os.ReadFile(path))(t)
	if err := json.Unmarshal(raw, to); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// contents are the parts of a workbook, unpacked.
func contents(t testing.TB, raw []byte) (names []string, all map[string]string) {
	t.Helper()
	z := must.Get(zip.NewReader(bytes.NewReader(raw), int64(len(raw))))(t)
	all = map[string]string{}
	for _, f := range z.File {
		r := must.Get(f.Open())(t)
		b := must.Get(io.ReadAll(r))(t)
		names = append(names, f.Name)
		all[f.Name] = string(b)
	}
	return names, all
}

// The six workbooks that say how to be protected: everything that must survive does, nothing that tells is left, and of the
// parts only those change that have something to hide.
func TestWithholdLayouts(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"ministry-manufacturing", "office-formulas", "ons-workbook", "pref-filldown-subtotals", "pref-two-level-header", "us-census-of-agriculture"} {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			var p protection
			unmarshal(t, shared.Path(t, "data", "layouts", dir, "protect.json"), &p)
			src := must.Get(os.ReadFile(shared.Path(t, "data", "layouts", dir, p.Input)))(t)
			var withheld []WithheldCell
			is := map[Place]bool{}
			for _, s := range p.Sensitive {
				withheld = append(withheld, WithheldCell{Place: s.Place, Value: s.Value.String(), Labels: s.Codes})
				is[s.Place] = true
			}
			o := CopyOptions{Mark: p.Mark}
			for _, c := range cellsOf(t, dir) {
				if !is[c.Place] {
					o.Published = append(o.Published, c.Place)
				}
			}
			var out, again bytes.Buffer
			changes := must.Get(withhold(&out, src, withheld, o))(t)
			for _, c := range changes {
				t.Logf("%v %v", c.Look, c)
			}
			if _, err := withhold(&again, src, withheld, o); err != nil || !bytes.Equal(out.Bytes(), again.Bytes()) {
				t.Errorf("not the same twice: %v", err)
			}
			checkProtection(t, src, out.Bytes(), p, is)
			// Others with them, totals too.
			more := CopyOptions{Mark: p.Mark}
			for k, c := range cellsOf(t, dir) {
				switch {
				case is[c.Place]:
				case k%3 == 0 && c.Value != "":
					withheld = append(withheld, c)
					is[c.Place] = true
				default:
					more.Published = append(more.Published, c.Place)
				}
			}
			out.Reset()
			must.Get(withhold(&out, src, withheld, more))(t)
			checkProtection(t, src, out.Bytes(), p, is)
		})
	}
}

func checkProtection(t *testing.T, src, raw []byte, p protection, withheld map[Place]bool) {
	t.Helper()
	before := must.Get(excelize.OpenReader(bytes.NewReader(src)))(t)
	after := must.Get(excelize.OpenReader(bytes.NewReader(raw)))(t)
	value := func(f *excelize.File, at Place) string {
		return must.Get(f.GetCellValue(at.Sheet, at.Ref, excelize.Options{RawCellValue: true}))(t)
	}
	for at := range withheld {
		if got := value(after, at); got != p.Mark {
			t.Errorf("%s: %q, want the mark", at, got)
		}
		if f, _ := after.GetCellFormula(at.Sheet, at.Ref); f != "" {
			t.Errorf("%s: still has its formula", at)
		}
	}
	gone := map[Place]bool{} // mirrors and what is derived
	for _, m := range p.Mirrors {
		if m.Sheet != "" && withheld[m.Of] {
			gone[m.Place] = true
			if got := value(after, m.Place); got == value(before, m.Of) {
				t.Errorf("%s: still repeats %s", m.Place, m.Of)
			}
		}
		if m.Sheet == "" && withheld[m.Of] {
			_, parts := contents(t, raw)
			part := regexp.MustCompile(`xl/\S+`).FindString(m.At)
			if strings.Contains(parts[part], fmt.Sprintf(`<c:numCache><c:formatCode>General</c:formatCode><c:ptCount val="6"/><c:pt idx="%d">`, m.Pt)) || strings.Contains(cache(parts[part]), fmt.Sprintf(`<c:pt idx="%d">`, m.Pt)) {
				t.Errorf("%s: point %d still repeats %s", part, m.Pt, m.Of)
			}
		}
	}
	for _, f := range p.Formulas {
		got, err := after.GetCellFormula(f.Sheet, f.Ref)
		if err != nil || got != "" {
			t.Errorf("%s: still has the formula %s (%v)", f.Place, got, err)
		}
	}
	names, parts := contents(t, raw)
	for _, l := range p.Leaks {
		if l.Name != "" {
			if strings.Contains(parts["xl/workbook.xml"], l.Name) {
				t.Errorf("the name %s is left", l.Name)
			}
			continue
		}
		for name, text := range parts {
			if strings.Contains(text, l.Literal) {
				t.Errorf("%s still has %s", name, l.Literal)
			}
		}
	}
	// What must survive.
	for k, s := range p.Survive.Sheets {
		if got := after.GetSheetList(); k >= len(got) || got[k] != s.Name {
			t.Errorf("sheets %v, want %s", got, s.Name)
		}
	}
	for _, n := range p.Survive.Notes {
		if got := value(after, n.Place); got != n.Text {
			t.Errorf("%s: %q, want %q", n.Place, got, n.Text)
		}
	}
	for _, l := range p.Survive.Layout {
		merged, _ := after.GetMergeCells(l.Sheet)
		for _, want := range l.Merged {
			if !slices.ContainsFunc(merged, func(m excelize.MergeCell) bool { return m.GetStartAxis()+":"+m.GetEndAxis() == want }) {
				t.Errorf("%s: %s is not merged", l.Sheet, want)
			}
		}
		for col, want := range l.Widths {
			if got, _ := after.GetColWidth(l.Sheet, col); got < want-0.01 || got > want+0.01 {
				t.Errorf("%s!%s: width %v, want %v", l.Sheet, col, got, want)
			}
		}
		for row, want := range l.Heights {
			n, _ := strconv.Atoi(row)
			if got, _ := after.GetRowHeight(l.Sheet, n); got != want {
				t.Errorf("%s!%s: height %v, want %v", l.Sheet, row, got, want)
			}
		}
	}
	for _, s := range p.Survive.Styles {
		for ref := range strings.FieldsSeq(s.Cells) {
			at := Place{s.Sheet, ref}
			a, b := style(t, before, at), style(t, after, at)
			if withheld[at] {
				if b.Alignment == nil || b.Alignment.Horizontal != "right" {
					t.Errorf("%s: the mark is not aligned as numbers", at)
				}
				a.Alignment, b.Alignment = nil, nil
			} else if a, b := value(before, at), value(after, at); a != b {
				t.Errorf("%s: %q became %q", at, a, b)
			}
			if x, y := fmt.Sprintf("%+v", *a), fmt.Sprintf("%+v", *b); !strings.EqualFold(scrub(x), scrub(y)) {
				t.Errorf("%s: the style %s became %s", at, x, y)
			}
		}
	}
	// The parts.
	wereNames, were := contents(t, src)
	var left []string
	for _, name := range wereNames {
		if _, ok := parts[name]; ok {
			left = append(left, name)
		} else if name != "xl/calcChain.xml" {
			t.Errorf("part %s is gone", name)
		}
	}
	if !slices.Equal(left, names) {
		t.Errorf("parts %v, want %v", names, left)
	}
	for _, name := range names {
		if parts[name] == were[name] {
			continue
		}
		t.Logf("changed: %s", name)
		if !strings.HasPrefix(name, "xl/worksheets/") {
			continue
		}
		a, b := cellTexts(were[name]), cellTexts(parts[name])
		for ref, text := range b {
			allowed := strings.Contains(a[ref], "<f")
			for _, m := range []map[Place]bool{withheld, gone} {
				for at := range m {
					allowed = allowed || at.Ref == ref
				}
			}
			if a[ref] != text && !allowed {
				t.Errorf("%s %s: %s became %s", name, ref, a[ref], text)
			}
		}
		if x, y := withoutCells(were[name]), withoutCells(parts[name]); x != y {
			t.Errorf("%s: beside the cells\n%s\nbecame\n%s", name, x, y)
		}
	}
}

// cache is the cache of numbers of a chart.
func cache(part string) string {
	_, rest, _ := strings.Cut(part, "<c:numCache>")
	rest, _, _ = strings.Cut(rest, "</c:numCache>")
	return rest
}

var cellText = regexp.MustCompile(`<c r="([A-Z]+[0-9]+)"[^>]*(/>|>.*?</c>)`)

func cellTexts(part string) map[string]string {
	all := map[string]string{}
	for _, m := range cellText.FindAllStringSubmatch(part, -1) {
		all[m[1]] = m[0]
	}
	return all
}

func withoutCells(part string) string { return cellText.ReplaceAllString(part, "") }

// style is the style of a cell.
func style(t *testing.T, f *excelize.File, at Place) *excelize.Style {
	t.Helper()
	id := must.Get(f.GetCellStyle(at.Sheet, at.Ref))(t)
	return must.Get(f.GetStyle(id))(t)
}

var pointer = regexp.MustCompile(`0x[0-9a-f]+`)

func scrub(s string) string { return pointer.ReplaceAllString(s, "") }

// Points of a chart that stand in no cell stay where somebody has looked at them, and where nothing is withheld.
func TestChartKept(t *testing.T) {
	t.Parallel()
	p := newPlanted(t)
	p.lineChart(`<c:ser><c:val><c:numLit><c:ptCount val="2"/><c:pt idx="0"><c:v>97</c:v></c:pt><c:pt idx="1"><c:v>99</c:v></c:pt></c:numLit></c:val></c:ser>`)
	withheld, published := leakCells()
	for _, c := range []struct {
		withheld []WithheldCell
		keep     []string
		stays    bool
		said     string
	}{
		{withheld, nil, false, "xl/charts/chart1.xml: 2 points left out: they stand in no cell that the chart refers to, and may be computed from what is withheld; --keep-unsearched xl/charts/chart1.xml keeps them, if somebody has looked at them"},
		{withheld, []string{"xl/charts/chart1.xml"}, true, ""},
		{nil, nil, true, ""},
	} {
		var out bytes.Buffer
		changes := must.Get(withhold(&out, p.book(), c.withheld, CopyOptions{Mark: "X", Published: published, Keep: c.keep}))(t)
		_, parts := contents(t, out.Bytes())
		if stays := strings.Contains(parts["xl/charts/chart1.xml"], "<c:v>99"); stays != c.stays {
			t.Errorf("keep %v, %d withheld: stays %v", c.keep, len(c.withheld), stays)
		}
		for _, x := range changes {
			if said := x.Message().String(); strings.Contains(said, "point") && said != c.said {
				t.Errorf("%s", said)
			}
		}
	}
}

// Numbers of running text that may be shares of a withheld cell become the mark where the text has all its labels, and only there.
func TestSharesInTexts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"東の製造業は全体の 12.5 ％":              "東の製造業は全体の X ％",
		"東, 製造業: 0 %":                   "東, 製造業: X %",
		"製造業（東） 8割、卸売業 3割":              "製造業（東） X割、卸売業 X割",
		"東・製造業 12.5":                    "東・製造業 X",
		"関東の製造業は 12.5 ％":                "関東の製造業は 12.5 ％",
		"東は全体の 12.5 ％":                  "東は全体の 12.5 ％",
		"東の製造業、2020年調査、第3表":             "東の製造業、2020年調査、第3表",
		"製造業 12.5 % (南)":                "製造業 12.5 % (南)",
		"東の製造業 1,234 所 (他の年)":           "東の製造業 1,234 所 (他の年)",
		"東の製造業は 12.5％、西の卸売業は 48,213 千円": "東の製造業は X％、西の卸売業は X 千円",
		"東と北の製造業は計 96 所":                "東と北の製造業は計 X 所",
		"北の製造業は 96 所":                   "北の製造業は 96 所",
	} {
		p := newPlanted(t)
		p.row(otherTab, 9, text)
		withheld, published := leakCells()
		for k := range withheld {
			if slices.Equal(withheld[k].Labels, []string{"東", "製造業"}) {
				withheld[k].Told = []string{"96"} // with a cell of 北
			}
		}
		var out bytes.Buffer
		must.Get(withhold(&out, p.book(), withheld, CopyOptions{Mark: "X", Published: published}))(t)
		_, parts := contents(t, out.Bytes())
		if !strings.Contains(parts[otherTab], ">"+want+"<") {
			t.Errorf("%s: want %s\n%s", text, want, parts[otherTab])
		}
	}
}

// A list that repeats the table loses what the table loses, also where a mark stands beside the number.
func TestMarkedCopies(t *testing.T) {
	t.Parallel()
	p := newPlanted(t)
	p.row(otherTab, 9, "東", "製造業", "# 48213", "48213 r", "482")
	withheld, published := leakCells()
	var copies []DerivedCell
	for _, ref := range []string{"C9", "D9", "E9"} {
		copies = append(copies, DerivedCell{Place: Place{"別表", ref}, Of: []Place{withheld[0].Place}})
	}
	var out bytes.Buffer
	must.Get(withhold(&out, p.book(), withheld, CopyOptions{Mark: "X", Published: published, Copies: copies}))(t)
	w := must.Get(Open(bytes.NewReader(out.Bytes()), "t.xlsx"))(t)
	got := map[string]string{}
	for _, c := range w.Sheets[2].Cells {
		got[placeName(c.Column, c.Row)] = c.Text
	}
	for ref, want := range map[string]string{"C9": "X", "D9": "X", "E9": "482"} {
		if got[ref] != want {
			t.Errorf("%s: %q, want %q", ref, got[ref], want)
		}
	}
}

// A number that follows from published ones repeats no withheld cell, though it is equal to one and has its labels.
func TestExplained(t *testing.T) {
	t.Parallel()
	p := newPlanted(t)
	p.row(otherTab, 9, "東", "製造業", "48213")
	p.row(otherTab, 10, "東", "製造業", "48213")
	withheld, published := leakCells()
	var out bytes.Buffer
	must.Get(withhold(&out, p.book(), withheld, CopyOptions{Mark: "X", Published: published, Explained: []Place{{"別表", "C10"}}}))(t)
	w := must.Get(Open(bytes.NewReader(out.Bytes()), "t.xlsx"))(t)
	got := map[string]string{}
	for _, c := range w.Sheets[2].Cells {
		got[placeName(c.Column, c.Row)] = c.Text
	}
	if got["C9"] != "X" || got["C10"] != "48213" {
		t.Errorf("C9 %q and C10 %q, want X and 48213", got["C9"], got["C10"])
	}
}
