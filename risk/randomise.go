package risk

import (
	"context"
	"io"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// maxValues is the largest number of values of a randomised attribute.
const maxValues = 1 << 20

// ValueCounts returns the number of records of a file and, for each column, its values, sorted and as bytes of the
// file's encoding, with the number of records that have each.
func ValueCounts(ctx context.Context, path string, l Layout, columns []string) (n int64, values [][]string, counts [][]int64, err error) {
	seen := sets.List(len(columns), func(_ int) map[string]int64 { return map[string]int64{} })
	err = eachRecord(ctx, path, l, columns, nil, func(r *record) error {
		n++
		for c, v := range r.values {
			if seen[c][string(v)] == 0 && len(seen[c]) == maxValues {
				return r.fault(columns[c], v, i18n.T("more than %d values", maxValues))
			}
			seen[c][string(v)]++
		}
		return nil
	})
	for _, s := range seen {
		list := slices.Sorted(maps.Keys(s))
		number := sets.Each(list, func(v string) int64 { return s[v] })
		values, counts = append(values, list), append(counts, number)
	}
	return n, values, counts, err
}

// A Replacement is retention–replacement (維持-置換撹乱) of one column.
type Replacement struct {
	Column string
	Values []string // replacement values; they must include all values of the file
	// Declared says that Values are text to be converted to the file's encoding; otherwise they are bytes of the file.
	Declared bool
	Rho      *big.Rat // its denominator must be below 2^63
}

// Randomise writes a file to w with columns randomised, each value of each record independently: it is kept with
// probability Rho and otherwise replaced by one of Values, each equally likely. The draws are uniform integers below
// the denominator of Rho and below the number of Values, so these probabilities are exact. release.M of the release.N
// records are written. Other columns and the encoding stay.
//
// The guarantee of [Retention] and [Guarantee.K] covers the randomised columns; what other columns tell about a person
// is not covered.
func Randomise(ctx context.Context, w io.Writer, path string, l Layout, columns []Replacement, release Release, rng *rand.Rand) error {
	d, err := newDraw(release.N, release.M, rng)
	if err != nil {
		return err
	}
	m := Mixture{Replace: columns}
	return m.write(ctx, w, path, l, release, d, rng)
}

// check reports probabilities that cannot be drawn.
func (x *Replacement) check() error {
	a := Attribute{Values: int64(len(x.Values)), Rho: x.Rho}
	if err := a.Check(); err != nil {
		return i18n.Errorf("column %s: %w", x.Column, err)
	}
	if !x.Rho.Denom().IsInt64() {
		return i18n.Errorf("column %s: retention %s: want a denominator below 2^63", x.Column, x.Rho.RatString())
	}
	return nil
}

// A replacer applies a Replacement to a file.
type replacer struct {
	*Replacement
	keep, of uint64
	index    map[string]int
	texts    [][]byte // by value
}

func (x *Replacement) changer() *replacer {
	return &replacer{Replacement: x, keep: x.Rho.Num().Uint64(), of: x.Rho.Denom().Uint64()}
}

func (x *replacer) begin(f *file) (err error) {
	x.index, x.texts, err = f.spell(x.Column, x.Values, x.Declared)
	return err
}

// spell indexes values by their bytes in the file and returns their texts there. Declared values are converted to the
// file's encoding.
func (f *file) spell(column string, values []string, declared bool) (index map[string]int, texts [][]byte, err error) {
	index = map[string]int{}
	for i, v := range values {
		b := []byte(v)
		if declared {
			if b, err = f.encoded(column, v); err != nil {
				return nil, nil, err
			}
		}
		if _, dup := index[string(b)]; dup {
			return nil, nil, i18n.Errorf("column %s: value %q is declared twice", column, v)
		}
		index[string(b)] = i
		texts = append(texts, f.quote(b))
	}
	return index, texts, nil
}

// among returns the index of a value.
func (r *record) among(index map[string]int, column string, v []byte, declared bool) (int, error) {
	i, ok := index[string(v)]
	switch {
	case ok:
		return i, nil
	case declared:
		return 0, r.fault(column, v, i18n.T("not among the values declared"))
	}
	return 0, errChanged
}

func (x *replacer) change(r *record, v []byte, rng *rand.Rand) ([]byte, error) {
	i, err := r.among(x.index, x.Column, v, x.Declared)
	if err != nil {
		return nil, err
	}
	if rng.Uint64N(x.of) >= x.keep {
		i = rng.IntN(len(x.texts))
	}
	return x.texts[i], nil
}
