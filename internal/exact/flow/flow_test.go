package flow

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
)

// TestBruteForce compares with all flows of small graphs.
func TestBruteForce(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	found, none := 0, 0
	for n := range 300 {
		nodes := 2 + rng.IntN(3)
		type arc struct {
			tail, head     int32
			capacity, cost int64
		}
		arcs := make([]arc, 1+rng.IntN(6))
		g := New(nodes)
		for k := range arcs {
			arcs[k] = arc{int32(rng.IntN(nodes)), int32(rng.IntN(nodes)), rng.Int64N(3), rng.Int64N(9) - 4}
			g.Add(arcs[k].tail, arcs[k].head, arcs[k].capacity, arcs[k].cost)
		}
		supply := make([]int64, nodes)
		for v := range nodes - 1 {
			supply[v] = rng.Int64N(3) - 1
			supply[nodes-1] -= supply[v]
		}
		best, any := int64(0), false
		left := append([]int64(nil), supply...)
		var try func(k int, cost int64)
		try = func(k int, cost int64) {
			if k == len(arcs) {
				for _, x := range left {
					if x != 0 {
						return
					}
				}
				if !any || cost < best {
					best, any = cost, true
				}
				return
			}
			a := arcs[k]
			for f := int64(0); f <= a.capacity; f++ {
				left[a.tail] -= f
				left[a.head] += f
				try(k+1, cost+f*a.cost)
				left[a.tail] += f
				left[a.head] -= f
			}
		}
		try(0, 0)
		err := g.Solve(context.Background(), supply)
		if !any {
			none++
			if !errors.Is(err, ErrInfeasible) {
				t.Errorf("%d: %v, but there is no flow", n, err)
			}
			continue
		}
		found++
		if err != nil {
			t.Errorf("%d: %v", n, err)
			continue
		}
		var cost int64
		for k, a := range arcs {
			f := g.Flow(k)
			cost += f * a.cost
			supply[a.tail] -= f
			supply[a.head] += f
			if f < 0 || f > a.capacity {
				t.Errorf("%d: flow %d of %d", n, f, a.capacity)
			}
		}
		for _, x := range supply {
			if x != 0 {
				t.Errorf("%d: supplies are not met", n)
			}
		}
		if cost != best {
			t.Errorf("%d: cost %d, the best is %d", n, cost, best)
		}
	}
	if found < 50 || none < 50 {
		t.Errorf("%d found, %d without any", found, none)
	}
}
