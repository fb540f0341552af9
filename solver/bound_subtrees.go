package solver

import (
	"context"
	"slices"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/table"
)

// A subtree of a table is all of it below one of the codes that make up the total of a variable with a tree. Subtrees have no cell in common, so
// that what bounds the cost in each adds up to a bound, and the cuts of relations inside one are about its cells alone: their relaxations go
// their own ways, in a fraction of the time that the same rounds take with all of them in one program, nine tenths of which are the program's.
// The rows that are tight in the end are where the relaxation of the whole begins.
type subtree struct {
	*regional
	value float64            // of its relaxation
	terms []certificate.Term // that show it, if there is a certificate
}

// subtreeAbove is above of a regional, for subtrees: nace_nuts3_size, sum of its nine sections after one turn 235.7 million (19 CPU s) with 0,
// 236.6 (27) with 0.005, 235.5 (23) with 0.02, and after more turns 236.8 (34), 237.8 (42), 237.7 (44), all with zero-half cuts at the end of a turn alone. In the whole it is 0: the slices of scb_BE0101A1 are at 598,475
// after 3.3 CPU s so, at 596,472 after 2.8 with 0.005, and no further after 20.
const subtreeAbove = 0.005

// subtreesOf tells which subtree of the variable with most codes among those with trees each cell is in, −1 for none, and how many there are; 0 where no
// variable has a tree, or one of its subtrees more than half of the cells.
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
	for c, p := range parent { // parents stand before children
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

// subtrees separates in each subtree by itself, in all of them one family after the other, and joins them: further turns raise the sum of those of
// nace_nuts3_size from 237.5 million after 31 CPU s to 238.1 after 53, while the whole comes from 241.9 after 37 to 242.9 after 52.
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

// step separates by family n and, after slices at the codes of variables and after each slices at groups of siblings, by zero-half cuts:
// nace_nuts3_size is so at 232.8 million after 10 CPU s and 237.5 after 33, with those at the end of a turn alone at 228.7 after 12 and 237.0 after 33, after
// every family at 228.7 after 7, 233.3 after 17 and 236.1 after 31.
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

// subtree begins the relaxation of subtree n.
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

// within is p as far as it is about the cells i with of[i] = n. Others have no column in it, so that no relation may be looked at that has some.
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

// sum notes that s, one of list, is at value.
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

// join adds the rows of all subtrees that are tight at their optima and goes on from there: with their bases side by side, where back ends tell
// them, it takes 3 CPU s to get to the optimum of nace_nuts3_size with the rows by single relations, without 11.
func (l *singleRow) join(ctx context.Context, list []*subtree) error {
	if len(list) == 0 {
		return nil
	}
	basis := &lp.Basis{Col: slices.Repeat([]lp.BasisStatus{lp.AtLower}, len(l.p.cand))}
	status := map[*cut]lp.BasisStatus{} // of rows that are not basic
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
			c, _ = l.pool.add(c.whole(s.p, l.p))
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
			c.age = l.m.maxAge // a third of the rows, which go at the next purge: 242.9 million after 52 CPU s in place of 61
		}
	}
	return err
}

// basis returns that of the last optimum, nil where the back end does not tell.
func (s *subtree) basis() *lp.Basis {
	keeper, can := s.m.solver.(lp.BasisKeeper)
	b := &lp.Basis{}
	if !can || keeper.Basis(b) != nil || len(b.Row) != len(s.m.cuts) {
		return nil
	}
	return b
}

// whole is c, a cut of part, which is about some cells of p, as one of p.
func (c *cut) whole(part, p *problem) *cut {
	d := &cut{idx: make([]int32, len(c.idx)), val: c.val, rhs: c.rhs, family: c.family, why: c.why}
	for t, j := range c.idx {
		d.idx[t] = p.col[part.cand[j]]
	}
	return d.seal()
}
