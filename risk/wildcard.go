package risk

import (
	"context"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
)

// errWildcards is the error for more than maxCompatible steps.
var errWildcards = i18n.New("risk: too many records are compatible with each other for wildcards; fewer quasi-identifiers, or missing values as own or drop, can be measured")

// A meeting relates the classes of two patterns of missing columns, by their values in the columns that are missing in
// neither.
type meeting struct {
	columns []int
	t       *tally
	classes []int
	at      []uint32 // by class: its number in t
}

// number returns the number of the values of a class, −1 if no class of the other pattern has them.
func (m *meeting) number(c *Classes, g int) int {
	tuple := make([]uint32, len(m.columns))
	return m.t.find(c.onto(m.columns, g, tuple))
}

// onto stores a class's values of some columns in tuple.
func (c *Classes) onto(columns []int, g int, tuple []uint32) []uint32 {
	row := c.t.tuple(g)
	for n, k := range columns {
		tuple[n] = row[k]
	}
	return tuple
}

// meetings calls f for every pattern of missing columns that occurs, with its classes and its meetings with every
// pattern, including itself. Classes with the same number in a meeting are compatible. Cost: the number of patterns
// times that of classes. If ctx ends, the error wraps ctx.Err().
func (c *Classes) meetings(ctx context.Context, pattern []uint64, f func(classes []int, m []*meeting) error) error {
	patterns, of := byPattern(pattern)
	if len(patterns) > maxCompatible/max(1, len(pattern)) {
		return errWildcards
	}
	for _, p := range patterns {
		var all []*meeting
		for _, q := range patterns {
			if err := ctx.Err(); err != nil {
				return parallel.Ended(ctx, err)
			}
			m := &meeting{classes: of[q]}
			for k := range c.t.w {
				if (p|q)>>k&1 == 0 {
					m.columns = append(m.columns, k)
				}
			}
			m.t = newTally(len(m.columns))
			tuple := make([]uint32, len(m.columns))
			for _, g := range m.classes {
				m.at = append(m.at, uint32(m.t.add(c.onto(m.columns, g, tuple), 1)))
			}
			all = append(all, m)
		}
		if err := f(of[p], all); err != nil {
			return err
		}
	}
	return nil
}

// A march counts steps of work that may take long.
type march struct {
	ctx   context.Context
	steps uint64
}

// on adds n steps. It fails if ctx has ended, and beyond maxCompatible steps.
func (w *march) on(n int) error {
	before := w.steps
	w.steps += uint64(n) + 1
	if w.steps > maxCompatible {
		return errWildcards
	}
	if before>>16 != w.steps>>16 && w.ctx.Err() != nil {
		return parallel.Ended(w.ctx, w.ctx.Err())
	}
	return nil
}

// byFirst sorts the groups of a tally by the first number of their tuples, which is below n: those with number x are
// order[from[x]:from[x+1]].
func (t *tally) byFirst(n int) (from, order []uint32) {
	from = make([]uint32, n+1)
	for p := range t.n {
		from[t.tuple(p)[0]+1]++
	}
	for g := range n {
		from[g+1] += from[g]
	}
	order = make([]uint32, t.n)
	at := slices.Clone(from)
	for p := range t.n {
		g := t.tuple(p)[0]
		order[at[g]] = uint32(p)
		at[g]++
	}
	return from, order
}

// byCompatible is byClass with missing values as wildcards: the counts of a class are those of all records compatible
// with it. It adds up once for each meeting, so the cost is at most patterns × classes × values.
func (s *Sensitive) byCompatible(ctx context.Context, a int, pattern []uint64, ignore []uint32, f func(g int, counts []valueCount)) error {
	t := s.pairs[a]
	from, order := t.byFirst(s.t.n)
	w := &march{ctx: ctx}
	place := map[uint32]int{} // index of each value in counts
	var counts []valueCount
	return s.meetings(ctx, pattern, func(classes []int, m []*meeting) error {
		sums, starts, orders := make([]*tally, len(m)), make([][]uint32, len(m)), make([][]uint32, len(m))
		for i, x := range m {
			sums[i] = newTally(2)
			for n, g := range x.classes {
				for _, p := range order[from[g]:from[g+1]] {
					if id := t.tuple(int(p))[1]; !slices.Contains(ignore, id) {
						sums[i].add([]uint32{x.at[n], id}, t.count(int(p)))
					}
				}
				if err := w.on(int(from[g+1] - from[g])); err != nil {
					return err
				}
			}
			starts[i], orders[i] = sums[i].byFirst(x.t.n)
		}
		for _, g := range classes {
			clear(place)
			counts = counts[:0]
			for i, x := range m {
				k := x.number(&s.Classes, g)
				if k < 0 {
					continue
				}
				list := orders[i][starts[i][k]:starts[i][k+1]]
				if err := w.on(len(list)); err != nil {
					return err
				}
				for _, p := range list {
					id := sums[i].tuple(int(p))[1]
					at, ok := place[id]
					if !ok {
						at = len(counts)
						place[id] = at
						counts = append(counts, valueCount{id: id})
					}
					counts[at].n += sums[i].count(int(p))
				}
			}
			f(g, counts)
		}
		return nil
	})
}
