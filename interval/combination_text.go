package interval

import (
	"math/big"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// Text writes c as arithmetic: "Metal/Large = 75 − 12 − 30 − 21 = 12", or, where bounds take part, "Metal/Large ≤
// 75 − 12 − 30 = 33, as Wood/Large is at least 0", or rounding, "Metal/Large ≤ 75 − 12 − 30 + 1.5 = 34.5, as
// rounding moves the sum by 1.5 at most and Wood/Large is at least 0". name returns the name of a cell, as
// t.CellName does.
func (c *Combination) Text(t *table.Table, name func(i int) string) string {
	var b strings.Builder
	b.WriteString(c.Arithmetic(t, name))
	if len(c.Relations) == 0 { // nothing but its own bound
		return b.String() + ", as everybody is taken to know"
	}
	if c.Rounding != nil {
		b.WriteString(", as rounding moves the sum by " + table.FormatRat(c.Rounding, t.Decimals) + " at most")
	}
	for n, x := range c.Bounds {
		switch {
		case n == 0 && c.Rounding != nil && len(c.Bounds) == 1:
			b.WriteString(" and ")
		case n == 0 && c.Rounding == nil:
			b.WriteString(", as ")
		case n == len(c.Bounds)-1:
			b.WriteString(" and ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(name(x.Cell))
		if last := n == len(c.Bounds)-1; !last && c.bound(n) == c.bound(n+1) && x.Value.Cmp(c.Bounds[n+1].Value) == 0 {
			continue // the last of several equal ones covers all
		}
		verb := " is "
		if n > 0 && c.bound(n) == c.bound(n-1) && x.Value.Cmp(c.Bounds[n-1].Value) == 0 {
			verb = " are "
		}
		b.WriteString(verb + c.bound(n) + " " + table.FormatRat(x.Value, t.Decimals))
	}
	return b.String()
}

// Reasons returns the sentences that justify Arithmetic, one for rounding and one for each bound: "Wood/Large is at
// least 0".
func (c *Combination) Reasons(t *table.Table, name func(i int) string) (all i18n.List) {
	if len(c.Relations) == 0 {
		return i18n.List{Items: []any{i18n.T("everybody is taken to know")}}
	}
	if c.Rounding != nil {
		all.Items = append(all.Items, i18n.T("rounding moves the sum by %s at most", table.FormatRat(c.Rounding, t.Decimals)))
	}
	for n, x := range c.Bounds {
		format := "%s is at least %s"
		if c.bound(n) == "at most" {
			format = "%s is at most %s"
		}
		all.Items = append(all.Items, i18n.T(format, name(x.Cell), table.FormatRat(x.Value, t.Decimals)))
	}
	return all
}

// Arithmetic is Text without the reasons: "Metal/Large ≤ 75 − 12 − 30 = 33".
func (c *Combination) Arithmetic(t *table.Table, name func(i int) string) string {
	var b strings.Builder
	b.WriteString(name(c.Cell))
	b.WriteString(map[Side]string{LowerEnd: " ≥ ", TheValue: " = ", UpperEnd: " ≤ "}[c.Side])
	result := table.FormatRat(c.Result, t.Decimals)
	if len(c.Relations) == 0 { // nothing but its own bound
		return b.String() + result
	}
	den := c.denominator()
	sum := sums{decimals: t.Decimals}
	add := func(terms []Term) {
		for _, x := range terms {
			sum.add(new(big.Rat).Mul(x.Coef, den), x.Value)
		}
	}
	add(c.Terms)
	for _, x := range c.Bounds {
		if x.Value.Sign() != 0 {
			add([]Term{x})
		}
	}
	if c.Constant.Sign() != 0 {
		sum.add(den, c.Constant)
	}
	if r := c.Rounding; r != nil && r.Sign() != 0 {
		sum.add(big.NewRat(int64(c.Side), 1), new(big.Rat).Mul(r, den))
	}
	if text := sum.String(); den.Cmp(big.NewRat(1, 1)) != 0 {
		if sum.n > 1 {
			text = "(" + text + ")"
		}
		b.WriteString(text + " / " + den.RatString() + " = " + result)
	} else if b.WriteString(text); sum.n > 1 || text != result {
		b.WriteString(" = " + result)
	}
	return b.String()
}

// Cells names the cells whose numbers occur in Text, in its order: "Metal/Total − Metal/Small − Metal/Medium". name
// returns the name of a cell.
func (c *Combination) Cells(name func(i int) string) string {
	var b strings.Builder
	den := c.denominator()
	for n, x := range c.Terms {
		times := new(big.Rat).Mul(x.Coef, den)
		sign(&b, n == 0, times.Sign())
		if times.Abs(times).Cmp(big.NewRat(1, 1)) != 0 {
			b.WriteString(times.RatString() + "·")
		}
		b.WriteString(name(x.Cell))
	}
	if den.Cmp(big.NewRat(1, 1)) != 0 {
		if len(c.Terms) > 1 {
			return "(" + b.String() + ") / " + den.RatString()
		}
		return b.String() + " / " + den.RatString()
	}
	return b.String()
}

// bound describes the n-th of Bounds in words.
func (c *Combination) bound(n int) string {
	if c.Bounds[n].Coef.Sign() == int(c.Side) {
		return "at most"
	}
	return "at least"
}

// denominator returns the least common denominator of all coefficients.
func (c *Combination) denominator() *big.Rat {
	den := big.NewInt(1)
	for _, list := range [][]Term{c.Terms, c.Bounds} {
		for _, x := range list {
			g := new(big.Int).GCD(nil, nil, den, x.Coef.Denom())
			den.Mul(den, g.Quo(x.Coef.Denom(), g))
		}
	}
	return new(big.Rat).SetInt(den)
}

// sums writes a sum of multiples as text.
type sums struct {
	strings.Builder
	decimals, n int
}

// add adds times·v for a whole number times.
func (s *sums) add(times, v *big.Rat) {
	sign(&s.Builder, s.n == 0, times.Sign())
	if one := new(big.Rat).Abs(times); one.Cmp(big.NewRat(1, 1)) != 0 {
		s.WriteString(one.RatString() + "·")
	}
	text := table.FormatRat(v, s.decimals)
	if v.Sign() < 0 {
		text = "(" + text + ")"
	}
	s.WriteString(text)
	s.n++
}

func (s *sums) String() string {
	if s.n == 0 {
		return "0"
	}
	return s.Builder.String()
}

// sign writes the sign before a term.
func sign(b *strings.Builder, first bool, sign int) {
	switch {
	case first && sign < 0:
		b.WriteString("−")
	case first:
	case sign < 0:
		b.WriteString(" − ")
	default:
		b.WriteString(" + ")
	}
}
