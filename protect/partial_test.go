package protect

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/methods/partial"
	"github.com/hitoku/hitoku/table"
)

// matched publishes the table of these inner cells as p says and then, as an intruder who knows p and which cells are sensitive, goes through all tables
// of counts with the same published margins within the intervals: how many there are, how many p publishes in the same way, and the least and largest value of a sensitive cell in those.
func matched(t *testing.T, inner [][]int64, p Policy) (tables, same int, lo, hi int64) {
	t.Helper()
	run := func(inner [][]int64) *Result {
		tab := tabletest.CrossTab(t, inner)
		key := 0
		for leaves := tab.Leaves(); tab.IsMargin(key, leaves); key++ {
		}
		tab.Status[key], tab.Width[key] = table.Sensitive, 5 // the first inner cell, whatever its value: that is public
		r, err := Run(context.Background(), []Input{{Table: tab, CrossTab: true}}, p, &Options{Workers: 1})
		if err != nil {
			return nil
		}
		return r
	}
	truth := run(inner)
	if truth == nil || truth.Verdict != interval.Protected {
		t.Fatal("the table is not protected")
	}
	s, tab := truth.Partial, truth.Table
	at := make([][]int, len(inner)) // cells of the table by row and column
	leaves := tab.Leaves()
	for i, n := 0, 0; i < tab.Len(); i++ {
		if !tab.IsMargin(i, leaves) {
			at[n/len(inner[0])] = append(at[n/len(inner[0])], i)
			n++
		}
	}
	key := slices.Index(tab.Status, table.Sensitive)
	lo, hi = table.PosInf, table.NegInf
	// Values but those of the last row and column, by counting.
	m, n := len(inner)-1, len(inner[0])-1
	var rec func(k int, v [][]int64)
	rec = func(k int, v [][]int64) {
		if k < m*n {
			i := at[k/n][k%n]
			for v[k/n][k%n] = s.Lower[i]; v[k/n][k%n] <= s.Upper[i]; v[k/n][k%n]++ {
				rec(k+1, v)
			}
			return
		}
		for r := range m {
			v[r][n] = sum(inner[r]) - sum(v[r][:n])
		}
		for c := range n + 1 {
			v[m][c] = 0
			for r := range m + 1 {
				v[m][c] += inner[r][c]
			}
			for r := range m {
				v[m][c] -= v[r][c]
			}
		}
		for r := range v {
			for c, x := range v[r] {
				if i := at[r][c]; x < s.Lower[i] || x > s.Upper[i] {
					return
				}
			}
		}
		tables++
		other := run(v)
		if other == nil || !slices.Equal(other.Table.Status, tab.Status) || !slices.Equal(other.Partial.Lower, s.Lower) || !slices.Equal(other.Partial.Upper, s.Upper) {
			return
		}
		same++
		for r := range v {
			for c, x := range v[r] {
				if at[r][c] == key {
					lo, hi = min(lo, x), max(hi, x)
				}
			}
		}
	}
	v := make([][]int64, m+1)
	for r := range v {
		v[r] = make([]int64, n+1)
	}
	rec(0, v)
	return tables, same, lo, hi
}

func sum(v []int64) (s int64) {
	for _, x := range v {
		s += x
	}
	return s
}

// TestIntervalsMatching: who knows the procedure learns from cheapest intervals where the value stands, and nothing from those of a defence.
func TestIntervalsMatching(t *testing.T) {
	t.Parallel()
	inner := [][]int64{{3, 6, 7}, {9, 5, 6}, {6, 7, 8}}
	plain := Policy{Partial: true, Ends: of("ends = 'plain'").Ends}
	tables, same, lo, hi := matched(t, inner, plain)
	t.Logf("cheapest: %d tables, %d match, [%d, %d]", tables, same, lo, hi)
	if same < 1 || same*2 > tables || hi-lo >= 5 {
		t.Errorf("cheapest: %d of %d tables match, in which the cell is in [%d, %d]: the procedure tells nothing, against what is documented", same, tables, lo, hi)
	}
	plain.Defence = "simulatable"
	tables, same, lo, hi = matched(t, inner, plain)
	t.Logf("defence: %d tables, %d match, [%d, %d]", tables, same, lo, hi)
	if same != tables || hi-lo < 5 {
		t.Errorf("defence: %d of %d tables match, in which the cell is in [%d, %d]", same, tables, lo, hi)
	}
}

// Where chance decides, a run without a secret is refused, as the matching attack works on ends that a reader can draw; where nothing is drawn, none is asked for.
func TestDrawsNeedSecret(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p     Policy
		draws bool
	}{
		{Policy{}, false},
		{Policy{Partial: true}, true},
		{Policy{Partial: true, Ends: of("ends = '5'").Ends}, true},
		{Policy{Partial: true, Ends: of("ends = ' plain 5'").Ends}, false},
		{Policy{Partial: true, Defence: "simulatable"}, false},
		{Policy{Defence: "random"}, true},
	} {
		c.p.Below, c.p.Width = 5, level("8")
		in := []Input{{Table: tabletest.CrossTab(t, [][]int64{{3, 16, 17}, {19, 15, 16}, {16, 17, 18}})}}
		if got := c.p.Draws(); got != c.draws {
			t.Errorf("%+v: Draws %v", c.p, got)
		}
		_, err := Run(t.Context(), in, c.p, nil)
		if refused := err != nil && strings.Contains(err.Error(), "a secret"); refused != c.draws || err != nil && !refused {
			t.Errorf("%+v: %v", c.p, err)
		}
		if c.p.Partial && c.draws {
			if _, err := partial.Suppress(t.Context(), in[0].Table, nil); err == nil || !strings.Contains(err.Error(), "a secret") {
				t.Errorf("a library without a secret: %v", err)
			}
		}
	}
}

// Ends have the decimals that the values have: levels and contributions with more of them are no part of the publication.
func TestEndsHaveDecimalsOfValues(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 5))
	seen := 0
	for n := range 40 {
		inner := make([][]int64, 3)
		decimals := n % 2
		unit := table.Pow10(2 - decimals)
		for r := range inner {
			for range 4 {
				inner[r] = append(inner[r], (10+rng.Int64N(90))*unit)
			}
		}
		tab := tabletest.CrossTab(t, inner)
		tab.Decimals = 2
		for i := range tab.Len() {
			if rng.IntN(5) == 0 {
				tab.Status[i], tab.LPL[i], tab.UPL[i] = table.Sensitive, 1+rng.Int64N(4*unit), 1+rng.Int64N(4*unit)
			}
		}
		p := Policy{Partial: true, Margins: margins("publish")}
		switch n % 3 {
		case 0:
			p.Ends.Plain = true
		case 1:
			for i := range tab.Len() { // which a defence has not
				tab.Width[i], tab.LPL[i], tab.UPL[i] = tab.LPL[i]+tab.UPL[i], 0, 0
			}
			p.Defence = "simulatable"
		}
		leaves := tab.Leaves()
		for i := range tab.Len() {
			if tab.IsMargin(i, leaves) {
				tab.Status[i], tab.LPL[i], tab.UPL[i], tab.Width[i] = table.Safe, 0, 0, 0
			}
		}
		r, err := Run(t.Context(), []Input{{Table: tab, CrossTab: true}}, p, &Options{Workers: 1, Secret: func() ([32]byte, error) { return [32]byte{1}, nil }})
		if err != nil {
			t.Logf("%d, %+v: %v", n, p, err)
			continue
		}
		for i, in := range r.Partial.Pattern {
			for _, end := range []int64{r.Partial.Lower[i], r.Partial.Upper[i]} {
				if in && end != table.NegInf && end != table.PosInf {
					if seen++; end%unit != 0 {
						t.Errorf("%d, %+v: %s is published as %d to %d, of values with %d decimals", n, p, tab.CellName(i), r.Partial.Lower[i], r.Partial.Upper[i], decimals)
					}
				}
			}
		}
	}
	if seen < 300 {
		t.Errorf("only %d ends", seen)
	}
}
