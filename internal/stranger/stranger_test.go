package stranger

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// sheets reads sheets of fields: rows by lines, fields by bars, sheets by a line of dashes.
func sheets(text string) (all []Sheet) {
	for one := range strings.SplitSeq(text, "---\n") {
		var s Sheet
		for row := range strings.Lines(one) {
			s = append(s, strings.Split(strings.TrimSuffix(row, "\n"), "|"))
		}
		all = append(all, s)
	}
	return all
}

func TestRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"1,234": "1234", "1.234": "1.234", "1.234,5": "1234.5", "1 234": "1234", "1 200,0": "1200", "12,5": "12.5", "0,123": "0.123", "1.234.567": "1234567",
		"２１": "21", "▲3": "-3", "(3": "-3", "−4": "-4", "80所": "80", "2※": "2", "2注1": "2", "p2": "2", "2 1)": "2", "8.800000000000001": "8.8",
		"5～9人": "", "1 – 9": "", "250 und mehr": "", "x": "", "": "", "令和5年": "5", "Fußnote 3": "",
	} {
		got := ""
		if n := read(text); n.ok {
			got = fmt.Sprint(n.v)
		}
		if n := read(text); n.ok && n.v >= 1e6 {
			got = fmt.Sprintf("%.0f", n.v)
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestFind withholds 2:B of files, whose copies lose nothing else unless said.
func TestFind(t *testing.T) {
	t.Parallel()
	const table = "area|a|b|all\nall|40|33|73\nnorth|17|2|19\nmiddle|12|20|32\nsouth|11|11|22\n"
	secret := map[Place]bool{{0, 2, 2}: true}
	for name, c := range map[string]struct {
		before      string
		lost        []Place
		facts, told bool
	}{
		"its sums":             {table, nil, true, false},
		"share of the row":     {"area|a|b|all|b %\nall|40|33|73|45.2\nnorth|17|2|19|10.5\nmiddle|12|20|32|62.5\nsouth|11|11|22|50.0\n", nil, true, true},
		"share that is taken":  {"area|a|b|all|b %\nall|40|33|73|45.2\nnorth|17|2|19|x\nmiddle|12|20|32|62.5\nsouth|11|11|22|50.0\n", []Place{{0, 2, 4}}, true, false},
		"share of the column":  {"area|a|b|all|b %\nall|40|33|73|100\nnorth|17|2|19|6.1\nmiddle|12|20|32|60.6\nsouth|11|11|22|33.3\n", nil, true, true},
		"a sheet in any order": {table + "---\nShares||\narea|b\nsouth|50.000\nmiddle|62.500\nnorth|10.526\nall|45.205\n", nil, true, true},
		"change":               {"area|a|b|%\nall|40|33|-17.5\nnorth|17|2|-88.2\nmiddle|12|20|66.7\nsouth|11|11|0.0\n", nil, false, true},
		"a column again":       {table + "---\narea|b\nall|33\nnorth|2\nmiddle|20\nsouth|11\n", nil, true, false},
		"total less diagonal":  {"place of work|north|middle|south\nnorth|23|17|4\nmiddle|9|40|6\nsouth|2|5|31\nemployed|50|80|61\nfrom elsewhere|27|40|30\n", nil, true, false},
		"nothing":              {"area|a|b|c\nall|40|33|907\nnorth|17|2|313\nmiddle|12|20|87\nsouth|11|11|507\n", nil, true, false},
	} {
		before := sheets(c.before)
		after := sheets(c.before)
		for at := range secret {
			after[at.Sheet][at.Row][at.Col] = "x"
		}
		for _, at := range c.lost {
			after[at.Sheet][at.Row][at.Col] = "x"
			if before[at.Sheet][at.Row][at.Col] == "x" {
				before[at.Sheet][at.Row][at.Col] = "10.5"
			}
		}
		facts, told, complete := Find(before, after, secret, nil)
		if len(facts) > 0 != c.facts || len(told) > 0 != c.told || !complete {
			t.Errorf("%s: %v, told %v, complete %v", name, facts, told, complete)
		}
	}
}

// TestOpen asks the same of equations and of the ranks that say it: a number follows if an equation that names it alone adds no rank.
// TestOnes withholds a row of ones below years that stand on two sheets: that the years are each other, divided by it, is by chance.
func TestOnes(t *testing.T) {
	t.Parallel()
	const text = "age|2018|2019\nall|306|139\nyoung|62|33\n---\nage|2018|2019\nall|87|22\nyoung|%s|%s\n"
	secret := map[Place]bool{{1, 2, 1}: true, {1, 2, 2}: true}
	if _, told, _ := Find(sheets(fmt.Sprintf(text, "1", "1")), sheets(fmt.Sprintf(text, "x", "x")), secret, nil); len(told) > 0 {
		t.Errorf("told %v, want nothing", told)
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(t, "n")
		var all []Equation
		for range rapid.IntRange(0, 7).Draw(t, "equations") {
			var e Equation
			for v := range n {
				if c := rapid.Int32Range(-2, 2).Draw(t, "coef"); c != 0 {
					e.Var, e.Coef = append(e.Var, int32(v)), append(e.Coef, c)
				}
			}
			all = append(all, e)
		}
		open, ok := Open(n, all)
		if !ok {
			t.Fatal("not decided")
		}
		r := rank(n, all)
		for v := range n {
			if follows := rank(n, append(slices.Clone(all), Equation{[]int32{int32(v)}, []int32{1}})) == r; follows == open[v] {
				t.Fatalf("%v: number %d open %v", all, v, open[v])
			}
		}
	})
}

// rank is the rank of equations, by fractions.
func rank(n int, equations []Equation) (r int) {
	var m [][]*big.Rat
	for _, e := range equations {
		row := make([]*big.Rat, n)
		for i := range row {
			row[i] = new(big.Rat)
		}
		for t, v := range e.Var {
			row[v].SetInt64(int64(e.Coef[t]))
		}
		m = append(m, row)
	}
	for c := range n {
		k := slices.IndexFunc(m[r:], func(row []*big.Rat) bool { return row[c].Sign() != 0 })
		if k < 0 {
			continue
		}
		m[r], m[r+k] = m[r+k], m[r]
		for i := r + 1; i < len(m); i++ {
			by := new(big.Rat).Quo(m[i][c], m[r][c])
			for j := range n {
				m[i][j].Sub(m[i][j], new(big.Rat).Mul(by, m[r][j]))
			}
		}
		r++
	}
	return r
}
