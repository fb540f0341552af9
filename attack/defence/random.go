package defence

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/seed"
	"github.com/hitoku/hitoku/internal/sets"
)

// maxOrders is the largest number of orders.
const maxOrders = 1 << 12

// maxEpsilon keeps every weight well above the smallest positive one.
const maxEpsilon = 32

func (o *Options) completeRandom() error {
	o.Orders = cmp.Or(o.Orders, 16)
	o.Epsilon = cmp.Or(o.Epsilon, 1)
	switch {
	case o.Orders < 1 || o.Orders > maxOrders:
		return i18n.Errorf("%d orders, want 1 to %d", o.Orders, maxOrders)
	case !(o.Epsilon > 0 && o.Epsilon <= maxEpsilon):
		return i18n.Errorf("epsilon %g, want a value in (0, %d]", o.Epsilon, maxEpsilon)
	}
	return nil
}

// draw draws one of the patterns S_j of the orders j with probability proportional to
// exp(−ε·cost_j/(2Δ)): the exponential mechanism (McSherry and Talwar, Mechanism design via
// differential privacy, FOCS 2007).
func (s *Solution) draw(ctx context.Context, p *public, o *Options, value func(i int) int64) error {
	results, err := s.patterns(ctx, p, o, value)
	if err != nil {
		return err
	}
	for _, r := range results {
		s.Patterns = append(s.Patterns, r.withheld)
	}
	s.Pattern = slices.Clone(s.Patterns[pick(odds(s.Costs, s.Delta, o.Epsilon), s.key(p, o, value))])
	return nil
}

// key returns the key of the draw. Different tables or settings have keys that tell nothing about each other, so one
// secret serves many tables; repeating a draw gives the same pattern.
func (s *Solution) key(p *public, o *Options, value func(i int) int64) [32]byte {
	values := sets.List(p.Rel.N, value)
	return seed.Key("defence", string(o.Seed[:]), fmt.Sprint(values), fmt.Sprint(p.Given, p.Width, p.Open, p.Keep),
		fmt.Sprint(o.Over, o.Orders, o.Epsilon, o.PublicSeed, s.Costs, s.Delta))
}

// patterns runs the engine with every order. cost_j is the number of withheld cells that might have been released, so
// Δ, the number of all such cells, bounds the difference between two tables, and is public.
func (s *Solution) patterns(ctx context.Context, p *public, o *Options, value func(i int) int64) ([]*result, error) {
	results := make([]*result, o.Orders)
	var mu sync.Mutex
	done := 0
	err := parallel.Do(ctx, o.Orders, o.Workers, func(ctx context.Context, j int) (err error) {
		q := *p
		if j > 0 {
			q.Weight = drawn(p.Rel.N, o.PublicSeed, j)
		}
		results[j], err = release(ctx, &q, value, nil)
		if o.Progress != nil && err == nil {
			mu.Lock()
			defer mu.Unlock()
			done++
			o.Progress(done, o.Orders)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for i, open := range p.Open {
		if open && !p.Keep[i] {
			s.Delta++
		}
	}
	s.Costs = make([]int64, o.Orders)
	for j, r := range results {
		s.Tests += r.tests
		s.Engine = r.engine
		for i, in := range r.withheld {
			if in && !p.Keep[i] {
				s.Costs[j]++
			}
		}
	}
	return results, nil
}

// oddsBits is the precision of weights.
const oddsBits = 96

// odds returns ⌊2^oddsBits·exp(−ε·c/(2Δ))⌋, at least 1, for each cost c ≤ Δ. It computes in integers, as the
// exponential functions of different processors may differ in the last bit.
func odds(costs []int64, Δ int64, ε float64) []*big.Int {
	w := make([]*big.Int, len(costs))
	for j, c := range costs {
		x := new(big.Rat).SetFrac64(c, 2*max(1, Δ))
		x.Mul(x, new(big.Rat).SetFloat64(ε))
		w[j] = expNeg(x)
		if w[j].Sign() == 0 {
			w[j].SetInt64(1)
		}
	}
	return w
}

// expNeg returns exp(−x)·2^oddsBits for 0 ≤ x ≤ 64 with an error of a few units: the series of exp(−x/128), squared
// seven times, with guard bits.
func expNeg(x *big.Rat) *big.Int {
	const guard, halvings = 32, 7
	one := new(big.Int).Lsh(big.NewInt(1), oddsBits+guard)
	y := new(big.Int).Mul(x.Num(), one)
	y.Quo(y, x.Denom())
	y.Rsh(y, halvings)
	sum, term := new(big.Int).Set(one), new(big.Int).Set(one)
	for n := int64(1); term.Sign() != 0; n++ {
		term.Mul(term, y)
		term.Rsh(term, oddsBits+guard)
		term.Quo(term, big.NewInt(n))
		if n%2 == 1 {
			sum.Sub(sum, term)
		} else {
			sum.Add(sum, term)
		}
	}
	for range halvings {
		sum.Mul(sum, sum)
		sum.Rsh(sum, oddsBits+guard)
	}
	return sum.Rsh(sum, guard)
}

// pick draws an index with exactly the given odds: the least j with Σ_{i ≤ j} w_i > r, for r uniform below Σ w_i (by
// rejection).
func pick(w []*big.Int, key [32]byte) int {
	total := new(big.Int)
	for _, v := range w {
		total.Add(total, v)
	}
	src := rand.NewChaCha8(key)
	bits := total.BitLen()
	r := new(big.Int)
	for {
		r.SetUint64(0)
		for n := 0; n < bits; n += 64 {
			r.Lsh(r, 64)
			r.Or(r, new(big.Int).SetUint64(src.Uint64()))
		}
		if extra := (64 - bits%64) % 64; extra > 0 {
			r.Rsh(r, uint(extra))
		}
		if r.Cmp(total) < 0 {
			break
		}
	}
	for j, v := range w {
		if r.Cmp(v) < 0 {
			return j
		}
		r.Sub(r, v)
	}
	return len(w) - 1
}
