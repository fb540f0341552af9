package compare

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/sets"
)

// InOrder reports whether the records of a release are in the order of the original: whether at more places than by
// chance the record of the release may be that of the original. In a random order the number X of such places has the
// expectation m = Σ candidates/n, and
//
//	Pr(|X − m| ≥ t) ≤ 2·exp(−t²/(4m + 2t)) ;
//
// which must be less than a thousandth. Source: Chatterjee, Stein's method for concentration inequalities (Probability
// Theory and Related Fields 2007), proposition 1.1.
func (c *Candidates) InOrder(original *Records) bool {
	if original.N != len(c.of) {
		return false
	}
	agree, expected := 0.0, 0.0
	count := map[string]int{} // number of candidates, by values
	var key []byte
	for i := range int32(original.N) {
		key = key[:0]
		fits := true
		for l, k := range c.columns {
			v := original.id(k)[i]
			key = append(key, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
			fits = fits && c.meanings[k].holds(v, c.rows[c.of[i]][l])
		}
		n, ok := count[string(key)]
		if !ok {
			c.each(original, i, func(row int) { n += len(c.groups[row]) })
			count[string(key)] = n
		}
		expected += float64(n) / float64(original.N)
		if fits {
			agree++
		}
	}
	t := agree - expected
	return t > 0 && 2*math.Exp(-t*t/(4*expected+2*t)) < 0.001
}

// Sorted returns the rank correlation (Spearman) of column k with the record number, by number if all values are
// numbers, else by text.
func (r *Records) Sorted(k int) float64 {
	numeric := true
	x := map[uint32]float64{}
	for _, id := range r.ID[k] {
		if _, ok := x[id]; ok {
			continue
		}
		v, err := number(r.values.Value(k, id))
		numeric = numeric && err == nil
		x[id] = v
	}
	order := sets.Upto(r.N)
	compare := func(a, b int) int {
		u, v := r.ID[k][a], r.ID[k][b]
		if numeric {
			return cmp.Compare(x[u], x[v])
		}
		return strings.Compare(r.values.Value(k, u), r.values.Value(k, v))
	}
	slices.SortStableFunc(order, compare)
	rank, place := make([]float64, r.N), make([]float64, r.N)
	for from := 0; from < r.N; {
		to := from + 1
		for to < r.N && compare(order[from], order[to]) == 0 {
			to++
		}
		for _, i := range order[from:to] {
			rank[i], place[i] = float64(from+to-1)/2, float64(i)
		}
		from = to
	}
	return pearson(rank, place)
}
