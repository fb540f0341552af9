package risk

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
)

// verdict is what a comparison says of --max-risk: kept, open, broken or refused.
func verdict(t *testing.T, c *comparing, original, release string) string {
	t.Helper()
	d, _, err := c.release(t.Context(), original, release)
	var fault *formats.Error
	if errors.As(err, &fault) {
		return "refused" // a value that the original does not have
	}
	if err != nil {
		t.Fatal(err)
	}
	return said(d)
}

func said(d *microMeasure) string {
	switch l := d.limits[0]; {
	case l.Met:
		return "kept"
	case l.Open:
		return "open"
	}
	return "broken"
}

// persons draws records whose columns go together, more or less.
func persons(rng *rand.Rand, n, ages, regions int) [][3]int {
	list := make([][3]int, n)
	for i := range list {
		age := rng.IntN(ages)
		list[i] = [3]int{age, rng.IntN(regions), min(3, max(0, age*4/ages+rng.IntN(3)-1))}
	}
	return list
}

func saveRecords(t *testing.T, path string, records [][3]int, value func(k, x int) string) {
	t.Helper()
	var b strings.Builder
	b.WriteString("age,region,disease\n")
	for _, r := range records {
		fmt.Fprintf(&b, "%q,%q,%q\n", value(0, r[0]), value(1, r[1]), value(2, r[2]))
	}
	must.Do(t, os.WriteFile(path, []byte(b.String()), 0o666))
}

func plain(k, x int) string {
	if k == 0 {
		return fmt.Sprint(x)
	}
	return string(rune('a'+x/26)) + string(rune('a'+x%26))
}

// TestVerdicts has releases that were made of the original by recoding, withholding and shuffling, and their true risk counted pair by pair, and
// such as were drawn without it from the same population: none of the first kind passes whose risk is above the limit, and hardly one of the second is said to break it.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	drawn := heavy.Large(uint64(60), 1000)
	dir := t.TempDir()
	o, r := filepath.Join(dir, "o.csv"), filepath.Join(dir, "r.csv")
	counts := map[string]int{}
	alarms := 0
	for seed := range drawn {
		rng := rand.New(rand.NewPCG(seed, 50))
		n := 40 + rng.IntN(160)
		ages, regions := []int{4, 20, 90}[rng.IntN(3)], []int{2, 5, 30}[rng.IntN(3)]
		limit := []string{"0.02", "0.05", "0.2", "0.5"}[rng.IntN(4)]
		c := byDefault()
		c.attacks, c.seed, c.sensitive = 100, seed, []string{"disease"}
		c.qi = []string{"age", "region"}
		c.maxRisk, _ = new(big.Rat).SetString(limit)
		original := persons(rng, n, ages, regions)
		saveRecords(t, o, original, plain)
		other := persons(rng, n, ages, regions)
		saveRecords(t, r, other, plain)
		v := verdict(t, c, o, r)
		counts["drawn without it "+v]++
		if v == "broken" {
			alarms++
		}
		c.control = filepath.Join(dir, "c.csv")
		saveRecords(t, c.control, persons(rng, n, ages, regions), plain)
		v = verdict(t, c, o, r)
		c.control = ""
		counts["drawn without it, with a control file "+v]++
		if v == "broken" {
			alarms++
		}
		// A release of the original: ages in bands, regions as they are, by their first letter or withheld, some values taken out.
		width, first, star := []int{1, 2, 10, 50}[rng.IntN(4)], rng.IntN(3), rng.IntN(2)*rng.IntN(8)
		order := rng.Perm(n)
		released := make([][2]string, n)
		shuffled := make([][3]int, n)
		for i, j := range order {
			shuffled[i] = original[j]
			released[i] = [2]string{fmt.Sprintf("[%d,%d)", original[j][0]/width*width, original[j][0]/width*width+width), plain(1, original[j][1])}
			if first > 0 {
				released[i][1] = released[i][1][:2-first] + "**"[:first]
			}
			if star > 0 && rng.IntN(star+1) == 0 {
				released[i][rng.IntN(2)] = "*"
			}
		}
		at := 0
		saveRecords(t, r, shuffled, func(k, x int) string {
			if k == 2 {
				at++
				return plain(2, x)
			}
			return released[at][k]
		})
		risk, largest := 0.0, 0.0
		for _, p := range original {
			candidates := 0
			for i := range released {
				var low, high int
				age := released[i][0] == "*"
				if !age {
					fmt.Sscanf(released[i][0], "[%d,%d)", &low, &high)
					age = low <= p[0] && p[0] < high
				}
				region := strings.TrimRight(released[i][1], "*")
				if age && strings.HasPrefix(plain(1, p[1]), region) {
					candidates++
				}
			}
			risk += 1 / float64(candidates) / float64(n)
			largest = max(largest, 1/float64(candidates))
		}
		mapping := filepath.Join(dir, "m.csv")
		if rng.IntN(2) == 0 {
			var b strings.Builder
			for i, j := range order {
				fmt.Fprintf(&b, "%d,%d\n", i+1, j+1)
			}
			must.Do(t, os.WriteFile(mapping, []byte(b.String()), 0o666))
			c.mapping = mapping
		}
		v = verdict(t, c, o, r)
		most, _ := c.maxRisk.Float64()
		above := "below"
		if largest > most {
			above = "above"
		}
		counts["made of it, the risk "+above+": "+v]++
		if v == "kept" && largest > most+1e-9 {
			t.Errorf("seed %d: the limit %g is kept by a release with a risk of %g, %g of one person", seed, most, risk, largest)
		}
		if c.mapping != "" && largest > most+1e-9 && v != "broken" {
			t.Errorf("seed %d: the limit %g is %s by a release that is known to have a risk of %g of one person", seed, most, v, largest)
		}
	}
	t.Log(counts)
	if alarms > int(drawn)/10 { // of two each
		t.Errorf("%d of %d releases that were drawn without the original are said to break the limit", alarms, drawn)
	}
}

// TestReleases looks at releases of which the truth is known beside the project.
func TestReleases(t *testing.T) {
	t.Parallel()
	dir := shared.Path(t, "data", "releases")
	for _, x := range []struct {
		original, release string
		qi                []string
		same              bool
		verdict, origin   string
		persons, alone    uint64
		expected, largest float64
	}{
		{"gorig3.csv.gz", "grel3.csv.gz", []string{"municipality", "age", "postcode"}, true, "broken", "known", 10000, 9998, 9999, 1},
		{"gorig.csv", "grel.csv", []string{"age", "postcode"}, true, "broken", "known", 1000, 996, 998, 1},
		{"gorig.csv", "grel.csv", []string{"age", "postcode"}, false, "broken", "fits", 1000, 996, 998, 1},
		{"ind_o.csv", "ind_r.csv", []string{"region", "age"}, false, "kept", "unknown", 5000, 0, 9.01232, 1.0 / 510},
	} {
		c := byDefault()
		c.attacks, c.sensitive, c.sameOrder = 200, []string{"disease"}, x.same
		c.qi, c.maxRisk = x.qi, big.NewRat(1, 20)
		d, _ := must.Two(c.release(t.Context(), filepath.Join(dir, x.original), filepath.Join(dir, x.release)))(t)
		doc := d.doc.(*document.Comparison)
		s := doc.Sets[0]
		if s.Persons != x.persons || s.Alone != x.alone || math.Abs(s.Expected-x.expected) > 1e-5 || math.Abs(s.Largest-x.largest) > 1e-3 || s.Origin != x.origin || said(d) != x.verdict {
			t.Errorf("%s: %+v, %s; want %+v", x.release, s, said(d), x)
		}
		if x.verdict == "kept" && (len(doc.Attacks) != 3 || doc.Attacks[2].Risk > 0) { // nobody is singled out, and the most frequent value tells as much
			t.Errorf("%+v", doc.Attacks)
		}
	}
}

// TestUnlinked has noise so small that it hides nobody, on what the attacker knows: without the truth nobody can be linked, and no limit is kept.
func TestUnlinked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o, r, m := filepath.Join(dir, "o.csv"), filepath.Join(dir, "r.csv"), filepath.Join(dir, "m.csv")
	rng := rand.New(rand.NewPCG(1, 52))
	var original, release, mapping strings.Builder
	original.WriteString("age,income\n")
	release.WriteString("age,income\n")
	for i := range 300 {
		age, income := 18+62*rng.Float64(), math.Exp(10+rng.NormFloat64())
		fmt.Fprintf(&original, "%.1f,%.0f\n", age, income)
		fmt.Fprintf(&release, "%.1f,%.0f\n", age+0.3*rng.NormFloat64(), income*(1+0.01*rng.NormFloat64()))
		fmt.Fprintf(&mapping, "%d,%d\n", i+1, i+1)
	}
	for path, text := range map[string]string{o: original.String(), r: release.String(), m: mapping.String()} {
		must.Do(t, os.WriteFile(path, []byte(text), 0o666))
	}
	c := byDefault()
	c.qi, c.attacks, c.maxRisk = []string{"age", "income"}, 300, big.NewRat(9, 20)
	if v := verdict(t, c, o, r); v != "open" {
		t.Errorf("without the truth: %s", v)
	}
	c.mapping = m
	if v := verdict(t, c, o, r); v != "broken" {
		t.Errorf("with it: %s", v)
	}
}

// TestContradicted has one record, or a few, under a bottom code that their originals are above: what the release tells of the others is measured all the same.
func TestContradicted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o, r := filepath.Join(dir, "o.csv"), filepath.Join(dir, "r.csv")
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 52))
		n, wrong := 60+rng.IntN(100), 1+rng.IntN(3)
		code := func(age int) string {
			if age < 20 {
				return "<20"
			}
			return fmt.Sprintf("%d-%d", age/10*10, age/10*10+9)
		}
		var original, release strings.Builder
		var rows []string
		var right []bool
		count := map[string]int{}
		for range n {
			age, sex := 10+rng.IntN(60), "mf"[rng.IntN(2)]
			value := code(age)
			if is := age < 20 || wrong == 0; !is {
				value = "<20"
				wrong--
			}
			row := fmt.Sprintf("%s,%c", value, sex)
			fmt.Fprintf(&original, "%d,%c\n", age, sex)
			fmt.Fprintln(&release, row)
			rows, right = append(rows, row), append(right, value == code(age))
			count[row]++
		}
		fewest := n
		for i, row := range rows {
			if right[i] {
				fewest = min(fewest, count[row])
			}
		}
		for path, text := range map[string]string{o: original.String(), r: release.String()} {
			must.Do(t, os.WriteFile(path, []byte("age,sex\n"+text), 0o666))
		}
		c := byDefault()
		c.qi, c.sameOrder, c.attacks = []string{"age", "sex"}, true, 200
		c.maxRisk = big.NewRat(int64(85), int64(100*fewest)) // as three of sixty are wrong, one of seven may be
		if v := verdict(t, c, o, r); v != "broken" {
			t.Errorf("%d: below 1/%d: %s", seed, fewest, v)
		}
		if c.maxRisk = big.NewRat(101, int64(100*fewest)); fewest > 1 {
			if v := verdict(t, c, o, r); v == "broken" {
				t.Errorf("%d: above 1/%d: %s", seed, fewest, v)
			}
		}
	}
}
