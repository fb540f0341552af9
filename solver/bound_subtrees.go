package solver

import (
	"context"
	"slices"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/table"
)

// A subtree of a table consists of the cells below one of the codes that add up to the total of a hierarchical
// variable. Subtrees are disjoint, so lower bounds on the cost in each add up to one for the table, and cuts from
// relations inside a subtree involve its cells only. Relaxing each subtree separately takes a fraction of the time of
// the same rounds in one program over the whole table. The rows that are tight at the end start the relaxation of the
// whole table.
type subtree struct {
	*regional
	value float64            // optimum of its relaxation
	terms []certificate.Term // its proof, if there is a certificate
}

// subtreesOf divides t by the hierarchical variable with the most codes: of is the subtree of each cell, −1 for none.
// number is 0 if no variable is hierarchical, or if one subtree has more than half of the cells.
func subtreesOf(t *table.Table) (of []int32, number int) {
	tree := -1
	for d, dim := range t.Dims {
		if !dim.Flat() && (tree < 0 || len(dim.Codes) > len(t.Dims[tree].Codes)) {
			tree = d
		}
	}
	if tree < 0 {
		return nil, 0
	}
	parent := t.Dims[tree].Parent
	at := make([]int32, len(parent))
	for c, p := range parent { // parents come before children
		switch {
		case p < 0:
			at[c] = -1
		case p == 0:
			at[c] = int32(number)
			number++
		default:
			at[c] = at[p]
		}
	}
	of, size := make([]int32, t.Len()), make([]int, number+1)
	for i := range of {
		of[i] = at[t.Coord[i*len(t.Dims)+tree]]
		size[of[i]+1]++
	}
	if slices.Max(size[1:]) > t.Len()/2 {
		return nil, 0
	}
	return of, number
}

// subtrees separates within each subtree, by one family after another, and then joins the subtrees. It goes through the
// families once: further turns raise the sum by less than the same time raises the bound of the whole table.
func (l *singleRow) subtrees(ctx context.Context, workers int) error {
	of, number := subtreesOf(l.p.t)
	var list []*subtree
	defer func() {
		for _, s := range list {
			s.close()
			s.m.close()
		}
	}()
	most := 0
	for n := range int32(number) {
		s, err := l.subtree(of, n, workers)
		if err != nil {
			return err
		}
		list = append(list, s)
		s.report = func(v float64) { l.lower.sum(list, s, v) }
		if err := s.run(ctx); err != nil {
			return err
		}
		most = max(most, len(s.families))
	}
	for n := range most {
		for _, s := range list {
			if err := s.step(ctx, n); err != nil {
				return err
			}
		}
	}
	return l.join(ctx, list)
}

// step separates by family n. After slices at single codes and after slices at groups of siblings it adds zero-half
// cuts: only at the end of a turn they would come too late, after every family they would take too long.
func (s *subtree) step(ctx context.Context, n int) error {
	if n >= len(s.families) {
		return nil
	}
	if err := s.separate(ctx, n); err != nil {
		return err
	}
	if n+1 < len(s.families) && !s.families[n+1].groups {
		return nil
	}
	return s.halves(ctx)
}

// subtree makes the relaxation of subtree n.
func (l *singleRow) subtree(of []int32, n int32, workers int) (*subtree, error) {
	inside := make([]bool, l.p.sys.Rel.Len())
	for j := range inside {
		cell, _ := l.p.sys.Rel.Row(j)
		inside[j] = !slices.ContainsFunc(cell, func(i int32) bool { return of[i] != n })
	}
	own, err := l.lower.relaxation(l.p.within(of, n), l.backend, inside)
	if err != nil {
		return nil, err
	}
	return &subtree{regional: newRegional(own, families(l.p.t, inside), workers, subtreeAbove)}, nil
}

// within returns p restricted to the cells i with of[i] = n. The other cells have no column, so relations that contain
// any of them must not be used with it.
func (p *problem) within(of []int32, n int32) *problem {
	q := *p
	q.cand, q.cost, q.levels, q.col = nil, nil, nil, slices.Repeat([]int32{-1}, p.n)
	for c, i := range p.cand {
		if of[i] == n {
			for k := int(i); k < p.n; k += p.m {
				q.col[k] = int32(len(q.cand))
			}
			q.cand, q.cost = append(q.cand, i), append(q.cost, p.cost[c])
		}
	}
	for _, v := range p.levels {
		if of[v.K] == n {
			q.levels = append(q.levels, v)
		}
	}
	return &q
}

// sum records that the bound of s, one of list, is value.
func (b *lowerBound) sum(list []*subtree, s *subtree, value float64) {
	if value > s.value {
		s.value, s.terms = value, b.terms(s.terms[:0], s.m)
	}
	total := 0.0
	for _, o := range list {
		total += o.value
	}
	b.raise(total, relTol, func(into []certificate.Term) []certificate.Term {
		for _, o := range list {
			into = append(into, o.terms...)
		}
		return into
	})
}

// join adds the rows that are tight at the optima of the subtrees to the relaxation of the whole table and starts it
// from their combined bases, if the back ends return bases.
func (l *singleRow) join(ctx context.Context, list []*subtree) error {
	if len(list) == 0 {
		return nil
	}
	basis := &lp.Basis{Col: slices.Repeat([]lp.BasisStatus{lp.AtLower}, len(l.p.cand))}
	status := map[*cut]lp.BasisStatus{} // status of the rows that are not basic
	var cuts []*cut
	for _, s := range list {
		own := s.basis()
		if own == nil {
			basis = nil
		}
		s.pool.evaluate(s.m.x)
		for r, c := range s.m.cuts {
			basic := own == nil || own.Row[r] == lp.Basic
			if basic && c.gain < -slackTol {
				continue
			}
			c, _ = l.pool.add(c.lift(s.p, l.p))
			if c.row < 0 {
				cuts = append(cuts, c)
			}
			if !basic {
				status[c] = own.Row[r]
			}
		}
		for k, i := range s.p.cand {
			if basis != nil {
				basis.Col[l.p.col[i]] = own.Col[k]
			}
		}
	}
	if err := l.m.add(cuts); err != nil {
		return err
	}
	if basis != nil {
		for _, c := range l.m.cuts {
			basis.Row = append(basis.Row, status[c]) // else lp.Basic
		}
		if err := l.m.solver.(lp.BasisKeeper).SetBasis(basis); err != nil {
			return err
		}
	}
	_, err := l.solve(ctx)
	for _, c := range l.m.cuts {
		if c.gain < -slackTol {
			c.age = l.m.maxAge // leaves at the next purge unless it is tight
		}
	}
	return err
}

// basis returns the basis of the last optimum, nil if the back end does not return it.
func (s *subtree) basis() *lp.Basis {
	keeper, can := s.m.solver.(lp.BasisKeeper)
	b := &lp.Basis{}
	if !can || keeper.Basis(b) != nil || len(b.Row) != len(s.m.cuts) {
		return nil
	}
	return b
}

// lift converts c, a cut over the columns of part, to the columns of p, which contains part.
func (c *cut) lift(part, p *problem) *cut {
	d := &cut{idx: make([]int32, len(c.idx)), val: c.val, rhs: c.rhs, family: c.family, why: c.why}
	for t, j := range c.idx {
		d.idx[t] = p.col[part.cand[j]]
	}
	return d.seal()
}
