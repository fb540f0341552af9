package argus

import (
	"errors"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// build makes the table.
func (p *tableReader) build() (*Table, error) {
	dims := make([]table.Dimension, len(p.dims))
	var err error
	p.t.whole = make([]table.Dimension, len(dims))
	for d, v := range p.t.Vars {
		if p.t.whole[d], err = v.tree(p.file, p.used[d].codes, p.used[d].lines, p.o.Encoding); err != nil {
			return nil, err
		}
		dims[d] = formats.Prune(p.t.whole[d], p.used[d].codes)
	}
	if p.either != nil && !p.certain && !slices.ContainsFunc(p.t.Meta.Variables, func(v Variable) bool { return v.Decimals >= 3 }) {
		return nil, p.either
	}
	switch p.o.Mode {
	case Recompute, Keep:
		err = p.recompute(dims)
	case Accept:
		var bad []*table.AdditivityError
		p.t.Input, bad, err = formats.BuildInexact(p.file, Format, dims, p.records, p.counts, layout{p})
		for _, e := range bad {
			p.t.Changed = append(p.t.Changed, Change{Cell: e.Relation.String(), Given: e.Want, Computed: e.Got, Line: p.t.Line(e.Margin)})
		}
	default:
		p.t.Input, err = formats.BuildForeign(p.file, Format, dims, p.records, p.counts, false, layout{p})
	}
	if err != nil {
		var bad *table.AdditivityError
		var e *formats.Error
		if errors.As(err, &bad) && errors.As(err, &e) {
			e.Want = i18n.T("%s; READTABLE 1 or 1T computes margins, 2 accepts them", e.Want)
		}
		return nil, err
	}
	p.t.HasStatus = p.status >= 0
	p.t.HasLevels = p.lower >= 0 || p.upper >= 0
	p.t.HasCosts = p.cost >= 0
	p.t.Dialect.DecimalComma = p.comma > 0
	p.t.Dialect.Separator = p.sep
	if err := p.takeShadows(); err != nil {
		return nil, err
	}
	if slices.Contains(p.fixed, true) {
		p.t.Fixed = append(p.fixed, make([]bool, p.t.Table.Len()-len(p.fixed))...)
	}
	formats.SavedBy(p.t.Input, p.t.save)
	return p.t, nil
}

// recompute builds the table from its leaves and compares the result with the margins given.
func (p *tableReader) recompute(dims []table.Dimension) error {
	leaf := make([]map[string]bool, len(dims))
	for d := range dims {
		leaf[d] = map[string]bool{}
		for i, l := range dims[d].Leaves() {
			leaf[d][dims[d].Codes[i]] = l
		}
	}
	var inner, margins []table.Record
	var shadows, marginShadows []table.Number
	var fixed []bool
	for i, rec := range p.records {
		isLeaf := true
		for d, c := range rec.Codes {
			isLeaf = isLeaf && leaf[d][c]
		}
		to, sh := &margins, &marginShadows
		if isLeaf {
			to, sh = &inner, &shadows
			fixed = append(fixed, p.fixed[i])
		}
		*to = append(*to, rec)
		if p.shadows != nil {
			*sh = append(*sh, p.shadows[i])
		}
	}
	if len(inner) == 0 {
		return fault(p.file, 0, "", "no cell without margin codes, so margins cannot be computed")
	}
	var err error
	if p.t.Input, err = formats.BuildForeign(p.file, Format, dims, inner, p.counts, false, layout{p}); err != nil {
		return err
	}
	p.shadows, p.fixed = shadows, fixed
	t := p.t.Table
	for i := len(inner); i < t.Len() && t.Freq != nil; i++ {
		if t.Freq[i] == 0 && t.Value[i] == 0 {
			t.Status[i] = table.Published // a margin of empty cells is empty
		}
	}
	at := cellIndex(t)
	for k := range margins {
		rec := &margins[k]
		name := strings.Join(rec.Codes, "/")
		i, ok := at[cellKey(rec.Codes)]
		if !ok {
			if rec.Value.Unscaled != 0 {
				p.t.Changed = append(p.t.Changed, Change{name, rec.Value.String(), "0", rec.Line})
			}
			continue
		}
		same := t.Freq == nil || !rec.Freq.Set || rec.Freq.Decimal == table.Decimal{Unscaled: t.Freq[i]}
		if got := (table.Decimal{Unscaled: t.Value[i], Scale: t.Decimals}); less(got, rec.Value.Decimal) || less(rec.Value.Decimal, got) {
			same = false
			p.t.Changed = append(p.t.Changed, Change{name, rec.Value.String(), got.String(), rec.Line})
		}
		if p.o.Mode != Keep && !same || t.Freq != nil && t.Freq[i] == 0 && t.Value[i] == 0 {
			continue // an empty margin stays empty
		}
		t.Status[i] = rec.Status
		if rec.Status == table.Sensitive {
			if err := p.keepLevels(i, rec); err != nil {
				return err
			}
		}
	}
	return nil
}

// cellKey joins codes into a key that is different for each cell.
func cellKey(codes []string) string { return strings.Join(codes, "\x00") }

// cellIndex maps the cellKey of each cell to its number.
func cellIndex(t *table.Table) map[string]int {
	at := make(map[string]int, t.Len())
	for i := range t.Len() {
		at[cellKey(t.CellCodes(i))] = i
	}
	return at
}

// keepLevels gives the computed margin i the protection levels of its line.
func (p *tableReader) keepLevels(i int, rec *table.Record) error {
	t := p.t.Table
	if err := t.Rescale(max(t.Decimals, rec.LPL.Scale, rec.UPL.Scale)); err != nil {
		return &formats.Error{File: p.file, Line: rec.Line, Want: i18n.T("%s", err), Err: err}
	}
	for _, l := range []struct {
		from table.Number
		to   []int64
		name string
	}{{rec.LPL, t.LPL, "lpl"}, {rec.UPL, t.UPL, "upl"}} {
		v, ok := l.from.At(t.Decimals)
		if !ok {
			return &formats.Error{File: p.file, Line: rec.Line, Field: layout{p}.Column(0, l.name), Value: l.from.String(),
				Want: i18n.T("does not fit beside numbers with %d decimals in 18 digits", t.Decimals)}
		}
		l.to[i] = v
	}
	return nil
}

// takeShadows stores the shadow values of the records, and the sums of these for computed margins.
func (p *tableReader) takeShadows() error {
	if p.shadow < 0 {
		return nil
	}
	t := p.t.Table
	for _, s := range p.shadows {
		p.t.ShadowDecimals = max(p.t.ShadowDecimals, s.Scale)
	}
	p.t.ShadowValue = make([]int64, t.Len())
	for i, s := range p.shadows {
		v, ok := s.At(p.t.ShadowDecimals)
		if !ok {
			return &formats.Error{File: p.file, Line: p.t.Line(i), Field: p.t.Shadow.Name, Value: s.String(),
				Want: i18n.T("does not fit beside numbers with %d decimals in 18 digits", p.t.ShadowDecimals)}
		}
		p.t.ShadowValue[i] = v
	}
	return p.t.sumShadows(len(p.shadows))
}

// HasShadow reports whether the shadow value of some cell differs from its value.
func (t *Table) HasShadow() bool {
	for i, s := range t.ShadowValue {
		v := table.Decimal{Unscaled: t.Table.Value[i], Scale: t.Table.Decimals}
		w := table.Decimal{Unscaled: s, Scale: t.ShadowDecimals}
		if less(v, w) || less(w, v) {
			return true
		}
	}
	return false
}

// sumShadows computes the shadow values of the cells from n on. These are margins, ordered such that for each
// some relation makes it the sum of earlier cells.
func (t *Table) sumShadows(n int) error {
	rel := t.Table.Rel
	done := make([]bool, t.Table.Len())
	for i := range n {
		done[i] = true
	}
	of := make([][]int32, t.Table.Len()-n) // relations of each margin
	for j := range rel.Len() {
		if m := int(rel.Margin[j]); m >= n {
			of[m-n] = append(of[m-n], int32(j))
		}
	}
	for m := n; m < t.Table.Len(); m++ {
	relations:
		for _, j := range of[m-n] {
			cell, _ := rel.Row(int(j))
			sum := int64(0)
			for _, i := range cell {
				if int(i) == m {
					continue
				}
				if !done[i] {
					continue relations
				}
				if sum += t.ShadowValue[i]; sum > 1e18 || sum < -1e18 {
					return &formats.Error{File: t.File, Field: t.Shadow.Name, Want: i18n.T("the shadow of margin %s has more than 18 digits", t.Table.CellName(m))}
				}
			}
			t.ShadowValue[m], done[m] = sum, true
			break
		}
	}
	return nil
}
