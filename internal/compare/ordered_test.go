package compare

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/risk"
)

// A release sorted by a column that it withholds or bands tells of it, also within another column and downwards; one that is shuffled, or sorted by what it has, does not.
func TestOrdered(t *testing.T) {
	t.Parallel()
	const n = 800
	draws := heavy.Draws(60)
	dir := t.TempDir()
	found := map[string]int{}
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 77))
		type person struct{ age, region, job int }
		var list []person
		for range n {
			list = append(list, person{rng.IntN(100), rng.IntN(4), rng.IntN(40)})
		}
		var rows [][]string
		for _, p := range list {
			rows = append(rows, []string{fmt.Sprint(p.age), fmt.Sprint(p.region), fmt.Sprint(p.job)})
		}
		original := write(t, dir, "o.csv", rows)
		rng.Shuffle(n, func(i, j int) { list[i], list[j] = list[j], list[i] })
		band := func(p person) string { return fmt.Sprintf("%d-%d", p.age/20*20, p.age/20*20+19) }
		for _, c := range []struct {
			name  string
			order func(p, q person) int
			age   func(p person) string
		}{
			{"shuffled", func(p, q person) int { return 0 }, band},
			{"shuffled, withheld", func(p, q person) int { return 0 }, func(person) string { return "*" }},
			{"by band", func(p, q person) int { return cmp.Compare(p.age/20, q.age/20) }, band},
			{"by region", func(p, q person) int { return cmp.Compare(p.region, q.region) }, band},
			{"by age", func(p, q person) int { return cmp.Compare(p.age, q.age) }, band},
			{"by age, withheld", func(p, q person) int { return cmp.Compare(p.age, q.age) }, func(person) string { return "*" }},
			{"downwards", func(p, q person) int { return cmp.Compare(q.age, p.age) }, band},
			{"by region and age", func(p, q person) int { return cmp.Or(cmp.Compare(p.region, q.region), cmp.Compare(p.age, q.age)) }, band},
		} {
			slices.SortStableFunc(list, c.order)
			var rows [][]string
			for _, p := range list {
				rows = append(rows, []string{c.age(p), fmt.Sprint(p.region), fmt.Sprint(p.job)})
			}
			rng.Shuffle(n, func(i, j int) { list[i], list[j] = list[j], list[i] })
			files, err := Read(t.Context(), risk.Layout{}, []string{"c0", "c1", "c2"}, nil, original, write(t, dir, "r.csv", rows))
			if err != nil {
				t.Fatal(err)
			}
			var meanings []*Meaning
			for k := range 3 {
				m, err := Understand(files[0], files[1], nil, k, nil, Reading{})
				if err != nil {
					t.Fatal(err)
				}
				meanings = append(meanings, m)
			}
			candidates := NewCandidates(files[1], meanings, []int{0, 1, 2})
			if candidates.Ordered(files[0], files[1], 0, -1, 2) || candidates.Ordered(files[0], files[1], 0, 1, 2) {
				found[c.name]++
			}
		}
	}
	for _, name := range []string{"by age", "by age, withheld", "downwards", "by region and age"} {
		if found[name] < draws*95/100 {
			t.Errorf("%s: %d of %d are found", name, found[name], draws)
		}
	}
	for _, name := range []string{"shuffled", "shuffled, withheld", "by band", "by region"} {
		if found[name] > draws*5/100 {
			t.Errorf("%s: %d of %d alarms are false", name, found[name], draws)
		}
	}
	t.Log(found)
}
