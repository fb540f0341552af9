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

// Messages for values of a release that cannot be compared.
const (
	noValue   = "no value of the original, and it is not known for which of them it stands"
	coarser   = "the released numbers of this column are coarser than those of the original, which they would only seem to differ from"
	elsewhere = "the released numbers of this column have other places or another range than those of the original, so they are not the same measure"
)

// fault returns an error about the value of a record.
func (r *Records) fault(k, i int, want i18n.Text) error {
	return &formats.Error{File: r.file, Line: int(r.lines[i]), Field: r.values.Names()[k], Value: formats.Show(r.values.Value(k, r.ID[k][i])), Want: want}
}

// maxDigits is the longest number for which a step is looked for.
const maxDigits = 30

// places returns the number of decimals of a number, −1 if it has an exponent or is too long to be a measured value.
func places(x string) int {
	if len(x) > maxDigits || strings.ContainsAny(x, "eE") {
		return -1
	}
	_, part, _ := strings.Cut(x, ".")
	return len(part)
}

// scaled returns |x|·10^d.
func scaled(x string, d int) *big.Int {
	whole, part, _ := strings.Cut(strings.TrimLeft(x, "+-"), ".")
	n, ok := new(big.Int).SetString("0"+whole+part+strings.Repeat("0", d-len(part)), 10)
	if !ok {
		return new(big.Int)
	}
	return n
}

// byChance returns about the chance that numbers drawn from others lie on a grid as coarse as values do, or coarser. If
// their step is r times that of the others, and a share p ≥ 1/r of the others is on the grid, n numbers are on it with
// chance p^n, and Σ (p·r/m)^n ≤ p^n·(1 + r/(n−1)) over all steps m ≥ r. It is 1 if nothing can be said of their steps.
// base is the step, 0 if there is none.
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

// byShift is byChance for numbers on a grid that does not start at 0, such as the middles or the ends of bands: their
// distances from the least of them have a coarse step. One number fewer is evidence, because one fixes the start.
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

// step returns the largest number of which all values are multiples, times 10^d.
func step(values []string, d int) *big.Int {
	g := new(big.Int)
	for _, x := range values {
		g.GCD(nil, nil, g, scaled(x, d))
	}
	return g
}

// apart reports whether all numbers of one list lie on one side of those of another.
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

// prefixes reports whether every value is a proper prefix of one of others.
func prefixes(values, others []string) bool {
	begin := map[string]bool{}
	for _, x := range others {
		for n := 1; n < len(x); n++ {
			begin[x[:n]] = true
		}
	}
	return !slices.ContainsFunc(values, func(x string) bool { return !begin[x] })
}
