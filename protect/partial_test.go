package protect

import (
	"context"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/tabletest"
	"github.com/hitoku/hitoku/interval"
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
		tab.Status[key], tab.SPL[key] = table.Sensitive, 5 // the first inner cell, whatever its value: that is public
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
	plain := Policy{Partial: true}
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
