package risk

import (
	"github.com/hitoku/hitoku/internal/i18n"
)

// NoiseVerdict returns the k of Pk-anonymity of n records with independent noise added to a numeric attribute: noise of
// a law (laplace, normal, uniform, triangular, or truncated for any law of bounded support), the attribute's values in
// a range of the given length, or without bounds. sigma is the scale of Laplace noise; the parameters of the other laws
// do not matter, as these give k = 1, which is no protection in the worst case. why names the theorem:
//
//   - an attribute without bounds, whatever the noise (Theorem 5.1);
//   - noise of bounded support: uniform, triangular, truncated (Theorem 5.2, Corollary 5.1);
//   - normal noise, whatever its variance (Theorem 5.3).
//
// An attribute that is constant has k = N with any noise or none.
//
// Source: the document on noise for Pk-anonymity (実現不可能性, impossibility), section 5. The proof of Theorem 5.1 prints u
// + f(x) for u + x and f(y)f(−y)/f(x)² for f(x+y)f(x−y)/f(x)²; that of Theorem 5.2 (b−a)/2 for (a+b)/2; that of Theorem
// 5.3 σ² for 2σ² in exponents. The theorems hold.
func NoiseVerdict(n int64, law string, bounded bool, length, sigma float64) (k float64, why string, err error) {
	switch law {
	case "laplace", "normal", "uniform", "triangular", "truncated":
	default:
		return 0, "", i18n.Errorf("noise %q, want laplace, normal, uniform, triangular or truncated", law)
	}
	if err := checkSample(n, n); err != nil {
		return 0, "", err
	}
	switch {
	case bounded && length < 0:
		return 0, "", i18n.Errorf("a range of length %g, want at least 0", length)
	case bounded && length == 0:
		return float64(n), "a constant attribute: all records agree", nil
	case !bounded:
		return 1, "Theorem 5.1: no additive noise protects an attribute without bounds", nil
	case law == "normal":
		return 1, "Theorem 5.3: normal noise does not protect, whatever its variance", nil
	case law != "laplace":
		return 1, "Theorem 5.2, Corollary 5.1: noise of bounded support does not protect", nil
	case !(sigma >= 0):
		return 0, "", i18n.Errorf("scale %g, want at least 0", sigma)
	}
	return LaplaceK(n, length, sigma), "Theorem 6.1: k = 1 + (N-1) exp(-2D/sigma)", nil
}
