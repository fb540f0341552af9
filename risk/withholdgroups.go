package risk

import (
	"cmp"
	"context"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/sets"
)

// A GroupProgram is Withhold as an integer program: x_gc records of class g go to group c,
//
//	minimise Σ Cost_gc x_gc   where   Σ_c x_gc = Classes_g,   Σ_g x_gc ≥ K y_c,   0 ≤ x_gc ≤ Classes_g y_c,   y_c 0 or 1 .
//
// A group is classes that agree in all columns that are not withheld. Where the y are whole some best x is, too: what is left is a flow. Of the goal it knows K, and that a group
// needs values enough: what l and t ask for besides is asked of its solutions, and its bound is one with them.
type GroupProgram struct {
	K       uint64
	Classes []uint64 // the numbers of records of the classes
	Groups  []PossibleGroup
	Best    uint64 // the cost of the best solution known
}

// A PossibleGroup is one that could be made.
type PossibleGroup struct {
	Classes []int
	Cost    []uint64 // of a record of each class
}

// A GroupSolution is what is found of a GroupProgram.
type GroupSolution struct {
	Bound   uint64     // it is proved that no solution has less
	Records [][]uint64 // per group: the records of its classes; nil if none better than Best was found
}

// maxGroupEntries bounds the pairs of class and group of a program.
const maxGroupEntries = 200_000

// program makes the GroupProgram, nil where it has too many pairs of class and group. Of groups of the same classes it has the cheapest. Those are left out
// that no solution better than the given one has: each record of a group loses its cost, where its least would be enough.
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

// classes are those at places of the order.
func (w *withholding) classes(places []int) (list []int) {
	for _, i := range places {
		list = append(list, w.order[i])
	}
	return list
}

// closed reports whether classes differ in all columns of set: else a smaller set does for them.
func (w *withholding) closed(set uint64, list []int) bool {
	differ := uint64(0)
	for _, i := range list {
		differ |= w.apart(w.order[list[0]], w.order[i])
	}
	return differ == set
}

// spare is the least that K records of the classes lose beyond what they have to where set is withheld, more than any bound where there are fewer.
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

// errNoSolution is the error of a solver that returns what is no solution.
var errNoSolution = i18n.New("risk: a solver returned groups that are too small or lack records")

// solved reports whether every group is empty or has K records, and all records are in one.
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

// solve lets solve look for a better solution of the program, and a better bound.
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
