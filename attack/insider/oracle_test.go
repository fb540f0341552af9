package insider

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/table"
)

// kernelBasis returns a basis of {z : M_S z = 0, z_q = 0 for the cells fixed} by
// elimination over the rationals: basis[f][i] over all cells of the table.
func kernelBasis(t *table.Table, withheld, fixed []bool) [][]*big.Rat {
	n := t.Len()
	var rows [][]*big.Rat
	for j := range t.Rel.Len() {
		row := tabletest.Zeros(n)
		cell, coef := t.Rel.Row(j)
		for s, i := range cell {
			row[i].Add(row[i], big.NewRat(int64(coef[s]), 1))
		}
		rows = append(rows, row)
	}
	for i := range n {
		if !withheld[i] || fixed[i] {
			row := tabletest.Zeros(n)
			row[i].SetInt64(1)
			rows = append(rows, row)
		}
	}
	pivot := tabletest.Reduce(rows, n)
	var basis [][]*big.Rat
	for c := range n {
		if slices.Contains(pivot, c) {
			continue
		}
		z := tabletest.Zeros(n)
		z[c].SetInt64(1)
		for row, p := range pivot {
			z[p].Neg(rows[row][c])
		}
		basis = append(basis, z)
	}
	return basis
}

// farthest maximises sign·z_k over the span of basis within the bounds of t by a
// dense tableau simplex over the rationals with Bland's rule; nil means +∞. z = 0 is a
// vertex of z = Σ (u_f − v_f) basis_f, u, v ≥ 0, so no first phase is needed.
func farthest(t *table.Table, basis [][]*big.Rat, k, sign int) *big.Rat {
	d := len(basis)
	var rows [][]*big.Rat // 2d variables, slacks, right-hand side
	var rhs []*big.Rat
	add := func(i, side int, room int64) {
		row := tabletest.Zeros(2 * d)
		for f := range basis {
			row[f].Mul(basis[f][i], big.NewRat(int64(side), 1))
			row[d+f].Neg(row[f])
		}
		rows, rhs = append(rows, row), append(rhs, big.NewRat(room, 1))
	}
	for i := range t.Len() {
		if !slices.ContainsFunc(basis, func(z []*big.Rat) bool { return z[i].Sign() != 0 }) {
			continue // stays where it is
		}
		if t.Upper[i] != table.PosInf {
			add(i, 1, t.Upper[i]-t.Value[i])
		}
		if t.Lower[i] != table.NegInf {
			add(i, -1, t.Value[i]-t.Lower[i])
		}
	}
	m := len(rows)
	width := 2*d + m
	base := make([]int, m)
	for r := range rows {
		slack := tabletest.Zeros(m)
		slack[r].SetInt64(1)
		rows[r] = append(append(rows[r], slack...), rhs[r])
		base[r] = 2*d + r
	}
	gain := tabletest.Zeros(width + 1)
	for f := range basis {
		gain[f].Mul(basis[f][k], big.NewRat(int64(sign), 1))
		gain[d+f].Neg(gain[f])
	}
	for {
		in := 0
		for in < width && gain[in].Sign() <= 0 {
			in++
		}
		if in == width {
			return new(big.Rat).Neg(gain[width])
		}
		out := -1
		var least *big.Rat
		for r := range rows {
			if rows[r][in].Sign() <= 0 {
				continue
			}
			ratio := new(big.Rat).Quo(rows[r][width], rows[r][in])
			if out < 0 || ratio.Cmp(least) < 0 || ratio.Cmp(least) == 0 && base[r] < base[out] {
				out, least = r, ratio
			}
		}
		if out < 0 {
			return nil
		}
		inv := new(big.Rat).Inv(rows[out][in])
		for _, x := range rows[out] {
			if x.Sign() != 0 {
				x.Mul(x, inv)
			}
		}
		clear := func(row []*big.Rat) {
			if row[in].Sign() == 0 {
				return
			}
			f := new(big.Rat).Set(row[in])
			for c := range row {
				if rows[out][c].Sign() != 0 {
					row[c].Sub(row[c], new(big.Rat).Mul(f, rows[out][c]))
				}
			}
		}
		for r := range rows {
			if r != out {
				clear(rows[r])
			}
		}
		clear(gain)
		base[out] = in
	}
}

// oracle tries every coalition of up to m of the people, smallest first, on every
// sensitive cell, and keeps the minimal exposures.
func brute(t *table.Table, withheld []bool, people [][]int, m int) []Exposure {
	values := true
	for i, w := range withheld {
		values = values && (!w || t.Known(i))
	}
	type seen struct {
		members []int
		cell    int
		rank    int
	}
	var before []seen
	var found []Exposure
	look := func(members []int) {
		fixed := make([]bool, t.Len())
		for _, p := range members {
			for _, i := range people[p] {
				fixed[i] = true
			}
		}
		basis := kernelBasis(t, withheld, fixed)
		for k := range t.Len() {
			if t.Status[k] != table.Sensitive || !withheld[k] || fixed[k] {
				continue
			}
			x := Exposure{Members: members, Cell: k, Known: values, Relations: true}
			for _, z := range basis {
				x.Relations = x.Relations && z[k].Sign() == 0
			}
			rank := 0
			if values {
				a := big.NewRat(t.Value[k], 1)
				up, dn := farthest(t, basis, k, 1), farthest(t, basis, k, -1)
				far := big.NewRat(1<<60, 1)
				if up != nil {
					x.Hi = new(big.Rat).Add(a, up)
				} else {
					up = far
				}
				if dn != nil {
					x.Lo = new(big.Rat).Sub(a, dn)
				} else {
					dn = far
				}
				w := new(big.Rat).Add(up, dn)
				c := w.Cmp(big.NewRat(t.Width[k], 1))
				if up.Cmp(big.NewRat(t.UPL[k], 1)) < 0 || dn.Cmp(big.NewRat(t.LPL[k], 1)) < 0 || c < 0 || t.Strict && c == 0 {
					rank = 1
				}
				if x.Disclosed = w.Sign() == 0; x.Disclosed {
					rank = 2
				}
			} else if x.Disclosed = x.Relations; x.Disclosed {
				rank = 2
			}
			worse := rank > 0
			for _, b := range before {
				worse = worse && !(b.cell == k && b.rank >= rank && subset(b.members, members))
			}
			if worse {
				before = append(before, seen{members, k, rank})
				if len(members) > 0 {
					found = append(found, x)
				}
			}
		}
	}
	var choose func(chosen []int, from, size int)
	choose = func(chosen []int, from, size int) {
		if size == 0 {
			look(append([]int(nil), chosen...))
			return
		}
		for p := from; p < len(people); p++ {
			choose(append(chosen, p), p+1, size-1)
		}
	}
	for size := 0; size <= m; size++ {
		choose(nil, 0, size)
	}
	return found
}

func subset(a, b []int) bool {
	in := make(map[int]bool)
	for _, x := range b {
		in[x] = true
	}
	for _, x := range a {
		if !in[x] {
			return false
		}
	}
	return true
}

// insiderShapes are the dimensions of drawn tables.
var insiderShapes = [][][]table.Edge{
	{flatEdges(3), flatEdges(3)},
	{flatEdges(4), flatEdges(4)},
	{flatEdges(3), flatEdges(5)},
	{flatEdges(2), flatEdges(2), flatEdges(3)},
	{flatEdges(3), flatEdges(3), flatEdges(2)},
	{treeEdges(), flatEdges(3)},
	{treeEdges(), treeEdges()},
}

func flatEdges(n int) []table.Edge {
	var e []table.Edge
	for i := range n {
		e = append(e, table.Edge{Code: strconv.Itoa(i), Parent: "T"})
	}
	return e
}

// treeEdges is a total of two groups of two.
func treeEdges() []table.Edge {
	var e []table.Edge
	for g := range 2 {
		group := "g" + strconv.Itoa(g)
		e = append(e, table.Edge{Code: group, Parent: "T"})
		for i := range 2 {
			e = append(e, table.Edge{Code: group + strconv.Itoa(i), Parent: group})
		}
	}
	return e
}

// drawInsiders draws a table with frequencies, its withheld cells, and levels.
func drawInsiders(rng *rand.Rand, shape [][]table.Edge) (*table.Table, []bool) {
	dims := make([]table.Dimension, len(shape))
	for d, e := range shape {
		var err error
		if dims[d], err = table.NewDimension("d"+strconv.Itoa(d), "T", e); err != nil {
			panic(err)
		}
	}
	var records []table.Record
	tabletest.Cells(dims, func(codes []string) {
		f := rng.Int64N(4)
		v := int64(0)
		if f > 0 {
			v = 1 + rng.Int64N(20)
		}
		records = append(records, table.Record{Codes: codes, Value: table.Num(v, 0), Freq: table.Num(f, 0)})
	})
	t, err := table.Build("drawn", dims, records, false)
	if err != nil {
		panic(err)
	}
	withheld := make([]bool, t.Len())
	share := 0.5 + 0.45*rng.Float64()
	margins := rng.IntN(2) == 0
	for i := range withheld {
		if !margins && t.IsMargin(i, t.Leaves()) || rng.Float64() > share {
			continue
		}
		withheld[i] = true
		t.Status[i] = table.Withheld
		if t.Freq[i] == 1 || t.Freq[i] == 2 || rng.IntN(4) == 0 {
			t.Status[i] = table.Sensitive
			switch rng.IntN(4) {
			case 0:
				t.Width[i] = 1 + rng.Int64N(30)
			case 1:
				t.LPL[i], t.UPL[i] = min(t.Value[i], rng.Int64N(8)), rng.Int64N(8)
			case 2:
				t.LPL[i], t.UPL[i], t.Width[i] = min(t.Value[i], rng.Int64N(3)), rng.Int64N(3), rng.Int64N(7)
			}
		}
	}
	switch rng.IntN(4) {
	case 0:
		for i := range withheld {
			t.Lower[i], t.Upper[i] = t.Value[i]/2, 2*t.Value[i]+3
		}
	case 1:
		for i := range withheld {
			t.Lower[i] = table.NegInf
		}
	}
	t.Strict = rng.IntN(4) == 0
	return t, withheld
}

// publish forgets the withheld values.
func publish(t *table.Table, withheld []bool) *table.Table {
	c := t.Clone()
	c.Missing = make([]bool, t.Len())
	for i, w := range withheld {
		if w {
			c.Missing[i], c.Value[i] = true, 0
		}
	}
	return c
}
