package stargroups

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/risk"
)

func solve(limits Limits) func(context.Context, *risk.GroupProgram) (*risk.GroupSolution, error) {
	return func(ctx context.Context, p *risk.GroupProgram) (*risk.GroupSolution, error) {
		return Solve(ctx, p, limits)
	}
}

// withholdBy asks for k without a search.
func withholdBy(ctx context.Context, c *risk.Classes, k uint64, solve func(context.Context, *risk.GroupProgram) (*risk.GroupSolution, error)) (*risk.Suppression, error) {
	return c.Withhold(ctx, risk.Missing{}, risk.Withholding{Goal: risk.Goal{K: k}, Solve: solve})
}

// draw makes records of some columns of few values.
func draw(t *testing.T, r *rand.Rand, most int) (*risk.Classes, uint64, int) {
	m := 2 + r.IntN(3)
	var names []string
	for k := range m {
		names = append(names, fmt.Sprint("c", k))
	}
	columns := must.Get(risk.NewColumns(names...))(t)
	c := risk.NewClasses(columns, m)
	k := uint64(2 + r.IntN(2))
	n := int(k) + r.IntN(most)
	for range n {
		var row []string
		for range m {
			row = append(row, fmt.Sprint(r.IntN(3)))
		}
		must.Do(t, c.Add(1, row...))
	}
	return c, k, n
}

// TestAgainstSearch compares with the search through all groups of records, which knows no programs.
func TestAgainstSearch(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(20, 2))
	programs, better := 0, 0
	for i := range 240 {
		c, k, n := draw(t, r, 11)
		ctx := context.Background()
		want := must.Get(c.Withhold(ctx, risk.Missing{}, risk.Withholding{Goal: risk.Goal{K: k}, Nodes: 1 << 22}))(t)
		if !want.Optimal {
			continue
		}
		rough := must.Get(c.Withhold(ctx, risk.Missing{}, risk.Withholding{Goal: risk.Goal{K: k}}))(t)
		got := must.Get(withholdBy(ctx, c, k, func(ctx context.Context, p *risk.GroupProgram) (*risk.GroupSolution, error) {
			programs++
			return solve(Limits{Nodes: 1 << 20, Iterations: 1 << 30})(ctx, p)
		}))(t)
		if !got.Optimal || got.Cells != want.Cells || got.Bound != want.Cells {
			t.Fatalf("file %d of %d records, k %d: %d values, bound %d, proved %v; the fewest are %d", i, n, k, got.Cells, got.Bound, got.Optimal, want.Cells)
		}
		if got.Cells < rough.Cells {
			better++
		}
	}
	if programs < 80 || better < 8 {
		t.Errorf("%d programs, %d better than what was known", programs, better)
	}
}

// TestLimits asks for bounds that hold and solutions that are some where a search is cut short.
func TestLimits(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(20, 3))
	open := 0
	for range 40 {
		c, k, _ := draw(t, r, 60)
		var least uint64
		for _, limits := range []Limits{{1 << 12, 1 << 18, 0}, {3, 1 << 20, 0}, {1, 1 << 20, 0}, {0, 1, 0}, {1 << 20, 40, 0}} {
			got := must.Get(withholdBy(context.Background(), c, k, solve(limits)))(t)
			if least == 0 && got.Optimal {
				least = got.Cells
			}
			if got.Bound > got.Cells || got.Optimal != (got.Bound == got.Cells) || least > 0 && (got.Cells < least || got.Bound > least) {
				t.Fatalf("%+v: %d values, bound %d, proved %v; the fewest are %d", limits, got.Cells, got.Bound, got.Optimal, least)
			}
			if !got.Optimal {
				open++
			}
		}
	}
	if open < 12 {
		t.Errorf("%d searches were cut short", open)
	}
}

// TestEnds asks that a search ends with its context, and that what is no solution is refused.
func TestEnds(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(20, 4))
	for range 100 {
		c, k, _ := draw(t, r, 40)
		asked := false
		ctx, stop := context.WithCancel(context.Background())
		_, err := withholdBy(ctx, c, k, func(_ context.Context, p *risk.GroupProgram) (*risk.GroupSolution, error) {
			asked = true
			stop()
			return solve(Limits{Nodes: 1 << 20, Iterations: 1 << 30})(ctx, p)
		})
		stop()
		if !asked {
			continue
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("%v, want an end", err)
		}
		for _, wrong := range []func(p *risk.GroupProgram) [][]uint64{
			func(p *risk.GroupProgram) [][]uint64 { return make([][]uint64, len(p.Groups)) },
			func(p *risk.GroupProgram) [][]uint64 { // nobody is in a group
				records := make([][]uint64, len(p.Groups))
				for c := range records {
					records[c] = make([]uint64, len(p.Groups[c].Classes))
				}
				return records
			},
		} {
			if _, err := withholdBy(context.Background(), c, k, func(_ context.Context, p *risk.GroupProgram) (*risk.GroupSolution, error) {
				return &risk.GroupSolution{Records: wrong(p)}, nil
			}); err == nil {
				t.Fatal("what is no solution is taken")
			}
		}
		return
	}
	t.Fatal("no program")
}

// TestLarge asks for bounds that hold where numbers of records times multipliers leave 64 bits, and for an answer without any where the program itself does.
func TestLarge(t *testing.T) {
	t.Parallel()
	for shift := 20; shift < 64; shift++ {
		n := uint64(1) << shift
		p := &risk.GroupProgram{K: n, Classes: []uint64{n, n, n - 1}, Best: 2 * 3 * min(n, 1<<60), Groups: []risk.PossibleGroup{
			{Cost: []uint64{0}, Classes: []int{0}}, {Cost: []uint64{0}, Classes: []int{1}}, {Cost: []uint64{0}, Classes: []int{2}}, {Cost: []uint64{1, 1}, Classes: []int{1, 2}}, {Cost: []uint64{2, 2, 2}, Classes: []int{0, 1, 2}},
		}}
		s, err := Solve(context.Background(), p, Limits{Nodes: 100, Iterations: 10_000})
		if err != nil {
			t.Fatalf("2^%d records: %v", shift, err)
		}
		if least := 2*n - 1; s.Bound > least {
			t.Errorf("2^%d records: bound %d, but %d values are enough", shift, s.Bound, least)
		}
		if s.Records != nil && !slices.Equal(of(s.Records, p), p.Classes) {
			t.Errorf("2^%d records: %v are not all of them", shift, s.Records)
		}
		if shift < 30 && (s.Bound != 2*n-1 || s.Records == nil) {
			t.Errorf("2^%d records: bound %d, %v", shift, s.Bound, s.Records)
		}
	}
}

// of are the records of each class.
func of(records [][]uint64, p *risk.GroupProgram) []uint64 {
	sum := make([]uint64, len(p.Classes))
	for c, list := range records {
		for i, n := range list {
			sum[p.Groups[c].Classes[i]] += n
		}
	}
	return sum
}

// TestGoals compares the bounds and solutions with the search where l, t, entities, costs and values withheld before count.
func TestGoals(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(20, 5))
	proved, open := 0, 0
	for i := range 300 {
		columns := must.Get(risk.NewColumns("a", "b", "s", "id"))(t)
		c := risk.NewClasses(columns, 4)
		for range 4 + r.IntN(7) {
			must.Do(t, c.Add(1, []string{"*", "x", "y"}[r.IntN(3)], []string{"*", "x", "y", "z"}[r.IntN(4)], fmt.Sprint(r.IntN(3)), fmt.Sprint(r.IntN(6))))
		}
		p := risk.Withholding{Goal: risk.Goal{K: 2}, Columns: 2, Entity: true, Nodes: 1 << 22, Costs: []uint64{1 + r.Uint64N(3), 1 + r.Uint64N(3)}}
		switch i % 3 {
		case 0:
			p.L = 2
		case 1:
			p.T = big.NewRat(int64(1+r.IntN(5)), 8)
		}
		want, err := c.Withhold(t.Context(), risk.Missing{}, p)
		if errors.Is(err, risk.ErrUnreachable) {
			continue
		}
		if err != nil || !want.Optimal {
			t.Fatal(err, want)
		}
		p.Nodes, p.Solve = 0, solve(Limits{Nodes: 1 << 20, Iterations: 1 << 30})
		got := must.Get(c.Withhold(t.Context(), risk.Missing{}, p))(t)
		if got.Bound > want.Cost || got.Cost < want.Cost || got.Optimal != (got.Bound == got.Cost) {
			t.Fatalf("file %d: cost %d, bound %d, proved %v; the least is %d", i, got.Cost, got.Bound, got.Optimal, want.Cost)
		}
		if got.Optimal {
			proved++
		} else {
			open++
		}
	}
	t.Log(proved, "proved,", open, "open")
}

// TestWork asks that a search under a limit of counted work takes fewer nodes, and that its bound holds.
func TestWork(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(20, 6))
	cut := 0
	for range 40 {
		c, k, _ := draw(t, r, 60)
		search := func(work time.Duration) *risk.Suppression {
			return must.Get(withholdBy(context.Background(), c, k, solve(Limits{1 << 12, 1 << 18, work})))(t)
		}
		whole, part := search(0), search(200*time.Microsecond)
		if part.Bound > whole.Cells || part.Cells < whole.Bound || part.Optimal != (part.Bound == part.Cells) {
			t.Fatalf("%d values, bound %d; in full %d, bound %d", part.Cells, part.Bound, whole.Cells, whole.Bound)
		}
		if whole.Optimal && !part.Optimal {
			cut++
		}
	}
	if cut < 3 {
		t.Errorf("%d searches were cut short", cut)
	}
}
