package bench

import (
	"context"
	"encoding/binary"
	"errors"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/attack/defence"
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/nullspace"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// A Defence is a way of choosing the pattern: NoDefence, one of defence.Kinds, or randomQuantised.
type Defence string

const (
	NoDefence       Defence = "none"             // a canonical cheapest pattern
	randomQuantised Defence = "random-quantised" // defence.Random over the public data of defence.Quantised
)

// Defences returns every Defence.
func Defences() []Defence {
	list := []Defence{NoDefence}
	for _, k := range defence.Kinds() {
		list = append(list, Defence(k))
	}
	return append(list, randomQuantised)
}

func defenceWords() string {
	return strings.Join(sets.Each(Defences(), func(d Defence) string { return string(d) }), ", ")
}

// matchPublic is the match for an intruder who knows a defence, its parameters and its public data: candidates that
// could not have led to the pattern are excluded.
const matchPublic = "public"

// defenceOptions returns the options of package defence for a table.
func (d *drawer) defenceOptions(kind Defence, index int) *defence.Options {
	o := &defence.Options{Kind: defence.Kind(kind), Below: d.Below, Width: d.Width, LP: d.LP, Workers: 1, PublicSeed: d.Seed}
	if kind == randomQuantised {
		o.Kind, o.Over = defence.Random, defence.Quantised
	}
	binary.BigEndian.PutUint64(o.Seed[:], num.Mix(d.Seed^num.Mix(uint64(index))))
	return o
}

// defend publishes t with a defence and attacks it.
func (d *drawer) defend(ctx context.Context, t *table.Table, kind Defence, index int) (*office, error) {
	o := &office{defence: kind, table: t}
	opt := d.defenceOptions(kind, index)
	inner, cancel := parallel.Limited(ctx, time.Now(), d.TimeLimit)
	defer cancel()
	s, err := defence.Suppress(inner, t, opt)
	var refused *solver.UnprotectableError
	switch {
	case errors.As(err, &refused):
		o.refused = true
		return o, nil
	case inner.Err() != nil:
		o.stopped = true
		return o, nil
	case err != nil:
		return nil, err
	}
	o.pattern, o.seconds = s.Pattern, s.Seconds
	if !hasSensitive(t) {
		return o, nil
	}
	start := time.Now()
	a, err := d.attackPublic(ctx, o, s, opt)
	if err != nil || ctx.Err() != nil {
		return o, err
	}
	a.Seconds = time.Since(start).Seconds()
	o.attacked = []attacked{{matchPublic, a}}
	return o, nil
}

// attackPublic finds the effective intervals for an intruder who knows the procedure and its public data. By the
// theorem, every table consistent with what is published and public can lead to the pattern, so nothing is narrowed. To
// check this, the defence is rerun on tables at both ends of every sensitive cell's interval; one that cannot lead to
// the pattern would refute the theorem and is an error.
func (d *drawer) attackPublic(ctx context.Context, o *office, s *defence.Solution, opt *defence.Options) (*attack.Result, error) {
	ctx, cancel := parallel.Limited(ctx, time.Now(), d.TimeLimit)
	defer cancel()
	known := o.table.Clone()
	if s.Base > 0 {
		classBounds(known, s)
	}
	cells := sets.Marked[int32](o.pattern)
	f, err := nullspace.New(known.Rel, cells, known.Value, known.Lower, known.Upper)
	if err != nil {
		return nil, err
	}
	r := &attack.Result{Dim: f.Dim(), Complete: true}
	feasible, err := interval.Audit(ctx, o.table, o.pattern, &interval.Options{LP: d.LP, Workers: 1})
	if err != nil {
		return d.untold(ctx, o, r, cells, err)
	}
	ends, err := interval.Audit(ctx, known, o.pattern, &interval.Options{LP: d.LP, Workers: 1, Integer: true, Witness: true})
	if err != nil {
		return d.untold(ctx, o, r, cells, err)
	}
	for k := range ends.Cells {
		end := &ends.Cells[k]
		c := attack.Cell{Index: end.Index, Lo: feasible.Cells[k].Lo, Hi: feasible.Cells[k].Hi, Outer: integers(end)}
		if o.table.Status[c.Index] != table.Sensitive {
			c.Verdict, c.Inner = attack.Safe, c.Outer // by the theorem; not rerun
			r.Cells = append(r.Cells, c)
			continue
		}
		v := o.table.Value[c.Index]
		c.Inner = attack.Range{Lo: v, Hi: v}
		for _, y := range []*interval.Witness{end.LoWitness, end.HiWitness} {
			could, err := d.again(ctx, o, opt, y)
			if err != nil {
				return nil, err
			}
			if could {
				c.Inner.Lo, c.Inner.Hi = min(c.Inner.Lo, y.Num[c.Index]), max(c.Inner.Hi, y.Num[c.Index])
			}
		}
		switch {
		case c.Inner.Width() >= d.Width:
			c.Verdict = attack.Safe
		case c.Outer.Width() < d.Width:
			c.Verdict = attack.Unsafe
		}
		r.Complete = r.Complete && c.Inner == c.Outer && !end.Inexact
		r.Cells = append(r.Cells, c)
	}
	return r, nil
}

// integers returns the interval of an audit over integers of a count; table.PosInf if infinite.
func integers(c *interval.Cell) attack.Range {
	r := attack.Range{Lo: 0, Hi: table.PosInf}
	if c.Lo != nil && c.Lo.IsInt() && c.Lo.Num().IsInt64() {
		r.Lo = c.Lo.Num().Int64()
	}
	if c.Hi != nil && c.Hi.IsInt() && c.Hi.Num().IsInt64() {
		r.Hi = c.Hi.Num().Int64()
	}
	return r
}

// untold returns the result if a limit, err, prevented the intervals from being found.
func (d *drawer) untold(ctx context.Context, o *office, r *attack.Result, cells []int32, err error) (*attack.Result, error) {
	if ctx.Err() == nil {
		return nil, err
	}
	r.Complete, r.Cells = false, nil
	for _, i := range cells {
		v := o.table.Value[i]
		c := attack.Cell{Index: int(i), Lo: new(big.Rat), Outer: attack.Range{Lo: 0, Hi: table.PosInf}, Inner: attack.Range{Lo: v, Hi: v}}
		if o.table.Status[i] != table.Sensitive {
			c.Verdict = attack.Safe
		}
		r.Cells = append(r.Cells, c)
	}
	return r, nil
}

// couldLead reports whether s might have published the pattern.
func couldLead(s *defence.Solution, pattern []bool) bool {
	if s.Patterns == nil {
		return slices.Equal(s.Pattern, pattern)
	}
	return slices.ContainsFunc(s.Patterns, func(p []bool) bool { return slices.Equal(p, pattern) })
}

// again reruns the defence on the table y. It returns true if that could have led to the pattern, an error if not, and
// false if ctx ended first.
func (d *drawer) again(ctx context.Context, o *office, opt *defence.Options, y *interval.Witness) (bool, error) {
	c := o.table.Clone()
	if y.Wide != nil || y.Den != 1 {
		return false, i18n.Errorf("defence %s: a table with fractions", o.defence)
	}
	copy(c.Value, y.Num)
	if opt.Kind == defence.Quantised || opt.Over == defence.Quantised {
		// Which cells are sensitive is not public but follows from the values.
		for i, st := range c.Status {
			if st == table.Sensitive {
				c.Status[i], c.Width[i] = table.Safe, 0
			}
		}
		if _, _, err := c.MinimumFrequency(d.Below, d.Convention.Zeros); err != nil {
			return false, err
		}
		if err := c.SetLevels(d.levels()); err != nil {
			return false, err
		}
	}
	s, err := defence.Suppress(ctx, c, opt)
	switch {
	case ctx.Err() != nil:
		return false, nil
	case err != nil:
		return false, i18n.Errorf("defence %s on another table that fits: %w", o.defence, err)
	case !couldLead(s, o.pattern):
		return false, i18n.Errorf("defence %s: a table that fits what is public cannot lead to the pattern", o.defence)
	}
	o.rerun++
	return true, nil
}

// classBounds gives every cell that may be withheld the bounds of its class
// [0, B), [B, B+C), [B+C, B+2C), … .
func classBounds(t *table.Table, s *defence.Solution) {
	for i, v := range t.Value {
		if t.Status[i] == table.Published {
			continue
		}
		lo, hi := int64(0), s.Base-1
		if v >= s.Base {
			lo = v - (v-s.Base)%s.Step
			hi = lo + s.Step - 1
		}
		t.Lower[i], t.Upper[i] = max(t.Lower[i], lo), min(t.Upper[i], hi)
	}
}
