package solver

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/internal/sets"
)

// zeroHalf separates {0, ½}-Chvátal–Gomory cuts at the optimum x of the master (Caprara and Fischetti, Mathematical
// Programming 74, 1996) from its rows with integer coefficients Σ a_ij x_j ≥ b_i. For a set S of rows whose right-hand
// sides add up to an odd number, half their sum, plus half a bound x_j ≥ 0 or x_j ≤ 1 wherever the coefficient is odd,
// has integer coefficients and its right-hand side may be rounded up; this cuts x off if
//
//	Σ_{i∈S} slack_i + Σ_{j odd} min(x_j, 1 − x_j) < 1 .
//
// Sets are found by elimination modulo 2, columns with the largest penalty first (Koster, Zymolka and Kutschka,
// Algorithms to separate {0, ½}-Chvátal–Gomory cuts, Algorithmica 55, 2009). Cost O(rows²·columns/64).
//
// On networks they close the gap at the root. In other tables of two dimensions a trial at the root decides
// (halfShare). In three or more dimensions they are separated from the first round on if there are trees, and not at
// all in flat tables, where they raise the root's bound but lengthen the proof.
func (m *master) zeroHalf(p *problem) []*cut {
	z := newZeroHalfSystem(m)
	z.p = p
	if len(z.rows) < 2 {
		return nil
	}
	var found []*cut
	for _, j := range z.order {
		z.eliminate(j)
	}
	for r := range z.rows {
		if c := z.cut(&z.rows[r], m.x); c != nil {
			found = append(found, c)
		}
	}
	return found
}

// A zeroHalfSystem is the system modulo 2.
type zeroHalfSystem struct {
	p       *problem
	cuts    []*cut
	rows    []halfRow
	penalty []float64 // by fractional column
	order   []int     // fractional columns by descending penalty
	flip    []bool    // by column of the master: x_j > ½, complemented
}

// A halfRow is a sum of rows modulo 2.
type halfRow struct {
	cols  []uint64 // parities over the fractional columns
	rows  []uint64 // the cuts that are summed
	odd   bool     // parity of the right-hand side after complementing
	slack float64
	used  bool // already a pivot
}

// half reports whether c may be one of the summed rows.
func (c *cut) half() bool { return c.integer && -c.gain < maxHalfSlack }

func newZeroHalfSystem(m *master) *zeroHalfSystem {
	z := &zeroHalfSystem{flip: make([]bool, len(m.x))}
	at := make([]int32, len(m.x))
	var frac []int32
	for j, v := range m.x {
		at[j] = -1
		z.flip[j] = v > 0.5
		if p := min(v, 1-v); p > fracTol {
			at[j] = int32(len(frac))
			frac = append(frac, int32(j))
			z.penalty = append(z.penalty, p)
		}
	}
	if len(frac) == 0 {
		return z
	}
	for _, c := range m.cuts {
		if c.half() {
			z.cuts = append(z.cuts, c)
		}
	}
	cw, rw := (len(frac)+63)/64, (len(z.cuts)+63)/64
	for i, c := range z.cuts {
		r := halfRow{cols: make([]uint64, cw), rows: make([]uint64, rw), slack: max(0, -c.gain)}
		r.rows[i/64] |= 1 << (i % 64)
		b := int64(c.rhs)
		for t, j := range c.idx {
			if int64(c.val[t])&1 == 0 {
				continue
			}
			if z.flip[j] {
				b++
			}
			if f := at[j]; f >= 0 {
				r.cols[f/64] |= 1 << (f % 64)
			}
		}
		r.odd = b&1 != 0
		z.rows = append(z.rows, r)
	}
	z.order = sets.Upto(len(frac))
	slices.SortStableFunc(z.order, func(a, b int) int { return cmp.Compare(z.penalty[b], z.penalty[a]) })
	return z
}

// eliminate clears column f from all rows except a pivot of least slack.
func (z *zeroHalfSystem) eliminate(f int) {
	w, bit := f/64, uint64(1)<<(f%64)
	pivot := -1
	for r := range z.rows {
		if row := &z.rows[r]; !row.used && row.cols[w]&bit != 0 && (pivot < 0 || row.slack < z.rows[pivot].slack) {
			pivot = r
		}
	}
	if pivot < 0 {
		return
	}
	p := &z.rows[pivot]
	p.used = true
	for r := range z.rows {
		row := &z.rows[r]
		if row.used || row.cols[w]&bit == 0 || row.slack+p.slack >= 1 {
			continue
		}
		for i, v := range p.cols {
			row.cols[i] ^= v
		}
		for i, v := range p.rows {
			row.rows[i] ^= v
		}
		row.odd = row.odd != p.odd
		row.slack += p.slack // an upper bound: rows added twice cancel
	}
}

// cut rounds up half the sum of r's rows, and returns the cut if x violates it.
func (z *zeroHalfSystem) cut(r *halfRow, x []float64) *cut {
	if !r.odd || r.slack >= 1 {
		return nil
	}
	loss := r.slack
	for w, v := range r.cols {
		for ; v != 0; v &= v - 1 {
			if loss += z.penalty[w*64+bits.TrailingZeros64(v)]; loss >= 1-2*minViolation {
				return nil
			}
		}
	}
	coef := map[int32]int64{}
	var why *certificate.Round
	b, n := int64(0), 0
	for w, v := range r.rows {
		for ; v != 0; v &= v - 1 {
			c := z.cuts[w*64+bits.TrailingZeros64(v)]
			n++
			if c.why != nil {
				if why == nil {
					why = &certificate.Round{Div: 2}
				}
				// Certificates divide rows without negative coefficients by their right-hand side.
				u := int64(1)
				if !c.mixed {
					u = int64(c.rhs)
				}
				why.Of, why.Mult = append(why.Of, c.why), append(why.Mult, u)
			}
			b += int64(c.rhs)
			for t, j := range c.idx {
				coef[j] += int64(c.val[t])
			}
		}
	}
	if n < 2 {
		return nil
	}
	out := &cut{family: zeroHalfCut}
	negative := false
	for j, a := range coef {
		if a&1 != 0 {
			if z.flip[j] {
				a, b = a-1, b-1
				if why != nil {
					why.Flip = append(why.Flip, j)
				}
			} else {
				a++
			}
		}
		if a != 0 {
			out.idx = append(out.idx, j)
			coef[j] = a / 2
			negative = negative || a < 0
		}
	}
	if b&1 == 0 {
		return nil // cannot happen; guards the arithmetic above
	}
	if b = (b + 1) / 2; b <= 0 && !negative {
		return nil
	}
	slices.Sort(out.idx)
	for _, j := range out.idx {
		v := coef[j]
		if !negative {
			v = min(v, b) // x is binary
		}
		out.val = append(out.val, float64(v))
	}
	out.rhs = float64(b)
	if out.violation(x) <= minViolation {
		return nil
	}
	if why != nil {
		slices.Sort(why.Flip)
		why.Flip = cellsOf(z.p, why.Flip)
		out.why = why
	}
	return out.seal()
}

// What a search knows about zero-half cuts.
const (
	untried = iota
	tried
	useful
	useless
)

// zeroHalfCuts asks for zero-half cuts if they are known to pay.
type zeroHalfCuts struct{}

func (zeroHalfCuts) name() string                     { return zeroHalfCut }
func (zeroHalfCuts) applies(w *worker, _ *visit) bool { return w.search.half == useful }

func (zeroHalfCuts) separate(_ context.Context, w *worker, _ *visit) ([]*cut, error) {
	return w.m.zeroHalf(w.search.p), nil
}

// zeroHalfTrial asks for them on trial, while it is not known whether they pay.
type zeroHalfTrial struct{ zeroHalfCuts }

func (zeroHalfTrial) applies(w *worker, _ *visit) bool { return w.search.half == tried }

// tryZeroHalf begins the trial when the root finds no other cut: outside networks zero-half cuts pay only on some
// tables.
func (w *worker) tryZeroHalf(_ context.Context, v *visit) (result, error) {
	if !v.root || w.search.half != untried {
		return didNotFind, nil
	}
	w.search.half, v.before = tried, w.m.value
	v.values = v.values[:0]
	return solveLP, nil
}

// judgeZeroHalf ends the trial and decides.
func (w *worker) judgeZeroHalf(v *visit) {
	if w.search.half != tried {
		return
	}
	if w.search.half = useless; w.search.trees || w.m.value-v.before > halfShare*(float64(w.upper)-v.before) {
		w.search.half = useful
	}
}
