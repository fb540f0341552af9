package solver

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strconv"

	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/table"
)

// reach is an independent answer to max sign·z_k over the cells of set: a dense
// two-phase tableau simplex with Bland's rule, for tables of a dozen cells.
func reach(t *table.Table, set []bool, k, sign int) float64 {
	var cells []int
	at := make(map[int]int)
	for i, in := range set {
		if in {
			at[i] = len(cells)
			cells = append(cells, i)
		}
	}
	n := len(cells)
	dn, up := make([]float64, n), make([]float64, n)
	const far = 1e5 // stands for infinity: far above every level of these tests
	for c, i := range cells {
		dn[c], up[c] = far, far
		if t.Lower[i] != table.NegInf {
			dn[c] = float64(t.Value[i] - t.Lower[i])
		}
		if t.Upper[i] != table.PosInf {
			up[c] = float64(t.Upper[i] - t.Value[i])
		}
	}
	// s = z + dn ≥ 0, s + slack = up + dn, and M s = M dn.
	var rows [][]float64 // n cells, n slacks, then right-hand side
	for c := range n {
		row := make([]float64, 2*n+1)
		row[c], row[n+c], row[2*n] = 1, 1, up[c]+dn[c]
		rows = append(rows, row)
	}
	for j := range t.Rel.Len() {
		row := make([]float64, 2*n+1)
		any := false
		cell, coef := t.Rel.Row(j)
		for s, i := range cell {
			if c, ok := at[int(i)]; ok {
				row[c] += float64(coef[s])
				row[2*n] += float64(coef[s]) * dn[c]
				any = true
			}
		}
		if any {
			rows = append(rows, row)
		}
	}
	m := len(rows)
	tab := make([][]float64, m)
	width := 2*n + m + 1
	basis := make([]int, m)
	for r, row := range rows {
		tab[r] = make([]float64, width)
		f := 1.0
		if row[2*n] < 0 {
			f = -1
		}
		for c := range 2 * n {
			tab[r][c] = f * row[c]
		}
		tab[r][2*n+r] = 1
		tab[r][width-1] = f * row[2*n]
		basis[r] = 2*n + r
	}
	solve := func(cost []float64, allowed int) float64 {
		z := make([]float64, width)
		for c := range width - 1 {
			z[c] = cost[c]
		}
		for r, b := range basis {
			if cost[b] != 0 {
				f := cost[b]
				for c := range width {
					z[c] -= f * tab[r][c]
				}
			}
		}
		for {
			in := -1
			for c := range allowed {
				if z[c] > 1e-9 {
					in = c
					break
				}
			}
			if in < 0 {
				return -z[width-1]
			}
			out, ratio := -1, math.Inf(1)
			for r := range tab {
				if a := tab[r][in]; a > 1e-9 {
					if q := tab[r][width-1] / a; q < ratio-1e-9 || q < ratio+1e-9 && (out < 0 || basis[r] < basis[out]) {
						out, ratio = r, q
					}
				}
			}
			if out < 0 {
				return math.Inf(1)
			}
			p := tab[out][in]
			for c := range width {
				tab[out][c] /= p
			}
			for r := range tab {
				if f := tab[r][in]; r != out && f != 0 {
					for c := range width {
						tab[r][c] -= f * tab[out][c]
					}
				}
			}
			f := z[in]
			for c := range width {
				z[c] -= f * tab[out][c]
			}
			basis[out] = in
		}
	}
	cost := make([]float64, width)
	for r := range m {
		cost[2*n+r] = -1
	}
	solve(cost, width-1)
	// Artificials still basic sit at 0; drive them out or drop their rows.
	for r := 0; r < len(tab); r++ {
		if basis[r] < 2*n {
			continue
		}
		in := -1
		for c := range 2 * n {
			if math.Abs(tab[r][c]) > 1e-9 {
				in = c
				break
			}
		}
		if in < 0 {
			tab = append(tab[:r], tab[r+1:]...)
			basis = append(basis[:r], basis[r+1:]...)
			r--
			continue
		}
		p := tab[r][in]
		for c := range width {
			tab[r][c] /= p
		}
		for q := range tab {
			if f := tab[q][in]; q != r && f != 0 {
				for c := range width {
					tab[q][c] -= f * tab[r][c]
				}
			}
		}
		basis[r] = in
	}
	clear(cost)
	cost[at[k]] = float64(sign)
	v := solve(cost, 2*n)
	return v - float64(sign)*dn[at[k]]
}

// protected applies the definition of design §2 to the pattern set.
func protected(t *table.Table, set []bool) bool {
	for k, st := range t.Status {
		if st != table.Sensitive {
			continue
		}
		hi, lo := reach(t, set, k, 1), reach(t, set, k, -1)
		w := float64(t.Width[k])
		if hi < float64(t.UPL[k])-1e-6 || lo < float64(t.LPL[k])-1e-6 || hi+lo < w-1e-6 || t.Strict && hi+lo < w+1e-6 {
			return false
		}
	}
	return true
}

// bruteForce tries all patterns over the safe cells in order of cost, then
// lexicographically from the smallest, and returns the first protected one.
func bruteForce(t *table.Table) (best []bool, cost int64) {
	return bruteForceBy(t, func(set []bool) bool { return protected(t, set) })
}

// bruteForceBy is bruteForce with another notion of protection.
func bruteForceBy(t *table.Table, protected func(set []bool) bool) (best []bool, cost int64) {
	var cand []int
	for i, st := range t.Status {
		if st == table.Safe {
			cand = append(cand, i)
		}
	}
	type option struct {
		mask uint32
		cost int64
	}
	options := make([]option, 1<<len(cand))
	for mask := range options {
		options[mask].mask = uint32(mask)
		for c, i := range cand {
			if mask>>(len(cand)-1-c)&1 != 0 { // first cell = highest bit: numeric order is lexicographic
				options[mask].cost += t.Cost[i]
			}
		}
	}
	sort.Slice(options, func(a, b int) bool {
		oa, ob := options[a], options[b]
		return oa.cost < ob.cost || oa.cost == ob.cost && oa.mask < ob.mask
	})
	set := make([]bool, t.Len())
	var failed []uint32 // maximal unprotected patterns: what is protected stays so with more withheld
next:
	for _, o := range options {
		for _, f := range failed {
			if o.mask&^f == 0 {
				continue next
			}
		}
		for i, st := range t.Status {
			set[i] = st == table.Sensitive || st == table.Withheld
		}
		for c, i := range cand {
			if o.mask>>(len(cand)-1-c)&1 != 0 {
				set[i] = true
			}
		}
		if protected(set) {
			return set, o.cost
		}
		f := o.mask
		for c, i := range cand {
			if set[i] {
				continue
			}
			if set[i] = true; protected(set) {
				set[i] = false
			} else {
				f |= 1 << (len(cand) - 1 - c)
			}
		}
		failed = append(failed, f)
	}
	return nil, 0
}

// shape describes a random table.
type shape struct {
	name  string
	edges [][]table.Edge // per dimension
}

func flat(k int) []table.Edge {
	e := make([]table.Edge, k)
	for i := range e {
		e[i] = table.Edge{Code: string(rune('a' + i)), Parent: "T"}
	}
	return e
}

var (
	twoLevels = []table.Edge{{Code: "a", Parent: "T"}, {Code: "b", Parent: "T"}, {Code: "a1", Parent: "a"}, {Code: "a2", Parent: "a"}, {Code: "b1", Parent: "b"}, {Code: "b2", Parent: "b"}}
	ragged    = []table.Edge{{Code: "a", Parent: "T"}, {Code: "b", Parent: "T"}, {Code: "a1", Parent: "a"}, {Code: "a2", Parent: "a"}, {Code: "only", Parent: "b"}}
	shapes    = []shape{
		{"1d", [][]table.Edge{flat(5)}},
		{"2d", [][]table.Edge{flat(3), flat(3)}},
		{"2d-wide", [][]table.Edge{flat(2), flat(5)}},
		{"3d", [][]table.Edge{flat(2), flat(2), flat(3)}},
		{"hier", [][]table.Edge{twoLevels, flat(2)}},
		{"hier-ragged", [][]table.Edge{ragged, flat(3)}},
		{"hier2", [][]table.Edge{twoLevels, ragged}},
		{"4d", [][]table.Edge{flat(2), flat(2), flat(2), flat(2)}},
	}
	// Few cells can seldom protect the last of these.
	moreShapes = append(slices.Clone(shapes), shape{"3d-hier", [][]table.Edge{twoLevels, flat(2), flat(2)}})
)

// randomTable draws a table of shape s with at most free safe cells, the others
// published, and up to three sensitive cells. kind chooses the levels.
func randomTable(rng *rand.Rand, s shape, free, kind int) *table.Table {
	dims := make([]table.Dimension, len(s.edges))
	for d, e := range s.edges {
		dims[d], _ = table.NewDimension("d"+strconv.Itoa(d), "T", e)
	}
	var records []table.Record
	tabletest.Cells(dims, func(codes []string) {
		v := rng.Int64N(12)
		if rng.IntN(4) == 0 {
			v = rng.Int64N(60)
		}
		records = append(records, table.Record{Codes: codes, Value: table.Num(v, 0)})
	})
	t, err := table.Build(s.name, dims, records, true)
	if err != nil {
		panic(err)
	}
	n := t.Len()
	sensitive := 1 + rng.IntN(3)
	for _, i := range rng.Perm(n) {
		if sensitive > 0 && t.Value[i] > 0 && (i < len(records) || rng.IntN(4) == 0) {
			t.Status[i] = table.Sensitive
			v := t.Value[i]
			switch kind % 3 {
			case 0:
				t.Width[i] = 1 + rng.Int64N(9)
			case 1:
				t.LPL[i], t.UPL[i] = min(v, 1+rng.Int64N(5)), rng.Int64N(6)
			case 2:
				t.LPL[i], t.UPL[i], t.Width[i] = rng.Int64N(v+1), rng.Int64N(3), rng.Int64N(9)
			}
			sensitive--
			continue
		}
		if free > 0 {
			free--
		} else {
			t.Status[i] = table.Published
		}
	}
	if rng.IntN(3) == 0 {
		for i := range n {
			t.Lower[i], t.Upper[i] = t.Value[i]/2, 2*t.Value[i]+3
		}
	}
	if rng.IntN(5) == 0 {
		t.Strict = true
	}
	switch rng.IntN(4) {
	case 0:
		_ = t.SetCost(table.CostKind{Kind: "count"})
	case 1:
		for i := range n {
			t.Cost[i] = rng.Int64N(4) // zero costs and many ties
		}
	case 2: // costs over ten decades, as far as bounds are exact to the unit
		for i := range n {
			t.Cost[i] = 1 + rng.Int64N(9)
			for range rng.IntN(10) {
				t.Cost[i] *= 10
			}
		}
	}
	if rng.IntN(4) == 0 { // some cells are withheld already
		for i := range n {
			if t.Status[i] != table.Sensitive && rng.IntN(5) == 0 {
				t.Status[i] = table.Withheld
			}
		}
	}
	switch rng.IntN(6) {
	case 0: // a relation twice
		cell, coef := t.Rel.Row(rng.IntN(t.Rel.Len()))
		t.Rel = extended(t.Rel, cell, coef, 0)
	case 1: // a relation with coefficients other than ±1
		perm := rng.Perm(n)[:min(n, 3)]
		var cell, coef []int32
		rhs := int64(0)
		for _, i := range perm {
			c := int32(1 + rng.IntN(7))
			cell, coef = append(cell, int32(i)), append(coef, c)
			rhs += int64(c) * t.Value[i]
		}
		t.Rel = extended(t.Rel, cell, coef, rhs)
	}
	return t
}

// extended returns r with one more relation.
func extended(r *table.Relations, cell, coef []int32, rhs int64) *table.Relations {
	e := table.NewRelations(r.N)
	for j := range r.Len() {
		c, f := r.Row(j)
		e.Add(c, f, r.RHS[j])
	}
	e.Add(cell, coef, rhs)
	return e
}
