package cellkey

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/recordkey"
	"github.com/hitoku/hitoku/internal/test/must"
)

// TestKeySums compares with keys of a grid, five times as fine as the ends of the arcs: a sum of two keys and its fractional part.
func TestKeySums(t *testing.T) {
	t.Parallel()
	const tenth, step = one / 10, one / 50
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) arc {
			from := rapid.Int64Range(0, 9).Draw(t, name)
			return arc{from * tenth, (from+rapid.Int64Range(1, 10-from).Draw(t, name+" width"))*tenth - 1}
		}
		a, b, sum := draw("a"), draw("b"), draw("sum")
		found := false
		for x := a.first; x <= a.last; x += step {
			for y := b.first; y <= b.last; y += step {
				if s := int64(recordkey.Add(recordkey.Key(x), recordkey.Key(y))); s >= sum.first && s <= sum.last {
					found = true
				}
			}
		}
		if got := sum.meets(a.first+b.first, a.last+b.last); got != found {
			t.Fatalf("%v + %v meets %v: %v, want %v", a, b, sum, got, found)
		}
	})
}

// TestMix asks that mixed keys are the same for the same sums, and none of them a sum of others.
func TestMix(t *testing.T) {
	t.Parallel()
	m := recordkey.NewMixer("secret")
	rapid.Check(t, func(t *rapid.T) {
		a, b := recordkey.Key(rapid.Uint64Range(0, one-1).Draw(t, "a")), recordkey.Key(rapid.Uint64Range(0, one-1).Draw(t, "b"))
		if m.Of(a) != recordkey.NewMixer("secret").Of(a) || m.Of(a) == recordkey.NewMixer("other").Of(a) {
			t.Fatal("a key depends on what it is made of, and on the secret")
		}
		if m.Of(recordkey.Add(a, b)) == recordkey.Add(m.Of(a), m.Of(b)) {
			t.Fatal("a key of a sum is the sum of keys")
		}
	})
	p := designed(t, Design{D: 1, V: 0.5})
	found := 0
	for n := range 40 {
		var key [2][2]recordkey.Key
		for i := range 4 {
			key[i/2][i%2] = m.Of(recordkey.Key(7*n + i))
		}
		c := twoWay([][]int64{{1, 2}, {2, 1}}, [][]recordkey.Key{key[0][:], key[1][:]})
		for _, mixed := range []bool{false, true} {
			if mixed {
				c.mix(m)
			}
			c.Perturb(p)
			a := must.Get(c.Attack(context.Background(), p, nil))(t)
			if mixed && a.Keys != new(Attack).Keys {
				t.Errorf("%+v of mixed keys", a.Keys)
			}
			found += a.Keys.Disclosed
		}
	}
	if found == 0 {
		t.Error("sums of keys that are not mixed disclosed nothing")
	}
}

// TestKeysKeepTruth asks that true counts stay possible, that no count stays which keys do not allow in one of the relations, and that one that
// some keys of all cells give stays.
func TestKeysKeepTruth(t *testing.T) {
	t.Parallel()
	p := designed(t, Design{D: 2, V: 1})
	narrower := 0
	rapid.Check(t, func(t *rapid.T) {
		c := drawTwoWay(t)
		if len(c.Cells) == 0 {
			t.Skip("no records")
		}
		c.Perturb(p)
		w, err := c.world(p, 20000)
		if err != nil {
			t.Fatal(err)
		}
		a := &Attack{}
		for n := range c.Cells {
			a.Cells = append(a.Cells, Attacked{Index: n, Lo: w.lo[n], Hi: w.hi[n], Known: true})
		}
		if err := a.keys(context.Background(), c, w); err != nil {
			t.Fatal(err)
		}
		if a.Keys.With > a.Keys.Without || a.Keys.Relations == 0 {
			t.Fatalf("%+v", a.Keys)
		}
		if a.Keys.With < a.Keys.Without {
			narrower++
		}
		f := &filter{w: w}
		for i := range w.counts {
			var all []int64
			for n := w.lo[i]; n <= w.hi[i]; n++ {
				if _, ok := p.arc(n, w.published[i]); ok {
					all = append(all, n)
				}
			}
			f.left = append(f.left, all)
		}
		splits := w.splits()
		if err := f.run(context.Background(), splits, true); err != nil {
			t.Fatal(err)
		}
		for i, x := range w.counts {
			if !slices.Contains(f.left[i], x.N) {
				t.Fatalf("the true count %d of cell %d is not among %v", x.N, i, f.left[i])
			}
		}
		alone := 0
		for n, x := range a.Cells {
			if x.Left != len(f.left[n]) {
				t.Fatalf("cell %d: %d counts left, want %v", n, x.Left, f.left[n])
			}
			if x.Left == 1 && x.Lo < x.Hi {
				alone++
			}
		}
		if a.Keys.Disclosed != alone || a.Disclosed() != (alone > 0) {
			t.Fatalf("%+v, but %d cells have one count left", a.Keys, alone)
		}
		// The same published numbers of other counts and keys: what the office would publish alike stays possible.
		for range 20 {
			other := drawTwoWay(t)
			if len(other.Cells) != len(c.Cells) {
				continue
			}
			other.Perturb(p)
			alike := slices.EqualFunc(c.Cells, other.Cells, func(x, y Cell) bool { return slices.Equal(x.At, y.At) && x.Published == y.Published })
			for n := range other.Cells {
				if alike && !slices.Contains(f.left[n], other.Cells[n].N) {
					t.Fatalf("cell %d may be %d, which is not among %v", n, other.Cells[n].N, f.left[n])
				}
			}
		}
	})
	if narrower < 5 {
		t.Errorf("keys ruled out counts in %d tables", narrower)
	}
}
