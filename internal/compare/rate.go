package compare

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// A Rate is a share of attacks with its confidence interval, not cut to 0 … 1.
type Rate struct{ Value, Low, High float64 }

// Exactly returns a rate without error.
func Exactly(x float64) Rate { return Rate{x, x, x} }

// Proportion returns the rate of s successes in n ≥ 1 trials at a confidence level between 0 and 1. Its value is the
// middle of Wilson's score interval,
//
//	(s + z²/2)/(n + z²) ,
//
// as in anonymeter. Its ends are those of Clopper and Pearson, which keep the level for every n and every true rate,
// where those of Wilson fall to 0.83 at rates near 0 and 1. If s is not whole, they are those of the nearest whole
// numbers below and above.
//
// Source: Wilson, Probable inference (JASA 1927); Clopper and Pearson, The use of confidence or fiducial limits
// (Biometrika 1934).
func Proportion(n int, s, confidence float64) Rate {
	z := math.Sqrt2 * math.Erfinv(confidence)
	r := Rate{Value: (s + z*z/2) / (float64(n) + float64(z*z)), High: 1}
	const whole = 1e-9
	if k := math.Floor(s + whole); k > 0 {
		r.Low = mathext.InvRegIncBeta(k, float64(n)-k+1, (1-confidence)/2)
	}
	if k := math.Ceil(s - whole); k < float64(n) {
		r.High = mathext.InvRegIncBeta(k+1, float64(n)-k, (1+confidence)/2)
	}
	return r
}

// Residual returns how much more often attacks on the original succeed than on a control file, as a share of what is
// left to gain: (a−c)/(1−c). Its ends combine those of a and c by the MOVER method: the root of the sum of squares of
// the distances that each causes.
//
// Source: Giomi and others, A unified framework for quantifying privacy risk in synthetic data (PoPETs 2023), equation
// 2; Zou and Donner, Construction of confidence limits about effect measures (Statistics in Medicine 2008).
func Residual(attack, control Rate) Rate {
	f := func(a, c float64) float64 { return (a - c) / (1 - c) }
	v := f(attack.Value, control.Value)
	return Rate{v, v - math.Hypot(v-f(attack.Low, control.Value), v-f(attack.Value, min(control.High, 1-1e-12))),
		v + math.Hypot(f(attack.High, control.Value)-v, f(attack.Value, control.Low)-v)}
}

// Bounds returns the value and the ends of the interval, cut to 0 … 1.
func (r Rate) Bounds() (value, low, high float64) {
	cut := func(x float64) float64 { return min(1, max(0, x)) }
	return cut(r.Value), cut(r.Low), cut(r.High)
}

// An Attack counts how often attacks of a kind succeed.
type Attack struct {
	N       int     // number of attacks
	Exact   bool    // everybody is attacked and nothing is drawn: the rate has no error
	Success float64 // number of successful attacks
	// Baseline is the number of successes of guesses that use no more of the release than its values.
	Baseline float64
	// Isolation is the largest chance that a condition chosen without the original isolates one of its records.
	Isolation float64
	// Control is the number of successes on records that the release was not made from; nil without a control file.
	Control *float64
	// ControlN is the number of attacks on the control file, which may be smaller.
	ControlN int
}

// Rate returns the rate of success.
func (a Attack) Rate(confidence float64) Rate {
	if a.Exact {
		return Exactly(a.Success / float64(a.N))
	}
	return Proportion(a.N, a.Success, confidence)
}

// Risk returns the rate of success, or the residual rate if there is a control file.
func (a Attack) Risk(confidence float64) Rate {
	r := a.Rate(confidence)
	if a.Control == nil {
		return r
	}
	return Residual(r, Proportion(a.ControlN, *a.Control, confidence))
}
