package partial

import (
	"math/big"

	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// Given returns intervals chosen by somebody else in the form of Suppress: lower and upper for the cells of pattern,
// with ends rounded outward as opt says. Nothing is searched or proved: Bound is 0, and Optimum and Rounded equal Cost,
// that of the finite ends.
func Given(t *table.Table, pattern []bool, lower, upper []int64, opt *Options) *Solution {
	p := newProblem(t, opt)
	s := &Solution{Status: solver.Feasible, Pattern: pattern, Lower: make([]int64, t.Len()), Upper: make([]int64, t.Len()), Bound: new(big.Rat)}
	sum := new(big.Int)
	for i, in := range pattern {
		s.Lower[i], s.Upper[i] = t.Value[i], t.Value[i]
		if !in {
			continue
		}
		s.Intervals++
		if s.Lower[i] = lower[i]; lower[i] != table.NegInf {
			s.Lower[i] = max(opt.Ends.below(lower[i]), t.Lower[i])
		}
		if s.Upper[i] = upper[i]; upper[i] != table.PosInf {
			s.Upper[i] = min(opt.Ends.above(upper[i]), t.Upper[i])
		}
		w := p.weigh(i, opt.Absolute)
		for _, y := range [2]int64{s.Upper[i] - t.Value[i], t.Value[i] - s.Lower[i]} {
			if s.Lower[i] != table.NegInf && s.Upper[i] != table.PosInf {
				sum.Add(sum, new(big.Int).Mul(w, big.NewInt(y)))
			}
		}
	}
	s.Cost = p.rat(sum, 1)
	s.Optimum, s.Rounded = s.Cost, s.Cost
	return s
}
