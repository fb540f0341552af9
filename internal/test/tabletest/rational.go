package tabletest

import (
	"math/big"

	"github.com/hitoku/hitoku/internal/sets"
)

// Zeros returns n zeros.
func Zeros(n int) []*big.Rat {
	return sets.List(n, func(_ int) *big.Rat { return new(big.Rat) })
}

// Reduce brings the first n columns of a matrix into reduced row echelon form over the rationals, in place. It
// returns the columns of the pivots; pivots[r] is that of rows[r].
func Reduce(rows [][]*big.Rat, n int) (pivots []int) {
	for c := 0; c < n && len(pivots) < len(rows); c++ {
		r := len(pivots)
		p := r
		for p < len(rows) && rows[p][c].Sign() == 0 {
			p++
		}
		if p == len(rows) {
			continue
		}
		rows[r], rows[p] = rows[p], rows[r]
		inv := new(big.Rat).Inv(rows[r][c])
		for _, x := range rows[r] {
			if x.Sign() != 0 {
				x.Mul(x, inv)
			}
		}
		for o := range rows {
			if o == r || rows[o][c].Sign() == 0 {
				continue
			}
			f, product := new(big.Rat).Set(rows[o][c]), new(big.Rat)
			for q, x := range rows[r] {
				if x.Sign() != 0 {
					rows[o][q].Sub(rows[o][q], product.Mul(f, x))
				}
			}
		}
		pivots = append(pivots, c)
	}
	return pivots
}
