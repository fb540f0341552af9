package adversary

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var (
	pairCases   = flag.Int("pairs.n", 272, "number of cases in which two features meet")
	pairSeed    = flag.Uint64("pairs.seed", 1, "seed of the cases; case j depends on it and on j alone")
	pairFirst   = flag.Int("pairs.first", 0, "index of the first case")
	pairOnly    = flag.Int("pairs.only", -1, "the one case to run")
	pairPair    = flag.String("pairs.of", "", "the one pair to draw, as NAME,NAME")
	pairOut     = flag.String("pairs.out", "", "folder for cases with a wrong answer; empty: a new one among the system's temporary files")
	pairWorkers = flag.Int("pairs.workers", 1, "number of cases at a time")
)

// pairs are all of two features.
func pairs() (list [][2]*feature) {
	for i := range features {
		for j := range i {
			list = append(list, [2]*feature{features[j], features[i]})
		}
	}
	return list
}

// drawWorld draws case j.
func drawWorld(seed uint64, j int, pair [2]*feature, dir string) *world {
	rng := rand.New(rand.NewPCG(seed, uint64(j)))
	w := &world{rng: rng, dir: dir, with: pair[:], kind: "count", sheets: []sheet{{"one.csv", "k"}}}
	if rng.IntN(3) == 0 {
		w.kind = "amount"
	}
	w.below, w.width = 2+rng.Int64N(3), 1+rng.Int64N(6)
	for _, f := range pair {
		if f.draw != nil {
			f.draw(w)
		}
	}
	if w.has("defence") || w.has("groups") || w.rounded {
		if w.kind == "amount" && !w.negative && !w.marks {
			w.kind = "count"
		}
	}
	if len(w.makers) == 0 {
		w.makers = []string{"suppress"}
	}
	rng.Shuffle(len(w.makers), func(a, b int) { w.makers[a], w.makers[b] = w.makers[b], w.makers[a] })
	if w.responses == nil {
		w.responses = []string{map[string]string{"count": "freq"}[w.kind]}
		if w.kind != "count" {
			w.responses[0] = "value"
		}
	}
	if w.kind == "amount" && !w.negative && !w.marks && !w.has("linked") && rng.IntN(2) == 0 {
		w.percent = 5 + rng.Int64N(40)
	}
	switch {
	case w.percent > 0:
		w.below, w.width = 0, 0
		w.office = append(w.office, "--p-percent", fmt.Sprint(w.percent))
	case w.marks:
		w.office = append(w.office, "--width", fmt.Sprint(w.width))
	case rng.IntN(3) == 0 && !w.has("defence") && !w.rounded:
		w.lpl, w.upl, w.width = rng.Int64N(2), 1+rng.Int64N(4), 0
		w.office = append(w.office, "--below", fmt.Sprint(w.below), "--lpl", fmt.Sprint(w.lpl), "--upl", fmt.Sprint(w.upl))
	default:
		w.office = append(w.office, "--below", fmt.Sprint(w.below), "--width", fmt.Sprint(w.width))
	}
	if rng.IntN(3) == 0 {
		w.cost = "count"
		w.office = append(w.office, "--cost", "count")
	}
	w.draw()
	w.mark()
	for _, f := range pair {
		if f.ask != nil {
			f.ask(w)
		}
	}
	w.records()
	if w.kind == "records" {
		return w
	}
	for _, s := range w.sheets {
		w.input(s)
	}
	return w
}

// memory is a folder of files that need no disk, where there is one: every file that the command writes is brought to its disk.
func memory() string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		return "/dev/shm"
	}
	return ""
}

// refused are the pairs that never meet, by design: the flags exclude each other, a verb lacks the other's flag, or the table is of another kind. Each case
// of them must be a clean refusal; of all others some must be answered.
var refused = map[string][]string{
	"partial":   {"ledger", "unions", "groups", "insiders", "tolerance", "responses", "linked", "rounding", "adjust", "cellkey"},
	"defence":   {"unions", "groups", "insiders", "responses", "linked", "rounding", "adjust", "cellkey", "waivers", "weights"},
	"responses": {"ledger", "unions", "groups", "insiders", "rounding", "adjust", "cellkey", "tolerance"},
	"rounding":  {"ledger", "unions", "groups", "insiders", "tolerance", "linked"},
	"adjust":    {"ledger", "unions", "groups", "insiders", "tolerance", "linked"},
	"cellkey":   {"ledger", "unions", "groups", "insiders", "tolerance", "linked", "negatives", "weights"},
	"groups":    {"negatives", "waivers", "weights"},
	"tolerance": {"waivers", "weights"},
	"waivers":   {"weights"},
}

func refuses(p [2]*feature) bool {
	return slices.Contains(refused[p[0].name], p[1].name) || slices.Contains(refused[p[1].name], p[0].name)
}

// A met counts what became of the cases of a pair.
type met struct {
	cases, met, refused int
	why                 string
}

// TestPairs draws cases in which two features meet.
func TestPairs(t *testing.T) {
	out := *pairOut
	if out == "" {
		dir, err := os.MkdirTemp("", "adversary")
		if err != nil {
			t.Fatal(err)
		}
		out = dir
		defer os.Remove(dir) // if empty
	}
	all := pairs()
	if *pairPair != "" {
		all = slices.DeleteFunc(all, func(p [2]*feature) bool {
			names := []string{p[0].name, p[1].name}
			of := strings.Split(*pairPair, ",")
			return !slices.Contains(names, of[0]) || !slices.Contains(names, of[len(of)-1])
		})
	}
	from, to := *pairFirst, *pairFirst+*pairCases
	if *pairOnly >= 0 {
		from, to = *pairOnly, *pairOnly+1
	}
	counts := map[[2]*feature]*met{}
	for _, p := range all {
		counts[p] = &met{}
	}
	var lock sync.Mutex
	kinds, notes := map[string]int{}, map[string]int{}
	var next atomic.Int64
	next.Store(int64(from))
	start := time.Now()
	var wg sync.WaitGroup
	for range *pairWorkers {
		wg.Go(func() {
			for j := int(next.Add(1)) - 1; j < to; j = int(next.Add(1)) - 1 {
				pair := all[j%len(all)]
				dir, err := os.MkdirTemp(memory(), "pairs")
				if err != nil {
					t.Error(err)
					return
				}
				w := drawWorld(*pairSeed, j, pair, dir)
				o := &outcome{}
				w.judge(o)
				lock.Lock()
				c := counts[pair]
				if c.cases++; o.met > 0 && refuses(pair) && len(w.need) == 0 { // where no cell is sensitive nothing keeps them apart
					c.refused++
				} else if o.met > 0 {
					c.met++
				}
				if o.refused != "" {
					c.refused++
					if c.why == "" {
						c.why = o.refused
					}
				}
				for _, n := range w.notes {
					notes[n]++
				}
				if o.fault != nil {
					kinds[o.kind]++
					if kinds[o.kind] <= sample {
						t.Error(w.keep(out, *pairSeed, j, o.fault))
					}
				}
				lock.Unlock()
				os.RemoveAll(dir)
			}
		})
	}
	wg.Wait()
	b := &strings.Builder{}
	fmt.Fprintf(b, "%d cases in %v, seed %d, %d pairs\n", to-from, time.Since(start).Round(time.Millisecond), *pairSeed, len(all))
	for _, p := range all {
		c := counts[p]
		switch {
		case refuses(p) && c.met > 0:
			t.Errorf("%s and %s exclude each other, and %d of %d cases were answered", p[0].name, p[1].name, c.met, c.cases)
		case refuses(p) && c.refused < c.cases:
			t.Errorf("%s and %s exclude each other, and %d of %d cases were neither refused nor answered", p[0].name, p[1].name, c.cases-c.refused, c.cases)
		case !refuses(p) && c.cases > 5 && c.met == 0:
			t.Errorf("%s and %s: none of %d cases was answered: %s", p[0].name, p[1].name, c.cases, c.why)
		}
		fmt.Fprintf(b, "%-12s %-12s %5d cases, %5d judged, %5d refused", p[0].name, p[1].name, c.cases, c.met, c.refused)
		if c.why != "" {
			why := strings.TrimSpace(c.why)
			if k := strings.LastIndex(why, "\n"); k >= 0 {
				why = why[k+1:]
			}
			fmt.Fprintf(b, ": %.200s", why)
		}
		b.WriteByte('\n')
	}
	for _, n := range sorted(notes) {
		fmt.Fprintf(b, "%d %s\n", notes[n], n)
	}
	for _, n := range sorted(kinds) {
		fmt.Fprintf(b, "WRONG %d: %s\n", kinds[n], n)
	}
	t.Log(b)
}

// sample is how many findings of one kind are written down, and of tables made smaller; all are counted.
const sample = 3

// A fault is an answer that is not right. Its kind is what a smaller table must share.
type fault struct{ kind, was, right string }

// keep writes the files of a case, and what was wrong, into a folder of its own.
func (w *world) keep(out string, seed uint64, j int, f *fault) string {
	dir := filepath.Join(out, fmt.Sprintf("%s_%s_%d_%d", w.with[0].name, w.with[1].name, seed, j))
	note := fmt.Sprintf("%s\n%s and %s; again: go test ./internal/test/adversary -run TestPairs -pairs.seed %d -pairs.only %d\n\n%s\n\nwas:       %s\nshould be: %s\n",
		f.kind, w.with[0].name, w.with[1].name, seed, j, strings.Join(w.lines, "\n"), f.was, f.right)
	err := os.CopyFS(dir, os.DirFS(w.dir))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "wrong.txt"), []byte(note), 0o644)
	}
	if err != nil {
		note += err.Error()
	}
	return dir + "\n" + note
}

func sorted[T any](m map[string]T) []string {
	var k []string
	for s := range m {
		k = append(k, s)
	}
	slices.Sort(k)
	return k
}
