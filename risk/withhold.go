package risk

import (
	"cmp"
	"context"
	"maps"
	"math/bits"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/sets"
)

// maxWithheldColumns bounds the columns of Withhold, which examines all their sets: 2^16.
const maxWithheldColumns = 16

// A Withholding says what Withhold has to reach and what it may do for it.
type Withholding struct {
	Goal // K, L, E and T; no record is left out, and there is no hierarchical distance
	// Columns is the number of quasi-identifiers, which come first among the columns; 0: all. The others are sensitive
	// attributes; with Entity, the last column is instead the id of an entity: K then counts different entities instead
	// of records, and each record without id counts as one.
	Columns int
	Entity  bool
	Costs   []uint64 // cost of withholding a value, by quasi-identifier; nil: 1
	Kept    []bool   // quasi-identifiers in which nothing is withheld
	Nodes   int      // limit on the nodes of the exhaustive search, for tables of up to 64 records
	// Solve looks for a better solution and a better bound if that search did not finish and the program has at most
	// 200,000 pairs of class and group.
	Solve func(context.Context, *GroupProgram) (*GroupSolution, error)
}

// A Suppression is the result of Classes.Withhold: groups of records that reach the goal once the values of some
// columns are withheld (*) in all records of a group. A withheld value is treated as a value of its own: it equals only
// other withheld ones, whether withheld here or before, so k, l and t are those of the release as it stands.
type Suppression struct {
	Records uint64
	Left    uint64 // records left out for a missing quasi-identifier
	Cells   uint64 // number of values withheld that were not * before
	Cost    uint64 // what they cost
	// Bound is a lower bound on the cost of any choice: of a record, at least so much has to be withheld that, among
	// the records that then agree with it in the other columns, itself included, some subset reaches the goal.
	Bound    uint64
	Optimal  bool // it is proved that no choice costs less
	Nodes    int  // limit of the exhaustive search
	ByColumn []uint64
	Touched  uint64 // number of records with a value withheld
	groups   []*starGroup
	w        *withholding
}

// A starGroup is a set of records, given by their classes, and the columns that are withheld in them.
type starGroup struct {
	set    uint64
	member map[int]uint64 // records by class
	size   uint64
	// Set by see: one of its classes, −1 for none, and the columns in which its classes differ.
	one  int
	span uint64
}

// ErrUnreachable is the error for a table that misses a goal even when everything that may be withheld is.
var ErrUnreachable = i18n.New("risk: even with all values withheld that may be the goal is missed")

// Withhold looks for a release that reaches the goal of p at the least cost of withheld values. The problem is NP-hard
// (Meyerson and Williams, On the complexity of optimal k-anonymity, PODS 2004); Bound tells how far from the optimum
// the result may be, and small tables are searched exhaustively. If nothing that p allows reaches the goal, the error
// is ErrUnreachable; if ctx ends, it wraps ctx.Err(). Cost: 2^quasi-identifiers times the classes by all columns, and
// the search.
func (c *Classes) Withhold(ctx context.Context, m Missing, p Withholding) (*Suppression, error) {
	w, left, err := c.withholding(ctx, m, p)
	if err != nil {
		return nil, err
	}
	r := &Suppression{Records: w.records, Left: left, w: w}
	number, n := w.project(w.sets[len(w.sets)-1], w.order)
	if n == 0 || slices.ContainsFunc(w.lists(number, n, w.order), func(list []int) bool { return !w.meets(w.all(list)) }) {
		return nil, ErrUnreachable
	}
	if err := w.bound(r); err != nil {
		return nil, err
	}
	for _, draft := range w.drafts() {
		groups, err := draft()
		if err != nil {
			return nil, err
		}
		if groups == nil {
			continue
		}
		if groups = w.improve(groups); r.groups == nil || w.cost(groups) < w.cost(r.groups) {
			r.groups = groups
		}
	}
	if r.Optimal = w.cost(r.groups) == r.Bound; !r.Optimal {
		if err := w.search(r, p.Nodes); err != nil {
			return nil, err
		}
	}
	if !r.Optimal && p.Solve != nil {
		if err := w.solve(r, p.Solve); err != nil {
			return nil, err
		}
	}
	r.count()
	return r, nil
}

// A withholding is the state of one call of Withhold.
type withholding struct {
	ctx context.Context
	c   *Classes
	groupGoal
	m       int // number of quasi-identifiers
	kept    uint64
	weight  []uint64 // by set of columns: the cost of withholding them
	star    []uint64 // by class: the columns withheld before
	starred bool     // some columns were withheld before
	f       []uint64
	order   []int // classes that count, ordered by their values
	records uint64
	sets    []uint64 // sets of columns that may be withheld, cheapest first
	least   []uint64 // lower bound on the cost of each record of a class
	keys    *classKeys
}

// withholding checks the arguments and prepares a call; left is the number of records that do not count.
func (c *Classes) withholding(ctx context.Context, m Missing, p Withholding) (w *withholding, left uint64, err error) {
	if err := m.check(Own, Drop); err != nil {
		return nil, 0, err
	}
	w = &withholding{ctx: ctx, c: c, m: p.Columns, f: make([]uint64, c.t.n), least: make([]uint64, c.t.n), star: make([]uint64, c.t.n)}
	w.m = cmp.Or(w.m, c.t.w)
	switch {
	case w.m > maxWithheldColumns:
		return nil, 0, i18n.Errorf("risk: %d quasi-identifiers, want at most %d to withhold values in", w.m, maxWithheldColumns)
	case w.m < 0 || w.m > c.t.w || p.Entity && w.m == c.t.w || p.Costs != nil && len(p.Costs) != w.m || p.Kept != nil && len(p.Kept) != w.m:
		return nil, 0, errColumns
	}
	for k, kept := range p.Kept {
		if kept {
			w.kept |= 1 << k
		}
	}
	w.weight = make([]uint64, 1<<w.m)
	for set := range w.weight {
		for k := range w.m {
			if set>>k&1 == 1 && p.Costs == nil {
				w.weight[set]++
			} else if set>>k&1 == 1 {
				w.weight[set] += p.Costs[k]
			}
		}
		if s := uint64(set); s&w.kept == 0 {
			w.sets = append(w.sets, s)
		}
	}
	slices.SortFunc(w.sets, func(a, b uint64) int {
		return cmp.Or(cmp.Compare(w.weight[a], w.weight[b]), cmp.Compare(bits.OnesCount64(a), bits.OnesCount64(b)), cmp.Compare(a, b))
	})
	all := uint64(1)<<w.m - 1
	stars := c.patterns([]string{withheld})
	for g, missing := range c.patterns(m.Markers) {
		n := c.t.count(g)
		if missing &= all; m.Mode == Drop && missing != 0 || m.Mode == Suppressed && missing == all {
			left += n
			continue
		}
		w.f[g] = n
		w.records += n
		w.order = append(w.order, g)
		w.star[g] = stars[g] & all
		w.starred = w.starred || w.star[g] != 0
	}
	slices.SortFunc(w.order, c.compareTuples)
	w.keys = newClassKeys(c, w.m)
	return w, left, w.aim(p, m.Markers)
}

// of returns the cost of a record of class g if the columns of set are withheld.
func (w *withholding) of(set uint64, g int) uint64 { return w.weight[set&^w.star[g]] }

// lost returns the cost of a group if the columns of set are withheld.
func (w *withholding) lost(x *starGroup, set uint64) (n uint64) {
	if !w.starred {
		return x.size * w.weight[set]
	}
	for g, records := range x.member {
		n += records * w.of(set, g)
	}
	return n
}

// cost returns the total cost of groups.
func (w *withholding) cost(groups []*starGroup) (n uint64) {
	for _, x := range groups {
		n += w.lost(x, x.set)
	}
	return n
}

// lists divides the classes of list by their numbers, which are below n.
func (w *withholding) lists(number []int, n int, list []int) [][]int {
	by, all, end := make([][]int, n), make([]int, len(list)), make([]int, n+1)
	for _, c := range number {
		end[c+1]++
	}
	for c := range n {
		end[c+1] += end[c]
		by[c] = all[end[c]:end[c]:end[c+1]]
	}
	for i, g := range list {
		by[number[i]] = append(by[number[i]], g)
	}
	return by
}

// bound computes the lower bounds on the cost of each class.
func (w *withholding) bound(r *Suppression) error {
	const open = 1 << 63
	for _, g := range w.order {
		w.least[g] = open
	}
	for _, set := range w.sets {
		if err := w.ctx.Err(); err != nil {
			return parallel.Ended(w.ctx, err)
		}
		more := false
		for _, g := range w.order {
			more = more || w.least[g]+w.weight[w.star[g]] > w.weight[set]
		}
		if !more { // no class needs a dearer set
			break
		}
		number, n := w.project(set, w.order)
		for _, list := range w.lists(number, n, w.order) {
			if !w.could(list) {
				continue
			}
			for _, g := range list {
				w.least[g] = min(w.least[g], w.of(set, g))
			}
		}
	}
	for _, g := range w.order {
		r.Bound += w.f[g] * w.least[g]
	}
	return nil
}

// differ returns the columns in which members of groups differ.
func (w *withholding) differ(groups ...*starGroup) (set uint64) {
	first := -1
	for _, x := range groups {
		for g := range x.member {
			if first < 0 {
				first = g
			}
			set |= w.apart(first, g)
		}
	}
	return set
}

// apart returns the columns in which two classes differ.
func (w *withholding) apart(a, b int) (set uint64) {
	x, y := w.c.t.tuple(a)[:w.m], w.c.t.tuple(b)
	for k := range x {
		if x[k] != y[k] {
			set |= 1 << k
		}
	}
	return set
}

// improve moves classes to groups where they cost less, as long as both groups reach the goal, and withholds only
// columns that differ.
func (w *withholding) improve(groups []*starGroup) []*starGroup {
	const rounds = 20
	for range rounds {
		byKey, sets := map[string]*starGroup{}, map[uint64]bool{}
		for _, x := range groups {
			x.set = w.differ(x)
			for g := range x.member {
				byKey[w.key(x.set, g)] = x
				break
			}
			sets[x.set] = true
		}
		cheap := slices.SortedFunc(maps.Keys(sets), func(a, b uint64) int {
			return cmp.Or(cmp.Compare(w.weight[a], w.weight[b]), cmp.Compare(bits.OnesCount64(a), bits.OnesCount64(b)), cmp.Compare(a, b))
		})
		moved := false
		for _, x := range groups {
			for _, g := range slices.SortedFunc(maps.Keys(x.member), w.c.compareTuples) {
				n := x.member[g]
				if n = min(n, x.size-min(x.size, w.k)); n == 0 {
					continue
				}
				for _, set := range cheap {
					if w.weight[set] >= w.weight[x.set] {
						break
					}
					y := byKey[w.key(set, g)]
					if y == nil || y == x || w.of(set, g) >= w.of(x.set, g) {
						continue
					}
					x.move(y, g, n)
					if w.plain() || w.meets(maps.All(x.member)) && w.meets(maps.All(y.member)) {
						moved = true
						break
					}
					y.move(x, g, n)
				}
			}
			if len(groups) > 1<<12 { // one pass suffices for many groups
				break
			}
		}
		if !moved {
			break
		}
	}
	for _, x := range groups {
		x.set = w.differ(x)
	}
	return groups
}

// move moves n records of a class from x to y.
func (x *starGroup) move(y *starGroup, g int, n uint64) {
	x.size -= n
	if x.member[g] -= n; x.member[g] == 0 {
		delete(x.member, g)
	}
	y.member[g] += n
	y.size += n
}

// key identifies the values of a class outside a set of columns.
func (w *withholding) key(set uint64, g int) string {
	b := sets.List(8, func(k int) byte { return byte(set >> (8 * k)) })
	for k, id := range w.c.t.tuple(g)[:w.m] {
		if set>>k&1 == 0 {
			b = append(b, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
		}
	}
	return string(b)
}

// count computes the figures that follow from the groups.
func (r *Suppression) count() {
	r.ByColumn = make([]uint64, r.w.m)
	for _, x := range r.groups {
		for g, n := range x.member {
			set := x.set &^ r.w.star[g]
			for k := range r.ByColumn {
				r.ByColumn[k] += set >> k & 1 * n
			}
			if set != 0 {
				r.Touched += n
			}
		}
	}
	for _, n := range r.ByColumn {
		r.Cells += n
	}
	r.Cost = r.w.cost(r.groups)
	slices.SortFunc(r.groups, func(a, b *starGroup) int { return r.w.c.compareTuples(a.first(r.w.c), b.first(r.w.c)) })
}

// first returns the first class of a group in order of values.
func (x *starGroup) first(c *Classes) int {
	best := -1
	for g := range x.member {
		if best < 0 || c.compareTuples(g, best) < 0 {
			best = g
		}
	}
	return best
}
