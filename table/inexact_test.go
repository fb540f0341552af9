package table

import (
	"testing"

	"pgregory.net/rapid"
)

// A table that does not add up has relations that hold all the same, with what the sums
// lack on their right-hand sides; one that adds up is as Build makes it.
func TestBuildInexact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(2, 4).Draw(t, "codes")
		dims := make([]Dimension, 2)
		for k := range dims {
			var err error
			if dims[k], err = FlatDimension(string(rune('A'+k)), "Total", []string{"a", "b", "c", "d"}[:d]); err != nil {
				t.Fatal(err)
			}
		}
		var recs []Record
		for _, r := range dims[0].Codes {
			for _, c := range dims[1].Codes {
				if rapid.IntRange(0, 5).Draw(t, "empty") > 0 {
					recs = append(recs, Record{Codes: []string{r, c}, Value: Num(rapid.Int64Range(0, 9).Draw(t, "value"), 1)})
				}
			}
		}
		if len(recs) == 0 {
			return
		}
		loose, bad, err := BuildFrom("t", dims, len(recs), func(i int) *Record { return &recs[i] }, false, true)
		if err != nil {
			t.Fatal(err)
		}
		if !loose.Rel.Holds(loose.Value) {
			t.Fatal("a relation does not hold")
		}
		strict, err := Build("t", dims, recs, false)
		if (err == nil) != (len(bad) == 0) {
			t.Fatalf("%d relations do not hold, but %v", len(bad), err)
		}
		if err == nil && strict.Rel.Len() != loose.Rel.Len() {
			t.Fatal("relations differ")
		}
		seen := map[int]bool{}
		for _, e := range bad {
			if seen[e.Index] || e.Want == e.Got || loose.Rel.RHS[e.Index] == 0 {
				t.Fatalf("%+v", e)
			}
			seen[e.Index] = true
		}
		for j, rhs := range loose.Rel.RHS {
			if rhs != 0 && !seen[j] {
				t.Fatalf("relation %d lacks %d and is not told", j, rhs)
			}
		}
	})
}
