package cellkey

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tabulate"
)

// A Magnifier defines to what the noise of a magnitude is proportional.
type Magnifier struct {
	// Kind is top, the K largest contributions in absolute value, one after another; mean, the mean contribution
	// (weighted Σ w x/Σ w); spread, the largest minus the smallest absolute contribution, for data without weights; or
	// value, the cell's value.
	Kind string
	K    int // 1 except for top
}

// ParseMagnifier reads top:K, top, mean, spread or value.
func ParseMagnifier(text string) (Magnifier, error) {
	kind, k, some := strings.Cut(text, ":")
	m := Magnifier{kind, 1}
	var err error
	if some {
		m.K, err = strconv.Atoi(k)
	}
	switch {
	case !slices.Contains([]string{"top", "mean", "spread", "value"}, kind), some && kind != "top", err != nil, m.K < 1, m.K > table.MaxTop:
		return m, i18n.Errorf("%q: want top:K with K from 1 to %d, mean, spread or value", text, table.MaxTop)
	}
	return m, nil
}

// contributions holds what a Magnifier needs.
type contributions struct {
	Weight float64   // their number, or Σ w
	Top    []float64 // the largest in absolute value
	Least  float64   // the smallest in absolute value
}

// contributionsOf returns those of a cell. With weights only the first of Top is meaningful.
func contributionsOf(c *tabulate.Cell) *contributions {
	unit := float64(table.Pow10(c.Contribs.XDecimals))
	f := &contributions{Weight: float64(c.Records), Least: float64(c.Least.Unscaled) / float64(table.Pow10(c.Least.Scale))}
	if c.Contribs.Weight != c.Records || c.Contribs.WeightDecimals > 0 {
		f.Weight = float64(c.Contribs.Weight) / float64(table.Pow10(c.Contribs.WeightDecimals))
	}
	for _, x := range c.Contribs.Records.Top {
		f.Top = append(f.Top, float64(x.X)/unit)
	}
	return f
}

// Of returns what takes the place of the largest contributions to a cell of value x in [Magnitude.Value].
func (m Magnifier) Of(x float64, c *tabulate.Cell) []float64 { return m.of(x, contributionsOf(c)) }

func (m Magnifier) of(x float64, c *contributions) []float64 {
	switch {
	case m.Kind == "value":
		return []float64{x}
	case m.Kind == "mean" && c.Weight > 0:
		return []float64{x / c.Weight}
	case m.Kind == "spread" && len(c.Top) > 0:
		return []float64{c.Top[0] - c.Least}
	case m.Kind == "top":
		return c.Top[:min(m.K, len(c.Top))]
	}
	return nil
}

// Scale parses F(σ₀,σ₁,x*,q,ε₂,…) or N(σ₁,ε₂,…), for k contributions, in τ-ARGUS notation.
func (m *Magnitude) Scale(text string, k int) error {
	name, args, ok := callOf(text)
	var x []float64
	for _, a := range args {
		v, err := strconv.ParseFloat(strings.TrimSpace(a), 64)
		if err != nil {
			return i18n.Errorf("%q: want a number", a)
		}
		x = append(x, v)
	}
	first := map[string]int{"F": 4, "N": 1}[name]
	if !ok || first == 0 || len(x) != first+k-1 {
		return i18n.Errorf("%q: want F(σ0,σ1,x*,q) or N(σ1), and behind the last an ε for each contribution from the second of %d", text, k)
	}
	if m.Flex = name == "F"; m.Flex {
		m.Least, m.P, m.Point, m.Q = x[0], x[1], x[2], x[3]
	} else {
		m.P = x[0]
	}
	m.Epsilon = append([]float64{1}, x[first:]...)
	return nil
}

// callOf splits NAME(a,b,…).
func callOf(text string) (name string, args []string, ok bool) {
	name, rest, _ := strings.Cut(text, "(")
	rest, ok = strings.CutSuffix(strings.TrimSpace(rest), ")")
	return strings.ToUpper(strings.TrimSpace(name)), strings.Split(rest, ","), ok
}
