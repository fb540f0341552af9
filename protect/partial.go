package protect

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"strconv"

	"github.com/hitoku/hitoku/attack/defence"
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/methods/partial"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/solver/modular"
	"github.com/hitoku/hitoku/table"
)

// Draws reports whether what is published depends on chance; Run then needs Options.Secret.
func (p *Policy) Draws() bool {
	return p.Defence == defence.Random || p.Partial && p.Defence == "" && !p.Ends.Plain
}

// publishIntervals searches for intervals to publish instead of marks.
func (r *problem) publishIntervals(ctx context.Context) (f found, err error) {
	t := r.Table
	if t.Rounded() {
		return f, wrong("partial", "{partial}: table %s has rounded values, and intervals are around exact ones", t.Name)
	}
	if r.policy.Defence != "" {
		return r.publishComputable(ctx)
	}
	posed := r.posed()
	opt, err := r.partialOptions(ctx, posed)
	if err != nil {
		return f, err
	}
	r.opt.Progress(Progress{Stage: Searching, Begin: true, Table: t})
	opt.Progress = func(s partial.Progress) {
		r.opt.Progress(Progress{Stage: Searching, Table: t, Search: solver.Progress{Round: s.Round, Lower: s.Bound, Upper: s.Cost, Cuts: s.Cuts, Seconds: s.Seconds}})
	}
	s, err := partial.Suppress(ctx, posed, opt)
	switch {
	case is[*solver.UnprotectableError](err), errors.Is(err, partial.ErrTooNarrow), errors.Is(err, solver.ErrNoSolution):
		none := &NoPatternError{err}
		f.Solution = none.solution(&solver.Solution{LP: opt.LP})
		return f, none
	case s == nil:
		return f, err
	}
	f.Solution = &solver.Solution{Status: solver.Status(s.Status), Pattern: s.Pattern, Witnesses: s.Witnesses, Cost: whole(s.Cost, 1), Bound: whole(s.Bound, 0),
		Seconds: s.Seconds, FirstSeconds: s.Seconds, Rounds: s.Rounds, Cuts: map[string]int{"capacity": s.Cuts}, LP: s.LP, Engine: s.Engine}
	n := t.Len() // remainders have no interval
	s.Lower, s.Upper, s.Pattern = s.Lower[:n], s.Upper[:n], s.Pattern[:n]
	bound(t, s)
	f.partial = s
	return f, err // the call was interrupted
}

// bound gives the cells of t with an interval in s its ends as bounds.
func bound(t *table.Table, s *partial.Solution) {
	for i, in := range s.Pattern {
		if in {
			t.Lower[i], t.Upper[i] = s.Lower[i], s.Upper[i]
		}
	}
}

// publishComputable publishes, with a pattern chosen by a defence, the interval of each withheld cell that everybody
// can compute from the pattern, rounded outward. The pattern depends only on public information and the intervals only
// on what the pattern publishes, so neither tells where in its interval a value is.
func (r *problem) publishComputable(ctx context.Context) (found, error) {
	f, err := r.defend(ctx)
	if err != nil {
		return f, err
	}
	t, pattern := r.Table, r.own(f.Pattern)
	public := t.Clone()
	public.Missing = slices.Clone(pattern)
	for i, in := range pattern {
		if in {
			public.Value[i], public.Status[i] = 0, table.Withheld
		}
	}
	opt, err := r.partialOptions(ctx, public)
	if err != nil {
		return f, err
	}
	rep, err := interval.Audit(ctx, public, pattern, &interval.Options{LP: opt.LP, Workers: opt.Workers})
	if err != nil {
		return f, err
	}
	lower, upper := slices.Clone(t.Lower), slices.Clone(t.Upper)
	for k := range rep.Cells {
		c := &rep.Cells[k]
		if c.Lo != nil {
			lower[c.Index] = -whole(new(big.Rat).Neg(c.Lo), 1)
		}
		if c.Hi != nil {
			upper[c.Index] = whole(c.Hi, 1)
		}
	}
	f.partial = partial.Given(t, pattern, lower, upper, opt)
	bound(t, f.partial)
	return f, nil
}

// whole returns v rounded down if more is 0, up if more is 1.
func whole(v *big.Rat, more int64) int64 {
	q, rest := new(big.Int).DivMod(v.Num(), v.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		q.Add(q, big.NewInt(more))
	}
	return q.Int64()
}

// partialOptions translates the policy into options of package partial. Ends have the decimals of the values of t, not
// those that levels and contributions may add.
func (r *problem) partialOptions(ctx context.Context, t *table.Table) (*partial.Options, error) {
	p := r.policy
	o := &partial.Options{LP: p.LP, Workers: r.opt.Workers, Gap: p.Gap, Absolute: p.PartialCost == "absolute", Marks: modular.Quick, Marked: r.marked}
	if p.TimeLimit > 0 {
		o.TimeLimit = r.left(ctx)
	}
	if p.Draws() && p.Defence == "" {
		if r.opt.Secret == nil {
			return nil, i18n.New("protect: drawn ends need a secret, of Options.Secret")
		}
		var err error
		if o.Secret, err = r.opt.Secret(); err != nil {
			return nil, err
		}
	}
	o.Ends.Base = t.Unit()
	o.Ends.Plain, o.Ends.Digits = p.Ends.Plain, p.Ends.Digits
	if b := p.Ends.Base; b != nil {
		v, ok := b.At(t.Decimals)
		if !ok || v%o.Ends.Base != 0 {
			return nil, wrong("ends", "{ends} %s: the values have %d decimals", endsField(&p.Ends), t.Decimals-len(strconv.FormatInt(o.Ends.Base, 10))+1)
		}
		o.Ends.Base = v
	}
	if w := p.MaxWidth; w != nil {
		o.MaxWidth = make([]int64, t.Len())
		for i := range o.MaxWidth {
			v := new(big.Rat).SetFrac64(w.Unscaled, table.Pow10(w.Scale))
			if w.Percent {
				v.Mul(v, big.NewRat(num.Abs(t.Value[i]), 100))
			} else {
				v.Mul(v, new(big.Rat).SetInt64(table.Pow10(t.Decimals)))
			}
			o.MaxWidth[i] = table.PosInf
			if v.Cmp(new(big.Rat).SetInt64(table.PosInf/2)) < 0 {
				o.MaxWidth[i] = whole(v, 0)
			}
		}
	}
	return o, nil
}
