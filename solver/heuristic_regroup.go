package solver

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/hitoku/hitoku/table"
)

// A regrouper makes the incumbent S cheaper by solving anew for one group of sensitive cells at a time. One search
// finds the cheapest part of S that protects the other sensitive cells, with the group withheld; a second one finds the
// cheapest columns that protect the group when that part costs nothing. The union of both protects all.
//
// The improver routes levels one by one; these searches also find what the cells of a group can share, and a problem
// with few sensitive cells usually needs few nodes.
type regrouper struct {
	rng   *rand.Rand
	cells []int32 // the sensitive cells, in the order of the current pass
	next  int     // index in cells of the next group
	pass  int
	spent float64 // rounds spent so far, in units of rounds of the main search
	share float64 // part of the main search's rounds that may be spent
}

func newRegrouper(p *problem, seed uint64) *regrouper {
	r := &regrouper{rng: rand.New(rand.NewPCG(seed, 0x2545f4914f6cdd1d)), share: regroupShare}
	for i, st := range p.t.Status {
		if st == table.Sensitive {
			r.cells = append(r.cells, int32(i))
		}
	}
	r.next = len(r.cells)
	return r
}

// regroups reports whether this may pay: in tables of three or more dimensions whose relaxations are solved quickly.
func (s *search) regroups() bool {
	p := s.p
	return !p.off.regroup && !s.slow && p.m == p.n && !p.sys.IsNetwork() && p.degree() > 2
}

// regroup spends a share of the search's rounds on groups, while the gap is wide.
func (s *search) regroup(ctx context.Context) error {
	if s.groups == nil {
		s.groups = &regrouper{}
		if s.regroups() {
			s.groups = newRegrouper(s.p, s.opt.Seed)
		}
	}
	r := s.groups
	for len(r.cells) > 1 && s.nodes >= regroupFrom && float64(s.upper-s.bound) > wideGap*float64(s.upper) && r.spent < r.share*float64(s.rounds) {
		before := s.upper
		set, err := s.solveGroup(ctx, r, r.group())
		if err != nil {
			return err
		}
		if set != nil {
			if _, err := s.offer(ctx, set); err != nil {
				return err
			}
		}
		if s.upper < before {
			r.share = regroupShare
		} else {
			r.share = max(regroupLeast, r.share*regroupLoss)
		}
	}
	return nil
}

// group returns the next group. A pass divides all sensitive cells at random into groups of about a half, a quarter or
// an eighth of them.
func (r *regrouper) group() []int32 {
	if r.next == len(r.cells) {
		r.rng.Shuffle(len(r.cells), func(a, b int) { r.cells[a], r.cells[b] = r.cells[b], r.cells[a] })
		r.next = 0
		r.pass++
	}
	size := min(regroupMost, max(1, len(r.cells)>>(1+r.pass%3)))
	from := r.next
	r.next = min(len(r.cells), from+size)
	return r.cells[from:r.next]
}

// solveGroup solves the incumbent anew for the sensitive cells of group and returns the columns of a cheaper pattern,
// nil if it finds none.
func (s *search) solveGroup(ctx context.Context, r *regrouper, group []int32) ([]bool, error) {
	start := s.p.pattern(s.best)
	kept, err := s.solveFor(ctx, r, start, func(i int32, st table.Status) table.Status {
		switch {
		case st == table.Sensitive && slices.Contains(group, i):
			return table.Withheld
		case st == table.Safe && !start[i]:
			return table.Published
		}
		return st
	})
	if err != nil || kept == nil || kept.Cost >= s.upper*s.p.unit { // the other cells need all of the incumbent
		return nil, err
	}
	added, err := s.solveFor(ctx, r, start, func(i int32, st table.Status) table.Status {
		switch {
		case st == table.Sensitive && !slices.Contains(group, i), st == table.Safe && kept.Pattern[i]:
			return table.Withheld
		}
		return st
	})
	if err != nil || added == nil || kept.Cost+added.Cost >= s.upper*s.p.unit {
		return nil, err
	}
	set := make([]bool, len(s.p.cand))
	for c, i := range s.p.cand {
		set[c] = added.Pattern[i] // includes what was kept
	}
	return set, nil
}

// solveFor searches the table with changed statuses for a few nodes, from the pattern start; it returns nil if it finds
// nothing.
func (s *search) solveFor(ctx context.Context, r *regrouper, start []bool, status func(i int32, st table.Status) table.Status) (*Solution, error) {
	t := *s.p.t
	t.Status = make([]table.Status, s.p.n)
	free, sensitive := 0, 0
	for i, st := range s.p.t.Status {
		t.Status[i] = status(int32(i), st)
		switch t.Status[i] {
		case table.Safe:
			free++
		case table.Sensitive:
			sensitive++
		}
	}
	o := Options{LP: s.opt.LP, Workers: s.opt.Workers, Start: start, Seed: s.opt.Seed, nodes: regroupNodes, off: s.p.off}
	o.off.regroup = true
	sol, err := Suppress(ctx, &t, &o)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	r.spent += regroupBegin
	if err != nil {
		return nil, nil
	}
	r.spent += float64(sol.Rounds) * float64(free) / float64(len(s.p.cand)) * float64(sensitive) / float64(len(r.cells))
	return sol, nil
}
