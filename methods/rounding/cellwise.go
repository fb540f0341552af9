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

// Conventional rounds every cell separately to the nearest multiple of base, halves away from zero. Sums need not hold;
// it exists for comparison.
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

// ConventionalRange returns what a reader of y knows about values, multiples of unit (0: 1), that Conventional rounded
// to base. Halves are rounded away from zero: for y > 0 the value is from y − base/2 to less than y + base/2, mirrored
// for y < 0, and less than base/2 from 0 for y = 0.
func ConventionalRange(y []int64, base, unit int64) Range {
	unit = max(unit, 1)
	toward, beyond := base/2, base-base/2-1 // how far, in magnitude, a value may be below y and above it
	within := func(v int64) int64 { return num.FloorDiv(v, unit) * unit }
	r := Range{make([]int64, len(y)), make([]int64, len(y))}
	for i, v := range y {
		// In multiples of unit; y is one.
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

// Random rounds every cell separately, up with probability rest/base and down otherwise, so that its expectation is the
// value (Fellegi 1975, Statistics Canada's random rounding). Sums need not hold.
//
// The draw for a cell depends on the secret, the base, the value with its decimals, and the cell's identity: the names
// and codes of the dimensions in which it is not a total, in any order. So a cell is rounded in the same way in all
// tables that contain it, and asking for it in ten tables reveals no more than one does; cells with other codes or
// another value are drawn as if by independent secrets. In a table without dimensions a cell is identified by its name
// and that of the table. Cost: a hash for each cell that is not a multiple of base.
func Random(t *table.Table, base int64, secret string) []int64 {
	y := make([]int64, t.Len())
	for i, v := range t.Value {
		f := num.FloorDiv(v, base)
		if rest := v - f*base; rest > 0 {
			about := append(place(t, i), table.FormatDecimal(base, t.Decimals), table.FormatDecimal(v, t.Decimals))
			g := num.GCD(rest, base) // reduces the fraction, so that extra decimals of the table do not matter
			if rand.New(rand.NewChaCha8(seed.Key("round", secret, about...))).Int64N(base/g) < rest/g {
				f++
			}
		}
		y[i] = f * base
	}
	return y
}

// place identifies cell i in every table with its dimensions: their names and its codes, ordered by name, without
// totals.
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
