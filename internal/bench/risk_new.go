package bench

import (
	"context"
	"math/big"

	"github.com/hitoku/hitoku/risk"
)

// riskSpecials returns the number of minimal sample uniques.
func riskSpecials(path string, workers int) (float64, int64, error) {
	c, err := riskClasses(path, workers)
	if err != nil {
		return 0, 0, err
	}
	r, err := c.Specials(context.Background(), risk.Missing{}, len(riskQI), 0.01, 0)
	if err != nil {
		return 0, 0, err
	}
	return float64(r.MSUs), int64(c.Len()), nil
}

// riskBeta returns δ, which has a logarithm of every pair.
func riskBeta(path string, workers int) (float64, int64, error) {
	s, err := riskSensitive(path, workers)
	if err != nil {
		return 0, 0, err
	}
	r, err := s.Likeness(risk.Missing{}, false, 0)
	if err != nil {
		return 0, 0, err
	}
	return r[0].Delta, int64(s.Len()), nil
}

// riskLattice searches for the least coarse steps with k of 5: ages by 5, 10, 20, regions and occupations withheld last, occupations by two digits and one.
func riskLattice(path string, workers int) (float64, int64, error) {
	s, err := riskScan(path, workers, nil, nil, func(c *risk.Columns) *risk.Sensitive { return risk.NewSensitive(c, len(riskQI)) })
	if err != nil {
		return 0, 0, err
	}
	age, err := risk.NewBands([]*big.Rat{big.NewRat(5, 1), big.NewRat(10, 1), big.NewRat(20, 1)}, nil, nil)
	if err != nil {
		return 0, 0, err
	}
	occupation, err := risk.NewPrefixes([]int{2, 1})
	if err != nil {
		return 0, 0, err
	}
	l, err := risk.NewLattice(s, risk.Missing{}, []*risk.Hierarchy{risk.NewHierarchy().Withhold(), age.Withhold(), risk.NewHierarchy().Withhold(), occupation.Withhold()})
	if err != nil {
		return 0, 0, err
	}
	r, err := l.Search(context.Background(), risk.Goal{K: 5}, nil)
	if err != nil {
		return 0, 0, err
	}
	return float64(len(r.Minimal)), int64(s.Len()), nil
}

// riskWithhold returns how many values are withheld so that k is 3.
func riskWithhold(path string, workers int) (float64, int64, error) {
	c, err := riskClasses(path, workers)
	if err != nil {
		return 0, 0, err
	}
	r, err := c.Withhold(context.Background(), risk.Missing{}, 3, 0)
	if err != nil {
		return 0, 0, err
	}
	return float64(r.Cells + 1), int64(c.Len()), nil
}

// riskUniques returns the estimate of population uniques in a population of twenty times as many.
func riskUniques(path string, workers int) (float64, int64, error) {
	c, err := riskClasses(path, workers)
	if err != nil {
		return 0, 0, err
	}
	k, err := c.KAnonymity(risk.Missing{}, 0)
	if err != nil {
		return 0, 0, err
	}
	u, err := risk.NewUniques(k.Histogram, 20*k.Records)
	if err != nil {
		return 0, 0, err
	}
	return u.Estimate + 1, int64(c.Len()), nil
}

var blank = risk.Missing{Mode: risk.Wildcard, Markers: []string{""}}

// riskWildDiversity is riskDiversity with missing values as wildcards.
func riskWildDiversity(path string, workers int) (float64, int64, error) {
	s, err := riskSensitive(path, workers)
	if err != nil {
		return 0, 0, err
	}
	r, err := s.LDiversity(blank, false, []uint64{2, 3}, 0)
	if err != nil {
		return 0, 0, err
	}
	sum := 0.0
	for l, n := range r[0].Histogram {
		sum += float64(l * n)
	}
	return sum, int64(s.Len()), nil
}

// riskWildEntities is riskEntities with missing values as wildcards.
func riskWildEntities(path string, workers int) (float64, int64, error) {
	e, err := riskScan(path, workers, []string{"id"}, nil, risk.NewEntities)
	if err != nil {
		return 0, 0, err
	}
	r, err := e.KAnonymity(blank, 0)
	if err != nil {
		return 0, 0, err
	}
	return float64(r.K), int64(r.Classes), nil
}
