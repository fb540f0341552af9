package solver

import (
	"context"
	"slices"
)

// Company are the cheap columns that are added to a pattern before it is cleaned. The builder's routes are cheapest one by one, and in tables with deep
// trees that makes hundreds of dear cells that some level cannot do without as long as only cells of other routes are there to take their
// place. With all cheap cells beside them the dear ones go first, and what the cheap ones leave is cheaper: reverse delete, as in
// Goemans and Williamson (A general approximation technique for constrained forest problems, SIAM Journal on Computing 24(2), 1995).
// hier16's first pattern 17.02 → 14.83 million, two5in6's 11.16 → 10.89, ninenew's below 11.41 in the time in which it came to 12.5. Where patterns are cleaned by
// classes (seriesCleaner), all columns are.

// companyFirst is the share of the columns that are company of the first pattern. Draws take one of companyShares.
const companyFirst = 0.6

var companyShares = [...]float64{0, 0.3, 0.6, 0.8}

// company adds the share of cheapest columns to set.
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

// cleanUp cleans the pattern set as built. Where trees are deep and columns many it does so class by class, with all columns as company, or, if there is no cleaner
// for that, with company of the share given, and what is left on the way is offered, as much of the time may have passed when all is done; but only where witnesses at hand prove it, as exact
// verification of all levels of ninenew takes longer than the clean-up.
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
