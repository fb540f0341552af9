package release

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/risk"
)

// classesOf reads a file by hand: the records of each combination of quasi-identifiers, with the sensitive value of each.
func classesOf(rows [][]string, qi int) map[string][]string {
	m := map[string][]string{}
	for _, r := range rows {
		key := strings.Join(r[:qi], "\x00")
		m[key] = append(m[key], r[qi])
	}
	return m
}

// reaches says whether records reach k and l.
func reaches(rows [][]string, qi, k, l int) bool {
	for _, list := range classesOf(rows, qi) {
		values := slices.Compact(slices.Sorted(slices.Values(list)))
		if len(list) < k || len(values) < l {
			return false
		}
	}
	return true
}

// lossOf is the loss of released records, by the sets that values stand for: of a, b, c, d it is 1 for *, 1/3 for ab and cd.
func lossOf(rows [][]string, qi int, values []int) float64 {
	sum, columns := 0.0, 0
	for k := range qi {
		if values[k] > 1 {
			columns++
		}
	}
	if columns == 0 {
		return 0
	}
	for _, r := range rows {
		for k := range qi {
			switch {
			case values[k] < 2:
			case r[k] == "*":
				sum++
			default:
				sum += float64(len(r[k])-1) / float64(values[k]-1)
			}
		}
	}
	return sum / float64(columns) / float64(len(rows))
}

// drawn is a file of a few records with two quasi-identifiers of letters, coarser in pairs, and the steps of each.
type drawnFile struct {
	rows   [][]string
	values []int
	path   string
}

func draw(t *rapid.T, dir string) drawnFile {
	n := rapid.IntRange(2, 5).Draw(t, "n")
	f := drawnFile{path: filepath.Join(dir, "f.csv"), values: make([]int, 2)}
	var text strings.Builder
	text.WriteString("x,y,s\n")
	seen := [2]map[string]bool{{}, {}}
	for range n {
		r := []string{rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "x"), rapid.SampledFrom([]string{"a", "b"}).Draw(t, "y"), rapid.SampledFrom([]string{"u", "v"}).Draw(t, "s")}
		f.rows = append(f.rows, r)
		for k := range 2 {
			seen[k][r[k]] = true
		}
		text.WriteString(strings.Join(r, ",") + "\n")
	}
	for k := range 2 {
		f.values[k] = len(seen[k])
	}
	if err := os.WriteFile(f.path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return f
}

// pairs are the values of the first letters that a file has: the coarser value of x.
func (f *drawnFile) coarse(v string) string {
	pair := "ab"
	if v > "b" {
		pair = "cd"
	}
	s := ""
	for _, c := range pair {
		if slices.ContainsFunc(f.rows, func(r []string) bool { return r[0] == string(c) }) {
			s += string(c)
		}
	}
	return s
}

// least is the least loss of all ways to recode x in pairs or wholly, y wholly, and to withhold any values, by trying them all.
func (f *drawnFile) least(k, l int, withhold bool) float64 {
	best := math.Inf(1)
	n := len(f.rows)
	for x := range 3 {
		for y := range 2 {
			base := make([][]string, n)
			for i, r := range f.rows {
				base[i] = slices.Clone(r)
				if x == 1 {
					base[i][0] = f.coarse(r[0])
				}
				if x == 2 {
					base[i][0] = "*"
				}
				if y == 1 {
					base[i][1] = "*"
				}
			}
			sets := 1
			if withhold {
				sets = 1 << (2 * n)
			}
			for set := range sets {
				rows := make([][]string, n)
				for i := range rows {
					rows[i] = slices.Clone(base[i])
					for c := range 2 {
						if set>>(2*i+c)&1 == 1 {
							rows[i][c] = "*"
						}
					}
				}
				if reaches(rows, 2, k, l) {
					best = min(best, lossOf(rows, 2, f.values))
				}
			}
		}
	}
	return best
}

// locally is the least loss of all ways to give each record steps of its own.
func (f *drawnFile) locally(k, l int) float64 {
	best := math.Inf(1)
	rows := make([][]string, len(f.rows))
	var walk func(i int)
	walk = func(i int) {
		if i == len(rows) {
			if reaches(rows, 2, k, l) {
				best = min(best, lossOf(rows, 2, f.values))
			}
			return
		}
		r := f.rows[i]
		for _, x := range []string{r[0], f.coarse(r[0]), "*"} {
			for _, y := range []string{r[1], "*"} {
				rows[i] = []string{x, y, r[2]}
				walk(i + 1)
			}
		}
	}
	walk(0)
	return best
}

// Of small files the least loss is known by trying everything: the bound does not pass it, what is found is no better, and no worse where only steps are
// searched (values are withheld by number, not by what each of them had left to lose), and the file that is written keeps the limits.
func TestSearchIsExact(t *testing.T) {
	dir := t.TempDir()
	hierarchy := filepath.Join(dir, "x.csv")
	rapid.Check(t, func(t *rapid.T) {
		f := draw(t, dir)
		var steps strings.Builder
		for _, v := range []string{"a", "b", "c", "d"} {
			fmt.Fprintf(&steps, "%s;%s\n", v, f.coarse(v))
		}
		if err := os.WriteFile(hierarchy, []byte(steps.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		k, l := rapid.IntRange(1, 3).Draw(t, "k"), rapid.IntRange(1, 2).Draw(t, "l")
		withhold, local := rapid.Bool().Draw(t, "withhold"), rapid.Bool().Draw(t, "local")
		p := &Policy{Limits: Limits{K: uint64(k), L: uint64(l)}, Columns: []Column{{Name: "x", Role: Quasi, Recode: hierarchy, All: true}, {Name: "y", Role: Quasi, All: true}, {Name: "s", Role: Sensitive}}, Recoding: Recoding{Local: local}}
		found, lattice := search(t, f.path, p, withhold)
		all := f.least(k, l, withhold)
		want := all
		if local {
			want = f.locally(k, l)
		}
		if found == nil {
			if !math.IsInf(want, 1) {
				t.Fatalf("nothing found; %g is the least", want)
			}
			return
		}
		if found.Loss < want-1e-9 || found.Bound > want+1e-9 || !withhold && found.Loss > all+1e-9 {
			t.Fatalf("loss %g, bound %g; the least is %g", found.Loss, found.Bound, want)
		}
		var out bytes.Buffer
		var from []int32
		if err := lattice.Write(context.Background(), &out, f.path, risk.Layout{}, found.Recoded, found.Withheld, nil, nil, func(n int32) { from = append(from, n) }); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&out).ReadAll()
		if err != nil || len(rows) != len(f.rows)+1 || len(from) != len(f.rows) {
			t.Fatalf("%v: %v", err, rows)
		}
		if rows = rows[1:]; !reaches(rows, 2, k, l) || math.Abs(lossOf(rows, 2, f.values)-found.Loss) > 1e-9 {
			t.Fatalf("written: %v", rows)
		}
		for i, n := range from {
			if rows[i][2] != f.rows[n][2] {
				t.Fatalf("record %d is said to be %d", i, n)
			}
		}
	})
}

func search(t *rapid.T, path string, p *Policy, withhold bool) (*Found, *risk.Lattice) {
	ctx := context.Background()
	qi := p.Of(Quasi)
	columns, err := risk.NewColumns(slices.Concat(qi, p.Of(Sensitive))...)
	if err != nil {
		t.Fatal(err)
	}
	scanner, err := risk.NewScanner(risk.Layout{}, columns, nil, func() *risk.Sensitive { return risk.NewSensitive(columns, len(qi)) })
	if err != nil {
		t.Fatal(err)
	}
	if err := scanner.ReadFile(ctx, path); err != nil {
		t.Fatal(err)
	}
	s, err := scanner.Result()
	if err != nil {
		t.Fatal(err)
	}
	ladders, err := p.Hierarchies()
	if err != nil {
		t.Fatal(err)
	}
	lattice, err := risk.NewLattice(ctx, s, risk.Missing{Mode: risk.Own}, ladders)
	if err != nil {
		t.Fatal(err)
	}
	task := &Task{Lattice: lattice, Goal: p.Goal(), Tries: 100, Values: withhold}
	for _, h := range ladders {
		task.Levels = append(task.Levels, h.Levels())
	}
	if withhold {
		joint, err := risk.NewScanner(risk.Layout{}, columns, nil, func() *risk.Classes { return risk.NewClasses(columns, len(qi)+1) })
		if err != nil {
			t.Fatal(err)
		}
		if err := joint.ReadFile(ctx, path); err != nil {
			t.Fatal(err)
		}
		if task.Joint, err = joint.Result(); err != nil {
			t.Fatal(err)
		}
	}
	found, err := task.Search(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return found, lattice
}

// A limit of risk asks for as many records alike as its inverse, rounded up.
func TestGoal(t *testing.T) {
	for text, want := range map[string]uint64{"1": 1, "1/2": 2, "0.3": 4, "1/3": 3, "0.2": 5, "1/18446744073709551616": math.MaxUint64} {
		x, ok := new(big.Rat).SetString(text)
		p := Policy{Limits: Limits{K: 1, Risk: Number{x}}}
		if got := p.Goal().K; !ok || got != want {
			t.Errorf("risk %s: k %d, want %d", text, got, want)
		}
	}
}
