package certificate

import (
	"math"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A Recorder collects a proof while a search runs. Its bounds are those that Verify will confirm: it derives the same
// rows and computes the same sums.
type Recorder struct {
	t     *table.Table
	b     *book
	k     *prover
	ids   map[Rule]int32
	rules []Rule
	rows  []*row
	fixes []*Proof // proofs that fixed cells for the rest of the search
	fixed []int8   // the prover's box after these
	ones  int64
	Root  *Node
}

// NewRecorder starts a proof about t.
func NewRecorder(t *table.Table) (*Recorder, error) {
	p, err := newProblem(t)
	if err != nil {
		return nil, err
	}
	return &Recorder{t: t, b: newBook(p), k: newProver(p), ids: map[Rule]int32{}, Root: &Node{}}, nil
}

// A Node is a part of the search tree: a box of patterns. Split nodes have two
// children, with their cell published and withheld.
type Node struct {
	parent *Node
	one    bool // the child in which the parent's cell is withheld
	cell   int32
	kids   [2]*Node
	terms  []Term // its proof as noted, until proof is needed
	ray    bool
	proof  *Proof
	worth  float64 // bound that the search expects the proof to give
	bound  int64   // bound that it proves exactly; −1: not computed yet
}

// Split makes the children of n for a cell: published, and withheld.
func (n *Node) Split(cell int32) (published, withheld *Node) {
	n.cell = cell
	n.kids = [2]*Node{{parent: n}, {parent: n, one: true}}
	return n.kids[0], n.kids[1]
}

// A Term is a multiplier of a row; the search's row is Factor times the one that Rule derives.
type Term struct {
	Rule Rule
	Y    float64
	// RHS is the search's right-hand side of a row without negative coefficients.
	RHS float64
}

// Proof turns multipliers into a proof, each row once. Terms whose rule derives no row are left out.
func (r *Recorder) Proof(terms []Term, ray bool) *Proof {
	p := &Proof{Ray: ray}
	var y []float64
	most := 0.0
	at := make(map[int32]int, len(terms))
	for _, t := range terms {
		id, ok := r.id(t.Rule)
		if !ok {
			continue
		}
		v := t.Y
		if !r.rows[id].neg { // derived rows are divided by their right-hand side
			v *= t.RHS
		}
		if !(v > 0) || math.IsInf(v, 1) {
			continue
		}
		k, again := at[id]
		if !again { // a search may hold a row several times
			k = len(y)
			at[id] = k
			p.Rows, y = append(p.Rows, id), append(y, 0)
		}
		y[k] += v
		most = max(most, y[k])
	}
	_, exp := math.Frexp(most)
	shift := 61 - exp
	if !ray {
		p.Scale = min(maxScale, max(0, shift))
		shift = p.Scale
	}
	kept := p.Rows[:0]
	for s, v := range y {
		m := math.Round(math.Ldexp(v, shift))
		if m < 1 {
			continue
		}
		kept = append(kept, p.Rows[s])
		p.Mult = append(p.Mult, int64(min(m, 1<<62)))
	}
	p.Rows = kept
	return p
}

// id returns the number of a rule, deriving it at its first use; ok is false if it derives no row.
func (r *Recorder) id(rule Rule) (int32, bool) {
	if rule == nil {
		return 0, false
	}
	if id, ok := r.ids[rule]; ok {
		return id, id >= 0
	}
	row, err := r.b.derive(rule)
	if err != nil {
		r.ids[rule] = -1
		return 0, false
	}
	id := int32(len(r.rules))
	r.ids[rule], r.rules, r.rows = id, append(r.rules, rule), append(r.rows, row)
	return id, true
}

// Note gives n a proof that the search expects to prove the bound worth, unless n has a better one. Its rows are
// derived only when needed.
func (r *Recorder) Note(n *Node, worth float64, terms func(into []Term) []Term, ray bool) {
	if worth > n.worth || n.bound == 0 {
		n.terms, n.ray, n.proof, n.worth, n.bound = terms(n.terms[:0]), ray, nil, worth, -1
	}
}

// Drop removes the proof of n.
func (r *Recorder) Drop(n *Node) { n.terms, n.proof, n.worth, n.bound = nil, nil, 0, 0 }

// Forget drops the proofs of split nodes that prove less than bound, which the tree as a whole already proves. Cost
// linear in the nodes.
func (r *Recorder) Forget(bound int64) { r.forget(r.Root, float64(bound)-2*float64(r.b.p.unit)) }

func (r *Recorder) forget(n *Node, worth float64) {
	for ; n.kids[0] != nil; n = n.kids[1] {
		if n.worth < worth {
			r.Drop(n)
		}
		r.forget(n.kids[0], worth)
	}
}

// Bound returns a lower bound for the patterns of n, from its own proof or that of an ancestor.
func (r *Recorder) Bound(n *Node) int64 {
	best := int64(0)
	for ; n != nil; n = n.parent {
		best = max(best, r.own(n))
	}
	return best
}

// own returns the bound that the proof of n itself proves.
func (r *Recorder) own(n *Node) int64 {
	if n.bound < 0 {
		if n.proof == nil {
			n.proof, n.terms = r.Proof(n.terms, n.ray), nil
		}
		r.enter(n)
		n.bound = r.b.p.raw(r.k.bound(r.pick(n.proof), n.proof))
	}
	return n.bound
}

// enter makes the prover's box that of n.
func (r *Recorder) enter(n *Node) {
	k := r.k
	k.reset()
	if r.fixed != nil {
		copy(k.state, r.fixed)
		k.ones = r.ones
	}
	for ; n.parent != nil; n = n.parent {
		v := int8(0)
		if n.one {
			v = 1
		}
		k.fix(n.parent.cell, v)
	}
}

// Settle fixes, for the rest of the search, the cells whose other value y proves to cost at least target, and calls
// each with each of them.
func (r *Recorder) Settle(y *Proof, target int64, each func(cell int32, withheld bool)) {
	r.enter(r.Root)
	some := false
	r.k.settle(r.pick(y), y, r.b.p.multiples(target), func(i int32, v int8) {
		some = true
		each(i, v == 1)
	})
	if some {
		r.fixes = append(r.fixes, y)
		r.fixed, r.ones = append(r.fixed[:0], r.k.state...), r.k.ones
	}
}

func (r *Recorder) pick(p *Proof) []*row {
	return sets.Pick(r.rows, p.Rows)
}

// A Witness is a table a + z with z = Num/Den on Cells and 0 elsewhere, or z = Long if that does not fit 64 bits; then
// Num is nil and Den 0.
type Witness struct {
	Den   int64
	Cells []int32
	Num   []int64
	Long  *Long
}

// A Certificate is a complete proof.
type Certificate struct {
	// Bound is a lower bound on the cost of every protected pattern. It may be less than the search's own bound.
	Bound     int64
	rec       *Recorder
	pattern   []bool // nil: none
	witnesses []*Witness

	impossible bool    // the claim is that no pattern protects the table
	parts      []*Part // parts that prove the bound; nil: the tree does
}

// Finish ends the proof of a bound: Certificate.Bound is the part of it that exact arithmetic confirms.
// pattern is nil or proved protected by the witnesses.
func (r *Recorder) Finish(bound int64, pattern []bool, witnesses []*Witness) *Certificate {
	for {
		proved := r.certify(r.Root, bound)
		if proved >= bound {
			break
		}
		bound = proved
	}
	return &Certificate{Bound: bound, rec: r, pattern: pattern, witnesses: witnesses}
}

// certify returns the largest bound up to bound that the tree below n proves.
func (r *Recorder) certify(n *Node, bound int64) int64 {
	v := int64(0)
	if n.kids[0] == nil || n.worth > float64(bound)-2*float64(r.b.p.unit) {
		v = r.own(n)
	}
	if v >= bound || n.kids[0] == nil {
		return min(v, bound)
	}
	below := r.certify(n.kids[0], bound)
	if below > v {
		below = min(below, r.certify(n.kids[1], bound))
	}
	return max(v, below)
}
