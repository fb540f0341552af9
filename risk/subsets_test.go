package risk

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSubsetsAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawNaive(t)
		m := Missing{rapid.SampledFrom([]MissingMode{Own, Drop, Suppressed, Wildcard}).Draw(t, "mode"), markers}
		size := rapid.IntRange(1, x.qi).Draw(t, "size")
		got, err := x.sensitive(t, x.rows).Subsets(context.Background(), m, size)
		check(t, err)
		seen := map[string]bool{}
		for i, s := range got {
			seen[key(s.Columns)] = true
			part := naive{qi: len(s.Columns)}
			for _, row := range x.rows {
				var values []string
				for _, name := range s.Columns {
					values = append(values, row[slices.Index(x.names(), name)])
				}
				part.rows = append(part.rows, values)
			}
			k, uniques := uint64(0), uint64(0)
			for _, f := range part.frequencies(m) {
				if f > 0 && (k == 0 || f < k) {
					k = f
				}
				if f == 1 {
					uniques++
				}
			}
			if s.K != k || s.Uniques != uniques {
				t.Fatalf("%+v, want k %d, %d alone", s, k, uniques)
			}
			if i > 0 && len(got[i-1].Columns) == len(s.Columns) && got[i-1].K > s.K {
				t.Fatalf("%+v before %+v", got[i-1], s)
			}
		}
		want := 0
		for set := 1; set < 1<<x.qi; set++ {
			bits := 0
			for b := set; b > 0; b &= b - 1 {
				bits++
			}
			if bits <= size {
				want++
			}
		}
		if len(seen) != want || len(got) != want {
			t.Fatalf("%d sets, want %d", len(got), want)
		}
	})
}
