package compare

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// What is wanted where a value of a release cannot be compared.
const (
	noValue   = "no value of the original, and it is not known for which of them it stands"
	coarser   = "the released numbers of this column are coarser than those of the original, which they would only seem to differ from"
	elsewhere = "the released numbers of this column have other places or another range than those of the original, so they are not the same measure"
)

// fault is about the value of a record.
func (r *Records) fault(k, i int, want i18n.Text) error {
	return &formats.Error{File: r.file, Line: int(r.lines[i]), Field: r.values.Names()[k], Value: formats.Show(r.values.Value(k, r.ID[k][i])), Want: want}
}

// maxDigits is the longest number of which a step is looked for.
const maxDigits = 30

// places are the digits behind the point of a number, −1 where it is written with an exponent or is longer than a measure would be.
func places(x string) int {
	if len(x) > maxDigits || strings.ContainsAny(x, "eE") {
		return -1
	}
	_, part, _ := strings.Cut(x, ".")
	return len(part)
}

// scaled is a number times 10^d, without its sign.
func scaled(x string, d int) *big.Int {
	whole, part, _ := strings.Cut(strings.TrimLeft(x, "+-"), ".")
	n, ok := new(big.Int).SetString("0"+whole+part+strings.Repeat("0", d-len(part)), 10)
	if !ok {
		return new(big.Int)
	}
	return n
}

// byChance is about how likely numbers are to be on a grid as coarse as they are, or coarser, if they were drawn from others: with r times
// the step of the others, of which a share p of 1/r or more is on the grid, p^n for n numbers, and Σ (p·r/m)^n ≤ p^n·(1 + r/(n−1)) over all
// steps m ≥ r. It is 1 where nothing can be told of their steps. base is the step, 0 where there is none.
func byChance(values, others []string) (chance, base float64) {
	d := 0
	for _, x := range slices.Concat(values, others) {
		n := places(x)
		if n < 0 {
			return 1, 0
		}
		d = max(d, n)
	}
	step, unit := step(values, d), step(others, d)
	base, _ = new(big.Rat).SetFrac(step, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d)), nil)).Float64()
	if len(values) < 2 || step.Sign() == 0 || unit.Sign() == 0 || step.Cmp(unit) <= 0 {
		return 1, base
	}
	on := sets.Count(others, func(x string) bool { return new(big.Int).Rem(scaled(x, d), step).Sign() == 0 })
	r, _ := new(big.Rat).SetFrac(step, unit).Float64()
	n := float64(len(values))
	return math.Pow(max(float64(on)/float64(len(others)), 1/r), n) * (1 + r/(n-1)), base
}

// byShift is byChance of numbers that are as coarse in their distances, from the least of them on, as the middles or the ends of bands are; one of them tells from where.
func byShift(values, others []string) (chance, base, least float64) {
	d := 0
	for _, x := range slices.Concat(values, others) {
		n := places(x)
		if n < 0 || strings.HasPrefix(x, "-") {
			return 1, 0, 0
		}
		d = max(d, n)
	}
	var low *big.Int
	for _, x := range values {
		if n := scaled(x, d); low == nil || n.Cmp(low) < 0 {
			low = n
		}
	}
	step, unit := new(big.Int), step(others, d)
	for _, x := range values {
		step.GCD(nil, nil, step, new(big.Int).Sub(scaled(x, d), low))
	}
	if len(values) < 4 || step.Sign() == 0 || unit.Sign() == 0 || step.Cmp(unit) <= 0 {
		return 1, 0, 0
	}
	on := sets.Count(others, func(x string) bool { return new(big.Int).Mod(new(big.Int).Sub(scaled(x, d), low), step).Sign() == 0 })
	r, _ := new(big.Rat).SetFrac(step, unit).Float64()
	n := float64(len(values) - 1)
	unscaled := func(x *big.Int) float64 {
		f, _ := new(big.Rat).SetFrac(x, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d)), nil)).Float64()
		return f
	}
	return math.Pow(max(float64(on)/float64(len(others)), 1/r), n) * (1 + r/(n-1)), unscaled(step), unscaled(low)
}

// step is the largest number of which all values are multiples, times 10^d.
func step(values []string, d int) *big.Int {
	g := new(big.Int)
	for _, x := range values {
		g.GCD(nil, nil, g, scaled(x, d))
	}
	return g
}

// apart says that all numbers of one list lie on one side of those of another.
func apart(a, b []float64) bool {
	ends := func(list []float64) (low, high float64) {
		low, high = math.Inf(1), math.Inf(-1)
		for _, x := range list {
			if !math.IsNaN(x) {
				low, high = min(low, x), max(high, x)
			}
		}
		return low, high
	}
	low, high := ends(a)
	from, to := ends(b)
	return to < low || from > high
}

// prefixes says that every value is the beginning of a longer one of others.
func prefixes(values, others []string) bool {
	begin := map[string]bool{}
	for _, x := range others {
		for n := 1; n < len(x); n++ {
			begin[x[:n]] = true
		}
	}
	return !slices.ContainsFunc(values, func(x string) bool { return !begin[x] })
}
