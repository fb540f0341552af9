package explain

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// mergers plans to merge adjacent codes of one parent that have no children and of which some cell is withheld;
// those with most such cells come first.
func (e *Explanation) mergers(r *runner) []plan {
	t := r.in.Table
	if t.Missing != nil || len(t.Dims) == 0 {
		return nil
	}
	type pair struct{ d, a, b, withheld int }
	var pairs []pair
	for d := range t.Dims {
		dim := &t.Dims[d]
		leaf := dim.Leaves()
		withheld := make([]int, len(dim.Codes))
		for i, w := range e.Base.Solution.Pattern {
			if w {
				withheld[t.Coord[i*len(t.Dims)+d]]++
			}
		}
		last := map[int32]int{} // for each parent, its last child so far
		for c := 1; c < len(dim.Codes); c++ {
			parent := dim.Parent[c]
			if a, ok := last[parent]; ok && leaf[a] && leaf[c] && withheld[a]+withheld[c] > 0 && len(dim.Codes) > 3 {
				pairs = append(pairs, pair{d, a, c, withheld[a] + withheld[c]})
			}
			last[parent] = c
		}
	}
	slices.SortStableFunc(pairs, func(x, y pair) int { return cmp.Compare(y.withheld, x.withheld) })
	var plans []plan
	for _, x := range pairs[:min(len(pairs), maxMergers)] {
		dim := &t.Dims[x.d]
		small, at, err := merged(t, x.d, int32(x.a), int32(x.b))
		if err != nil {
			e.NoPattern++ // the merged table cannot be made
			continue
		}
		plans = append(plans, plan{Change: Change{Kind: Merge, Field: dim.Name, From: dim.Codes[x.a], To: dim.Codes[x.b]}, policy: r.p, table: small, at: at})
	}
	return plans
}

// maxMergers is how many mergers are made, and so tried, at most.
const maxMergers = 100

// errMerge is returned if relations of one category have no counterpart in the other.
var errMerge = i18n.New("explain: the categories do not add up alike")

// merged returns t with code b of dimension d merged into code a, which is then called a+b; at maps cells of t
// to cells of the result. Contributions to the two cells are taken to be those of different contributors.
func merged(t *table.Table, d int, a, b int32) (small *table.Table, at func(i int) int, err error) {
	own, k := &t.Dims[d], len(t.Dims)
	small = &table.Table{Name: t.Name, Decimals: t.Decimals, CostDecimals: t.CostDecimals, Dims: slices.Clone(t.Dims), Counts: t.Counts, Strict: t.Strict, Max: make([][]int64, len(t.Max))}
	codes, parent := slices.Clone(own.Codes), slices.Clone(own.Parent)
	codes[a] += "+" + own.Codes[b]
	codes, parent = slices.Delete(codes, int(b), int(b)+1), slices.Delete(parent, int(b), int(b)+1)
	code := func(c int32) int32 { // renumbers codes without b, which has no children
		switch {
		case c == b:
			return a
		case c > b:
			return c - 1
		}
		return c
	}
	for c, p := range parent {
		if p >= 0 {
			parent[c] = code(p)
		}
	}
	small.Dims[d] = table.Dimension{Name: own.Name, Codes: codes, Parent: parent}
	place, first := make([]int, t.Len()), map[string]int{}
	for i := range t.Len() {
		coord := slices.Clone(t.Coord[i*k : i*k+k])
		touched := coord[d] == a || coord[d] == b
		coord[d] = code(coord[d])
		if touched {
			key := fmt.Sprint(coord)
			if n, ok := first[key]; ok {
				place[i] = n
				join(small, n, t, i)
				continue
			}
			first[key] = small.Len()
		}
		place[i] = small.Len()
		small.Coord = append(small.Coord, coord...)
		add(small, t, i)
	}
	if small.Rel, err = mergedRelations(t, d, a, b, place, small.Len()); err != nil {
		return nil, nil, err
	}
	if len(small.CheckAdditive(1)) > 0 {
		return nil, nil, errMerge
	}
	return small, func(i int) int { return place[i] }, small.Validate()
}

// mergedRelations returns the relations of t for the merged cells. Relations over d lose a term; those within
// one category are added to those within the other.
func mergedRelations(t *table.Table, d int, a, b int32, place []int, n int) (*table.Relations, error) {
	k := len(t.Dims)
	rel := table.NewRelations(n)
	known := t.Rel.Dim != nil
	var waiting []int // relations within a or b, in order
	pair := map[string][2]int{}
	emit := func(js ...int) error {
		coef := map[int32]int32{}
		var cells []int32
		rhs := int64(0)
		for _, j := range js {
			cell, c := t.Rel.Row(j)
			rhs += t.Rel.RHS[j]
			for e, i := range cell {
				to := int32(place[i])
				if old, seen := coef[to]; seen && old != c[e] {
					return errMerge
				} else if !seen {
					cells = append(cells, to)
				}
				coef[to] = c[e]
			}
		}
		list := sets.Each(cells, func(i int32) int32 { return coef[i] })
		rel.Add(cells, list, rhs)
		if known {
			margin := t.Rel.Margin[js[0]]
			for _, j := range js {
				margin = max(margin, t.Rel.Margin[j])
			}
			if margin >= 0 {
				margin = int32(place[margin])
			}
			rel.Dim, rel.Margin = append(rel.Dim, t.Rel.Dim[js[0]]), append(rel.Margin, margin)
		}
		return nil
	}
	for j := range t.Rel.Len() {
		cell, _ := t.Rel.Row(j)
		in := [2]int{}
		for _, i := range cell {
			switch t.Coord[int(i)*k+d] {
			case a:
				in[0]++
			case b:
				in[1]++
			}
		}
		switch {
		case in[0] < len(cell) && in[1] < len(cell): // over d, or not about a and b
			if err := emit(j); err != nil {
				return nil, err
			}
			continue
		case !known || t.Rel.Dim[j] < 0:
			return nil, errMerge
		}
		over := int(t.Rel.Dim[j])
		coord := slices.Clone(t.Coord[int(cell[0])*k : int(cell[0])*k+k])
		coord[d] = a
		if m := t.Rel.Margin[j]; m >= 0 {
			coord[over] = t.Coord[int(m)*k+over]
		} else {
			coord[over] = t.Dims[over].Parent[coord[over]]
		}
		key := fmt.Sprint(over, coord)
		both, seen := pair[key]
		if !seen {
			both = [2]int{-1, -1}
			waiting = append(waiting, j)
		}
		side := 0
		if in[1] == len(cell) {
			side = 1
		}
		if both[side] >= 0 {
			return nil, errMerge
		}
		both[side] = j
		pair[key] = both
		if seen {
			waiting = slices.DeleteFunc(waiting, func(w int) bool { return w == both[1-side] })
			if err := emit(both[0], both[1]); err != nil {
				return nil, err
			}
		}
	}
	// These exist for one category only. They hold for the merged cells if the other category adds nothing to
	// these, which CheckAdditive checks.
	for _, j := range waiting {
		if err := emit(j); err != nil {
			return nil, err
		}
	}
	return rel, nil
}

// columns returns the columns of numbers of a table: those in which the numbers of merged cells are added, and
// those of which the larger is kept.
func columns(t *table.Table) (sums, most []*[]int64) {
	return []*[]int64{&t.Value, &t.Cost}, []*[]int64{&t.LPL, &t.UPL, &t.Width}
}

// add appends cell i of t to small.
func add(small, t *table.Table, i int) {
	s, m := columns(small)
	fs, fm := columns(t)
	for c, to := range slices.Concat(s, m) {
		*to = append(*to, (*slices.Concat(fs, fm)[c])[i])
	}
	small.Lower, small.Upper = append(small.Lower, t.Lower[i]), append(small.Upper, t.Upper[i])
	small.Status = append(small.Status, t.Status[i])
	if t.Rounding != nil {
		small.Rounding = append(small.Rounding, t.Rounding[i])
	}
	if t.Freq != nil {
		small.Freq = append(small.Freq, t.Freq[i])
	}
	if t.Reason != nil {
		small.Reason = append(small.Reason, t.Reason[i])
	}
	for r := range t.Max {
		small.Max[r] = append(small.Max[r], t.Max[r][i])
	}
}

// join adds cell i of t to cell n of small. Numbers have at most 18 digits, so the sum of two fits into 64
// bits.
func join(small *table.Table, n int, t *table.Table, i int) {
	s, m := columns(small)
	fs, fm := columns(t)
	for c, to := range s {
		(*to)[n] += (*fs[c])[i]
	}
	for c, to := range m {
		(*to)[n] = max((*to)[n], (*fm[c])[i])
	}
	if t.Rounding != nil { // the errors of rounded numbers add up
		small.Rounding[n] += t.Rounding[i]
	}
	if small.Lower[n] == table.NegInf || t.Lower[i] == table.NegInf {
		small.Lower[n] = table.NegInf
	} else {
		small.Lower[n] += t.Lower[i]
	}
	if small.Upper[n] == table.PosInf || t.Upper[i] == table.PosInf {
		small.Upper[n] = table.PosInf
	} else {
		small.Upper[n] += t.Upper[i]
	}
	if t.Freq != nil {
		if small.Freq[n] < 0 || t.Freq[i] < 0 {
			small.Freq[n] = -1
		} else {
			small.Freq[n] += t.Freq[i]
		}
	}
	if rank(t.Status[i]) > rank(small.Status[n]) {
		small.Status[n] = t.Status[i]
		if t.Reason != nil {
			small.Reason[n] = t.Reason[i]
		}
	}
	var all []int64
	for r := range t.Max {
		all = append(all, small.Max[r][n], t.Max[r][i])
	}
	slices.SortFunc(all, func(x, y int64) int { return cmp.Compare(y, x) })
	for r := range t.Max {
		small.Max[r][n] = all[r]
	}
}

// rank orders statuses; a merged cell gets the higher of the two.
func rank(s table.Status) int {
	return slices.Index([]table.Status{table.Safe, table.Withheld, table.Published, table.Sensitive}, s)
}
