package nullspace

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// randomInequalities draws inequalities over the box [0, T]^d, the box among them.
func randomInequalities(r *rand.Rand) (start []inequality, d int, T []num) {
	d = 1 + r.IntN(4)
	unit := func(j int, by, at int64) {
		q := inequality{row: newRow(d + 1), cell: -1}
		q.set(j, small(by))
		q.set(d, small(at))
		start = append(start, q)
	}
	for j := range d {
		T = append(T, small(int64(r.IntN(5))))
		unit(j, -1, 0)
		unit(j, 1, T[j].s)
	}
	for range r.IntN(7) {
		q := inequality{row: newRow(d + 1), cell: -1}
		f := 1 + r.Int64N(3)
		for j := range d {
			q.set(j, small(f*(r.Int64N(7)-3)))
		}
		q.set(d, small(r.Int64N(25)-6))
		start = append(start, q)
	}
	return start, d, T
}

func holds(q *row, d int, t []int64) bool {
	s := int64(0)
	for j, x := range t {
		s += q.s[j] * x
	}
	return s <= q.s[d]
}

// The inequalities of levels 0 … j hold for the first coefficients of every integer
// point, those of all levels together for the integer points alone.
func TestEliminate(t *testing.T) {
	empty := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 5))
		start, d, T := randomInequalities(r)
		s, ok := eliminate(start, d, T)
		points, x := 0, make([]int64, d)
		var box func(j int)
		box = func(j int) {
			if j < d {
				for x[j] = 0; x[j] <= T[j].s; x[j]++ {
					box(j + 1)
				}
				return
			}
			want := true
			for i := range start {
				want = want && holds(&start[i].row, d, x)
			}
			if want {
				points++
			}
			got := ok
			for k := range d {
				for i := range s.at[k] {
					got = got && holds(&s.at[k][i].row, d, x)
				}
			}
			if got != want {
				t.Fatalf("seed %d: %v: %v by the levels, %v by the inequalities", seed, x, got, want)
			}
		}
		box(0)
		if !ok {
			empty++
			if points > 0 {
				t.Fatalf("seed %d: called empty, %d points", seed, points)
			}
		}
	}
	if empty < 20 {
		t.Errorf("%d empty systems only", empty)
	}
}

// Where nothing was left out, the range on each level is that of linear programs or
// narrower: elimination is a projection.
func TestShadowsAreExact(t *testing.T) {
	nodes := 0
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 6))
		tab, withheld := build(t, r, 8, flat(t, "R", 3), flat(t, "C", 3), flat(t, "P", 2))
		hi := make([]int64, tab.Len())
		for i := range hi {
			hi[i] = tab.Value[i] + 2
		}
		f := mustNew(t, tab.Rel, withheld, tab.Value, nil, hi)
		plans, _ := must.Two(f.prepare(bg))(t)
		for _, p := range plans {
			w := p.walker(bg, make([]int64, len(withheld)))
			w.reset()
			var visit func(j int)
			visit = func(j int) {
				if nodes++; j == len(p.levels) || p.levels[j].lp {
					return
				}
				lo, hi := w.bounds(j)
				if l, h := w.exact(j, 0, p.levels[j].T); lo < l || hi > h {
					t.Fatalf("seed %d, level %d of %d at %v: [%d, %d] by inequalities, [%d, %d] by programs", seed, j, len(p.levels), w.t[:j], lo, hi, l, h)
				}
				for x := lo; x <= hi; x++ {
					w.t[j] = x
					w.add(j, x)
					visit(j + 1)
					w.add(j, -x)
				}
			}
			visit(0)
		}
	}
	t.Logf("%d nodes", nodes)
}

// Where every relation's coefficients add up to 0, moving all bounds by s moves the
// points by s, however close to the ends of int64.
func TestShift(t *testing.T) {
	programs := 0
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 7))
		n, m := 4+r.IntN(3), 1+r.IntN(2)
		rel := table.NewRelations(n)
		for range m {
			coef := make([]int32, n)
			for range 2 + r.IntN(4) {
				coef[r.IntN(n)]++
				coef[r.IntN(n)]--
			}
			rel.Add(all(n), coef, int64(r.IntN(3)))
		}
		lo, hi, zero := make([]int64, n), make([]int64, n), make([]int64, n)
		for i := range n {
			lo[i] = int64(r.IntN(3))
			hi[i] = lo[i] + int64(r.IntN(4))
		}
		want := collect(mustNew(t, rel, all(n), zero, lo, hi))
		for _, s := range []int64{1<<62 - 4, 1<<62 + 9, 1<<63 - 9, -1<<63 + 2} {
			lo2, hi2 := slices.Clone(lo), slices.Clone(hi)
			for i := range n {
				lo2[i] += s
				hi2[i] += s
			}
			f := mustNew(t, rel, all(n), zero, lo2, hi2)
			var moved [][]int64
			for _, y := range collect(f) {
				for i := range y {
					y[i] -= s
				}
				moved = append(moved, y)
			}
			if !slices.EqualFunc(moved, want, slices.Equal[[]int64]) {
				t.Fatalf("seed %d, moved by %d: %v, want %v", seed, s, moved, want)
			}
			plans, _, _ := f.prepare(bg)
			for _, p := range plans {
				if p.levels[len(p.levels)-1].lp {
					programs++
				}
			}
		}
	}
	if programs < 20 {
		t.Fatal(fmt.Sprint(programs, " blocks too close to the end of int64 only"))
	}
}
