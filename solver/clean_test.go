package solver

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/test/must"
)

// A clean-up that drops several columns at once leaves the same pattern as one that drops them one by one, of which
// no column can be dropped.
func TestCleanTogether(t *testing.T) {
	t.Parallel()
	dropped, several := 0, 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 77))
		tab := randomTable(rng, shapes[int(seed)%len(shapes)], 15+rng.IntN(25), int(seed)/len(shapes))
		clean := func(together bool) (set []bool, ok bool) {
			p := newProblem(tab, oracle.NewSystem(tab.Rel))
			s := must.Get(newSearch(t.Context(), p, &Options{LP: "simplex", Workers: 1}, time.Now()))(t)
			defer s.close()
			s.b.together = together
			guide, draw := make([]float64, len(p.cand)), rand.New(rand.NewPCG(seed, 79))
			for c := range guide {
				guide[c] = draw.Float64()
			}
			set, stuck := must.Two(s.b.build(t.Context(), guide))(t)
			if stuck >= 0 {
				return nil, false
			}
			before := p.price(set)
			must.Do(t, s.b.clean(t.Context(), set, math.Inf(1)))
			if p.price(set) < before {
				dropped++
			}
			if !protected(tab, p.pattern(set)) {
				t.Fatalf("seed %d: the pattern cleaned is not protected", seed)
			}
			for c, in := range set {
				if !in {
					continue
				}
				set[c] = false
				if protected(tab, p.pattern(set)) {
					t.Errorf("seed %d: column %d is superfluous in the pattern cleaned", seed, c)
				}
				set[c] = true
			}
			return set, true
		}
		one, ok := clean(false)
		if !ok {
			continue
		}
		all, _ := clean(true)
		if !slices.Equal(one, all) {
			t.Errorf("seed %d: one by one %v, together %v", seed, one, all)
		}
		several++
	}
	if dropped < 80 || several < 80 {
		t.Errorf("%d clean-ups with effect of %d tables; the test sees too little", dropped, several)
	}
}

// What a guard offers at once can go as far as its cuts say, and what it passes over is needed then.
func TestGuardBatch(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 78))
		n := 4 + rng.IntN(8)
		set := make([]bool, n)
		var order []int32
		for c := range set {
			if set[c] = rng.IntN(5) > 0; set[c] {
				order = append(order, int32(c))
			}
		}
		rng.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
		var cuts []*cut
		for range 1 + rng.IntN(5) {
			c := &cut{}
			sum := 0.0
			for j := range n {
				if rng.IntN(2) == 0 {
					v := float64(1 + rng.IntN(4))
					c.idx, c.val = append(c.idx, int32(j)), append(c.val, v)
					if set[j] {
						sum += v
					}
				}
			}
			c.rhs = math.Floor(sum * rng.Float64())
			cuts = append(cuts, c.seal())
		}
		holds := func(set []bool) bool {
			for _, c := range cuts {
				sum := 0.0
				for t, j := range c.idx {
					if set[j] {
						sum += c.val[t]
					}
				}
				if sum < c.rhs {
					return false
				}
			}
			return true
		}
		pool := newPool(len(set))
		for _, c := range cuts {
			pool.add(c)
		}
		g := newGuard(pool, set)
		most := 1 + rng.IntN(4)
		batch, rest := g.batch(order, most, nil)
		if len(batch) > most || len(batch) < most && len(rest) > 0 {
			t.Fatalf("seed %d: %d columns of at most %d with %d left", seed, len(batch), most, len(rest))
		}
		without := slices.Clone(set)
		for _, c := range order[:len(order)-len(rest)] {
			without[c] = false
			if gone := slices.Contains(batch, c); gone != holds(without) {
				t.Fatalf("seed %d: column %d: offered %v, cuts hold without it %v", seed, c, gone, !gone)
			} else if !gone {
				without[c] = true
			}
		}
		again, _ := g.batch(order, most, nil)
		if !slices.Equal(batch, again) {
			t.Fatalf("seed %d: %v, asked again %v: a batch must leave the guard as it was", seed, batch, again)
		}
	}
}
