package risk

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestDense counts tuples of few and of many values, in stages, so that indexes are made, replaced and given up, and
// compares all counts with those of a map.
func TestDense(t *testing.T) {
	for _, stages := range [][][]uint32{
		{{60, 60, 2}},                                         // an index from the first thousand on
		{{60, 60, 2}, {60, 90, 5}, {90, 90, 5}},               // replaced by larger ones
		{{60, 60, 2}, {60, 60, 1 << 20}, {70, 70, 9}},         // given up when a column has too many values
		{{40, 40, 8}},                                         // an index once enough of the combinations have occurred
		{{1 << 20, 1 << 20, 1 << 20}},                         // never
		{{1, 1, 1 << 15}, {1, 1, 1 << 15}, {2, 1, 1 << 14}},   // a single column
		{{60, 60, 2}, {60, 60, math.MaxUint32}, {60, 60, 20}}, // numbers that are no places
	} {
		r := rand.New(rand.NewPCG(1, uint64(len(stages))))
		c := newTally(3)
		want := map[[3]uint32]uint64{}
		made := 0
		for _, values := range stages {
			for range 40 {
				rows := 1 + r.IntN(batchRows)
				x, groups := make([]uint32, 4*rows), make([]uint32, rows)
				for i := range x {
					x[i] = r.Uint32N(append(values, 9)[i%4])
				}
				before := c.dense
				if r.IntN(3) == 0 {
					c.addRows(x, 4, rows, nil)
				} else {
					c.addRows(x, 4, rows, groups)
					for i, g := range groups {
						if got := c.tuple(int(g)); [3]uint32(got) != [3]uint32(x[4*i:]) {
							t.Fatalf("group %d of %v is %v", g, x[4*i:4*i+3], got)
						}
					}
				}
				for i := range rows {
					want[[3]uint32(x[4*i:])]++
				}
				n := []uint64{1, 3, 255, 256, 1 << 40}[r.IntN(5)]
				want[[3]uint32(x)] += n
				if g := c.add(x[:3], n); g != c.find(x[:3]) {
					t.Fatalf("%v in group %d, found in %d", x[:3], g, c.find(x[:3]))
				}
				if c.dense != nil && c.dense != before {
					made++
				}
				if c.dense != nil && len(c.dense.group) > densePlaces*c.n {
					t.Fatalf("%d places for %d groups", len(c.dense.group), c.n)
				}
			}
		}
		if few := stages[0][0] < 1<<20; few != (made > 0) {
			t.Errorf("stages %v: %d indexes made", stages, made)
		}
		if c.n != len(want) {
			t.Fatalf("stages %v: %d groups, want %d", stages, c.n, len(want))
		}
		for g := range c.n {
			if x := [3]uint32(c.tuple(g)); c.count(g) != want[x] || c.find(x[:]) != g {
				t.Fatalf("stages %v: %v counted %d times, want %d; group %d found as %d", stages, x, c.count(g), want[x], g, c.find(x[:]))
			}
		}
		if g := c.find([]uint32{math.MaxUint32, 0, 0}); g >= 0 {
			t.Errorf("a tuple that does not occur is group %d", g)
		}
	}
}

// TestDenseFull refuses counts beyond 2^64 where records are not counted in the rows.
func TestDenseFull(t *testing.T) {
	columns, err := NewColumns("a", "b")
	if err != nil {
		t.Fatal(err)
	}
	c := NewClasses(columns, 2)
	add := func(n uint64, a, b uint32) error {
		_, err := c.addN([]uint32{a, b}, n)
		return err
	}
	for i := range uint32(64 * 64) {
		if err := add(1, i/64, i%64); err != nil {
			t.Fatal(err)
		}
	}
	if c.t.dense == nil {
		t.Fatal("no index")
	}
	if err := add(math.MaxUint64-3, 5, 5); err != nil {
		t.Fatal(err)
	}
	if err := add(2, 5, 5); err != nil || c.t.count(c.t.find([]uint32{5, 5})) != math.MaxUint64 {
		t.Fatalf("%v, counted %d times", err, c.t.count(c.t.find([]uint32{5, 5})))
	}
	if add(1, 5, 5) == nil {
		t.Error("more than 2^64 records were taken")
	}
}
