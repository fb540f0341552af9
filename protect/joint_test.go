package protect

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect/ledger"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

func tidy(t testing.TB, file, text string) *table.Table {
	t.Helper()
	in := must.Get(formats.ReadFrom(strings.NewReader(text), file, formats.Options{}))(t)
	return in.Table
}

// square is a 2×2 table with margins; what hide says is left out.
func square(v [2][2]int64, hide func(k int) bool) string {
	var b strings.Builder
	b.WriteString("region,activity,value\n")
	k := 0
	put := func(r, a string, x int64) {
		if hide(k) {
			fmt.Fprintf(&b, "%s,%s,\n", r, a)
		} else {
			fmt.Fprintf(&b, "%s,%s,%d\n", r, a, x)
		}
		k++
	}
	for r := range 2 {
		for a := range 2 {
			put(fmt.Sprint("r", r), fmt.Sprint("a", a), v[r][a])
		}
		put(fmt.Sprint("r", r), "Total", v[r][0]+v[r][1])
	}
	put("Total", "a0", v[0][0]+v[1][0])
	put("Total", "a1", v[0][1]+v[1][1])
	put("Total", "Total", v[0][0]+v[0][1]+v[1][0]+v[1][1])
	return b.String()
}

var period = func(p string) map[string]string { return map[string]string{ledger.Period: p} }

// Of all patterns tried one by one, that of a run with last year's table, a cut of this year's and a bound on change is a cheapest that protects
// the cells of all of them, as far as these were protected before.
func TestLedgerBruteForce(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(21, 2))
	solved, dearer := 0, 0
	for n := range 7 {
		var now, then [2][2]int64
		for r := range 2 {
			for a := range 2 {
				then[r][a] = 20 + rng.Int64N(60)
				now[r][a] = then[r][a]*85/100 + rng.Int64N(then[r][a]*3/10)
			}
		}
		last := rng.IntN(4)
		releases := func() []*ledger.Release {
			all := []*ledger.Release{{File: "last", At: period("2023"), Table: tidy(t, "last", square(then, func(k int) bool { return k != 2 && k != 5 && k != 8 && k%3 != 2 && k/3 < 2 && last != 3 || k == 8 }))}}
			if n%2 > 0 {
				all = append(all, &ledger.Release{File: "cut", At: map[string]string{ledger.Period: "2024", "region": "r0"}, Table: tidy(t, "cut", fmt.Sprintf("activity,value\na0,%d\na1,%d\nTotal,%d\n", now[0][0], now[0][1], now[0][0]+now[0][1]))})
			}
			return all
		}
		set := func() *ledger.Set {
			return &ledger.Set{At: period("2024"), Releases: releases(), Changes: []ledger.Change{{P: 3, Q: 10}}}
		}
		present := tidy(t, "now", square(now, func(int) bool { return false }))
		k := 3 + rng.IntN(2) // of the second region, which the cut does not tell
		present.Status[k], present.Width[k] = table.Sensitive, 6
		res, err := Run(t.Context(), []Input{{Table: present}}, Policy{Published: []string{"x"}, Lost: true}, &Options{Ledger: func(*Policy) (*ledger.Set, error) { return set(), nil }})
		best, all := cheapest(t, res, present, set)
		if none := (*NoPatternError)(nil); errors.As(err, &none) {
			if best >= 0 {
				t.Errorf("draw %d: no pattern, but one costs %d: %v", n, best, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		solved++
		if res.Solution.Status != solver.Optimal || res.Verdict != interval.Protected || res.Solution.Cost != best {
			t.Errorf("draw %d: %s, %s, cost %d; the %d cheapest patterns cost %d", n, res.Solution.Status, res.Verdict, res.Solution.Cost, len(all), best)
		}
		if len(res.Solution.Pattern) != present.Len() {
			t.Errorf("draw %d: the pattern has %d cells", n, len(res.Solution.Pattern))
		}
		alone := tidy(t, "now", square(now, func(int) bool { return false }))
		alone.Status[k], alone.Width[k], alone.Cost = table.Sensitive, 6, res.Table.Cost
		if by, err := Run(t.Context(), []Input{{Table: alone}}, Policy{}, nil); err != nil {
			t.Fatal(err)
		} else if by.Solution.Cost < best {
			dearer++
		}
	}
	if solved == 0 || dearer == 0 {
		t.Errorf("%d runs solved, of which the other tables make %d dearer", solved, dearer)
	}
}

// cheapest tries all patterns of the table of res by audits of what would be published, and returns the least cost, −1 for none, and the patterns of that cost that
// protect, as bits.
func cheapest(t *testing.T, res *Result, present *table.Table, set func() *ledger.Set) (best int64, all []int) {
	t.Helper()
	audit := func(pattern []bool) (*ledger.Joint, *interval.Report) {
		shown := present.Clone()
		shown.Missing = slices.Clone(pattern)
		for i, in := range pattern {
			shown.LPL[i], shown.UPL[i], shown.Width[i] = 0, 0, 0
			if shown.Status[i] = table.Published; in {
				shown.Status[i] = table.Withheld
			}
		}
		s := set()
		j := must.Get(s.Join(&ledger.Release{Table: shown, File: "now"}, ledger.Options{Withheld: pattern}))(t)
		rep := must.Get(interval.Audit(t.Context(), j.Table, j.Withheld, &interval.Options{Told: true}))(t)
		return j, rep
	}
	width := func(c *interval.Cell) *big.Rat {
		if c.Lo == nil || c.Hi == nil {
			return big.NewRat(1<<40, 1)
		}
		return new(big.Rat).Sub(c.Hi, c.Lo)
	}
	n := present.Len()
	open := make([]bool, n)
	for i := range open {
		open[i] = true
	}
	need := map[string]*big.Rat{}
	j, rep := audit(open)
	for k := range rep.Cells {
		if c := &rep.Cells[k]; c.Index >= n && j.Origin(c.Index).Room == nil { // one unit, if it is there
			if w := width(c); w.Cmp(big.NewRat(1, 1)) >= 0 {
				need[j.Where(c.Index)] = big.NewRat(1, 1)
			}
		}
	}
	best = -1
	for bits := range 1 << n {
		pattern, cost, ok := make([]bool, n), int64(0), true
		for i := range pattern {
			pattern[i] = bits>>i&1 > 0
			ok = ok && (pattern[i] || res.Table.Status[i] != table.Sensitive) && !(pattern[i] && res.Table.Status[i] == table.Published)
			if pattern[i] && res.Table.Status[i] == table.Safe {
				cost += res.Table.Cost[i]
			}
		}
		if !ok || best >= 0 && cost > best {
			continue
		}
		j, rep := audit(pattern)
		for k := range rep.Cells {
			c := &rep.Cells[k]
			want := need[j.Where(c.Index)]
			if c.Index < n {
				if want = nil; res.Table.Status[c.Index] == table.Sensitive {
					want = new(big.Rat).SetInt64(res.Table.Width[c.Index])
				}
			}
			if want != nil && width(c).Cmp(want) < 0 {
				ok = false
			}
		}
		if ok && cost != best {
			best, all = cost, nil
		}
		if ok {
			all = append(all, bits)
		}
	}
	return best, all
}

// What is told already is an error that says how, and given up if that is asked for.
func TestLost(t *testing.T) {
	t.Parallel()
	run := func(lost bool) (*Result, error) {
		present := tidy(t, "now", "region,value\nN,5\nS,8\nW,20\nTotal,33\n")
		present.Status[0], present.Width[0] = table.Sensitive, 3
		present.Status[2], present.Width[2] = table.Sensitive, 3
		old := tidy(t, "old", "region,value\nN,5\nS,\nW,\nTotal,33\n")
		return Run(t.Context(), []Input{{Table: present, Source: "now.csv"}}, Policy{Published: []string{"old"}, Lost: lost}, &Options{Ledger: func(*Policy) (*ledger.Set, error) {
			return &ledger.Set{Releases: []*ledger.Release{{Table: old, File: "old.csv"}}}, nil
		}})
	}
	res, err := run(false)
	var none *NoPatternError
	if !errors.As(err, &none) || !strings.Contains(err.Error(), "1 sensitive cells cannot be protected any more, whatever is withheld now; N is published in old.csv; with lost") || res.Solution.Pattern != nil {
		t.Errorf("%v", err)
	}
	res, err = run(true)
	if err != nil || res.Verdict != interval.Protected || !slices.Equal(res.Solution.Pattern, []bool{false, true, true, false}) || res.Earlier.Lost != 1 {
		t.Errorf("%v, %+v", err, res.Solution)
	}
}

// A ledger of nothing changes nothing.
func TestNothingPublished(t *testing.T) {
	t.Parallel()
	run := func(p Policy) *Result {
		present := tidy(t, "now", square([2][2]int64{{12, 3}, {8, 14}}, func(int) bool { return false }))
		present.Status[1], present.Width[1] = table.Sensitive, 3
		return must.Get(Run(t.Context(), []Input{{Table: present}}, p, &Options{Ledger: func(*Policy) (*ledger.Set, error) { return &ledger.Set{}, nil }}))(t)
	}
	a, b := run(Policy{}), run(Policy{Ledger: "empty.toml"})
	if b.Joint != nil || b.Earlier != nil || !slices.Equal(a.Solution.Pattern, b.Solution.Pattern) || a.Solution.Cost != b.Solution.Cost || a.Solution.Nodes != b.Solution.Nodes {
		t.Error("an empty ledger changes the run")
	}
}

// A limit of a run with a ledger is one of work: the same pattern with any number of workers, protected in all tables together, never dearer with more of it; one
// that is not reached changes nothing, and under one that ends before the tables are joined there is no pattern.
func TestLedgerLimit(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(37, 4))
	const n = 4
	text := func(v [n][n]int64, hide func(r, a int) bool) string {
		var b strings.Builder
		b.WriteString("region,activity,value\n")
		for r := range n + 1 {
			for a := range n + 1 {
				sum := int64(0)
				for i := range n {
					for j := range n {
						if (r == n || r == i) && (a == n || a == j) {
							sum += v[i][j]
						}
					}
				}
				name := func(c string, k int) string {
					if k == n {
						return "Total"
					}
					return fmt.Sprint(c, k)
				}
				told := fmt.Sprint(sum)
				if hide(r, a) {
					told = ""
				}
				fmt.Fprintf(&b, "%s,%s,%s\n", name("r", r), name("a", a), told)
			}
		}
		return b.String()
	}
	early, none := 0, 0
	for range heavy.Draws(9) {
		var now, then [n][n]int64
		for r := range n {
			for a := range n {
				then[r][a] = 20 + rng.Int64N(60)
				now[r][a] = then[r][a]*85/100 + rng.Int64N(then[r][a]*3/10)
			}
		}
		run := func(limit time.Duration, workers int) (*Result, error) {
			present := tidy(t, "now", text(now, func(int, int) bool { return false }))
			for k := range 3 {
				i := k*(n+1) + (k+1)%n
				present.Status[i], present.Width[i] = table.Sensitive, 12
			}
			set := &ledger.Set{At: period("2024"), Changes: []ledger.Change{{P: 3, Q: 10}}, Releases: []*ledger.Release{
				{File: "last", At: period("2023"), Table: tidy(t, "last", text(then, func(r, a int) bool { return r < 3 && a < 3 }))},
				{File: "cut", At: map[string]string{ledger.Period: "2024", "region": "r3"}, Table: tidy(t, "cut", fmt.Sprintf("activity,value\na0,%d\na1,\na2,\na3,%d\nTotal,%d\n", now[3][0], now[3][3], now[3][0]+now[3][1]+now[3][2]+now[3][3]))},
			}}
			return Run(t.Context(), []Input{{Table: present}}, Policy{Published: []string{"x"}, Lost: true, TimeLimit: limit}, &Options{Workers: workers, Ledger: func(*Policy) (*ledger.Set, error) { return set, nil }})
		}
		whole, err := run(0, 1)
		if errors.Is(err, solver.ErrNoSolution) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		least := int64(math.MaxInt64)
		for _, limit := range []time.Duration{1, 50 * time.Microsecond, 200 * time.Microsecond, 800 * time.Microsecond, time.Hour} {
			one, err := run(limit, 1)
			if no := (*NoPatternError)(nil); errors.As(err, &no) {
				if none++; least < math.MaxInt64 {
					t.Errorf("limit %v: %v, but with less there is a pattern", limit, err)
				}
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			s := one.Solution
			if three, err := run(limit, 3); err != nil || !slices.Equal(three.Solution.Pattern, s.Pattern) || three.Solution.Bound != s.Bound {
				t.Errorf("limit %v: other with three workers, %v", limit, err)
			}
			if one.Verdict != interval.Protected || s.Cost > least || s.Cost < whole.Solution.Cost || s.Bound > whole.Solution.Cost {
				t.Errorf("limit %v: %s, cost %d, with less %d, without a limit %d, bound %d", limit, one.Verdict, s.Cost, least, whole.Solution.Cost, s.Bound)
			}
			if least = s.Cost; s.Status != solver.Optimal {
				early++
			} else if s.Cost != whole.Solution.Cost {
				t.Errorf("limit %v: optimal at %d and %d", limit, s.Cost, whole.Solution.Cost)
			}
		}
		if least != whole.Solution.Cost {
			t.Errorf("an hour ends at %d, no limit at %d", least, whole.Solution.Cost)
		}
	}
	if early == 0 || none == 0 {
		t.Errorf("%d limits came before the proof, %d before a pattern", early, none)
	}
}
