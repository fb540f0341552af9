//go:build slow

package adversary

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/second"
	"github.com/hitoku/hitoku/lp"
	_ "github.com/hitoku/hitoku/lp/all"
	"github.com/hitoku/hitoku/table"
)

var (
	tables  = flag.Int("adversary.n", 1000, "number of tables")
	seed    = flag.Uint64("adversary.seed", 1, "seed of the search; table j depends on it and on j alone")
	first   = flag.Int("adversary.first", 0, "index of the first table")
	only    = flag.Int("adversary.only", -1, "the one table to ask about")
	outDir  = flag.String("adversary.out", "", "folder for tables with wrong answers; empty: a new one among the system's temporary files")
	workers = flag.Int("adversary.workers", 0, "number of tables at a time; 0: as many as there are processors")
	stop    = flag.Duration("adversary.for", 0, "time after which no further table is begun; 0: none")
	every   = flag.Duration("adversary.progress", 0, "time between two lines of progress; 0: none")
)

// TestAdversary is the search.
func TestAdversary(t *testing.T) {
	from, to := *first, *first+*tables
	if *only >= 0 {
		from, to = *only, *only+1
	}
	s := &search{tally: newTally(), out: *outDir, seen: map[string]int{}}
	if s.out == "" {
		dir, err := os.MkdirTemp("", "adversary")
		if err != nil {
			t.Fatal(err)
		}
		s.out = dir
		defer os.Remove(dir) // if empty
	} else if err := os.MkdirAll(s.out, 0o755); err != nil {
		t.Fatal(err)
	}
	opinion = func(tab *table.Table, file []byte, err error) { second.Compare(t, tab, file, err) }
	n := *workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	next.Store(int64(from))
	start, last := time.Now(), time.Now()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for j := int(next.Add(1)) - 1; j < to && (*stop == 0 || time.Since(start) < *stop); j = int(next.Add(1)) - 1 {
				s.one(*seed, j)
				s.Lock()
				s.done++
				if *every > 0 && time.Since(last) > *every {
					last = time.Now()
					fmt.Printf("%d tables, %d wrong answers, %v\n", s.done, s.faults, time.Since(start).Round(time.Second))
				}
				s.Unlock()
			}
		})
	}
	wg.Wait()
	t.Logf("%d tables in %v, seed %d, back ends %v\n%s", s.done, time.Since(start).Round(time.Second), *seed, lp.Backends(), s.tally)
	for _, f := range s.first {
		t.Error(f)
	}
	if s.faults > len(s.first) {
		t.Errorf("%d wrong answers in all; the smallest tables are in %s", s.faults, s.out)
	}
}

// A search collects what was asked and what was wrong.
type search struct {
	sync.Mutex
	*tally
	out    string
	seen   map[string]int // findings by kind
	done   int
	faults int
	first  []string
}

// one draws a table and asks what is to be asked of it.
func (s *search) one(seed uint64, j int) {
	t, f, rng := drawTable(seed, j)
	backends := lp.Backends()
	verb := []string{"audit", "suppress"}
	if rng.IntN(6) == 0 {
		verb = append(verb, "audit published")
	}
	if rng.IntN(10) == 0 {
		verb = append(verb, "audit integer")
	}
	if rng.IntN(16) == 0 && t.Len() < 30 {
		verb = append(verb, "insiders")
	}
	if rng.IntN(16) == 0 && t.Len() < 30 {
		verb = append(verb, "attack")
	}
	if rng.IntN(8) == 0 && t.Len() < 40 {
		verb = append(verb, "partial")
	}
	if rng.IntN(8) == 0 && t.Len() < 40 {
		verb = append(verb, "round")
	}
	for _, v := range verb {
		asked := t
		if strings.HasPrefix(v, "audit") || v == "insiders" {
			asked = t.Clone()
			for i, st := range asked.Status {
				if st == table.Safe && rng.IntN(3) > 0 {
					asked.Status[i] = table.Withheld
				}
			}
			if asked.Layers > 1 {
				alike(asked)
			}
		}
		q := pick(rng, v, asked, backends)
		a := q.ask(asked)
		s.Lock()
		s.add(f.name, q, a)
		s.Unlock()
		if a.fault != nil {
			s.found(asked, f.name, q, a.fault, seed, j)
		}
	}
}

// found makes the table smaller and writes it down.
func (s *search) found(t *table.Table, family string, q *question, f *fault, seed uint64, j int) {
	s.Lock()
	s.faults++
	s.seen[f.kind]++
	number := s.seen[f.kind]
	s.Unlock()
	if number > sample {
		return
	}
	small, patience := f, 20*time.Second
	if f.kind == "late" || f.kind == "hangs" {
		patience = 0
	}
	t = shrink(t, func(c *table.Table) bool {
		a := q.ask(c)
		if a.fault == nil || a.kind != f.kind {
			return false
		}
		small = a.fault
		return true
	}, patience)
	name := fmt.Sprintf("%s_%s_%d_%d", slug(f.kind)[:min(60, len(slug(f.kind)))], slug(q.backend), seed, j)
	path := filepath.Join(s.out, name+".jj")
	note := &strings.Builder{}
	fmt.Fprintf(note, "%s\n\ntable %d of seed %d, family %s, before it was made smaller: -adversary.seed %d -adversary.only %d\n", f.kind, j, seed, family, seed, j)
	fmt.Fprintf(note, "asked:     %s, back end %s, engine %q, workers %d, strict %v\n", q.name(), q.backend, q.engine, q.workers, t.Strict)
	if c := q.command(t, name+".jj"); c != "" {
		fmt.Fprintf(note, "command:   %s\n", c)
	}
	if t.Layers > 1 {
		fmt.Fprintf(note, "the table is a stack of %d layers\n", t.Layers)
	}
	fmt.Fprintf(note, "was:       %s\nshould be: %s\n", small.was, small.right)
	err := formats.Save(path, func(w io.Writer) error { return formats.WriteJJ(w, t) })
	if err == nil {
		err = os.WriteFile(filepath.Join(s.out, name+".txt"), []byte(note.String()), 0o644)
	}
	if err != nil {
		fmt.Fprintln(note, err)
	}
	s.Lock()
	s.first = append(s.first, path+"\n"+note.String())
	s.Unlock()
}

func slug(s string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, s), "_")
}

// A tally counts questions and notes.
type tally struct {
	asked map[[3]string]int // family, method, back end
	notes map[string]map[string]int
}

func newTally() *tally { return &tally{map[[3]string]int{}, map[string]map[string]int{}} }

func (c *tally) add(family string, q *question, a *answer) {
	c.asked[[3]string{family, q.name(), q.backend}]++
	notes := a.notes
	if a.fault != nil {
		notes = append(slices.Clip(notes), "WRONG: "+a.kind)
	}
	for _, n := range notes {
		if c.notes[q.name()] == nil {
			c.notes[q.name()] = map[string]int{}
		}
		c.notes[q.name()][n]++
	}
}

// String is the summary: what was asked by family and method, by method and back end, and what was noted.
func (c *tally) String() string {
	b := &strings.Builder{}
	cross := func(title string, row, col int) {
		sum := map[[2]string]int{}
		rows, cols := map[string]bool{}, map[string]bool{}
		for k, n := range c.asked {
			for _, at := range [][2]string{{k[row], k[col]}, {k[row], "all"}, {"all", k[col]}, {"all", "all"}} {
				sum[at] += n
			}
			rows[k[row]], cols[k[col]] = true, true
		}
		width := 0
		for _, k := range append(sorted(rows), title) {
			width = max(width, len([]rune(k)))
		}
		fmt.Fprintf(b, "\n%-*s", width, title)
		names := append(sorted(cols), "all")
		for _, k := range names {
			fmt.Fprintf(b, "  %*s", max(7, len([]rune(k))), k)
		}
		for _, r := range append(sorted(rows), "all") {
			fmt.Fprintf(b, "\n%-*s", width, r)
			for _, k := range names {
				fmt.Fprintf(b, "  %*d", max(7, len([]rune(k))), sum[[2]string{r, k}])
			}
		}
		b.WriteByte('\n')
	}
	cross("method", 1, 2)
	cross("method", 1, 0)
	b.WriteByte('\n')
	for _, m := range sorted(c.notes) {
		fmt.Fprintf(b, "%s:", m)
		for i, n := range sorted(c.notes[m]) {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(b, " %d %s", c.notes[m][n], n)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
