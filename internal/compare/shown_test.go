package compare

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// Classes that go by names that nothing is known of, by the name of one of their values, or by a number of few digits in some records are read as the truth shows them: for the values that went with
// them, and for no others. Values that were changed by chance are not, though the truth is given; where they are too few to tell, that is said.
func TestShown(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 35))
	var jobs, ages, heights []string
	for range 300 {
		jobs = append(jobs, []string{"nurse", "doctor", "farmer", "fisher", "clerk"}[rng.IntN(5)])
		ages = append(ages, fmt.Sprint(20+rng.IntN(60)))
		heights = append(heights, fmt.Sprintf("1%02d.%d", 55+rng.IntN(40), rng.IntN(10)))
	}
	sector := map[string]string{"nurse": "health", "doctor": "health", "farmer": "land", "fisher": "land", "clerk": "office"}
	first := map[string]string{"nurse": "doctor", "doctor": "doctor", "farmer": "clerk", "fisher": "fisher", "clerk": "clerk"}
	old := func(v string) string { return []string{"young", "middle", "old"}[(int(v[0])-'2')/2] }
	some := func(list []string, code func(string) string) (release []string) {
		for n, v := range list {
			if n%3 > 0 {
				v = code(v)
			}
			release = append(release, v)
		}
		return release
	}
	all := func(list []string, code func(string) string) (release []string) {
		for _, v := range list {
			release = append(release, code(v))
		}
		return release
	}
	drawn := func(list []string) func(string) string {
		return func(string) string { return list[rng.IntN(len(list))] }
	}
	for name, c := range map[string]struct {
		original, release []string
		class             func(string) string
		want              string
	}{
		"names of sectors":         {jobs, all(jobs, func(v string) string { return sector[v] }), func(v string) string { return sector[v] }, "shown"},
		"names of some sectors":    {jobs, some(jobs, func(v string) string { return sector[v] }), func(v string) string { return sector[v] }, "shown"},
		"names of one of them":     {jobs, all(jobs, func(v string) string { return first[v] }), func(v string) string { return first[v] }, "shown"},
		"some of one of them":      {jobs, some(jobs, func(v string) string { return first[v] }), nil, "guessed"},
		"names of ages":            {ages, all(ages, old), old, "shown"},
		"few numbers":              {heights, some(heights, func(string) string { return "200" }), func(string) string { return "200" }, "shown"},
		"other jobs by chance":     {jobs, some(jobs, drawn(jobs)), nil, Values},
		"other ages by chance":     {ages, some(ages, drawn(ages)), nil, Values},
		"other heights by chance":  {heights, all(heights, func(v string) string { return fmt.Sprintf("%.1f", 180+10*rng.NormFloat64()) }), nil, Perturbed},
		"a sample too small":       {[]string{"nurse", "doctor", "farmer", "fisher", "clerk"}, []string{"doctor", "doctor", "doctor", "fisher", "clerk"}, nil, "unsure"},
		"other names, too few":     {[]string{"a", "b", "c"}, []string{"x", "y", "z"}, nil, "refused"},
		"other names, each anew":   {jobs, all(jobs, func(string) string { return fmt.Sprint("n", rng.IntN(9), "x") }), nil, "refused"},
		"the original's, one less": {jobs, all(jobs, func(v string) string { return v }), nil, Values},
	} {
		dir := t.TempDir()
		files, err := Read(t.Context(), risk.Layout{}, []string{"c0", "c1"}, nil, column(t, dir, "a.csv", c.original), column(t, dir, "b.csv", c.release))
		if err != nil {
			t.Fatal(err)
		}
		m, err := Understand(files[0], files[1], nil, 0, sets.Upto(int32(files[1].N)), Reading{})
		got := "refused"
		switch {
		case err != nil:
		case m.Unsure:
			got = "unsure"
		case m.Guessed:
			got = "guessed"
		case strings.Contains(fmt.Sprint(m.Forms), "truth shows"):
			got = "shown"
		default:
			got = m.Kind
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
			continue
		}
		if got != "shown" {
			continue
		}
		for i, v := range c.original {
			for j, w := range c.release {
				holds := m.holds(files[0].ID[0][i], files[1].ID[0][j])
				if holds && w != c.class(v) && w != v || !holds && i == j {
					t.Fatalf("%s: %s stands for %s: %v", name, w, v, holds)
				}
			}
		}
	}
}
