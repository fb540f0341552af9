package intruder

import (
	"context"
	"errors"
	"math"
	"math/big"

	"github.com/hitoku/hitoku/lp"
)

// ErrNodes is returned where the integer interval of a cell needs more branching
// than maxNodes.
var ErrNodes = errors.New("interval: integer interval not found within the node limit")

const maxNodes = 200_000

// ErrFractional is returned where no integer table is known to begin at.
var ErrFractional = errors.New("interval: the published numbers were only met by a fractional table; integer intervals need the true table")

// integer is maxInteger with a second try: where the back end of the caller meets numerical trouble, the
// project's own, which is more careful, may not.
func (e *Exact) integer(ctx context.Context, b *Base, k, sign int, limit int64, backend string) (*End, error) {
	end, err := e.maxInteger(ctx, b, k, sign, limit)
	if err == nil || ctx.Err() != nil || errors.Is(err, ErrNodes) || errors.Is(err, ErrFractional) || backend == "" || backend == "simplex" {
		return end, err
	}
	own, failed := e.s.NewExact("simplex", "simplex")
	if failed != nil {
		return nil, err
	}
	defer own.Close()
	own.SetCapacities(b.up, b.dn, b.clamp)
	return own.maxInteger(ctx, b, k, sign, limit)
}

// maxInteger maximises sign·z_k over integer tables by depth-first branch and
// bound on the linear relaxation. Networks never come here: their vertices are
// integer. In three-way tables the integer interval can be narrower than the
// linear one, which is why `--integer` is a question of its own.
func (e *Exact) maxInteger(ctx context.Context, b *Base, k, sign int, limit int64) (*End, error) {
	if b.den != 1 {
		return nil, ErrFractional
	}
	e.simp.proof = true
	if _, err := e.simp.Reach(ctx, k, sign, float64(limit)); err != nil {
		return nil, err
	}
	if e.simp.res.Status == lp.Unbounded { // rational rays have integer multiples
		return e.vertex(k, sign, limit)
	}
	s := &integerSearch{e: e, k: k, sign: sign}
	err := s.node(ctx)
	for i := range e.z { // no trace of the branching is left
		e.simp.set(i)
	}
	if err != nil {
		return nil, err
	}
	if s.best == nil {
		s.best = make([]int64, len(e.z)) // z = 0 is integer
	}
	end := e.end(k, sign, s.best, 1)
	end.Bound = new(big.Rat).Set(end.Value)
	return end, nil
}

type integerSearch struct {
	e       *Exact
	k, sign int
	nodes   int
	best    []int64
	value   int64
}

// node solves the relaxation under the current bounds and branches. The relaxation
// is rounded down with a tolerance far below the spacing of vertices.
func (s *integerSearch) node(ctx context.Context) error {
	if s.nodes++; s.nodes > maxNodes {
		return ErrNodes
	}
	simp := s.e.simp
	v, err := simp.Reach(ctx, s.k, s.sign, inf)
	if simp.res != nil && simp.res.Status == lp.Infeasible {
		return nil
	}
	if err != nil {
		return err
	}
	if int64(math.Floor(v+1e-6)) <= s.value {
		return nil
	}
	z := make([]float64, len(s.e.z))
	idx, val := simp.Witness(nil, nil)
	branch, worst := -1, 1e-6
	for t, i := range idx {
		z[i] = val[t]
		if f := math.Abs(val[t] - math.Round(val[t])); f > worst {
			branch, worst = int(i), f
		}
	}
	if branch < 0 {
		num := make([]int64, len(z))
		for i, v := range z {
			num[i] = int64(math.Round(v))
		}
		if !s.e.within(num, 1) || !holds(s.e.s.Rel, num, s.e.zero, 1) {
			return ErrInexact
		}
		s.best, s.value = num, int64(s.sign)*num[s.k]
		return nil
	}
	up, dn := simp.up[branch], simp.dn[branch]
	f := math.Floor(z[branch])
	down := func() error {
		simp.bound(branch, -dn, f)
		return s.node(ctx)
	}
	above := func() error {
		simp.bound(branch, f+1, up)
		return s.node(ctx)
	}
	first, second := down, above
	if z[branch]-f > 0.5 {
		first, second = above, down
	}
	if err := first(); err != nil {
		return err
	}
	if err := second(); err != nil {
		return err
	}
	simp.bound(branch, -dn, up)
	return nil
}
