package rounding

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/seed"
	"github.com/hitoku/hitoku/table"
)

// Conventional rounds every cell by itself to the nearest multiple of base, halves away from zero. Sums need not hold any more; it is
// there to be compared with.
func Conventional(t *table.Table, base int64) []int64 {
	y := make([]int64, t.Len())
	for i, v := range t.Value {
		y[i] = (num.Abs(v) + base/2) / base * base
		if v < 0 {
			y[i] = -y[i]
		}
	}
	return y
}

// ConventionalRange is what a reader of y knows of values, multiples of unit (0: 1), that Conventional rounded to base: halves go away from zero, so that y > 0 is made of
// values from y − base/2 on to below y + base/2, y < 0 of the opposite ones, and 0 of those nearer than base/2.
func ConventionalRange(y []int64, base, unit int64) Range {
	unit = max(unit, 1)
	toward, beyond := base/2, base-base/2-1 // how far, in magnitude, a value may lie below y and above it
	within := func(v int64) int64 { return num.FloorDiv(v, unit) * unit }
	r := Range{make([]int64, len(y)), make([]int64, len(y))}
	for i, v := range y {
		// Multiples of unit; y is one.
		switch {
		case v > 0:
			r.Lo[i], r.Up[i] = v-within(toward), v+within(beyond)
		case v < 0:
			r.Lo[i], r.Up[i] = v-within(beyond), v+within(toward)
		default:
			r.Lo[i], r.Up[i] = -within(beyond), within(beyond)
		}
	}
	return r
}

// Random rounds every cell by itself up with probability rest/base and down else, so that its expectation is the value (Fellegi 1975, Statistics Canada's random
// rounding). Sums need not hold any more.
//
// What is drawn for a cell depends on the secret, the base, the value with its decimals, and the cell: the names and codes of the dimensions in which it is
// no total, in whatever order. So a cell is the same in all tables that have it, and whoever asks for it in ten of them learns what one tells; and cells of other codes,
// or of the same with another value, are drawn independently of it, as if from secrets of their own: what is known of one tells nothing of another. In a table without dimensions a cell is
// its name and that of the table. Cost: a hash a cell that is no multiple.
func Random(t *table.Table, base int64, secret string) []int64 {
	y := make([]int64, t.Len())
	for i, v := range t.Value {
		f := num.FloorDiv(v, base)
		if rest := v - f*base; rest > 0 {
			about := append(place(t, i), table.FormatDecimal(base, t.Decimals), table.FormatDecimal(v, t.Decimals))
			g := num.GCD(rest, base) // whatever decimals the table has been given
			if rand.New(rand.NewChaCha8(seed.Key("round", secret, about...))).Int64N(base/g) < rest/g {
				f++
			}
		}
		y[i] = f * base
	}
	return y
}

// place is what cell i is in whatever table of its dimensions: their names and its codes, in the order of the names, without totals.
func place(t *table.Table, i int) []string {
	k := len(t.Dims)
	if k == 0 {
		return []string{t.Name, t.CellName(i)}
	}
	var at [][2]string
	for d := range t.Dims {
		if c := t.Coord[i*k+d]; t.Dims[d].Parent[c] >= 0 {
			at = append(at, [2]string{t.Dims[d].Name, t.Dims[d].Codes[c]})
		}
	}
	slices.SortStableFunc(at, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	codes := []string{strconv.Itoa(len(at))}
	for _, c := range at {
		codes = append(codes, c[0], c[1])
	}
	return codes
}
