package partial

import (
	"context"

	"github.com/hitoku/hitoku/internal/sets"
)

const (
	// spreadShare is the amount added to capacities, as a share of a typical level.
	spreadShare = 1e-2
	// share is the position, between the master's optimum and the best intervals known, of the point at which the
	// oracle is asked first (in-out separation: Ben-Ameur and Neto, Acceleration of cutting-plane and column generation
	// algorithms, Networks 49(1), 2007).
	share = 0.8
	// patience is the number of rounds of cutting planes after which the program of a table that is not a network is
	// solved in full.
	patience = 8
)

// relax solves the linear program by cutting planes, pausing if that takes long.
func (s *search) relax(ctx context.Context) error {
	n, err := s.m.add(s.o.first())
	if err != nil {
		return err
	}
	s.found += n
	if s.o.near != nil {
		if err := s.lay(s.course.beyond); err != nil {
			return err
		}
	}
	for tried := false; ; {
		if err := s.m.purge(); err != nil {
			return err
		}
		if err := s.m.solve(ctx); err != nil {
			return err
		}
		s.rounds++
		if err := s.pause(ctx); err != nil {
			return err
		}
		if !tried && s.p.most == nil && !s.p.sys.IsNetwork() && (s.rounds > patience || s.o.near != nil) {
			tried = true
			if done, err := s.split(ctx); done || err != nil {
				s.solved, s.ended = done, done
				return err
			}
			if s.o.near != nil && s.full { // cutting planes make no progress in reasonable time
				return nil
			}
		}
		if s.hat != nil && s.closed() {
			if done, err := s.confirm(ctx); done || err != nil {
				s.solved, s.ended = true, true
				return err
			}
		}
		added, unmet, err := s.cut(ctx)
		if err != nil {
			return err
		}
		s.found += added
		s.tell(unmet)
		if added == 0 {
			s.solved = true
			return nil
		}
	}
}

// A way is a way of asking the oracle; ways are tried in turn until one finds cuts.
type way struct {
	shards []*shard
	inner  bool    // at a point between the optimum and the best intervals
	more   float64 // amount added to capacities
	all    bool    // ask for all levels
}

func (s *search) ways() []way {
	ε := spreadShare * s.p.typicalLevel()
	var w []way
	if s.o.near != nil {
		w = append(w, way{s.o.near, true, ε, false}, way{s.o.near, false, ε, false})
	}
	return append(w, way{s.o.shards, true, ε, true}, way{s.o.shards, false, ε, false}, way{s.o.shards, false, ε, true}, way{s.o.shards, false, 0, true})
}

// cut adds cuts that the optimum of the master violates.
func (s *search) cut(ctx context.Context) (added, unmet int, err error) {
	for _, way := range s.ways() {
		y := s.m.y
		if way.inner {
			if s.hat == nil {
				continue
			}
			y = s.between()
		}
		s.o.spread(y, way.more)
		cuts, missed, err := s.o.ask(ctx, way.shards, way.all)
		if err != nil {
			return 0, 0, err
		}
		fresh := sets.Where(cuts, func(c *cut) bool { return c.misses(s.m.y) > levelTol })
		if added, err = s.m.add(fresh); err != nil {
			return 0, 0, err
		}
		unmet = len(missed)
		if (way.all || s.hat == nil) && s.o.near == nil { // otherwise finding a movement takes too long
			if err := s.improve(ctx, y, missed); err != nil {
				return 0, 0, err
			}
		}
		if added > 0 {
			break
		}
	}
	return added, unmet, nil
}

// between returns the point at which the oracle is asked first.
func (s *search) between() []float64 {
	y := make([]float64, len(s.hat))
	for j := range y {
		y[j] = float64(share*s.m.y[j]) + float64((1-share)*s.hat[j])
	}
	return y
}

// improve widens y, which misses some levels, to intervals that protect, and keeps them if they are better.
func (s *search) improve(ctx context.Context, y []float64, missed []miss) error {
	if err := s.open(); err != nil {
		return err
	}
	try := append([]float64(nil), y...)
	ok, err := s.w.all(ctx, try, missed)
	if err != nil || !ok {
		return err
	}
	s.take(try)
	return nil
}

// open creates the widener at first use.
func (s *search) open() (err error) {
	if s.w == nil {
		s.w, err = newWidener(s.p, s.m)
	}
	return err
}

// confirm checks every level at the best intervals and widens them for levels missed. done reports whether they are
// still good enough.
func (s *search) confirm(ctx context.Context) (done bool, err error) {
	for range 10 {
		s.o.spread(s.hat, 0)
		_, missed, err := s.o.ask(ctx, s.o.shards, true)
		if err != nil {
			return false, err
		}
		if len(missed) == 0 {
			return s.closed(), nil
		}
		if err := s.open(); err != nil {
			return false, err
		}
		ok, err := s.w.all(ctx, s.hat, missed)
		if err != nil || !ok {
			return false, err
		}
		s.paid = s.m.price(s.hat)
	}
	return false, nil
}
