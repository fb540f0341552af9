package compare

import "math"

// A Rate is a share of attacks with a half-width of its confidence interval, not cut to 0 … 1.
type Rate struct{ Value, Error float64 }

// Wilson is the score interval of s successes in n ≥ 1 trials at a confidence level between 0 and 1,
//
//	(s + z²/2)/(n + z²) ± z/(n + z²)·√(s(n−s)/n + z²/4) .
//
// s need not be whole. Source: Wilson, Probable inference (JASA 1927), as anonymeter uses it.
func Wilson(n int, s, confidence float64) Rate {
	z := math.Sqrt2 * math.Erfinv(confidence)
	d := float64(n) + float64(z*z)
	return Rate{(s + z*z/2) / d, z / d * math.Sqrt(s*(float64(n)-s)/float64(n)+z*z/4)}
}

// Residual is how much more often attacks on the original succeed than on a control file, as a share of
// what is left to gain: (a−c)/(1−c), the errors propagated as independent.
//
// Source: Giomi and others, A unified framework for quantifying privacy risk in synthetic data (PoPETs
// 2023), equation 2, and anonymeter.
func Residual(attack, control Rate) Rate {
	left := 1 - control.Value
	da := attack.Error / left
	dc := (attack.Value - 1) / (left * left) * control.Error
	return Rate{(attack.Value - control.Value) / left, math.Hypot(da, dc)}
}

// Bounds are the value and the ends of the interval, cut to 0 … 1.
func (r Rate) Bounds() (value, low, high float64) {
	cut := func(x float64) float64 { return min(1, max(0, x)) }
	return cut(r.Value), cut(r.Value - r.Error), cut(r.Value + r.Error)
}

// An Attack is how often attacks of a kind succeed.
type Attack struct {
	N       int     // attacks
	Exact   bool    // they are on everybody, and nothing is drawn: the rate has no error
	Success float64 // of them
	// Baseline are the successes of guesses that do not look at the release beyond its values.
	Baseline float64
	// Isolation is the largest chance of a condition that was chosen without the original to isolate one of its records.
	Isolation float64
	// Control are the successes on records that the release was not made from; nil without a control file.
	Control *float64
	// Attacks on the control file, which may be fewer.
	ControlN int
}

// Rate is the rate of success.
func (a Attack) Rate(confidence float64) Rate {
	if a.Exact {
		return Rate{Value: a.Success / float64(a.N)}
	}
	return Wilson(a.N, a.Success, confidence)
}

// Risk is the rate of success, or the residual one where there is a control file.
func (a Attack) Risk(confidence float64) Rate {
	r := a.Rate(confidence)
	if a.Control == nil {
		return r
	}
	return Residual(r, Wilson(a.ControlN, *a.Control, confidence))
}
