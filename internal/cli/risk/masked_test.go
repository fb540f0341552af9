package risk

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
)

// run runs a verb on arguments.
func run(t *testing.T, cmd *cobra.Command, args ...string) {
	t.Helper()
	cmd.SetContext(t.Context())
	cmd.SetOut(io.Discard)
	cmd.SetErr(io.Discard)
	cmd.SetArgs(args)
	if err := cmd.Execute(); err != nil {
		t.Fatalf("%s %q: %v", cmd.Name(), args, err)
	}
}

// readLines are the fields of a file below its header.
func readLines(t *testing.T, path string) (rows [][]string) {
	t.Helper()
	text := must.Get(os.ReadFile(path))(t)
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		rows = append(rows, strings.Split(line, ","))
	}
	return rows
}

// A masked is what an exact attacker achieves on a release in the order of its original, candidate by candidate.
type masked struct {
	expected, largest, smart float64
	outside                  int
}

// attack counts candidates: records that may be a person's. The smart attacker takes the nearest of them, of several any.
func attack(n int, candidate func(person, record int) (bool, float64)) (m masked) {
	for i := range n {
		c, right, ties := 0, 0, 0
		best := math.Inf(1)
		own, _ := candidate(i, i)
		for j := range n {
			ok, d := candidate(i, j)
			if !ok {
				continue
			}
			c++
			if d < best {
				best, ties, right = d, 0, 0
			}
			if d == best {
				ties++
				if i == j {
					right = 1
				}
			}
		}
		if !own {
			m.outside++
			continue
		}
		m.expected += 1 / float64(c)
		m.largest = max(m.largest, 1/float64(c))
		m.smart += float64(right) / float64(ties)
	}
	return m
}

// TestMasked has files microaggregated and rank-swapped, attacked person by person by one who knows which records may be hers, and asks compare for the same risk: with
// the truth, and, of averages and where the window is told, from shuffled records alone.
func TestMasked(t *testing.T) {
	t.Parallel()
	rounds := heavy.Large(uint64(12), 1000)
	dir := t.TempDir()
	o, kept, shuffled := filepath.Join(dir, "o.csv"), filepath.Join(dir, "k.csv"), filepath.Join(dir, "s.csv")
	sums := map[string]*masked{}
	for seed := range rounds {
		rng := rand.New(rand.NewPCG(seed, 35))
		n := 30 + rng.IntN(200)
		var b strings.Builder
		b.WriteString("income,assets,age\n")
		for range n {
			z := rng.NormFloat64()
			fmt.Fprintf(&b, "%.*f,%.0f,%d\n", rng.IntN(3), 1000*math.Exp(z), 500*math.Exp(0.7*z+0.7*rng.NormFloat64()), 18+rng.IntN(70))
		}
		must.Do(t, os.WriteFile(o, []byte(b.String()), 0o666))
		k, percent := 2+rng.IntN(6), 1+rng.IntN(20)
		compared := func(release string, same bool, swapped ...string) document.BySets {
			c := byDefault()
			c.attacks, c.seed, c.sameOrder, c.swapped = 10, 0, same, swapped
			c.qi = []string{"income", "assets", "age"}
			d, _, err := c.release(t.Context(), o, release)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			return d.doc.(*document.Comparison).Sets[0]
		}
		same := func(what string, s document.BySets, m masked) {
			t.Helper()
			if m.outside > 0 || int(s.Persons) != n || s.Outside > 0 || math.Abs(s.Expected-m.expected) > 1e-9*m.expected || math.Abs(s.Largest-m.largest) > 1e-9 {
				t.Errorf("seed %d: %s: %+v, but the attacker has %+v", seed, what, s, m)
			}
			if sums[what] == nil {
				sums[what] = &masked{}
			}
			sums[what].expected += m.expected / float64(n)
			sums[what].smart += m.smart / float64(n)
		}
		// All columns averaged together, or age by itself.
		together := [][]string{{"--attribute", "income,assets,age"}, {"--attribute", "income,assets", "--attribute", "age"}}[rng.IntN(2)]
		for path, more := range map[string][]string{kept: {"--keep-order"}, shuffled: nil} {
			run(t, newRiskMicroaggregate(), slices.Concat([]string{o, "--k", fmt.Sprint(k), "-o", path}, together, more)...)
		}
		rows, originals := readLines(t, kept), readLines(t, o)
		joint := len(together) == 2
		ages := map[string]map[string]bool{} // averages of an age
		for i, r := range rows {
			if ages[originals[i][2]] == nil {
				ages[originals[i][2]] = map[string]bool{}
			}
			ages[originals[i][2]][r[2]] = true
		}
		m := attack(n, func(i, j int) (bool, float64) {
			return rows[i][0] == rows[j][0] && rows[i][1] == rows[j][1] && (rows[i][2] == rows[j][2] || !joint && ages[originals[i][2]][rows[j][2]]), 0
		})
		if joint && m.largest > 1/float64(min(k, n))+1e-9 {
			t.Errorf("seed %d: a person has a risk of %g, k %d", seed, m.largest, k)
		}
		what := "microaggregation, together"
		if !joint {
			what = "microaggregation, age apart"
		}
		same(what, compared(kept, true), m)
		same(what, compared(shuffled, false), m)
		if n*percent < 100 {
			continue
		}
		attributes := []string{o, "--attribute", "income,assets,age", "--percent", fmt.Sprint(percent), "--seed", "trial", "-o"}
		run(t, newRiskRankSwap(), append(attributes, kept, "--keep-order")...)
		run(t, newRiskRankSwap(), append(attributes, shuffled)...)
		rows = readLines(t, kept)
		low, high := make([]map[string]int, 3), make([]map[string]int, 3) // ranks by number
		for c := range 3 {
			low[c], high[c] = map[string]int{}, map[string]int{}
			var x []float64
			for _, r := range originals {
				v, _ := strconv.ParseFloat(r[c], 64)
				x = append(x, v)
			}
			for _, r := range originals {
				v, _ := strconv.ParseFloat(r[c], 64)
				less, most := 0, -1
				for _, y := range x {
					if y < v {
						less++
					}
					if y <= v {
						most++
					}
				}
				low[c][r[c]], high[c][r[c]] = less, most
			}
		}
		window := n * percent / 100
		near := func(w [3]int) masked {
			return attack(n, func(i, j int) (bool, float64) {
				sum := 0
				for c := range 3 {
					d := max(0, low[c][rows[j][c]]-high[c][originals[i][c]], low[c][originals[i][c]]-high[c][rows[j][c]])
					if d > w[c] {
						return false, 0
					}
					sum += d
				}
				return true, float64(sum)
			})
		}
		m = near([3]int{window, window, window})
		same("rank swapping", compared(shuffled, false, fmt.Sprint("income=", percent), fmt.Sprint("assets=", percent), fmt.Sprint("age=", percent)), m)
		var shown [3]int // the windows that the truth shows
		for i := range n {
			for c := range 3 {
				shown[c] = max(shown[c], low[c][rows[i][c]]-high[c][originals[i][c]], low[c][originals[i][c]]-high[c][rows[i][c]])
			}
		}
		if slices.Min(shown[:]) > 0 {
			same("rank swapping, by the truth", compared(kept, true), near(shown))
		}
	}
	for what, m := range sums {
		t.Logf("%s: %.4f of the persons by any candidate, %.4f by the nearest", what, m.expected/float64(rounds), m.smart/float64(rounds))
	}
}
