package rounding

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// margin is the table of sums of t over its last dimension, its dimensions the other way round.
func margin(t *testing.T, of *table.Table) *table.Table {
	k := len(of.Dims)
	var dims []table.Dimension
	for d := k - 2; d >= 0; d-- {
		dims = append(dims, of.Dims[d])
	}
	var records []table.Record
	for i, v := range of.Value {
		if of.Coord[i*k+k-1] != 0 {
			continue
		}
		var codes []string
		for d := k - 2; d >= 0; d-- {
			codes = append(codes, of.Dims[d].Codes[of.Coord[i*k+d]])
		}
		records = append(records, table.Record{Codes: codes, Value: table.Num(v, 0)})
	}
	return must.Get(table.Build("other", dims, records, true))(t)
}

// TestRandomPlaces asks that a cell is rounded alike in every table that has it, and that it counts for nothing where else it stands.
func TestRandomPlaces(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 1))
	of := cube(t, rng, 40, 4, 3, 2)
	m := margin(t, of)
	y, z := Random(of, 5, "secret"), Random(m, 5, "secret")
	at := map[string]int64{}
	for i := range m.Value {
		at[fmt.Sprint(place(m, i))] = z[i]
	}
	same := 0
	for i := range of.Value {
		if v, ok := at[fmt.Sprint(place(of, i))]; ok {
			if same++; v != y[i] {
				t.Errorf("%s is %d here and %d there", of.CellName(i), y[i], v)
			}
		}
	}
	fine := m.Clone() // as levels with decimals make it
	fine.Decimals = 1
	for i := range fine.Value {
		fine.Value[i] *= 10
	}
	for _, base := range []int64{4, 5, 7} {
		y := Random(m, base, "secret")
		for i, v := range Random(fine, 10*base, "secret") {
			if v != 10*y[i] {
				t.Errorf("%s is %d with a decimal and %d without", m.CellName(i), v, 10*y[i])
			}
		}
	}
	if same != 20 {
		t.Errorf("%d cells stand in both", same)
	}
}

// TestRandomDraws asks for the chance rest/base, of cells of one value as of one cell under many secrets; and that what happened to one cell says nothing
// about another of the same value, nor about the same cell with another value.
func TestRandomDraws(t *testing.T) {
	t.Parallel()
	const n, base, value = 40, 5, 42
	rng := rand.New(rand.NewPCG(3, 2))
	of := cube(t, rng, 40, n, n)
	for i := range of.Value {
		of.Value[i] = value // also of margins: cells are rounded one by one
	}
	up, pairs := 0, 0
	y := Random(of, base, "a")
	for i := range y {
		if y[i] == 45 {
			up++
		}
		if i > 0 && (y[i] == 45) == (y[i-1] == 45) {
			pairs++
		}
	}
	cells := float64(len(y))
	near(t, "rounded up", float64(up)/cells, 0.4)
	near(t, "alike side by side", float64(pairs)/cells, 0.4*0.4+0.6*0.6)
	for i := range of.Value {
		of.Value[i] = value + base
	}
	both := 0
	for i, v := range Random(of, base, "a") {
		if (v == 50) == (y[i] == 45) {
			both++
		}
	}
	near(t, "alike with another value", float64(both)/cells, 0.4*0.4+0.6*0.6)
}

func near(t *testing.T, what string, share, want float64) {
	t.Helper()
	if share < want-0.06 || share > want+0.06 { // five standard errors of 1,681 draws
		t.Errorf("%s: %.3f, want about %.2f", what, share, want)
	}
}

// TestConventionalRange: of all values those are in the range of what they are rounded to, and no others, whatever base, unit and sign.
func TestConventionalRange(t *testing.T) {
	t.Parallel()
	for base := int64(2); base <= 12; base++ {
		for unit := int64(1); unit < base; unit++ {
			if base%unit != 0 {
				continue
			}
			reach := map[int64][2]int64{}
			for v := -6 * base; v <= 6*base; v += unit {
				tab := &table.Table{Value: []int64{v}}
				y := Conventional(tab, base)[0]
				r, seen := reach[y]
				if !seen {
					r = [2]int64{v, v}
				}
				reach[y] = [2]int64{min(r[0], v), max(r[1], v)}
			}
			for y, want := range reach {
				if num.Abs(y) > 5*base {
					continue
				}
				if r := ConventionalRange([]int64{y}, base, unit); r.Lo[0] != want[0] || r.Up[0] != want[1] {
					t.Errorf("base %d, unit %d: %d is made of %d to %d, the range is %d to %d", base, unit, y, want[0], want[1], r.Lo[0], r.Up[0])
				}
			}
		}
	}
}
