package guard

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/test/heavy"
	"github.com/hitoku/hitoku/internal/test/insee"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/solver/modular"
	"github.com/hitoku/hitoku/table"
)

// firms draws what n firms contribute to the cells of a table of two variables, in tens.
func firms(rng *rand.Rand, rows, cols, n int) [][][]int64 {
	of := make([][][]int64, rows)
	for i := range of {
		of[i] = make([][]int64, cols)
		for j := range of[i] {
			of[i][j] = make([]int64, n)
			for f := range n {
				if rng.IntN(3) > 0 {
					of[i][j][f] = 10 * (1 + rng.Int64N(30))
				}
			}
		}
	}
	return of
}

// firmTable is the table of the firms under r, margins published. top contributions are listed, with names if named.
func firmTable(t *testing.T, of [][][]int64, r *table.Rules, top int, named bool) *table.Table {
	t.Helper()
	dims := make([]table.Dimension, 2)
	var err error
	for d, n := range []int{len(of), len(of[0])} {
		var codes []table.Edge
		for c := range n {
			codes = append(codes, table.Edge{Code: string(rune('A'+7*d)) + strconv.Itoa(c), Parent: "Total"})
		}
		if dims[d], err = table.NewDimension([]string{"row", "col"}[d], "Total", codes); err != nil {
			t.Fatal(err)
		}
	}
	var records []table.Record
	for i := -1; i < len(of); i++ {
		for j := -1; j < len(of[0]); j++ {
			x := make([]int64, len(of[0][0]))
			for a := range of {
				for b := range of[a] {
					if (i < 0 || a == i) && (j < 0 || b == j) {
						for f, v := range of[a][b] {
							x[f] += v
						}
					}
				}
			}
			order := make([]int, len(x))
			sum, n := int64(0), int64(0)
			for f, v := range x {
				order[f] = f
				sum += v
				if v > 0 {
					n++
				}
			}
			slices.SortStableFunc(order, func(a, b int) int { return int(x[b] - x[a]) })
			rec := table.Record{Codes: []string{"Total", "Total"}, Value: table.Num(sum, 0), Freq: table.Num(n, 0)}
			if i >= 0 {
				rec.Codes[0] = "A" + strconv.Itoa(i)
			}
			if j >= 0 {
				rec.Codes[1] = "H" + strconv.Itoa(j)
			}
			told := &table.Told{}
			for _, f := range order[:top] {
				rec.Max = append(rec.Max, table.Num(x[f], 0))
				if named && x[f] > 0 {
					told.Who = append(told.Who, "firm "+strconv.Itoa(f))
				} else {
					told.Who = append(told.Who, "")
				}
			}
			if sum > 0 {
				rec.Told = told
			} else {
				rec.Max = nil
			}
			records = append(records, rec)
		}
	}
	s, err := table.Build("firms", dims, records, false)
	if err != nil {
		t.Fatal(err)
	}
	s.PublishMargins()
	must.Get(s.ApplyRules(r))(t)
	must.Do(t, s.SetCost(table.CostKind{Kind: "value"}))
	return s
}

// pRule is the p %-rule with 10, written naively: what a sum of cells must be able to move by, 0 if it is safe.
func pRule(of [][]int64) int64 {
	x := make([]int64, len(of[0]))
	total := int64(0)
	for _, c := range of {
		for f, v := range c {
			x[f] += v
			total += v
		}
	}
	slices.SortFunc(x, func(a, b int64) int { return int(b - a) })
	return x[0]/10 + x[0] + x[1] - total
}

// lines are the cells of the rows and columns, by their places in of.
func lines(rows, cols int) (all [][][2]int) {
	for i := range rows {
		var l [][2]int
		for j := range cols {
			l = append(l, [2]int{i, j})
		}
		all = append(all, l)
	}
	for j := range cols {
		var l [][2]int
		for i := range rows {
			l = append(l, [2]int{i, j})
		}
		all = append(all, l)
	}
	return all
}

// holds says whether a pattern protects the cells of s and every sensitive sum of withheld cells of a line.
func holds(t *testing.T, s *table.Table, of [][][]int64, pattern []bool) bool {
	t.Helper()
	rep := must.Get(interval.Audit(t.Context(), s, pattern, nil))(t)
	if !rep.Protected {
		return false
	}
	at := func(p [2]int) int32 {
		for i := range s.Len() {
			if s.CellName(i) == fmt.Sprintf("A%d/H%d", p[0], p[1]) {
				return int32(i)
			}
		}
		t.Fatal("no cell", p)
		return 0
	}
	for _, line := range lines(len(of), len(of[0])) {
		for set := 1; set < 1<<len(line); set++ {
			var cells []int32
			var x [][]int64
			value, all := int64(0), true
			for k, p := range line {
				if set>>k&1 == 1 {
					i := at(p)
					all = all && pattern[i]
					cells, x, value = append(cells, i), append(x, of[p[0]][p[1]]), value+s.Value[i]
				}
			}
			if !all || len(cells) < 2 {
				continue
			}
			if d := pRule(x); d > 0 {
				// A sum as one more cell, in a relation of its own.
				u := s.Clone()
				u.Rel, u.Coord = own(u.Rel), slices.Clone(u.Coord)
				addCell(u, int(cells[0]), value)
				n := u.Len() - 1
				u.Width[n], u.LPL[n], u.UPL[n] = 0, min(d, value), d
				u.Rel.N = u.Len()
				coef := make([]int32, len(cells), len(cells)+1)
				for k := range coef {
					coef[k] = 1
				}
				u.Rel.Add(append(cells, int32(n)), append(coef, -1), 0)
				u.Rel.Dim, u.Rel.Margin = append(u.Rel.Dim, -1), append(u.Rel.Margin, -1)
				rep := must.Get(interval.Audit(t.Context(), u, append(slices.Clone(pattern), true), &interval.Options{Cells: []int{n}}))(t)
				if !rep.Protected {
					return false
				}
			}
		}
	}
	return true
}

// contributions are those to the cells of s called A…/H…, by cell.
func contributions(s *table.Table, of [][][]int64) map[int32][]int64 {
	at := map[string]int32{}
	for i := range s.Len() {
		at[s.CellName(i)] = int32(i)
	}
	by := map[int32][]int64{}
	for a := range of {
		for b := range of[a] {
			by[at[fmt.Sprintf("A%d/H%d", a, b)]] = of[a][b]
		}
	}
	return by
}

// known says that a pattern tells a sensitive sum of up to three cells, of whatever relations.
func known(t *testing.T, s *table.Table, of [][][]int64, pattern []bool) bool {
	t.Helper()
	sets, complete, err := unionsAcross(t.Context(), s, pattern, 3)
	if err != nil || !complete {
		t.Fatal(complete, err)
	}
	by := contributions(s, of)
	for _, set := range sets {
		var x [][]int64
		for _, i := range set {
			x = append(x, by[i])
		}
		if pRule(x) > 0 {
			return true
		}
	}
	return false
}

// anywhere says whether a pattern leaves every sensitive sum of up to three withheld cells, of whatever relations, what it needs.
func anywhere(t *testing.T, s *table.Table, of [][][]int64, pattern []bool) bool {
	t.Helper()
	by := contributions(s, of)
	var cells []int32
	for i, in := range pattern {
		if in {
			cells = append(cells, int32(i))
		}
	}
	var all []table.Union
	for set := 1; set < 1<<len(cells); set++ {
		if n := bits.OnesCount(uint(set)); n < 2 || n > 3 {
			continue
		}
		u := table.Union{Relation: -1}
		var x [][]int64
		for k, i := range cells {
			if set>>k&1 == 1 {
				u.Cells, x, u.Value = append(u.Cells, i), append(x, by[i]), u.Value+s.Value[i]
			}
		}
		if u.UPL = pRule(x); u.UPL > 0 {
			u.LPL = min(u.UPL, u.Value)
			all = append(all, u)
		}
	}
	found := must.Get(unionCells(t.Context(), s, pattern, all, nil))(t)
	return !slices.ContainsFunc(found, func(c interval.Cell) bool { return !c.Protected })
}

// Of the patterns that protect every sensitive union of withheld cells of a relation and tell none of others, found by trying them all, that found is no cheaper than the cheapest,
// and no dearer than the cheapest that protects all sums of three cells at any place: sums that would be known need their levels.
func TestUnionsBruteForce(t *testing.T) {
	t.Parallel()
	rules := must.Get(table.ParseRules("P(10,1)"))(t)
	dearer, none := 0, 0
	for seed := range uint64(24) {
		of := firms(rand.New(rand.NewPCG(seed, 5)), 3, 3, 4)
		s := firmTable(t, of, rules, 4, true)
		var free []int
		primary := make([]bool, s.Len())
		for i, st := range s.Status {
			switch st {
			case table.Safe:
				free = append(free, i)
			case table.Sensitive:
				primary[i] = true
			}
		}
		if len(free) == 9 || len(free) > 7 {
			continue
		}
		best, strict := int64(-1), int64(-1)
		for set := range 1 << len(free) {
			x, cost := slices.Clone(primary), int64(0)
			for k, i := range free {
				x[i] = set>>k&1 == 1
			}
			for i, in := range x {
				if in && !primary[i] {
					cost += s.Cost[i]
				}
			}
			if best >= 0 && cost >= best && strict >= 0 && cost >= strict || !holds(t, s, of, x) {
				continue
			}
			if !known(t, s, of, x) && (best < 0 || cost < best) {
				best = cost
			}
			if (strict < 0 || cost < strict) && anywhere(t, s, of, x) {
				strict = cost
			}
		}
		f, err := Unions(t.Context(), s, &solver.Options{Workers: 1}, UnionOptions{Rules: rules, Options: table.UnionOptions{Size: 3}}, solver.Suppress)
		var impossible *solver.UnprotectableError
		switch {
		case best < 0:
			none++
			if !errors.As(err, &impossible) {
				t.Errorf("seed %d: no pattern protects the unions, got %v", seed, err)
			}
		case strict < 0 && errors.As(err, &impossible):
			none++
		case err != nil:
			t.Errorf("seed %d: %v, want cost %d", seed, err, best)
		case f.Cost < best || strict >= 0 && f.Cost > strict || f.Bound != f.Cost || len(f.Open) > 0 || !holds(t, s, of, f.Pattern) || known(t, s, of, f.Pattern):
			t.Errorf("seed %d: cost %d, bound %d, %d open, want %d to %d", seed, f.Cost, f.Bound, len(f.Open), best, strict)
		default:
			plain := must.Get(solver.Suppress(t.Context(), s, &solver.Options{Workers: 1}))(t)
			if f.Cost > plain.Cost {
				dearer++
			}
		}
	}
	t.Logf("%d tables where unions cost more, %d that cannot be protected", dearer, none)
	if dearer < 3 {
		t.Errorf("unions cost more in %d tables only", dearer)
	}
}

// At the ends of what the table tells stand the unions that are sensitive whoever the contributors are, and those that may be: what
// is so by all contributions lies between.
func TestSensitiveUnionsEnds(t *testing.T) {
	t.Parallel()
	rules := must.Get(table.ParseRules("P(10,1)"))(t)
	sure, between := 0, 0
	for seed := range uint64(60) {
		of := firms(rand.New(rand.NewPCG(seed, 6)), 3, 4, 5)
		for _, named := range []bool{false, true} {
			s := firmTable(t, of, rules, 2, named)
			withheld := make([]bool, s.Len())
			for i, st := range s.Status {
				withheld[i] = st != table.Published
			}
			found, complete, err := s.SensitiveUnions(t.Context(), rules, withheld, table.UnionOptions{Size: 4, Possible: true})
			if err != nil || !complete {
				t.Fatal(complete, err)
			}
			is := map[string]*table.Union{}
			for k := range found {
				is[fmt.Sprint(found[k].Cells)] = &found[k]
			}
			for _, line := range lines(3, 4) {
				for set := 1; set < 1<<len(line); set++ {
					var cells []int32
					var x [][]int64
					for k, p := range line {
						if set>>k&1 == 1 {
							for i := range s.Len() {
								if s.CellName(i) == fmt.Sprintf("A%d/H%d", p[0], p[1]) {
									cells = append(cells, int32(i))
								}
							}
							x = append(x, of[p[0]][p[1]])
						}
					}
					if len(cells) < 2 {
						continue
					}
					slices.Sort(cells)
					u, d := is[fmt.Sprint(cells)], pRule(x)
					switch {
					case d > 0 && u == nil:
						t.Errorf("seed %d: %v must move by %d, but is not among those that may be sensitive", seed, cells, d)
					case d > 0 && u.UPL < d:
						t.Errorf("seed %d: %v must move by %d, not by %d", seed, cells, d, u.UPL)
					case u != nil && !u.Possible:
						if sure++; d <= 0 {
							t.Errorf("seed %d: %v is said to be sensitive, but is not", seed, cells)
						}
					case u != nil && d <= 0:
						between++
					}
				}
			}
		}
	}
	if sure == 0 || between == 0 {
		t.Errorf("%d unions sensitive for certain, %d only by what is possible: the test tells nothing", sure, between)
	}
}

// An end of the context is told with what was found.
func TestUnionsCancelled(t *testing.T) {
	t.Parallel()
	rules := must.Get(table.ParseRules("P(10,1)"))(t)
	s := firmTable(t, firms(rand.New(rand.NewPCG(1, 5)), 3, 3, 4), rules, 4, true)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Unions(ctx, s, &solver.Options{}, UnionOptions{Rules: rules, Options: table.UnionOptions{Size: 3}}, solver.Suppress); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that of the context", err)
	}
}

// Sums of cells of INSEE's tables of turnover: two are told too closely by the cheapest pattern, and each is kept in the next.
func TestUnionsTurnover(t *testing.T) {
	t.Parallel()
	rules := must.Get(table.ParseRules("NK(1,85)|FREQ(3,10)"))(t)
	tab := insee.Turnover(t, "act_size", "ACTIVITY", "activity.hrc")
	plain := must.Get(solver.Suppress(t.Context(), tab, &solver.Options{}))(t)
	what := UnionOptions{Rules: rules, Options: table.UnionOptions{Size: 2}}
	f := must.Get(Unions(t.Context(), tab, &solver.Options{}, what, solver.Suppress))(t)
	if f.Rows == 0 || f.Cost <= plain.Cost || f.Bound != f.Cost || len(f.Open) > 0 || !f.Complete || len(f.Unions) < f.Rows {
		t.Errorf("cost %d, without unions %d; %d of %d unions open, %d searched for", f.Cost, plain.Cost, len(f.Open), len(f.Unions), f.Rows)
	}
	all, _ := must.Two(what.Find(t.Context(), tab, plain.Pattern))(t)
	open, _, err := what.open(t.Context(), tab, plain, all, &solver.Options{})
	if err != nil || len(open) == 0 {
		t.Errorf("the cheapest pattern leaves %d unions too closely told, %v", len(open), err)
	}
}

// A group is protected at the least cost of all patterns under which its others may be one more, found by trying them all.
func TestGroupsBruteForce(t *testing.T) {
	t.Parallel()
	some := 0
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 9))
		v := make([][]int64, 3)
		for i := range v {
			for range 3 {
				v[i] = append(v[i], []int64{0, 0, 0, 1, 4, 7}[rng.IntN(6)])
			}
		}
		tab := tabletest.Counts(t, v)
		must.Do(t, tab.SetCost(table.CostKind{Kind: "value"}))
		rule := &table.GroupRule{K: rng.Int64N(2), D: 1 + rng.Int64N(2)}
		groups, _, err := rule.Groups(tab) // but those of margins, which are published
		if err != nil {
			t.Fatal(err)
		}
		if len(groups) == 0 {
			continue
		}
		var what UnionOptions
		for _, g := range groups {
			what.Always = append(what.Always, g.Others)
		}
		best := cheapest(t, tab, 0, func(pattern []bool) bool {
			for _, g := range groups { // the others are the margin less the cell
				rep := must.Get(interval.Audit(t.Context(), withDifference(t, tab, g), append(slices.Clone(pattern), true), &interval.Options{Cells: []int{tab.Len()}}))(t)
				if !rep.Protected {
					return false
				}
			}
			return true
		})
		f, err := Unions(t.Context(), tab, &solver.Options{Workers: 1}, what, solver.Suppress)
		var impossible *solver.UnprotectableError
		switch {
		case best < 0:
			if !errors.As(err, &impossible) {
				t.Errorf("seed %d: no pattern protects the groups, got %v", seed, err)
			}
		case err != nil || f.Cost != best || len(f.Open) > 0:
			t.Errorf("seed %d: %v, want cost %d: %+v", seed, err, best, f)
		default:
			some++
		}
	}
	if some < 5 {
		t.Errorf("groups are protected in %d tables only", some)
	}
}

// withDifference adds margin − cell to a table as a sensitive cell that must be able to be as much more as the others of g.
func withDifference(t *testing.T, tab *table.Table, g table.DisclosedGroup) *table.Table {
	t.Helper()
	u := tab.Clone()
	u.Rel, u.Coord = own(u.Rel), slices.Clone(u.Coord)
	n := u.Len()
	addCell(u, g.Cell, u.Value[g.Margin]-u.Value[g.Cell])
	u.Width[n], u.UPL[n] = 0, g.Others.UPL
	u.Rel.N = u.Len()
	u.Rel.Add([]int32{int32(g.Margin), int32(g.Cell), int32(n)}, []int32{1, -1, -1}, 0)
	u.Rel.Dim, u.Rel.Margin = append(u.Rel.Dim, -1), append(u.Rel.Margin, -1)
	return u
}

// Of rounded values a sum is left as much room as the rounding leaves its cells.
func TestAuditUnionsRounded(t *testing.T) {
	t.Parallel()
	tab := tabletest.Counts(t, [][]int64{{5, 10, 20}, {15, 5, 30}})
	var cells []int32
	withheld := make([]bool, tab.Len())
	for i := range tab.Len() {
		if tab.Status[i] == table.Safe && len(cells) < 2 { // of the first row
			cells = append(cells, int32(i))
			withheld[i] = true
		}
	}
	relation := -1
	for j := range tab.Rel.Len() {
		if row, _ := tab.Rel.Row(j); slices.Contains(row, cells[0]) && slices.Contains(row, cells[1]) {
			relation = j
		}
	}
	sum := table.Union{Relation: relation, Cells: cells, Value: tab.Value[cells[0]] + tab.Value[cells[1]], Width: 1}
	for _, rounded := range []bool{false, true} {
		if rounded {
			tab.Rounding = make([]int64, tab.Len())
			for i := range tab.Rounding {
				tab.Rounding[i] = 2
			}
		}
		found, err := unionCells(t.Context(), tab, withheld, []table.Union{sum}, nil)
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		if c := &found[0]; c.Protected != rounded {
			t.Errorf("rounded %v: from %v to %v, protected %v", rounded, c.Lo, c.Hi, c.Protected)
		}
	}
}

// Whatever the limit, the pattern protects every sensitive union of what it withholds, or it is said that none does; its bound is at most its cost, and it is no dearer than
// under a smaller limit.
func TestUnionsLimit(t *testing.T) {
	t.Parallel()
	rules := must.Get(table.ParseRules("P(10,1)"))(t)
	grown := 0
	for seed := range heavy.Draws(uint64(16)) {
		of := firms(rand.New(rand.NewPCG(seed, 5)), 3, 4, 4)
		s := firmTable(t, of, rules, 4, true)
		what := UnionOptions{Rules: rules, Options: table.UnionOptions{Size: 4}, Quick: solver.Suppress}
		best, none := Unions(t.Context(), s, &solver.Options{Workers: 1}, what, solver.Suppress)
		least := int64(math.MaxInt64)
		for _, limit := range []time.Duration{1, 30 * time.Microsecond, 100 * time.Microsecond, 300 * time.Microsecond, time.Millisecond, 5 * time.Millisecond, time.Hour} {
			f, err := Unions(t.Context(), s, &solver.Options{Workers: 1, TimeLimit: limit}, what, solver.Suppress)
			if again, other := Unions(t.Context(), s, &solver.Options{Workers: 3, TimeLimit: limit}, what, solver.Suppress); (err == nil) != (other == nil) ||
				err == nil && (!slices.Equal(f.Pattern, again.Pattern) || f.Bound != again.Bound || len(f.Open) != len(again.Open)) {
				t.Errorf("seed %d, %v: another pattern with three workers", seed, limit)
			}
			switch {
			case none != nil:
				var no *solver.UnprotectableError
				if !errors.As(err, &no) {
					t.Errorf("seed %d: no pattern protects the unions, got %v", seed, err)
				}
				continue
			case err != nil:
				t.Fatalf("seed %d: %v", seed, err)
			case len(f.Open) > 0 || !holds(t, s, of, f.Pattern) || certificate.Protects(s, f.Pattern, f.Witnesses) != nil:
				t.Errorf("seed %d, %v: %d unions open", seed, limit, len(f.Open))
			}
			cost := int64(0)
			for i, in := range f.Pattern {
				if in && s.Status[i] == table.Safe {
					cost += s.Cost[i]
				}
			}
			if cost != f.Cost || f.Bound > best.Cost || f.Cost < best.Cost || limit == time.Hour && !slices.Equal(f.Pattern, best.Pattern) {
				t.Errorf("seed %d, %v: cost %d, said %d, bound %d, cheapest %d", seed, limit, cost, f.Cost, f.Bound, best.Cost)
			}
			if f.Cost > least {
				t.Errorf("seed %d, %v: cost %d, with less %d", seed, limit, f.Cost, least)
			}
			least = f.Cost
			if limit == 1 && f.Rounds > 1 {
				grown++
			}
		}
	}
	if grown < 3 {
		t.Errorf("more was withheld in %d tables only", grown)
	}
}

// A pattern that leaves a sum open is called optimal by nobody, be it that the time ended before the sum was protected or that nothing protects it.
func TestUnionsOpen(t *testing.T) {
	t.Parallel()
	rules := must.Get(table.ParseRules("P(10,1)"))(t)
	exact := func(ctx context.Context, t *table.Table, o *solver.Options) (*solver.Solution, error) {
		return solver.Suppress(ctx, t, &solver.Options{Workers: o.Workers})
	}
	late := 0
	for seed := range uint64(16) {
		s := firmTable(t, firms(rand.New(rand.NewPCG(seed, 5)), 3, 4, 4), rules, 4, true)
		what := UnionOptions{Rules: rules, Options: table.UnionOptions{Size: 4}}
		f, err := Unions(t.Context(), s, &solver.Options{Workers: 1, TimeLimit: 1, Punctual: true}, what, exact)
		if errors.As(err, new(*solver.UnprotectableError)) {
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if len(f.Open) > 0 {
			late++
		}
		if len(f.Open) > 0 && f.Status != solver.Feasible {
			t.Errorf("seed %d: %s with %d sums open", seed, f.Status, len(f.Open))
		}
		what.Lost = []table.Union{{Relation: -1, Cells: []int32{0}, Reason: table.ByGroup, UPL: 1}}
		f, err = Unions(t.Context(), s, &solver.Options{Workers: 1}, what, exact)
		if errors.As(err, new(*solver.UnprotectableError)) {
			continue
		}
		if err != nil || f.Status != solver.Feasible || len(f.Open) != 1 || f.Bound != f.Cost {
			t.Errorf("seed %d: %s with %d sums open, of which nothing protects one; %v", seed, f.Status, len(f.Open), err)
		}
	}
	if late < 3 {
		t.Errorf("the time ended with a sum open in %d tables only", late)
	}
}

// What is shown without programs holds by the exact intervals: of tables of firms whose patterns tell some unions and keep others.
func TestUnionsMet(t *testing.T) {
	t.Parallel()
	rules := must.Get(table.ParseRules("P(10,1)"))(t)
	met, missed := 0, 0
	for seed := range uint64(90) {
		rng := rand.New(rand.NewPCG(seed, 12))
		of := firms(rng, 4, 4, 5)
		s := firmTable(t, of, rules, 5, true)
		withheld := make([]bool, s.Len())
		for i, st := range s.Status {
			withheld[i] = st == table.Sensitive || st == table.Safe && rng.IntN(2) == 0
		}
		what := UnionOptions{Rules: rules, Options: table.UnionOptions{Size: 3}, Show: modular.Show}
		all, _ := must.Two(what.Find(t.Context(), s, withheld))(t)
		cells := must.Get(unionCells(t.Context(), s, withheld, all, nil))(t)
		for k, shown := range what.Met(t.Context(), s, withheld, all) {
			switch {
			case shown && !cells[k].Protected:
				t.Errorf("seed %d: the sum of %v is told, from %v to %v", seed, all[k].Cells, cells[k].Lo, cells[k].Hi)
			case shown:
				met++
			case !cells[k].Protected:
				missed++
			}
		}
	}
	if met < 20 || missed < 20 {
		t.Errorf("%d unions shown to be met, %d told: the test tells nothing", met, missed)
	}
}
