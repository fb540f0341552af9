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
	emptied   = "empty where the original has a value, and it is not known that it stands for every one"
	coarser   = "the released numbers of this column are coarser than those of the original, which they would only seem to differ from"
	elsewhere = "the released numbers of this column have other places or another range than those of the original, so they are not the same measure"
)

// Comparable returns an error, a *formats.Error with the place of the value, where a column of a release has values of which it is not known
// what they stand for: bands, prefixes, marks, categories that the original does not have, empty fields for values that were taken out, numbers
// that were rounded or cut. Compared with the original they would be unequal to the very values that they were made of, and whoever can read them
// would link them all the same. Where numbers differ as noise and swapping have it they are compared by distance and nothing is said.
// truth is as for [ByDistance], nil where it is not known. Both are as Read returned them.
//
// That numbers are coarser is concluded where their step is one that numbers drawn from those of the original have with a chance below a
// thousandth, or below 0.05 where some is no value of the original.
func Comparable(original, release *Records, k int, truth []int32) error {
	have := map[uint32]bool{}
	blank := uint32(math.MaxUint32)
	if id, ok := original.values.Find(k, ""); ok {
		blank = id
	}
	for _, id := range original.ID[k] {
		have[id] = true
	}
	for i, id := range release.ID[k] {
		known := truth != nil && truth[i] >= 0
		if id == blank && (known && original.ID[k][truth[i]] != blank || !have[blank]) {
			return release.fault(k, i, i18n.Term(emptied))
		}
		if original.X[k] == nil && !have[id] {
			return release.fault(k, i, i18n.Term(noValue))
		}
	}
	if original.X[k] == nil {
		return nil
	}
	return numbersComparable(original, release, k)
}

// fault is about the value of a record.
func (r *Records) fault(k, i int, want i18n.Text) error {
	return &formats.Error{File: r.file, Line: int(r.lines[i]), Field: r.values.Names()[k], Value: formats.Show(r.values.Value(k, r.ID[k][i])), Want: want}
}

// numbersComparable looks at the numbers of a column.
func numbersComparable(original, release *Records, k int) error {
	values, first := release.different(k)
	all, _ := original.different(k)
	had := sets.Of(original.X[k])
	fresh := slices.IndexFunc(values, func(x string) bool { return !had[release.X[k][first[x]]] })
	if fresh < 0 && byChance(values, all) < 0.001 {
		return release.fault(k, first[values[0]], i18n.Term(coarser))
	}
	if fresh >= 0 && byChance(values, all) < 0.05 {
		return release.fault(k, first[values[fresh]], i18n.Term(coarser))
	}
	if fresh >= 0 && (apart(original.X[k], release.X[k]) || prefixes(values, all)) {
		return release.fault(k, first[values[fresh]], i18n.Term(elsewhere))
	}
	return nil
}

// different are the texts of the numbers of a column in the order in which they come first, and where that is.
func (r *Records) different(k int) ([]string, map[string]int) {
	var list []string
	first := map[string]int{}
	seen := map[uint32]bool{}
	for i, id := range r.ID[k] {
		if seen[id] || math.IsNaN(r.X[k][i]) {
			continue
		}
		seen[id] = true
		x := r.values.Value(k, id)
		list, first[x] = append(list, x), i
	}
	return list, first
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
// steps m ≥ r. It is 1 where nothing can be told of their steps.
func byChance(values, others []string) float64 {
	d := 0
	for _, x := range slices.Concat(values, others) {
		n := places(x)
		if n < 0 {
			return 1
		}
		d = max(d, n)
	}
	step, unit := step(values, d), step(others, d)
	if len(values) < 2 || step.Sign() == 0 || unit.Sign() == 0 || step.Cmp(unit) <= 0 {
		return 1
	}
	on := 0
	for _, x := range others {
		if new(big.Int).Rem(scaled(x, d), step).Sign() == 0 {
			on++
		}
	}
	r, _ := new(big.Rat).SetFrac(step, unit).Float64()
	n := float64(len(values))
	return math.Pow(max(float64(on)/float64(len(others)), 1/r), n) * (1 + r/(n-1))
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
