package stranger

import (
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
)

// An Equation says that Σ Coef·x over the unknown numbers Var has a known value.
type Equation struct{ Var, Coef []int32 }

// mostSteps bounds an elimination to about a second.
const mostSteps = 100_000_000

// Open reports which of n unknown numbers the equations leave open; all others follow from them. It takes a
// random point of the solutions of the homogeneous equations modulo a prime of 61 bits: there, a number that
// follows is 0, and any other one is so only with probability 2^−61. ok is false if the elimination would take
// too long. The cost is the fill of the elimination.
func Open(n int, equations []Equation) (open []bool, ok bool) {
	const p = num.Mersenne
	type term struct {
		v int32
		c uint64
	}
	var pivots [][]term // the first term is the basic number, with coefficient 1
	basic := slices.Repeat([]int{-1}, n)
	row := make([]uint64, n)
	in := make([]bool, n)
	steps := 0
	for _, e := range equations {
		var list []int32
		add := func(v int32, c uint64) {
			if !in[v] {
				in[v] = true
				list = append(list, v)
			}
			row[v] = p.Add(row[v], c)
			steps++
		}
		for t, v := range e.Var {
			add(v, p.Of(int64(e.Coef[t])))
		}
		for { // a row of pivots may contain numbers that became basic later; the earliest is eliminated first
			first := int32(-1)
			for _, v := range list {
				steps++
				if row[v] != 0 && basic[v] >= 0 && (first < 0 || basic[v] < basic[first]) {
					first = v
				}
			}
			if first < 0 || steps > mostSteps {
				break
			}
			by := p.Sub(0, row[first])
			for _, x := range pivots[basic[first]] {
				add(x.v, p.Mul(by, x.c))
			}
		}
		var left []term
		for _, v := range list {
			if row[v] != 0 {
				left = append(left, term{v, row[v]})
			}
			row[v], in[v] = 0, false
		}
		if steps > mostSteps {
			return nil, false
		}
		if len(left) == 0 {
			continue
		}
		inverse := p.Inverse(left[0].c)
		for t := range left {
			left[t].c = p.Mul(left[t].c, inverse)
		}
		basic[left[0].v] = len(pivots)
		pivots = append(pivots, left)
	}
	z := make([]uint64, n)
	for i := range z {
		if basic[i] < 0 {
			z[i] = num.Mix(uint64(i)+1) % uint64(p)
		}
	}
	for k := len(pivots) - 1; k >= 0; k-- {
		var sum uint64
		for _, x := range pivots[k][1:] {
			sum = p.Add(sum, p.Mul(x.c, z[x.v]))
		}
		z[pivots[k][0].v] = p.Sub(0, sum)
	}
	open = make([]bool, n)
	for i := range z {
		open[i] = z[i] != 0
	}
	return open, true
}
