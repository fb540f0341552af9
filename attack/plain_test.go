package attack

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/nullspace"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// plain runs the office's procedure on every candidate.
func plain(ctx context.Context, t *table.Table, withheld []bool, opt *Options) (*Result, error) {
	base, err := opt.base(t, withheld)
	if err != nil {
		return nil, err
	}
	var cells []int32
	lo, hi := slices.Clone(t.Lower), slices.Clone(t.Upper)
	for i, w := range withheld {
		if w {
			cells = append(cells, int32(i))
		}
		if v, ok := opt.Knows[i]; ok {
			lo[i], hi[i] = v, v
		}
	}
	f, err := nullspace.New(t.Rel, cells, base.Value, lo, hi)
	if err != nil {
		return nil, err
	}
	if err := f.Check(ctx); err != nil {
		return nil, err
	}
	r := &Result{Dim: f.Dim(), Counted: true, Complete: true, Matching: new(big.Int)}
	if r.Candidates, _, err = f.Count(ctx, nil); err != nil {
		return nil, err
	}
	for k, i := range cells {
		c := Cell{Index: int(i), Inner: Range{Empty: true}}
		c.Lo, c.Hi, _ = f.Bounds(k)
		r.Cells = append(r.Cells, c)
	}
	for y := range f.Points(ctx) {
		m, err := opt.matches(ctx, base, cells, withheld, y, opt.LP)
		if err != nil {
			return nil, err
		}
		if !m {
			continue
		}
		r.Matching.Add(r.Matching, big.NewInt(1))
		for k, v := range y {
			r.Cells[k].Inner.add(v)
		}
	}
	for k := range r.Cells {
		r.Cells[k].Outer = r.Cells[k].Inner
	}
	return r, ctx.Err()
}

// matches runs the procedure on the candidate y.
func (o *Office) matches(ctx context.Context, base *table.Table, cells []int32, withheld []bool, y []int64, lp string) (bool, error) {
	c, err := o.table(base, cells, y)
	if err != nil {
		return false, err
	}
	own, any := int64(0), false
	for i, st := range c.Status {
		switch {
		case st == table.Sensitive && !withheld[i]:
			return false, nil
		case st == table.Sensitive:
			any = true
		case withheld[i]:
			own += c.Cost[i]
		}
	}
	if !any {
		return false, nil
	}
	s, err := solver.Suppress(ctx, c, &solver.Options{LP: lp, Workers: 1, Canonical: true})
	if unprotectable := (*solver.UnprotectableError)(nil); errors.As(err, &unprotectable) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("attack: candidate: %w", err)
	}
	if slices.Equal(s.Pattern, withheld) {
		return true, nil
	}
	if o.Match == Exact || s.Cost != own {
		return false, nil
	}
	// S is as cheap as the optimum: is it protected?
	for i, st := range c.Status {
		if st == table.Safe && !withheld[i] {
			c.Status[i] = table.Published
		}
	}
	s, err = solver.Suppress(ctx, c, &solver.Options{LP: lp, Workers: 1})
	if unprotectable := (*solver.UnprotectableError)(nil); errors.As(err, &unprotectable) {
		return false, nil
	}
	return err == nil && s.Cost == own, err
}
