package certificate

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/table"
)

// A row of a bottleneck holds for every pattern under which a table proves its level: tables are drawn two at a time, with bounds that
// allow the one for the other and levels that it just meets; duals and relations to lean on are any.
func TestBottleneckHolds(t *testing.T) {
	rows, other := 0, 0
	for tries := 0; tries < 20 && (rows < 40 || other < 20); tries++ { // few are drawn under -short
		bottlenecks(t, &rows, &other)
	}
	if rows < 40 || other < 20 {
		t.Errorf("%d rows put to the test, %d unlike those without relations", rows, other)
	}
}

// bottlenecks counts the rows put to the test.
func bottlenecks(t *testing.T, rows, other *int) {
	rapid.Check(t, func(t *rapid.T) {
		p, z, k := drawMoved(t)
		b := newBook(p)
		var level Level
		dual := func() *Dual {
			d := &Dual{Cell: k, Den: rapid.Int64Range(1, 3).Draw(t, "den")}
			for range rapid.IntRange(0, 3).Draw(t, "relations") {
				d.Rel = append(d.Rel, int32(rapid.IntRange(0, p.t.Rel.Len()-1).Draw(t, "relation")))
				d.Mult = append(d.Mult, rapid.Int64Range(-2, 2).Draw(t, "multiplier"))
			}
			return d
		}
		switch { // what z shows of k
		case p.t.UPL[k] > 0:
			level.Up = dual()
		case p.t.LPL[k] > 0:
			level.Down = dual()
		default:
			level.Up, level.Down = dual(), dual()
		}
		c := &Bottleneck{Level: level}
		for j := range int32(p.t.Rel.Len()) {
			cell, _ := p.t.Rel.Row(int(j))
			for _, h := range cell {
				if rapid.IntRange(0, 4).Draw(t, "lean") == 0 {
					c.Lines = append(c.Lines, Line{rapid.Bool().Draw(t, "down"), h, j})
				}
			}
		}
		r, err := b.derive(c)
		for _, s := range b.sum {
			if !s.IsZero() {
				t.Fatal("sums are left")
			}
		}
		if err != nil {
			return
		}
		*rows++
		if plain, err := b.derive(&level); err != nil || len(plain.idx) != len(r.idx) {
			*other++
		}
		x := uint(0)
		for i, v := range z {
			if v != 0 {
				x |= 1 << (i % p.m)
			}
		}
		if !r.holds(x) {
			t.Fatalf("%v·x%v ≥ %d fails although z = %v meets the level of cell %d", r.coef, r.idx, r.rhs, z, k)
		}
	})
}

// drawMoved draws a problem and a z of the kernel within its bounds that just meets the level of the sensitive cell k, or, for a width, with
// its negative.
func drawMoved(t *rapid.T) (p *problem, z []int64, k int32) {
	dims := make([]table.Dimension, 3)
	for d := range dims {
		edges := []table.Edge{{Code: "a", Parent: "T"}, {Code: "b", Parent: "T"}}
		dims[d], _ = table.NewDimension("d"+strconv.Itoa(d), "T", edges)
	}
	draw := func() *table.Table {
		var records []table.Record
		tabletest.Cells(dims, func(codes []string) {
			v := max(0, rapid.Int64Range(-5, 9).Draw(t, "value"))
			records = append(records, table.Record{Codes: codes, Value: table.Num(v, 0)})
		})
		tab, err := table.Build("drawn", dims, records, true)
		if err != nil {
			t.Fatal(err)
		}
		return tab
	}
	tab, moved := draw(), draw()
	n := tab.Len()
	z = make([]int64, n)
	for i := range z {
		z[i] = moved.Value[i] - tab.Value[i]
	}
	if i, j := rapid.IntRange(0, n-1).Draw(t, "one"), rapid.IntRange(0, n-1).Draw(t, "two"); i != j && z[i] != 0 && z[j] != 0 {
		// A relation with other coefficients that z keeps, too.
		rel := table.NewRelations(n)
		for r := range tab.Rel.Len() {
			cell, coef := tab.Rel.Row(r)
			rel.Add(cell, coef, tab.Rel.RHS[r])
		}
		rel.Add([]int32{int32(i), int32(j)}, []int32{int32(z[j]), int32(-z[i])}, z[j]*tab.Value[i]-z[i]*tab.Value[j])
		tab.Rel = rel
	}
	both := rapid.IntRange(0, 2).Draw(t, "both") == 0 // z and −z are within the bounds
	for i, v := range z {
		up, dn := max(v, 0), max(-v, 0)
		if both {
			up, dn = max(v, -v), max(v, -v)
		}
		slack := rapid.Int64Range(0, 4)
		tab.Upper[i], tab.Lower[i] = tab.Value[i]+up+slack.Draw(t, "up"), tab.Value[i]-dn-slack.Draw(t, "down")
		if rapid.IntRange(0, 9).Draw(t, "unbounded") == 0 {
			tab.Upper[i] = table.PosInf
		}
		if v != 0 {
			k = int32(i)
		}
		switch rapid.IntRange(0, 9).Draw(t, "status") {
		case 0:
			tab.Status[i] = table.Withheld
		case 1:
			if v == 0 {
				tab.Status[i] = table.Published
			}
		}
	}
	if z[k] == 0 {
		t.Skip("the tables are the same")
	}
	tab.Status[k] = table.Sensitive
	switch {
	case both:
		tab.Width[k] = 2 * max(z[k], -z[k])
	case z[k] > 0:
		tab.UPL[k] = z[k]
	default:
		tab.LPL[k] = -z[k]
	}
	p, err := newProblem(tab)
	if err != nil {
		t.Fatal(err)
	}
	return p, z, k
}
