package solver

import (
	"context"
	"slices"
)

// Company is a set of cheap columns added to a pattern before it is cleaned. The builder's routes are cheapest one by
// one; in tables with deep trees this leaves hundreds of dear cells in the pattern that no cell of another route can
// replace. With the cheap columns added, cleaning drops the dear ones first and the resulting pattern is cheaper:
// reverse delete, as in Goemans and Williamson (A general approximation technique for constrained forest problems, SIAM
// Journal on Computing 24(2), 1995). Where patterns are cleaned by classes (seriesCleaner), all columns are company.

// company adds the cheapest columns, the given share of all, to set.
func (s *search) company(set []bool, share float64) {
	p := s.p
	costs := slices.Clone(p.cost)
	slices.Sort(costs)
	n := int(share * float64(len(costs)))
	if n == 0 {
		return
	}
	for c, w := range p.cost {
		set[c] = set[c] || w <= costs[n-1]
	}
}

// cleanUp cleans the newly built pattern set. In tables with deep trees and many columns it does so by classes, with
// all columns as company, or, if there is no cleaner by classes, with the given share as company. As that may take most
// of the time, it offers intermediate patterns, but only those proved by known witnesses: exact verification of all
// levels of a large table takes longer than the clean-up.
func (s *search) cleanUp(ctx context.Context, set []bool, budget, share float64) error {
	if !s.slow || s.p.off.company {
		return s.b.clean(ctx, set, budget)
	}
	by, err := s.classes(ctx)
	if err != nil {
		return err
	}
	if by != nil {
		s.company(set, 1)
		return s.cleanClasses(ctx, by, set)
	}
	s.company(set, share)
	return s.b.cleanAll(ctx, set, budget, func(left []bool) error {
		if proved, _ := s.b.solutions.proved(s.p.pattern(left), s.b.wit); slices.Contains(proved, false) {
			return nil
		}
		_, err := s.offer(ctx, left)
		s.report(false)
		return err
	})
}
