package risk

import (
	"math"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A Pitman is an estimate of population uniques by the Ewens–Pitman sampling formula (Hoshino, Applying Pitman's
// sampling formula to microdata disclosure risk assessment, Journal of Official Statistics 17(4), 2001).
type Pitman struct {
	Theta, Alpha float64
	// Uniques is Γ(θ+1)/Γ(θ+α) N^α, the expected number for N well above θ. For N below θ it may exceed N and is
	// meaningless then.
	Uniques float64
}

// errNoFit says that the likelihood has no maximum in the interior of the parameter range.
var errNoFit = i18n.New("risk: the likelihood of the Pitman model has no interior maximum")

// newPitman fits θ and α in (0, 1) by maximum likelihood. With u classes, n records and C_j classes of size j, the
// log-likelihood is
//
//	L = Σ_{i=1}^{u−1} ln(θ+iα) − Σ_{i=1}^{n−1} ln(θ+i) + Σ_j C_j Σ_{i=1}^{j−1} ln(i−α).
//
// For each α exactly one θ = θ(α) has ∂L/∂θ = 0, and [pitman.slope] has the sign of the slope of L(θ(α), α). The slope
// is negative at α = 1. If it is not positive at α = 0, the maximum is not in the interior: errNoFit. This is so for
// classes that are nearly equal or all of size 1, and always if no class has three records. Cost: about 2,500
// evaluations of sums, each with about 1,500 terms and linear in the number of different sizes.
func newPitman(h Histogram, population uint64) (Pitman, error) {
	n, _, err := sampleOf(h, population)
	if err != nil {
		return Pitman{}, err
	}
	p := newPitmanLikelihood(h, n)
	if p.u < 2 || p.u >= n {
		return Pitman{}, errNoFit
	}
	if up, down := p.slope(0); !(up-down > slopeTolerance*(up+down)) {
		return Pitman{}, errNoFit
	}
	lo, hi := 0.0, 1-1e-12
	if up, down := p.slope(hi); !(up < down) {
		return Pitman{}, errNoFit
	}
	for range 60 {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			break
		}
		if up, down := p.slope(mid); up > down {
			lo = mid
		} else {
			hi = mid
		}
	}
	return p.at(hi, float64(population)), nil
}

// at returns the model with this α and its θ.
func (p *pitman) at(alpha, population float64) Pitman {
	over := p.theta(alpha)
	return Pitman{over - alpha, alpha, math.Exp(lgammaStep(over, 1-alpha) + float64(alpha*math.Log(population)))}
}

// fraction returns the probability parameter of the negative binomial distribution that F−f approximately has: among
// N−n further people the share of a class is beta distributed with parameters f−α and n+θ−f+α.
func (p Pitman) fraction(n, population float64) float64 {
	return (n + p.Theta) / (population + p.Theta)
}

// widen extends the intervals as far as α may vary within three standard deviations, that is, to where the
// log-likelihood is 9/2 below its maximum.
func (x Pitman) widen(h Histogram, n, population float64, m *Model) {
	p := newPitmanLikelihood(h, n)
	least := p.log(x.Alpha) - 4.5
	for _, end := range []float64{0, 1 - 1e-9} {
		in, out := x.Alpha, end
		for range 30 {
			if mid := (in + out) / 2; p.log(mid) > least {
				in = mid
			} else {
				out = mid
			}
		}
		y := p.at(in, population)
		found, chance := 0.0, y.fraction(n, population)
		for _, s := range h {
			found += float64(float64(s.Records) * tailedRisk(s.Size, y.Alpha, chance))
		}
		reach := func(i *Interval, x, most float64) {
			d := x - i.Estimate
			side := math.Max(i.To-i.Estimate, i.Estimate-i.From)
			if wide := math.Sqrt(float64(d*d) + float64(side*side)); d > 0 {
				i.To = math.Min(most, i.Estimate+wide)
			} else {
				i.From = math.Max(0, i.Estimate-wide)
			}
		}
		reach(&m.Reidentified, found, n)
		reach(m.Uniques, y.Uniques, population)
	}
}

// A pitman is the likelihood of the Pitman model for a sample. Instead of θ it uses s = θ+α > 0, so that θ+iα =
// s+(i−1)α and θ+i = s+(i−α) are sums of nonnegative terms.
type pitman struct {
	n, u  float64 // number of records and classes
	sizes Histogram
}

func newPitmanLikelihood(h Histogram, n float64) *pitman {
	p := &pitman{n: n, sizes: h}
	for _, s := range h {
		p.u += float64(s.Classes)
	}
	return p
}

// log returns L(θ(α), α).
func (p *pitman) log(alpha float64) float64 {
	s := p.theta(alpha)
	l := sumOver(1, p.u-1, func(i float64) float64 { return math.Log(s + float64((i-1)*alpha)) })
	l -= sumOver(1, p.n-1, func(i float64) float64 { return math.Log(s + (i - alpha)) })
	for _, c := range p.sizes {
		if c.Size > 1 {
			l += float64(float64(c.Classes) * sumOver(1, float64(c.Size-1), func(i float64) float64 { return math.Log(i - alpha) }))
		}
	}
	return l
}

// slopeTolerance is the part of its terms that the slope at α = 0 must exceed to count as positive. The terms are
// accurate to about 10^−12.
const slopeTolerance = 1e-10

// slope returns (1−α) times the slope of L(θ(α), α), 0 ≤ α < 1, as the
// difference up − down of sums of positive terms,
//
//	up = Σ_j C_j Σ_{i=2}^{j−1} (i−1)/(i−α),   down = Σ_{i=u}^{n−1} (i−u)/(θ+i) + Σ_{i=1}^{u−1} (u−i) w_i ,
//	w_i = (1−α) i/((θ+iα)(θ+i)) .
//
// It follows from ∂L/∂α = Σ i/(θ+iα) − Σ_j C_j Σ_{i=1}^{j−1} 1/(i−α), whose terms may nearly cancel, using ∂L/∂θ = 0 in
// the form Σ_{i<u} w_i = Σ_{i=u}^{n−1} 1/(θ+i).
func (p *pitman) slope(alpha float64) (up, down float64) {
	s := p.theta(alpha)
	for _, c := range p.sizes {
		if c.Size > 2 {
			up += float64(float64(c.Classes) * sumOver(2, float64(c.Size-1), func(i float64) float64 { return (i - 1) / (i - alpha) }))
		}
	}
	down = sumOver(p.u, p.n-1, func(i float64) float64 { return (i - p.u) / (s + (i - alpha)) })
	down += sumOver(1, p.u-1, func(i float64) float64 { return (p.u - i) * p.weight(i, s, alpha) })
	return up, down
}

// weight returns w_i.
func (p *pitman) weight(i, s, alpha float64) float64 {
	return (1 - alpha) * i / ((s + float64((i-1)*alpha)) * (s + (i - alpha)))
}

// theta returns the s with ∂L/∂θ = 0. It is unique: (s+x)^−2 is totally positive, and the numbers of iα and of i below
// x change order once.
func (p *pitman) theta(alpha float64) float64 {
	rising := func(s float64) bool { // ∂L/∂θ > 0
		w := sumOver(1, p.u-1, func(i float64) float64 { return p.weight(i, s, alpha) })
		return w > sumOver(p.u, p.n-1, func(i float64) float64 { return 1 / (s + (i - alpha)) })
	}
	lo, hi := 1.0, 1.0
	for !rising(lo) { // ∞ at s = 0
		hi = lo
		lo /= 16
	}
	for lo == hi || rising(hi) { // (u−n)/s far out
		lo = hi
		hi *= 16
	}
	for hi/lo > 1+1e-15 {
		mid := math.Sqrt(lo) * math.Sqrt(hi)
		if mid <= lo || mid >= hi {
			break
		}
		if rising(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// sumDirect is the number of terms from which on a sum is computed as an integral.
const sumDirect = 512

// sumOver returns Σ_{i=a}^{b} f(i), a ≥ 1, for an f without singularities in the right half plane and smooth over i…2i.
// Terms up to sumDirect are added; the others are
//
//	Σ = ∫_{c−1/2}^{b+1/2} f − (f′(b+1/2) − f′(c−1/2))/24 + …
//
// by Gauss's rule on c…2c…4c and so on. The relative error is about 10^−13.
func sumOver(a, b float64, f func(float64) float64) float64 {
	total, i := 0.0, a
	for ; i <= b && i < sumDirect; i++ {
		total += f(i)
	}
	if i > b {
		return total
	}
	if b-i < sumDirect {
		for ; i <= b; i++ {
			total += f(i)
		}
		return total
	}
	total += (f(i) - f(i-1) - f(b+1) + f(b)) / 24
	for x, end := i-0.5, b+0.5; x < end; x *= 2 {
		half := float64((math.Min(2*x, end) - x) / 2)
		for k, node := range gaussNodes {
			total += float64(half * gaussWeights[k] * (float64(f(x+half-float64(half*node))) + float64(f(x+half+float64(half*node)))))
		}
	}
	return total
}

// Gauss–Legendre rule with 16 nodes on −1…1; of each pair of nodes the positive one.
var (
	gaussNodes = [8]float64{
		0.0950125098376374401853193354249581, 0.2816035507792589132304605014604961, 0.4580167776572273863424194429835776, 0.6178762444026437484466717640487910,
		0.7554044083550030338951011948474422, 0.8656312023878317438804678977123931, 0.9445750230732325760779884155346083, 0.9894009349916499325961541734503326}
	gaussWeights = [8]float64{
		0.1894506104550684962853967232082831, 0.1826034150449235888667636679692199, 0.1691565193950025381893120790303600, 0.1495959888165767320815017305474786,
		0.1246289712555338720524762821920164, 0.0951585116824927848099251076022462, 0.0622535239386478928628438369943776, 0.0271524594117540948517805724560181}
)

// lgammaStep returns ln Γ(x+c) − ln Γ(x) for x > 0 and 0 ≤ c ≤ 1; for large x by the difference of Stirling's series,
// as the two logarithms nearly cancel.
func lgammaStep(x, c float64) float64 {
	if x < 64 {
		a, _ := math.Lgamma(x + c)
		b, _ := math.Lgamma(x)
		return a - b
	}
	series := func(y float64) float64 { return (1.0/12 - (1.0/360-1.0/1260/(y*y))/(y*y)) / y }
	return float64((x-0.5)*math.Log1p(c/x)) + float64(c*math.Log(x+c)) - c + (series(x+c) - series(x))
}
