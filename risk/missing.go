package risk

import (
	"context"
	"math/bits"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/sets"
)

// A MissingMode says what a missing quasi-identifier means.
type MissingMode string

const (
	// Own: missing is a value like others, equal to itself. Different markers are different values.
	Own MissingMode = "own"
	// Drop: records with a missing quasi-identifier are left out, and counted.
	Drop MissingMode = "drop"
	// Wildcard: a missing value is compatible with every value. The frequency of a record is the number of records
	// compatible with it, itself included. This overstates safety if values were suppressed because they were rare.
	Wildcard MissingMode = "wildcard"
	// Suppressed: like Own, but records without any quasi-identifier are left out and counted. ARX counts records
	// suppressed as a whole in this way.
	Suppressed MissingMode = "suppressed"
)

// Missing says which values mark a missing one and what missing means.
type Missing struct {
	Mode    MissingMode // empty: own
	Markers []string
}

func (m Missing) check(modes ...MissingMode) error {
	if m.Mode == "" || slices.Contains(modes, m.Mode) || m.Mode == Suppressed && slices.Contains(modes, Drop) {
		return nil
	}
	if m.Mode == Wildcard {
		return i18n.New("risk: missing values as wildcards are not defined for this metric, want own or drop")
	}
	return i18n.Errorf("risk: missing mode %q, want own, drop, suppressed or wildcard", m.Mode)
}

// patterns returns for every class the set of its missing columns, as bits.
func (c *Classes) patterns(markers []string) []uint64 {
	p := make([]uint64, c.t.n)
	for k := range c.t.w {
		ids := c.columns.ids(k, markers)
		if len(ids) == 0 {
			continue
		}
		for g := range p {
			if slices.Contains(ids, c.t.tuple(g)[k]) {
				p[g] |= 1 << k
			}
		}
	}
	return p
}

// all returns the pattern of a record without any value.
func (c *Classes) all() uint64 { return ^uint64(0) >> (maxColumns - c.t.w) }

// byPattern returns the patterns of missing columns that occur, and the classes of each.
func byPattern(pattern []uint64) (patterns []uint64, of map[uint64][]int) {
	of = map[uint64][]int{}
	for g, p := range pattern {
		if of[p] == nil {
			patterns = append(patterns, p)
		}
		of[p] = append(of[p], g)
	}
	slices.Sort(patterns)
	return patterns, of
}

// compatible returns for every class the sum of x over the classes compatible with it; two classes are compatible if in
// every column they are equal or one is missing. It goes through the pairs of patterns that occur: for such a pair the
// columns missing in neither decide, and classes with equal projections onto these are compatible. The relation is
// symmetric, so the classes of both patterns get each other's sums. plus adds b to a. Cost: the number of patterns
// times the number of classes; more than maxCompatible of that is an error. If ctx ends, the error wraps ctx.Err().
func compatible[T any](ctx context.Context, c *Classes, pattern []uint64, x []T, plus func(a *T, b T)) ([]T, error) {
	patterns, of := byPattern(pattern)
	if len(patterns) > maxCompatible/max(1, len(x)) {
		return nil, i18n.Errorf("risk: %d patterns of missing values in %d different records are too many for wildcards; fewer quasi-identifiers, or missing values as own or drop, can be measured", len(patterns), len(x))
	}
	sum := make([]T, len(x))
	for i, p := range patterns {
		for _, q := range patterns[:i+1] {
			if err := ctx.Err(); err != nil {
				return nil, parallel.Ended(ctx, err)
			}
			var columns []int
			for k := range c.t.w {
				if (p|q)>>k&1 == 0 {
					columns = append(columns, k)
				}
			}
			t := newTally(len(columns))
			tuple := make([]uint32, len(columns))
			project := func(g int) []uint32 {
				row := c.t.tuple(g)
				for n, k := range columns {
					tuple[n] = row[k]
				}
				return tuple
			}
			var left, right []T // sums over the classes of p and of q by projection
			at := make([]int, len(of[p]))
			for n, g := range of[p] {
				at[n] = t.add(project(g), 1)
				if at[n] == len(left) {
					left = append(left, *new(T))
				}
				plus(&left[at[n]], x[g])
			}
			if p == q {
				right = left
			} else {
				right = make([]T, len(left))
				for _, g := range of[q] {
					if k := t.find(project(g)); k >= 0 {
						plus(&right[k], x[g])
						plus(&sum[g], left[k])
					}
				}
			}
			for n, g := range of[p] {
				plus(&sum[g], right[at[n]])
			}
		}
	}
	return sum, nil
}

// maxCompatible bounds the steps of compatible, to a few hours.
const maxCompatible = 1 << 40

// wildcards returns for every class how many records are compatible with it.
func (c *Classes) wildcards(ctx context.Context, pattern []uint64) ([]uint64, error) {
	x := sets.List(c.t.n, c.t.count)
	return compatible(ctx, c, pattern, x, func(a *uint64, b uint64) { *a += b })
}

// Frequencies returns for every class the frequency of its records under m: the size of the class, 0 if m leaves it
// out, or the number of compatible records, which may take long. If ctx ends, it returns an error that wraps ctx.Err().
func (c *Classes) Frequencies(ctx context.Context, m Missing) ([]uint64, error) {
	f, _, err := c.frequencies(ctx, m)
	return f, err
}

// missingCount is the number of records with missing values in a table.
type missingCount struct {
	records  uint64 // records with a missing quasi-identifier
	all      uint64 // records of which all quasi-identifiers are missing
	excluded uint64
}

func (c *Classes) frequencies(ctx context.Context, m Missing) (f []uint64, n missingCount, err error) {
	if err := m.check(Own, Drop, Wildcard); err != nil {
		return nil, n, err
	}
	pattern := c.patterns(m.Markers)
	f = make([]uint64, c.t.n)
	for g := range f {
		f[g] = c.t.count(g)
		if bits.OnesCount64(pattern[g]) == 0 {
			continue
		}
		n.records += f[g]
		if pattern[g] == c.all() {
			n.all += f[g]
		}
		if m.Mode == Drop || m.Mode == Suppressed && pattern[g] == c.all() {
			n.excluded += f[g]
			f[g] = 0
		}
	}
	if m.Mode == Wildcard {
		f, err = c.wildcards(ctx, pattern)
	}
	return f, n, err
}
