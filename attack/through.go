package attack

import (
	"context"
	"math/big"
	"time"

	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/table"
)

// A Trial decides about a candidate, given by the values y of the withheld cells in their order: whether it agrees with
// everything else that is published, and whether the office's procedure withholds these cells for it.
type Trial = func(ctx context.Context, y []int64) (possible, match bool, err error)

// Through is Run for a procedure that Office does not describe, such as that of an office which takes other tables into
// account. It visits the candidates one by one (at most two million unless Count is CountAll), so it is for small
// tables. lo and hi, if not nil, are the ends of the interval in which everybody can place each withheld cell, in
// order. Of Office only the rule, the levels and Strict are used, for the verdicts. A limit leaves the cells with these
// intervals as Outer.
func Through(ctx context.Context, published *table.Publication, opt *Options, lo, hi []*big.Rat, try Trial) (*Result, error) {
	if opt == nil {
		opt = new(Options)
	}
	start := time.Now()
	near, withheld := published.Table(), published.Withheld()
	p := 0
	for i, w := range withheld {
		if !w || lo == nil {
			continue
		}
		if l, ok := ceilRat(lo[p]); ok {
			near.Lower[i] = max(near.Lower[i], l)
		}
		if u, ok := floorRat(hi[p]); ok {
			near.Upper[i] = min(near.Upper[i], u)
		}
		p++
	}
	x, err := newSetting(ctx, near, withheld, opt)
	if err != nil {
		return nil, parallel.Ended(ctx, err)
	}
	limited, stop := parallel.Limited(ctx, start, opt.TimeLimit)
	defer stop()
	possible := int64(0)
	r := &Result{Dim: x.fib.Dim(), Matching: new(big.Int), x: x}
	err = x.sweep(limited, r, opt, near, start, 64, func(y []int64) (bool, error) {
		r.Solves++
		can, match, err := try(limited, y)
		if can && err == nil && limited.Err() == nil {
			possible++
		}
		return match, err
	})
	if err != nil {
		return nil, err
	}
	if r.Complete {
		r.Candidates = big.NewInt(possible)
	}
	if lo != nil {
		for p := range r.Cells {
			r.Cells[p].Lo, r.Cells[p].Hi = lo[p], hi[p]
		}
	}
	return r, r.ended(ctx)
}

// ended returns the error of an attack that has not visited all its candidates, if ctx is the reason.
func (r *Result) ended(ctx context.Context) error {
	if r.Complete {
		return nil
	}
	return parallel.Ended(ctx, nil)
}

// sweep visits the candidates one by one and sets the cells of r from those that match; progress is reported every so
// many candidates. r.Complete says that all were visited.
func (x *setting) sweep(ctx context.Context, r *Result, opt *Options, t *table.Table, start time.Time, every int64, matches func(y []int64) (bool, error)) error {
	hull := make([]Range, x.s)
	for p := range hull {
		hull[p].Empty = true
	}
	met, matching := int64(0), int64(0)
	each := func() error {
		if err := x.fib.Check(ctx); err != nil {
			return err
		}
		for y := range x.fib.Points(ctx) {
			if met++; met > autoLimit && opt.Count != CountAll {
				return nil
			}
			match, err := matches(y)
			if err != nil || ctx.Err() != nil {
				return err
			}
			if match {
				matching++
				for p, v := range y {
					hull[p].add(v)
				}
			}
			if opt.Progress != nil && met%every == 0 {
				p := Progress{Decided: -1, Matches: matching, Seconds: time.Since(start).Seconds()}
				if r.Candidates != nil {
					p.Decided, _ = new(big.Rat).SetFrac(big.NewInt(met), r.Candidates).Float64()
				}
				opt.Progress(p)
			}
		}
		r.Complete = ctx.Err() == nil
		return nil
	}
	if err := each(); err != nil && ctx.Err() == nil {
		return err
	}
	r.Matching.SetInt64(matching)
	r.Counted = r.Complete
	for p, i := range x.cells {
		c := Cell{Index: int(i), Lo: x.feasLo[p], Hi: x.feasHi[p], Outer: hull[p], Inner: hull[p]}
		if !r.Complete {
			c.Outer = Range{Lo: x.root[p], Hi: x.root[x.s+p]}
		}
		x.judge(int32(p), t, &c)
		r.Cells = append(r.Cells, c)
	}
	r.Seconds = time.Since(start).Seconds()
	return nil
}
