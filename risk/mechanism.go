package risk

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"

	"github.com/hitoku/hitoku/table"
)

// Mechanisms read a file twice: once for what the release depends on, and once to write it.
// The records are drawn for in their order, so the seed and the file decide everything.

// NewRand returns the randomness of a mechanism: ChaCha8 with the SHA-256 hash of the
// seed as key. Who knows the seed can undo the release. The name of the mechanism goes into
// the hash: one seed gives two mechanisms different numbers.
func NewRand(mechanism, seed string) *rand.Rand {
	return rand.New(rand.NewChaCha8(sha256.Sum256([]byte("hitoku risk " + mechanism + "\x00" + seed))))
}

// errChanged is what a second pass over a file says that does not find what the first did.
var errChanged = errors.New("the file has changed since it was read first")

// Count returns the number of records of a file.
func Count(ctx context.Context, path string, l Layout) (int64, error) {
	n := int64(0)
	err := eachRecord(ctx, path, l, nil, nil, func(*record) error { n++; return nil })
	return n, err
}

// A draw chooses m of n records, each subset equally likely, as they come: record i with
// the chance (still wanted)/(still to come). Source: Knuth, The Art of Computer Programming 2,
// 3.4.2, algorithm S. Memory O(1), one number a record.
type draw struct {
	wanted, left int64
	rng          *rand.Rand
}

func (d *draw) take() (bool, error) {
	if d.left == 0 {
		return false, errChanged
	}
	hit := int64(d.rng.Uint64N(uint64(d.left))) < d.wanted
	d.left--
	if hit {
		d.wanted--
	}
	return hit, nil
}

// end is the error of a file that is shorter than it was.
func (d *draw) end() error {
	if d.left != 0 {
		return errChanged
	}
	return nil
}

func newDraw(n, m int64, rng *rand.Rand) (*draw, error) {
	return &draw{m, n, rng}, CheckSample(n, m)
}

// A Release says how much of a file is published, and in which order.
type Release struct {
	N int64 // records of the file
	M int64 // of them published, drawn without replacement
	// Shuffle publishes the records in random order. The guarantees presume that the
	// order tells nothing; without it the records stay in that of the file. It keeps the
	// release in memory.
	Shuffle bool
}

// A sink takes the text before the first record, and then records.
type sink struct {
	w       io.Writer
	rng     *rand.Rand
	keep    bool // records, to shuffle them
	records [][]byte
}

func (s *sink) head(prefix []byte, _ *file) error {
	_, err := s.w.Write(prefix)
	return err
}

func (s *sink) put(record []byte) error {
	if s.keep {
		s.records = append(s.records, bytes.Clone(record))
		return nil
	}
	_, err := s.w.Write(record)
	return err
}

// end writes what is kept, all orders equally likely.
func (s *sink) end() error {
	s.rng.Shuffle(len(s.records), func(i, j int) { s.records[i], s.records[j] = s.records[j], s.records[i] })
	for _, r := range s.records {
		if _, err := s.w.Write(r); err != nil {
			return err
		}
	}
	return nil
}

// Sample writes m of the n records of a file to w, byte by byte as they stand. Blank lines
// are left out.
func Sample(ctx context.Context, w io.Writer, path string, l Layout, release Release, rng *rand.Rand) error {
	d, err := newDraw(release.N, release.M, rng)
	if err != nil {
		return err
	}
	out := sink{w: w, rng: rng, keep: release.Shuffle}
	err = eachRecord(ctx, path, l, nil, out.head, func(r *record) error {
		hit, err := d.take()
		if hit {
			err = out.put(r.text)
		}
		return err
	})
	if err == nil {
		err = d.end()
	}
	if err == nil {
		err = out.end()
	}
	return err
}

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

// A Replacement is retention–replacement of one column.
type Replacement struct {
	Column string
	Values []string // by which it is replaced; all values of the file must be among them
	// Declared says that Values are text to be encoded like the file; else they are bytes
	// of the file.
	Declared bool
	Rho      *big.Rat // its denominator must be below 2^63
}

// Randomise writes a file to w with columns randomised, each value of each record by
// itself: it is kept with chance Rho exactly and otherwise replaced by one of Values, each
// equally likely. m of the n records are written. Other columns and the encoding stay.
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
	out := sink{w: w, rng: rng, keep: release.Shuffle}
	before := func(prefix []byte, f *file) error {
		for c, x := range columns {
			index[c] = map[string]int{}
			for i, v := range x.Values {
				b := []byte(v)
				if x.Declared {
					var ok bool
					if b, ok = encode(v, f.encoding); !ok {
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

// encode writes text in an encoding; ok is false where it cannot be.
func encode(text, encoding string) (b []byte, ok bool) {
	switch encoding {
	case "cp932":
		b, err := japanese.ShiftJIS.NewEncoder().Bytes([]byte(text))
		return b, err == nil
	case "cp1252":
		b, err := charmap.Windows1252.NewEncoder().Bytes([]byte(text))
		return b, err == nil
	}
	return []byte(text), true
}

// A Span is what a column of numbers has in a file.
type Span struct {
	Min, Max table.Decimal
	Decimals int // the most of a value
}

// Length is Max − Min.
func (s Span) Length() *big.Rat { return new(big.Rat).Sub(rational(s.Max), rational(s.Min)) }

// rational is a decimal as a fraction.
func rational(d table.Decimal) *big.Rat {
	return new(big.Rat).SetFrac(big.NewInt(d.Unscaled), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d.Scale)), nil))
}

// nearest is the float64 nearest to d.
func nearest(d table.Decimal) float64 {
	if -1<<53 < d.Unscaled && d.Unscaled < 1<<53 {
		return float64(d.Unscaled) / math.Pow10(d.Scale) // both are exact
	}
	return float(rational(d))
}

func compareDecimals(a, b table.Decimal) int {
	scale := max(a.Scale, b.Scale)
	x, okX := a.At(scale)
	y, okY := b.At(scale)
	if okX && okY {
		return cmp.Compare(x, y)
	}
	return rational(a).Cmp(rational(b))
}

// number reads a value that gets noise.
func (r *record) number(column string, v []byte) (table.Decimal, error) {
	d, err := table.ParseDecimal(string(v))
	if err != nil {
		return d, r.fault(column, v, err.Error())
	}
	if bytes.IndexByte(v, ',') >= 0 {
		return d, r.fault(column, v, "want a decimal point")
	}
	return d, nil
}

// Spans returns the number of records of a file and the span of each column. Every value
// must be a number.
func Spans(ctx context.Context, path string, l Layout, columns []string) (n int64, spans []Span, err error) {
	spans = make([]Span, len(columns))
	err = eachRecord(ctx, path, l, columns, nil, func(r *record) error {
		for c, v := range r.values {
			x, err := r.number(columns[c], v)
			if err != nil {
				return err
			}
			s := &spans[c]
			if n == 0 || compareDecimals(x, s.Min) < 0 {
				s.Min = x
			}
			if n == 0 || compareDecimals(x, s.Max) > 0 {
				s.Max = x
			}
			if i := bytes.IndexByte(v, '.'); i >= 0 {
				s.Decimals = max(s.Decimals, len(bytes.TrimRight(v, " "))-i-1)
			}
			s.Decimals = max(s.Decimals, x.Scale)
		}
		n++
		return nil
	})
	return n, spans, err
}

// A Perturbation is Laplace noise on one column.
type Perturbation struct {
	Column   string
	Min, Max table.Decimal // no value may lie outside
	Scale    float64       // 0: none
	Digits   int           // decimals of the result, to which it is rounded
	Clamp    bool          // bring the result back to Min … Max
}

// Perturb writes a file to w with noise of density exp(−|x|/Scale)/(2·Scale) added to columns, each
// value by itself. Rounding and clamping come after and keep the guarantee of
// [LaplaceK] with D/σ = Σ (Max−Min)/Scale. Other columns and the encoding stay. All
// records are written: M is not looked at.
//
// Results are computed in floating point, so they have about 16 digits: a guarantee for
// real numbers holds for them as far as Digits does not ask for more.
func Perturb(ctx context.Context, w io.Writer, path string, l Layout, columns []Perturbation, release Release, rng *rand.Rand) error {
	names := make([]string, len(columns))
	for c, x := range columns {
		names[c] = x.Column
		if !(x.Scale >= 0) || math.IsInf(x.Scale, 0) {
			return fmt.Errorf("column %s: scale %g, want at least 0", x.Column, x.Scale)
		}
		if x.Digits < 0 || x.Digits > table.MaxDecimals {
			return fmt.Errorf("column %s: %d decimals, want 0 to %d", x.Column, x.Digits, table.MaxDecimals)
		}
	}
	out := sink{w: w, rng: rng, keep: release.Shuffle}
	to := make([][]byte, len(columns))
	var text []byte
	n := release.N
	err := eachRecord(ctx, path, l, names, out.head, func(r *record) error {
		n--
		for c, v := range r.values {
			p := &columns[c]
			x, err := r.number(names[c], v)
			if err != nil {
				return err
			}
			if compareDecimals(x, p.Min) < 0 || compareDecimals(x, p.Max) > 0 {
				return r.fault(names[c], v, fmt.Sprintf("outside the range %s to %s", p.Min, p.Max))
			}
			y := nearest(x) + p.Scale*laplace(rng)
			if p.Clamp {
				y = min(max(y, nearest(p.Min)), nearest(p.Max))
			}
			to[c] = strconv.AppendFloat(to[c][:0], y, 'f', p.Digits, 64)
			if !bytes.ContainsAny(to[c], "123456789") {
				to[c] = bytes.TrimPrefix(to[c], []byte{'-'}) // no −0
			}
		}
		text = r.with(text[:0], to)
		return out.put(text)
	})
	if err == nil && n != 0 {
		err = errChanged
	}
	if err == nil {
		err = out.end()
	}
	return err
}

// laplace draws from the density exp(−|x|)/2: a sign, and as many times ln 2 as a coin
// falls on one side before the other, and the rest below ln 2. So it has no largest
// value, unlike the logarithm of a number of 53 bits.
func laplace(rng *rand.Rand) float64 {
	halves := 0
	u := rng.Uint64()
	for ; u == 0; u = rng.Uint64() {
		halves += 64
	}
	halves += bits.LeadingZeros64(u)
	x := float64(halves)*math.Ln2 - math.Log1p(-rng.Float64()/2)
	if rng.Uint64()&1 == 0 {
		return -x
	}
	return x
}
