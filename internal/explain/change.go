package explain

import (
	"cmp"
	"context"
	"slices"

	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table"
)

// A Kind is what a change is about.
type Kind string

// The kinds of changes.
const (
	Rule   Kind = "rule"   // a parameter of a rule or level is a step milder
	Margin Kind = "margin" // the totals of a dimension are left out
	Merge  Kind = "merge"  // two categories of one parent, one next to the other, are one
)

// A Change is one that was tried.
type Change struct {
	Kind Kind
	// Field and From, To are the field of the policy and its texts, or the dimension and the codes: of a margin From is the total, of a merger
	// From and To are the two.
	Field, From, To string
	Outcome         *Outcome
	// Freed is how many cells fewer are withheld, those of a margin that is left out aside.
	Freed int
	// Cells and Withheld are the numbers of cells of the table then, and of those withheld, a margin that is left out aside.
	Cells, Withheld int
	// Published says that the cell explained is published then; of merged categories, the cell that it becomes part of.
	Published bool
}

// maxChanges is the default of Options.Changes.
const maxChanges = 20

// change tries changes.
func (e *Explanation) change(ctx context.Context, r *runner) error {
	plans := append(e.milder(r), e.margins(r)...)
	plans = append(plans, e.mergers(r)...)
	most := cmp.Or(r.o.Changes, maxChanges)
	plans = plans[:min(len(plans), most)]
	for n, plan := range plans {
		limit := r.share(len(plans) - n)
		if limit < 0 {
			e.Untried = len(plans) - n
			break
		}
		out, err := r.run(ctx, plan.policy, plan.table, limit, false)
		switch {
		case ctx.Err() != nil:
			return parallel.Ended(ctx, context.Cause(ctx))
		case err != nil || !out.found(): // as where the policy names what is left out
			e.NoPattern++
			continue
		}
		c := plan.Change
		c.Outcome, c.Cells, c.Withheld = out, out.Table.Len(), out.Withheld()
		if aside := plan.aside; aside != nil {
			for i, w := range e.Base.Solution.Pattern {
				if aside[i] {
					c.Cells--
				} else if w {
					c.Freed++
				}
			}
			for i, w := range out.Solution.Pattern {
				if w && aside[i] {
					c.Withheld--
				}
			}
			c.Freed -= c.Withheld
		} else {
			c.Freed = e.Base.Withheld() - c.Withheld
		}
		at := e.Cell
		if plan.at != nil {
			at = plan.at(e.Cell)
		}
		c.Published = at >= 0 && !out.Solution.Pattern[at]
		e.Changes = append(e.Changes, c)
	}
	slices.SortStableFunc(e.Changes, func(a, b Change) int { return cmp.Compare(b.Freed, a.Freed) })
	return nil
}

// A plan is a change to be tried.
type plan struct {
	Change
	policy protect.Policy
	table  *table.Table    // nil: as it is
	aside  []bool          // cells that are not published at all
	at     func(i int) int // where a cell is in table
}

// margins leaves out the totals of each dimension.
func (e *Explanation) margins(r *runner) []plan {
	t := r.in.Table
	var plans []plan
	for d := range t.Dims {
		c := plan{Change: Change{Kind: Margin, Field: t.Dims[d].Name, From: t.Dims[d].Total()}, policy: r.p, aside: make([]bool, t.Len())}
		published := map[int]bool{}
		if open, err := t.FindCells(r.p.Publish); err == nil {
			for _, i := range open {
				published[i] = true
			}
		}
		left := 0
		c.policy.Withhold = slices.Clone(r.p.Withhold)
		for i := range t.Len() {
			if t.Coord[i*len(t.Dims)+d] == 0 {
				c.aside[i] = true
				left++
				if published[i] {
					left = 0
					break
				}
				c.policy.Withhold = append(c.policy.Withhold, codes(t, i))
			}
		}
		if left > 0 && left < t.Len() {
			plans = append(plans, c)
		}
	}
	return plans
}
