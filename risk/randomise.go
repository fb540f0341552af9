package risk

import (
	"context"
	"fmt"
	"github.com/hitoku/hitoku/internal/records"
	"io"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
)

// maxValues is the most values of a randomised attribute.
const maxValues = 1 << 20

// ValueSets returns the number of records of a file and the values that each column has in
// it, sorted, as bytes of the file's encoding.
func ValueSets(ctx context.Context, path string, l Layout, columns []string) (n int64, values [][]string, err error) {
	seen := make([]map[string]bool, len(columns))
	for c := range seen {
		seen[c] = map[string]bool{}
	}
	err = eachRecord(ctx, path, l, columns, nil, func(r *record) error {
		n++
		for c, v := range r.values {
			if !seen[c][string(v)] {
				if len(seen[c]) == maxValues {
					return r.fault(columns[c], v, fmt.Sprintf("more than %d values", maxValues))
				}
				seen[c][string(v)] = true
			}
		}
		return nil
	})
	for _, s := range seen {
		var list []string
		for v := range s {
			list = append(list, v)
		}
		slices.Sort(list)
		values = append(values, list)
	}
	return n, values, err
}

// A Replacement is retention–replacement (維持-置換撹乱) of one column.
type Replacement struct {
	Column string
	Values []string // by which it is replaced; all values of the file must be among them
	// Declared says that Values are text to be encoded like the file; else they are bytes
	// of the file.
	Declared bool
	Rho      *big.Rat // its denominator must be below 2^63
}

// Randomise writes a file to w with columns randomised, each value of each record by
// itself: it is kept with chance Rho and otherwise replaced by one of Values, each
// equally likely, by whole numbers that are uniform below the denominator of Rho and the number
// of Values: the chances are these exactly. m of the n records are written. Other columns and the encoding stay.
//
// The guarantee of [Retention] and [Guarantee.K] is that of the columns randomised; what
// other columns tell of a person is not covered.
func Randomise(ctx context.Context, w io.Writer, path string, l Layout, columns []Replacement, release Release, rng *rand.Rand) error {
	d, err := newDraw(release.N, release.M, rng)
	if err != nil {
		return err
	}
	names := make([]string, len(columns))
	keep, of := make([]uint64, len(columns)), make([]uint64, len(columns))
	for c, x := range columns {
		a := Attribute{Values: int64(len(x.Values)), Rho: x.Rho}
		if err := a.Check(); err != nil {
			return fmt.Errorf("column %s: %w", x.Column, err)
		}
		if !x.Rho.Denom().IsInt64() {
			return fmt.Errorf("column %s: retention %s: want a denominator below 2^63", x.Column, x.Rho.RatString())
		}
		names[c] = x.Column
		keep[c], of[c] = x.Rho.Num().Uint64(), x.Rho.Denom().Uint64()
	}
	texts := make([][][]byte, len(columns)) // by value
	index := make([]map[string]int, len(columns))
	out := release.sink(w, rng)
	before := func(prefix []byte, f *file) error {
		for c, x := range columns {
			index[c] = map[string]int{}
			for i, v := range x.Values {
				b := []byte(v)
				if x.Declared {
					var ok bool
					if b, ok = records.Encode([]byte(v), f.encoding); !ok {
						return fmt.Errorf("column %s: value %q cannot be written in %s", x.Column, v, strings.ToUpper(f.encoding))
					}
				}
				if _, dup := index[c][string(b)]; dup {
					return fmt.Errorf("column %s: value %q is declared twice", x.Column, v)
				}
				index[c][string(b)] = i
				texts[c] = append(texts[c], f.quote(b))
			}
		}
		return out.head(prefix, f)
	}
	to := make([][]byte, len(columns))
	var text []byte
	err = eachRecord(ctx, path, l, names, before, func(r *record) error {
		hit, err := d.take()
		if err != nil {
			return err
		}
		for c, v := range r.values {
			i, ok := index[c][string(v)]
			switch {
			case !ok && columns[c].Declared:
				return r.fault(names[c], v, "not among the values declared")
			case !ok:
				return errChanged
			}
			if rng.Uint64N(of[c]) >= keep[c] {
				i = rng.IntN(len(texts[c]))
			}
			to[c] = texts[c][i]
		}
		if !hit {
			return nil
		}
		text = r.with(text[:0], to)
		return out.put(text)
	})
	if err == nil {
		err = d.end()
	}
	if err == nil {
		err = out.end()
	}
	return err
}
