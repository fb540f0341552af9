package cellkey

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/recordkey"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tabulate"
)

// twoWay is a table of inner counts with margins and keys.
func twoWay(inner [][]int64, keys [][]recordkey.Key) *Counts {
	rows, cols := len(inner), len(inner[0])
	dim := func(name string, n int) table.Dimension {
		d := table.Dimension{Name: name, Codes: []string{"Total"}, Parent: []int32{-1}}
		for k := range n {
			d.Codes, d.Parent = append(d.Codes, fmt.Sprint(name, k)), append(d.Parent, 0)
		}
		return d
	}
	c := &Counts{Name: "t", Dims: []table.Dimension{dim("r", rows), dim("c", cols)}}
	for r := range rows + 1 {
		for k := range cols + 1 {
			x := Cell{At: []int32{int32(r), int32(k)}}
			for i := range rows {
				for j := range cols {
					if (r == 0 || r == i+1) && (k == 0 || k == j+1) {
						x.N += inner[i][j]
						x.Key = recordkey.Add(x.Key, keys[i][j])
					}
				}
			}
			if x.N > 0 {
				c.Cells = append(c.Cells, x)
			}
		}
	}
	return c
}

// drawTwoWay draws one of 2 or 3 by 2 codes.
func drawTwoWay(t *rapid.T) *Counts {
	rows := rapid.IntRange(2, 3).Draw(t, "rows")
	inner, keys := make([][]int64, rows), make([][]recordkey.Key, rows)
	some := int64(0)
	for i := range rows {
		for range 2 {
			n := rapid.Int64Range(0, 3).Draw(t, "n")
			key := recordkey.Key(0)
			if n > 0 {
				key = recordkey.Key(rapid.Uint64Range(0, one-1).Draw(t, "key"))
			}
			inner[i], keys[i] = append(inner[i], n), append(keys[i], key)
			some += n
		}
	}
	if some == 0 {
		inner[0][0] = 1
	}
	return twoWay(inner, keys)
}

// possible lists all tables of counts that the published one leaves possible, each as counts by cell name, with its chance.
func possible(c *Counts, p *Table) (all []map[string]int64, chances []float64) {
	published := map[string]int64{}
	for n := range c.Cells {
		published[c.cellName(n)] = c.Cells[n].Published
	}
	rows, cols := c.Dims[0].Codes[1:], c.Dims[1].Codes[1:]
	y := make([]int64, len(rows)*len(cols))
	var fill func(k int)
	fill = func(k int) {
		if k < len(y) {
			name := rows[k/len(cols)] + "/" + cols[k%len(cols)]
			for v := int64(0); v <= published[name]+2; v++ {
				if p.of(v).Chance(published[name]-v) > 0 {
					y[k] = v
					fill(k + 1)
				}
			}
			return
		}
		one, sets, chance := map[string]int64{}, map[string]int64{}, 1.0
		for _, r := range c.Dims[0].Codes {
			for _, k := range c.Dims[1].Codes {
				var sum int64
				set := ""
				for i := range y {
					if (r == "Total" || r == rows[i/len(cols)]) && (k == "Total" || k == cols[i%len(cols)]) {
						sum += y[i]
						if y[i] > 0 {
							set += fmt.Sprint(i, " ")
						}
					}
				}
				x := published[r+"/"+k]
				one[r+"/"+k] = sum
				if p.of(sum).Chance(x-sum) == 0 {
					return
				}
				if same, ok := sets[set]; ok && set != "" {
					if same != x {
						chance = 0
					}
				} else {
					sets[set] = x
					chance *= p.of(sum).Chance(x - sum)
				}
			}
		}
		all, chances = append(all, one), append(chances, chance)
	}
	fill(0)
	return all, chances
}

// TestAttackTwoWay compares intervals and beliefs with all tables, written down one by one. In two-way tables the ends of
// intervals are whole numbers that some table attains, but for holes in what a published number leaves.
func TestAttackTwoWay(t *testing.T) {
	t.Parallel()
	p := smallTable(t)
	rapid.Check(t, func(t *rapid.T) {
		c := drawTwoWay(t)
		c.Perturb(p)
		a, err := c.Attack(context.Background(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		all, chances := possible(c, p)
		sum, likely := 0.0, 0
		for _, x := range chances {
			sum += x
			if x > 0 {
				likely++
			}
		}
		best, certain := 0.0, 0
		for _, x := range a.Cells {
			name := c.cellName(x.Index)
			n := c.Cells[x.Index].N
			lo, hi := int64(math.MaxInt64), int64(-1)
			belief, several := 0.0, map[int64]bool{}
			for k, one := range all {
				lo, hi = min(lo, one[name]), max(hi, one[name])
				if chances[k] > 0 {
					several[one[name]] = true
				}
				if one[name] == n {
					belief += chances[k] / sum
				}
			}
			if x.Lo > lo || x.Hi < hi || n < x.Lo || n > x.Hi {
				t.Fatalf("%s: [%d, %d], but [%d, %d] is possible and %d true", name, x.Lo, x.Hi, lo, hi, n)
			}
			if x.Lo == x.Hi && lo < hi {
				t.Fatalf("%s: disclosed as %d, but %d to %d are possible", name, x.Lo, lo, hi)
			}
			if belief > 0.95 {
				certain++
			}
			if len(several) > 1 {
				best = max(best, belief)
			}
		}
		if q := a.Posterior; q == nil || q.Tables != likely || q.Certain != certain || math.Abs(q.Best-best) > 1e-9 {
			t.Fatalf("%+v, but %d tables, %d cells certain, another with chance %g", q, likely, certain, best)
		}
	})
}

// TestAveraging: with variances V the standard error of a full table falls to √(V·Π(1 − 1/m)), and cells of the
// same records count once.
func TestAveraging(t *testing.T) {
	t.Parallel()
	p, err := (&Design{D: 3, V: 1.5}).Table()
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n < len(p.Rows); n++ { // one variance for all
		p.Rows[n] = Row{I: int64(n), V: []int64{-1, 1}, Upper: []uint64{one / 2, one}}
	}
	keyed := recordkey.NewKeyed("averaging")
	inner, keys := make([][]int64, 3), make([][]recordkey.Key, 3)
	for i := range inner {
		for j := range 4 {
			inner[i] = append(inner[i], int64(5+i*j))
			keys[i] = append(keys[i], keyed.Of(fmt.Appendf(nil, "%d %d", i, j)))
		}
	}
	c := twoWay(inner, keys)
	c.Perturb(p)
	a, err := c.Attack(context.Background(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := math.Sqrt((1 - 1.0/4) * (1 - 1.0/5))
	if v := a.Averaging; math.Abs(v.Mean-want) > 1e-6 || math.Abs(v.Least-want) > 1e-6 || v.Before != 1 || v.Looked != 20 {
		t.Errorf("%+v, want %g", v, want)
	}
	sum := 0.0
	byName := map[string]float64{}
	for _, x := range a.Cells {
		byName[c.cellName(x.Index)] = x.Estimate
	}
	for i := range 3 {
		sum += byName[fmt.Sprintf("r%d/c0", i)]
	}
	if math.Abs(sum-byName["Total/c0"]) > 1e-6 {
		t.Errorf("estimates add up to %g, not %g", sum, byName["Total/c0"])
	}

	lone := twoWay([][]int64{{7, 0}, {0, 0}}, [][]recordkey.Key{{keys[0][0], 0}, {0, 0}})
	lone.Perturb(p)
	if a, err = lone.Attack(context.Background(), p, &AttackOptions{Grid: 1}); err != nil {
		t.Fatal(err)
	}
	if v := a.Averaging; math.Abs(v.Least-1) > 1e-9 {
		t.Errorf("four times the same records: standard error %g, want 1", v.Least)
	}
}

// TestDifferences: a pair of one record is found, and its chance is that of all pairs of counts.
func TestDifferences(t *testing.T) {
	t.Parallel()
	p := smallTable(t)
	keyed := recordkey.NewKeyed("differences")
	equal := 0
	for n := range 200 {
		k := keyed.Of(fmt.Appendf(nil, "a%d", n))
		c := twoWay([][]int64{{5, 3}, {1, 0}}, [][]recordkey.Key{{k, keyed.Of(fmt.Appendf(nil, "b%d", n))}, {keyed.Of(fmt.Appendf(nil, "c%d", n)), 0}})
		c.Perturb(p)
		var a Attack
		a.differ(c, p)
		d := a.Differences
		if d.Pairs != 2 || d.Equal != 2 { // r0/Total in Total/Total, r0/c0 in Total/c0; r1/c0 is r1/Total, r0/c1 is Total/c1
			t.Fatalf("%+v", d)
		}
		equal += 2 - d.Differ
	}
	if equal < 20 || equal > 180 {
		t.Errorf("%d of 400 pairs are published alike", equal)
	}
	// By hand: below 3, margin 4, from the table's chances.
	all, single := 0.0, 0.0
	for y := int64(1); y <= 5; y++ {
		for z := y + 1; z <= 6; z++ {
			chance := p.of(y).Chance(3-y) * p.of(z).Chance(4-z)
			if all += chance; z == y+1 {
				single += chance
			}
		}
	}
	if got := p.difference(4, 3); math.Abs(got-single/all) > 1e-12 {
		t.Errorf("chance %g, want %g", got, single/all)
	}
}

// TestAttackTree attacks a table with a hierarchy: every true count lies in its interval, and all limits hold.
func TestAttackTree(t *testing.T) {
	t.Parallel()
	p := smallTable(t)
	c := count(t, 1, []tabulate.Spec{{Name: "ab", Dims: []string{"a", "b"}, Key: "key"}}, strings.Join(people(60, 5), ""))[0]
	c.Perturb(p)
	for _, o := range []*AttackOptions{nil, {Grid: 1}, {Cells: 3, Tables: 1}} {
		a := must.Get(c.Attack(context.Background(), p, o))(t)
		for _, x := range a.Cells {
			if n := c.Cells[x.Index].N; n < x.Lo || n > x.Hi || x.Lo < 0 {
				t.Errorf("%s: %d outside [%d, %d]", c.cellName(x.Index), n, x.Lo, x.Hi)
			}
		}
		if o != nil && o.Cells > 0 && (len(a.Cells) != 3 || a.Constraints.Complete) {
			t.Errorf("%d cells looked at, complete %v", len(a.Cells), a.Constraints.Complete)
		}
		if a.Averaging.Mean >= a.Averaging.Before {
			t.Errorf("%+v", a.Averaging)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := c.Attack(ctx, p, nil); err == nil {
		t.Error("the attack goes on after its end")
	}
}

// cellName is the codes of cell n joined with "/".
func (c *Counts) cellName(n int) string { return strings.Join(c.Codes(n), "/") }
