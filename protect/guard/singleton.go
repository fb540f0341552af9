package guard

import (
	"context"
	"errors"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// A SingletonRule is the τ-ARGUS rule for cells with one contributor, who knows the cell's value and so learns
// another's if no third cell of the row is withheld. In each relation it examines the sensitive cells among the parts
// (not the total) and their numbers of contributors. In the cases below their sum v, an added cell, must be able to
// move up by max(v/10000, one unit of the values), so that something else in the row is withheld.
//
// It is weaker than Insiders, which considers all relations together, counts cells withheld for others too, and
// guarantees that a contributor computes no other sensitive cell exactly from the relations.
type SingletonRule struct {
	// Single: exactly two sensitive cells, each with one contributor.
	Single bool
	// Multiple: exactly two sensitive cells, one with one contributor, the other with more.
	Multiple bool
	// MinFreq is the m of the minimum frequency rule: all sensitive cells of the row together have too few
	// contributors. 0: no such test.
	MinFreq int64
	// Modular selects the MinFreq test of the τ-ARGUS method MOD instead of that of OPT. OPT: the sensitive cells
	// together have fewer than m contributors. MOD: in addition, consider the cells with one contributor or with fewer
	// than m − 1. Either more than two of these exist, or exactly two, one with a single contributor, to which Single
	// and Multiple do not apply; then v is the sum of these cells.
	Modular bool
}

// ErrNoFreq is returned for tables that do not tell which cells have one contributor.
var ErrNoFreq = i18n.New("attack: the table has no numbers of contributors")

// Sums returns the sums that the rule protects, relation by relation. t must have Freq or be a table of counts. Cost
// linear in the entries of the relations.
func (s SingletonRule) Sums(t *table.Table) ([]table.Union, error) {
	if t.Freq == nil && !t.Counts {
		return nil, ErrNoFreq
	}
	freq := protection.Contributors(t)
	if t.Layers > 1 {
		return nil, i18n.New("attack: the singleton rule is about one response, not several with a common mask")
	}
	var sums []table.Union
	for j := range t.Rel.Len() {
		cells := s.cells(t, freq, j)
		if cells == nil {
			continue
		}
		v, overflow := int64(0), false
		for _, i := range cells {
			v += t.Value[i]
			overflow = overflow || num.Abs(v) >= maxWord
		}
		if overflow {
			return nil, i18n.Errorf("attack: %s: the sum of its sensitive cells is too large", t.RelationName(j))
		}
		sums = append(sums, table.Union{Relation: j, Cells: cells, Value: v, UPL: max(1, (v+9999)/10000)})
	}
	return sums, nil
}

// Apply returns t with the cells and relations of Sums appended (see withUnions), and the number of sums.
func (s SingletonRule) Apply(t *table.Table) (u *table.Table, sums int, err error) {
	all, err := s.Sums(t)
	if err != nil {
		return nil, 0, err
	}
	return withUnions(t, all), len(all), nil
}

// cells returns the cells of relation j whose sum must be protected, nil if none; freq holds the numbers of
// contributors.
func (s SingletonRule) cells(t *table.Table, freq []int64, j int) []int32 {
	side := t.PartSign(j)
	if side == 0 {
		return nil
	}
	var all, few []int32
	total, ones := int64(0), 0
	cell, coef := t.Rel.Row(j)
	for e, i := range cell {
		if coef[e] != side || t.Status[i] != table.Sensitive || freq[i] < 0 {
			continue
		}
		all = append(all, i)
		f := freq[i]
		total += f
		if f == 1 {
			ones++
		}
		if f == 1 || f > 0 && f < s.MinFreq-1 {
			few = append(few, i)
		}
	}
	two := len(all) == 2
	switch {
	case two && ones == 2 && s.Single, two && ones == 1 && s.Multiple:
		return all
	case s.MinFreq == 0 || total == 0 || total >= s.MinFreq:
	case !s.Modular && len(all) > 1: // a sum of one cell would be that cell
		return all
	case s.Modular && (len(few) > 2 || len(few) == 2 && ones > 0):
		return few
	}
	return nil
}

// Suppress finds a pattern for t that satisfies the rule, using find (solver.Suppress or a function like it); sums is
// the number of sums protected besides the cells. The bound is valid for all patterns that satisfy the rule; witnesses
// are for the levels of t.
func (s SingletonRule) Suppress(ctx context.Context, t *table.Table, opt *solver.Options,
	find func(context.Context, *table.Table, *solver.Options) (*solver.Solution, error)) (sol *solver.Solution, sums int, err error) {
	u, sums, err := s.Apply(t)
	if err != nil {
		return nil, 0, err
	}
	sol, err = find(ctx, u, opt)
	if sol != nil && sol.Pattern != nil {
		sol.Pattern = sol.Pattern[:t.Len()]
		for _, w := range sol.Witnesses {
			drop(w, int32(t.Len()))
		}
	}
	if u := (*solver.UnprotectableError)(nil); sums > 0 && errors.As(err, &u) {
		err = i18n.Errorf("with the singleton rule, where a cell may stand for the sum of its row's sensitive cells: %w", err)
	}
	return sol, sums, err
}
