package compare

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// A Propensity measures how well records of the release can be told from records of the original.
type Propensity struct {
	// PMSE is 1/N Σ (p̂ − c)², where c is the share of the release among all N records.
	PMSE float64
	// Expected is PMSE for records drawn from the correct model of the original: (k−1)(1−c)²c/N for k parameters. Two
	// samples of one population have 1/(1−c) times as much.
	Expected float64
	// Share is PMSE/(c(1−c)): 0 for files that cannot be told apart, 1 for files that always can.
	Share float64
	// Parameters is the number of parameters of the model, including the constant.
	Parameters int
}

// Ratio is PMSE/Expected.
func (p *Propensity) Ratio() float64 { return p.PMSE / p.Expected }

// mostLevels is how many categories of a column get a parameter of their own.
const mostLevels = 30

// ErrPropensity is returned for a model with too many parameters to fit.
var ErrPropensity = i18n.New("too many columns for a propensity score: more than 400 parameters")

// design returns the columns of the model for one column of the files: a standardised number and an indicator of
// missing ones; for a category, an indicator for each but the most frequent, with the rarest sharing one.
func design(files []*Records, k int) [][]float64 {
	if files[0].X[k] != nil {
		var x, blank []float64
		for _, f := range files {
			x = append(x, f.X[k]...)
		}
		mean, sd := moments(x)
		some := false
		for i, v := range x {
			blank = append(blank, 0)
			switch {
			case math.IsNaN(v):
				x[i], blank[i], some = 0, 1, true
			case sd > 0:
				x[i] = (v - mean) / sd
			default:
				x[i] = 0
			}
		}
		var list [][]float64
		if sd > 0 {
			list = append(list, x)
		}
		if some && sd > 0 {
			list = append(list, blank)
		}
		return list
	}
	count := map[uint32]int{}
	var all []uint32
	first := map[uint32]int{}
	for _, f := range files {
		for _, id := range f.ID[k] {
			if count[id]++; count[id] == 1 {
				first[id] = len(all)
			}
			all = append(all, id)
		}
	}
	levels := slices.SortedFunc(maps.Keys(count), func(a, b uint32) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(first[a], first[b]))
	})
	at := map[uint32]int{}
	for n, id := range levels {
		at[id] = min(n, mostLevels) - 1 // −1 for the most frequent
	}
	list := sets.List(min(len(levels), mostLevels+1)-1, func(int) []float64 { return make([]float64, len(all)) })
	for i, id := range all {
		if n := at[id]; n >= 0 {
			list[n][i] = 1
		}
	}
	return list
}

// MeasurePropensity fits a logistic regression, with every column and no interactions, of whether a record is from the
// release, and returns its propensity score mean squared error.
//
// Source: Snoke, Raab, Nowok, Dibben and Slavković, General and specific utility measures for
// synthetic data (JRSS A 2018), section 3. Newton's method; cost: a step N·k².
func MeasurePropensity(ctx context.Context, original, release *Records) (*Propensity, error) {
	files := []*Records{original, release}
	n := original.N + release.N
	constant := slices.Repeat([]float64{1}, n)
	x := [][]float64{constant}
	for k := range original.X {
		x = append(x, design(files, k)...)
	}
	const mostParameters = 400
	if len(x) > mostParameters {
		return nil, ErrPropensity
	}
	score, err := logistic(ctx, x, original.N)
	if err != nil {
		return nil, err
	}
	c := float64(release.N) / float64(n)
	p := &Propensity{Parameters: len(x)}
	for _, s := range score {
		p.PMSE += (s - c) * (s - c) / float64(n)
	}
	if p.PMSE < slack {
		p.PMSE = 0 // it is 0 but for rounding
	}
	p.Expected = float64(len(x)-1) * (1 - c) * (1 - c) * c / float64(n)
	p.Share = p.PMSE / (c * (1 - c))
	return p, nil
}

// logistic fits the chances that records from number zeros on have outcome 1, and returns the chances of all records. A
// slight penalty keeps the parameters finite if the files can be told apart.
func logistic(ctx context.Context, x [][]float64, zeros int) ([]float64, error) {
	k, n := len(x), len(x[0])
	const penalty, steps, settled = 1e-6, 50, 1e-10
	b := make([]float64, k)
	score := make([]float64, n)
	row := make([]float64, k)
	predict := func() {
		for i := range score {
			z := 0.0
			for j := range b {
				z += float64(b[j] * x[j][i])
			}
			score[i] = 1 / (1 + math.Exp(-z))
		}
	}
	predict()
	for range steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		h := mat.NewSymDense(k, nil)
		g := mat.NewVecDense(k, nil)
		for j := range b {
			h.SetSym(j, j, penalty)
			g.SetVec(j, -penalty*b[j])
		}
		raw, gradient := h.RawSymmetric(), g.RawVector().Data
		for i, s := range score {
			y := 0.0
			if i >= zeros {
				y = 1
			}
			w := s * (1 - s)
			for j := range row {
				row[j] = x[j][i]
				gradient[j] += float64(row[j] * (y - s))
			}
			for j, v := range row {
				if v == 0 {
					continue
				}
				line := raw.Data[j*raw.Stride:]
				for l := j; l < k; l++ {
					line[l] += float64(w * v * row[l])
				}
			}
		}
		var cholesky mat.Cholesky
		if !cholesky.Factorize(h) {
			break
		}
		var step mat.VecDense
		if err := cholesky.SolveVecTo(&step, g); err != nil {
			var bad mat.Condition
			if !errors.As(err, &bad) {
				return nil, err
			}
		}
		most := 0.0
		for j := range b {
			d := min(5, max(-5, step.AtVec(j)))
			b[j] += d
			most = max(most, math.Abs(d))
		}
		predict()
		if most < settled {
			break
		}
	}
	return score, nil
}
