package solver

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/internal/work"
)

// A mirFinder separates mixed-integer rounding cuts at an optimum x of the master. Let Σ a_j x_j ≥ b be a sum of rows,
// each divided by its right-hand side. With a divisor δ, and after substituting x_j = 1 − x̄_j for some columns
// (roughly those beyond ½), the cut is
//
//	Σ_j G(a_j/δ)·x_j ≥ ⌈b/δ⌉,   G(a) = ⌊a⌋ + min(1, f_a/f),
//
// where f_a and f > 0 are the fractional parts of a and b/δ (Marchand and Wolsey, Operations Research 49(3), 2001).
// Sums grow row by row, each time by the row that shares most with the sum where x is fractional, until one gives a
// violated cut.
//
// In two dimensions they more than halve the nodes if separated at every node. In three or more few sums give a
// violated cut, so they pay only once the tree turns out to be large (mixFrom). Gomory cuts from the master's basis
// also raise the root's bound, but are dense and do not shrink the tree.
type mirFinder struct {
	x    []float64
	frac []bool    // by column
	open []int32   // the fractional columns
	at   [][]int32 // by fractional column: indices into rows
	rows []*cut

	// The current sum.
	of   []int32 // rows in it
	coef []float64
	in   []bool  // by column: in hit
	hit  []int32 // columns of the sum
	own  []int32 // columns of the sum where x is fractional
	rhs  float64
	ones float64 // Σ coef over columns with x = 1, always complemented
	size float64 // Σ |coef| over columns with x = 1
	flip []bool  // by column: complemented

	share []float64 // by row: how much it shares with the sum
	near  []int32
	try   []float64
	read  int // coefficients read since load
}

func newMIRFinder(n int) *mirFinder {
	return &mirFinder{frac: make([]bool, n), at: make([][]int32, n), coef: make([]float64, n), in: make([]bool, n), flip: make([]bool, n)}
}

// mir returns violated rounding cuts, at most one for each starting row. Cost: for each starting row at most mixRows
// sums, each a few dozen passes over its fractional columns.
func (m *master) mir(p *problem) []*cut {
	if m.rounding == nil {
		m.rounding = newMIRFinder(len(m.x))
	}
	z := m.rounding
	z.load(m)
	var found []*cut
	for r := range z.rows {
		z.clear()
		for next := int32(r); next >= 0; next = z.next() {
			z.add(next)
			if c := z.best(p); c != nil {
				found = append(found, c)
				break
			}
			if len(z.of) == mixRows {
				break
			}
		}
	}
	z.clear()
	return found
}

// load collects the rows of m that are tight or nearly so.
func (z *mirFinder) load(m *master) {
	for _, j := range z.open {
		z.frac[j], z.at[j] = false, z.at[j][:0]
	}
	z.x, z.open, z.rows, z.read = m.x, z.open[:0], z.rows[:0], 0
	for j, v := range m.x {
		if fractional(v) {
			z.frac[j] = true
			z.open = append(z.open, int32(j))
		}
	}
	for _, c := range m.cuts {
		if -c.gain*c.unit() > mixSlack {
			continue
		}
		some := false
		for _, j := range c.idx {
			if z.frac[j] {
				some = true
				z.at[j] = append(z.at[j], int32(len(z.rows)))
			}
		}
		if some {
			z.rows = append(z.rows, c)
		}
	}
	z.share = slices.Grow(z.share[:0], len(z.rows))[:len(z.rows)]
	clear(z.share)
}

// unit returns the factor of the row in sums: 1 over its right-hand side, as in certificates, or 1 if a coefficient is
// negative.
func (c *cut) unit() float64 {
	if c.mixed {
		return 1
	}
	return 1 / c.rhs
}

func (z *mirFinder) clear() {
	for _, j := range z.hit {
		z.coef[j], z.in[j], z.flip[j] = 0, false, false
	}
	z.hit, z.own, z.of, z.rhs = z.hit[:0], z.own[:0], z.of[:0], 0
}

// add adds row r to the sum.
func (z *mirFinder) add(r int32) {
	c := z.rows[r]
	u := c.unit()
	z.read += len(c.idx)
	for t, j := range c.idx {
		if !z.in[j] {
			z.in[j] = true
			z.hit = append(z.hit, j)
			if z.frac[j] {
				z.own = append(z.own, j)
			}
		}
		z.coef[j] += float64(u * c.val[t])
	}
	z.rhs += float64(u * c.rhs)
	z.of = append(z.of, r)
}

// next returns the row that shares most with the sum, −1 if none does.
func (z *mirFinder) next() int32 {
	z.near = z.near[:0]
	for _, j := range z.own {
		z.read += len(z.at[j])
		for _, i := range z.at[j] {
			if z.share[i] == 0 {
				z.near = append(z.near, i)
			}
			z.share[i] += min(z.x[j], 1-z.x[j])
		}
	}
	next, top := int32(-1), 0.0
	for _, i := range z.near {
		c := z.rows[i]
		s := z.share[i] / math.Sqrt(float64(len(c.idx))) * (1 + float64(c.gain*c.unit()))
		z.share[i] = 0
		if s > top && !slices.Contains(z.of, i) {
			next, top = i, s
		}
	}
	return next
}

// best returns the deepest rounding cut of the sum, nil if none is violated.
func (z *mirFinder) best(p *problem) *cut {
	z.ones, z.size = 0, 0
	for _, j := range z.hit {
		z.flip[j] = z.x[j] > 0.5
		if z.flip[j] && !z.frac[j] {
			z.ones += z.coef[j]
			z.size += math.Abs(z.coef[j])
		}
	}
	z.divisors()
	top, u := mixDepth, 0.0
	for _, δ := range z.try {
		v := math.Round(mixDiv/δ) / mixDiv
		if d := z.depth(v); d > top {
			top, u = d, v
		}
	}
	if u == 0 {
		return nil
	}
	for v, k := u, 0; k < 3; k++ {
		v *= 2
		if d := z.depth(v); d > top {
			top, u = d, v
		}
	}
	// Columns nearest to ½ are those whose complement may be the better choice.
	slices.SortFunc(z.own, func(a, b int32) int {
		return cmp.Or(cmp.Compare(math.Abs(z.x[a]-0.5), math.Abs(z.x[b]-0.5)), cmp.Compare(a, b))
	})
	for _, j := range z.own[:min(len(z.own), mixFlips)] {
		z.flip[j] = !z.flip[j]
		if d := z.depth(u); d > top+1e-9 {
			top = d
		} else {
			z.flip[j] = !z.flip[j]
		}
	}
	return z.cut(p, u)
}

// divisors lists the coefficients of fractional columns, evenly thinned out if there are many.
func (z *mirFinder) divisors() {
	z.try = z.try[:0]
	for _, j := range z.own {
		if a := math.Abs(z.coef[j]); a > mixLeast {
			z.try = append(z.try, a)
		}
	}
	slices.Sort(z.try)
	z.try = slices.CompactFunc(z.try, func(a, b float64) bool { return b-a < 1e-4 })
	if k := len(z.try); k > mixDivisors {
		for i := range mixDivisors {
			z.try[i] = z.try[i*(k-1)/(mixDivisors-1)]
		}
		z.try = z.try[:mixDivisors]
	}
}

// side returns ⌈b⌉ and f of the sum times u after complementing; f is slightly lower than computed, so that rounding
// errors make G larger, which is safe. ok reports whether f is usable.
func (z *mirFinder) side(u float64) (up, f float64, ok bool) {
	b, size := z.rhs-z.ones, z.rhs+z.size
	for _, j := range z.own {
		if z.flip[j] {
			b -= z.coef[j]
			size += math.Abs(z.coef[j])
		}
	}
	b = float64(b * u)
	up = math.Ceil(b)
	f = b - (up - 1)
	return up, f - float64(mixRounding*u*size), f > mixLow && f < mixHigh
}

// depth returns the violation of the cut for weight u divided by its norm on the fractional columns.
func (z *mirFinder) depth(u float64) float64 {
	v, f, ok := z.side(u)
	if !ok {
		return 0
	}
	norm := 1e-9
	z.read += 4 * len(z.own) // each takes about four times as long
	for _, j := range z.own {
		a, x := u*z.coef[j], z.x[j]
		if z.flip[j] {
			a, x = -a, 1-x
		}
		g := rounded(a, f)
		v -= float64(g * x)
		norm += float64(g * g)
	}
	return v / math.Sqrt(norm)
}

// rounded returns G(a). It is inlined; a may be a product in the caller.
func rounded(a, f float64) float64 {
	w := math.Floor(a)
	return w + min(1, (float64(a)-w)/f)
}

// cut returns the cut of the sum for weight u if x violates it.
func (z *mirFinder) cut(p *problem, u float64) *cut {
	b, f, _ := z.side(u)
	out := &cut{family: mirCut}
	slices.Sort(z.hit)
	negative := false
	var flips []int32
	for _, j := range z.hit {
		g := 0.0
		if z.flip[j] {
			g = -rounded(-u*z.coef[j], f)
			b += g
			flips = append(flips, j)
		} else {
			g = rounded(u*z.coef[j], f)
		}
		if math.Abs(g) < 1e-9 {
			if g > 0 { // move it to the right-hand side, as x_j ≤ 1
				b -= g
			}
			continue
		}
		negative = negative || g < 0
		out.idx, out.val = append(out.idx, j), append(out.val, g)
	}
	if b <= 1e-3 && !negative {
		return nil
	}
	out.rhs = b
	if !negative {
		for t, v := range out.val {
			out.val[t] = min(1, v/b) // x is binary
		}
		out.rhs = 1
	}
	if out.violation(z.x) <= minViolation {
		return nil
	}
	if z.rows[z.of[0]].why != nil {
		why := &certificate.Round{Div: mixDiv, Flip: cellsOf(p, flips)}
		for _, r := range z.of {
			why.Of, why.Mult = append(why.Of, z.rows[r].why), append(why.Mult, int64(u*mixDiv))
		}
		out.why = why
	}
	return out.seal()
}

// mirCuts asks for rounding cuts; in tables of two dimensions at every node.
type mirCuts struct{}

func (mirCuts) name() string { return mirCut }
func (mirCuts) applies(w *worker, _ *visit) bool {
	return !w.search.p.off.mir && w.search.nodes >= w.search.mixFrom
}

func (mirCuts) separate(ctx context.Context, w *worker, _ *visit) ([]*cut, error) {
	found := w.m.mir(w.search.p)
	work.Spend(ctx, time.Duration(w.m.rounding.read)*entryTime)
	return found, nil
}
