package solver

import (
	"slices"

	"github.com/hitoku/hitoku/lp"
)

// A start is the optimum of the relaxation of a node that was branched on. Its children begin
// there, whichever worker takes them up and wherever that one was before: in 3d_6_fs a node
// picked from the open ones takes 27 steps of the simplex method instead of 92.
type start struct {
	basis lp.Basis
	cuts  []*cut // of its rows, in the pool of the worker that branched
}

// maxStarts is about how many bytes the starts of open nodes may take, and likewise their paths.
const maxStarts = 64 << 20

// keepStart makes a start of the optimum that w stands at, with its basis; nil where too
// many nodes are open.
func (w *worker) keepStart(basis lp.Basis) *start {
	size := 9 * (len(basis.Col) + 2*len(basis.Row))
	if w.search.p.off.resume || (len(w.tree.open)+workerCount)*size > maxStarts {
		return nil
	}
	return &start{basis, slices.Clone(w.m.cuts)}
}

// begin takes up the next node: it sets the bounds of the columns and moves the relaxation
// to where it starts. Workers begin one after the other, as starts hold one another's cuts.
func (w *worker) begin() error {
	w.apply(w.dive)
	st := w.dive.start
	w.dive.start = nil
	keeper, can := w.m.solver.(lp.BasisKeeper)
	if st == nil || st == w.at || !can {
		return nil
	}
	rows, err := w.bring(st)
	if err != nil {
		return err
	}
	return keeper.SetBasis(st.among(rows, len(w.m.cuts)))
}

// bring puts the tight cuts of st back into the master and returns the rows there of all
// cuts of st, −1 for slack ones that are elsewhere.
func (w *worker) bring(st *start) (rows []int, err error) {
	own := make([]*cut, len(st.cuts))
	var back []*cut
	for i, c := range st.cuts {
		own[i] = w.pool.find(c)
		if st.basis.Row[i] == lp.Basic {
			continue
		}
		if own[i] == nil {
			own[i] = w.take(c)
		}
		if own[i].row < 0 {
			back = append(back, own[i])
		}
	}
	if err := w.m.add(back); err != nil {
		return nil, err
	}
	rows = make([]int, len(own))
	for i, c := range own {
		if rows[i] = -1; c != nil {
			rows[i] = c.row
		}
	}
	return rows, nil
}

// among returns the basis of st in a master of m rows, of which those of its cuts are given;
// the others are slack.
func (st *start) among(rows []int, m int) *lp.Basis {
	columns := len(st.basis.Col)
	b := &lp.Basis{Col: st.basis.Col, Row: make([]lp.BasisStatus, m)}
	for i := range b.Row {
		b.Row[i] = lp.Basic
	}
	if len(st.basis.Norms) > 0 {
		b.Norms = slices.Concat(st.basis.Norms[:columns], make([]float64, m))
		for i := range m {
			b.Norms[columns+i] = 1 // at least; the first step on such a row finds out
		}
	}
	for i, r := range rows {
		if r < 0 {
			continue
		}
		b.Row[r] = st.basis.Row[i]
		if b.Norms != nil {
			b.Norms[columns+r] = st.basis.Norms[columns+i]
		}
	}
	return b
}
