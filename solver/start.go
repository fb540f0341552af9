package solver

import (
	"slices"

	"github.com/hitoku/hitoku/lp"
)

// A start is the optimum of the relaxation of a node that was branched on. Its children begin from it, whichever worker
// takes them, which saves most simplex steps for a node taken from the open ones.
type start struct {
	basis lp.Basis
	cuts  []*cut // rows of its relaxation, in the pool of the worker that branched
}

// keepStart saves the current optimum of w, with its basis; nil if too many nodes are open.
func (w *worker) keepStart(basis lp.Basis) *start {
	size := 9 * (len(basis.Col) + 2*len(basis.Row))
	if w.search.p.off.resume || (len(w.tree.open)+workerCount)*size > maxStarts {
		return nil
	}
	return &start{basis, slices.Clone(w.m.cuts)}
}

// restore prepares the relaxation for the next node: the bounds of its columns and its start. Workers do so one after
// another, as a start may hold cuts of another worker.
func (w *worker) restore() error {
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

// bring returns the tight cuts of st to the master and returns the master rows of all cuts of st, −1 for slack ones
// that are not in it.
func (w *worker) bring(st *start) (rows []int, err error) {
	own := make([]*cut, len(st.cuts))
	var back []*cut
	for i, c := range st.cuts {
		own[i] = w.pool.find(c)
		if st.basis.Row[i] == lp.Basic {
			continue
		}
		if own[i] == nil {
			own[i] = w.adopt(c)
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

// among returns the basis of st for a master of m rows; rows are the positions of its cuts there, and all other rows
// are basic (slack).
func (st *start) among(rows []int, m int) *lp.Basis {
	columns := len(st.basis.Col)
	b := &lp.Basis{Col: st.basis.Col, Row: make([]lp.BasisStatus, m)}
	for i := range b.Row {
		b.Row[i] = lp.Basic
	}
	if len(st.basis.Norms) > 0 {
		b.Norms = slices.Concat(st.basis.Norms[:columns], make([]float64, m))
		for i := range m {
			b.Norms[columns+i] = 1 // a lower bound; the first step on such a row computes it
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
