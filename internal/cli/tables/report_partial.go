package tables

import (
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/report"
	"github.com/hitoku/hitoku/table"
)

// intervals bounds the cells of the page by the intervals that are published in place of a mark, according to the
// document of the run and the published file.
func (r *reporting) intervals(page *report.Protection, pub *publication) error {
	t := page.Table
	shown := map[int][2]int64{}
	file := r.published
	if pub != nil {
		shown = pub.shown
	}
	x := &report.Intervals{Lower: t.Lower, Upper: t.Upper}
	if d := r.record; d != nil && d.Partial != nil {
		x.Choice = &report.IntervalChoice{Weights: d.Partial.Weights, Optimum: string(d.Partial.Optimum), Rounded: string(d.Partial.Rounded), Computable: d.Defence != nil, Drawn: d.Partial.Ends == "drawn", Told: d.Partial.Told, Proved: d.Bound != ""}
		of, err := r.spans(t, d)
		if err != nil {
			return err
		}
		for i, e := range shown {
			if of[i] != e {
				return i18n.Errorf("%s: cell %s: published as %s, but as %s in %s", r.published, t.CellName(i), render.Interval(e[0], e[1], t.Decimals), render.Interval(of[i][0], of[i][1], t.Decimals), r.run)
			}
		}
		shown, file = of, r.run
	}
	if len(shown) == 0 {
		return nil
	}
	lower, upper := append([]int64(nil), t.Lower...), append([]int64(nil), t.Upper...)
	for i, e := range shown {
		lower[i], upper[i] = max(lower[i], e[0]), min(upper[i], e[1])
		if v := t.Value[i]; t.Known(i) && (v < lower[i] || v > upper[i]) {
			return i18n.Errorf("%s: cell %s: published as %s, but its value is %s; the file is of another table", file, t.CellName(i), render.Interval(e[0], e[1], t.Decimals), formats.Short(v, t.Decimals))
		}
	}
	x.Of, t.Lower, t.Upper = shown, lower, upper
	page.Intervals = x
	return nil
}

// spans returns the intervals that the document of a run publishes, by cell of t.
func (r *reporting) spans(t *table.Table, doc *document.Suppression) (map[int][2]int64, error) {
	at := cellsByName(t)
	of := map[int][2]int64{}
	for k := range doc.Withheld {
		c := &doc.Withheld[k]
		if c.Published == nil {
			continue
		}
		i, ok := at[nameOf(c.Cell, c.Codes)]
		if !ok {
			return nil, i18n.Errorf("%s: table %s: the input has no cell %s", r.run, doc.Table, c.Cell)
		}
		e := [2]int64{table.NegInf, table.PosInf}
		for n, text := range c.Published {
			if text == "" {
				continue
			}
			d, err := table.ParseDecimal(string(text))
			v, ok := d.At(t.Decimals)
			if err != nil || !ok {
				return nil, i18n.Errorf("%s: cell %s: published end %s: want at most %d decimals, as the values have", r.run, c.Cell, text, t.Decimals)
			}
			e[n] = v
		}
		of[i] = e
	}
	return of, nil
}

// showsOf returns the bounds that the published table p gives for its withheld cell j, which is cell i of t, in units
// of t, if they are neither those of every cell nor known before. ok says whether there are such bounds.
func (r *reporting) showsOf(t, p *table.Table, i, j int) (e [2]int64, ok bool) {
	usual := [2]int64{0, table.PosInf}
	for n, d := range []*table.Decimal{r.rules.Policy.Lower, r.rules.Policy.Upper} {
		if d != nil {
			usual[n], _ = d.At(p.Decimals)
		}
	}
	if e = [2]int64{p.Lower[j], p.Upper[j]}; e == usual || p.Decimals > t.Decimals {
		return e, false
	}
	for n, v := range e {
		if v != table.NegInf && v != table.PosInf {
			e[n] = v * table.Pow10(t.Decimals-p.Decimals)
		}
	}
	return e, e != [2]int64{t.Lower[i], t.Upper[i]}
}
