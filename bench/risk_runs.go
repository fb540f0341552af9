package bench

import (
	"context"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/risk"
)

// riskScan reads a file of the benchmark; the columns further follow the quasi-identifiers.
func riskScan[A risk.Accumulator[A]](ctx context.Context, x *persons, further, amounts []string, fresh func(*risk.Columns) A) (A, error) {
	columns, err := risk.NewColumns(slices.Concat(x.qi, further)...)
	if err != nil {
		return *new(A), err
	}
	s, err := risk.NewScanner(risk.Layout{Workers: x.workers}, columns, amounts, func() A { return fresh(columns) })
	if err != nil {
		return *new(A), err
	}
	if err := s.ReadFile(ctx, x.path); err != nil {
		return *new(A), err
	}
	return s.Result()
}

func scanClasses(ctx context.Context, x *persons) (*risk.Classes, error) {
	return riskScan(ctx, x, nil, nil, func(c *risk.Columns) *risk.Classes { return risk.NewClasses(c, len(x.qi)) })
}

func scanSensitive(ctx context.Context, x *persons) (*risk.Sensitive, error) {
	return riskScan(ctx, x, []string{"income"}, nil, func(c *risk.Columns) *risk.Sensitive { return risk.NewSensitive(c, len(x.qi)) })
}

// riskOf returns a run that measures what scan reads.
func riskOf[A interface{ Len() int }](scan func(ctx context.Context, x *persons) (A, error), measure func(ctx context.Context, x *persons, a A) (float64, error)) riskRun {
	return func(ctx context.Context, x *persons) (float64, int64, error) {
		a, err := scan(ctx, x)
		if err != nil {
			return 0, 0, err
		}
		value, err := measure(ctx, x, a)
		return value, int64(a.Len()), err
	}
}

// blank treats empty fields as missing values that are compatible with all values.
var blank = risk.Missing{Mode: risk.Wildcard, Markers: []string{""}}

// riskK returns the expected number of re-identifications, to which every class contributes.
func riskK(mode risk.MissingMode) riskRun {
	return riskOf(scanClasses, func(ctx context.Context, x *persons, c *risk.Classes) (float64, error) {
		r, err := c.KAnonymity(ctx, risk.Missing{Mode: mode, Markers: blank.Markers}, 0)
		if err != nil {
			return 0, err
		}
		return r.Reidentified, nil
	})
}

// riskDiversity returns the sum of distinct l over classes, to which every class contributes.
func riskDiversity(missing risk.Missing) riskRun {
	return riskOf(scanSensitive, distinctPairs(missing))
}

func distinctPairs(missing risk.Missing) func(context.Context, *persons, *risk.Sensitive) (float64, error) {
	return func(ctx context.Context, x *persons, s *risk.Sensitive) (sum float64, err error) {
		r, err := s.LDiversity(ctx, missing, false, []uint64{2, 3}, 0)
		if err != nil {
			return 0, err
		}
		for l, n := range r[0].Histogram {
			sum += float64(l * n)
		}
		return sum, nil
	}
}

// ordered returns t of an ordered attribute.
func ordered(ctx context.Context, x *persons, s *risk.Sensitive) (float64, error) {
	r, err := s.TCloseness(ctx, risk.Missing{}, false, []risk.Distance{risk.Ordered}, 0)
	if err != nil {
		return 0, err
	}
	t, _ := r[0].T.Float64()
	return t, nil
}

// delta returns δ, which takes a logarithm for every pair.
func delta(ctx context.Context, x *persons, s *risk.Sensitive) (float64, error) {
	r, err := s.Likeness(ctx, risk.Missing{}, false, 0)
	if err != nil {
		return 0, err
	}
	return r[0].Delta, nil
}

// riskMap uses the file as its own population: it is read twice, and k-map equals k.
func riskMap(ctx context.Context, x *persons) (float64, int64, error) {
	return riskOf(scanClasses, func(ctx context.Context, x *persons, c *risk.Classes) (float64, error) {
		p := risk.NewPopulation(c, nil)
		s, err := risk.NewScanner(risk.Layout{Workers: x.workers}, c.Columns(), nil, p.Fresh)
		if err != nil {
			return 0, err
		}
		s.Known = true
		if err := s.ReadFile(ctx, x.path); err != nil {
			return 0, err
		}
		if p, err = s.Result(); err != nil {
			return 0, err
		}
		return float64(p.KMap(0).K), nil
	})(ctx, x)
}

var riskSurvey = riskOf(func(ctx context.Context, x *persons) (*risk.Weighted, error) {
	return riskScan(ctx, x, nil, []string{"weight"}, func(c *risk.Columns) *risk.Weighted { return risk.NewWeighted(c, len(x.qi)) })
}, func(ctx context.Context, x *persons, w *risk.Weighted) (float64, error) {
	r, err := w.Risk(ctx, risk.Missing{}, 0)
	if err != nil {
		return 0, err
	}
	return r.Reidentified, nil
})

// riskEntities counts the classes of persons instead of records.
func riskEntities(missing risk.Missing) riskRun {
	return func(ctx context.Context, x *persons) (float64, int64, error) {
		e, err := riskScan(ctx, x, []string{"id"}, nil, risk.NewEntities)
		if err != nil {
			return 0, 0, err
		}
		r, err := e.KAnonymity(ctx, missing, 0)
		if err != nil {
			return 0, 0, err
		}
		return float64(r.K), int64(r.Classes), nil
	}
}

// riskSpecials returns the number of minimal sample uniques.
var riskSpecials = riskOf(scanClasses, func(ctx context.Context, x *persons, c *risk.Classes) (float64, error) {
	r, err := c.Specials(ctx, risk.Missing{}, len(x.qi), 0.01, 0)
	if err != nil {
		return 0, err
	}
	return float64(r.MSUs), nil
})

// riskAll measures what hitoku risk all computes with a sensitive attribute; it returns the number of minimal sample
// uniques of up to four columns.
var riskAll = riskOf(scanSensitive, func(ctx context.Context, x *persons, s *risk.Sensitive) (float64, error) {
	for _, measure := range []func(context.Context, *persons, *risk.Sensitive) (float64, error){distinctPairs(risk.Missing{}), ordered, delta} {
		if _, err := measure(ctx, x, s); err != nil {
			return 0, err
		}
	}
	if _, err := s.KAnonymity(ctx, risk.Missing{}, 0); err != nil {
		return 0, err
	}
	r, err := s.Specials(ctx, risk.Missing{}, 4, 0.01, 0)
	if err != nil {
		return 0, err
	}
	return float64(r.MSUs) + 1, nil
})

// riskLattice searches for the least generalisation with k = 5: ages by 5, 10, 20; occupations by two digits and one;
// regions and occupations withheld last.
var riskLattice = riskOf(func(ctx context.Context, x *persons) (*risk.Sensitive, error) {
	return riskScan(ctx, x, nil, nil, func(c *risk.Columns) *risk.Sensitive { return risk.NewSensitive(c, len(x.qi)) })
}, func(ctx context.Context, x *persons, s *risk.Sensitive) (float64, error) {
	age, err := risk.NewBands([]*big.Rat{big.NewRat(5, 1), big.NewRat(10, 1), big.NewRat(20, 1)}, nil, nil)
	if err != nil {
		return 0, err
	}
	occupation, err := risk.NewPrefixes([]int{2, 1})
	if err != nil {
		return 0, err
	}
	l, err := risk.NewLattice(ctx, s, risk.Missing{}, []*risk.Hierarchy{risk.NewHierarchy().Withhold(), age.Withhold(), risk.NewHierarchy().Withhold(), occupation.Withhold()})
	if err != nil {
		return 0, err
	}
	r, err := l.Search(ctx, risk.Goal{K: 5}, nil)
	if err != nil {
		return 0, err
	}
	return float64(len(r.Minimal)), nil
})

// riskWithhold returns how many values are withheld to reach k = 3.
var riskWithhold = riskOf(scanClasses, func(ctx context.Context, x *persons, c *risk.Classes) (float64, error) {
	r, err := c.Withhold(ctx, risk.Missing{}, risk.Withholding{Goal: risk.Goal{K: 3}})
	if err != nil {
		return 0, err
	}
	return float64(r.Cells + 1), nil
})

// riskUniques returns the estimate of population uniques in a population twenty times as large.
var riskUniques = riskOf(scanClasses, func(ctx context.Context, x *persons, c *risk.Classes) (float64, error) {
	k, err := c.KAnonymity(ctx, risk.Missing{}, 0)
	if err != nil {
		return 0, err
	}
	u, err := risk.NewUniques(k.Histogram, 20*k.Records)
	if err != nil {
		return 0, err
	}
	return u.Estimate + 1, nil
})
