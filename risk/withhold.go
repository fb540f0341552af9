package risk

import (
	"cmp"
	"context"
	"maps"
	"math/bits"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
)

// maxWithheldColumns bounds the sets of columns that Withhold goes through, 2^16.
const maxWithheldColumns = 16

// A Suppression is the result of Classes.Withhold: groups of at least k records that are alike once, in all records of a group, the values of some
// columns are withheld (*). A withheld value is one like others: it matches nothing but a withheld one, so that k is that of the
// release as it stands.
type Suppression struct {
	K       uint64
	Records uint64
	Left    uint64 // records with a missing quasi-identifier that were left out
	Cells   uint64 // values withheld
	// Bound is a number of values below which no choice gets: in a record at least as many values have to be withheld as it takes for k
	// records, itself among them, to agree in the others.
	Bound    uint64
	Optimal  bool // it is proved that no choice withholds fewer values
	Nodes    int  // limit of the exact search
	ByColumn []uint64
	Touched  uint64 // records with a value withheld
	groups   []*starGroup
	c        *Classes
}

// A starGroup is records of classes with the columns that are withheld in them.
type starGroup struct {
	set    uint64
	member map[int]uint64 // records by class
	size   uint64
}

// ErrTooFew is the error of a table of fewer records than k.
var ErrTooFew = i18n.New("risk: fewer records than k")

// Withhold looks for a release in which every record agrees with k−1 others and as few values as possible are withheld. The problem is hard (Meyerson
// and Williams, On the complexity of optimal k-anonymity, PODS 2004); Bound says how far from the least the result can be, and small tables are searched in full, through at
// most nodes nodes. Cost: 2^columns times the classes, and the search. Where ctx ends the error wraps its own.
func (c *Classes) Withhold(ctx context.Context, m Missing, k uint64, nodes int) (*Suppression, error) {
	return c.WithholdBy(ctx, m, k, nodes, nil)
}

// WithholdBy is Withhold that lets solve look for a better solution, and for a better bound, where the search has not come to its end and the program has no more than
// 200,000 pairs of class and group.
func (c *Classes) WithholdBy(ctx context.Context, m Missing, k uint64, nodes int, solve func(context.Context, *GroupProgram) (*GroupSolution, error)) (*Suppression, error) {
	if err := m.check(Own, Drop); err != nil {
		return nil, err
	}
	if c.t.w > maxWithheldColumns {
		return nil, i18n.Errorf("risk: %d quasi-identifiers, want at most %d to withhold values in", c.t.w, maxWithheldColumns)
	}
	f, missing, err := c.frequencies(ctx, m)
	if err != nil {
		return nil, err
	}
	w := &withholding{ctx: ctx, c: c, k: k, f: f, least: make([]int, c.t.n)}
	for g := range f {
		if f[g] > 0 {
			w.order = append(w.order, g)
			w.records += f[g]
		}
	}
	slices.SortFunc(w.order, c.compareTuples)
	if w.records < k {
		return nil, ErrTooFew
	}
	for size := range c.t.w + 1 {
		w.sets = append(w.sets, setsOf(c.t.w, size)...)
	}
	r := &Suppression{K: k, Records: w.records, Left: missing.excluded, c: c}
	if err := w.bound(r); err != nil {
		return nil, err
	}
	for _, borrow := range []bool{false, true} {
		groups, err := w.greedy(borrow)
		if err != nil {
			return nil, err
		}
		if groups = w.improve(groups); r.groups == nil || cells(groups) < cells(r.groups) {
			r.groups = groups
		}
	}
	if r.Optimal = cells(r.groups) == r.Bound; !r.Optimal {
		if err := w.search(r, nodes); err != nil {
			return nil, err
		}
	}
	if !r.Optimal && solve != nil {
		if err := w.solve(r, solve); err != nil {
			return nil, err
		}
	}
	r.count()
	return r, nil
}

// cells is how many values groups withhold.
func cells(groups []*starGroup) (n uint64) {
	for _, x := range groups {
		n += x.size * uint64(bits.OnesCount64(x.set))
	}
	return n
}

// setsOf returns the sets of a number of m columns, ascending.
func setsOf(m, size int) (sets []uint64) {
	for set := range uint64(1) << m {
		if bits.OnesCount64(set) == size {
			sets = append(sets, set)
		}
	}
	return sets
}

// A withholding is one call of Withhold.
type withholding struct {
	ctx     context.Context
	c       *Classes
	k       uint64
	f       []uint64
	order   []int // classes that count, by their values
	records uint64
	sets    []uint64 // sets of columns, smaller ones first
	least   []int    // values that each record of a class has to lose
}

// project numbers classes by their values outside set: of each class of list the number, and how many there are.
func (w *withholding) project(set uint64, list []int) (number []int, n int) {
	t := newTally(w.c.t.w - bits.OnesCount64(set))
	var ids []uint32
	for _, g := range list {
		ids = ids[:0]
		for k, id := range w.c.t.tuple(g) {
			if set>>k&1 == 0 {
				ids = append(ids, id)
			}
		}
		number = append(number, t.add(ids, 1))
	}
	return number, t.n
}

// bound computes what each class has to lose.
func (w *withholding) bound(r *Suppression) error {
	open := len(w.order)
	done := make([]bool, w.c.t.n)
	for _, set := range w.sets {
		if open == 0 {
			break
		}
		if err := w.ctx.Err(); err != nil {
			return parallel.Ended(w.ctx, err)
		}
		number, n := w.project(set, w.order)
		sum := make([]uint64, n)
		for i, g := range w.order {
			sum[number[i]] += w.f[g]
		}
		for i, g := range w.order {
			if !done[g] && sum[number[i]] >= w.k {
				done[g], w.least[g] = true, bits.OnesCount64(set)
				r.Bound += w.f[g] * uint64(w.least[g])
				open--
			}
		}
	}
	return nil
}

// greedy makes groups of what agrees outside ever larger sets of columns. With borrow classes of more than k records lend some where that costs
// less than another value of the others.
func (w *withholding) greedy(borrow bool) ([]*starGroup, error) {
	var groups []*starGroup
	left, spare := map[int]uint64{}, map[int]uint64{}
	lender := map[int]*starGroup{}
	for _, g := range w.order {
		if w.f[g] >= w.k {
			lender[g] = &starGroup{member: map[int]uint64{g: w.f[g]}, size: w.f[g]}
			groups = append(groups, lender[g])
			spare[g] = w.f[g] - w.k
		} else {
			left[g] = w.f[g]
		}
	}
	for _, set := range w.sets[1:] {
		if len(left) == 0 {
			return groups, nil
		}
		if err := w.ctx.Err(); err != nil {
			return nil, parallel.Ended(w.ctx, err)
		}
		list := slices.DeleteFunc(slices.Clone(w.order), func(g int) bool { return left[g] == 0 && spare[g] == 0 })
		number, n := w.project(set, list)
		short, lent := make([]uint64, n), make([]uint64, n)
		for i, g := range list {
			short[number[i]] += left[g]
			lent[number[i]] += spare[g]
		}
		at := make([]*starGroup, n)
		size := uint64(bits.OnesCount64(set))
		for i, g := range list {
			b := number[i]
			cheap := borrow && short[b] > 0 && short[b]+lent[b] >= w.k && w.k*size <= short[b]*(size+1)
			if short[b] < w.k && !cheap && !(set == w.sets[len(w.sets)-1] && short[b] > 0 && short[b]+lent[b] >= w.k) {
				continue
			}
			if at[b] == nil {
				at[b] = &starGroup{set: set, member: map[int]uint64{}}
				groups = append(groups, at[b])
			}
			take := left[g]
			if need := w.k - min(w.k, short[b]); spare[g] > 0 && need > 0 {
				take = min(spare[g], need)
				short[b] += take
				spare[g] -= take
				lender[g].member[g] -= take
				lender[g].size -= take
			}
			if take > 0 {
				at[b].member[g] += take
				at[b].size += take
			}
			delete(left, g)
		}
	}
	return w.gather(groups, left), nil
}

// gather puts the records that are left, fewer than k, into the group where they cost least.
func (w *withholding) gather(groups []*starGroup, left map[int]uint64) []*starGroup {
	if len(left) == 0 {
		return groups
	}
	rest := &starGroup{member: left}
	for _, n := range left {
		rest.size += n
	}
	best, least := -1, uint64(0)
	for i, x := range groups {
		set := w.differ(x, rest)
		if cost := (x.size+rest.size)*uint64(bits.OnesCount64(set)) - x.size*uint64(bits.OnesCount64(x.set)); best < 0 || cost < least {
			best, least = i, cost
		}
	}
	x := groups[best]
	x.set = w.differ(x, rest)
	for g, n := range left {
		x.member[g] += n
	}
	x.size += rest.size
	return groups
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
	x, y := w.c.t.tuple(a), w.c.t.tuple(b)
	for k := range x {
		if x[k] != y[k] {
			set |= 1 << k
		}
	}
	return set
}

// improve moves classes to groups where they lose less, while their own keeps k, and withholds no more than differs.
func (w *withholding) improve(groups []*starGroup) []*starGroup {
	const rounds = 20
	for range rounds {
		for _, x := range groups {
			x.set = w.differ(x)
		}
		byKey, sets := map[string]*starGroup{}, map[uint64]bool{}
		for _, x := range groups {
			for g := range x.member {
				byKey[w.key(x.set, g)] = x
				break
			}
			sets[x.set] = true
		}
		cheap := slices.SortedFunc(maps.Keys(sets), func(a, b uint64) int {
			return cmp.Or(cmp.Compare(bits.OnesCount64(a), bits.OnesCount64(b)), cmp.Compare(a, b))
		})
		moved := false
		for _, x := range groups {
			for _, g := range w.order {
				n := x.member[g]
				if n = min(n, x.size-w.k); n == 0 {
					continue
				}
				for _, set := range cheap {
					if bits.OnesCount64(set) >= bits.OnesCount64(x.set) {
						break
					}
					if y := byKey[w.key(set, g)]; y != nil {
						x.member[g] -= n
						x.size -= n
						y.member[g] += n
						y.size += n
						if x.member[g] == 0 {
							delete(x.member, g)
						}
						moved = true
						break
					}
				}
			}
			if len(groups) > 1<<12 { // with many groups one pass is enough
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

// key tells the values of a class outside a set of columns.
func (w *withholding) key(set uint64, g int) string {
	b := make([]byte, 0, 8+4*w.c.t.w)
	for k := range 8 {
		b = append(b, byte(set>>(8*k)))
	}
	for k, id := range w.c.t.tuple(g) {
		if set>>k&1 == 0 {
			b = append(b, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
		}
	}
	return string(b)
}

// count fills in what follows from the groups.
func (r *Suppression) count() {
	r.ByColumn = make([]uint64, r.c.t.w)
	for _, x := range r.groups {
		for k := range r.ByColumn {
			r.ByColumn[k] += x.set >> k & 1 * x.size
		}
		if x.set != 0 {
			r.Touched += x.size
		}
	}
	for _, n := range r.ByColumn {
		r.Cells += n
	}
	slices.SortFunc(r.groups, func(a, b *starGroup) int { return r.c.compareTuples(a.first(r.c), b.first(r.c)) })
}

// first is the first class of a group by values.
func (x *starGroup) first(c *Classes) int {
	best := -1
	for g := range x.member {
		if best < 0 || c.compareTuples(g, best) < 0 {
			best = g
		}
	}
	return best
}
