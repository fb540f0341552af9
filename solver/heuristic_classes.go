package solver

import (
	"context"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/work"
)

// classes returns the cleaner by classes, made at first use, for tables with deep trees, many columns and a kernel that
// is small compared with its image; nil for other tables.
func (s *search) classes(ctx context.Context) (*seriesCleaner, error) {
	if !s.slow || s.p.off.series {
		return nil, nil
	}
	if !s.seriesAsked {
		s.seriesAsked = true
		var err error
		if s.series, err = newSeriesCleaner(ctx, s.b, s.opt.Seed); err != nil {
			return nil, err
		}
	}
	return s.series, nil
}

// cleanClasses cleans set by classes and finds witnesses within the rest. If rounding errors leave a level without one,
// set is restored.
func (s *search) cleanClasses(ctx context.Context, by *seriesCleaner, set []bool) error {
	before := slices.Clone(set)
	if err := by.clean(ctx, set, s.sampling().rng); err != nil {
		return err
	}
	ok, err := s.b.show(ctx, set)
	if !ok && err == nil {
		copy(set, before)
		_, err = s.b.show(ctx, set)
	}
	return err
}

// show finds a witness within set for every level; if one has none, ok is false and some levels may be left without a
// witness.
func (b *builder) show(ctx context.Context, set []bool) (ok bool, err error) {
	pattern := b.p.pattern(set)
	b.weigh(set)
	for _, li := range b.order {
		if b.wit[li].within(pattern) {
			continue
		}
		w, ok := b.solutions.within(li, b.weight)
		if !ok {
			if w, ok, err = b.met(ctx, b.p.levels[li]); !ok || err != nil {
				return false, err
			}
			b.solutions.keepAll(li, w, nil)
		}
		b.wit[li] = w
	}
	return true, nil
}

// constructClasses finds a first pattern by cleaning the set of all cells that may be withheld. ok is false if there is
// no cleaner by classes, if it would take long, or if some level is not met even by all cells, which the builder has to
// confirm.
func (s *search) constructClasses(ctx context.Context) (ok bool, err error) {
	by, err := s.classes(s.grace)
	if by == nil || err != nil || by.long() {
		return false, err
	}
	// Stopped too early, it would leave all cells withheld, the dearest pattern there is.
	if limit := s.opt.TimeLimit; limit > 0 && !s.opt.Punctual {
		var cancel context.CancelFunc
		ctx, cancel = work.Limited(s.grace, s.began, limit+work.Grace/2)
		defer cancel()
	}
	set := slices.Repeat([]bool{true}, len(s.p.cand))
	if ok, err = s.b.show(s.grace, set); !ok || err != nil {
		return false, err
	}
	// If a deadline stopped it, what it has is still useful.
	if err = s.cleanClasses(ctx, by, set); err != nil && ctx.Err() == nil {
		return false, err
	}
	if _, late := s.offer(s.grace, set); err == nil {
		err = late
	}
	return s.best != nil, err
}

// varyFor varies the pattern until the work due, in proportion to that of separation, is done.
func (s *search) varyFor(ctx context.Context, by *seriesCleaner, due float64) error {
	d := s.sampling()
	if d.set == nil {
		d.share = varyShare
	}
	for float64(due*d.share)-d.spent >= d.cost && s.samples() {
		before, least := s.b.work()+by.work, d.least
		if err := s.vary(ctx, by); err != nil {
			return err
		}
		d.cost = s.b.work() + by.work - before
		d.spent += d.cost
		if d.least < least {
			d.share = varyShare
		} else if d.share > varyLeast {
			d.share *= varyFall
			d.spent *= varyFall
		}
	}
	return nil
}

// offerShown offers set, if every level has a witness within it.
func (s *search) offerShown(ctx context.Context, set []bool) error {
	ok, err := s.b.show(ctx, set)
	if ok && err == nil {
		_, err = s.offer(ctx, set)
	}
	return err
}

// vary adds to the current pattern the columns that give some further dimensions most cheaply (seriesCleaner.widen) and
// cleans it by classes, beginning with a column drawn with probability in proportion to its cost; columns added at
// random or near one another can hardly ever move. A variation that is a little dearer may still be the start of the
// next: iterated local search (Lourenço, Martin and Stützle, Handbook of Metaheuristics, 2003) with reverse delete as
// the local search. The results of such chains of variations differ by several per cent, so in time another chain
// begins (see chains.begin).
func (s *search) vary(ctx context.Context, by *seriesCleaner) error {
	d, p := s.sampling(), s.p
	if d.set == nil || s.upper < d.least {
		d.set, d.at, d.least, d.dims = append(d.set[:0], s.best...), s.upper, s.upper, by.dims(s.best)
		d.chain = chain{least: s.upper, set: s.best, found: d.chain.found + d.chain.vain}
	}
	set, anew := slices.Clone(d.set), d.chain.over()
	if anew {
		if last := d.chain; last.least < s.upper { // by less than varyOffered
			if err := s.offerShown(ctx, last.set); err != nil {
				return err
			}
		}
		by.draw(d.ended.begin(set, d.chain, d.rng), d.rng)
		by.restrict(set)
		d.chain, d.at = chain{least: math.MaxInt64}, math.MaxInt64
	} else {
		by.draw(varyOthers[d.rng.IntN(len(varyOthers))], d.rng)
		by.widen(set, d.dims, varyMore[d.rng.IntN(len(varyMore))])
		by.draw(varyOrder[d.rng.IntN(len(varyOrder))], d.rng)
		if c := d.centre(p); d.rng.Float64() < varyFirst {
			by.key[c] = math.Inf(1)
		}
	}
	if err := by.reduce(ctx, set); err != nil {
		if anew {
			d.set = nil
		}
		return err
	}
	cost := p.price(set)
	d.chain.note(cost, set)
	if !anew && float64(cost) > float64(d.at)+float64(varySlack*float64(s.upper)*d.rng.ExpFloat64()) {
		return nil
	}
	copy(d.set, set)
	d.at, d.least, d.dims = cost, min(d.least, cost), by.space.Dims()
	if float64(cost) > varyOffered*float64(s.upper) {
		return nil
	}
	err := s.offerShown(ctx, set)
	if err == nil && s.upper > cost {
		d.set = nil // it was not protected: restart from the incumbent
	}
	return err
}

// centre draws a column of the current pattern, with probabilities in proportion to costs.
func (d *sampler) centre(p *problem) int32 {
	at := d.rng.Float64() * float64(d.at)
	last := int32(0)
	for c, in := range d.set {
		if in {
			last = int32(c)
			if at -= float64(p.cost[c]); at < 0 {
				break
			}
		}
	}
	return last
}
