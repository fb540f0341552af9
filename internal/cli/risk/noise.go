package risk

import (
	"math"
	"math/big"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// noiseRisk is hitoku risk noise.
type noiseRisk struct {
	n             int64
	ranges, sigma []*big.Rat
	sd, k         *big.Rat
	kind          string
	unbounded     bool
	normalised    bool
	limit         minK
	out           riskOutput
}

func newRiskNoise() *cobra.Command {
	s := &noiseRisk{kind: "laplace"}
	cmd := &cobra.Command{
		Use:   "noise --n N --range R,... (--sigma S | --sd S | --k K)",
		Short: "Guarantee of noise added to numeric attributes, or the noise for a target",
		Long: `Noise of density exp(−|x|/sigma)/(2·sigma) is added to each numeric attribute of each of
n records. Against an attacker who knows the whole table, each link has a chance of at
most 1/k, with D the sum of the ranges of the attributes (largest value less smallest):

  k = 1 + (n−1)·exp(−2D/sigma)

or, with a sigma for each, −2 times the sum of range/sigma. sigma is the scale; the variance is 2·sigma², so --sd S means sigma = S/√2. With --k the
smallest sigma is found, once for all attributes and once for attributes normalised to the
range 0 to 1, with the scale of each in its own units. Exit code 1 if k cannot be reached.

No noise protects an attribute without bounds (--unbounded), and normal noise and noise of
bounded support protect none in the worst case: k = 1. That is shown with its theorem.`,
		Example: `  hitoku risk noise --n 101 --range 100 --k 2
  hitoku risk noise --n 10000 --range 100,5000000 --k 5
  hitoku risk noise --n 100 --range 1 --kind normal`,
		Args: cli.NoArgs,
		RunE: named(s.run),
	}
	kinds := []string{"laplace", "normal", "uniform", "triangular", "truncated"}
	flags.Declare(cmd, released([]flags.Flag{
		{Name: "n", To: &s.n, Wanted: true, Text: "`number` of records"},
		{Name: "range", To: ratsValue{&s.ranges}, Wanted: true, Unless: []string{"unbounded"}, Excludes: []string{"unbounded"}, Text: "range of each attribute (`numbers` with commas)"},
		{Name: "unbounded", To: &s.unbounded, Text: "some attribute has no bounds"},
		{Name: "sigma", To: ratsValue{&s.sigma}, Excludes: []string{"sd", "k"}, Text: "scale of the noise, one for all attributes or one each (`numbers` with commas)"},
		{Name: "sd", To: ratValue{&s.sd}, Excludes: []string{"k"}, Text: "standard deviation of Laplace noise, instead of --sigma"},
		{Name: "k", To: ratValue{&s.k}, Range: "[1, ∞)", Excludes: []string{"min-k", "normalised"}, Text: "target k: find sigma"},
		{Name: "kind", To: &s.kind, From: kinds, Text: "law of the noise; truncated is any of bounded support"},
		{Name: "normalised", Rare: true, To: &s.normalised, Text: "sigma is for attributes normalised to the range 0 to 1"},
	}, &s.limit, &s.out)...)
	flags.Common(cmd, "--n 101", "--range 100", "--k 2", "--sigma 30", "--kind normal")
	return cmd
}

func (s *noiseRisk) run(cmd *cobra.Command, _ []string) error {
	if err := (risk.Sampling{N: s.n, M: s.n, N0: s.n}).Check(); err != nil {
		return err
	}
	d, ranges := new(big.Rat), floats(s.ranges)
	for i, r := range s.ranges {
		if r.Sign() < 0 {
			return i18n.Errorf("--range %s: want at least 0", r.RatString())
		}
		if s.normalised && r.Sign() > 0 {
			r, ranges[i] = big.NewRat(1, 1), 1
		}
		d.Add(d, r)
	}
	length, _ := d.Float64()
	noisy := document.Noisy{Kind: s.kind, N: s.n}
	if s.ranges != nil {
		noisy.Ranges, noisy.RangesFloat = document.Ratios(s.ranges)
	}
	useful := s.kind == "laplace" && !s.unbounded
	if s.k != nil {
		return s.reach(cmd, &document.NoiseTarget{Noisy: noisy, Target: target(s.k)}, useful, length, ranges)
	}
	doc := &document.Noise{Noisy: noisy}
	m := newMeasure(doc, "noise")
	var scales []float64
	switch {
	case s.sd != nil:
		scales = []float64{floats([]*big.Rat{s.sd})[0] / math.Sqrt2}
	case s.sigma != nil:
		scales = floats(s.sigma)
	case useful && d.Sign() > 0:
		return i18n.New("want --sigma, --sd or --k")
	default:
		scales = []float64{0}
	}
	if len(scales) != 1 && len(scales) != len(s.ranges) {
		return i18n.Errorf("--sigma: %d numbers for %d attributes, want 1 or %d", len(scales), len(s.ranges), len(s.ranges))
	}
	for _, sigma := range scales {
		if sigma < 0 {
			return i18n.Errorf("scale %g, want at least 0", sigma)
		}
	}
	k, why, err := risk.NoiseVerdict(s.n, s.kind, !s.unbounded, length, scales[0])
	if err != nil {
		return err
	}
	if useful {
		deviations := []float64{}
		for _, sigma := range scales {
			deviations = append(deviations, sigma*math.Sqrt2)
		}
		doc.Sigma, doc.SD = scales, deviations
		if len(scales) > 1 {
			sum := 0.0
			for i, r := range ranges {
				if r > 0 {
					sum += r / scales[i]
				}
			}
			k = risk.LaplaceK(s.n, sum, 1)
		}
	}
	doc.K, doc.Why = k, why
	m.limits = s.limit.roughly(k)
	return m.print(cmd, &s.out)
}

// reach finds the noise that reaches a k.
func (s *noiseRisk) reach(cmd *cobra.Command, doc *document.NoiseTarget, useful bool, length float64, ranges []float64) error {
	m := newMeasure(doc, "noise")
	if !useful {
		k, why, err := risk.NoiseVerdict(s.n, s.kind, !s.unbounded, length, 0)
		if err != nil {
			return err
		}
		doc.Why = why
		if k < floats([]*big.Rat{s.k})[0] {
			doc.Sigma = document.Null[float64]()
			return m.infeasible(cmd, &s.out, i18n.T("k = %s cannot be reached: %s", s.k.RatString(), i18n.Term(why)))
		}
		doc.K = document.Some(k)
		return m.print(cmd, &s.out)
	}
	sigma, ok := risk.LaplaceSigma(s.n, length, s.k)
	wide := 0.0 // number of attributes that need noise; each has length 1 once normalised
	for _, r := range ranges {
		if r > 0 {
			wide++
		}
	}
	norm, _ := risk.LaplaceSigma(s.n, wide, s.k)
	scales := sets.Each(ranges, func(r float64) float64 { return norm * r })
	doc.Sigma, doc.Normalised, doc.Scales = document.SomeIf(ok, sigma), document.SomeIf(ok, norm), document.SomeIf(ok, scales)
	if !ok {
		return m.infeasible(cmd, &s.out, i18n.T("no noise reaches k = %s with %d records", s.k.RatString(), s.n))
	}
	doc.K, doc.Formula, doc.Source = document.Some(risk.LaplaceK(s.n, length, sigma)), "2D/ln((n−1)/(k−1))", "Laplace noise for Pk-anonymity, Theorem 6.1"
	return m.print(cmd, &s.out)
}

// mixedRisk is hitoku risk mixed.
type mixedRisk struct {
	n       int64
	values  []*big.Rat
	numeric int
	rho, k  *big.Rat
	weight  string
	limit   minK
	out     riskOutput
}

func newRiskMixed() *cobra.Command {
	s := &mixedRisk{weight: "pi/4"}
	cmd := &cobra.Command{
		Use:   "mixed --n N --values V,... --numeric D (--k K | --rho RHO)",
		Short: "Guarantee of retention–replacement and Laplace noise together",
		Long: `Categorical attributes with V values each are kept with chance rho and otherwise replaced;
D numeric ones, brought to the range 0 to 1, get Laplace noise of scale sigma = tan(w·(1−rho)):

  k = 1 + (n−1) · Π ((1−rho)/(1+(V−1)rho))² · exp(−2D/sigma)

With w = π/4, that of the source, sigma is at most 1 and the largest k is
1 + (n−1)·exp(−2D); with --weight pi/2 every k below n can be reached. With --k the largest
rho is found; exit code 1 if there is none.`,
		Example: `  hitoku risk mixed --n 10000 --values 2,5 --numeric 1 --k 5
  hitoku risk mixed --n 100 --values 2 --numeric 2 --k 5 --weight pi/2`,
		Args: cli.NoArgs,
		RunE: named(s.run),
	}
	flags.Declare(cmd, released([]flags.Flag{
		{Name: "n", To: &s.n, Wanted: true, Text: "`number` of records"},
		{Name: "values", To: ratsValue{&s.values}, Text: "number of values of each categorical attribute (`numbers` with commas)"},
		{Name: "numeric", To: &s.numeric, Text: "`number` of numeric attributes that are not constant"},
		{Name: "rho", To: ratValue{&s.rho}, Text: "chance that a value is kept"},
		{Name: "k", To: ratValue{&s.k}, Range: "[1, ∞)", Wanted: true, Unless: []string{"rho"}, Excludes: []string{"rho", "min-k"}, Text: "target k: find rho"},
		{Name: "weight", To: &s.weight, From: []string{"pi/4", "pi/2"}, Text: "w of sigma = tan(w·(1−rho))"},
	}, &s.limit, &s.out)...)
	flags.Common(cmd, "--n 1000", "--values 2,10", "--numeric 1", "--rho 0.7", "--k 5")
	return cmd
}

func (s *mixedRisk) run(cmd *cobra.Command, _ []string) error {
	values, err := wholes("values", s.values)
	if err != nil {
		return err
	}
	x := risk.Mix{N: s.n, Categorical: values, Numeric: s.numeric, Wide: s.weight == "pi/2"}
	if err := x.Check(); err != nil {
		return err
	}
	doc := &document.Mixed{N: s.n, Categorical: append([]int64{}, values...), Numeric: s.numeric, Weight: s.weight, KMax: x.MaxK(), Target: target(s.k)}
	m := newMeasure(doc, "mixed")
	var rho float64
	if s.k != nil {
		k := floats([]*big.Rat{s.k})[0]
		var ok bool
		if rho, ok = x.Rho(k); !ok {
			return m.infeasible(cmd, &s.out, i18n.T("k = %s cannot be reached with weight %s: the largest is %.6g", s.k.RatString(), s.weight, x.MaxK()))
		}
	} else {
		if s.rho.Sign() < 0 || s.rho.Cmp(big.NewRat(1, 1)) > 0 {
			return i18n.Errorf("--rho %s: want 0 to 1", s.rho.RatString())
		}
		rho = floats([]*big.Rat{s.rho})[0]
	}
	doc.Rho, doc.Sigma, doc.K = document.Some(rho), document.Some(x.Sigma(rho)), document.Some(x.K(rho))
	doc.Formula = "1 + (n−1)·Π((1−rho)/(1+(V−1)rho))²·exp(−2D/sigma), sigma = tan(weight·(1−rho))"
	doc.Source = "Laplace noise for Pk-anonymity, section 6.1"
	m.limits = s.limit.roughly(x.K(rho))
	return m.print(cmd, &s.out)
}
