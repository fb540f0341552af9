package oracle

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/table"
)

// drawRelations draws relations with coefficients −1, 0 and 1 and a few others.
func drawRelations(t *rapid.T) *table.Relations {
	n := rapid.IntRange(1, 9).Draw(t, "n")
	rel := &table.Relations{N: n, Ptr: []int32{0}}
	for range rapid.IntRange(0, 10).Draw(t, "m") {
		var cell, coef []int32
		for i := range int32(n) {
			if c := rapid.SampledFrom([]int32{0, 0, 0, 1, 1, -1, -1, 2}).Draw(t, "coef"); c != 0 {
				cell, coef = append(cell, i), append(coef, c)
			}
		}
		rel.Add(cell, coef, 0)
	}
	return rel
}

// A kernel has as many independent cells as M leaves, and all it generates
// satisfies M z = 0.
func TestKernel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rel := drawRelations(t)
		s := NewSystem(rel)
		k := newKernel(s, 1<<20)
		if k == nil {
			return // a pivot of 2
		}
		all := make([]int32, rel.Len())
		for j := range all {
			all[j] = int32(j)
		}
		if got, want := len(k.base), rel.N-rank(rel, all); got != want {
			t.Fatalf("%d independent cells, want %d", got, want)
		}
		for f, i := range k.base {
			if idx, coef := k.cell.row(i); len(idx) != 1 || idx[0] != int32(f) || coef[0] != 1 {
				t.Fatalf("independent cell %d is %v·%v", i, coef, idx)
			}
			z := make([]int64, rel.N)
			cell, coef := k.leaf.row(int32(f))
			for e, h := range cell {
				z[h] = int64(coef[e])
			}
			for j := range rel.Len() {
				sum := int64(0)
				c, v := rel.Row(j)
				for e, h := range c {
					sum += int64(v[e]) * z[h]
				}
				if sum != 0 {
					t.Fatalf("independent cell %d breaks relation %d", i, j)
				}
			}
		}
		for i := range int32(rel.N) {
			idx, coef := k.cell.row(i)
			for e, f := range idx {
				cell, back := k.leaf.row(f)
				found := false
				for d, h := range cell {
					found = found || h == i && back[d] == coef[e]
				}
				if !found {
					t.Fatalf("cell %d: entry %d is missing by independent cell", i, f)
				}
			}
		}
	})
}

// Both routers find the same cells movable, and what they find moves the cell as
// asked within the capacities; the full one is never dearer by its own measure.
func TestKernelRoute(t *testing.T) {
	asked, found := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 5))
		tab := tabletest.Random(rng, int(seed))
		s := NewSystem(tab.Rel)
		k := newKernel(s, 1<<20)
		if k == nil {
			continue
		}
		n := tab.Len()
		up, dn, price := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			price[i] = float64(rng.IntN(50))
			if rng.IntN(4) > 0 {
				up[i], dn[i] = float64(rng.IntN(30)), float64(rng.IntN(30))
				if rng.IntN(5) == 0 {
					up[i] = inf
				}
			}
		}
		narrow, err := newKernelRouter(s, k, "", up, dn)
		if err != nil || narrow == nil {
			t.Fatalf("no router: %v", err)
		}
		full, err := newLPRouter(s, "", up, dn, nil)
		if err != nil {
			t.Fatal(err)
		}
		ctx := work.Metered(t.Context())
		for range 6 {
			c, sign, amount := rng.IntN(n), 1-2*rng.IntN(2), float64(1+rng.IntN(8))
			began := work.Now(ctx)
			cells, z, ok, err := narrow.Route(ctx, c, sign, amount, price)
			if narrow.looked != 0 {
				t.Fatalf("seed %d: %d steps of a route are no work", seed, narrow.looked)
			}
			if cells != nil && work.Since(ctx, began) < time.Duration(6*n+2*len(k.leaf.idx))*kernelEntry {
				t.Fatalf("seed %d: a route of %d cells is said to take %v", seed, len(cells), work.Since(ctx, began))
			}
			if errors.Is(err, ErrRoute) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			cells2, z2, ok2, err := full.Route(t.Context(), c, sign, amount, price)
			if err != nil {
				t.Fatal(err)
			}
			if ok != ok2 {
				t.Fatalf("seed %d cell %d sign %d amount %g: route %v, by the full program %v", seed, c, sign, amount, ok, ok2)
			}
			asked++
			if !ok {
				continue
			}
			found++
			checkRoute(t, tab, up, dn, c, float64(sign)*amount, cells, z)
			checkRoute(t, tab, up, dn, c, float64(sign)*amount, cells2, z2)
		}
		narrow.Close()
		full.Close()
	}
	if asked < 500 || found < 200 {
		t.Errorf("%d routes asked, %d found; the test sees too little", asked, found)
	}
}

func checkRoute(t *testing.T, tab *table.Table, up, dn []float64, k int, amount float64, cells []int32, z []float64) {
	t.Helper()
	full := make([]float64, tab.Len())
	for e, i := range cells {
		full[i] = z[e]
		if e > 0 && cells[e-1] >= i {
			t.Fatalf("cells %v are not ascending", cells)
		}
		if z[e] > up[i]+1e-6 || -z[e] > dn[i]+1e-6 {
			t.Fatalf("cell %d moves by %g, capacities %g up and %g down", i, z[e], up[i], dn[i])
		}
	}
	if math.Abs(full[k]-amount) > 1e-6 {
		t.Fatalf("cell %d moves by %g, want %g", k, full[k], amount)
	}
	for j := range tab.Rel.Len() {
		sum := 0.0
		cell, coef := tab.Rel.Row(j)
		for e, i := range cell {
			sum += float64(coef[e]) * full[i]
		}
		if math.Abs(sum) > 1e-6 {
			t.Fatalf("relation %d is off by %g", j, sum)
		}
	}
}

// The distances of a point are those of its largest feasible multiple.
func TestPoint(t *testing.T) {
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 6))
		tab := tabletest.Random(rng, int(seed))
		s := NewSystem(tab.Rel)
		k := newKernel(s, 1<<20)
		if k == nil || len(k.base) == 0 {
			continue
		}
		// A combination of independent cells over a small denominator.
		num, den := make([]int64, tab.Len()), int64(1+rng.IntN(4))
		for range 1 + rng.IntN(3) {
			f, v := int32(rng.IntN(len(k.base))), int64(rng.IntN(9)-4)
			cell, coef := k.leaf.row(f)
			for e, i := range cell {
				num[i] += v * int64(coef[e])
			}
		}
		up, dn := make([]int64, tab.Len()), make([]int64, tab.Len())
		var cells []int32
		var z []float64
		for i, v := range num {
			up[i], dn[i] = int64(rng.IntN(40)), int64(rng.IntN(40))
			if rng.IntN(3) == 0 {
				up[i] = table.PosInf
			}
			if v != 0 {
				cells, z = append(cells, int32(i)), append(z, float64(v)/float64(den))
			}
		}
		if cells == nil {
			continue
		}
		p := s.NewPoint(cells, z, up, dn)
		if !p.Exact() {
			t.Fatalf("seed %d: no fractions for %v", seed, z)
		}
		for _, sign := range [2]int{1, -1} {
			for i, v := range num {
				var want *big.Rat // |num_i|·min cap/|num|; nil: infinite
				if v == 0 {
					want = new(big.Rat)
				} else {
					f := int64(sign)
					if v < 0 {
						f = -f
					}
					for h, w := range num {
						c := up[h]
						if w*f < 0 {
							c = dn[h]
						}
						if w == 0 || c == table.PosInf {
							continue
						}
						if r := big.NewRat(c*abs64(v), abs64(w)); want == nil || r.Cmp(want) < 0 {
							want = r
						}
					}
				}
				got := p.Distance(int32(i), sign)
				if (got == nil) != (want == nil) || got != nil && got.Cmp(want) != 0 {
					t.Fatalf("seed %d cell %d sign %d: distance %v, want %v", seed, i, sign, got, want)
				}
				far := p.Far(int32(i), sign)
				if want == nil != math.IsInf(far, 1) {
					t.Fatalf("seed %d: far %g, want %v", seed, far, want)
				}
				if want != nil {
					if w, _ := want.Float64(); math.Abs(far-w) > 1e-9*max(1, w) {
						t.Fatalf("seed %d: far %g, want %g", seed, far, w)
					}
				}
			}
		}
	}
}

// A point that breaks a relation is not exact.
func TestPointOutside(t *testing.T) {
	tab := tabletest.CrossTab(t, [][]int64{{1, 2}, {3, 4}})
	s := NewSystem(tab.Rel)
	up := make([]int64, tab.Len())
	if p := s.NewPoint([]int32{0, 1}, []float64{1, 1}, up, up); p.Exact() {
		t.Error("a point outside the kernel passes")
	}
	if p := s.NewPoint([]int32{0}, []float64{math.Pi}, up, up); p.Exact() {
		t.Error("an irrational point passes")
	}
}
