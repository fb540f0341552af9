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
	Rule   Kind = "rule"   // a parameter of a rule or level is relaxed by a step
	Margin Kind = "margin" // the totals of a dimension are left out
	Merge  Kind = "merge"  // two adjacent categories of one parent are merged
)

// A Change is a change that was tried, with its result.
type Change struct {
	Kind Kind
	// Field, From and To say what was changed: the field of the policy with its old and new text, or a
	// dimension. Of a margin From is its total, of a merger From and To are the two codes.
	Field, From, To string
	Outcome         *Outcome
	// Freed is by how many cells fewer are withheld; cells of a margin that is left out do not count.
	Freed int
	// Cells and Withheld are how many cells the changed table has and how many of them are withheld, without a
	// margin that is left out.
	Cells, Withheld int
	// Published says that the explained cell, or the merged cell that it becomes part of, is then published.
	Published bool
}

// maxChanges is the default of Options.Changes.
const maxChanges = 20

// change tries changes to the run.
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
		case err != nil || !out.found(): // for instance because the policy names what is left out
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
	table  *table.Table    // nil: the original table
	aside  []bool          // cells that are not published at all
	at     func(i int) int // maps cells of the original to cells of table
}

// margins plans to leave out the totals of each dimension.
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
