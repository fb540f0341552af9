package partial

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"slices"
	"time"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/internal/work"
)

// firstPause is the work of the search up to the first pause.
const firstPause = 100 * time.Millisecond

// A course tracks the progress of a search. The position of pauses does not depend on the limit: so a limit that is not
// reached changes nothing, and a larger limit has everything that a smaller one has.
type course struct {
	start  time.Time       // wall clock
	began  time.Time       // meter of work
	beyond context.Context // has the meter but not the limit
	aside  time.Duration   // work outside the search proper: pauses and floors
	next   time.Duration   // work of the search at which a limit next pauses it
}

func newCourse(ctx context.Context, opt *Options) course {
	c := course{start: time.Now(), began: work.Now(ctx), beyond: ctx, next: opt.pause}
	c.next = cmp.Or(c.next, firstPause)
	return c
}

func (c *course) seconds() float64 { return time.Since(c.start).Seconds() }

// own returns the work of the search proper.
func (c *course) own() time.Duration { return work.Since(c.beyond, c.began) - c.aside }

// besides sets aside the work until end is called; nested calls count once.
func (c *course) besides(ctx context.Context) (end func()) {
	own := c.own()
	return func() { c.aside = work.Since(ctx, c.began) - own }
}

// pause makes, under a limit and when due, intervals from what there is: they are the answer if the limit comes before
// better ones, and do not affect a search that continues. Each pause comes after twice the work of the one before, and
// takes half of that. A search that takes long also gets a floor.
func (s *search) pause(ctx context.Context) error {
	own := s.course.own()
	due := s.opt.TimeLimit > 0 && own >= s.course.next
	if !due && own < layAfter {
		return nil
	}
	if err := s.lay(s.course.beyond); err != nil {
		return err
	}
	if own >= layAfter {
		if err := s.layLower(ctx); err != nil {
			return err
		}
	}
	if !due {
		return nil
	}
	defer s.course.besides(ctx)()
	s.course.next = 2 * own
	limited, stop := work.Limited(ctx, work.Now(ctx), own/2)
	defer stop()
	one := *s
	one.w, one.hat = nil, slices.Clone(s.hat)
	var err error
	if one.o, err = newSubproblem(s.p, s.opt); err != nil {
		return err
	}
	defer func() {
		one.o.close()
		if one.w != nil {
			one.w.close()
		}
	}()
	y, fine, err := one.exact(limited)
	if err != nil && !errors.Is(err, errLate) && !errors.Is(err, errInfeasible) {
		return err
	}
	m, err := one.build(s.course.beyond, limited, y, fine)
	s.made = s.cheaper(m)
	return err
}

// A made is a set of intervals in whole units, before ends are drawn.
type made struct {
	y                       []int64
	witnesses               []*certificate.Witness
	optimum, rounded, costs *big.Rat
}

// cheaper returns m, or what a pause made if that is cheaper and m is not the optimum.
func (s *search) cheaper(m *made) *made {
	if s.made != nil && (m == nil || !s.solved && s.made.costs.Cmp(m.costs) <= 0) {
		return s.made
	}
	return m
}

// build makes intervals in whole units from y or, if it is cheaper or y is nil, from the floor, and narrows them while
// limited lasts; nil if ends are too far apart.
func (s *search) build(ctx, limited context.Context, y []int64, fine int64) (*made, error) {
	p, m := s.p, new(made)
	if y != nil {
		whole := sets.Each(y, func(v int64) int64 { return num.CeilDiv(v, fine) })
		m.optimum, m.witnesses, m.y = p.cost(y, fine), s.o.witnesses(fine), p.rounded(s.ends(), whole)
		m.rounded = p.cost(m.y, 1)
	}
	if p.tooWide(m.y) {
		if err := s.lay(ctx); err != nil {
			return nil, err
		}
	}
	if f := s.floor; f != nil {
		rounded := p.rounded(s.ends(), f.y)
		if cost := p.cost(rounded, 1); y == nil || !s.solved && cost.Cmp(m.rounded) < 0 || p.tooWide(m.y) {
			*m = made{y: rounded, optimum: p.cost(f.y, 1), rounded: cost, witnesses: f.witnesses}
		}
	}
	if m.y == nil || p.tooWide(m.y) {
		return nil, nil
	}
	var err error
	if m.y, m.witnesses, err = s.o.narrow(limited, s.ends(), m.y, m.witnesses, s.trials()); err != nil {
		return nil, err
	}
	m.costs = p.cost(m.y, 1)
	return m, nil
}
