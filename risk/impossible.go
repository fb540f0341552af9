package risk

import (
	"github.com/hitoku/hitoku/internal/i18n"
)

// A NoiseKind is a law of additive noise.
type NoiseKind string

// Laws of noise. Truncated stands for any law of bounded support.
const (
	Laplace    NoiseKind = "laplace"
	Normal     NoiseKind = "normal"
	Uniform    NoiseKind = "uniform"
	Triangular NoiseKind = "triangular"
	Truncated  NoiseKind = "truncated"
)

// A Verdict is what independent additive noise achieves for one numeric attribute.
type Verdict struct {
	K   float64
	Why string // the theorem that says so
}

// NoiseVerdict returns the k of Pk-anonymity of N records with noise added to an
// attribute with values in a range of the given length, or without bounds. sigma is the
// scale of Laplace noise; the parameters of the others do not matter, as they give
// k = 1, which is no protection in the worst case:
//
//   - an attribute without bounds, whatever the noise (Theorem 5.1);
//   - noise of bounded support: uniform, triangular, truncated (Theorem 5.2, Corollary 5.1);
//   - normal noise, whatever its variance (Theorem 5.3).
//
// An attribute that is constant has k = N with any noise or none.
//
// Source: the document on noise for Pk-anonymity (実現不可能性, impossibility), its section 5. The proof of Theorem 5.1 prints u + f(x) for u + x and
// f(y)f(−y)/f(x)² for f(x+y)f(x−y)/f(x)²; that of Theorem 5.2 (b−a)/2 for (a+b)/2; that of
// Theorem 5.3 σ² for 2σ² in exponents. What they prove holds.
func NoiseVerdict(n int64, kind NoiseKind, bounded bool, length, sigma float64) (Verdict, error) {
	switch kind {
	case Laplace, Normal, Uniform, Triangular, Truncated:
	default:
		return Verdict{}, i18n.Errorf("noise %q, want laplace, normal, uniform, triangular or truncated", kind)
	}
	if err := CheckSample(n, n); err != nil {
		return Verdict{}, err
	}
	switch {
	case bounded && length < 0:
		return Verdict{}, i18n.Errorf("a range of length %g, want at least 0", length)
	case bounded && length == 0:
		return Verdict{float64(n), "a constant attribute: all records agree"}, nil
	case !bounded:
		return Verdict{1, "Theorem 5.1: no additive noise protects an attribute without bounds"}, nil
	case kind == Normal:
		return Verdict{1, "Theorem 5.3: normal noise does not protect, whatever its variance"}, nil
	case kind != Laplace:
		return Verdict{1, "Theorem 5.2, Corollary 5.1: noise of bounded support does not protect"}, nil
	case !(sigma >= 0):
		return Verdict{}, i18n.Errorf("scale %g, want at least 0", sigma)
	}
	return Verdict{LaplaceK(n, length, sigma), "Theorem 6.1: k = 1 + (N-1) exp(-2D/sigma)"}, nil
}
