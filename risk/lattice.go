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

// A Goal is what a release has to reach. Zero fields ask for nothing.
type Goal struct {
	K uint64
	L uint64   // the least distinct l that every sensitive attribute must have
	E float64  // the least entropy l that every sensitive attribute must have (EntropyAtLeast)
	T *big.Rat // the largest t that a sensitive attribute may have, by Distances
	// Left is the share of records that may be left out: those of classes that miss K, L or E. Not with T.
	Left      *big.Rat
	Distances []Distance // for each sensitive attribute; nil: the equal distance for all
	// Local makes Lattice.At give values back the detail that the goal does not need: steps are then those of records, not of columns. Search does without.
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

// maxLattice is the most nodes of a lattice.
const maxLattice = 1 << 24

// A Lattice is all combinations of levels of the hierarchies of the quasi-identifiers: its nodes. A node below another has
// no level above that one's.
type Lattice struct {
	s    *Sensitive
	tree []*tree
	size int
	base []int // weight of a level of each column in the number of a node
	// By column and class, the place of its value among those of the column; by column, level and place the number at the level.
	place [][]uint32
	code  [][][]uint32
	all   *Columns
	// The records that count, those of each class and of each generalised value.
	records uint64
	keep    []uint64
	markers []string   // of missing values
	none    [][]uint32 // values of sensitive attributes that are missing
	rolled  rollup
	leaves  [][]map[uint32]uint64 // for each column, level and value of that level: how many original values it stands for
}

// NewLattice applies hierarchies, one for each quasi-identifier, to classes and their sensitive attributes. Missing values are values
// of their own, or their records are left out; of a sensitive attribute they count as no value, and for entropy and t as what is worse.
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

// levels of each column at a node.
func (l *Lattice) levels(node int) []int {
	return sets.List(len(l.base), func(k int) int { return node / l.base[k] % len(l.code[k]) })
}

// node is the number of levels.
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

// classes are those that the classes of the file become at levels of theirs, with sensitive values if some are asked for, and which each becomes.
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

// A Generalisation is a node with what the records are like there.
type Generalisation struct {
	Levels  []int // level of each quasi-identifier
	Left    uint64
	Records uint64 // records that are kept
	Classes uint64
	K       uint64
	L       []uint64   // distinct l by sensitive attribute
	E       []float64  // entropy l by sensitive attribute
	T       []*big.Rat // t of each sensitive attribute
	// Loss is the mean, over records and quasi-identifiers, of the share (leaves−1)/(values−1) of the other values of the
	// file that a value cannot be told from (Iyengar, Transforming data to satisfy privacy constraints, KDD 2002); records
	// left out lose all. Discernibility is Σ f² over classes, with n for each record left out (Bayardo and Agrawal, ICDE 2005).
	Loss           float64
	Discernibility *big.Int
	Met            bool
	// Steps has, of a local recoding, by quasi-identifier and level the records that have it; Levels are those it began with. Else it is nil.
	Steps [][]uint64
	node  int
	local [][]int  // levels by class of the file; nil: Levels
	short []uint64 // records that miss the goal, by class
}

// levels are those of a class of the file.
func (r *Generalisation) levels(g int) []int {
	if r.local == nil {
		return r.Levels
	}
	return r.local[g]
}

// At measures a node: k, l and t of what is left, and whether it reaches the goal. By Goal.Local it measures what the node becomes where each record gets back the detail that
// the goal does not need; the loss is no larger.
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

// tolerates reports whether so many records may be left out; some must stay.
func (l *Lattice) tolerates(short uint64, goal Goal) bool {
	if goal.Left == nil || short >= l.records {
		return short == 0
	}
	most := new(big.Rat).Mul(goal.Left, new(big.Rat).SetInt(new(big.Int).SetUint64(l.records)))
	return new(big.Rat).SetInt(new(big.Int).SetUint64(short)).Cmp(most) <= 0
}

// measure measures a node, or the local recoding of it.
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

// closenessAt measures t, where no record is left out.
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
	// Minimal are the nodes that reach the goal and of which none below does, the one of least loss first; none where
	// even the coarsest node misses it.
	Minimal []*Generalisation
	// Below are, of each minimal node, the nodes one step below, all of which miss the goal. Unless records are left out for
	// entropy l (see Search) this is the proof.
	Below [][]*Generalisation
}

// Search finds all minimal nodes that reach a goal, exactly. A coarser node reaches what a finer one does, as merging classes lowers
// neither k nor l (entropy is concave), nor how many records are in classes that reach k and distinct l, and raises no t (the distances
// are convex): so chains of nodes are searched by halving, and each measured node settles all above it or all below it.
//
// Records left out for entropy l are different: a class that reaches it, merged with one that does not, may miss it ({a, b} and {a}
// with l = 2), so that more are left out. Then chains tell where k and distinct l are reached, and of those nodes each is measured,
// from the finest on, that is not above one that reaches the goal.
//
// progress, if not nil, hears how many nodes are settled. Cost: a pass over the classes for each node measured.
// Where ctx ends the error wraps its own.
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
	missed   int // how many of those measured failed
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

// above calls do with those one step above.
func (w *walk) above(node int, do func(int)) {
	for k, b := range w.base {
		if node/b%len(w.code[k]) < len(w.code[k])-1 {
			do(node + b)
		}
	}
}

// chains settles all nodes where what one reaches all above it do.
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

// each settles all nodes where that does not hold of entropy l: yes are those that reach the goal and all above them.
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

// ask measures a node, has settled what follows, and tells how far the walk has come.
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

// chain settles a node and those of a chain above it.
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

// Values are the numbers of different values of quasi-identifier k at each level.
func (l *Lattice) Values(k int) []int { return slices.Clone(l.tree[k].count) }
