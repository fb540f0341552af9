package risk

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestHouseholdsAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawNaive(t)
		m := Missing{rapid.SampledFrom([]MissingMode{Own, Drop, Suppressed, Wildcard}).Draw(t, "mode"), markers}
		names := x.names()[:x.qi+1]
		columns, err := NewColumns(names...)
		check(t, err)
		parts := [2]*Households{NewHouseholds(columns), NewHouseholds(columns)}
		for _, r := range x.rows {
			w := rapid.IntRange(1, 50).Draw(t, "weight")
			check(t, parts[rapid.IntRange(0, 1).Draw(t, "part")].Add(amountOf(uint64(w)), r[:x.qi+1]...))
		}
		check(t, parts[0].Merge(parts[1]))
		h := parts[0]
		r, err := h.Risk(t.Context(), m, 0)
		check(t, err)
		got := h.HouseholdRisk(r, m)
		f := x.frequencies(m)
		safe, members := map[string]float64{}, map[string]int{}
		largest, total, records := 0.0, 0.0, 0
		single := func(i int) float64 {
			own, _ := r.Class(&h.Classes, h.Class(x.rows[i][:x.qi]...))
			return own.Risk
		}
		for i, row := range x.rows {
			if id := row[x.qi]; f[i] > 0 && !slices.Contains(m.Markers, id) {
				if members[id] == 0 {
					safe[id] = 1
				}
				members[id]++
				safe[id] *= 1 - single(i)
			}
		}
		for i, row := range x.rows {
			if f[i] == 0 {
				continue
			}
			want := single(i)
			if id := row[x.qi]; members[id] > 0 {
				want = 1 - safe[id]
			}
			if have := h.Of(got, r, h.Class(row[:x.qi]...), row[x.qi]); math.Abs(have-want) > 1e-9 {
				t.Fatalf("record %v: %g, want %g", row, have, want)
			}
			largest, total, records = max(largest, want), total+want, records+1
		}
		if math.Abs(got.MaxRisk-largest) > 1e-9 || math.Abs(got.Reidentified-total) > 1e-9 || records > 0 && math.Abs(got.AverageRisk-total/float64(records)) > 1e-9 {
			t.Fatalf("%+v, want %g, %g", got, largest, total)
		}
		if got.Households != uint64(len(members))+got.WithoutID {
			t.Fatalf("%+v, want %d households", got, len(members))
		}
	})
}
