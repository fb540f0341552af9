package ledger

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/table"
)

// read makes a release of a tidy or cross-tabulated text.
func read(t testing.TB, file, text string, at ...string) *Release {
	t.Helper()
	in := must.Get(formats.ReadFrom(strings.NewReader(text), file, formats.Options{}))(t)
	r := &Release{Table: in.Table, File: file}
	for k := 0; k < len(at); k += 2 {
		if r.At == nil {
			r.At = map[string]string{}
		}
		r.At[at[k]] = at[k+1]
	}
	return r
}

func sums(t testing.TB, text string) []Sum {
	t.Helper()
	return must.Get(ReadSums(strings.NewReader(text), "sums.txt"))(t)
}

// hidden says what readers of a release do not see.
func hidden(r *Release) []bool {
	w := make([]bool, r.Table.Len())
	for i := range w {
		w[i] = r.withheld(i)
	}
	return w
}

// intervals audits the set of releases, and returns the intervals by file and cell.
func intervals(t testing.TB, present *Release, releases []*Release, opt Options) (map[string]string, *Joint, error) {
	t.Helper()
	opt.Withheld = hidden(present)
	j := must.Get(join(present, releases, &opt))(t)
	rep, err := interval.Audit(t.Context(), j.Table, j.Withheld, nil)
	if err != nil {
		return nil, j, err
	}
	out := map[string]string{}
	for k := range rep.Cells {
		c := &rep.Cells[k]
		out[j.Where(c.Index)] = ends(c.Lo, c.Hi)
	}
	return out, j, nil
}

func ends(lo, hi *big.Rat) string {
	text := func(x *big.Rat) string {
		if x == nil {
			return "inf"
		}
		return x.RatString()
	}
	return text(lo) + " " + text(hi)
}

// Two tables of the same people by other breakdowns tell together what neither tells: a cell withheld in one is the cell of the other.
func TestTellTogether(t *testing.T) {
	t.Parallel()
	present := read(t, "now.csv", "region,size,value\nN,small,\nN,large,\nN,Total,30\nS,small,\nS,large,\nS,Total,40\nTotal,small,35\nTotal,large,35\nTotal,Total,70\n")
	other := read(t, "cut.csv", "size,value\nsmall,12\nlarge,18\nTotal,30\n", "region", "N")
	alone, _, err := intervals(t, present, nil, Options{})
	if err != nil || alone["N/small"] != "0 30" {
		t.Fatalf("alone: %v, %v", alone, err)
	}
	both, j, err := intervals(t, present, []*Release{other}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for cell, want := range map[string]string{"N/small": "12 12", "N/large": "18 18", "S/small": "23 23"} {
		if both[cell] != want {
			t.Errorf("%s: %s, want %s", cell, both[cell], want)
		}
	}
	if len(j.Fixed) != 2 {
		t.Errorf("%d cells are told by the cut, want 2", len(j.Fixed))
	}
}

// A code that no table has, but a sum names, is a cell like others: what 11 here and 10 there leave is told.
func TestSumsAlone(t *testing.T) {
	t.Parallel()
	a := read(t, "old.csv", "district,value\nA,11\nB,40\nTotal,51\n")
	b := read(t, "new.csv", "district,value\nA1,10\nB1,41\nTotal,51\n")
	got, j, err := intervals(t, a, []*Release{b}, Options{Sums: sums(t, "district: A = A1 + sliver # the new boundary\nB1 = B + sliver\n")})
	if err != nil {
		t.Fatal(err)
	}
	if got["sliver"] != "1 1" || len(got) != 1 {
		t.Errorf("%v, want sliver 1", got)
	}
	if c := j.Len() - 1; j.Status[c] != table.Sensitive || j.Value[c] != 1 {
		t.Errorf("the cell is %v with value %d", j.Status[c], j.Value[c])
	}
	_, err = join(a, []*Release{b}, &Options{Sums: sums(t, "A = A1\n")})
	var wrong *formats.Error
	if !errors.As(err, &wrong) || wrong.Line != 1 || !strings.Contains(err.Error(), "differ by 1") {
		t.Errorf("a sum that does not hold: %v", err)
	}
}

// Codes that contradict each other are named with both files; what is said to be a revision is another cell.
func TestConflicts(t *testing.T) {
	t.Parallel()
	a := read(t, "a.csv", "x,value\nP,11\nQ,\nTotal,51\n")
	b := read(t, "b.csv", "x,value\nP,10\nQ,41\nTotal,51\n")
	_, err := join(a, []*Release{b}, &Options{Withheld: hidden(a)})
	var c *ConflictError
	if !errors.As(err, &c) || c.Cell != "P" || c.First != "a.csv" || c.Second != "b.csv" || c.A.String() != "11" || c.B.String() != "10" {
		t.Errorf("%v", err)
	}
	b.Revision = true
	got, _, err := intervals(t, a, []*Release{b}, Options{})
	if err != nil || got["Q"] != "40 40" {
		t.Errorf("revision: %v, %v", got, err)
	}
	_, err = join(read(t, "a.csv", "x,value\nP,11\nTotal,11\n", Period, "2024"), []*Release{b}, nil)
	if err == nil || !strings.Contains(err.Error(), "b.csv: no period is told of it") {
		t.Errorf("no period: %v", err)
	}
}

func TestReadSums(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a = b":                      "",
		"d: a = b + 2*c - e":         "",
		`"my dim": "a b" = c − d`:    "",
		"[x=1, y=2] = [x=3] + [z=4]": "",
		"a = = b":                    "f:1: ",
		"a + b":                      `f:1: "a + b": want a line like`,
		"a = b +":                    "f:1: ",
		"\n\na = 0*b":                `f:3: "0": want a whole number`,
		"[x=1 = b":                   `want a cell like [region=N, size=S]`,
		"[x=1] = b":                  "do not stand in one line",
		"a = a":                      "it says nothing",
		`a = "b`:                     "quotation marks are not closed",
		"[x=1, x=2] = [y=3]":         "x twice in one cell",
	} {
		_, err := ReadSums(strings.NewReader(text), "f")
		switch {
		case want == "" && err != nil, want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// survey is one drawn survey: values of region × activity in two years, the second near the first.
type survey struct {
	then, now [3][3]int64
}

func draw(rng *rand.Rand) *survey {
	s := &survey{}
	for r := range 3 {
		for a := range 3 {
			s.then[r][a] = rng.Int64N(100)
			s.now[r][a] = s.then[r][a]*8/10 + rng.Int64N(s.then[r][a]*4/10+1)
			if s.now[r][a]*10 > s.then[r][a]*13 || s.now[r][a]*10 < s.then[r][a]*7 {
				s.now[r][a] = s.then[r][a]
			}
		}
	}
	return s
}

// text writes a table of the values v over the regions from a to b; what hide says is left out.
func text(v *[3][3]int64, from, to int, hide func() bool) string {
	var b strings.Builder
	b.WriteString("region,activity,value\n")
	put := func(r, a string, x int64) {
		if hide() {
			fmt.Fprintf(&b, "%s,%s,\n", r, a)
			return
		}
		fmt.Fprintf(&b, "%s,%s,%d\n", r, a, x)
	}
	var column [4]int64
	for r := from; r < to; r++ {
		sum := int64(0)
		for a := range 3 {
			put(fmt.Sprint("r", r), fmt.Sprint("a", a), v[r][a])
			sum += v[r][a]
			column[a] += v[r][a]
		}
		put(fmt.Sprint("r", r), "Total", sum)
		column[3] += sum
	}
	for a := range 3 {
		put("Total", fmt.Sprint("a", a), column[a])
	}
	put("Total", "Total", column[3])
	return b.String()
}

// naive is the joint problem written down again without merging a cell: a column for each cell of each file, rows for the relations of
// each, for cells that are the same, and for bounds on change as inequalities.
type naive struct {
	lp.Problem
	at map[string]int32 // file and cell
}

func (n *naive) row(up float64, terms map[int32]float64) {
	r := lp.Row{Up: up}
	for i, v := range terms {
		r.Idx, r.Val = append(r.Idx, i), append(r.Val, v)
	}
	n.Rows = append(n.Rows, r)
}

func (n *naive) add(r *Release) {
	first := int32(len(n.Cost))
	for i := range r.Table.Len() {
		n.at[r.File+" "+r.Table.CellName(i)] = first + int32(i)
		lo, up := 0.0, math.Inf(1)
		if !r.withheld(i) {
			lo = float64(r.Table.Value[i])
			up = lo
		}
		n.Cost, n.Lo, n.Up = append(n.Cost, 0), append(n.Lo, lo), append(n.Up, up)
	}
	for j := range r.Table.Rel.Len() {
		cell, coef := r.Table.Rel.Row(j)
		terms := map[int32]float64{}
		for e, i := range cell {
			terms[first+i] += float64(coef[e])
		}
		n.row(0, terms)
	}
}

// The intervals of two years and a regional cut together are those of the problem written down naively, and no wider than without the cut or the
// bounds on change.
func TestJointAgainstNaive(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(21, 1))
	narrower := 0
	for n := range 24 {
		s := draw(rng)
		hide := func() bool { return rng.IntN(3) > 0 }
		now := read(t, "now", text(&s.now, 0, 3, hide), Period, "2024")
		then := read(t, "then", text(&s.then, 0, 3, hide), Period, "2023")
		cut := read(t, "cut", text(&s.now, 1, 3, hide), Period, "2024")
		for d := range cut.Table.Dims { // the total of the cut is that of two regions
			if cut.Table.Dims[d].Name == "region" {
				cut.Table.Dims[d].Codes[0] = "r1+2"
			}
		}
		opt := Options{Sums: sums(t, `region: "r1+2" = r1 + r2`)}
		if n%2 > 0 {
			opt.Changes = []Change{{P: 3, Q: 10}}
		}
		got, j := must.Two(intervals(t, now, []*Release{then, cut}, opt))(t)
		x := &naive{at: map[string]int32{}}
		for _, r := range []*Release{now, then, cut} {
			x.add(r)
		}
		for i := range cut.Table.Len() {
			name := cut.Table.CellName(i)
			if same, ok := x.at["now "+name]; ok {
				x.row(0, map[int32]float64{same: 1, x.at["cut "+name]: -1})
			}
			if a, ok := strings.CutPrefix(name, "r1+2/"); ok {
				x.row(0, map[int32]float64{x.at["cut "+name]: 1, x.at["now r1/"+a]: -1, x.at["now r2/"+a]: -1})
			}
		}
		if n%2 > 0 {
			for i := range now.Table.Len() {
				a, b := x.at["then "+now.Table.CellName(i)], x.at["now "+now.Table.CellName(i)]
				x.row(math.Inf(1), map[int32]float64{a: 1.3, b: -1})
				x.row(math.Inf(1), map[int32]float64{a: -0.7, b: 1})
			}
		}
		check(t, n, x, j, got)
		alone, _ := must.Two(intervals(t, now, nil, Options{}))(t)
		for cell, wide := range alone {
			if within(t, got[cell], wide) {
				narrower++
			}
		}
	}
	if narrower == 0 {
		t.Error("no interval is narrower together")
	}
}

// check compares intervals with what the naive problem gives.
func check(t *testing.T, n int, x *naive, j *Joint, got map[string]string) {
	t.Helper()
	for i := range j.Len() {
		o := j.origin[i]
		if !j.Withheld[i] || o.k < 0 {
			continue
		}
		s := j.sources[o.k]
		at := x.at[s.File+" "+s.Table.CellName(int(o.i))]
		var want []string
		for _, sign := range []float64{1, -1} {
			p := x.Problem
			p.Cost = make([]float64, len(x.Cost))
			p.Cost[at] = sign
			solver, err := lp.Open("simplex")
			if err == nil {
				err = solver.Load(&p)
			}
			if err != nil {
				t.Fatal(err)
			}
			res, err := solver.Solve(context.Background())
			switch {
			case err != nil:
				t.Fatal(err)
			case res.Status == lp.Unbounded:
				want = append(want, "inf")
			case res.Status == lp.Optimal:
				want = append(want, fmt.Sprintf("%.4f", sign*res.Value+0))
			default:
				t.Fatalf("draw %d: %v", n, res.Status)
			}
			solver.Close()
		}
		lo, hi, _ := strings.Cut(got[j.Where(i)], " ")
		for k, e := range []string{lo, hi} {
			if e != "inf" {
				var a, b int64 = 0, 1
				must.Get(fmt.Sscanf(e+"/1", "%d/%d", &a, &b))(t)
				e = fmt.Sprintf("%.4f", float64(a)/float64(b))
			}
			if strings.TrimPrefix(e, "-0.0000") != strings.TrimPrefix(want[k], "-0.0000") && !(e == "0.0000" && want[k] == "-0.0000") {
				t.Errorf("draw %d: %s: %s, naively %v", n, j.Where(i), got[j.Where(i)], want)
			}
		}
	}
}

// within fails if an interval is wider than another, and says whether it is narrower.
func within(t *testing.T, narrow, wide string) bool {
	t.Helper()
	read := func(s string) (lo, hi float64) {
		a, b, _ := strings.Cut(s, " ")
		one := func(e string) float64 {
			if e == "inf" {
				return math.Inf(1)
			}
			var p, q int64 = 0, 1
			fmt.Sscanf(e+"/1", "%d/%d", &p, &q)
			return float64(p) / float64(q)
		}
		return one(a), one(b)
	}
	lo, hi := read(narrow)
	Lo, Hi := read(wide)
	if lo < Lo-1e-9 || hi > Hi+1e-9 {
		t.Errorf("%s is wider than %s", narrow, wide)
	}
	return lo > Lo+1e-9 || hi < Hi-1e-9
}
