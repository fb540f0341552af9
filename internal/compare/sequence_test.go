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

// A follower is a person of a file that is sorted in some way.
type follower struct{ age, region, sex, job, year int }

func (p follower) row(age, region string) []string {
	return []string{age, region, fmt.Sprint(p.sex), fmt.Sprint(p.job), fmt.Sprint(p.year)}
}

// An order within other columns, within parts of a file or of one part only is found; that of a shuffled file is not, of many values or few, nor that of released values which tell of others.
func TestFollows(t *testing.T) {
	t.Parallel()
	const n = 500
	draws := heavy.Draws(100)
	dir := t.TempDir()
	found := map[string]int{}
	byAge := func(p, q follower) int { return cmp.Compare(p.age, q.age) }
	byRegion := func(p, q follower) int { return cmp.Compare(p.region, q.region) }
	bySex := func(p, q follower) int { return cmp.Compare(p.sex, q.sex) }
	byJob := func(p, q follower) int { return cmp.Compare(p.job, q.job) }
	byYear := func(p, q follower) int { return cmp.Compare(p.year, q.year) }
	band := func(p follower) string { return fmt.Sprintf("%d-%d", p.age/20*20, p.age/20*20+19) }
	withheld := func(follower) string { return "*" }
	region := func(p follower) string { return fmt.Sprint(p.region) }
	parts := func(order func(p, q follower) int, size int) func([]follower) {
		return func(list []follower) {
			for part := range slices.Chunk(list, size) {
				slices.SortStableFunc(part, order)
			}
		}
	}
	all := func(orders ...func(p, q follower) int) func([]follower) {
		return func(list []follower) {
			for _, order := range slices.Backward(orders) {
				slices.SortStableFunc(list, order)
			}
		}
	}
	for _, c := range []struct {
		name        string
		tells       bool
		sort        func([]follower)
		age, region func(follower) string
		ages, jobs  int
		yearly      bool // whose year of birth is released
	}{
		{"by region, sex and age", true, all(byRegion, bySex, byAge), withheld, region, 100, 40, false},
		{"by region, sex and age in bands", true, all(byRegion, bySex, byAge), band, region, 100, 40, false},
		{"by age in parts of 50", true, parts(byAge, 50), withheld, region, 100, 40, false},
		{"by age in parts of 50, in bands", true, parts(byAge, 50), band, region, 100, 40, false},
		{"by age in half of the file", true, func(list []follower) { slices.SortStableFunc(list[:n/2], byAge) }, withheld, region, 100, 40, false},
		{"by region and age, both withheld", true, all(byRegion, byAge), withheld, withheld, 100, 40, false},
		{"by age in parts of 50, beside jobs that tell of it", true, parts(byAge, 50), withheld, region, 100, 0, false},
		{"shuffled, beside jobs that tell of it", false, all(), withheld, region, 100, 0, false},
		{"by jobs that tell of it", false, all(byJob), withheld, region, 100, 0, false},
		{"by region and jobs that tell of it", false, all(byRegion, byJob), band, region, 100, 0, false},
		{"by jobs that tell of it, in parts", false, parts(byJob, 50), withheld, region, 100, 0, false},
		{"shuffled", false, all(), withheld, region, 100, 40, false},
		{"shuffled, in bands", false, all(), band, region, 100, 40, false},
		{"shuffled, both withheld", false, all(), withheld, withheld, 100, 3, false},
		{"shuffled, few ages", false, all(), withheld, region, 3, 40, false},
		{"shuffled, two ages", false, all(), withheld, region, 2, 5, false},
		{"shuffled, few values", false, all(), withheld, region, 8, 2, false},
		{"by region, sex and job", false, all(byRegion, bySex, byJob), withheld, region, 100, 40, false},
		{"by job and region", false, all(byJob, byRegion), band, region, 100, 40, false},
		{"by a released year", false, all(byYear), withheld, region, 100, 40, true},
		{"by a released year, in parts", false, parts(byYear, 50), withheld, region, 100, 40, true},
		{"by region and a released year", false, all(byRegion, byYear), withheld, region, 100, 40, true},
	} {
		for seed := range uint64(draws) {
			rng := rand.New(rand.NewPCG(seed, 78))
			var list []follower
			for range n {
				p := follower{age: rng.IntN(c.ages), region: rng.IntN(4), sex: rng.IntN(2), job: rng.IntN(max(1, c.jobs))}
				if c.jobs == 0 { // jobs that tell of ages
					p.job = (p.age + rng.IntN(30)) / 4
				}
				p.year = 2000
				if c.yearly {
					p.year -= p.age
				}
				list = append(list, p)
			}
			var rows [][]string
			for _, p := range list {
				rows = append(rows, p.row(fmt.Sprint(p.age), region(p)))
			}
			original := write(t, dir, "o.csv", rows)
			rng.Shuffle(n, func(i, j int) { list[i], list[j] = list[j], list[i] })
			c.sort(list)
			rows = nil
			for _, p := range list {
				rows = append(rows, p.row(c.age(p), c.region(p)))
			}
			files, err := Read(t.Context(), risk.Layout{}, []string{"c0", "c1", "c2", "c3", "c4"}, nil, original, write(t, dir, "r.csv", rows))
			if err != nil {
				t.Fatal(err)
			}
			var meanings []*Meaning
			for k := range 5 {
				m, err := Understand(files[0], files[1], nil, k, nil, Reading{})
				if err != nil {
					t.Fatal(err)
				}
				meanings = append(meanings, m)
			}
			if NewCandidates(files[1], meanings, []int{0, 1, 2, 3, 4}).Follows(files[0], files[1], 0) {
				found[c.name]++
			}
		}
		if rate := found[c.name]; c.tells && rate < draws*95/100 || !c.tells && rate > draws*5/100 {
			t.Errorf("%s: %d of %d are found", c.name, rate, draws)
		}
	}
	t.Log(found)
}
