package risk

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/test/heavy"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
)

// A releasedCase is a sample of a population, what is asked for, and what a verb released of it, in the order of the sample.
type releasedCase struct {
	rng        *rand.Rand
	dir        string
	population [][]string // age, region, sex, disease
	sample     [][]string
	released   [][]string
	k, l       int
	t          *big.Rat
	limit      *big.Rat
}

func (x *releasedCase) file(name string) string { return filepath.Join(x.dir, name) }

// save writes records below their header.
func (x *releasedCase) save(t *testing.T, name string, rows [][]string) {
	t.Helper()
	var b strings.Builder
	w := csv.NewWriter(&b)
	must.Do(t, w.WriteAll(slices.Concat([][]string{{"age", "region", "sex", "disease"}}, rows)))
	must.Do(t, os.WriteFile(x.file(name), []byte(b.String()), 0o666))
}

// drawReleased draws kinds of persons, a population of them and a sample.
func drawReleased(t *testing.T, seed uint64, dir string) *releasedCase {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 135))
	x := &releasedCase{rng: rng, dir: dir}
	ages, regions, kinds := []int{4, 30, 90}[rng.IntN(3)], []int{2, 12, 60}[rng.IntN(3)], 1+rng.IntN(4)
	centre := make([][2]int, kinds)
	for k := range centre {
		centre[k] = [2]int{rng.IntN(ages), rng.IntN(regions)}
	}
	n := 8
	if rng.IntN(4) > 0 {
		n = 20 + rng.IntN(180)
	}
	for range n * (1 + rng.IntN(20)) {
		k := rng.IntN(kinds)
		age := (centre[k][0] + int(rng.ExpFloat64()*float64(ages)/4)) % ages
		region := (centre[k][1] + rng.IntN(1+rng.IntN(regions))) % regions
		x.population = append(x.population, []string{fmt.Sprint(10 + age), fmt.Sprint(101 + 37*region%899), "fm"[rng.IntN(2):][:1], string(rune('p' + min(3, (k+rng.IntN(3))%4)))})
	}
	for _, i := range rng.Perm(len(x.population))[:n] {
		x.sample = append(x.sample, x.population[i])
	}
	x.save(t, "o.csv", x.sample)
	x.k, x.l = 2+rng.IntN(6), rng.IntN(4)
	if rng.IntN(2) == 0 {
		x.t = big.NewRat(int64(10+rng.IntN(60)), 100)
	}
	x.limit, _ = new(big.Rat).SetString([]string{"1/20", "1/10", "1/5", "1/2"}[rng.IntN(4)])
	return x
}

// made runs a verb and says whether it wrote a release.
func (x *releasedCase) made(t *testing.T, cmd *cobra.Command, args ...string) bool {
	t.Helper()
	path := x.file("kept.csv")
	os.Remove(path)
	cmd.SetContext(t.Context())
	cmd.SetOut(io.Discard)
	cmd.SetErr(io.Discard)
	cmd.SetArgs(append(args, "-o", path, "--keep-order"))
	err := cmd.Execute()
	var code cli.Code
	if err != nil && !errors.As(err, &code) {
		t.Fatalf("%s %q: %v", cmd.Name(), args, err)
	}
	f, missing := os.Open(path)
	if missing != nil {
		return false
	}
	defer f.Close()
	if err != nil {
		t.Fatalf("%s %q: %v, and wrote a release", cmd.Name(), args, err)
	}
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	x.released = rows[1:]
	return true
}

// asked are the flags of the goal.
func (x *releasedCase) asked() []string {
	args := []string{x.file("o.csv"), "--qi", "age,region,sex", "--sensitive", "disease", "--min-k", fmt.Sprint(x.k)}
	if x.l > 0 {
		args = append(args, "--min-l", fmt.Sprint(x.l))
	}
	if x.t != nil {
		args = append(args, "--max-t", x.t.RatString())
	}
	return args
}

// stands says whether a released cell stands for a value, by the forms that the verbs write.
func stands(cell, value string) bool {
	if cell == "*" || cell == value {
		return true
	}
	if head, ok := strings.CutSuffix(cell, "*"); ok {
		return strings.HasPrefix(value, strings.TrimRight(head, "*"))
	}
	var low, high float64
	v, _ := strconv.ParseFloat(value, 64)
	if n, _ := fmt.Sscanf(cell, "[%g,%g)", &low, &high); n == 2 {
		return low <= v && v < high
	}
	return false
}

// keeps counts k, l and t of what is released, line by line.
func (x *releasedCase) keeps() error {
	classes, all := map[string]map[string]int{}, map[string]int{}
	for _, r := range x.released {
		key := strings.Join(r[:3], ",")
		if classes[key] == nil {
			classes[key] = map[string]int{}
		}
		classes[key][r[3]]++
		all[r[3]]++
	}
	for key, values := range classes {
		n := 0
		for _, c := range values {
			n += c
		}
		far := new(big.Rat)
		for v, c := range all {
			d := new(big.Rat).Sub(big.NewRat(int64(values[v]), int64(n)), big.NewRat(int64(c), int64(len(x.released))))
			far.Add(far, d.Abs(d))
		}
		far.Mul(far, big.NewRat(1, 2))
		if n < x.k || len(values) < x.l || x.t != nil && far.Cmp(x.t) > 0 {
			return fmt.Errorf("%s: %d records, %d values, t = %s; want %d, %d, %v", key, n, len(values), far, x.k, x.l, x.t)
		}
	}
	return nil
}

// largest is the largest chance to pick the record of a person who is known to be in the file, by which records may be hers; of few persons by all ways to give each a record.
func (x *releasedCase) largest(candidate func(person, record int) bool) float64 {
	n := len(x.sample)
	risk := 0.0
	if n > 8 {
		for i := range n {
			c := 0
			for j := range n {
				if candidate(i, j) {
					c++
				}
			}
			risk = max(risk, 1/float64(c))
		}
		return risk
	}
	together := make([][]float64, n)
	for i := range together {
		together[i] = make([]float64, n)
	}
	ways := 0.0
	given := make([]int, n)
	var give func(i, taken int)
	give = func(i, taken int) {
		if i == n {
			ways++
			for i, j := range given {
				together[i][j]++
			}
			return
		}
		for j := range n {
			if taken>>j&1 == 0 && candidate(i, j) {
				given[i] = j
				give(i+1, taken|1<<j)
			}
		}
	}
	give(0, 0)
	for i := range together {
		risk = max(risk, slices.Max(together[i])/ways)
	}
	return risk
}

// policy writes one of hitoku risk release.
func (x *releasedCase) policy(t *testing.T, local bool) string {
	t.Helper()
	limits := fmt.Sprintf("k = %d\nrisk = %q\n", x.k, x.limit.RatString())
	if x.l > 0 {
		limits += fmt.Sprintf("l = %d\n", x.l)
	}
	if x.t != nil {
		limits += fmt.Sprintf("t = %q\n", x.t.RatString())
	}
	text := fmt.Sprintf(`confirmed = true
[limits]
%s[recoding]
local = %v
[withhold]
values = %v
[[column]]
name = "age"
role = "quasi-identifier"
reason = "known"
band = [2, 10, 20]
all = true
[[column]]
name = "region"
role = "quasi-identifier"
reason = "known"
prefix = [2, 1]
all = true
[[column]]
name = "sex"
role = "quasi-identifier"
reason = "known"
all = true
[[column]]
name = "disease"
role = "sensitive"
reason = "secret"
`, limits, local, !local)
	must.Do(t, os.WriteFile(x.file("policy.toml"), []byte(text), 0o666))
	return x.file("policy.toml")
}

// A writer is a verb that makes a release of a sample, if it can.
type writer struct {
	name string
	make func(x *releasedCase) bool
}

// writing are the verbs that make releases without chance, or by ranks.
func writing(t *testing.T) []writer {
	coarser := []string{"--band", "age=2,10,20", "--prefix", "region=2,1", "--withhold", "age,region,sex"}
	return []writer{
		{"generalise", func(x *releasedCase) bool { return x.made(t, newRiskGeneralise(), append(x.asked(), coarser...)...) }},
		{"generalise --local", func(x *releasedCase) bool {
			x.t = nil
			return x.made(t, newRiskGeneralise(), append(x.asked(), append(coarser, "--local")...)...)
		}},
		{"withhold", func(x *releasedCase) bool {
			return x.made(t, newRiskWithhold(), append(x.asked(), "--nodes", "2000")...)
		}},
		{"release", func(x *releasedCase) bool {
			return x.made(t, newRiskRelease(), x.file("o.csv"), "--policy", x.policy(t, false), "--tries", "5")
		}},
		{"release --local", func(x *releasedCase) bool {
			x.t = nil
			return x.made(t, newRiskRelease(), x.file("o.csv"), "--policy", x.policy(t, true))
		}},
		{"microaggregate", func(x *releasedCase) bool {
			x.l, x.t = 0, nil
			return x.made(t, newRiskMicroaggregate(), x.file("o.csv"), "--attribute", "age,region", "--k", fmt.Sprint(x.k))
		}},
		{"rank-swap", func(x *releasedCase) bool {
			x.k, x.l, x.t = 1, 0, nil
			return x.made(t, newRiskRankSwap(), x.file("o.csv"), "--attribute", "age,region", "--percent", "20", "--seed", "trial")
		}},
	}
}

// TestReleased has the verbs make releases of samples of drawn populations, counts in them what was asked for, and attacks them pair by pair, of few persons by all ways to match.
// No release is written, or passes hitoku risk compare, whose risk is above the limit, and hardly one that keeps the limit is said to break it.
func TestReleased(t *testing.T) {
	t.Parallel()
	rounds := heavy.Large(uint64(60), 1000)
	dir := t.TempDir()
	counts := map[string]int{}
	kept, alarms := 0, 0
	verbs := writing(t)
	for seed := range rounds {
		x := drawReleased(t, seed, dir)
		verb := verbs[x.rng.IntN(len(verbs))]
		if verb.name == "rank-swap" && len(x.sample) < 20 {
			continue
		}
		if !verb.make(x) {
			counts[verb.name+" none"]++
			continue
		}
		n := len(x.sample)
		if len(x.released) != n {
			t.Errorf("seed %d, %s: %d records of %d", seed, verb.name, len(x.released), n)
			continue
		}
		numbers := verb.name == "microaggregate" || verb.name == "rank-swap"
		columns := 3
		candidate := func(i, j int) bool {
			for c := range columns {
				if !stands(x.released[j][c], x.sample[i][c]) {
					return false
				}
			}
			return true
		}
		switch {
		case verb.name == "microaggregate":
			columns = 2
			averages := map[[4]string]bool{} // of persons
			alike := map[string]int{}
			for i, r := range x.released {
				averages[[4]string(slices.Concat(x.sample[i][:2], r[:2]))] = true
				alike[strings.Join(r[:2], ",")]++
			}
			candidate = func(i, j int) bool {
				return averages[[4]string(slices.Concat(x.sample[i][:2], x.released[j][:2]))]
			}
			for key, n := range alike {
				if n < min(x.k, len(x.sample)) {
					t.Errorf("seed %d, %s: %s: %d records, want %d", seed, verb.name, key, n, x.k)
				}
			}
		case verb.name == "rank-swap":
			columns = 2
			window := n * 20 / 100
			ranks := x.ranks()
			candidate = func(i, j int) bool {
				for c := range 2 {
					from, to := ranks[c][x.sample[i][c]], ranks[c][x.released[j][c]]
					if max(to[0]-from[1], from[0]-to[1]) > window {
						return false
					}
				}
				return true
			}
		default:
			if err := x.keeps(); err != nil {
				t.Errorf("seed %d, %s: %v", seed, verb.name, err)
			}
		}
		largest := x.largest(candidate)
		most, _ := x.limit.Float64()
		if strings.HasPrefix(verb.name, "release") && largest > most+1e-9 {
			t.Errorf("seed %d, %s: written for a limit of %g, and the risk of one person is %g", seed, verb.name, most, largest)
		}
		// Shuffled, and with or without the truth before hitoku risk compare.
		c := byDefault()
		c.attacks, c.seed, c.maxRisk = 50, seed, x.limit
		c.qi, c.categories = []string{"age", "region", "sex"}[:columns], []string{"region"}
		if numbers {
			c.categories = nil
		}
		if verb.name == "rank-swap" {
			c.swapped = []string{"age=20", "region=20"}
		}
		order := x.rng.Perm(n)
		shuffled := make([][]string, n)
		var b strings.Builder
		for i, j := range order {
			shuffled[i] = x.released[j]
			fmt.Fprintf(&b, "%d,%d\n", i+1, j+1)
		}
		x.save(t, "r.csv", shuffled)
		if x.rng.IntN(2) == 0 {
			c.mapping = x.file("m.csv")
			must.Do(t, os.WriteFile(c.mapping, []byte(b.String()), 0o666))
		}
		d, _, err := c.release(t.Context(), x.file("o.csv"), x.file("r.csv"))
		if err != nil {
			t.Fatalf("seed %d, %s: %v", seed, verb.name, err)
		}
		v := said(d)
		above := "below"
		if largest > most+1e-9 {
			above = "above"
		}
		counts[fmt.Sprintf("%s, %s: %s", verb.name, above, v)]++
		doc := d.doc.(*document.Comparison)
		if s := doc.Sets[0]; n > 8 && (s.Outside > 0 || c.mapping != "" && math.Abs(s.Largest-largest) > 1e-9) {
			t.Errorf("seed %d, %s: compare has %+v, the attacker %g", seed, verb.name, s, largest)
		}
		switch {
		case v == "kept" && above == "above":
			t.Errorf("seed %d, %s: the limit %g is kept by a release with a risk of %g of one person", seed, verb.name, most, largest)
		case above == "below" && (n <= 8 || doc.LargestAttack != "record linkage by the whole matching, of one person"):
			kept++
			if v == "broken" && strings.HasPrefix(doc.LargestAttack, "record linkage") {
				alarms++
				t.Logf("seed %d, %s: the limit %g is said to be broken by a release with a risk of %g: %s", seed, verb.name, most, largest, doc.LargestAttack)
			}
		}
	}
	t.Log(counts)
	if alarms*20 > kept {
		t.Errorf("%d of %d releases that keep the limit are said to break it", alarms, kept)
	}
}

// ranks are the first and the last rank of each number of a column.
func (x *releasedCase) ranks() (ranks [2]map[string][2]int) {
	for c := range ranks {
		ranks[c] = map[string][2]int{}
		var list []float64
		for _, r := range x.sample {
			v, _ := strconv.ParseFloat(r[c], 64)
			list = append(list, v)
		}
		slices.Sort(list)
		for _, r := range x.sample {
			v, _ := strconv.ParseFloat(r[c], 64)
			first, _ := slices.BinarySearch(list, v)
			last := first
			for last+1 < len(list) && list[last+1] == v {
				last++
			}
			ranks[c][r[c]] = [2]int{first, last}
		}
	}
	return ranks
}
