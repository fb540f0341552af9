package guard

import (
	"context"
	"math/bits"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/table"
)

const (
	// acrossLooks is the number of sets that may be looked up, about a second's worth.
	acrossLooks = 50_000_000
	lookTime    = time.Second / acrossLooks
)

// unionsAcross returns the sets of 2 to size withheld cells, at least one of them sensitive, whose sum follows from any
// combination of relations and published cells; cells that can be computed by themselves are excluded. complete is
// false if there are more sets than acrossLooks to look up or elimination would take too long.
//
// The sum of U is known if Σ_{i∈U} z_i = 0 for all z with M z = 0 on the withheld cells. A random such z modulo a
// 61-bit prime satisfies this for all these U, and for any other U with probability 2^−61 (the audit of its interval
// will tell). So the search is for cells whose z is minus the sum of a few others. Cost: an elimination, and a look-up
// for every set of size − 1 cells with a sensitive one.
func unionsAcross(ctx context.Context, t *table.Table, withheld []bool, size int) (sets [][]int32, complete bool, err error) {
	if t.Layers > 1 || !slices.Contains(t.Status, table.Sensitive) {
		return nil, true, nil
	}
	z, ok, err := oracle.KernelSample(ctx, oracle.NewSystem(t.Rel), withheld, 1)
	if err != nil || !ok {
		return nil, false, err
	}
	a := &across{t: t, z: z, left: acrossLooks, ctx: ctx}
	for i, in := range withheld {
		if in && z[i] != 0 {
			a.cells = append(a.cells, int32(i))
		}
	}
	defer func() { work.Spend(ctx, time.Duration(acrossLooks-a.left)*lookTime) }()
	a.index()
	for n := 2; n <= size; n++ {
		for k, i := range a.cells {
			if t.Status[i] != table.Sensitive {
				continue
			}
			a.first = k
			if !a.extend([]int32{i}, z[i], 0, n-1) {
				return a.found, false, ctx.Err()
			}
		}
	}
	return a.found, true, nil
}

// An across is a search for sets of cells whose z add up to 0.
type across struct {
	t     *table.Table
	cells []int32
	z     []uint64
	by    map[uint64][]int32 // cells by z
	maybe []uint64           // filter: a bit for the lowest bits of every z present
	mask  uint64
	first int // index in cells of the set's first sensitive cell
	left  int
	ctx   context.Context
	found [][]int32
}

// index prepares look-ups.
func (a *across) index() {
	a.by = make(map[uint64][]int32, len(a.cells))
	n := 1 << max(6, bits.Len(uint(32*len(a.cells))))
	a.maybe, a.mask = make([]uint64, n/64), uint64(n-1)
	for _, i := range a.cells {
		a.by[a.z[i]] = append(a.by[a.z[i]], i)
		a.maybe[a.z[i]&a.mask>>6] |= 1 << (a.z[i] & 63)
	}
}

// takes reports whether cells[k] may join the set: sensitive cells only if they come after the first, so that each set
// is found once.
func (a *across) takes(k int) bool {
	return k != a.first && (k > a.first || a.t.Status[a.cells[k]] != table.Sensitive)
}

// extend adds more cells to set, whose z sum to sum, from index from on; it returns false if the search must end.
func (a *across) extend(set []int32, sum uint64, from, more int) bool {
	if more == 1 {
		if a.left--; a.left <= 0 || a.left&0xffff == 0 && a.ctx.Err() != nil {
			return false
		}
		want := num.Mersenne.Sub(0, sum)
		if a.maybe[want&a.mask>>6]>>(want&63)&1 == 0 {
			return true
		}
		for _, i := range a.by[want] {
			k, _ := slices.BinarySearch(a.cells, i)
			if k >= from && a.takes(k) && a.minimal(append(set, i)) {
				a.found = append(a.found, append(slices.Clone(set), i))
			}
		}
		return true
	}
	for k := from; k < len(a.cells); k++ {
		if a.takes(k) && !a.extend(append(set, a.cells[k]), num.Mersenne.Add(sum, a.z[a.cells[k]]), k+1, more-1) {
			return false
		}
	}
	return true
}

// minimal reports that no proper subset of set has been found.
func (a *across) minimal(set []int32) bool {
	for part := 1; part < 1<<len(set)-1; part++ {
		sum := uint64(0)
		for k, i := range set {
			if part>>k&1 == 1 {
				sum = num.Mersenne.Add(sum, a.z[i])
			}
		}
		if sum == 0 {
			return false
		}
	}
	return true
}
