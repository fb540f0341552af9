package compare

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/risk"
)

// column writes a file of one column and a second one that is never empty.
func column(t *testing.T, dir, name string, values []string) string {
	t.Helper()
	rows := make([][]string, len(values))
	for k, v := range values {
		rows[k] = []string{v, "x"}
	}
	return write(t, dir, name, rows)
}

// TestComparable codes drawn columns in the ways of releases, and changes them as noise, swapping and sampling do: what is coarser is refused at
// its first value of that kind, what is another value of the same kind is compared.
func TestComparable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	number := func(x string) int { n, _ := strconv.Atoi(x); return n }
	coded := map[string]func(x string, rng *rand.Rand) string{
		"bands of half-open intervals": func(x string, _ *rand.Rand) string { n := number(x) / 5 * 5; return fmt.Sprintf("[%d,%d)", n, n+5) },
		"bands":                        func(x string, _ *rand.Rand) string { n := number(x) / 10 * 10; return fmt.Sprintf("%d-%d", n, n+9) },
		"marked prefix":                func(x string, _ *rand.Rand) string { return x[:len(x)-1] + "*" },
		"prefix":                       func(x string, _ *rand.Rand) string { return x[:len(x)-1] },
		"star":                         func(string, *rand.Rand) string { return "*" },
		"withheld in part": func(x string, rng *rand.Rand) string {
			if rng.IntN(4) == 0 {
				return "*"
			}
			return x
		},
		"emptied in part": func(x string, rng *rand.Rand) string {
			if rng.IntN(4) == 0 {
				return ""
			}
			return x
		},
		"top": func(x string, _ *rand.Rand) string {
			if number(x) >= 60000 {
				return "60000+"
			}
			return x
		},
		"bottom": func(x string, _ *rand.Rand) string {
			if number(x) < 30000 {
				return "<30000"
			}
			return x
		},
		"rounded to 5":   func(x string, _ *rand.Rand) string { return fmt.Sprint((number(x) + 2) / 5 * 5) },
		"rounded to 100": func(x string, _ *rand.Rand) string { return fmt.Sprint((number(x) + 50) / 100 * 100) },
		"in thousands":   func(x string, _ *rand.Rand) string { return fmt.Sprint(number(x) / 1000) },
	}
	for name, code := range coded {
		for seed := range uint64(4) {
			rng := rand.New(rand.NewPCG(seed, 40))
			var original, release []string
			for range 60 {
				original = append(original, fmt.Sprint(10000+rng.IntN(90000)))
				release = append(release, code(original[len(original)-1], rng))
			}
			first := slices.IndexFunc(release, func(x string) bool { return !slices.Contains(original, x) })
			files, err := Read(t.Context(), risk.Layout{}, []string{"c0", "c1"}, nil, column(t, dir, name+"a.csv", original), column(t, dir, name+"b.csv", release))
			if err != nil {
				t.Fatal(err)
			}
			err = Comparable(files[0], files[1], 0, nil)
			var at *formats.Error
			if !errors.As(err, &at) || at.Line != first+2 || at.Field != "c0" || strings.Trim(at.Value, `"`) != release[first] || !strings.HasSuffix(at.File, "b.csv") {
				t.Errorf("%s, %d: %v, want the value %q of line %d refused", name, seed, err, release[first], first+2)
			}
			if err := Comparable(files[0], files[1], 1, nil); err != nil {
				t.Error(err)
			}
		}
	}
	changed := map[string]func(all []string, k int, rng *rand.Rand) string{
		"the same": func(all []string, k int, _ *rand.Rand) string { return all[k] },
		"swapped":  func(all []string, k int, rng *rand.Rand) string { return all[(k+7)%len(all)] },
		"drawn":    func(all []string, _ int, rng *rand.Rand) string { return all[rng.IntN(len(all))] },
		"noise": func(all []string, k int, rng *rand.Rand) string {
			return fmt.Sprint(number(all[k]) + rng.IntN(401) - 200)
		},
		"decimals": func(all []string, k int, rng *rand.Rand) string {
			return fmt.Sprintf("%.2f", float64(number(all[k]))+40*rng.NormFloat64())
		},
	}
	for name, change := range changed {
		refused := 0
		for seed := range uint64(50) {
			rng := rand.New(rand.NewPCG(seed, 41))
			n := 2 + rng.IntN(60)
			var original, release []string
			for range n {
				original = append(original, fmt.Sprint(10000+rng.IntN(90000)))
			}
			for k := range n {
				release = append(release, change(original, k, rng))
			}
			files, err := Read(t.Context(), risk.Layout{}, []string{"c0", "c1"}, nil, column(t, dir, name+"a.csv", original), column(t, dir, name+"b.csv", release))
			if err != nil {
				t.Fatal(err)
			}
			if err := Comparable(files[0], files[1], 0, nil); err != nil {
				refused++
			}
		}
		if refused > 2 { // by chance
			t.Errorf("%s: %d of 50 are refused", name, refused)
		}
	}
}

// TestEmptied has a value taken out where others are missing in the original, too: who knows which record it was knows that it was.
func TestEmptied(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files, err := Read(t.Context(), risk.Layout{}, []string{"c0", "c1"}, nil, column(t, dir, "a.csv", []string{"1", "", "3"}), column(t, dir, "b.csv", []string{"", "1", ""}))
	if err != nil {
		t.Fatal(err)
	}
	if err := Comparable(files[0], files[1], 0, nil); err != nil {
		t.Error(err)
	}
	if err := Comparable(files[0], files[1], 0, []int32{1, 0, -1}); err != nil {
		t.Error(err)
	}
	if err := Comparable(files[0], files[1], 0, []int32{1, 0, 2}); err == nil || !strings.Contains(err.Error(), "b.csv:4: column \"c0\": ") {
		t.Error(err)
	}
}

// TestByChance has nobody singled out, linked or inferred by a release drawn without the original, in which each combination stands often.
func TestByChance(t *testing.T) {
	t.Parallel()
	draw := func(seed uint64) *Records {
		rng := rand.New(rand.NewPCG(seed, 42))
		r := &Records{N: 1500, X: make([][]float64, 3), ID: make([][]uint32, 3)}
		for range r.N {
			r.ID[0], r.ID[1] = append(r.ID[0], uint32(rng.IntN(3))), append(r.ID[1], uint32(rng.IntN(3)))
			r.ID[2] = append(r.ID[2], uint32(max(0, rng.IntN(20)-17)))
		}
		return r
	}
	for seed := range uint64(5) {
		at := &Attacker{Original: draw(2 * seed), Release: draw(2*seed + 1), Attacks: 2000, RNG: rand.New(rand.NewPCG(seed, 43))}
		for _, columns := range []int{1, 3} {
			if x, err := at.SinglingOut(t.Context(), columns, 2000); err != nil || x.Success > 0 {
				t.Errorf("%d columns: %+v, %v", columns, x, err)
			}
		}
		linked, err := at.Linkability(t.Context(), []int{0}, []int{1}, 1)
		if err != nil || linked.Success > 2*linked.Baseline {
			t.Errorf("linkability %+v, %v", linked, err)
		}
		guessed, err := at.Inference(t.Context(), []int{0, 1}, 2, 0)
		if err != nil || guessed.Success > guessed.Baseline {
			t.Errorf("inference %+v, %v", guessed, err)
		}
	}
}
