package fill_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/methods/fill"
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
			f, err := fill.Table(context.Background(), table.Publish(tab, withheld, table.Intruder{}), &fill.Options{Seed: s, Workers: 1})
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
		f, err := fill.Table(context.Background(), table.Publish(one, withheld, table.Intruder{}), &fill.Options{Seed: &random, Workers: 1})
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
			a := must.Get(fill.Table(context.Background(), table.Publish(one, withheld, table.Intruder{}), opt))(t)
			b := must.Get(fill.Table(context.Background(), table.Publish(other, withheld, table.Intruder{}), opt))(t)
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
	f := must.Get(fill.Table(context.Background(), table.Publish(tab, withheld, table.Intruder{}), nil))(t)
	agrees(t, tab, withheld, f)
	// The cells are x, 30 − x, 25 − x and 4 + x for x from 0 to 25; the middles are 12, 17, 12 and 16.
	if !f.Nearest || f.Value[a] < 12 || f.Value[a] > 13 {
		t.Errorf("%v, nearest %v", f.Value, f.Nearest)
	}
}

// TestWeights compares the distance of filled lists of numbers with the least there is: what the numbers aimed at lack of their sum is put where a unit
// costs least. Widths go from 2 to 10¹³, in any order of the cells.
func TestWeights(t *testing.T) {
	t.Parallel()
	proved, all := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 9))
		var text strings.Builder
		text.WriteString("region,value,lower,upper\n")
		n := 2 + rng.IntN(4)
		sum := int64(0)
		for k := range n {
			width := int64(2)
			for range rng.IntN(13) {
				width *= 10
			}
			lo := rng.Int64N(1000)
			sum += lo + rng.Int64N(width+1)
			fmt.Fprintf(&text, "r%d,,%d,%d\n", k, lo, lo+width)
		}
		fmt.Fprintf(&text, "Total,%d,,\n", sum)
		in := must.Get(formats.ReadFrom(strings.NewReader(text.String()), "w.csv", formats.Options{}))(t)
		tab := in.Table
		withheld := slices.Clone(tab.Missing)
		f, err := fill.Table(t.Context(), table.Publish(tab, withheld, table.Intruder{}), &fill.Options{Workers: 1})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		agrees(t, tab, withheld, f)
		type side struct{ width, room int64 }
		var below, above []side
		lack, got := sum, new(big.Rat)
		for k, i := range f.Cells {
			width := new(big.Rat).Sub(f.Upper[k], f.Lower[k]).Num().Int64()
			lo := f.Lower[k].Num().Int64()
			lack -= f.Aim[k]
			below, above = append(below, side{width, f.Aim[k] - lo}), append(above, side{width, lo + width - f.Aim[k]})
			got.Add(got, big.NewRat(max(f.Value[i]-f.Aim[k], f.Aim[k]-f.Value[i]), width+1))
		}
		sides := above
		if lack < 0 {
			sides, lack = below, -lack
		}
		slices.SortFunc(sides, func(a, b side) int { return cmp.Compare(b.width, a.width) })
		least := new(big.Rat)
		for _, s := range sides {
			moved := min(lack, s.room)
			lack -= moved
			least.Add(least, big.NewRat(moved, s.width+1))
		}
		if all++; f.Nearest {
			proved++
		}
		if c := got.Cmp(least); c < 0 || c > 0 && f.Nearest {
			t.Fatalf("seed %d: distance %s, the least is %s, nearest %v:\n%s", seed, got.FloatString(12), least.FloatString(12), f.Nearest, &text)
		}
	}
	if proved < all/2 {
		t.Errorf("%d of %d proved", proved, all)
	}
}

// TestDecimals: decimals that only withheld values have are published nowhere.
func TestDecimals(t *testing.T) {
	t.Parallel()
	var filled []*fill.Filled
	for _, text := range []string{"Total,11,s\nN,4.5,u\nS,6.5,m\n", "Total,11,s\nN,4,u\nS,7,m\n"} {
		in := must.Get(formats.ReadFrom(strings.NewReader("region,value,status\n"+text), "t.csv", formats.Options{}))(t)
		f := must.Get(fill.Table(t.Context(), table.Publish(in.Table, []bool{false, true, true}, table.Intruder{}), nil))(t)
		filled = append(filled, f)
	}
	if !reflect.DeepEqual(filled[0], filled[1]) {
		t.Errorf("one publication is filled as %+v and %+v", filled[0], filled[1])
	}
}
