package layout

import (
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
)

// In the tab-separated files of Eurostat, the first field of a line has the codes of all dimensions but the one across,
// joined by commas. The first field of the header has their names, as in freq,geo\TIME_PERIOD.

// eurostat reports whether a grid is such a file.
func (g *Grid) eurostat() bool {
	h := g.headerRow()
	if h < 0 || len(g.Rows[h]) < 2 || h+1 >= len(g.Rows) {
		return false
	}
	names, across, ok := strings.Cut(g.Rows[h][0].Text, "\\")
	return ok && across != "" && names != "" && strings.Count(names, ",") == strings.Count(g.At(h+1, 0).Text, ",")
}

// readEurostat reads such a file.
func (g *Grid) readEurostat(f File, o Options) (*Reading, error) {
	h := g.headerRow()
	head, across, _ := strings.Cut(strings.TrimSpace(g.Rows[h][0].Text), "\\")
	t := &Table{}
	fault := func(r int, value string, want i18n.Text) error {
		if value != "" {
			value = formats.Show(value)
		}
		return &formats.Error{File: f.Name, Line: g.Lines[r], Value: value, Want: want}
	}
	if g.Lines == nil {
		return nil, nil
	}
	for _, name := range strings.Split(head, ",") {
		t.Dimensions = append(t.Dimensions, Dimension{Name: strings.TrimSpace(name), Role: ofClassification})
	}
	last := Dimension{Name: strings.TrimSpace(across), Role: ofClassification}
	if timeName(last.Name) {
		last.Role = ofTime
	}
	columns := map[string]bool{}
	for c, x := range g.Rows[h][1:] {
		code := strings.TrimSpace(x.Text)
		switch {
		case code == "":
			return nil, fault(h, "", i18n.T("column %s has no code", strconv.Itoa(c+2)))
		case columns[code]:
			return nil, fault(h, code, i18n.T("given twice"))
		}
		columns[code] = true
		last.Codes = append(last.Codes, Code{Code: code, Label: code})
	}
	n := len(t.Dimensions)
	t.Dimensions = append(t.Dimensions, last)
	style := numberStyle{Decimal: '.', Marks: marksOf(eurostat)}
	listed := make([]map[string]bool, n)
	first := map[string]int{}
	for r := h + 1; r < len(g.Rows); r++ {
		row := g.Rows[r]
		if len(row) == 0 {
			continue
		}
		codes := strings.Split(strings.TrimSpace(row[0].Text), ",")
		if len(codes) != n || len(row) > len(g.Rows[h]) {
			return nil, fault(r, row[0].Text, i18n.T("want as many codes as the header has names, and a field for each of its columns"))
		}
		for d, code := range codes {
			if code == "" {
				return nil, fault(r, row[0].Text, i18n.T("empty, want the code of this row"))
			}
			if listed[d] == nil {
				listed[d] = map[string]bool{}
			}
			if !listed[d][code] {
				listed[d][code] = true
				t.Dimensions[d].Codes = append(t.Dimensions[d].Codes, Code{Code: code, Label: code})
			}
		}
		if _, dup := first[row[0].Text]; dup {
			return nil, fault(r, row[0].Text, i18n.T("given twice"))
		}
		first[row[0].Text] = r
		for c := 1; c < len(row); c++ {
			w := style.read(row[c].Text)
			if !w.OK {
				return nil, fault(r, row[c].Text, i18n.T("want a number or a mark like : or : c"))
			}
			cell := Cell{Codes: append(append(make([]string, 0, n+1), codes...), last.Codes[c-1].Code), Ref: g.ref(r, c), Value: w.Value, Means: w.Means, Flag: w.Flag}
			if w.Mark != "" {
				mark := w.Mark
				cell.Mark = &mark
			}
			t.Cells = append(t.Cells, cell)
		}
	}
	if len(t.Cells) == 0 {
		return nil, fault(h, "", i18n.T("no lines below the header"))
	}
	t.finishRoles()
	t.guessKind()
	if err := addUp(t, nil, o); err != nil {
		return nil, err
	}
	f.Decimal, f.Thousands = ".", ""
	b := Block{HeaderRows: []int{g.Lines[h]}, Decimal: ".", Kind: t.Kind, Values: []string{"2", g.column(len(g.Rows[h]) - 1)}}
	for _, d := range t.Dimensions {
		b.Dimensions = append(b.Dimensions, SavedDimension{Name: d.Name, Role: d.Role, NoTotal: !d.Additive && !t.asks(d.Name)})
	}
	return &Reading{File: f, Tables: []*Table{t}, Layout: &Layout{Format: "eurostat-tsv", Blocks: []Block{b}}, known: true}, nil
}
