package risk

import (
	"cmp"
	"context"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/sets"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
)

// A Goal is what a release has to reach. Zero fields require nothing.
type Goal struct {
	K uint64
	L uint64   // least distinct l for every sensitive attribute
	E float64  // least entropy l for every sensitive attribute (EntropyAtLeast)
	T *big.Rat // largest t for every sensitive attribute, by Distances
	// Left is the share of records that may be left out, namely those in classes that miss K, L or E. Not with T.
	Left      *big.Rat
	Distances []Distance // for each sensitive attribute; nil: the equal distance for all
	// Local makes Lattice.At restore detail that the goal does not require, record by record instead of by column.
	// Search ignores it.
	Local bool
}

func (g *Goal) check() error {
	switch {
	case g.K == 0 && g.L == 0 && g.E == 0 && g.T == nil:
		return i18n.New("risk: no k, l or t to reach")
	case g.Left != nil && g.T != nil:
		return i18n.New("risk: records are left out for k and l only, not for t")
	case g.Left != nil && (g.Left.Sign() < 0 || g.Left.Cmp(num.One) > 0):
		return i18n.Errorf("risk: share %s of records left out, want 0 to 1", g.Left.RatString())
	}
	return nil
}

// maxLattice is the largest number of nodes of a lattice.
const maxLattice = 1 << 24

// A Lattice is the set of all combinations of levels of the hierarchies of the quasi-identifiers, its nodes. A node is
// below another if none of its levels is above the other's.
type Lattice struct {
	s    *Sensitive
	tree []*tree
	size int
	base []int // weight of a level of each column in a node's number
	// place is, by column and class, the index of the class's value among the column's values; code is, by column,
	// level and index, the number of the generalised value.
	place [][]uint32
	code  [][][]uint32
	all   *Columns
	// The number of records that count, in total and by class.
	records uint64
	keep    []uint64
	markers []string   // markers of missing values
	none    [][]uint32 // missing values of sensitive attributes
	rolled  rollup
	// By column, level and value at that level: the number of original values that it stands for.
	leaves [][]map[uint32]uint64
}

// NewLattice applies one hierarchy for each quasi-identifier to classes and their sensitive attributes. Missing
// quasi-identifiers are values of their own, or their records are left out; a missing value of a sensitive attribute
// counts as no value and, for entropy and t, as whichever is worse.
func NewLattice(ctx context.Context, s *Sensitive, m Missing, hierarchies []*Hierarchy) (*Lattice, error) {
	if err := m.check(Own, Drop); err != nil {
		return nil, err
	}
	if len(hierarchies) != s.t.w {
		return nil, i18n.Errorf("risk: %d hierarchies, want %d", len(hierarchies), s.t.w)
	}
	keep, _, err := s.frequencies(ctx, m)
	if err != nil {
		return nil, err
	}
	l := &Lattice{s: s, size: 1, keep: keep, markers: m.Markers}
	if l.all, err = NewColumns(s.columns.names...); err != nil {
		return nil, err
	}
	copy(l.all.dicts[s.t.w:], s.columns.dicts[s.t.w:]) // sensitive values keep their numbers
	for a := range s.pairs {
		l.none = append(l.none, s.columns.ids(s.t.w+a, m.Markers))
	}
	for _, n := range keep {
		l.records += n
	}
	for k, h := range hierarchies {
		if l.size > maxLattice/h.Levels() {
			return nil, i18n.Errorf("risk: more than %d combinations of levels; give fewer steps", maxLattice)
		}
		l.base = append(l.base, l.size)
		l.size *= h.Levels()
		if err := l.apply(k, h); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// apply numbers the values of column k at all levels.
func (l *Lattice) apply(k int, h *Hierarchy) error {
	var ids []uint32
	at := map[uint32]uint32{}
	place := make([]uint32, l.s.t.n)
	for g, n := range l.keep {
		if n == 0 {
			continue
		}
		id := l.s.t.tuple(g)[k]
		p, ok := at[id]
		if !ok {
			p = uint32(len(ids))
			at[id] = p
			ids = append(ids, id)
		}
		place[g] = p
	}
	t, err := h.tree(l.s.columns, k, ids)
	if err != nil {
		return i18n.Errorf("risk: %w", err)
	}
	l.tree, l.place = append(l.tree, t), append(l.place, place)
	var codes [][]uint32
	var all []map[uint32]uint64
	for level := range h.Levels() {
		code, leaves := make([]uint32, len(ids)), map[uint32]uint64{}
		for p, id := range ids {
			v, err := h.value(l.s.columns.Value(k, id), level)
			if err != nil {
				return err
			}
			code[p] = l.all.id(k, v)
			leaves[code[p]]++
		}
		codes, all = append(codes, code), append(all, leaves)
	}
	l.code, l.leaves = append(l.code, codes), append(l.leaves, all)
	return nil
}

// levels returns the level of each column at a node.
func (l *Lattice) levels(node int) []int {
	return sets.List(len(l.base), func(k int) int { return node / l.base[k] % len(l.code[k]) })
}

// node returns the number of the node with these levels.
func (l *Lattice) node(levels []int) (n int, err error) {
	if len(levels) != len(l.base) {
		return 0, i18n.Errorf("risk: %d levels, want %d", len(levels), len(l.base))
	}
	for k, v := range levels {
		if v < 0 || v >= len(l.code[k]) {
			return 0, i18n.Errorf("risk: column %s: level %d, want 0 to %d", l.s.columns.names[k], v, len(l.code[k])-1)
		}
		n += v * l.base[k]
	}
	return n, nil
}

// classes merges the classes of the file, each at its own levels, with their sensitive values if asked for; group is
// the merged class of each.
func (l *Lattice) classes(levels func(g int) []int, sensitive bool) (to *Sensitive, group []uint32) {
	to, group = NewSensitive(l.all, l.s.t.w), make([]uint32, l.s.t.n)
	ids := make([]uint32, l.s.t.w)
	for g, n := range l.keep {
		if n == 0 {
			continue
		}
		for k, level := range levels(g) {
			ids[k] = l.code[k][level][l.place[k][g]]
		}
		group[g] = uint32(to.t.add(ids, n))
	}
	if !sensitive {
		return to, group
	}
	to.trees = l.s.trees
	for a, t := range l.s.pairs {
		for p := range t.n {
			if x := t.tuple(p); l.keep[x[0]] > 0 {
				to.pairs[a].add([]uint32{group[x[0]], x[1]}, t.count(p))
			}
		}
	}
	return to, group
}

// A Generalisation is a node with the properties of the records there.
type Generalisation struct {
	Levels  []int // by quasi-identifier
	Left    uint64
	Records uint64 // number of records kept
	Classes uint64
	K       uint64
	L       []uint64   // distinct l, by sensitive attribute
	E       []float64  // entropy l, by sensitive attribute
	T       []*big.Rat // t, by sensitive attribute
	// Loss is the mean over records and quasi-identifiers of (leaves−1)/(values−1), the share of the file's other
	// values that a value cannot be told from (Iyengar, Transforming data to satisfy privacy constraints, KDD 2002);
	// records left out lose everything. Discernibility is Σ f² over classes, plus n for each record left out (Bayardo
	// and Agrawal, ICDE 2005).
	Loss           float64
	Discernibility *big.Int
	Met            bool
	// Steps holds, for a local recoding, the number of records at each level, by quasi-identifier; Levels are those
	// from which it started. Otherwise it is nil.
	Steps [][]uint64
	node  int
	local [][]int  // by class of the file: its levels; nil: Levels
	short []uint64 // by class: records that miss the goal
}

// levels returns the levels of class g of the file.
func (r *Generalisation) levels(g int) []int {
	if r.local == nil {
		return r.Levels
	}
	return r.local[g]
}

// At measures a node: k, l and t of the remaining records, and whether it reaches the goal. With Goal.Local it measures
// the local recoding of the node, in which each record gets back the detail that the goal does not require; the loss is
// no larger.
func (l *Lattice) At(ctx context.Context, levels []int, goal Goal) (*Generalisation, error) {
	n, err := l.node(levels)
	if err != nil {
		return nil, err
	}
	r, err := l.measure(ctx, n, goal, nil)
	if err != nil || !goal.Local || !r.Met {
		return r, err
	}
	f, err := l.refinement(goal)
	if err != nil {
		return nil, err
	}
	var best *Generalisation
	for _, byLayers := range []bool{false, true} {
		local, err := f.refine(ctx, r, byLayers)
		if err != nil {
			return nil, err
		}
		if local == nil {
			continue
		}
		x, err := l.measure(ctx, n, goal, local)
		if err != nil {
			return nil, err
		}
		if best == nil || x.Met && x.Loss < best.Loss {
			best = x
		}
	}
	for k := range levels {
		best.Steps = append(best.Steps, make([]uint64, len(l.code[k])))
		for g, n := range l.keep {
			if n > 0 {
				best.Steps[k][best.local[g][k]] += n
			}
		}
	}
	return best, nil
}

// met reports whether a node reaches the goal.
func (l *Lattice) met(ctx context.Context, node int, goal Goal) (bool, error) {
	levels := l.levels(node)
	c, _ := l.classes(func(int) []int { return levels }, false)
	short := uint64(0)
	for g := range c.t.n {
		if n := c.t.count(g); n < goal.K {
			short += n
		}
	}
	if ok := l.tolerates(short, goal); !ok || goal.L == 0 && goal.E == 0 && goal.T == nil {
		return ok, nil
	}
	g, err := l.measure(ctx, node, goal, nil)
	return err == nil && g.Met, err
}

// tolerates reports whether this many records may be left out; some must stay.
func (l *Lattice) tolerates(short uint64, goal Goal) bool {
	if goal.Left == nil || short >= l.records {
		return short == 0
	}
	most := new(big.Rat).Mul(goal.Left, new(big.Rat).SetInt(new(big.Int).SetUint64(l.records)))
	return new(big.Rat).SetInt(new(big.Int).SetUint64(short)).Cmp(most) <= 0
}

// measure measures a node, or its local recoding.
func (l *Lattice) measure(ctx context.Context, node int, goal Goal, local [][]int) (*Generalisation, error) {
	r := &Generalisation{Levels: l.levels(node), node: node, local: local, Discernibility: new(big.Int)}
	c, group := l.classes(r.levels, len(l.s.pairs) > 0)
	r.short, r.L, r.E = make([]uint64, c.t.n), make([]uint64, len(c.pairs)), make([]float64, len(c.pairs))
	f := make([]uint64, c.t.n)
	for g := range f {
		if f[g] = c.t.count(g); f[g] < goal.K {
			r.short[g] = f[g]
		}
	}
	distinct, entropy := make([][]uint64, len(c.pairs)), make([][]float64, len(c.pairs))
	for a := range c.pairs {
		distinct[a], entropy[a] = make([]uint64, c.t.n), make([]float64, c.t.n)
		c.byClass(a, f, nil, func(g int, counts []valueCount) {
			descending(counts)
			rest, n := present(counts, l.none[a])
			distinct[a][g], entropy[a][g] = uint64(len(rest)), min(entropyL(counts, f[g]), entropyL(rest, n))
			if distinct[a][g] < goal.L || goal.E > 0 && !EntropyAtLeast(entropy[a][g], goal.E) {
				r.short[g] = f[g]
			}
		})
	}
	for _, n := range r.short {
		r.Left += n
	}
	if r.Met = l.tolerates(r.Left, goal); !r.Met || goal.Left == nil {
		r.Left = 0
		clear(r.short)
	}
	d := new(big.Int)
	for g, n := range f {
		size := n
		if r.short[g] > 0 {
			size = l.records
		} else {
			r.Classes++
			r.Records += n
			if r.K == 0 || n < r.K {
				r.K = n
			}
			for a := range distinct {
				if r.Classes == 1 || distinct[a][g] < r.L[a] {
					r.L[a] = distinct[a][g]
				}
				if r.Classes == 1 || entropy[a][g] < r.E[a] {
					r.E[a] = entropy[a][g]
				}
			}
		}
		d.SetUint64(size)
		r.Discernibility.Add(r.Discernibility, d.Mul(d, new(big.Int).SetUint64(n)))
	}
	l.rate(r, group)
	return r, l.closenessAt(ctx, c, r, goal)
}

// closenessAt computes t, for goals that leave no record out.
func (l *Lattice) closenessAt(ctx context.Context, c *Sensitive, r *Generalisation, goal Goal) error {
	if len(c.pairs) == 0 || r.Left > 0 {
		return nil
	}
	d := goal.Distances
	if d == nil {
		d = slices.Repeat([]Distance{Equal}, len(c.pairs))
	}
	for _, own := range []bool{true, false} {
		all, err := c.TCloseness(ctx, Missing{Markers: l.markers}, own, d, 0)
		if err != nil {
			return err
		}
		for a, x := range all {
			switch {
			case own:
				r.T = append(r.T, x.T)
			case x.T != nil && x.T.Cmp(r.T[a]) > 0:
				r.T[a] = x.T
			}
			r.Met = r.Met && (goal.T == nil || r.T[a] != nil && r.T[a].Cmp(goal.T) <= 0)
		}
		if !slices.ContainsFunc(l.none, func(ids []uint32) bool { return len(ids) > 0 }) {
			break
		}
	}
	return nil
}

// rate computes the loss.
func (l *Lattice) rate(r *Generalisation, group []uint32) {
	sum, most := 0.0, 0
	lost := make([]uint64, len(r.Levels))
	for g, n := range l.keep {
		if n == 0 {
			continue
		}
		for k, level := range r.levels(g) {
			others := uint64(l.tree[k].count[0]) - 1
			if r.short[group[g]] == 0 {
				others = l.leaves[k][level][l.code[k][level][l.place[k][g]]] - 1
			}
			lost[k] += n * others
		}
	}
	for k, x := range lost {
		if values := l.tree[k].count[0]; values >= 2 && l.records > 0 {
			most++
			sum += float64(x) / float64(values-1) / float64(l.records)
		}
	}
	if most > 0 {
		r.Loss = sum / float64(most)
	}
}

// A LatticeSearch is the result of Lattice.Search.
type LatticeSearch struct {
	Nodes, Measured int
	// Minimal are the nodes that reach the goal while no node below them does, least loss first; none if even the
	// coarsest node misses the goal.
	Minimal []*Generalisation
	// Below are, for each minimal node, the nodes one step below it, all of which miss the goal. Unless records are
	// left out for entropy l (see Search), this proves minimality.
	Below [][]*Generalisation
}

// Search finds exactly all minimal nodes that reach a goal. A coarser node reaches whatever a finer one does: merging
// classes lowers neither k nor l (entropy is concave) nor the number of records in classes that reach k and distinct l,
// and does not raise t (the distances are convex). So chains of nodes are searched by bisection, and each measured node
// settles all nodes above or all below it.
//
// Leaving records out for entropy l is different: merging a class that reaches it with one that does not may give one
// that misses it ({a, b} and {a} with l = 2), so that more records are left out. In that case chains determine where k
// and distinct l are reached, and of those nodes each that is not above one that reaches the goal is measured, finest
// first.
//
// progress, if not nil, is called with the number of nodes settled. Cost: a pass over the classes for each node
// measured. If ctx ends, the error wraps ctx.Err().
func (l *Lattice) Search(ctx context.Context, goal Goal, progress func(done, total int)) (*LatticeSearch, error) {
	if err := goal.check(); err != nil {
		return nil, err
	}
	w := &walk{Lattice: l, ctx: ctx, goal: goal, tag: make([]byte, l.size), progress: progress}
	r := &LatticeSearch{Nodes: l.size}
	if l.records == 0 {
		return r, nil
	}
	var err error
	if goal.E > 0 && goal.Left != nil && goal.Left.Sign() > 0 {
		err = w.each()
	} else {
		err = w.chains()
	}
	if err != nil {
		return nil, err
	}
	r.Measured = w.measured
	for node, tag := range w.tag {
		if tag != yes {
			continue
		}
		minimal := true
		w.below(node, func(b int) { minimal = minimal && w.tag[b] == no })
		if !minimal {
			continue
		}
		g, err := l.measure(ctx, node, goal, nil)
		if err != nil {
			return nil, err
		}
		r.Minimal = append(r.Minimal, g)
	}
	slices.SortStableFunc(r.Minimal, func(a, b *Generalisation) int {
		return cmp.Or(cmp.Compare(a.Loss, b.Loss), a.Discernibility.Cmp(b.Discernibility), cmp.Compare(a.node, b.node))
	})
	for _, g := range r.Minimal {
		var below []*Generalisation
		var err error
		w.below(g.node, func(b int) {
			x, e := l.measure(ctx, b, goal, nil)
			err = cmp.Or(err, e)
			below = append(below, x)
		})
		if err != nil {
			return nil, err
		}
		r.Below = append(r.Below, below)
	}
	return r, nil
}

const (
	yes = 1
	no  = 2
)

// A walk settles the nodes of a lattice.
type walk struct {
	*Lattice
	ctx      context.Context
	goal     Goal
	tag      []byte
	measured int
	missed   int // how many of the measured nodes failed
	settled  int
	progress func(done, total int)
}

// below calls do with the nodes one step below.
func (w *walk) below(node int, do func(int)) {
	for k, b := range w.base {
		if node/b%len(w.code[k]) > 0 {
			do(node - b)
		}
	}
}

// above calls do with the nodes one step above.
func (w *walk) above(node int, do func(int)) {
	for k, b := range w.base {
		if node/b%len(w.code[k]) < len(w.code[k])-1 {
			do(node + b)
		}
	}
}

// chains settles all nodes, for goals where all nodes above one that reaches the goal reach it too.
func (w *walk) chains() error {
	// A finer node comes before a coarser one.
	for node := range w.size {
		if w.tag[node] == 0 {
			if err := w.chain(node); err != nil {
				return err
			}
		}
	}
	return nil
}

// each settles all nodes when that does not hold for entropy l: yes are the nodes that reach the goal and all above
// them.
func (w *walk) each() error {
	coarse := &walk{Lattice: w.Lattice, ctx: w.ctx, goal: w.goal, tag: make([]byte, w.size)}
	if coarse.goal.E = 0; w.goal.K > 0 || w.goal.L > 0 {
		if err := coarse.chains(); err != nil {
			return err
		}
		w.measured = coarse.missed
	}
	for node := range w.size {
		if coarse.tag[node] == no {
			w.tag[node] = no
			w.settled++
		}
		if w.tag[node] != 0 {
			continue
		}
		if err := w.ask(node, func(met bool) {
			if met {
				w.settle(node, yes, w.above)
			} else {
				w.tag[node] = no
				w.settled++
			}
		}); err != nil {
			return err
		}
	}
	return nil
}

// ask measures a node, calls settle with the result, and reports progress.
func (w *walk) ask(node int, settle func(met bool)) error {
	if err := w.ctx.Err(); err != nil {
		return parallel.Ended(w.ctx, err)
	}
	met, err := w.met(w.ctx, node, w.goal)
	if err != nil {
		return err
	}
	w.measured++
	settle(met)
	if w.progress != nil {
		w.progress(w.settled, w.size)
	}
	return nil
}

// chain settles a node and those on a chain above it, by bisection.
func (w *walk) chain(node int) error {
	chain := []int{node}
	for {
		next := -1
		w.above(chain[len(chain)-1], func(n int) {
			if w.tag[n] == 0 {
				next = n
			}
		})
		if next < 0 {
			break
		}
		chain = append(chain, next)
	}
	for low, high := 0, len(chain); low < high; {
		mid := (low + high) / 2
		if err := w.ask(chain[mid], func(met bool) {
			if met {
				w.settle(chain[mid], yes, w.above)
				high = mid
			} else {
				w.missed++
				w.settle(chain[mid], no, w.below)
				low = mid + 1
			}
		}); err != nil {
			return err
		}
	}
	return nil
}

// settle marks a node and all that follow from it.
func (w *walk) settle(node int, tag byte, next func(int, func(int))) {
	stack := []int{node}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if w.tag[n] != 0 {
			continue
		}
		w.tag[n] = tag
		w.settled++
		next(n, func(m int) {
			if w.tag[m] == 0 {
				stack = append(stack, m)
			}
		})
	}
}

// Values returns the number of different values of quasi-identifier k at each level.
func (l *Lattice) Values(k int) []int { return slices.Clone(l.tree[k].count) }
