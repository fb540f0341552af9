package cellkey

import (
	"context"
	"math"

	"github.com/hitoku/hitoku/internal/parallel"
)

// average computes ŷ = x − ΣMᵀ(MΣMᵀ)⁻¹(Mx − b) and its variances Σ − ΣMᵀ(MΣMᵀ)⁻¹MΣ. Σ holds the variances in the
// table's rows of the published numbers, as the true ones are unknown. Cells that count the same records, which the
// office knows, have the same noise, so each such set is treated as one cell.
func (a *Attack) average(ctx context.Context, c *Counts, w *world) error {
	e := newEstimator(w)
	y, err := e.estimate(ctx)
	if err != nil {
		return err
	}
	v := &a.Averaging
	v.Before = math.Sqrt(e.last)
	v.Least = math.Inf(1)
	sum := 0.0
	for n := range c.Cells {
		x := &c.Cells[n]
		right := int64(math.Round(y[e.class[n]])) == x.N
		if right {
			v.Right++
		}
		if x.Published == x.N {
			v.Already++
		}
		if x.N <= small {
			v.Small++
			if right {
				v.SmallRight++
			}
		}
	}
	for n := range a.Cells {
		x := &a.Cells[n]
		x.Estimate = y[e.class[x.Index]]
		s, err := e.variance(ctx, e.class[x.Index])
		if err != nil {
			return err
		}
		x.Error = math.Sqrt(max(0, s))
		sum += s
		v.Looked++
		v.Least = min(v.Least, x.Error)
	}
	if v.Looked > 0 {
		v.Mean = math.Sqrt(max(0, sum/float64(v.Looked)))
	} else {
		v.Least = 0
	}
	return nil
}

// An estimator solves the normal equations of a world by conjugate gradients.
type estimator struct {
	class []int // class of each cell
	x     []float64
	sigma []float64 // variances, by class
	last  float64   // variance of the last row
	rows  [][]entry
	cols  [][]entry
	rhs   []float64
	seen  map[int]float64 // variances computed so far
}

type entry struct {
	at   int
	coef float64
}

func newEstimator(w *world) *estimator {
	e := &estimator{class: make([]int, len(w.counts)), seen: map[int]float64{}}
	type same struct {
		n   int64
		key Key
	}
	index := map[same]int{}
	variance := make([]float64, len(w.p.Rows))
	for n := range variance {
		variance[n], _ = w.p.Variance(n).Float64()
	}
	e.last = variance[len(variance)-1]
	for n := range w.counts {
		x := &w.counts[n]
		of := same{x.N, x.Key}
		k, ok := index[of]
		if !ok || x.N == 0 {
			k = len(e.x)
			index[of] = k
			e.x = append(e.x, float64(x.Published))
			s := variance[min(int64(len(variance)-1), max(x.Published, 1))]
			if w.lo[n] == w.hi[n] {
				s = 0
			}
			e.sigma = append(e.sigma, s)
		}
		e.class[n] = k
	}
	e.cols = make([][]entry, len(e.x))
	rel := w.t.Rel
	for j := range rel.Len() {
		cells, coefs := rel.Row(j)
		sum := map[int]float64{}
		var order []int
		for k, i := range cells {
			at := e.class[i]
			if _, ok := sum[at]; !ok {
				order = append(order, at)
			}
			sum[at] += float64(coefs[k])
		}
		var row []entry
		for _, at := range order {
			if sum[at] != 0 && e.sigma[at] > 0 {
				row = append(row, entry{at, sum[at]})
			}
		}
		if row == nil {
			continue
		}
		rest := float64(rel.RHS[j])
		for _, at := range order {
			if e.sigma[at] == 0 {
				rest -= float64(sum[at] * e.x[at])
			}
		}
		for _, x := range row {
			e.cols[x.at] = append(e.cols[x.at], entry{len(e.rows), x.coef})
		}
		e.rows, e.rhs = append(e.rows, row), append(e.rhs, rest)
	}
	return e
}

// times computes MΣMᵀu.
func (e *estimator) times(u, out []float64) {
	z := e.back(u)
	for j, row := range e.rows {
		s := 0.0
		for _, x := range row {
			s += float64(x.coef * z[x.at])
		}
		out[j] = s
	}
}

// back returns ΣMᵀu.
func (e *estimator) back(u []float64) []float64 {
	z := make([]float64, len(e.x))
	for i, col := range e.cols {
		for _, x := range col {
			z[i] += float64(x.coef * u[x.at])
		}
		z[i] *= e.sigma[i]
	}
	return z
}

// solve finds u with MΣMᵀu = r; it is not unique if relations are dependent.
func (e *estimator) solve(ctx context.Context, r []float64) ([]float64, error) {
	n := len(r)
	u, res, dir, q := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	copy(res, r)
	copy(dir, r)
	now := dot(res, res)
	first := now
	for step := 0; step < 10*n+50 && now > 1e-20*first && now > 1e-26; step++ {
		if step%50 == 0 && ctx.Err() != nil {
			return nil, parallel.Ended(ctx, ctx.Err())
		}
		e.times(dir, q)
		d := dot(dir, q)
		if d <= 0 {
			break
		}
		alpha := now / d
		for j := range u {
			u[j] += float64(alpha * dir[j])
			res[j] -= float64(alpha * q[j])
		}
		next := dot(res, res)
		for j := range dir {
			dir[j] = res[j] + float64(next/now*dir[j])
		}
		now = next
	}
	return u, nil
}

func dot(a, b []float64) float64 {
	s := 0.0
	for j := range a {
		s += float64(a[j] * b[j])
	}
	return s
}

// estimate returns ŷ by class.
func (e *estimator) estimate(ctx context.Context) ([]float64, error) {
	r := make([]float64, len(e.rows))
	for j, row := range e.rows {
		for _, x := range row {
			r[j] += float64(x.coef * e.x[x.at])
		}
		r[j] -= e.rhs[j]
	}
	u, err := e.solve(ctx, r)
	if err != nil {
		return nil, err
	}
	y := e.back(u)
	for i := range y {
		y[i] = e.x[i] - y[i]
	}
	return y, nil
}

// variance returns the variance of ŷ for a class.
func (e *estimator) variance(ctx context.Context, i int) (float64, error) {
	if s, ok := e.seen[i]; ok {
		return s, nil
	}
	r := make([]float64, len(e.rows))
	for _, x := range e.cols[i] {
		r[x.at] = x.coef * e.sigma[i]
	}
	u, err := e.solve(ctx, r)
	if err != nil {
		return 0, err
	}
	e.seen[i] = e.sigma[i] - dot(r, u)
	return e.seen[i], nil
}
