package table

import (
	"math/big"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// A Measure is a linear sensitivity measure (Cox, Linear sensitivity measures in statistical disclosure control,
// Journal of Statistical Planning and Inference 5, 1981; the arbitrary rule of G-Confid): a cell is sensitive if
//
//	S = w_1·x_1 + … + w_{m−1}·x_{m−1} + w_m·(X − x_1 − … − x_{m−1}) > 0 .
//
// The weights must not increase, the first must be positive and the last negative. Then S(A ∪ B) ≤ S(A) + S(B), so the
// union of safe cells is safe. W = p/100, 0, −1 is the p %-rule; n weights 1 − k/100 followed by −k/100 are the
// dominance rule. The distance to protect is S/|w_m|: a further contributor with that contribution would make the cell
// safe.
type Measure struct {
	W       []Decimal
	Holding bool
}

// maxWeights is the largest number of weights of a measure.
const maxWeights = MaxTop + 1

func (m *Measure) check() error {
	n := len(m.W)
	unfit := func(want string, args ...any) error {
		return i18n.Errorf("linear measure %s: want %s", m, i18n.T(want, args...))
	}
	if n < 2 || n > maxWeights {
		return unfit("2 to %d weights, the last for all contributions that are left", maxWeights)
	}
	if m.W[0].Unscaled <= 0 || m.W[n-1].Unscaled >= 0 {
		return unfit("the first weight above 0 and the last below 0")
	}
	for j := 1; j < n; j++ {
		if rat(m.W[j-1]).Cmp(rat(m.W[j])) < 0 {
			return unfit("weights that do not grow, for else safe cells could add up to a sensitive one")
		}
	}
	return nil
}

// total is UPLtotal, the least X with which the cell would be safe: Σ_{j<m} (w_j/|w_m| + 1)·x_j.
func (m *Measure) total(lead func(places int) *big.Int) *big.Rat {
	n := len(m.W)
	last := rat(m.W[n-1])
	last.Neg(last)
	sum, before := new(big.Rat), new(big.Int)
	for j := range n - 1 {
		s := lead(j + 1)
		x := new(big.Rat).SetInt(new(big.Int).Sub(s, before))
		c := rat(m.W[j])
		c.Add(c.Quo(c, last), big.NewRat(1, 1))
		sum.Add(sum, c.Mul(c, x))
		before = s
	}
	return sum
}

// String writes the measure in the form that ParseRules reads.
func (m *Measure) String() string {
	text := sets.Each(m.W, Decimal.String)
	return "LIN(" + strings.Join(text, ",") + ")"
}
