package intruder

import (
	"context"
	"math/rand/v2"
)

// KernelSample returns a random point of {z : M z = 0}, modulo a prime of 61 bits, among the cells that move: others have 0. What is linear and 0 at all points of
// the kernel is 0 there, and what is not almost never. ok is false where elimination would take too long. The same relations, cells and seed give the same point. Cost: the fill
// of the elimination.
func KernelSample(ctx context.Context, s *System, moves []bool, seed uint64) (z []uint64, ok bool, err error) {
	e := newElimination(&System{Rel: among(s.Rel, func(i int32) bool { return moves[i] })})
	if ok, err := e.echelon(ctx); !ok || err != nil {
		return nil, false, err
	}
	z = make([]uint64, s.Rel.N)
	rng := rand.New(rand.NewPCG(seed, seed))
	for i := range z {
		if moves[i] && !e.basic[i] {
			z[i] = rng.Uint64N(uint64(prime))
		}
	}
	for q := len(e.pivots) - 1; q >= 0; q-- { // a relation mentions, besides its own basic cell, only those of later pivots
		p := e.pivots[q]
		for _, x := range e.row[p.j] {
			if x.i != p.i {
				z[p.i] = prime.Sub(z[p.i], prime.Mul(x.v, z[x.i]))
			}
		}
	}
	return z, true, nil
}
