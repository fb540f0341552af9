package compare

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/risk"
)

// files is how many pairs of random files the recomputation looks at.
const files = 240

// A naive is a pair of small files as texts.
type naive struct {
	original, release [][]string
	truth             []int32
	number            []bool // by column
	width             []float64
}

func drawNaive(seed uint64) naive {
	rng := rand.New(rand.NewPCG(seed, 20))
	x := naive{number: make([]bool, 2+rng.IntN(3))}
	for k := range x.number {
		x.number[k] = rng.IntN(2) == 0
	}
	value := func(k int) string {
		if x.number[k] {
			return []string{"1", "2", "2.0", "3.5", "-4", "10", "", "7"}[rng.IntN(8)]
		}
		return []string{"a", "b", "c", ""}[rng.IntN(4)]
	}
	for range 1 + rng.IntN(16) {
		var row []string
		for k := range x.number {
			row = append(row, value(k))
		}
		x.original = append(x.original, row)
	}
	for range 1 + rng.IntN(16) {
		j := rng.IntN(len(x.original))
		row := slices.Clone(x.original[j])
		for k := range row {
			if rng.IntN(3) == 0 {
				row[k] = value(k)
			}
		}
		if rng.IntN(8) == 0 {
			j = -1
		}
		x.release, x.truth = append(x.release, row), append(x.truth, int32(j))
	}
	for k := range x.number { // a column without any number is one of categories
		low, high := math.Inf(1), math.Inf(-1)
		for _, r := range slices.Concat(x.original, x.release) {
			if x.number[k] && r[k] != "" {
				low, high = min(low, parsed(r[k])), max(high, parsed(r[k]))
			}
		}
		x.number[k] = low <= high
		x.width = append(x.width, high-low)
	}
	return x
}

func write(t *testing.T, dir, name string, rows [][]string) string {
	t.Helper()
	var b strings.Builder
	for k := range rows[0] {
		if k > 0 {
			b.WriteByte(',')
		}
		fmt.Fprint(&b, "c", k)
	}
	for _, r := range rows {
		for k := range r {
			if k > 0 {
				b.WriteByte(',')
			} else {
				b.WriteByte('\n')
			}
			fmt.Fprintf(&b, "%q", r[k])
		}
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(b.String()+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func (x naive) read(t *testing.T, dir string) (a, b *Records) {
	t.Helper()
	var columns, categories []string
	for k, n := range x.number {
		columns = append(columns, fmt.Sprint("c", k))
		if !n {
			categories = append(categories, columns[k])
		}
	}
	all, err := Read(t.Context(), risk.Layout{}, columns, categories, write(t, dir, "a.csv", x.original), write(t, dir, "b.csv", x.release))
	if err != nil {
		t.Fatal(err)
	}
	return all[0], all[1]
}

func parsed(text string) float64 {
	if text == "" {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// column is the distance of two texts.
func (x naive) column(k int, a, b string) float64 {
	if !x.number[k] {
		if a == b {
			return 0
		}
		return 1
	}
	if a == "" || b == "" {
		if a == b {
			return 0
		}
		return 1
	}
	if x.width[k] == 0 {
		return 0
	}
	return math.Abs(parsed(a)-parsed(b)) / x.width[k]
}

func (x naive) distance(columns []int, a, b []string) float64 {
	d := 0.0
	for _, k := range columns {
		d += x.column(k, a[k], b[k])
	}
	return d
}

func (x naive) all() []int {
	var list []int
	for k := range x.number {
		list = append(list, k)
	}
	return list
}

// order lists the rows by distance from one, then by number.
func (x naive) order(columns []int, from []string, rows [][]string) []int32 {
	var list []int32
	for j := range rows {
		list = append(list, int32(j))
	}
	slices.SortStableFunc(list, func(i, j int32) int {
		a, b := x.distance(columns, from, rows[i]), x.distance(columns, from, rows[j])
		if math.Abs(a-b) < 1e-12 {
			return 0
		}
		return cmp.Compare(a, b)
	})
	return list
}

// nearest are all sets of the n rows of the release that may be nearest to a row, ties in any way.
func (x naive) nearest(columns []int, from []string, n int) [][]int32 {
	order := x.order(columns, from, x.release)
	last := x.distance(columns, from, x.release[order[n-1]])
	var in, ties []int32
	for _, j := range order {
		switch d := x.distance(columns, from, x.release[j]); {
		case d < last-1e-12:
			in = append(in, j)
		case d < last+1e-12:
			ties = append(ties, j)
		}
	}
	var all [][]int32
	var add func(one, rest []int32)
	add = func(one, rest []int32) {
		if len(one) == n {
			all = append(all, slices.Clone(one))
			return
		}
		for k, j := range rest {
			add(append(one, j), rest[k+1:])
		}
	}
	add(in, ties)
	return all
}

func near(t *testing.T, seed uint64, what string, got, want float64) {
	t.Helper()
	if math.IsNaN(got) != math.IsNaN(want) || math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
		t.Errorf("files %d: %s %.15g, want %.15g", seed, what, got, want)
	}
}

// TestAgainstDefinitions recomputes what is measured on random files from the texts, by definitions written naively.
func TestAgainstDefinitions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for seed := range uint64(files) {
		x := drawNaive(seed)
		a, b := x.read(t, dir)
		x.links(t, seed, a, b)
		x.intervals(t, seed, a, b)
		x.attacks(t, seed, a, b)
		x.losses(t, seed, a, b)
	}
}

// mode is the chance that the most frequent secret of the nearest rows of the release, of several one that is drawn, tells that of a row.
func (x naive) mode(secret int, from []string, tells func(guess, truth string) bool) float64 {
	order := x.order(x.all()[:secret], from, x.release)
	least := x.distance(x.all()[:secret], from, x.release[order[0]])
	votes := map[string]int{} // by a way of writing for each number
	var near []string
	for _, j := range order {
		if x.distance(x.all()[:secret], from, x.release[j]) <= least+1e-12 {
			v := x.release[j][secret]
			if x.number[secret] && v != "" {
				v = fmt.Sprint(parsed(v))
			}
			near = append(near, v)
		}
	}
	most := 0
	for _, v := range near {
		votes[v] = 0
		for _, w := range near {
			if tells(v, w) {
				votes[v]++
			}
		}
		most = max(most, votes[v])
	}
	ties, right := 0.0, 0.0
	for v, n := range votes {
		if n == most {
			ties++
			if tells(v, from[secret]) || x.number[secret] && parsed(v) == parsed(from[secret]) {
				right++
			}
		}
	}
	return right / ties
}

func (x naive) links(t *testing.T, seed uint64, a, b *Records) {
	records := Known(Draw(b.N, b.N, rand.New(rand.NewPCG(seed, 1))), x.truth)
	if len(records) == 0 {
		return
	}
	l, err := ByDistance(t.Context(), a, b, records, x.truth, rand.New(rand.NewPCG(seed, 1)))
	if err != nil {
		t.Fatal(err)
	}
	right, certain, hits := 0.0, 0, 0
	for n, i := range records {
		order := x.order(x.all(), x.release[i], x.original)
		ties := 0
		found := false
		for _, j := range order {
			if x.distance(x.all(), x.release[i], x.original[j]) <= x.distance(x.all(), x.release[i], x.original[order[0]])+1e-12 {
				ties++
				found = found || j == x.truth[i]
			}
		}
		if found {
			right += 1 / float64(ties)
			if ties == 1 {
				certain++
			}
		}
		if l.Guess[n] == x.truth[i] {
			hits++
		}
	}
	near(t, seed, "right links", l.Right, right)
	if l.Certain != certain || l.Hits != hits || hits < certain {
		t.Errorf("files %d: %d certain links and %d hits, want %d and %d", seed, l.Certain, l.Hits, certain, hits)
	}
	x.fellegi(t, seed, a, b, records)
}

// fellegi fits the model by every pair by itself.
func (x naive) fellegi(t *testing.T, seed uint64, a, b *Records, records []int32) {
	const tolerance = 0.1
	l, f, err := ByProbability(t.Context(), a, b, records, x.truth, tolerance, rand.New(rand.NewPCG(seed, 2)))
	if err != nil {
		t.Fatal(err)
	}
	type pair struct {
		i, j  int32
		agree []bool
	}
	var pairs []pair
	for _, i := range records {
		for j := range x.original {
			p := pair{i: i, j: int32(j)}
			for k := range x.number {
				d := x.column(k, x.release[i][k], x.original[j][k])
				p.agree = append(p.agree, d == 0 || x.number[k] && d <= tolerance)
			}
			pairs = append(pairs, p)
		}
	}
	cut := func(v float64) float64 { return math.Max(1e-6, math.Min(1-1e-6, v)) }
	m, u, p := make([]float64, len(x.number)), make([]float64, len(x.number)), cut(1/float64(len(x.original)))
	for k := range u {
		n := 0.0
		for _, q := range pairs {
			if q.agree[k] {
				n++
			}
		}
		m[k], u[k] = 0.9, cut(n/float64(len(pairs)))
	}
	for range f.Steps {
		sum, agree := 0.0, make([]float64, len(m))
		for _, q := range pairs {
			yes, no := p, 1-p
			for k, ok := range q.agree {
				if ok {
					yes, no = yes*m[k], no*u[k]
				} else {
					yes, no = yes*(1-m[k]), no*(1-u[k])
				}
			}
			g := yes / (yes + no)
			sum += g
			for k, ok := range q.agree {
				if ok {
					agree[k] += g
				}
			}
		}
		p = cut(sum / float64(len(pairs)))
		for k := range m {
			m[k] = cut(agree[k] / sum)
		}
	}
	near(t, seed, "share of pairs of one person", f.P, p)
	right := 0.0
	for _, i := range records {
		best, ties, found := math.Inf(-1), 0.0, false
		for _, q := range pairs {
			if q.i != i {
				continue
			}
			w := 0.0
			for k, ok := range q.agree {
				if ok {
					w += math.Log2(f.M[k]) - math.Log2(f.U[k])
				} else {
					w += math.Log2(1-f.M[k]) - math.Log2(1-f.U[k])
				}
			}
			switch {
			case w > best+1e-11:
				best, ties, found = w, 1, q.j == x.truth[i]
			case w > best-1e-11:
				ties++
				found = found || q.j == x.truth[i]
			}
		}
		if found {
			right += 1 / ties
		}
	}
	for k := range m {
		near(t, seed, "m", f.M[k], m[k])
		near(t, seed, "u", f.U[k], u[k])
	}
	near(t, seed, "right links by probability", l.Right, right)
}

func (x naive) intervals(t *testing.T, seed uint64, a, b *Records) {
	if len(Known(Draw(b.N, b.N, rand.New(rand.NewPCG(1, 1))), x.truth)) == 0 {
		return
	}
	const k = 0.3
	got, _ := IntervalDisclosure(a, b, x.truth, k)
	for _, one := range got {
		c := one.Column
		var sorted []float64
		for _, r := range x.release {
			if r[c] != "" {
				sorted = append(sorted, parsed(r[c]))
			}
		}
		slices.Sort(sorted)
		n, sd := 0.0, 0.0
		within := make([]float64, 10)
		_, s := moments(a.X[c])
		for i, j := range x.truth {
			if j < 0 {
				continue
			}
			n++
			if x.release[i][c] == "" || x.original[j][c] == "" {
				continue
			}
			v, w := parsed(x.release[i][c]), parsed(x.original[j][c])
			if math.Abs(v-w) <= k*s {
				sd++
			}
			for p := range within {
				reach := (p + 1) * len(sorted) / 100
				for at, y := range sorted { // any rank that v may have
					if y != v {
						continue
					}
					if w >= sorted[max(0, at-reach)] && w <= sorted[min(len(sorted)-1, at+reach)] ||
						w >= v && w <= sorted[min(len(sorted)-1, last(sorted, v)+reach)] || w <= v && w >= sorted[max(0, first(sorted, v)-reach)] {
						within[p]++
						break
					}
				}
			}
		}
		near(t, seed, "interval by deviation", one.SD, sd/n)
		for p := range within {
			near(t, seed, "interval by ranks", one.Rank[p], within[p]/n)
		}
	}
}

func first(sorted []float64, v float64) int { return slices.Index(sorted, v) }
func last(sorted []float64, v float64) int {
	at := first(sorted, v)
	for at+1 < len(sorted) && sorted[at+1] == v {
		at++
	}
	return at
}

func (x naive) attacks(t *testing.T, seed uint64, a, b *Records) {
	at := &Attacker{Original: a, Release: b, Attacks: 1000, RNG: rand.New(rand.NewPCG(seed, 3))}
	left, right := []int{0}, x.all()[1:]
	k := 1 + int(seed%3)
	got, err := at.Linkability(t.Context(), left, right, k)
	if err != nil {
		t.Fatal(err)
	}
	n := min(k, len(x.release))
	linked := 0.0
	for _, r := range x.original {
		drawn := [2][][]int32{x.nearest(left, r, n), x.nearest(right, r, n)}
		for _, l := range drawn[0] {
			for _, m := range drawn[1] {
				if slices.ContainsFunc(l, func(j int32) bool { return slices.Contains(m, j) }) {
					linked += 1 / float64(len(drawn[0])*len(drawn[1]))
				}
			}
		}
	}
	near(t, seed, "linked", got.Success, linked)
	secret := len(x.number) - 1
	const tolerance = 0.3
	inf, err := at.Inference(t.Context(), x.all()[:secret], secret, tolerance)
	if err != nil {
		t.Fatal(err)
	}
	tells := func(guess, truth string) bool {
		if guess == truth {
			return true
		}
		if !x.number[secret] || guess == "" || truth == "" {
			return false
		}
		return math.Abs(parsed(guess)-parsed(truth)) <= tolerance*math.Abs(parsed(guess))
	}
	hits, best := 0.0, 0.0
	for _, r := range x.original {
		hits += x.mode(secret, r, tells)
		guesses := []string{r[secret]}
		if v := parsed(r[secret]); x.number[secret] && !math.IsNaN(v) {
			for g := v / 2; math.Abs(g) <= 2*math.Abs(v) && v != 0; g += v / 40 {
				guesses = append(guesses, fmt.Sprint(g))
			}
		}
		for _, g := range guesses {
			n := 0.0
			for _, r := range x.original {
				if g == r[secret] || x.number[secret] && parsed(g) == parsed(r[secret]) || tells(g, r[secret]) {
					n++
				}
			}
			best = max(best, n)
		}
	}
	near(t, seed, "inferred", inf.Success, hits)
	near(t, seed, "inferred by the best guess", inf.Baseline, best)
	x.singled(t, seed, a, b)
}

// singled counts conditions from the texts.
func (x naive) singled(t *testing.T, seed uint64, a, b *Records) {
	rng := rand.New(rand.NewPCG(seed, 4))
	for range 20 {
		var all []condition
		for _, k := range rng.Perm(len(x.number))[:1+rng.IntN(len(x.number))] {
			c := condition{k, []op{equal, differs}[rng.IntN(2)], int32(rng.IntN(b.N))}
			if x.number[k] && x.release[c.record][k] != "" {
				c.op = []op{equal, differs, atMost, atLeast, below, above}[rng.IntN(6)]
			}
			all = append(all, c)
		}
		n := 0
		for _, r := range x.original {
			ok := true
			for _, c := range all {
				v, w := r[c.column], x.release[c.record][c.column]
				eq := v == w
				if x.number[c.column] && v != "" && w != "" {
					eq = parsed(v) == parsed(w)
				}
				less, more := parsed(v) < parsed(w), parsed(v) > parsed(w)
				ok = ok && map[op]bool{equal: eq, differs: !eq, atMost: less || eq, atLeast: more || eq, below: less, above: more}[c.op]
			}
			if ok {
				n++
			}
		}
		if got := single(a, b, all); got != (n == 1) {
			t.Fatalf("files %d: %v singles out: %v, but %d records meet it", seed, all, got, n)
		}
	}
}

func (x naive) losses(t *testing.T, seed uint64, a, b *Records) {
	for _, m := range Marginals(a, b) {
		k := m.Column
		if !x.number[k] {
			tv := 0.0
			for _, v := range []string{"a", "b", "c", "", "1", "2", "2.0", "3.5", "-4", "10", "7"} {
				tv += math.Abs(share(x.original, k, v)-share(x.release, k, v)) / 2
			}
			near(t, seed, "total variation", m.TV, tv)
			continue
		}
		ks := 0.0
		below := func(rows [][]string, v float64) float64 {
			n, all := 0.0, 0.0
			for _, r := range rows {
				if r[k] != "" {
					all++
					if parsed(r[k]) <= v {
						n++
					}
				}
			}
			return n / all
		}
		for _, r := range slices.Concat(x.original, x.release) {
			if d := math.Abs(below(x.original, parsed(r[k])) - below(x.release, parsed(r[k]))); d > ks {
				ks = d
			}
		}
		if math.IsNaN(below(x.original, 0)) || math.IsNaN(below(x.release, 0)) {
			ks = 1
		}
		near(t, seed, "Kolmogorov-Smirnov", m.KS, ks)
	}
	loss, ok := IL1s(a, b, x.truth)
	sum, n := 0.0, 0.0
	for k := range x.number {
		if !x.number[k] {
			continue
		}
		_, s := moments(a.X[k])
		for i, j := range x.truth {
			if j >= 0 && s > 0 && x.release[i][k] != "" && x.original[j][k] != "" {
				sum += math.Abs(parsed(x.release[i][k])-parsed(x.original[j][k])) / s / math.Sqrt(2)
				n++
			}
		}
	}
	if ok != (n > 0) {
		t.Errorf("files %d: IL1s defined: %v, of %g numbers", seed, ok, n)
	} else if ok {
		near(t, seed, "IL1s", loss, sum/n)
	}
}

func share(rows [][]string, k int, v string) float64 {
	n := 0.0
	for _, r := range rows {
		if r[k] == v {
			n++
		}
	}
	return n / float64(len(rows))
}
