package compare

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/sets"
)

// An op compares a value of a record with that of a condition.
type op byte

const (
	equal   op = '='
	differs op = '!'
	atMost  op = '<'
	atLeast op = '>'
	below   op = 'b'
	above   op = 'a'
)

// A condition compares one column with the value of a record of the release.
type condition struct {
	column int
	op     op
	record int32
}

// holds reports whether record i of a file meets the condition.
func (c condition) holds(of, release *Records, i int32) bool {
	eq := same(of, release, c.column, i, c.record)
	switch c.op {
	case equal:
		return eq
	case differs:
		return !eq
	}
	x, v := of.X[c.column][i], release.X[c.column][c.record]
	switch c.op {
	case atMost:
		return x <= v
	case atLeast:
		return x >= v
	case below:
		return x < v
	default:
		return x > v
	}
}

// single reports whether exactly one record meets all conditions.
func single(of, release *Records, all []condition) bool {
	found := 0
records:
	for i := range int32(of.N) {
		for _, c := range all {
			if !c.holds(of, release, i) {
				continue records
			}
		}
		if found++; found > 1 {
			return false
		}
	}
	return found == 1
}

// pick returns some records of r.
func (r *Records) pick(list []int32) *Records {
	p := &Records{N: len(list), X: make([][]float64, len(r.X)), meanings: r.meanings}
	for k := range r.ID {
		id := sets.Pick(r.ID[k], list)
		p.ID = append(p.ID, id)
		if r.X[k] != nil {
			x := sets.Pick(r.X[k], list)
			p.X[k] = x
		}
	}
	return p
}

// SinglingOut measures how often a condition that exactly one record of the release meets is met by exactly one record
// of the original. With one column, conditions are about values that only one record of the release has, and about the
// smallest and largest numbers. With more columns, they are about that many columns of a random record: its categories,
// and its numbers as upper or lower bounds, depending on their side of the median. Every record counts, so nobody is
// singled out of several who are alike. The baseline is conditions with random values and comparisons. A condition that
// holds for a share w of a population isolates one of n records drawn from it with chance n·w·(1−w)^(n−1), which is
// largest at w = 1/n, about 1/e: Isolation.
//
// attempts bounds the conditions tried; fewer than a.Attacks may be found, and N is how many were. Source: as for
// Attacker; Cohen and Nissim, Towards formalizing the GDPR's notion of singling out (PNAS 2020).
func (a *Attacker) SinglingOut(ctx context.Context, columns, attempts int) (Attack, error) {
	original, release, control := a.Original, a.Release, a.Control
	if control != nil {
		n := min(original.N, control.N)
		original, control = original.pick(Draw(original.N, n, a.RNG)), control.pick(Draw(control.N, n, a.RNG))
	}
	var queries [][]condition
	var err error
	if columns == 1 {
		queries, err = a.univariate(ctx, release)
	} else {
		queries, err = a.multivariate(ctx, release, columns, attempts)
	}
	x := Attack{N: len(queries), Isolation: math.Pow(1-1/float64(original.N), float64(original.N-1))}
	if err != nil || x.N == 0 {
		return x, err
	}
	if x.Success, err = count(ctx, original, release, queries); err != nil {
		return x, err
	}
	if x.Baseline, err = count(ctx, original, release, random(release, x.N, columns, a.RNG)); err != nil || control == nil {
		return x, err
	}
	c, err := count(ctx, control, release, queries)
	x.Control, x.ControlN = &c, x.N
	return x, err
}

// count returns how many queries single out a record of a file.
func count(ctx context.Context, of, release *Records, queries [][]condition) (float64, error) {
	hit := make([]bool, len(queries))
	err := parallel.Do(ctx, len(queries), 0, func(ctx context.Context, n int) error {
		hit[n] = single(of, release, queries[n])
		return ctx.Err()
	})
	n := 0.0
	for _, h := range hit {
		if h {
			n++
		}
	}
	return n, err
}

// univariate returns at most a.Attacks queries about one column, in random order.
func (a *Attacker) univariate(ctx context.Context, release *Records) ([][]condition, error) {
	var all [][]condition
	for k := range release.ID {
		for _, g := range groups(release.Part([]int{k})) {
			if len(g.records) == 1 {
				all = append(all, []condition{{k, equal, g.records[0]}})
			}
		}
		if x := release.X[k]; x != nil {
			low, high := int32(-1), int32(-1)
			for i := range int32(release.N) {
				if missing(x, i) {
					continue
				}
				if low < 0 || x[i] < x[low] {
					low = i
				}
				if high < 0 || x[i] > x[high] {
					high = i
				}
			}
			if low >= 0 {
				all = append(all, []condition{{k, atMost, low}}, []condition{{k, atLeast, high}})
			}
		}
	}
	a.RNG.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var kept [][]condition
	for _, q := range all {
		if len(kept) == a.Attacks {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if single(release, release, q) {
			kept = append(kept, q)
		}
	}
	return kept, nil
}

// multivariate returns different queries about several columns of random records.
func (a *Attacker) multivariate(ctx context.Context, release *Records, columns, attempts int) ([][]condition, error) {
	medians := sets.Each(release.X, median)
	columns = min(columns, len(release.ID))
	seen := map[string]bool{}
	var kept [][]condition
	var q []condition
	var key []byte // columns, comparisons and values of q
	for range attempts {
		if len(kept) == a.Attacks {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		i := int32(a.RNG.IntN(release.N))
		q, key = q[:0], key[:0]
		for _, k := range a.RNG.Perm(len(release.ID))[:columns] {
			c := condition{k, equal, i}
			if x := release.X[k]; x != nil && !missing(x, i) {
				if c.op = atMost; x[i] > medians[k] {
					c.op = atLeast
				}
			}
			q = append(q, c)
		}
		slices.SortFunc(q, func(x, y condition) int { return cmp.Compare(x.column, y.column) })
		for _, c := range q {
			value := uint64(release.ID[c.column][i])
			if x := release.X[c.column]; x != nil {
				if value = math.Float64bits(x[i]); missing(x, i) {
					value = math.Float64bits(math.NaN())
				}
			}
			key = append(binary.AppendUvarint(key, uint64(c.column)), byte(c.op))
			key = binary.LittleEndian.AppendUint64(key, value)
		}
		if !seen[string(key)] && single(release, release, q) {
			seen[string(key)] = true
			kept = append(kept, slices.Clone(q))
		}
	}
	return kept, nil
}

// random returns queries with random columns, values and comparisons.
func random(release *Records, n, columns int, rng *rand.Rand) [][]condition {
	values := sets.List(len(release.ID), func(k int) []group { return groups(release.Part([]int{k})) })
	columns = min(columns, len(values))
	all := make([][]condition, n)
	for i := range all {
		for _, k := range rng.Perm(len(values))[:columns] {
			g := values[k][rng.IntN(len(values[k]))]
			ops := []op{equal, differs}
			if x := release.X[k]; x != nil && !missing(x, g.records[0]) {
				ops = []op{equal, differs, below, above, atMost, atLeast}
			}
			all[i] = append(all[i], condition{k, ops[rng.IntN(len(ops))], g.records[0]})
		}
	}
	return all
}

// median returns the median of the numbers that are not missing.
func median(x []float64) float64 {
	list := sets.Where(x, func(v float64) bool { return !math.IsNaN(v) })
	if list == nil {
		return 0
	}
	slices.Sort(list)
	h := len(list) / 2
	if len(list)%2 == 1 {
		return list[h]
	}
	return (list[h-1] + list[h]) / 2
}
