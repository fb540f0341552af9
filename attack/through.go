package attack

import (
	"context"
	"math/big"
	"time"

	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/table"
)

// A Trial says of a candidate, the values y of the withheld cells in their order, whether it agrees with what else is published, and whether the office's
// procedure withholds these cells for it.
type Trial = func(ctx context.Context, y []int64) (possible, match bool, err error)

// Through is Run for a procedure that Office does not describe, as that of an office which counts with other tables: it goes through the candidates one by one, which is for
// small tables, two million of them unless Count is CountAll. lo and hi, if not nil, are between which ends everybody can place each withheld cell, in their order. Of Office the rule, the levels and
// Strict are what verdicts are about. A limit leaves the cells with these intervals as Outer.
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
	r := &Result{Dim: x.fib.Dim(), Matching: new(big.Int), x: x}
	hull := make([]Range, x.s)
	for p := range hull {
		hull[p].Empty = true
	}
	possible, err := x.through(limited, r, opt, hull, try, start)
	if err != nil && limited.Err() == nil {
		return nil, err
	}
	if r.Counted = r.Complete; r.Complete {
		r.Candidates = big.NewInt(possible)
	}
	for p, i := range x.cells {
		c := Cell{Index: int(i), Lo: x.feasLo[p], Hi: x.feasHi[p], Outer: hull[p], Inner: hull[p]}
		if lo != nil {
			c.Lo, c.Hi = lo[p], hi[p]
		}
		if !r.Complete {
			c.Outer = Range{Lo: x.root[p], Hi: x.root[x.s+p]}
		}
		x.judge(int32(p), near, &c)
		r.Cells = append(r.Cells, c)
	}
	r.Seconds = time.Since(start).Seconds()
	if !r.Complete {
		return r, parallel.Ended(ctx, nil)
	}
	return r, nil
}

// through tries the candidates, extends hull to those that match and counts those that are possible. r.Complete says that it came through all.
func (x *setting) through(ctx context.Context, r *Result, opt *Options, hull []Range, try Trial, start time.Time) (possible int64, err error) {
	if err := x.fib.Check(ctx); err != nil {
		return 0, err
	}
	met, matches := int64(0), int64(0)
	defer func() { r.Matching.SetInt64(matches) }()
	for y := range x.fib.Points(ctx) {
		if met++; met > autoLimit && opt.Count != CountAll {
			return possible, nil
		}
		r.Solves++
		can, match, err := try(ctx, y)
		if err != nil || ctx.Err() != nil {
			return possible, err
		}
		if can {
			possible++
		}
		if match {
			matches++
			for p, v := range y {
				hull[p].add(v)
			}
		}
		if opt.Progress != nil && met%64 == 0 {
			opt.Progress(Progress{Decided: -1, Matches: matches, Seconds: time.Since(start).Seconds()})
		}
	}
	r.Complete = ctx.Err() == nil
	return possible, nil
}
