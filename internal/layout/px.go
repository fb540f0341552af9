package layout

import (
	"fmt"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/px"
	"github.com/hitoku/hitoku/internal/i18n"
)

// pxSource interprets a PX file: its variables are dimensions, and the content variable is the measure.
func pxSource(c *px.Cube, name string, o Options) (*Reading, error) {
	f := File{Name: name, Format: "px", Encoding: c.Encoding, Separator: " ", Decimal: "."}
	t := &Table{Title: c.Title, Unit: c.Unit}
	marks := marksOf(pcaxis)
	for mark, words := range c.Symbols {
		if means := meaning(words); means != "" {
			marks.tell(mark, means)
		}
	}
	for _, n := range c.Notes {
		marks.learn(n.Text)
		what := "note"
		if n.Key == "SOURCE" {
			what = "source"
		}
		t.Notes = append(t.Notes, Note{What: what, Text: n.Text, Ref: fmt.Sprintf("%d:1", n.Line)})
	}
	for _, v := range c.Variables {
		d := Dimension{Name: v.Name, Role: ofClassification}
		switch {
		case v.Time:
			d.Role = ofTime
		case v.Content:
			d.Role = Measure
		}
		for i := range v.Codes {
			code := Code{Code: v.Codes[i], Label: v.Texts[i]}
			if v.Content {
				u := parseUnit(v.Units[i])
				code.Unit, code.Kind = v.Units[i], kindOf(u.unit)
				if code.Kind == "" && u.times > 0 {
					code.Kind = ofMagnitudes
				}
			}
			d.Codes = append(d.Codes, code)
		}
		t.Dimensions = append(t.Dimensions, d)
	}
	style := numberStyle{Decimal: '.', Marks: marks}
	if len(c.Conf) > 0 {
		t.beside = make([]beside, len(c.Cells))
		for i, code := range c.Conf {
			t.beside[i].status, _ = formats.ConfStatus(code)
			t.beside[i].reason = formats.ConfReason(code)
		}
	}
	for _, x := range c.Cells {
		cell := Cell{Ref: fmt.Sprintf("%d:%d", x.Line, x.Token), Codes: make([]string, len(x.At))}
		for d, k := range x.At {
			cell.Codes[d] = c.Variables[d].Codes[k]
		}
		w := style.read(x.Text)
		switch {
		case !w.OK || w.Mark == "" && x.Quoted:
			return nil, i18n.Errorf("%s:%d: %q: want a number without quotes, or a mark", name, x.Line, x.Text)
		case w.Mark != "":
			mark := x.Text
			if x.Quoted {
				mark = `"` + mark + `"`
			}
			cell.Mark = &mark
		}
		cell.Value, cell.Means = w.Value, w.Means
		t.Cells = append(t.Cells, cell)
	}
	t.finishRoles()
	t.unitOfMeasures()
	if t.Kind == "" {
		t.Kind = kindOf(t.Unit)
	}
	t.guessKind()
	if err := addUp(t, nil, o); err != nil {
		return nil, err
	}
	b := Block{Kind: t.Kind, Unit: t.Unit}
	for _, d := range t.Dimensions {
		b.Dimensions = append(b.Dimensions, SavedDimension{Name: d.Name, Role: d.Role, NoTotal: !d.Additive && !t.asks(d.Name)})
	}
	r := &Reading{File: f, Tables: []*Table{t}, Layout: &Layout{Format: "px", Blocks: []Block{b}}}
	for _, d := range t.Dimensions { // without a time or measure it is not known to be of an office
		r.known = r.known || d.Role != ofClassification && len(d.Codes) > 1
	}
	for _, words := range c.Told {
		r.Aside = append(r.Aside, Aside{Ref: "head", Why: words})
	}
	return r.ask(), nil
}

// unitOfMeasures gives a table of several measures the unit and kind of the first amount among them, or else of
// the first measure. A measure that counts establishments, for example, counts the contributors of the others.
func (t *Table) unitOfMeasures() {
	for d := range t.Dimensions {
		dim := &t.Dimensions[d]
		if dim.Role != Measure {
			continue
		}
		best := -1
		for c, code := range dim.Codes {
			if code.Kind == ofMagnitudes && (best < 0 || dim.Codes[best].Kind != ofMagnitudes) || best < 0 && code.Kind != "" {
				best = c
			}
		}
		if best >= 0 {
			t.Unit, t.Kind = strings.TrimSpace(dim.Codes[best].Unit), dim.Codes[best].Kind
		}
		return
	}
}
