package layout

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A refusal is a total by name or place that most sums miss: numbers are rounded or wrong, or it is no total.
// Only the office knows which, and without the sums nothing in the table could be computed, so that every
// withheld cell would seem safe.
type refusal struct {
	dim, total   string
	right, wrong int   // how many sums
	worst        *Cell // the total where the sum misses by most; nil: not in the file
	miss         int64 // by how much the parts exceed it there, in units of 10^−places
	places       int
	slack        int64    // what the rounding of the parts explains
	listed       bool     // from a list with one cell per line or PX, where there is no header to mistake
	apart        []string // codes of another dimension: few, and exactly those whose sums miss; nil: there are none
	among        []string // codes of that dimension whose sums hold while the others miss; nil: there are none
	another      bool     // the numbers of apart show that they are another measure
}

// words describes the sums that hold and that miss.
func (r *refusal) words() i18n.Text {
	s := i18n.T("%s: %s is the sum of its parts in %d of %d cases", r.dim, r.total, r.right, r.right+r.wrong)
	switch {
	case r.worst == nil || r.worst.Value == nil:
		return s
	case r.miss > 0:
		return s.Plus(", not in %s: %s, but its parts are %s more", r.worst.at(), string(*r.worst.Value), r.most())
	}
	return s.Plus(", not in %s: %s, but its parts are %s less", r.worst.at(), string(*r.worst.Value), r.most())
}

// most returns by how much the worst sum misses.
func (r *refusal) most() string {
	return table.Decimal{Unscaled: num.Abs(r.miss), Scale: r.places}.String()
}

// refused asks about totals that the sums miss.
func refused(all []refusal) Ambiguity {
	var words i18n.Text
	var dims []string
	var measures [][]string
	const shown = 3
	most := &all[0] // the numbers of a table have one scale
	for i := range all {
		r := &all[i]
		switch {
		case i == 0:
			words = r.words()
		case i < shown:
			words = words.Plus("; %s", r.words())
		case i == shown:
			words = words.Plus("; %d more such totals", len(all)-shown)
		}
		if flag := "--no-total " + quoteName(r.dim); !slices.Contains(dims, flag) {
			dims = append(dims, flag)
		}
		if r.apart != nil && !slices.ContainsFunc(measures, func(m []string) bool { return slices.Equal(m, r.apart) }) {
			measures = append(measures, r.apart)
		}
		if num.Abs(r.miss) > num.Abs(most.miss) {
			most = r
		}
	}
	a := Ambiguity{Question: words}
	if !slices.ContainsFunc(all, func(r refusal) bool { return !r.another }) {
		a.others = slices.Concat(measures...)
	}
	if most.rounding() && (most.apart == nil || num.Abs(most.miss) <= most.slack) {
		a.Readings, a.Options = append(a.Readings, i18n.T("the sums are meant and rounded or wrong")), append(a.Options, "--tolerance "+most.most())
	} else if most.listed {
		a.Readings, a.Options = append(a.Readings, i18n.T("its parts are others than the codes beside it")), append(a.Options, "")
	} else {
		a.Readings, a.Options = append(a.Readings, i18n.T("the table is understood wrongly")), append(a.Options, "--range, --header-rows, --label-columns, --layout")
	}
	single := false
	for _, codes := range measures {
		single = single || len(codes) == 1
		flags := sets.Each(codes, func(code string) string { return "--derived " + quoteName(code) })
		a.Readings, a.Options = append(a.Readings, i18n.T("%s is a measure of its own, whose numbers go where they may tell", strings.Join(codes, ", "))), append(a.Options, strings.Join(flags, " "))
	}
	if among := all[0].among; !single && among != nil && !most.rounding() {
		a.Readings, a.Options = append(a.Readings, i18n.T("the columns are measures")), append(a.Options, "--response "+quoteNames(among))
		return a // a reader sees the sums of these
	}
	a.Readings, a.Options = append(a.Readings, i18n.T("it is no total")), append(a.Options, strings.Join(dims, " "))
	return a
}

// rounding reports whether the worst sum misses by little: by less than a tenth or, where numbers are small, by
// less than half or by what the rounding of its parts explains. Then numbers are rounded or wrong, rather than
// other rows being the parts.
func (r *refusal) rounding() bool {
	if r.worst == nil || r.worst.Value == nil {
		return true
	}
	d, err := table.ParseDecimal(string(*r.worst.Value))
	v, ok := d.At(max(r.places, d.Scale))
	return err != nil || !ok || num.Abs(r.miss) <= 10*table.Pow10(r.places) && (2*num.Abs(r.miss) < num.Abs(v) || num.Abs(r.miss) <= r.slack) || num.Abs(r.miss) <= num.Abs(v)/10
}

// quoteName writes a name as the value of a flag, as a shell reads it.
func quoteName(s string) string {
	if strings.ContainsAny(s, ` ,"`) {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
	}
	return s
}

// quoteNames writes names as the value of a flag that takes several, like a line of CSV.
func quoteNames(names []string) string {
	return quoteName(strings.Join(sets.Each(names, func(s string) string {
		if strings.ContainsAny(s, `,"`) {
			return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
		}
		return s
	}), ","))
}

// doubted reports whether a question about the dimension called dim is asked already.
func (t *Table) doubted(dim string) bool {
	return slices.ContainsFunc(t.doubts, func(d doubt) bool { return d.dim == dim })
}

// asks reports whether it is open what a total of the dimension called dim is, or whether it has one.
func (t *Table) asks(dim string) bool {
	return t.doubted(dim) || slices.ContainsFunc(t.refused, func(r refusal) bool { return r.dim == dim })
}

// asked reports whether a question about the table is open.
func (t *Table) asked() bool { return len(t.doubts) > 0 || len(t.refused) > 0 }

// ask adds the questions about totals to those of the reading.
func (r *Reading) ask() *Reading {
	for _, t := range r.Tables {
		for _, d := range t.doubts {
			r.Ambiguities = append(r.Ambiguities, d.Ambiguity)
		}
		if len(t.refused) > 0 {
			r.Ambiguities = append(r.Ambiguities, refused(t.refused))
		}
	}
	return r
}

// refuse notes the codes of dimension d that are called totals but have no parts because sums miss.
func (t *Table) refuse(d int, s *sums, hints []codeHint, cells []sumCell, scale int) {
	if t.Dimensions[d].Additive {
		return
	}
	for c := range hints {
		if !hints[c].total || hints[c].memo || s.ghost(c) {
			continue
		}
		var parts []int
		for k := range hints {
			if k != c && !hints[k].total && !hints[k].memo {
				parts = append(parts, k)
			}
		}
		e := s.claim(c, parts)
		if e.wrong == 0 {
			continue
		}
		r := refusal{dim: t.Dimensions[d].Name, total: t.Dimensions[d].Codes[c].Code, right: e.checked, wrong: e.wrong, miss: e.miss, places: scale, listed: true}
		entry := 0 // index among the entries of the code, which are in the order of the cells
		for i := range cells {
			if int(cells[i].at[d]) != c {
				continue
			}
			if s.entries[c][entry].row == e.worst {
				r.worst = &t.Cells[i]
				break
			}
			entry++
		}
		t.refused = append(t.refused, r)
	}
}
