package layout

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// stray asks about codes that are in no sum and are not what those beside them are: no periods among periods, or below 0 among counts. They are computed from the others,
// it is not known how, and may tell of each.
func (d *draft) stray(t *Table) {
	negative := slices.ContainsFunc(d.cells, func(c Cell) bool { return c.Value != nil && strings.HasPrefix(string(*c.Value), "-") })
	for k := range d.dims {
		dim := &d.dims[k]
		f := dim.forest
		if !d.unfound(dim) || f == nil || d.large || slices.ContainsFunc(t.doubts, func(x doubt) bool { return x.dim == dim.name }) {
			continue
		}
		summed := map[string]bool{}
		for _, r := range f.more {
			summed[r.Total] = true
			for _, p := range r.Parts {
				summed[p] = true
			}
		}
		outer := slices.Repeat([]bool{!f.additive}, len(dim.items))
		if f.additive {
			for _, i := range f.outer() {
				outer[i] = true
			}
		}
		alone := func(i int) bool { return outer[i] && !summed[dim.items[i].key()] }
		var out []int
		periods := 0
		for i := range dim.items {
			if isTime(dim.items[i].label) {
				periods++
			} else if alone(i) {
				out = append(out, i)
			}
		}
		if periods < 2 || 2*periods <= len(dim.items) || len(out)+periods < len(dim.items) {
			if out = nil; negative {
				out = d.below(k, alone)
			}
		}
		if len(out) == 0 {
			continue
		}
		var names, flags []string
		for _, i := range out {
			names = append(names, dim.items[i].key())
			flags = append(flags, "--derived "+quoteName(bare(dim.items[i].key())))
		}
		t.doubts = append(t.doubts, doubt{dim.name, Ambiguity{
			Question: i18n.T("%s: %s is not what stands beside it, and in no sum", dim.name, strings.Join(names, ", ")),
			Readings: []i18n.Text{i18n.T("%s is a measure of its own, whose numbers go where they may tell", strings.Join(names, ", ")), i18n.T("it is one more code, without a sum")},
			Options:  []string{strings.Join(flags, " "), "--no-total " + quoteName(dim.name)},
		}})
	}
}

// below are the codes of dimension k, of those that are alone, that alone have numbers below 0.
func (d *draft) below(k int, alone func(i int) bool) (out []int) {
	m := d.matrix(k)
	if m == nil {
		return nil
	}
	for i := range d.dims[k].items {
		switch neg := slices.ContainsFunc(m.value[i*m.w:(i+1)*m.w], func(v int64) bool { return v < 0 }); {
		case neg && !alone(i):
			return nil
		case neg:
			out = append(out, i)
		}
	}
	if 2*len(out) > len(d.dims[k].items) {
		return nil
	}
	return out
}
