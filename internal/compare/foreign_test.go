package compare

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

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

// TestUnderstand codes drawn columns in the ways of releases, and changes them as noise, swapping and sampling do: what is coarser stands for the
// values that it was made of and for no others, what is another value of the same kind is compared.
func TestUnderstand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	number := func(x string) int { n, _ := strconv.Atoi(x); return n }
	coded := map[string]func(x string, rng *rand.Rand) string{
		"bands of half-open intervals": func(x string, _ *rand.Rand) string { n := number(x) / 5 * 5; return fmt.Sprintf("[%d,%d)", n, n+5) },
		"bands":                        func(x string, _ *rand.Rand) string { n := number(x) / 10 * 10; return fmt.Sprintf("%d-%d", n, n+9) },
		"marked prefix":                func(x string, _ *rand.Rand) string { return x[:len(x)-1] + "*" },
		"prefix":                       func(x string, _ *rand.Rand) string { return x[:len(x)-1] },
		"star":                         func(string, *rand.Rand) string { return "*" },
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
			files, err := Read(t.Context(), risk.Layout{}, []string{"c0", "c1"}, nil, column(t, dir, name+"a.csv", original), column(t, dir, name+"b.csv", release))
			if err != nil {
				t.Fatal(err)
			}
			m, err := Understand(files[0], files[1], nil, 0, nil, Reading{})
			if err != nil || m.Kind != Sets {
				t.Errorf("%s, %d: %+v, %v", name, seed, m, err)
				continue
			}
			for i, x := range original {
				for j, y := range release {
					want := code(x, nil) == y
					if got := m.holds(files[0].ID[0][i], files[1].ID[0][j]); got != want {
						t.Errorf("%s, %d: %s in %s: %v, want %v", name, seed, x, y, got, want)
					}
				}
			}
			if m, err := Understand(files[0], files[1], nil, 1, nil, Reading{}); err != nil || m.Kind != Values {
				t.Error(m, err)
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
			if _, err := Understand(files[0], files[1], nil, 0, nil, Reading{}); err != nil {
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
	files, err := Read(t.Context(), risk.Layout{}, []string{"c0", "c1"}, nil, column(t, dir, "a.csv", []string{"1", "", "3"}), column(t, dir, "b.csv", []string{"", "1", "3"}))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		truth []int32
		kind  string
	}{{nil, Values}, {[]int32{1, 0, 2}, Values}, {[]int32{0, 1, 2}, Sets}} {
		if m, err := Understand(files[0], files[1], nil, 0, c.truth, Reading{}); err != nil || m.Kind != c.kind {
			t.Error(c, m, err)
		}
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

// Numbers of which local recoding has rounded a part are read as what they may be, where it is known which record is which.
func TestPartlyRounded(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 47))
	for _, base := range []int{5, 10, 20} {
		var original, release []string
		var truth []int32
		for i := range 80 {
			x := rng.IntN(100)
			original = append(original, fmt.Sprint(x))
			if rng.IntN(3) > 0 {
				x = (x + base/2) / base * base
			}
			release, truth = append(release, fmt.Sprint(x)), append(truth, int32(i))
		}
		dir := t.TempDir()
		files, err := Read(t.Context(), risk.Layout{}, []string{"c0", "c1"}, nil, column(t, dir, "a.csv", original), column(t, dir, "b.csv", release))
		if err != nil {
			t.Fatal(err)
		}
		m, err := Understand(files[0], files[1], nil, 0, truth, Reading{})
		if err != nil || m.Kind != Sets {
			t.Fatalf("base %d: %+v, %v", base, m, err)
		}
		for i, x := range original {
			for j, y := range release {
				n, _ := strconv.Atoi(x)
				want := x == y || y == fmt.Sprint((n+base/2)/base*base)
				if got := m.holds(files[0].ID[0][i], files[1].ID[0][j]); got != want {
					t.Errorf("base %d: %s in %s: %v", base, x, y, got)
				}
			}
		}
	}
}
