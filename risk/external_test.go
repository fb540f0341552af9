package risk

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
)

// microdata returns a folder of data that other tools publish figures of.
func microdata(t *testing.T, name string) string {
	return shared.Path(t, "data", "microdata", name)
}

func readJSON(t *testing.T, path string, to any) {
	t.Helper()
	b := must.Get(os.ReadFile(path))(t)
	if err := json.Unmarshal(b, to); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func closeTo(t *testing.T, what string, got, want, rel float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > rel*math.Abs(want) {
		t.Errorf("%s: %.17g, want %.17g", what, got, want)
	}
}

// pyCANON 1.3.5 agrees in k, l, t and α. Its faults, where these files show them:
// recursive (c,l) sorts counts the wrong way round, so that it reports a c for which
// the criterion does not hold; entropy l is cut to a whole number, sometimes below
// the right one; and its average risk is one over classes. Its enhanced β is the smaller of β and
// −ln of the least share, which is [Likeness].Bounded.
func TestPyCANON(t *testing.T) {
	dir := microdata(t, "pycanon")
	wrongRecursive := []string{"StudentsMath_Score_k5", "StudentsMath_Score_k7", "drugs_k5"}
	var files map[string]struct {
		Rows      uint64
		QI        []string
		Sensitive []string
		Theirs    struct {
			K, L, T   float64
			Entropy   float64     `json:"entropy_l"`
			Alpha     []float64   `json:"alpha_k"`
			Recursive [2]*float64 `json:"recursive"`
			MaxRisk   float64     `json:"max_rir"`
			AvgRisk   float64     `json:"avg_rir"`
			Beta      float64     `json:"basic_beta"`
			Bounded   float64     `json:"enhanced_beta"`
			Delta     float64     `json:"delta_disclosure"`
		} `json:"pycanon_1.3.5"`
		Correct struct {
			K, Classes uint64
			Uniques    uint64  `json:"sample_uniques"`
			Distinct   uint64  `json:"distinct_l"`
			Entropy    float64 `json:"entropy_l"`
			Recursive  []struct {
				L uint64
				C *string `json:"c_infimum"`
			}
			Alpha    string
			T        float64
			Distance Distance `json:"t_distance"`
			Average  string   `json:"average_risk"`
		}
	}
	readJSON(t, filepath.Join(dir, "expected.json"), &files)
	if len(files) != 19 {
		t.Errorf("%d files, want 19", len(files))
	}
	for name, want := range files {
		t.Run(name, func(t *testing.T) {
			s := scanSensitive(t, filepath.Join(dir, name+".csv"), want.QI, want.Sensitive...)
			k := must.Get(s.KAnonymity(t.Context(), Missing{}, 0))(t)
			if k.Records != want.Rows || k.K != want.Correct.K || k.Classes != want.Correct.Classes || k.Uniques != want.Correct.Uniques {
				t.Errorf("%+v, want %+v", k, want.Correct)
			}
			average, _ := new(big.Rat).SetString(want.Correct.Average)
			closeTo(t, "average risk", k.AverageRisk, num.Float(average), 1e-12)
			closeTo(t, "pyCANON's largest risk", k.MaxRisk, want.Theirs.MaxRisk, 1e-12)
			overClasses := 0.0 // pyCANON's average is one over classes, not over records
			for _, x := range k.Histogram {
				overClasses += float64(x.Classes) / float64(x.Size)
			}
			closeTo(t, "pyCANON's average over classes", overClasses/float64(k.Classes), want.Theirs.AvgRisk, 1e-12)
			closeTo(t, "pyCANON's k", float64(k.K), want.Theirs.K, 0)
			closeTo(t, "pyCANON's k of α", float64(k.K), want.Theirs.Alpha[1], 0)
			var ls []uint64
			for _, r := range want.Correct.Recursive {
				ls = append(ls, r.L)
			}
			diversity := must.Get(s.LDiversity(t.Context(), Missing{}, false, ls, 0))(t)
			l := diversity[0]
			alpha, _ := new(big.Rat).SetString(want.Correct.Alpha)
			if l.Distinct != want.Correct.Distinct || l.Alpha.Cmp(alpha) != 0 {
				t.Errorf("l %d, α %v, want %+v", l.Distinct, l.Alpha, want.Correct)
			}
			likeness := must.Get(s.Likeness(t.Context(), Missing{}, true, 0))(t)
			closeTo(t, "pyCANON's β", num.Float(likeness[0].Beta), want.Theirs.Beta, 1e-12)
			closeTo(t, "pyCANON's enhanced β", likeness[0].Bounded, want.Theirs.Bounded, 1e-12)
			closeTo(t, "pyCANON's δ", likeness[0].Delta, want.Theirs.Delta, 1e-12)
			closeTo(t, "entropy l", l.Entropy, want.Correct.Entropy, 1e-12)
			closeTo(t, "pyCANON's l", float64(l.Distinct), want.Theirs.L, 0)
			closeTo(t, "pyCANON's α", num.Float(l.Alpha), want.Theirs.Alpha[0], 1e-12)
			if d := l.Entropy - want.Theirs.Entropy; d < 0 || d > 1+1e-12 {
				t.Errorf("entropy l %v, pyCANON's %v is not it rounded down, nor one less", l.Entropy, want.Theirs.Entropy)
			}
			for i, r := range want.Correct.Recursive {
				got := l.Recursive[i]
				if r.C == nil {
					if got.Infimum != nil {
						t.Errorf("l %d: c > %v, want none", r.L, got.Infimum)
					}
					continue
				}
				if c, _ := new(big.Rat).SetString(*r.C); got.Infimum == nil || got.Infimum.Cmp(c) != 0 {
					t.Errorf("l %d: c > %v, want %v", r.L, got.Infimum, c)
				}
			}
			if c := want.Theirs.Recursive[0]; c != nil && *want.Theirs.Recursive[1] > 1 {
				at := slices.Index(ls, uint64(*want.Theirs.Recursive[1]))
				if at < 0 {
					t.Fatalf("no figure for l %v", *want.Theirs.Recursive[1])
				}
				inf := l.Recursive[at].Infimum
				holds := inf != nil && num.Float(inf) < *c
				if holds == slices.Contains(wrongRecursive, name) {
					t.Errorf("pyCANON reports (%v, %d); it needs c > %v; listed as wrong: %v", *c, ls[at], inf, !holds)
				}
			}
			closeness := must.Get(s.TCloseness(t.Context(), Missing{}, false, []Distance{want.Correct.Distance}, 0))(t)
			closeTo(t, "t", num.Float(closeness[0].T), want.Correct.T, 1e-12)
			closeTo(t, "pyCANON's t", num.Float(closeness[0].T), want.Theirs.T, 1e-12)
		})
	}
}

// arxStats are the figures of one generalisation of the adult data.
type arxStats struct {
	Node       []int
	Statement  string `json:"arx_statement"`
	Population struct {
		K, Classes uint64
		DM         uint64  // Σ size²
		TEqual     float64 `json:"t_equal"`
		TOrdered   float64 `json:"t_ordered"`
		Entropy    float64 `json:"entropy_l"`
		Distinct   uint64  `json:"distinct_l"`
	} `json:"population_stats"`
	Subset struct {
		Classes  uint64 `json:"subset_classes"`
		AECS     float64
		DeltaMin string `json:"delta_min"`
		DeltaMax string `json:"delta_max"`
		K        uint64 `json:"k_map"`
	} `json:"subset_vs_population"`
}

// check compares a population with classes and occupation, and a subset in it.
func (want *arxStats) check(t *testing.T, all *Sensitive, subset *Population) {
	t.Helper()
	k := must.Get(all.KAnonymity(t.Context(), Missing{}, 0))(t)
	squares := uint64(0)
	for _, s := range k.Histogram {
		squares += s.Size * s.Size * s.Classes
	}
	p := want.Population
	if k.Records != 30162 || k.K != p.K || k.Classes != p.Classes || squares != p.DM {
		t.Errorf("k %d, %d classes, sum of squares %d, want %+v", k.K, k.Classes, squares, p)
	}
	l := must.Get(all.LDiversity(t.Context(), Missing{}, false, nil, 0))(t)
	if l[0].Distinct != p.Distinct {
		t.Errorf("l %d, want %d", l[0].Distinct, p.Distinct)
	}
	closeTo(t, "entropy l", l[0].Entropy, p.Entropy, 1e-12)
	c := must.Get(all.TCloseness(t.Context(), Missing{}, false, []Distance{Equal, Ordered}, 0))(t)
	closeTo(t, "t", num.Float(c[0].T), p.TEqual, 1e-12)
	closeTo(t, "ordered t", num.Float(c[1].T), p.TOrdered, 1e-12)
	m := subset.KMap(0)
	s := want.Subset
	if m.Records != 3016 || m.Population != 30162 || m.K != s.K || m.Classes != s.Classes || m.Absent+m.Below != 0 {
		t.Errorf("%+v, want %+v", m, s)
	}
	closeTo(t, "average class size", float64(m.Records)/float64(m.Classes), s.AECS, 1e-12)
	if m.Presence.Max.RatString() != s.DeltaMax || m.Presence.Min.RatString() != s.DeltaMin {
		t.Errorf("δ from %s to %s, want %+v", m.Presence.Min.RatString(), m.Presence.Max.RatString(), s)
	}
}

// TestARX reproduces what ARX's own tests state of the adult data.
func TestARX(t *testing.T) {
	dir := microdata(t, "arx_adult")
	var want struct {
		QI     []string `json:"qi_order"`
		Tables map[string]*arxStats
		Nodes  []*arxStats `json:"nodes_from_hierarchies"`
		Raw    struct {
			QI         []string
			Classes, K uint64
			Uniques    uint64      `json:"sample_uniques"`
			Average    float64     `json:"average_risk_arx_test"`
			Highest    float64     `json:"highest_risk_arx_test"`
			Histogram  []SizeCount `json:"histogram"`
		} `json:"raw_adult_9_qi"`
		NineQI []struct {
			QI         []string
			Node       []int
			ARX        string
			K, Classes uint64
		} `json:"k_nine_qi_nodes"`
	}
	readJSON(t, filepath.Join(dir, "expected.json"), &want)
	semicolons := func(path string) [][]string {
		f := must.Get(os.Open(path))(t)
		defer f.Close()
		r := csv.NewReader(f)
		r.Comma = ';'
		r.FieldsPerRecord = -1
		return must.Get(r.ReadAll())(t)
	}
	for name, table := range want.Tables {
		t.Run(name, func(t *testing.T) {
			file := func(part string) string { return filepath.Join(dir, part+"_"+name+".csv") }
			// ARX orders occupations by the alphabet: their ranks go beside them.
			columns := must.Get(NewColumns(append(slices.Clone(want.QI), "occupation", "rank")...))(t)
			all := NewSensitive(columns, len(want.QI))
			records := semicolons(file("population"))
			if !slices.Equal(records[0], append(slices.Clone(want.QI), "occupation")) {
				t.Fatalf("columns %q", records[0])
			}
			var occupations []string
			for _, r := range records[1:] {
				occupations = append(occupations, r[len(r)-1])
			}
			slices.Sort(occupations)
			occupations = slices.Compact(occupations)
			for _, r := range records[1:] {
				rank, _ := slices.BinarySearch(occupations, r[len(r)-1])
				must.Do(t, all.Add(1, append(r, strconv.Itoa(rank))...))
			}
			data := scanClasses(t, file("subset"), want.QI)
			table.check(t, all, attackTable(t, data, file("population"), Layout{}, nil, nil))
		})
	}
	adult, subset := semicolons(filepath.Join(dir, "adult.csv")), semicolons(filepath.Join(dir, "adult_subset.csv"))
	// recoder returns the values of the columns qi of a record at the levels of node.
	recoder := func(qi []string, node []int) func(row []string) []string {
		var of []map[string]string
		for k, name := range qi {
			m := map[string]string{}
			if node[k] > 0 {
				for _, h := range semicolons(filepath.Join(dir, "adult_hierarchy_"+name+".csv")) {
					m[h[0]] = h[node[k]]
				}
			}
			of = append(of, m)
		}
		return func(row []string) []string {
			var tuple []string
			for k, name := range qi {
				v := row[slices.Index(adult[0], name)]
				if node[k] > 0 {
					to, ok := of[k][v]
					if !ok {
						t.Fatalf("%s: %q has no level", name, v)
					}
					v = to
				}
				tuple = append(tuple, v)
			}
			return tuple
		}
	}
	// ARX orders occupations by the alphabet.
	occupation := slices.Index(adult[0], "occupation")
	var occupations []string
	for _, row := range adult[1:] {
		occupations = append(occupations, row[occupation])
	}
	slices.Sort(occupations)
	occupations = slices.Compact(occupations)
	for _, node := range want.Nodes {
		t.Run(node.Statement, func(t *testing.T) {
			recode := recoder(want.QI, node.Node)
			columns, err := NewColumns(append(slices.Clone(want.QI), "occupation", "rank")...)
			if err != nil {
				t.Fatal(err)
			}
			all := NewSensitive(columns, len(want.QI))
			for _, row := range adult[1:] {
				rank, _ := slices.BinarySearch(occupations, row[occupation])
				must.Do(t, all.Add(1, append(recode(row), row[occupation], strconv.Itoa(rank))...))
			}
			if columns, err = NewColumns(want.QI...); err != nil {
				t.Fatal(err)
			}
			data := NewClasses(columns, len(want.QI))
			for _, row := range subset[1:] {
				must.Do(t, data.Add(1, recode(row)...))
			}
			p := NewPopulation(data, nil)
			for _, row := range adult[1:] {
				must.Do(t, p.Add(1, recode(row)...))
			}
			node.check(t, all, p)
		})
	}
	for _, node := range want.NineQI {
		t.Run(node.ARX, func(t *testing.T) {
			recode := recoder(node.QI, node.Node)
			columns := must.Get(NewColumns(node.QI...))(t)
			c := NewClasses(columns, len(node.QI))
			for _, row := range adult[1:] {
				must.Do(t, c.Add(1, recode(row)...))
			}
			if r, err := c.KAnonymity(t.Context(), Missing{}, 0); err != nil || r.K != node.K || r.Classes != node.Classes {
				t.Errorf("%+v, %v, want %+v", r, err, node)
			}
		})
	}
	t.Run("raw", func(t *testing.T) {
		c := scanClasses(t, filepath.Join(dir, "adult.csv"), want.Raw.QI)
		r := must.Get(c.KAnonymity(t.Context(), Missing{}, 0))(t)
		if r.Classes != want.Raw.Classes || r.K != want.Raw.K || r.Uniques != want.Raw.Uniques || !slices.Equal(r.Histogram, want.Raw.Histogram) {
			t.Errorf("%+v, want %+v", r, want.Raw)
		}
		closeTo(t, "average risk", r.AverageRisk, want.Raw.Average, 1e-15)
		closeTo(t, "highest risk", r.MaxRisk, want.Raw.Highest, 0)
		// ARX compares four decimals of uniques/N; the other figures are of an
		// independent computation.
		for _, tc := range []struct {
			population             uint64
			zayatz, pitman         float64
			chosen                 string
			arx, theirs, tolerance float64
		}{
			{301620, 0.320740239347, 0.276849938838, "pitman", 0.27684993883653597, 0.3207402393466189, 5e-5},
			// ARX says Zayatz: of the two equations of the sliding negative binomial its code has a quotient as a product, and so
			// finds no fit. The equations as published, solved by other means, have this one, which is smaller.
			{150810, 0.357709923483, 0.336628017019, "snb", 0.319459375, 0.3577099234829125, 5e-5},
			{3016200, 0.271712719936, 0.144608353117, "pitman", 0.1446083531167384, 0, 5e-5},
			{30162, 0.5142895033485844, 0, "sample", 0.5142895033485844, 0, 1e-12},
		} {
			u := must.Get(NewUniques(r.Histogram, tc.population))(t)
			N := float64(tc.population)
			if u.Chosen != tc.chosen {
				t.Errorf("N %v: chosen %s, want %s", N, u.Chosen, tc.chosen)
			}
			closeTo(t, "ARX's estimate", u.Estimate/N, tc.arx, tc.tolerance)
			if tc.chosen != "sample" {
				closeTo(t, "Zayatz", u.Zayatz.Uniques/N, tc.zayatz, 1e-10)
				closeTo(t, "Pitman", u.Pitman.Uniques/N, tc.pitman, 1e-9)
			}
			if tc.theirs > 0 {
				closeTo(t, "ARX's Zayatz", u.Zayatz.Uniques/N, tc.theirs, 1e-10)
			}
		}
		u := must.Get(newPitman(r.Histogram, 301620))(t)
		closeTo(t, "θ", u.Theta, 3176.2335, 1e-7)
		closeTo(t, "α", u.Alpha, 0.71794895, 1e-7)
	})
	t.Run("test", func(t *testing.T) {
		qi := []string{"age", "gender", "zipcode"}
		c := scanClasses(t, filepath.Join(dir, "test.csv"), qi)
		if r, err := c.KAnonymity(t.Context(), Missing{}, 0); err != nil || r.AverageRisk != 1 || r.MaxRisk != 1 {
			t.Errorf("%+v, %v, want risk 1", r, err)
		}
		columns := must.Get(NewColumns(qi...))(t)
		c = NewClasses(columns, len(qi))
		for _, row := range semicolons(filepath.Join(dir, "test.csv"))[1:] {
			age := "<50"
			if row[0] >= "50" {
				age = ">=50"
			}
			must.Do(t, c.Add(1, age, "*", row[2][:3]))
		}
		if r, err := c.KAnonymity(t.Context(), Missing{}, 0); err != nil || r.AverageRisk != 3.0/7 || r.MaxRisk != 0.5 {
			t.Errorf("%+v, %v, want 3/7 and 1/2", r, err)
		}
	})
}

// sdcMicro's data have no file of figures; what can be checked of them is the eight
// records of francdat, whose figures are among the vectors, the records of testdata that
// its practice guide (Benschop, Machingauta and Welch, chapter on sdcMicro; columns
// renamed there) counts as violating 2- and 3-anonymity, and that each of the faults
// found in sdcMicro is not made here: NaN for large classes, records without any key
// that count for nobody, and missing sensitive values that count as different ones.
func TestSdcMicro(t *testing.T) {
	dir := microdata(t, "sdcmicro")
	keys := []string{"Key1", "Key2", "Key3", "Key4"}
	w := scanFile(t, filepath.Join(dir, "francdat.csv"), keys, []string{"w"}, func(c *Columns) *Weighted { return NewWeighted(c, 4) })
	r := must.Get(w.Risk(t.Context(), Missing{}, 0))(t)
	closeTo(t, "francdat", r.Reidentified, 0.966526045199967, 1e-12)
	if r.Records != 8 || r.Uniques != 4 || r.K != 1 {
		t.Errorf("%+v", r)
	}
	closeTo(t, "176 records, p 0.01", individualRisk(176, 0.01), 0.01/(176-0.99), 1e-3)

	c := scanClasses(t, filepath.Join(dir, "testdata.csv"), []string{"urbrur", "roof", "walls", "water", "electcon", "relat", "sex"})
	k := must.Get(c.KAnonymity(t.Context(), Missing{}, 0))(t)
	violating := func(k2 uint64) (n uint64) {
		for _, s := range k.Histogram {
			if s.Size < k2 {
				n += s.Records
			}
		}
		return n
	}
	if two, three := violating(2), violating(3); k.Records != 4580 || two != 157 || three != 281 {
		t.Errorf("of %d records %d violate 2-anonymity and %d 3-anonymity, want 157 and 281 of 4580", k.Records, two, three)
	}

	path := filepath.Join(dir, "testdata_missing_1500.csv")
	qi := []string{"urbrur", "roof", "walls", "water", "electcon", "relat", "sex", "age"}
	m := Missing{Wildcard, []string{"", "NA"}}
	c = scanClasses(t, path, qi)
	f := must.Get(c.Frequencies(t.Context(), m))(t)
	all := rows(t, path, qi)
	matches := func(a, b []string) bool {
		for k := range a {
			if a[k] != b[k] && !slices.Contains(m.Markers, a[k]) && !slices.Contains(m.Markers, b[k]) {
				return false
			}
		}
		return true
	}
	missing := 0
	for _, a := range all {
		want := uint64(0)
		for _, b := range all {
			if matches(a, b) {
				want++
			}
		}
		if strings.Contains(strings.Join(a, ",")+",", "NA,") || slices.Contains(a, "") {
			missing++
		}
		if got := f[c.Class(a...)]; got != want {
			t.Fatalf("%v: f %d, want %d", a, got, want)
		}
	}
	if missing == 0 {
		t.Error("no missing values in a file that is meant to have some")
	}
}
