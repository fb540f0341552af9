package risk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// pairs reports whether the records of two entities can be paired so that all pairs are compatible, by trying all there are for the first one.
func (x naive) pairs(a, b [][]string, markers []string) bool {
	if len(a) != len(b) {
		return false
	}
	if len(a) == 0 {
		return true
	}
	for j := range b {
		if x.agree(a[0], b[j], markers) && x.pairs(a[1:], slices.Concat(b[:j], b[j+1:]), markers) {
			return true
		}
	}
	return false
}

// TestEntitiesByWildcards compares with all pairs of entities and all pairings of their records.
func TestEntitiesByWildcards(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		x := naive{qi: rapid.IntRange(1, 3).Draw(t, "qi")}
		value := rapid.SampledFrom([]string{"a", "b", "", "NA"})
		id := rapid.SampledFrom([]string{"1", "2", "3", "4", "5", "6", ""})
		columns, err := NewColumns(append(x.names()[:x.qi], "id")...)
		check(t, err)
		e := NewEntities(columns)
		of := map[string][][]string{}
		for i := range rapid.IntRange(1, 20).Draw(t, "records") {
			var row []string
			for range x.qi {
				row = append(row, value.Draw(t, "value"))
			}
			row = append(row, id.Draw(t, "id"))
			check(t, e.Add(1, row...))
			x.rows = append(x.rows, row)
			name := row[x.qi]
			if name == "" {
				name = fmt.Sprint("record ", i)
			}
			if len(of[name]) < 6 {
				of[name] = append(of[name], row)
			}
		}
		for _, list := range of {
			if len(list) == 6 {
				t.Skip("too many pairings")
			}
		}
		r, err := e.KAnonymity(t.Context(), Missing{Wildcard, markers}, 3)
		check(t, err)
		least, alone := uint64(1<<60), uint64(0)
		frequency := map[uint64]uint64{}
		for name, a := range of {
			f := uint64(0)
			for _, b := range of {
				if x.pairs(a, b, markers) {
					f++
				}
			}
			frequency[f]++
			least = min(least, f)
			if f == 1 {
				alone++
			}
			if got := e.classSize(r, name); got != f && got != 0 {
				t.Fatalf("entity %s: %d compatible, want %d", name, got, f)
			}
		}
		share := uint64(1 << 60)
		for _, row := range x.rows {
			n := uint64(0)
			for _, list := range of {
				if slices.ContainsFunc(list, func(o []string) bool { return x.agree(row, o, markers) }) {
					n++
				}
			}
			share = min(share, n)
		}
		if r.K != least || r.Uniques != alone || r.Worst[0].Entities != least || r.LeastPerTuple != share || r.Entities != uint64(len(of)) || r.Records != uint64(len(x.rows)) {
			t.Fatalf("%+v, want k %d, alone %d, at least %d entities a tuple, of %d", r, least, alone, share, len(of))
		}
		for _, s := range r.Histogram {
			if s.Records != frequency[s.Size] {
				t.Fatalf("%d entities with %d compatible, want %d", s.Records, s.Size, frequency[s.Size])
			}
		}
	})
}

// TestPairsOfManyRecords pairs records that occur often: flows, not one path a record.
func TestPairsOfManyRecords(t *testing.T) {
	t.Parallel()
	columns, err := NewColumns("a", "b", "id")
	check(t, err)
	e := NewEntities(columns)
	// a record (1,) is compatible with (1,x) and (1,y), (,x) with (1,x) alone: the first choice has to be undone.
	for _, r := range []struct {
		a, b, id string
		n        uint64
	}{{"1", "x", "p", 1e9}, {"1", "y", "p", 2e9}, {"1", "", "q", 2e9}, {"", "x", "q", 1e9}, {"1", "", "r", 1e9}, {"", "x", "r", 2e9}} {
		check(t, e.Add(r.n, r.a, r.b, r.id))
	}
	r, err := e.KAnonymity(t.Context(), Missing{Wildcard, []string{""}}, 0)
	check(t, err)
	got := []uint64{e.classSize(r, "p"), e.classSize(r, "q"), e.classSize(r, "r")}
	if want := []uint64{2, 3, 2}; !slices.Equal(got, want) {
		t.Errorf("%d compatible, want %d", got, want)
	}
}

// TestWildcardsEnd asks that measures by wildcards end with their context, and say what is too much.
func TestWildcardsEnd(t *testing.T) {
	t.Parallel()
	columns, err := NewColumns("a", "b", "s")
	check(t, err)
	s, e := NewSensitive(columns, 2), NewEntities(columns)
	for _, r := range [][]string{{"1", "", "x"}, {"", "2", "y"}, {"1", "2", "x"}} {
		check(t, s.Add(1, r...))
		check(t, e.Add(1, r...))
	}
	m := Missing{Wildcard, []string{""}}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	for name, f := range map[string]func() error{
		"l":        func() error { _, err := s.LDiversity(ctx, m, false, nil, 0); return err },
		"t":        func() error { _, err := s.TCloseness(ctx, m, false, []Distance{Equal}, 0); return err },
		"β":        func() error { _, err := s.Likeness(ctx, m, false, 0); return err },
		"entities": func() error { _, err := e.KAnonymity(ctx, m, 0); return err },
	} {
		if err := f(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want an end", name, err)
		}
	}
	w := &march{ctx: context.Background()}
	if err := w.on(maxCompatible); !errors.Is(err, errWildcards) {
		t.Errorf("%v, want too many", err)
	}
	w = &march{ctx: ctx}
	for err = nil; err == nil && w.steps < 1<<17; {
		err = w.on(100)
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v after %d steps, want an end", err, w.steps)
	}
}
