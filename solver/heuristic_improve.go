package solver

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/sets"
)

// An improver makes a pattern cheaper by destroying and repairing: it removes a column together with the witnesses of
// all levels that use it, routes these levels anew at prices at which columns used by other levels are free, and keeps
// the result if it is cheaper. In every state each level has a witness, so the pattern is protected. This is large
// neighbourhood search (Shaw, Using constraint programming and local search methods to solve vehicle routing problems,
// CP 1998), continued from states whose cost exceeds the best by at most slacks, as in record-to-record travel (Dueck,
// Journal of Computational Physics 104, 1993).
type improver struct {
	*builder
	rng    *rand.Rand
	users  []int32   // by column: number of levels whose witness moves it
	set    []int32   // columns with users, in any order
	place  []int32   // index of each column in set, −1 if it is not there
	failed []int32   // by column: failed attempts to do without it
	gone   []int32   // columns removed in the current attempt
	old    []witness // the witnesses of the levels rerouted
	cost   int64
	later  float64 // work of runs after the first
	runs   int
	// slim is, by level, the witness known to be short.
	slim  []*oracle.Point
	share float64 // part of the separation's work that may be spent
}

func newImprover(b *builder, seed uint64) *improver {
	m := &improver{builder: b, rng: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)),
		users: make([]int32, len(b.p.cand)), place: make([]int32, len(b.p.cand)), share: improveShare, failed: make([]int32, len(b.p.cand)), slim: make([]*oracle.Point, len(b.p.levels))}
	for c := range m.place {
		m.place[c] = -1
	}
	return m
}

// use adds the witness of a level to the counts (by = 1) or removes it (by = −1).
func (m *improver) use(w witness, by int32) {
	for _, i := range w.cells {
		c := m.p.col[i]
		if c < 0 {
			continue
		}
		was := m.users[c]
		m.users[c] += by
		switch {
		case was == 0:
			m.cost += m.p.cost[c]
			m.place[c] = int32(len(m.set))
			m.set = append(m.set, c)
		case m.users[c] == 0:
			m.cost -= m.p.cost[c]
			last := m.set[len(m.set)-1]
			m.set[m.place[c]], m.place[last] = last, m.place[c]
			m.set, m.place[c] = m.set[:len(m.set)-1], -1
		}
	}
}

// adopt starts from the columns of set: it finds a witness within set for every level.
func (m *improver) adopt(ctx context.Context, set []bool) (ok bool, err error) {
	p := m.p
	pattern := p.pattern(set)
	for i := range p.n {
		m.weight[i] = 0
		if pattern[i] {
			m.weight[i] = 1
		}
	}
	// Witnesses from a clean-up move far more cells than needed, and a column that many levels use can hardly be
	// removed, so ask for short ones.
	for i := range p.n {
		m.price[i] = 0
		if c := p.col[i]; c >= 0 && !set[c] {
			m.price[i] = float64(p.cost[c]) + 1
		}
	}
	asked := false
	done := make([]bool, len(p.levels))
	for _, li := range m.order {
		if done[li] || m.slim[li] == m.wit[li].key() && m.wit[li].within(pattern) {
			continue
		}
		done[li] = true
		l := p.levels[li]
		w, ok, err := m.raise(ctx, l)
		if err != nil && !errors.Is(err, oracle.ErrRoute) {
			return false, err
		}
		if err != nil || !ok || !w.within(pattern) {
			if w = m.wit[li]; !w.within(pattern) {
				if w, ok = m.solutions.within(li, m.weight); !ok {
					if !asked {
						asked = true
						m.in.SetCapacities(p.up, p.dn, m.weight)
					}
					if w, ok, err = m.met(ctx, l); err != nil || !ok {
						return false, err
					}
				}
			}
		}
		m.keep(li, w, func(other int, w witness) {
			if !done[other] && w.within(pattern) {
				done[other] = true
				m.wit[other], m.slim[other] = w, w.key()
			}
		})
		m.slim[li] = w.key()
	}
	for _, c := range m.set {
		m.users[c], m.place[c] = 0, -1
	}
	m.set, m.cost = m.set[:0], 0
	for li := range p.levels {
		m.use(m.wit[li], 1)
	}
	return true, nil
}

// pick draws a column of the pattern, preferring dear ones and ones with few users.
func (m *improver) pick() int32 {
	best, value := int32(-1), -1.0
	for range 4 {
		c := m.set[m.rng.IntN(len(m.set))]
		if v := float64(m.p.cost[c]) / float64((1+m.users[c])*(1+m.failed[c])) * m.rng.Float64(); v > value {
			best, value = c, v
		}
	}
	return best
}

// improve works on set, which must be protected, until the budget of work is spent, and calls found with every cheaper
// set.
func (m *improver) improve(ctx context.Context, set []bool, budget float64, found func([]bool) error) error {
	start := m.router.Work()
	if ok, err := m.adopt(ctx, set); err != nil || !ok {
		return err
	}
	// The search also continues from attempts that cost a little more than the best pattern.
	best, reached := m.p.price(set), m.p.price(set)
	var out []bool
	var wit []witness
	note := func() {
		if m.cost < best {
			best = m.cost
			out = sets.Mask(len(m.users), m.set)
			wit = append(wit[:0], m.wit...)
			clear(m.failed)
		}
	}
	exchange := func() error {
		if best >= reached {
			return nil
		}
		reached = best
		return found(out)
	}
	note()
	slack := slacks[m.runs%len(slacks)]
	m.runs++
	var levels []int
	// Even an attempt served by the pool of solutions costs a pass over all cells and levels.
	own, each := 0.0, float64(m.p.n+4*len(m.p.levels))/20
	spent := func() float64 { return m.router.Work() - start + own }
	next := budget / 20
	for spent() < budget && len(m.set) > 0 {
		if err := ctx.Err(); err != nil {
			break
		}
		own += each
		levels = m.ruin(levels[:0])
		limit := max(m.cost, best+int64(float64(best)*slack*m.rng.Float64()))
		ok, err := m.attempt(ctx, levels, limit)
		if err != nil {
			return err
		}
		if ok {
			note()
		} else {
			for _, c := range m.gone {
				m.failed[c]++
			}
		}
		if s := spent(); s >= next {
			next = s + budget/20
			if err = exchange(); err != nil {
				return err
			}
		}
	}
	if err := exchange(); err != nil || ctx.Err() != nil {
		return cmp.Or(err, context.Cause(ctx))
	}
	if out == nil {
		return nil
	}
	copy(m.wit, wit)
	out = slices.Clone(out)
	err := m.clean(ctx, out, budget)
	if m.p.price(out) < best && (err == nil || ctx.Err() != nil) {
		err = cmp.Or(found(out), err)
	}
	return err
}

// attempt routes levels anew; if that fails or the pattern then costs more than limit, everything is restored. Errors
// are returned only while ctx is alive.
func (m *improver) attempt(ctx context.Context, levels []int, limit int64) (bool, error) {
	m.old = m.old[:0]
	for _, li := range levels {
		m.old = append(m.old, m.wit[li])
		m.use(m.wit[li], -1)
	}
	ok, err := m.repair(ctx, levels, limit)
	if err == nil && ok && m.cost <= limit {
		return true, nil
	}
	for t, li := range levels {
		if m.wit[li].cells != nil {
			m.use(m.wit[li], -1)
		}
		m.wit[li] = m.old[t]
		m.use(m.old[t], 1)
	}
	if ctx.Err() != nil {
		err = nil
	}
	return false, err
}

// ruin sets the prices for one attempt and returns the levels to route anew, in order.
func (m *improver) ruin(levels []int) []int {
	m.gone = append(m.gone[:0], m.pick())
	for len(m.gone) < 6 && m.rng.IntN(2) == 0 {
		m.gone = append(m.gone, m.pick())
	}
	levels = m.ban(levels)
	m.rng.Shuffle(len(levels), func(a, b int) { levels[a], levels[b] = levels[b], levels[a] })
	return levels
}

// ban sets the prices for an attempt without the columns gone and returns the levels that use them.
func (m *improver) ban(levels []int) []int {
	p := m.p
	for c := range p.cand {
		m.pay(int32(c), float64(p.cost[c])+1e-6)
	}
	for _, c := range m.gone {
		m.pay(c, 3*m.price[p.cand[c]])
	}
	for li := range p.levels {
		for _, c := range m.gone {
			if p.uses(m.wit[li], c) {
				levels = append(levels, li)
				break
			}
		}
	}
	return levels
}

// pay sets the price of the cells of column c.
func (m *improver) pay(c int32, price float64) {
	for i := int(m.p.cand[c]); i < m.p.n; i += m.p.m {
		m.price[i] = price
	}
}

// repair finds new witnesses for the levels, which have lost theirs. It gives up as soon as the pattern costs more than
// limit.
func (m *improver) repair(ctx context.Context, levels []int, limit int64) (bool, error) {
	p := m.p
	noisy := m.rng.IntN(2) == 0
	for c, i := range p.cand {
		if m.users[c] > 0 {
			m.pay(int32(c), 0)
		} else if noisy {
			m.pay(int32(c), m.price[i]*(0.7+float64(0.6*m.rng.Float64())))
		}
	}
	for _, li := range levels {
		m.wit[li] = witness{}
	}
	for _, li := range levels {
		best, sum := m.solutions.cheapest(li, m.price)
		if best.cells == nil || sum > 0 {
			w, ok, err := m.raise(ctx, p.levels[li])
			if err != nil && !errors.Is(err, oracle.ErrRoute) {
				return false, err
			}
			if err == nil && ok {
				m.solutions.keepAll(li, w, nil)
				if best.cells == nil || m.sum(w.cells) < sum {
					best = w
				}
			}
		}
		if best.cells == nil {
			return false, nil
		}
		m.wit[li], m.slim[li] = best, best.key()
		m.use(best, 1)
		for _, i := range best.cells {
			if c := p.col[i]; c >= 0 {
				m.pay(c, 0)
			}
		}
		if m.cost > limit {
			return false, nil
		}
	}
	return true, nil
}

// improve applies the improver to the incumbent, with the given budget of work or, if that is 0, an amount in
// proportion to the work of separation.
func (s *search) improve(ctx context.Context, budget float64) error {
	if s.best == nil || s.p.off.improve || s.upper == 0 || s.upper <= s.bound {
		return nil
	}
	if s.imp == nil {
		s.imp = newImprover(s.b, s.opt.Seed)
	}
	if budget == 0 {
		due := s.sep.work()
		if budget = float64(due*s.imp.share) - s.imp.later; budget < improveSlice {
			return nil
		}
		s.imp.later += budget
	}
	before := s.upper
	err := s.imp.improve(ctx, s.best, budget, func(set []bool) error {
		_, err := s.offer(ctx, set)
		return err
	})
	if s.upper < before {
		s.imp.share = improveShare
	} else if s.imp.share > improveLeast {
		s.imp.share /= 2
		s.imp.later /= 2 // wait for as much work again before the next run
	}
	return err
}
