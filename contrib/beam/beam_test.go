package beam

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/direct" //lint:ignore SA1019 a second runner, with other ways of combining
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"github.com/hitoku/hitoku/risk"
)

var hitoku string // the command, built from this repository

func TestMain(m *testing.M) {
	flag.Parse()
	sdk.Init()
	folder, err := os.MkdirTemp("", "hitoku-beam-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	hitoku = filepath.Join(folder, "hitoku")
	build := exec.Command("go", "build", "-o", hitoku, "./cmd/hitoku")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v: %s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// on runs a pipeline by a runner.
func on(runner string) func(context.Context, *sdk.Pipeline) error {
	return func(ctx context.Context, p *sdk.Pipeline) error {
		_, err := sdk.Run(ctx, runner, p)
		return err
	}
}

// write writes records to a file, compressed if it is called so.
func write(t *testing.T, path string, records [][]string) string {
	t.Helper()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(records); err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, ".gz") {
		var z bytes.Buffer
		g := gzip.NewWriter(&z)
		g.Write(b.Bytes())
		g.Close()
		b = z
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// persons writes random records to some files, in which the columns stand in different
// orders. It returns their names, and those of the files of a population.
func persons(t *testing.T, rng *rand.Rand, records int) (files, people []string) {
	t.Helper()
	folder := t.TempDir()
	names := []string{"region", "age", "sex", "illness", "income", "id"}
	regions := []string{"", "NA", "東京", "two\nlines", "a,b", "n", "s"}
	draw := func() []string {
		income := fmt.Sprint(100 * rng.IntN(9))
		if rng.IntN(9) == 0 {
			income = ""
		}
		id := fmt.Sprint(rng.IntN(records))
		if rng.IntN(20) == 0 {
			id = ""
		}
		return []string{regions[rng.IntN(len(regions))], fmt.Sprint(rng.IntN(12)), []string{"f", "m"}[rng.IntN(2)], []string{"", "flu", "cold", "ache"}[rng.IntN(4)], income, id}
	}
	tables, crowds := make([][][]string, 4), make([][][]string, 2)
	orders := make([][]int, len(tables))
	for k := range tables {
		orders[k] = rng.Perm(len(names))
		tables[k] = [][]string{in(names, orders[k])}
	}
	for k := range crowds {
		crowds[k] = [][]string{{"people", "region", "age", "sex"}}
	}
	for range records {
		r, k := draw(), rng.IntN(len(tables)-1) // the last file has a header only
		tables[k] = append(tables[k], in(r, orders[k]))
		c := rng.IntN(len(crowds))
		crowds[c] = append(crowds[c], append([]string{fmt.Sprint(1 + rng.IntN(5))}, r[:3]...))
	}
	for range 20 {
		crowds[0] = append(crowds[0], []string{fmt.Sprint(rng.IntN(3)), "elsewhere", fmt.Sprint(rng.IntN(12)), "f"})
	}
	for k, r := range tables {
		files = append(files, write(t, filepath.Join(folder, fmt.Sprintf("persons-%d.csv%s", k, []string{"", ".gz"}[k%2])), r))
	}
	for k, r := range crowds {
		people = append(people, write(t, filepath.Join(folder, fmt.Sprintf("people-%d.csv", k)), r))
	}
	return files, people
}

// in puts values into an order.
func in(values []string, order []int) []string {
	var list []string
	for _, k := range order {
		list = append(list, values[k])
	}
	return list
}

// command is the document of hitoku risk.
func command(t *testing.T, j *Job) string {
	t.Helper()
	args := slices.Concat([]string{"risk", string(j.Metric), "--json", "--qi", strings.Join(j.QI, ","), "--worst", fmt.Sprint(j.Worst)}, j.Files)
	if !j.population() {
		args = append(args, "--missing", string(j.Missing.Mode))
		for _, m := range j.Missing.Markers {
			args = append(args, "--missing-marker="+m)
		}
	}
	if j.Entity != "" {
		args = append(args, "--entity", j.Entity)
	}
	if j.sensitive() {
		args = append(args, "--sensitive", strings.Join(j.Sensitive, ","))
		if j.OwnSensitive {
			args = append(args, "--missing-sensitive", "own")
		}
	}
	if j.Metric == TCloseness {
		for k, d := range j.Distances {
			args = append(args, "--distance", j.Sensitive[k]+"="+string(d))
		}
	}
	for _, p := range j.Population {
		args = append(args, "--population", p)
	}
	if j.Count != "" {
		args = append(args, "--count", j.Count)
	}
	out, err := exec.Command(hitoku, args...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() != 3 {
		t.Fatalf("%s: %s", strings.Join(args, " "), exit.Stderr)
	} else if err != nil && exit == nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestAgainstCommand compares documents of random records with those of hitoku risk, byte by byte.
func TestAgainstCommand(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 26))
	markers := []string{"", "NA"}
	own, drop := risk.Missing{Mode: risk.Own, Markers: markers}, risk.Missing{Mode: risk.Drop, Markers: markers}
	both := []risk.Distance{risk.Equal, risk.Ordered}
	for _, tc := range []struct {
		name   string
		runner string
		n      int
		job    Job
	}{
		{"k-anonymity", "prism", 2000, Job{Metric: KAnonymity, Missing: own, Worst: 3}},
		{"k-anonymity, direct runner", "direct", 500, Job{Metric: KAnonymity, Missing: drop, Worst: 500}},
		{"k-anonymity, one part", "prism", 300, Job{Metric: KAnonymity, Missing: own, Parts: 1}},
		{"k-anonymity, no records", "prism", 0, Job{Metric: KAnonymity, Missing: own, Worst: 1}},
		{"entities", "prism", 300, Job{Metric: KAnonymity, Missing: drop, Entity: "id"}},
		{"entities, direct runner", "direct", 2000, Job{Metric: KAnonymity, Missing: own, Entity: "id"}},
		{"l-diversity", "prism", 1500, Job{Metric: LDiversity, Missing: drop, Sensitive: []string{"illness", "income"}, Worst: 2}},
		{"l-diversity, direct runner", "direct", 300, Job{Metric: LDiversity, Missing: own, OwnSensitive: true, Sensitive: []string{"income"}}},
		{"t-closeness", "prism", 1500, Job{Metric: TCloseness, Missing: drop, Sensitive: []string{"illness", "income"}, Distances: both, Worst: 2}},
		{"t-closeness, direct runner", "direct", 300, Job{Metric: TCloseness, Missing: own, OwnSensitive: true, Sensitive: []string{"illness"}, Distances: both[:1]}},
		{"t-closeness, no records", "prism", 0, Job{Metric: TCloseness, Missing: own, Sensitive: []string{"illness"}, Distances: both[:1]}},
		{"k-map", "prism", 1000, Job{Metric: KMap, Count: "people", Worst: 3}},
		{"k-map, people missing", "direct", 100, Job{Metric: KMap, Worst: 3}},
		{"k-map, no records", "direct", 0, Job{Metric: KMap}},
		{"delta-presence", "direct", 1000, Job{Metric: DeltaPresence, Worst: 1}},
		{"delta-presence, people missing", "prism", 100, Job{Metric: DeltaPresence}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			j := tc.job
			j.QI, j.L = []string{"region", "age", "sex"}, []uint64{1, 2, 3, 4, 5}
			if j.Parts == 0 {
				j.Parts = 1 + rng.IntN(9)
			}
			var people []string
			if j.Files, people = persons(t, rng, tc.n); j.population() {
				if j.Population = people; strings.HasSuffix(tc.name, "missing") {
					j.Population = people[:1]
				}
			}
			r, err := j.Run(t.Context(), filepath.Join(t.TempDir(), "result"), on(tc.runner))
			if err != nil {
				t.Fatal(err)
			}
			if r.Fault != nil {
				t.Fatal(r.Fault.Text)
			}
			got, err := j.Document(r)
			if err != nil {
				t.Fatal(err)
			}
			if want := command(t, &j); string(got) != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestFaults finds the first record that cannot be read, by file and line.
func TestFaults(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	files, people := persons(t, rng, 50)
	bad := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	short := bad("short.csv", "region,age,sex\n\"n\nn\",3,f\ns,4\nn,5,m\n")
	narrow := bad("narrow.csv", "region,age\nn,3\n")
	half := bad("half.csv", "region,age,sex,people\nn,3,f,2\nn,4,f,1.5\n")
	for _, tc := range []struct {
		name string
		job  Job
		want string
	}{
		{"record", Job{Metric: KAnonymity, Files: slices.Concat(files, []string{short, narrow})}, short + ":4: "},
		{"header", Job{Metric: KAnonymity, Files: []string{narrow, short}}, narrow + ":1: "},
		{"count", Job{Metric: KMap, Files: files, Population: append(people, half), Count: "people"}, half + ":3: "},
		{"number", Job{Metric: TCloseness, Files: files, Sensitive: []string{"illness"}, Distances: []risk.Distance{risk.Ordered}}, `risk: column "illness": "ache": want numbers`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.job.QI, tc.job.Parts = []string{"region", "age", "sex"}, 3
			tc.job.Missing.Markers = []string{""}
			r, err := tc.job.Run(t.Context(), filepath.Join(t.TempDir(), "result"), on("direct"))
			if err != nil {
				t.Fatal(err)
			}
			if r.Fault == nil || !strings.HasPrefix(r.Fault.Text, tc.want) {
				t.Errorf("fault %+v, want %s", r.Fault, tc.want)
			}
		})
	}
	j := Job{Metric: KAnonymity, QI: []string{"region"}, Parts: 1, Files: []string{filepath.Join(t.TempDir(), "absent.csv")}}
	if _, err := j.Run(t.Context(), filepath.Join(t.TempDir(), "result"), on("direct")); err == nil {
		t.Error("a file that is not there: no error")
	}
	if _, err := Find(t.Context(), j.Files); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a file that is not there is found: %v", err)
	}
}

func TestCheck(t *testing.T) {
	good := Job{Metric: KAnonymity, Files: []string{"f"}, QI: []string{"a"}, Parts: 1}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Job){
		"measure":       func(j *Job) { j.Metric = "k" },
		"input":         func(j *Job) { j.Files = nil },
		"qi":            func(j *Job) { j.QI = nil },
		"twice":         func(j *Job) { j.QI = []string{"a", "a"} },
		"parts":         func(j *Job) { j.Parts = 0 },
		"wildcard":      func(j *Job) { j.Missing.Mode = risk.Wildcard },
		"sensitive":     func(j *Job) { j.Sensitive = []string{"s"} },
		"no sensitive":  func(j *Job) { j.Metric = LDiversity },
		"population":    func(j *Job) { j.Population = []string{"p"} },
		"no population": func(j *Job) { j.Metric = KMap },
		"drop":          func(j *Job) { j.Metric, j.Population, j.Missing.Mode = KMap, []string{"p"}, risk.Drop },
		"own":           func(j *Job) { j.OwnSensitive = true },
		"distances":     func(j *Job) { j.Metric, j.Sensitive = TCloseness, []string{"s"} },
		"entity":        func(j *Job) { j.Metric, j.Sensitive, j.Entity = LDiversity, []string{"s"}, "id" },
		"worst":         func(j *Job) { j.Entity, j.Worst = "id", 1 },
		"count":         func(j *Job) { j.Count = "n" },
	} {
		j := good
		change(&j)
		if j.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestCountsTravel(t *testing.T) {
	for _, b := range [][]byte{nil, []byte("x"), []byte("cnonsense"), []byte("s"), []byte("e")} {
		if _, err := decodeCounts(b); err == nil {
			t.Errorf("%q: no error", b)
		}
	}
	c, err := decodeCounts([]byte("-"))
	if err != nil || c != (Counts{}) {
		t.Errorf("nothing: %v, %v", c, err)
	}
	if _, err := (Counts{classes: &risk.Classes{}}).add(Counts{entities: &risk.Entities{}}); err == nil {
		t.Error("counts of two kinds were added up")
	}
}
