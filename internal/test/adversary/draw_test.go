//go:build slow

package adversary

import (
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/hitoku/hitoku/table"
)

// A family draws the cells, values and relations of a table.
type family struct {
	name string
	draw func(rng *rand.Rand, v func() int64) *table.Table
}

var families = []family{
	{"dense ±1", denseUnits},
	{"scaled", scaled},
	{"chain", chain},
	{"graph", graph},
	{"2-D", func(rng *rand.Rand, v func() int64) *table.Table {
		return crossed(rng, v, leaves(2+rng.IntN(3)), leaves(2+rng.IntN(3)))
	}},
	{"3-D", func(rng *rand.Rand, v func() int64) *table.Table {
		return crossed(rng, v, leaves(2), leaves(2+rng.IntN(2)), leaves(2+rng.IntN(2)))
	}},
	{"hierarchy", func(rng *rand.Rand, v func() int64) *table.Table {
		return crossed(rng, v, tree(rng), leaves(1+rng.IntN(3)))
	}},
	{"two hierarchies", func(rng *rand.Rand, v func() int64) *table.Table {
		return crossed(rng, v, tree(rng), tree(rng))
	}},
	{"linked", linked},
	{"layers", layers},
	{"large", func(rng *rand.Rand, v func() int64) *table.Table {
		switch rng.IntN(8) {
		case 0:
			return crossed(rng, v, leaves(3), leaves(3), leaves(3))
		case 1:
			return crossed(rng, v, tree(rng), tree(rng), leaves(2))
		}
		return crossed(rng, v, leaves(2+rng.IntN(5)), leaves(4+rng.IntN(3)))
	}},
}

func init() { families = append(families, family{"redundant", redundant}) }

// drawTable draws table j of a search. It is the same whatever else is drawn.
func drawTable(seed uint64, j int) (*table.Table, family, *rand.Rand) {
	f := families[j%len(families)]
	rng := rand.New(rand.NewPCG(seed, uint64(j)))
	for {
		t := f.draw(rng, magnitude(rng))
		if t == nil || !settle(t) {
			continue
		}
		bounds(t, rng)
		statuses(t, rng)
		levels(t, rng)
		costs(t, rng)
		t.Strict = rng.IntN(6) == 0
		if t.Layers > 1 {
			alike(t)
		}
		t.Name = fmt.Sprintf("%d-%d", seed, j)
		if err := t.Validate(); err != nil {
			panic(fmt.Sprintf("table %d of seed %d: %v", j, seed, err))
		}
		return t, f, rng
	}
}

// magnitude returns a way to draw values.
func magnitude(rng *rand.Rand) func() int64 {
	switch rng.IntN(7) {
	case 0:
		return func() int64 { return rng.Int64N(4) }
	case 1:
		return func() int64 { return 1e12 + rng.Int64N(999e12) }
	case 2: // everything at once
		return func() int64 {
			v := rng.Int64N(10)
			for range rng.IntN(15) {
				v *= 10
			}
			return v
		}
	case 3: // some below 0
		return func() int64 { return rng.Int64N(60) - 15 }
	case 4: // mostly 0
		return func() int64 { return max(0, rng.Int64N(60)-40) }
	}
	return func() int64 { return rng.Int64N(60) }
}

// settle sets the right-hand sides to what the values say; false: they leave the range of the program.
func settle(t *table.Table) bool {
	for _, v := range t.Value {
		if v > 2e16 || v < -2e16 {
			return false
		}
	}
	for j := range t.Rel.Len() {
		sum := new(big.Int)
		cells, coef := t.Rel.Row(j)
		for s, i := range cells {
			sum.Add(sum, new(big.Int).Mul(big.NewInt(int64(coef[s])), big.NewInt(t.Value[i])))
		}
		if sum.BitLen() > 60 {
			return false
		}
		t.Rel.RHS[j] = sum.Int64()
	}
	return true
}

// relate adds a relation of some cells, coefficients drawn until they are not 0.
func relate(t *table.Table, rng *rand.Rand, terms int, coef func() int32) {
	var cells, coefs []int32
	for _, i := range rng.Perm(t.Len())[:min(terms, t.Len())] {
		c := int32(0)
		for c == 0 {
			c = coef()
		}
		cells, coefs = append(cells, int32(i)), append(coefs, c)
	}
	t.Rel.Add(cells, coefs, 0)
	settle(t)
}

func fill(t *table.Table, v func() int64) *table.Table {
	for i := range t.Value {
		t.Value[i] = v()
	}
	return t
}

// sign draws ±1.
func sign(rng *rand.Rand) int32 { return int32(1 - 2*rng.IntN(2)) }

// denseUnits has relations of half the cells and more with coefficients ±1, whose determinants soon have many digits.
func denseUnits(rng *rand.Rand, v func() int64) *table.Table {
	n := 3 + rng.IntN(9)
	if rng.IntN(12) == 0 {
		n = 14 + rng.IntN(8)
	}
	t := fill(blank(n), v)
	share := 0.4 + 0.6*rng.Float64()
	for range 1 + rng.IntN(max(1, 2*n/3)) {
		relate(t, rng, max(2, int(share*float64(n))), func() int32 { return sign(rng) })
	}
	return t
}

// scaled has coefficients of all sizes, and rows that are multiples.
func scaled(rng *rand.Rand, v func() int64) *table.Table {
	n := 2 + rng.IntN(9)
	t := fill(blank(n), v)
	size := []int{3, 9, 30, 1000, 30000}[rng.IntN(5)]
	for range 1 + rng.IntN(max(1, n-1)) {
		row := int32(1)
		if rng.IntN(3) == 0 {
			row = int32(1 + rng.IntN(50))
		}
		relate(t, rng, 2+rng.IntN(4), func() int32 { return row * sign(rng) * int32(1+rng.IntN(size)) })
	}
	return t
}

// chain ties each cell to the next by two primes, so that the last moves by a fraction of long terms.
func chain(rng *rand.Rand, v func() int64) *table.Table {
	primes := [][]int32{{2, 3, 5, 7, 11, 13}, {29, 31, 37, 41, 43, 47}, {97, 101, 103, 107, 109, 113}, {997, 1009, 1013, 1019, 1021, 1031}}[rng.IntN(4)]
	n := 3 + rng.IntN(12)
	t := fill(blank(n), v)
	for i := range n - 1 {
		cells := []int32{int32(i), int32(i + 1)}
		coefs := []int32{primes[rng.IntN(6)], -primes[rng.IntN(6)]}
		if i+2 < n && rng.IntN(3) == 0 {
			cells, coefs = append(cells, int32(i+2)), append(coefs, sign(rng)*primes[rng.IntN(6)])
		}
		t.Rel.Add(cells, coefs, 0)
	}
	return t
}

// graph is a network that is no table: cells are arcs between a few nodes, parallel ones too.
func graph(rng *rand.Rand, v func() int64) *table.Table {
	n, nodes := 3+rng.IntN(10), 2+rng.IntN(5)
	t := fill(blank(n), v)
	cells, coefs := make([][]int32, nodes), make([][]int32, nodes)
	for i := range n {
		a := rng.IntN(nodes)
		b := (a + 1 + rng.IntN(nodes-1)) % nodes
		cells[a], coefs[a] = append(cells[a], int32(i)), append(coefs[a], 1)
		cells[b], coefs[b] = append(cells[b], int32(i)), append(coefs[b], -1)
	}
	for a := range nodes {
		if len(cells[a]) > 0 {
			t.Rel.Add(cells[a], coefs[a], 0)
		}
	}
	return t
}

// A variable of a table by its codes: parent[c] < c, and −1 for the total.
type variable []int

func leaves(n int) variable {
	v := variable{-1}
	for range n {
		v = append(v, 0)
	}
	return v
}

// tree draws groups and their members; some groups have a single one.
func tree(rng *rand.Rand) variable {
	v := variable{-1}
	for range 2 + rng.IntN(2) {
		g := len(v)
		v = append(v, 0)
		for range rng.IntN(4) {
			v = append(v, g)
		}
	}
	return v
}

func (v variable) children(c int) (of []int) {
	for d, p := range v {
		if p == c {
			of = append(of, d)
		}
	}
	return of
}

// crossed is the table of some variables with all margins.
func crossed(rng *rand.Rand, v func() int64, vars ...variable) *table.Table {
	n := 1
	for _, x := range vars {
		n *= len(x)
	}
	t := blank(n)
	set := make([]bool, n)
	var value func(i int) int64
	value = func(i int) int64 {
		if set[i] {
			return t.Value[i]
		}
		set[i] = true
		step := 1
		for _, x := range vars {
			c := i / step % len(x)
			if of := x.children(c); of != nil {
				for _, d := range of {
					t.Value[i] += value(i + (d-c)*step)
				}
				return t.Value[i]
			}
			step *= len(x)
		}
		if rng.IntN(5) > 0 {
			t.Value[i] = v()
		}
		return t.Value[i]
	}
	for i := range n {
		value(i)
	}
	step := 1
	for _, x := range vars {
		for i := range n {
			c := i / step % len(x)
			of := x.children(c)
			if of == nil {
				continue
			}
			cells, coefs := []int32{int32(i)}, []int32{-1}
			for _, d := range of {
				cells, coefs = append(cells, int32(i+(d-c)*step)), append(coefs, 1)
			}
			t.Rel.Add(cells, coefs, 0)
		}
		step *= len(x)
	}
	return t
}

// linked joins two tables of one response: the margin of the first over its last variable is part of both.
func linked(rng *rand.Rand, v func() int64) *table.Table {
	a, b := 2+rng.IntN(2), 2+rng.IntN(2)
	one := crossed(rng, v, leaves(a), leaves(b))
	two := crossed(rng, func() int64 { return 0 }, leaves(a), leaves(2))
	// Cells c of two with the last code "total" are the cells c of one with it: the first a+1 of both.
	for i := range a + 1 {
		two.Value[i] = one.Value[i]
	}
	// The other cells share what those have: code 1 gets a part, code 2 the rest.
	for i := 1; i <= a; i++ {
		part := int64(0)
		if w := two.Value[i]; w > 0 {
			part = rng.Int64N(w + 1)
		}
		two.Value[a+1+i], two.Value[2*(a+1)+i] = part, two.Value[i]-part
		two.Value[a+1] += part
		two.Value[2*(a+1)] += two.Value[i] - part
	}
	n := one.Len() + two.Len() - (a + 1)
	t := blank(n)
	copy(t.Value, one.Value)
	copy(t.Value[one.Len():], two.Value[a+1:])
	for j := range one.Rel.Len() {
		cells, coef := one.Rel.Row(j)
		t.Rel.Add(cells, coef, 0)
	}
	for j := range two.Rel.Len() {
		cells, coef := two.Rel.Row(j)
		moved := make([]int32, len(cells))
		for s, i := range cells {
			if moved[s] = i; int(i) > a {
				moved[s] = int32(one.Len()) + i - int32(a+1)
			}
		}
		t.Rel.Add(moved, coef, 0)
	}
	return t
}

// layers stacks two or three responses with the same relations.
func layers(rng *rand.Rand, v func() int64) *table.Table {
	k := 2 + rng.IntN(2)
	x, y := leaves(2), leaves(2+rng.IntN(2))
	first := crossed(rng, v, x, y)
	n := first.Len()
	t := blank(k * n)
	t.Layers, t.Rel = k, first.Rel.Repeat(k)
	copy(t.Value, first.Value)
	for l := 1; l < k; l++ {
		copy(t.Value[l*n:], crossed(rng, v, x, y).Value)
	}
	return t
}

// alike gives all copies of a cell the status and level of being withheld that one has.
func alike(t *table.Table) {
	n := t.Len() / t.Layers
	for i := range n {
		in := false
		for k := i; k < t.Len(); k += n {
			in = in || t.Status[k] == table.Sensitive || t.Status[k] == table.Withheld
		}
		for k := i; k < t.Len(); k += n {
			switch {
			case t.Status[k] == table.Sensitive:
			case in:
				t.Status[k] = table.Withheld
			default:
				t.Status[k] = t.Status[i]
			}
		}
	}
}

// redundant adds sums, multiples and copies of relations to those of another family.
func redundant(rng *rand.Rand, v func() int64) *table.Table {
	f := families[rng.IntN(7)]
	t := f.draw(rng, v)
	if t == nil {
		return nil
	}
	for range 1 + rng.IntN(3) {
		sum := make(map[int32]int64)
		for range 1 + rng.IntN(3) {
			by := int64(1+rng.IntN(3)) * int64(sign(rng))
			cells, coef := t.Rel.Row(rng.IntN(t.Rel.Len()))
			for s, i := range cells {
				sum[i] += by * int64(coef[s])
			}
		}
		var cells, coefs []int32
		for i := range int32(t.Len()) {
			if c := sum[i]; c != 0 && c < 1<<30 && c > -1<<30 {
				cells, coefs = append(cells, i), append(coefs, int32(c))
			}
		}
		if len(cells) > 0 {
			t.Rel.Add(cells, coefs, 0)
		}
	}
	return t
}
