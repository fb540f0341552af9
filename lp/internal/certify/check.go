// Package certify checks the proofs that come with the answers of a linear
// programming back end, and poses the auxiliary programs whose answers are
// such proofs. It solves nothing itself and trusts no back end.
//
// The letters are those of package lp: c, A, [lo, up] for the columns,
// [rlo, rup] for the rows, y for the duals, d for the reduced costs.
package certify

import (
	"fmt"
	"math"

	"github.com/hitoku/hitoku/lp"
)

// roundoff is the share of a sum of magnitudes below which the sign of the sum is noise.
const roundoff = 1e-11

// Optimal returns nil if r proves itself an optimum of p. In this order it
// checks, each to tol relative to 1 + the magnitudes that enter the sum,
//
//	lo ≤ x ≤ up and rlo ≤ Ax ≤ rup
//	Value = cᵀx
//	d = c − Aᵀy
//	y_i ≤ 0 where rlo_i = −∞, y_i ≥ 0 where rup_i = +∞, likewise d and lo, up
//	y_i·(Ax − active bound)_i = 0 and d_j·(x − active bound)_j = 0, one by one
//	cᵀx = Σ y_i·(active bound) + Σ d_j·(active bound)
//
// where the active bound is the lower one for a positive dual and the upper one
// for a negative dual.
func Optimal(p *lp.Problem, r *lp.Result, tol float64) error {
	if err := sized("primal", r.Primal, p.NumCols()); err != nil {
		return err
	}
	if err := sized("dual", r.Dual, len(p.Rows)); err != nil {
		return err
	}
	if err := sized("reduced cost", r.Reduced, p.NumCols()); err != nil {
		return err
	}
	act, err := feasible(p, r.Primal, tol)
	if err != nil {
		return err
	}
	var value, scale float64
	for j, x := range r.Primal {
		value += float64(p.Cost[j] * x)
		scale += math.Abs(p.Cost[j] * x)
	}
	if !(math.Abs(r.Value-value) <= tol*(1+scale)) {
		return fmt.Errorf("value %.12g, but cᵀx = %.12g", r.Value, value)
	}
	red, mag := reduced(p, r.Dual)
	for j, d := range r.Reduced {
		if !(math.Abs(d-red[j]) <= tol*(1+mag[j])) {
			return fmt.Errorf("reduced cost %d is %.12g, but c − Aᵀy gives %.12g", j, d, red[j])
		}
	}
	bound, dscale, err := dualValue(p, r.Dual, red, mag, tol)
	if err != nil {
		return err
	}
	scale += dscale
	for i, y := range r.Dual {
		if t := y * (act[i] - active(p.Rows[i].Lo, p.Rows[i].Up, y)); math.Abs(t) > tol*(1+scale) && !math.IsInf(t, 0) {
			return fmt.Errorf("row %d: dual %.12g although its value %.12g is off that bound of [%g, %g]", i, y, act[i], p.Rows[i].Lo, p.Rows[i].Up)
		}
	}
	for j, d := range red {
		if t := d * (r.Primal[j] - active(p.Lo[j], p.Up[j], d)); math.Abs(t) > tol*(1+scale) && !math.IsInf(t, 0) {
			return fmt.Errorf("column %d: reduced cost %.12g although its value %.12g is off that bound of [%g, %g]", j, d, r.Primal[j], p.Lo[j], p.Up[j])
		}
	}
	if !(math.Abs(value-bound) <= tol*(1+scale)) {
		return fmt.Errorf("duality gap: cᵀx = %.12g, dual bound %.12g", value, bound)
	}
	return nil
}

// Feasible returns nil if x satisfies every bound of p to tol relative to
// 1 + the magnitudes that enter the bound.
func Feasible(p *lp.Problem, x []float64, tol float64) error {
	if err := sized("primal", x, p.NumCols()); err != nil {
		return err
	}
	_, err := feasible(p, x, tol)
	return err
}

// feasible is Feasible and also returns Ax.
func feasible(p *lp.Problem, x []float64, tol float64) ([]float64, error) {
	for j, v := range x {
		if lo, up := p.Lo[j], p.Up[j]; !(v >= lo-float64(tol*(1+math.Abs(lo))) && v <= up+float64(tol*(1+math.Abs(up)))) {
			return nil, fmt.Errorf("column %d = %.12g is outside [%g, %g]", j, v, lo, up)
		}
	}
	act := make([]float64, len(p.Rows))
	for i := range p.Rows {
		row := &p.Rows[i]
		a, mag := dot(row, x)
		act[i] = a
		if a < row.Lo-float64(tol*(1+mag+math.Abs(row.Lo))) || a > row.Up+float64(tol*(1+mag+math.Abs(row.Up))) {
			return nil, fmt.Errorf("row %d = %.12g is outside [%g, %g]", i, a, row.Lo, row.Up)
		}
	}
	return act, nil
}

// DualBound returns the lower bound on the optimum of p that y proves,
//
//	Σ y_i·(active bound of row i) + min { dᵀx : lo ≤ x ≤ up },  d = c − Aᵀy,
//
// or an error if a dual or reduced cost points to an infinite bound by more
// than tol relative to the magnitudes it is made of.
func DualBound(p *lp.Problem, y []float64, tol float64) (float64, error) {
	if err := sized("dual", y, len(p.Rows)); err != nil {
		return 0, err
	}
	red, mag := reduced(p, y)
	v, _, err := dualValue(p, y, red, mag, tol)
	return v, err
}

// dualValue also returns the sum of the magnitudes in the bound.
func dualValue(p *lp.Problem, y, red, mag []float64, tol float64) (value, scale float64, err error) {
	ymax := maxAbs(y)
	for i, v := range y {
		b := active(p.Rows[i].Lo, p.Rows[i].Up, v)
		switch {
		case v == 0:
		case !math.IsInf(b, 0):
			value += float64(v * b)
			scale += math.Abs(v * b)
		case math.Abs(v) > tol*(1+ymax):
			return 0, 0, fmt.Errorf("row %d: dual %.12g, but no such bound in [%g, %g]", i, v, p.Rows[i].Lo, p.Rows[i].Up)
		}
	}
	for j, v := range red {
		b := active(p.Lo[j], p.Up[j], v)
		switch {
		case v == 0:
		case !math.IsInf(b, 0):
			value += float64(v * b)
			scale += math.Abs(v * b)
		case math.Abs(v) > tol*(1+mag[j]):
			return 0, 0, fmt.Errorf("column %d: reduced cost %.12g, but no such bound in [%g, %g]", j, v, p.Lo[j], p.Up[j])
		}
	}
	return value, scale, nil
}

// Farkas returns nil if y proves p infeasible by the inequality of package lp.
// Entries of y and of Aᵀy that meet an infinite bound count as 0 up to tol
// relative to the largest |y_i| and to the magnitudes in the sum; the
// inequality itself must hold strictly, beyond the rounding of its own sum. The
// maximum over crossed bounds of a column is −∞, so that any y proves them.
func Farkas(p *lp.Problem, y []float64, tol float64) error {
	if err := sized("Farkas ray", y, len(p.Rows)); err != nil {
		return err
	}
	for j := range p.Lo {
		if p.Lo[j] > p.Up[j] {
			return nil
		}
	}
	norm := maxAbs(y)
	if norm == 0 {
		return fmt.Errorf("Farkas ray is 0")
	}
	var gap, scale float64
	for i, v := range y {
		v /= norm
		b := active(p.Rows[i].Lo, p.Rows[i].Up, v)
		switch {
		case v == 0:
		case !math.IsInf(b, 0):
			gap += float64(v * b)
			scale += math.Abs(v * b)
		case math.Abs(v) > tol:
			return fmt.Errorf("Farkas ray: row %d has %.12g, but no such bound in [%g, %g]", i, v, p.Rows[i].Lo, p.Rows[i].Up)
		}
	}
	g, mag := combine(p, y)
	for j, v := range g {
		v /= norm
		b := active(p.Lo[j], p.Up[j], -v)
		switch {
		case v == 0:
		case !math.IsInf(b, 0):
			gap -= float64(v * b)
			scale += math.Abs(v * b)
		case math.Abs(v) > tol*(1+mag[j]/norm):
			return fmt.Errorf("Farkas ray: column %d has (Aᵀy) = %.12g, but no such bound in [%g, %g]", j, v, p.Lo[j], p.Up[j])
		}
	}
	if !(gap > roundoff*scale) {
		return fmt.Errorf("Farkas ray: left minus right side is %.6g, want > 0", gap)
	}
	return nil
}

// Ray returns nil if d, scaled to max |d_j| = 1, is a direction of p along which cᵀx decreases without bound: every
// finite bound is respected to tol relative to the magnitudes in the sum, and cᵀd < −tol·Σ|c_j·d_j|. It says nothing
// about whether p has a feasible point.
func Ray(p *lp.Problem, d []float64, tol float64) error {
	if err := sized("ray", d, p.NumCols()); err != nil {
		return err
	}
	norm := maxAbs(d)
	if norm == 0 {
		return fmt.Errorf("ray is 0")
	}
	var fall, scale float64
	for j, v := range d {
		v /= norm
		if !math.IsInf(p.Lo[j], -1) && v < -tol || !math.IsInf(p.Up[j], 1) && v > tol {
			return fmt.Errorf("ray: column %d moves by %.12g out of [%g, %g]", j, v, p.Lo[j], p.Up[j])
		}
		fall += float64(p.Cost[j] * v)
		scale += math.Abs(p.Cost[j] * v)
	}
	for i := range p.Rows {
		row := &p.Rows[i]
		a, mag := dot(row, d)
		a, mag = a/norm, mag/norm
		if !math.IsInf(row.Lo, -1) && a < -tol*(1+mag) || !math.IsInf(row.Up, 1) && a > tol*(1+mag) {
			return fmt.Errorf("ray: row %d moves by %.12g out of [%g, %g]", i, a, row.Lo, row.Up)
		}
	}
	if !(fall < -tol*scale) {
		return fmt.Errorf("ray: cᵀd = %.6g, want < 0", fall)
	}
	return nil
}

// Reduced returns d = c − Aᵀy.
func Reduced(p *lp.Problem, y []float64) []float64 {
	d, _ := reduced(p, y)
	return d
}

// reduced also returns the magnitudes |c_j| + Σ|y_i·A_ij|.
func reduced(p *lp.Problem, y []float64) (d, mag []float64) {
	d, mag = combine(p, y)
	for j, c := range p.Cost {
		d[j] = c - d[j]
		mag[j] += math.Abs(c)
	}
	return d, mag
}

// combine returns Aᵀy and the magnitudes in its sums.
func combine(p *lp.Problem, y []float64) (g, mag []float64) {
	g, mag = make([]float64, p.NumCols()), make([]float64, p.NumCols())
	for i := range p.Rows {
		if y[i] == 0 {
			continue
		}
		for k, j := range p.Rows[i].Idx {
			t := float64(y[i] * p.Rows[i].Val[k])
			g[j] += t
			mag[j] += math.Abs(t)
		}
	}
	return g, mag
}

// dot returns one row times x and the magnitudes in the sum.
func dot(row *lp.Row, x []float64) (sum, mag float64) {
	for k, j := range row.Idx {
		t := float64(row.Val[k] * x[j])
		sum += t
		mag += math.Abs(t)
	}
	return sum, mag
}

// active returns the bound to which a dual of this sign belongs.
func active(lo, up, dual float64) float64 {
	if dual < 0 {
		return up
	}
	return lo
}

func maxAbs(v []float64) float64 {
	m := 0.0
	for _, x := range v {
		m = max(m, math.Abs(x))
	}
	return m
}

// sized rejects a vector of wrong length or with entries that are not finite.
func sized(what string, v []float64, n int) error {
	if len(v) != n {
		return fmt.Errorf("%s vector has length %d, want %d", what, len(v), n)
	}
	for k, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%s %d is %g", what, k, x)
		}
	}
	return nil
}
