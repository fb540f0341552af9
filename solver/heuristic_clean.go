package solver

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// clean drops superfluous columns of set, dearest first, until its budget of the intruder's work is spent; work is
// counted, not timed, so the pattern does not depend on the machine. Every level keeps a witness, so dropping a column
// concerns only the levels whose witness moves it, and a failure gives a cut that saves asking again.
//
// In tables with deep trees witnesses move most cells of a large set, so dropping a column concerns most levels. There
// several columns are dropped at once, twice as many after each success and half as many after a failure. The result is
// the same as dropping one by one: subsets of a failing pattern fail, so columns that can be dropped together can be
// dropped one by one, and a column that a cut needs once earlier ones are gone is needed for good. In other tables
// witnesses are short, and the cuts found this way would only lengthen the search.
func (b *builder) clean(ctx context.Context, set []bool, budget float64) error {
	copy(set, b.used(set))
	return b.cleanAll(ctx, set, budget, nil)
}

// used returns the columns of set that witnesses move; all others can be dropped.
func (b *builder) used(set []bool) []bool {
	used := make([]bool, len(set))
	for _, w := range b.wit {
		for _, i := range w.cells {
			if c := b.p.col[i]; c >= 0 {
				used[c] = set[c]
			}
		}
	}
	return used
}

// cleanAll is clean without first dropping the columns that no witness moves. each, if not nil, is called from time to
// time with the columns left.
func (b *builder) cleanAll(ctx context.Context, set []bool, budget float64, each func(set []bool) error) error {
	p := b.p
	defer func() { copy(set, b.used(set)) }()
	shown := p.price(b.used(set))
	var order []int32
	for c, in := range set {
		if in {
			order = append(order, int32(c))
		}
	}
	slices.SortStableFunc(order, func(x, y int32) int { return cmp.Or(cmp.Compare(p.cost[y], p.cost[x]), int(y-x)) })
	b.weigh(set)
	// A level may have a witness within the set that spares a column.
	guard := newGuard(b.pool, set)
	budget += b.in.Work()
	fresh := map[int]witness{}
	most, done := 1, 0
	b.failed = b.failed[:0]
	var batch []int32
	for len(order) > 0 && b.in.Work() < budget {
		var rest []int32
		batch, rest = guard.batch(order, most, batch[:0])
		for _, c := range batch {
			b.reweigh(c, 0)
		}
		ok, err := len(batch) == 0, error(nil)
		if !ok {
			ok, err = b.without(ctx, batch, fresh, guard, set)
		}
		if err != nil {
			return err
		}
		if !ok {
			for _, c := range batch {
				b.reweigh(c, 1)
			}
			if len(batch) == 1 {
				order = rest
			}
			most = max(1, len(batch)/2)
			continue
		}
		order = rest
		if b.together {
			most = min(2*most, cleanMost)
		}
		for _, c := range batch {
			set[c] = false
			guard.drop(c)
		}
		for li, w := range fresh {
			b.wit[li] = w
		}
		if done++; each == nil || done%cleanEvery != 0 {
			continue
		}
		if left := b.used(set); float64(p.price(left)) <= cleanShown*float64(shown) {
			shown = p.price(left)
			if err := each(left); err != nil {
				return err
			}
		}
	}
	return nil
}

// weigh sets the weights of the given cells and those of set to 1, of all others to 0.
func (b *builder) weigh(set []bool) {
	p := b.p
	for i := range p.n {
		b.weight[i] = 0
		if c := p.col[i]; p.given[i] || c >= 0 && set[c] {
			b.weight[i] = 1
		}
	}
	b.in.SetCapacities(p.up, p.dn, b.weight)
}

// reweigh sets the weight of the cells of column c to w.
func (b *builder) reweigh(c int32, w float64) {
	for i := int(b.p.cand[c]); i < b.p.n; i += b.p.m {
		b.in.SetWeight(i, w)
	}
}

// without finds new witnesses for all levels that use cells of the columns, whose weight is now 0. On failure the dual
// that proves it becomes a cut.
func (b *builder) without(ctx context.Context, columns []int32, fresh map[int]witness, guard *guard, set []bool) (bool, error) {
	p := b.p
	clear(fresh)
	for t, li := range slices.Concat(b.failed, b.order) {
		if !slices.ContainsFunc(columns, func(c int32) bool { return p.uses(b.wit[li], c) }) {
			continue
		}
		if _, done := fresh[li]; done {
			continue
		}
		l := p.levels[li]
		w, ok := b.solutions.within(li, b.weight)
		if ok {
			fresh[li] = w
			continue
		}
		w, ok, err := b.met(ctx, l)
		if err != nil {
			return false, err
		}
		if !ok {
			if b.together {
				b.remember(li, t)
			}
			if l.Side != width {
				for _, d := range b.in.Duals() {
					if cut := b.q.capacity(d, int(l.Side), l.RHS, capacityCut); cut != nil {
						guard.add(cut, set)
					}
				}
			}
			return false, nil
		}
		fresh[li] = w
		b.solutions.keepAll(li, w, nil)
	}
	return true, nil
}

// remember moves level li, at index t of failed, to its front: the next failure often is a recent one.
func (b *builder) remember(li, t int) {
	if t >= len(b.failed) {
		t = min(len(b.failed), failedFirst-1)
		b.failed = append(b.failed[:t], li)
	}
	copy(b.failed[1:t+1], b.failed[:t])
	b.failed[0] = li
}

// A guard tells without solving a program that a column cannot be dropped: it keeps the activity Σ val·x of a pool's
// cuts at the current set.
type guard struct {
	pool  *pool
	slack []float64 // by cut: activity − rhs
}

func newGuard(pool *pool, set []bool) *guard {
	g := &guard{pool, make([]float64, len(pool.cuts))}
	for k, c := range pool.cuts {
		if g.slack[k] = -c.rhs; c.mixed {
			g.slack[k] = math.Inf(1)
		}
	}
	for c, in := range set {
		if in {
			g.move(int32(c), 1)
		}
	}
	return g
}

// add adds c to the pool and the guard.
func (g *guard) add(c *cut, set []bool) {
	if _, isNew := g.pool.add(c); !isNew {
		return
	}
	s := -c.rhs
	for t, j := range c.idx {
		if set[j] {
			s += c.val[t]
		}
	}
	g.slack = append(g.slack, s)
}

// needs reports whether some cut would be violated without column c.
func (g *guard) needs(c int32) bool {
	return slices.ContainsFunc(g.pool.cols[c], func(e entry) bool { return g.slack[e.cut] < e.val-slackTol })
}

// batch appends to batch the first columns of order, up to most, that the cuts allow to be dropped together, and
// returns the remaining columns. Columns passed over are needed once the batch is dropped.
func (g *guard) batch(order []int32, most int, batch []int32) (columns, rest []int32) {
	for _, c := range order {
		if len(batch) == most {
			break
		}
		order = order[1:]
		if !g.needs(c) {
			g.drop(c)
			batch = append(batch, c)
		}
	}
	for _, c := range batch {
		g.move(c, 1)
	}
	return batch, order
}

func (g *guard) drop(c int32) { g.move(c, -1) }

// move adds by times the coefficients of column c to the activities.
func (g *guard) move(c int32, by float64) {
	for _, e := range g.pool.cols[c] {
		g.slack[e.cut] += float64(by * e.val)
	}
}
