package clients

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/test/must"
)

// call is what one call of a client gave back (call.txt).
type call struct {
	dir     string
	name    string
	seconds string
	failed  string
	without string // how it fails where there is no program
	tables  []result
}

// result is one protected table of it.
type result struct {
	dir       string
	name      string
	rules     string
	rows      int
	wanted    int
	missing   int // values and statuses
	primary   int
	open      int // primary cells that stay published
	secondary int
	cost      string
	audit     string // the arguments of the audit, besides the table
	part      bool   // the parts of the table were protected one by one
}

// calls reads the results of a job, in their order.
func calls(t *testing.T, dir string) []call {
	t.Helper()
	files := must.Get(filepath.Glob(filepath.Join(dir, "*", "call.txt")))(t)
	sort.Strings(files)
	var all []call
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(t)
		all = append(all, parsed(t, filepath.Dir(file), string(text)))
	}
	return all
}

func parsed(t *testing.T, dir, text string) call {
	t.Helper()
	c := call{dir: dir}
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if key == "table" {
			r := result{dir: filepath.Join(dir, value), name: value}
			if _, err := os.Stat(r.dir); err != nil {
				r.dir = dir
			}
			c.tables = append(c.tables, r)
			continue
		}
		var r *result
		if n := len(c.tables); n > 0 {
			r = &c.tables[n-1]
		}
		number := func() int {
			n, err := strconv.Atoi(value)
			if err != nil {
				t.Fatalf("%s/call.txt: %q", dir, line)
			}
			return n
		}
		switch key {
		case "call":
			c.name = value
		case "seconds":
			c.seconds = value
		case "failed":
			c.failed = value
		case "without":
			c.without = value
		case "rules":
			r.rules = value
		case "rows":
			r.rows = number()
		case "wanted":
			r.wanted = number()
		case "missing":
			r.missing = number()
		case "primary":
			r.primary = number()
		case "open":
			r.open = number()
		case "secondary":
			r.secondary = number()
		case "cost":
			r.cost = value
		case "audit":
			r.audit = value
		}
	}
	return c
}

// published is what τ-ARGUS gave for a table.
type published struct {
	primary, secondary int
	cost               float64 // of its secondary cells, 0 where only their number was published
	few                bool    // there must not be more secondary cells
}

// check asks of a result what must hold of every one: all rows, nothing missing, all
// primary cells withheld, and an audit that finds it protected; and of one that was published
// that it has the same primary cells and costs no more.
func (p place) check(t *testing.T, r result, theirs *published) {
	t.Helper()
	if r.rows != r.wanted || r.rows == 0 {
		t.Errorf("%s: %d rows, want %d", r.name, r.rows, r.wanted)
	}
	if r.missing > 0 {
		t.Errorf("%s: %d values or statuses are missing", r.name, r.missing)
	}
	if r.open > 0 {
		t.Errorf("%s: %d primary cells are published", r.name, r.open)
	}
	if theirs != nil {
		if r.primary != theirs.primary {
			t.Errorf("%s: %d primary cells, want %d", r.name, r.primary, theirs.primary)
		}
		if theirs.few && r.secondary > theirs.secondary {
			t.Errorf("%s: %d secondary cells, τ-ARGUS had %d", r.name, r.secondary, theirs.secondary)
		}
		if cost, err := strconv.ParseFloat(r.cost, 64); theirs.cost > 0 && (err != nil || cost > theirs.cost) {
			t.Errorf("%s: cost %s, τ-ARGUS's was %v", r.name, r.cost, theirs.cost)
		}
	}
	if _, err := os.Stat(filepath.Join(r.dir, "table.tab")); err != nil {
		return
	}
	args := append([]string{"audit", "--from", "tauargus", "--quiet"}, strings.Fields(r.audit)...)
	if r.part {
		args = append(args, "--time-limit", "2m")
	}
	out, err := p.try(t, r.dir, 5*time.Minute, filepath.Join(p.bin, "hitoku"), append(args, "table.tab")...)
	if _, verdict, ok := strings.Cut(out, "\ntable: "); err != nil && r.part && ok {
		verdict, _, _ = strings.Cut(verdict, "\n")
		t.Logf("%s: protected part by part; as one table: %s", r.name, verdict)
		return
	}
	if err != nil {
		t.Errorf("%s: hitoku %s table.tab: %v\n%s", r.name, strings.Join(args, " "), err, tail(out, 12))
	}
}

// row is a line of the table of all examples (bench/results/clients.csv).
func row(t *testing.T, example string, c call, theirs map[string]published) {
	t.Helper()
	var cells, cost, wants []string
	for _, r := range c.tables {
		cells = append(cells, fmt.Sprintf("%d + %d", r.primary, r.secondary))
		cost = append(cost, orDash(r.cost))
		want := "–"
		if w, ok := theirs[r.name]; ok && w.secondary > 0 {
			want = fmt.Sprintf("%d + %d", w.primary, w.secondary)
			if w.cost > 0 {
				want += fmt.Sprintf(", %.0f", w.cost)
			}
		}
		wants = append(wants, want)
	}
	t.Logf("| %s | %s | %s | %s | %s |", example, strings.Join(cells, ", "), strings.Join(cost, ", "), strings.Join(wants, ", "), c.seconds)
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	if v, err := strconv.ParseFloat(s, 64); err == nil {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return s
}
