package interval

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/test/heavy"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/lp"
	_ "github.com/hitoku/hitoku/lp/all"
	"github.com/hitoku/hitoku/table"
)

func find(t testing.TB, tab *table.Table, name string) int {
	t.Helper()
	for i := range tab.Len() {
		if tab.CellName(i) == name {
			return i
		}
	}
	t.Fatalf("no cell %s", name)
	return -1
}

func withhold(t testing.TB, tab *table.Table, names ...string) []bool {
	w := make([]bool, tab.Len())
	for _, n := range names {
		w[find(t, tab, n)] = true
	}
	return w
}

// audit runs Audit with witnesses, checks every witness, and returns the cells by
// name as "[lo, hi]".
func audit(t testing.TB, tab *table.Table, withheld []bool, o Options) map[string]string {
	t.Helper()
	o.Witness = true
	rep := must.Get(Audit(context.Background(), tab, withheld, &o))(t)
	out := map[string]string{}
	for _, c := range rep.Cells {
		end := func(r *big.Rat, w *Witness) string {
			if err := w.Check(tab, withheld); err != nil {
				t.Errorf("%s: %v", tab.CellName(c.Index), err)
			}
			if r == nil {
				return "inf"
			}
			if got := big.NewRat(w.Num[c.Index], w.Den); got.Cmp(r) != 0 {
				t.Errorf("%s: witness shows %s, interval ends at %s", tab.CellName(c.Index), got.RatString(), r.RatString())
			}
			return table.FormatRat(r, tab.Decimals)
		}
		out[tab.CellName(c.Index)] = "[" + end(c.Lo, c.LoWitness) + ", " + end(c.Hi, c.HiWitness) + "]"
	}
	return out
}

// hide turns a table into what a reader of the publication has.
func hide(tab *table.Table, withheld []bool) *table.Table {
	p := tab.Clone()
	p.Missing = make([]bool, p.Len())
	for i, w := range withheld {
		if w {
			p.Missing[i], p.Value[i], p.Status[i] = true, 0, table.Withheld
			p.LPL[i], p.UPL[i], p.Width[i] = 0, 0, 0
		}
	}
	return p
}

// The worked tables of the source document: the 3×3 table whose cell M2/P3 has the
// interval [20, 68], width 48.
func TestSource3x3(t *testing.T) {
	tab := tabletest.CrossTab(t, [][]int64{{20, 24, 28}, {38, 38, 40}, {40, 39, 42}})
	w := withhold(t, tab, "r1/c1", "r1/c3", "r2/c1", "r2/c3")
	for _, table := range []*table.Table{tab, hide(tab, w)} {
		for _, engine := range []string{"network", "simplex"} {
			got := audit(t, table, w, Options{Engine: engine})
			if got["r2/c3"] != "[20, 68]" {
				t.Errorf("%s: M2/P3 in %s, want [20, 68]", engine, got["r2/c3"])
			}
		}
	}
}

// The 4×4 table whose nine withheld cells disclose x1 = 7 although every row and
// column with a withheld cell has at least two.
func TestSource4x4Discloses(t *testing.T) {
	tab := tabletest.CrossTab(t, [][]int64{{7, 10, 60, 13}, {11, 60, 12, 60}, {60, 11, 60, 12}, {14, 60, 13, 60}})
	w := withhold(t, tab, "r1/c1", "r1/c2", "r1/c4", "r2/c1", "r2/c3", "r3/c2", "r3/c4", "r4/c1", "r4/c3")
	rep := must.Get(Audit(context.Background(), hide(tab, w), w, nil))(t)
	for _, c := range rep.Cells {
		name := tab.CellName(c.Index)
		if c.Disclosed != (name == "r1/c1") {
			t.Errorf("%s: disclosed %v in [%s, %s]", name, c.Disclosed, c.Lo.RatString(), c.Hi.RatString())
		}
		if name == "r1/c1" && c.Lo.Cmp(big.NewRat(7, 1)) != 0 {
			t.Errorf("x1 = %s, want 7", c.Lo.RatString())
		}
	}
	if rep.Protected {
		t.Error("verdict protected")
	}
}

// The candidate line (14, 9, 9, 0) + k(1, −1, −1, 1), 0 ≤ k ≤ 9, of the source.
func TestSourceCandidateLine(t *testing.T) {
	tab := tabletest.CrossTab(t, [][]int64{{15, 15, 12, 10}, {19, 14, 13, 9}, {8, 8, 11, 14}, {9, 9, 26, 0}})
	w := withhold(t, tab, "r2/c2", "r2/c4", "r4/c2", "r4/c4")
	got := audit(t, hide(tab, w), w, Options{})
	want := map[string]string{"r2/c2": "[14, 23]", "r2/c4": "[0, 9]", "r4/c2": "[0, 9]", "r4/c4": "[0, 9]"}
	for cell, iv := range want {
		if got[cell] != iv {
			t.Errorf("%s in %s, want %s", cell, got[cell], iv)
		}
	}
}

// Network, simplex and every back end agree on the true and on the published
// table, and every end has a witness that passes integer arithmetic.
func TestEnginesAgree(t *testing.T) {
	t.Parallel()
	networks, general, infinite := 0, 0, 0
	for i := range heavy.Draws(350) {
		rng := rand.New(rand.NewPCG(uint64(i), 2))
		tab := tabletest.Random(rng, i)
		w := tabletest.Pattern(rng, tab.Len())
		want := audit(t, tab, w, Options{Workers: 1})
		if oracle.NewSystem(tab.Rel).IsNetwork() {
			networks++
			if k := i % 7; k == 3 || k == 4 || k == 6 {
				t.Errorf("shape %d taken for a network", k)
			}
		} else {
			general++
			if k := i % 7; k != 3 && k != 4 && k != 6 {
				t.Errorf("shape %d not recognised as a network", k)
			}
		}
		published := hide(tab, w)
		check := func(what string, got map[string]string) {
			t.Helper()
			for cell, iv := range want {
				if got[cell] != iv {
					t.Fatalf("table %d, %s: %s in %s, want %s", i, what, cell, got[cell], iv)
				}
			}
		}
		check("published", audit(t, published, w, Options{Workers: 2}))
		for _, name := range lp.Backends() {
			if name == "gonum" && tab.Len() > 30 {
				continue
			}
			check(name, audit(t, tab, w, Options{Engine: "simplex", LP: name}))
		}
		for _, iv := range want {
			if iv[len(iv)-4:] == "inf]" {
				infinite++
			}
		}
	}
	if networks < heavy.Draws(100) || general < heavy.Draws(100) || infinite < heavy.Draws(20) {
		t.Errorf("%d networks, %d other tables, %d infinite ends: the sample is lopsided", networks, general, infinite)
	}
}

// The exact interval contains every table found by walking along kernel vectors,
// and in small tables integer intervals equal enumeration.
func TestIntegerByEnumeration(t *testing.T) {
	narrower := 0
	for i := range 200 {
		rng := rand.New(rand.NewPCG(uint64(i), 3))
		tab := tabletest.Random(rng, 3)
		for c := range tab.Len() { // small values keep the enumeration small
			tab.Value[c] = 0
		}
		recompute(tab, rng)
		w := make([]bool, tab.Len())
		leaves, inner := tab.Leaves(), 0
		for c := range w {
			margin := tab.IsMargin(c, leaves)
			if w[c] = rng.IntN(10) < 5 && (margin && rng.IntN(4) == 0 || !margin && inner < 11); w[c] && !margin {
				inner++
			}
		}
		if i%2 == 0 { // all inner cells, where the two kinds of interval differ most
			for c := range w {
				w[c] = !tab.IsMargin(c, leaves)
			}
		}
		w[find(t, tab, "T/T/T")] = false // bounds the enumeration
		lo, hi := enumerate(tab, w)
		rep := must.Get(Audit(context.Background(), tab, w, &Options{Integer: true, Witness: true}))(t)
		linear := must.Get(Audit(context.Background(), tab, w, nil))(t)
		for c, cell := range rep.Cells {
			k := cell.Index
			if cell.Lo.Cmp(big.NewRat(lo[k], 1)) != 0 || cell.Hi.Cmp(big.NewRat(hi[k], 1)) != 0 {
				t.Fatalf("table %d, %s: [%s, %s], enumeration [%d, %d]", i, tab.CellName(k), cell.Lo.RatString(), cell.Hi.RatString(), lo[k], hi[k])
			}
			if l := linear.Cells[c]; l.Lo.Cmp(cell.Lo) > 0 || l.Hi.Cmp(cell.Hi) < 0 {
				t.Fatalf("table %d, %s: linear interval inside the integer one", i, tab.CellName(k))
			} else if l.Lo.Cmp(cell.Lo) != 0 || l.Hi.Cmp(cell.Hi) != 0 {
				narrower++
			}
		}
	}
	t.Logf("%d integer intervals narrower than the linear ones", narrower)
}

// 2y₁ + y₂ = 5 with y ≥ 0: y₁ ≤ 5/2, over the integers y₁ ≤ 2.
func TestIntegerNarrower(t *testing.T) {
	rel := table.NewRelations(2)
	rel.Add([]int32{0, 1}, []int32{2, 1}, 5)
	tab := must.Get(table.FromRelations(&table.Table{Name: "pair", Value: []int64{2, 1}, Cost: []int64{1, 1},
		Status: []table.Status{table.Sensitive, table.Safe}, LPL: make([]int64, 2), UPL: make([]int64, 2), Width: make([]int64, 2),
		Lower: make([]int64, 2), Upper: []int64{table.PosInf, table.PosInf}, Counts: true, Rel: rel}))(t)
	w := []bool{true, true}
	if got := audit(t, tab, w, Options{}); got["0"] != "[0, 2.5]" || got["1"] != "[0, 5]" {
		t.Errorf("linear intervals %v", got)
	}
	if got := audit(t, tab, w, Options{Integer: true}); got["0"] != "[0, 2]" || got["1"] != "[1, 5]" {
		t.Errorf("integer intervals %v", got)
	}
}

// recompute fills a 3×3×3 table with small inner cells and its margins.
func recompute(tab *table.Table, rng *rand.Rand) {
	leaves := tab.Leaves()
	for i := range tab.Len() {
		tab.Lower[i], tab.Upper[i] = 0, table.PosInf
		if !tab.IsMargin(i, leaves) {
			tab.Value[i] = rng.Int64N(2) * (1 + rng.Int64N(1+int64(i)%3))
		}
	}
	for i := range tab.Len() {
		if !tab.IsMargin(i, leaves) {
			continue
		}
		sum := int64(0)
		for j := range tab.Len() {
			in := !tab.IsMargin(j, leaves)
			for d := range 3 {
				c := tab.Coord[i*3+d]
				in = in && (c == 0 || c == tab.Coord[j*3+d])
			}
			if in {
				sum += tab.Value[j]
			}
		}
		tab.Value[i] = sum
	}
}

// enumerate lists all non-negative integer tables behind the pattern by trying the
// inner cells one after the other; margins follow.
func enumerate(tab *table.Table, w []bool) (lo, hi []int64) {
	n := tab.Len()
	lo, hi = make([]int64, n), make([]int64, n)
	for i := range lo {
		lo[i], hi[i] = math.MaxInt64, math.MinInt64
	}
	leaves := tab.Leaves()
	y := make([]int64, n)
	var inner, margins []int
	for i := range n {
		if tab.IsMargin(i, leaves) {
			margins = append(margins, i)
		} else {
			inner = append(inner, i)
		}
	}
	parts := map[int][]int{}
	total := int64(0)
	for _, m := range margins {
		for _, j := range inner {
			in := true
			for d := range 3 {
				c := tab.Coord[m*3+d]
				in = in && (c == 0 || c == tab.Coord[j*3+d])
			}
			if in {
				parts[m] = append(parts[m], j)
			}
		}
		total = max(total, tab.Value[m])
	}
	var place func(t int)
	place = func(t int) {
		if t == len(inner) {
			for _, m := range margins {
				sum := int64(0)
				for _, j := range parts[m] {
					sum += y[j]
				}
				if y[m] = sum; !w[m] && sum != tab.Value[m] {
					return
				}
			}
			for i := range n {
				lo[i], hi[i] = min(lo[i], y[i]), max(hi[i], y[i])
			}
			return
		}
		j := inner[t]
		if !w[j] {
			y[j] = tab.Value[j]
			place(t + 1)
			return
		}
		// A published margin leaves room for j, all of it if j is its last part.
		from, to := int64(0), total
		for _, m := range margins {
			if w[m] {
				continue
			}
			over, last, sum := false, true, int64(0)
			for _, h := range parts[m] {
				switch {
				case h == j:
					over = true
				case !w[h]:
					sum += tab.Value[h]
				case h < j:
					sum += y[h]
				default:
					last = false
				}
			}
			if room := tab.Value[m] - sum; over {
				to = min(to, room)
				if last {
					from = max(from, room)
				}
			}
		}
		for v := from; v <= to; v++ {
			y[j] = v
			place(t + 1)
		}
		y[j] = 0
	}
	place(0)
	return lo, hi
}

// A pattern of another table is refused; nil is that of no cell.
func TestPatternOfAnother(t *testing.T) {
	tab := tabletest.CrossTab(t, [][]int64{{5, 6}, {7, 8}})
	for n, wrong := range map[int]bool{0: false, 1: true, tab.Len() - 1: true, tab.Len(): false, tab.Len() + 1: true} {
		if rep, err := Audit(t.Context(), tab, make([]bool, n), nil); (err != nil) != wrong {
			t.Errorf("pattern of %d cells for a table of %d: %v, %v", n, tab.Len(), rep, err)
		}
	}
}

// A published table nobody could have is reported, not audited.
func TestInconsistent(t *testing.T) {
	tab := tabletest.CrossTab(t, [][]int64{{5, 6}, {7, 8}})
	w := withhold(t, tab, "r1/c1", "r1/c2")
	p := hide(tab, w)
	p.Value[find(t, p, "T/c1")] = 3 // r1/c1 would have to be −4
	p.Value[find(t, p, "T/T")] = 17
	p.Value[find(t, p, "r1/T")] = 2
	if _, err := Audit(context.Background(), p, w, nil); !errors.Is(err, ErrInconsistent) {
		t.Errorf("Audit = %v, want ErrInconsistent", err)
	}
}

// The sums that are named contradict each other by themselves, and none of them can be missed.
func TestContradiction(t *testing.T) {
	contradictions := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		tab := tabletest.Drawn(t, 2+r.IntN(3), 2+r.IntN(3), func() int64 { return r.Int64N(6) })
		w := make([]bool, tab.Len())
		for i := range w {
			w[i] = r.IntN(2) == 0
		}
		p := hide(tab, w)
		for i := range w {
			if !w[i] && r.IntN(4) == 0 {
				p.Value[i] += 1 + r.Int64N(5)
			}
		}
		_, err := Audit(context.Background(), p, w, &Options{Cells: []int{}})
		var c *oracle.Contradiction
		if !errors.As(err, &c) {
			continue
		}
		contradictions++
		holds := func(some []int) bool {
			q := p.Clone()
			q.Rel = table.NewRelations(p.Len())
			for _, j := range some {
				cell, coef := p.Rel.Row(j)
				q.Rel.Add(cell, coef, p.Rel.RHS[j])
			}
			_, err := Audit(context.Background(), q, w, &Options{Cells: []int{}})
			if err != nil && !errors.Is(err, ErrInconsistent) {
				t.Fatal(err)
			}
			return err == nil
		}
		if holds(c.Relations) {
			t.Fatalf("seed %d: %v hold together", seed, c)
		}
		for n := range c.Relations {
			if !holds(slices.Delete(slices.Clone(c.Relations), n, n+1)) {
				t.Fatalf("seed %d: %v: one too many", seed, c)
			}
		}
	}
	if contradictions < 50 {
		t.Errorf("only %d tables contradict themselves", contradictions)
	}
}

func TestWitnessCheckRejects(t *testing.T) {
	tab := tabletest.CrossTab(t, [][]int64{{5, 6}, {7, 8}})
	w := withhold(t, tab, "r1/c1", "r1/c2", "r2/c1", "r2/c2")
	good := &Witness{Num: append([]int64(nil), tab.Value...), Den: 1}
	must.Do(t, good.Check(tab, w))
	bad := func(name string, f func(*Witness)) {
		c := &Witness{Num: append([]int64(nil), tab.Value...), Den: 1}
		f(c)
		if c.Check(tab, w) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	bad("relation", func(c *Witness) { c.Num[find(t, tab, "r1/c1")]++ })
	bad("published", func(c *Witness) { c.Num[find(t, tab, "T/T")]++ })
	bad("denominator", func(c *Witness) { c.Den = 0 })
	bad("length", func(c *Witness) { c.Num = c.Num[1:] })
	bad("bound", func(c *Witness) {
		for name, v := range map[string]int64{"r1/c1": -10, "r1/c2": 10, "r2/c1": 10, "r2/c2": -10} {
			c.Num[find(t, tab, name)] += v
		}
	})
}
