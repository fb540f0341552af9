package risk

import (
	"cmp"
	"context"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/sets"
)

// A GroupProgram is Withhold as an integer program, where x_gc records of class g go to group c:
//
//	minimise Σ Cost_gc x_gc   where   Σ_c x_gc = Classes_g,   Σ_g x_gc ≥ K y_c,   0 ≤ x_gc ≤ Classes_g y_c,   y_c 0 or 1 .
//
// A group contains classes that agree in all columns that are not withheld. For integral y some optimal x is integral,
// as what remains is a flow. Of the goal it represents K, and that a group needs enough values; what l and t require in
// addition is checked for its solutions, so its bound is valid with them.
type GroupProgram struct {
	K       uint64
	Classes []uint64 // number of records of each class
	Groups  []PossibleGroup
	Best    uint64 // cost of the best known solution
}

// A PossibleGroup is a group that may be formed.
type PossibleGroup struct {
	Classes []int
	Cost    []uint64 // cost of a record of each class
}

// A GroupSolution is the result of solving a GroupProgram.
type GroupSolution struct {
	Bound   uint64     // it is proved that no solution costs less
	Records [][]uint64 // by group: the number of records of each of its classes; nil if none better than Best was found
}

// maxGroupEntries bounds the pairs of class and group of a program.
const maxGroupEntries = 200_000

// program makes the GroupProgram, nil if it has too many pairs of class and group. Of groups with the same classes it
// has the cheapest. It omits groups that no solution better than the given one can contain, because each record of a
// group pays its cost where its lower bound would suffice.
func (w *withholding) program(r *Suppression) (*GroupProgram, error) {
	best := w.cost(r.groups)
	p := &GroupProgram{K: w.k, Best: best}
	for _, g := range w.order {
		p.Classes = append(p.Classes, w.f[g])
	}
	entries := 0
	for _, set := range w.sets {
		if err := w.ctx.Err(); err != nil {
			return nil, parallel.Ended(w.ctx, err)
		}
		number, n := w.project(set, w.order)
		for _, list := range w.lists(number, n, sets.Upto(len(w.order))) {
			if w.closed(set, list) && w.spare(set, list) < best-r.Bound && (w.plain() || w.could(w.classes(list))) {
				x := PossibleGroup{Classes: list}
				for _, g := range w.classes(list) {
					x.Cost = append(x.Cost, w.of(set, g))
				}
				p.Groups = append(p.Groups, x)
				entries += len(list)
			}
		}
		if entries > maxGroupEntries {
			return nil, nil
		}
	}
	return p, nil
}

// classes returns the classes at the given positions of order.
func (w *withholding) classes(places []int) (list []int) {
	for _, i := range places {
		list = append(list, w.order[i])
	}
	return list
}

// closed reports whether classes differ in all columns of set; otherwise a smaller set suffices for them.
func (w *withholding) closed(set uint64, list []int) bool {
	differ := uint64(0)
	for _, i := range list {
		differ |= w.apart(w.order[list[0]], w.order[i])
	}
	return differ == set
}

// spare returns the least cost beyond their lower bounds of K records of the classes if set is withheld; more than any
// bound if there are fewer than K.
func (w *withholding) spare(set uint64, list []int) (n uint64) {
	more := func(i int) uint64 { return w.of(set, w.order[i]) - min(w.of(set, w.order[i]), w.least[w.order[i]]) }
	by := slices.Clone(list)
	slices.SortStableFunc(by, func(a, b int) int { return cmp.Compare(more(a), more(b)) })
	want := w.k
	for _, i := range by {
		take := min(want, w.f[w.order[i]])
		n += take * more(i)
		want -= take
	}
	if want > 0 {
		return 1 << 62
	}
	return n
}

// errNoSolution is the error if a solver returns something that is not a solution.
var errNoSolution = i18n.New("risk: a solver returned groups that are too small or lack records")

// solved reports whether every group is empty or has at least K records, and every record is in one group.
func (p *GroupProgram) solved(s *GroupSolution) bool {
	if len(s.Records) != len(p.Groups) {
		return false
	}
	of := make([]uint64, len(p.Classes))
	for c, list := range s.Records {
		size := uint64(0)
		if len(list) != len(p.Groups[c].Classes) {
			return false
		}
		for i, n := range list {
			of[p.Groups[c].Classes[i]] += n
			size += n
		}
		if size > 0 && size < p.K {
			return false
		}
	}
	return slices.Equal(of, p.Classes)
}

// solve calls the given solver to improve the solution and the bound.
func (w *withholding) solve(r *Suppression, solve func(context.Context, *GroupProgram) (*GroupSolution, error)) error {
	p, err := w.program(r)
	if err != nil || p == nil {
		return err
	}
	s, err := solve(w.ctx, p)
	if err != nil {
		return err
	}
	if s.Records != nil {
		if !p.solved(s) {
			return errNoSolution
		}
		var groups []*starGroup
		reached := true
		for c, list := range s.Records {
			x := &starGroup{member: map[int]uint64{}}
			for i, n := range list {
				if n > 0 {
					x.member[w.order[p.Groups[c].Classes[i]]] += n
					x.size += n
				}
			}
			if x.size > 0 {
				x.set = w.differ(x)
				groups = append(groups, x)
				reached = reached && w.meets(eachOf(x))
			}
		}
		if reached {
			r.groups = groups
		}
	}
	r.Bound = max(r.Bound, min(s.Bound, w.cost(r.groups)))
	r.Optimal = r.Bound == w.cost(r.groups)
	return nil
}
