package fill_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/hitoku/hitoku/fill"
	"github.com/hitoku/hitoku/internal/tabletest"
	"github.com/hitoku/hitoku/table"
)

// agrees checks a filled table against what is published of t.
func agrees(tb testing.TB, t *table.Table, withheld []bool, f *fill.Filled) {
	tb.Helper()
	c := t.Clone()
	c.Value = f.Value
	if bad := c.CheckAdditive(1); len(bad) > 0 {
		tb.Fatal(bad[0])
	}
	filled := map[int]bool{}
	for _, i := range f.Cells {
		filled[i] = true
	}
	for i, v := range f.Value {
		switch {
		case filled[i] != withheld[i]:
			tb.Fatalf("cell %d: filled is %v", i, filled[i])
		case !withheld[i] && v != t.Value[i]:
			tb.Fatalf("cell %d: %d, published is %d", i, v, t.Value[i])
		case v < t.Lower[i] || v > t.Upper[i]:
			tb.Fatalf("cell %d: %d is not in [%d, %d]", i, v, t.Lower[i], t.Upper[i])
		}
	}
}

func TestAgrees(t *testing.T) {
	t.Parallel()
	done := 0
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 5))
		tab := tabletest.Random(rng, int(seed))
		withheld := tabletest.Pattern(rng, tab.Len())
		for _, s := range []*uint64{nil, new(uint64)} {
			f, err := fill.Table(context.Background(), tab, withheld, &fill.Options{Seed: s, Workers: 1})
			if errors.Is(err, fill.ErrNone) {
				continue
			}
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			agrees(t, tab, withheld, f)
			done++
		}
	}
	if done < 50 {
		t.Errorf("%d tables filled", done)
	}
}

// TestTellsNothing: all true tables with the same publication are filled alike, whatever else an office knows of them.
func TestTellsNothing(t *testing.T) {
	t.Parallel()
	asked := 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 6))
		one := tabletest.Random(rng, int(seed))
		withheld := tabletest.Pattern(rng, one.Len())
		random := seed
		f, err := fill.Table(context.Background(), one, withheld, &fill.Options{Seed: &random, Workers: 1})
		if err != nil {
			continue
		}
		other := one.Clone() // another true table: one drawn from those that agree with what is published
		other.Value = append([]int64(nil), f.Value...)
		for i, w := range withheld {
			if w {
				other.Cost[i], other.Status[i], other.LPL[i] = 17, table.Sensitive, 3
				one.Status[i] = table.Safe
			}
		}
		if !reflect.DeepEqual(one.Value, other.Value) {
			asked++
		}
		for _, opt := range []*fill.Options{nil, {Seed: &random}, {Workers: 3}} {
			a, err := fill.Table(context.Background(), one, withheld, opt)
			if err != nil {
				t.Fatal(err)
			}
			b, err := fill.Table(context.Background(), other, withheld, opt)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(a, b) {
				t.Fatalf("seed %d: two true tables with the same publication are filled as %v and %v", seed, a.Value, b.Value)
			}
		}
	}
	if asked < 10 {
		t.Errorf("%d pairs of tables", asked)
	}
}

// TestNearest compares with all tables that agree.
func TestNearest(t *testing.T) {
	t.Parallel()
	tab := tabletest.CrossTab(t, [][]int64{{20, 50, 10}, {8, 19, 22}, {17, 32, 12}})
	withheld := make([]bool, tab.Len())
	at := func(v int64) int {
		for i := range tab.Value {
			if tab.Value[i] == v {
				return i
			}
		}
		t.Fatal(v)
		return 0
	}
	a, b, c, d := at(8), at(22), at(17), at(12)
	for _, i := range []int{a, b, c, d} {
		withheld[i] = true
	}
	f, err := fill.Table(context.Background(), tab, withheld, nil)
	if err != nil {
		t.Fatal(err)
	}
	agrees(t, tab, withheld, f)
	// The cells are x, 30 − x, 25 − x and 4 + x for x from 0 to 25; the middles are 12, 17, 12 and 16.
	if !f.Nearest || f.Value[a] < 12 || f.Value[a] > 13 {
		t.Errorf("%v, nearest %v", f.Value, f.Nearest)
	}
}
