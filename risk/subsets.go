package risk

import (
	"cmp"
	"context"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
)

// maxSubsets is the largest number of sets of columns that Subsets examines.
const maxSubsets = 1 << 16

// A SubsetAnonymity is the k-anonymity by some of the quasi-identifiers.
type SubsetAnonymity struct {
	Columns []string
	K       uint64
	Classes uint64 // 0 with wildcards
	Uniques uint64
}

// Subsets measures k-anonymity by every set of at most size quasi-identifiers. Results are ordered by number of
// columns, then by smallest k and most uniques. For each set a record is left out if it is to be by the columns of that
// set. Cost: that of KAnonymity for each set, of which there may be 65,536.
func (c *Classes) Subsets(ctx context.Context, m Missing, size int) ([]SubsetAnonymity, error) {
	size = min(size, c.t.w)
	sets, term := 0, 1
	for k := 1; k <= size; k++ {
		term = term * (c.t.w - k + 1) / k
		if sets += term; sets > maxSubsets {
			return nil, i18n.Errorf("risk: more than %d sets of %d of %d columns; ask for smaller ones", maxSubsets, size, c.t.w)
		}
	}
	var all []SubsetAnonymity
	chosen := make([]int, 0, size)
	var visit func(from int) error
	visit = func(from int) error {
		for k := from; k < c.t.w; k++ {
			if err := ctx.Err(); err != nil {
				return parallel.Ended(ctx, err)
			}
			chosen = append(chosen, k)
			p := c.project(chosen)
			r, err := p.KAnonymity(ctx, m, 0)
			if err != nil {
				return err
			}
			all = append(all, SubsetAnonymity{p.columns.Names(), r.K, r.Classes, r.Uniques})
			if len(chosen) < size {
				if err := visit(k + 1); err != nil {
					return err
				}
			}
			chosen = chosen[:len(chosen)-1]
		}
		return nil
	}
	if err := visit(0); err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b SubsetAnonymity) int {
		return cmp.Or(cmp.Compare(len(a.Columns), len(b.Columns)), cmp.Compare(a.K, b.K), cmp.Compare(b.Uniques, a.Uniques))
	})
	return all, nil
}

// project returns the classes by some of the quasi-identifiers.
func (c *Classes) project(chosen []int) *Classes {
	columns := &Columns{}
	for _, k := range chosen {
		columns.names, columns.dicts = append(columns.names, c.columns.names[k]), append(columns.dicts, c.columns.dicts[k])
	}
	p := NewClasses(columns, len(chosen))
	ids := make([]uint32, len(chosen))
	for g := range c.t.n {
		row := c.t.tuple(g)
		for i, k := range chosen {
			ids[i] = row[k]
		}
		p.t.add(ids, c.t.count(g))
	}
	return p
}
