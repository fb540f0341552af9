package risk

import (
	"cmp"
	"context"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Weighted adds up, exactly, amounts such as survey weights of the records of each class.
type Weighted struct {
	Classes
	sum []Amount // sum of each class
}

// NewWeighted prepares sums of the first amount read, for classes by the first qi of columns.
func NewWeighted(columns *Columns, qi int) *Weighted {
	return &Weighted{Classes: *NewClasses(columns, qi)}
}

// AddBatch adds records that a Scanner has read.
func (w *Weighted) AddBatch(b *Batch) error {
	if err := w.Classes.addRows(b); err != nil {
		return err
	}
	for r := range b.N {
		if err := w.addSum(int(b.groups[r]), b.Amounts[r*b.amounts]); err != nil {
			return &recordError{r, i18n.T("%s", err)}
		}
	}
	return nil
}

func (w *Weighted) addSum(g int, a Amount) error {
	for len(w.sum) < w.t.n {
		w.sum = append(w.sum, make([]Amount, max(16, min(len(w.sum), 1<<20)))...)
	}
	var ok bool
	if w.sum[g], ok = w.sum[g].plus(a); !ok {
		return i18n.New("the amounts of a class add up to more than 3.4e20")
	}
	return nil
}

// Add adds n equal records, whose weights sum to weight, with these values of the quasi-identifiers.
func (w *Weighted) Add(n uint64, weight Amount, values ...string) error {
	ids, err := w.number(values)
	if err != nil || n == 0 {
		return err
	}
	g, err := w.addN(ids[:w.t.w], n)
	if err != nil {
		return err
	}
	if err := w.addSum(int(g), weight); err != nil {
		return i18n.Errorf("risk: %w", err)
	}
	return w.fits()
}

// Merge adds what o has added up.
func (w *Weighted) Merge(o *Weighted) error {
	_, err := w.mergeSums(o)
	return err
}

// mergeSums adds the sums of o and returns the number that each of its classes has here.
func (w *Weighted) mergeSums(o *Weighted) ([]uint32, error) {
	to, err := w.merge(&o.Classes)
	if err != nil {
		return nil, err
	}
	for g, k := range to {
		if err := w.addSum(int(k), o.sum[g]); err != nil {
			return nil, i18n.Errorf("risk: %w", err)
		}
	}
	return to, nil
}

var errWeights = i18n.New("risk: the weights add up to more than 3.4e20")

// atLeast returns the sum of weights of a class, or f, the number of its records, if they sum to less.
func (w *Weighted) atLeast(g int, f uint64) Amount {
	if least := amountOf(f); w.sum[g].compare(least) < 0 {
		return least
	}
	return w.sum[g]
}

// SurveyRisk is the result of Weighted.Risk. For a class of f records whose weights sum to F̂, the sampling fraction is
// p = f/F̂, and the individual risk is E[1/F|f] as computed by individualRisk.
type SurveyRisk struct {
	Missing                          MissingMode
	Records, Excluded                uint64
	WithMissing, AllMissing          uint64
	Classes                          uint64
	K, Uniques                       uint64
	Population                       Amount  // sum of all weights that count
	MaxRisk, MaxApprox               float64 // 0 without records
	Reidentified, ReidentifiedApprox float64 // sums over records
	AverageRisk, AverageApprox       float64
	Histogram                        []Share // histogram of the risk
	Worst                            []ClassRisk
	// Light is the number of classes whose weights sum to less than their number of records, and Lightest the first of
	// them by its values. Calibration produces such weights; as F ≥ f, p is taken as 1.
	Light        uint64
	Lightest     *ClassRisk
	frequency    []uint64
	sum          []Amount
	risk, approx []float64
}

// A ClassRisk is a class with the individual risk of its records.
type ClassRisk struct {
	Tuple     []string
	Records   uint64
	Frequency uint64
	Weights   string
	Risk      float64
	Approx    float64
}

// Risk computes individual risks and lists the n worst classes. With missing values as wildcards, f and F̂ are those of
// all compatible records, which may take long. Weights that sum to less than the number of records of a class count as
// that number. If ctx ends, it returns an error that wraps ctx.Err().
func (w *Weighted) Risk(ctx context.Context, m Missing, n int) (*SurveyRisk, error) {
	f, missing, err := w.frequencies(ctx, m)
	if err != nil {
		return nil, err
	}
	r := &SurveyRisk{Missing: cmp.Or(m.Mode, Own), Excluded: missing.excluded, WithMissing: missing.records, AllMissing: missing.all,
		frequency: f, sum: slices.Clone(w.sum[:min(len(w.sum), w.t.n)]), risk: make([]float64, w.t.n), approx: make([]float64, w.t.n)}
	ok := true
	if m.Mode == Wildcard {
		r.sum, err = compatible(ctx, &w.Classes, w.patterns(m.Markers), r.sum, func(a *Amount, b Amount) {
			sum, fits := a.plus(b)
			*a, ok = sum, ok && fits
		})
		if err != nil {
			return nil, err
		}
	}
	var bars shares
	type group struct{ risk, approx float64 }
	records := map[group]uint64{} // floats are summed in canonical order
	light := []int{}
	for g, f := range f {
		if f == 0 {
			continue
		}
		size := w.t.count(g)
		r.Records += size
		r.Classes++
		if r.K == 0 || f < r.K {
			r.K = f
		}
		if f == 1 {
			r.Uniques += size
		}
		var fits bool
		r.Population, fits = r.Population.plus(w.sum[g])
		ok = ok && fits
		p := 1.0
		if at := r.sum[g].compare(amountOf(f)); at > 0 {
			p = float64(f) / r.sum[g].float()
		} else if at < 0 {
			light = append(light, g)
		}
		x := group{individualRisk(f, p), individualRiskApprox(f, p)}
		r.risk[g], r.approx[g] = x.risk, x.approx
		records[x] += size
		bars.add(x.risk, size)
		r.MaxRisk, r.MaxApprox = max(r.MaxRisk, x.risk), max(r.MaxApprox, x.approx)
	}
	if !ok {
		return nil, errWeights
	}
	if r.Light = uint64(len(light)); r.Light > 0 {
		x := r.class(&w.Classes, slices.MinFunc(light, w.compareTuples))
		r.Lightest = &x
	}
	exact, approx := make([]float64, 0, len(records)), make([]float64, 0, len(records))
	for x, n := range records {
		exact, approx = append(exact, float64(n)*x.risk), append(approx, float64(n)*x.approx)
	}
	r.Reidentified, r.ReidentifiedApprox = sum(exact), sum(approx)
	if r.Records > 0 {
		r.AverageRisk, r.AverageApprox = r.Reidentified/float64(r.Records), r.ReidentifiedApprox/float64(r.Records)
	}
	r.Histogram = bars.list()
	for _, g := range worst(n, w.t.n, func(g int) bool { return f[g] > 0 }, func(a, b int) int {
		return cmp.Or(cmp.Compare(r.risk[b], r.risk[a]), w.compareTuples(a, b))
	}) {
		r.Worst = append(r.Worst, r.class(&w.Classes, g))
	}
	return r, nil
}

func (r *SurveyRisk) class(c *Classes, g int) ClassRisk {
	return ClassRisk{c.Tuple(g), c.t.count(g), r.frequency[g], r.sum[g].String(), r.risk[g], r.approx[g]}
}

// Class returns the risk of class g and its exact sum of weights.
func (r *SurveyRisk) Class(c *Classes, g int) (ClassRisk, *big.Rat) {
	return r.class(c, g), r.sum[g].rat()
}

// sum adds numbers in ascending order, so that the result does not depend on the order in which they were found.
func sum(x []float64) float64 {
	slices.Sort(x)
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

// Above returns the number of records whose risk exceeds limit.
func (r *SurveyRisk) Above(c *Classes, limit float64) uint64 {
	n := uint64(0)
	for g, x := range r.risk {
		if r.frequency[g] > 0 && x > limit {
			n += c.t.count(g)
		}
	}
	return n
}
