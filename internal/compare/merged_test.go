package compare

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/hitoku/hitoku/risk"
)

// Classes that go by the name of one of their values are found by the numbers of records; where they are not, the release is refused, never taken for one of values.
func TestMerged(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 43))
	drawn := func(of func() string) (list []string) {
		for range 400 {
			list = append(list, of())
		}
		return list
	}
	number := func(x string) int { n, _ := strconv.Atoi(x); return n }
	age := drawn(func() string { return fmt.Sprint(rng.IntN(90)) })
	zip := drawn(func() string { return fmt.Sprint(84600 + rng.IntN(30)) })
	day := drawn(func() string { return fmt.Sprintf("19%02d-%02d-%02d", 50+rng.IntN(5), 1+rng.IntN(12), 2+rng.IntN(27)) })
	region := drawn(func() string { return fmt.Sprintf("%c%d", 'A'+rng.IntN(3), 1+rng.IntN(4)) })
	word := drawn(func() string { return []string{"single", "married", "widowed", "divorced"}[rng.IntN(4)] })
	const classes = "classes under the name of one value"
	for name, x := range map[string]struct {
		original []string
		code     func(string) string
		want     string
	}{
		"top":    {age, func(x string) string { return fmt.Sprint(min(number(x), 75)) }, "values, " + classes},
		"bottom": {age, func(x string) string { return fmt.Sprint(max(number(x), 20)) }, "values, " + classes},
		"zeros":  {zip, func(x string) string { return x[:4] + "0" }, "values, " + classes},
		"nines":  {zip, func(x string) string { return x[:4] + "9" }, "values, " + classes},
		"months": {day, func(x string) string { return x[:8] + "01" }, classes},
		"years":  {day, func(x string) string { return x[:5] + "12-31" }, classes},
		"first":  {region, func(x string) string { return x[:1] + "1" }, "values, " + classes},
		"one": {word, func(x string) string {
			return map[string]string{"single": "single", "widowed": "single", "divorced": "single", "married": "married"}[x]
		}, "values, " + classes},
		"crossed": {word, func(x string) string {
			return map[string]string{"single": "single", "divorced": "single", "married": "married", "widowed": "married"}[x]
		}, "refused"},
	} {
		known := Reading{Category: name != "top" && name != "bottom"}
		if got := spelledAs(t, x.original, x.code, known); got != x.want {
			t.Errorf("%s: %s, want %s", name, got, x.want)
		}
	}
}

// A file drawn from the original has values that are missing and others that occur more often, and is none of classes.
func TestNotMerged(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 44))
	for range 200 {
		kinds := 2 + rng.IntN(400)
		original, release := make([]string, 300), make([]string, 300)
		for i := range original {
			original[i] = fmt.Sprintf("%03d", int(float64(kinds)*rng.Float64()*rng.Float64()))
		}
		for i := range release {
			release[i] = original[rng.IntN(len(original))]
		}
		if n := rng.IntN(3); n > 0 {
			release = release[:len(release)/(2*n)]
		}
		dir := t.TempDir()
		files, err := Read(t.Context(), risk.Layout{}, []string{"c0", "c1"}, []string{"c0"}, column(t, dir, "a.csv", original), column(t, dir, "b.csv", release))
		if err != nil {
			t.Fatal(err)
		}
		m, err := Understand(files[0], files[1], nil, 0, nil, Reading{Category: true})
		if err != nil || m.Kind != Values {
			t.Fatalf("%d kinds, %d records: %v, %v", kinds, len(release), m, err)
		}
	}
}

// In a part of the records a class shows by having more than its own value has in all of them.
func TestMergedPart(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 46))
	var original, release []string
	for i := range 600 {
		x := fmt.Sprint(84600 + rng.IntN(40))
		original = append(original, x)
		if i%2 == 0 {
			release = append(release, x[:4]+"0")
		}
	}
	dir := t.TempDir()
	files, err := Read(t.Context(), risk.Layout{}, []string{"c0", "c1"}, []string{"c0"}, column(t, dir, "a.csv", original), column(t, dir, "b.csv", release))
	if err != nil {
		t.Fatal(err)
	}
	m, err := Understand(files[0], files[1], nil, 0, nil, Reading{Category: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range original {
		for j, y := range release {
			if got := m.holds(files[0].ID[0][i], files[1].ID[0][j]); got != (x[:4] == y[:4]) {
				t.Fatalf("%s in %s: %v", x, y, got)
			}
		}
	}
}
