package bench

import (
	"cmp"
	"fmt"

	"github.com/hitoku/hitoku/table"
)

// batchFamily is the name of the batch of small tables.
const batchFamily = "batch6"

// batchTables is the number of tables in that batch.
const batchTables = 10_000

// ladder lists the tables of each named family, with the share of sensitive cells in its name. The seeds of drawn were
// never used for tuning.
var ladder = []struct {
	family string
	tables []string
}{
	{"fs", []string{
		"20x20-fs-1", "30x30-fs-1", "50x50-fs-1", "75x75-fs-1", "100x100-fs-1",
		"5x5x5-fs-1", "6x6x6-fs-1", "8x8x8-fs-1", "10x10x10-fs-1",
	}},
	{"mag", []string{
		"20x20-mag-1", "30x30-mag-1", "50x50-mag-1", "75x75-mag-1",
		"4x4x4-mag-1", "5x5x5-mag-1", "6x6x6-mag-1", "8x8x8-mag0.02-1", "3x3x3x3-mag0.04-1",
		"10x4.4-mag-1", "20x4.4.4-mag0.02-1", "4.4x4.4-mag0.04-1",
	}},
	{"n1510", []string{
		"4x4-n1510-1", "5x5-n1510-1", "6x6-n1510-1", "7x7-n1510-1", "10x10-n1510-1", "20x20-n1510-1", "50x50-n1510-1",
	}},
	{"drawn", []string{
		"60x60-mag-1001..1020", "90x90-fs-1001..1020", "5x5x5-mag-1001..1020", "6x6x6-fs-1001..1020", "6x6x6-mag-1001..1020", "7x7x7-fs-1001..1020",
		"3x3x3x3-mag0.04-1001..1020", "5.5x5.5-mag0.04-1001..1020", "20x4.4.4-mag0.02-1001..1020",
	}},
}

// familyNames returns the names of families that Find accepts.
func familyNames() []string {
	var names []string
	for _, f := range ladder {
		names = append(names, f.family)
	}
	return append(names, batchFamily)
}

// familySpecs returns the tables of a family of the ladder.
func familySpecs(name string) (specs []Spec, ok bool) {
	for _, f := range ladder {
		if f.family != name {
			continue
		}
		for _, s := range f.tables {
			one, err := parseSpecs(s)
			if err != nil {
				panic(fmt.Sprintf("bench: ladder: %s: %v", s, err))
			}
			specs = append(specs, one...)
		}
		return specs, true
	}
	return nil, false
}

// batch returns family batch6: the tables 6x6-n1510-1, 6x6-n1510-2, … with a cost of 1 for each cell.
func (s *Source) batch() Instance {
	n := cmp.Or(s.Tables, batchTables)
	return Instance{Name: batchFamily, Tables: n, origin: batchFamily, Load: func(k int) (*table.Table, error) {
		spec := Spec{Family: "n1510", Shape: []Branching{{6}, {6}}, Seed: uint64(k) + 1}
		t, err := spec.Table()
		if err == nil {
			err = t.SetCost(table.CostKind{Kind: "count"})
		}
		return s.prepare(t, err)
	}}
}
