// Package integer solves integer programs with integer data, by branch and cut over the linear programs of package lp.
// Its results are proved in integer arithmetic: points are checked by adding up, and bounds and infeasibility are
// recomputed from multipliers that the back end only proposes.
package integer

import (
	"context"
	"math"
	"time"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	_ "github.com/hitoku/hitoku/lp/simplex" // the default back end
)

// None stands for a missing side of a row: −None for Lo, None for Up.
const None = math.MaxInt64

// A Row is Lo ≤ Σ Coef·z[Idx] ≤ Up.
type Row struct {
	Lo, Up int64
	Idx    []int32
	Coef   []int64
}

// A Program is
//
//	minimise c·z  subject to  lo ≤ A z ≤ up,  l ≤ z ≤ u,  z integer .
//
// All bounds of columns must be finite. First, if not nil, ranks columns: those of a higher rank are branched on first.
type Program struct {
	Cost   []int64
	Lo, Up []int64
	Rows   []Row
	First  []int8

	steep int64 // the largest coefficient of a row, at least 1
}

// A Status says what a search proved.
type Status string

const (
	Optimal    Status = "optimal"
	Feasible   Status = "feasible" // a limit came before optimality was proved
	Infeasible Status = "infeasible"
	Unknown    Status = "none" // a limit came before a point was found
)

// Options tune Solve. The zero value is ready to use.
type Options struct {
	LP        string        // back end; "": simplex
	TimeLimit time.Duration // 0: no limit
	Nodes     int           // 0: no limit
	// Iterations limits the simplex iterations of all nodes together; 0: no limit.
	Iterations int
	Start      []int64 // a point that satisfies the rows (and Check); nil: none
	// Below: points with this value or more are irrelevant; 0: all points are relevant. Infeasible then means that
	// there is no relevant point, and no Bound exceeds Below.
	Below int64
	// Relaxed, if set, returns rows that all points satisfy and the point x of a relaxation violates; none if it knows
	// none.
	Relaxed func(x []float64) []Row
	// Check, if set, decides whether a point of the program is acceptable; if not, it may return rows that the point
	// violates and all acceptable points satisfy.
	Check func(ctx context.Context, z []int64) (rows []Row, ok bool, err error)
	// Progress, if set, is called after every node.
	Progress func(Progress)
}

// Progress tells how far a search has come. Upper is None without a point.
type Progress struct {
	Nodes        int
	Lower, Upper int64
	Seconds      float64
}

// A Result is the outcome of a search. Bound is a lower bound on the value of every point; it equals Value if Status is
// Optimal.
type Result struct {
	Status Status
	Z      []int64
	Value  int64
	Bound  int64
	Nodes  int
	Cuts   int // rows from Check and Relaxed
}

// ErrOutOfRange is wrapped by errors about programs whose sums may leave an int64.
var ErrOutOfRange = i18n.New("numbers are too large")

// largest bounds the sum of the magnitudes of the terms of a row.
const largest = int64(1) << 60

// check reports inconsistent shapes and sums that may exceed the range.
func (p *Program) check() error {
	n := len(p.Cost)
	if len(p.Lo) != n || len(p.Up) != n {
		return i18n.Errorf("integer: %d costs but %d and %d bounds", n, len(p.Lo), len(p.Up))
	}
	total := 0.0
	for i, c := range p.Cost {
		m := float64(max(num.Abs(p.Lo[i]), num.Abs(p.Up[i])))
		if m > float64(largest) {
			return i18n.Errorf("integer: bounds of column %d: %w", i, ErrOutOfRange)
		}
		total += float64(math.Abs(float64(c)) * m)
	}
	if total > float64(largest) {
		return i18n.Errorf("integer: costs: %w", ErrOutOfRange)
	}
	for j := range p.Rows {
		if err := p.inRange(&p.Rows[j]); err != nil {
			return i18n.Errorf("integer: row %d: %w", j, err)
		}
	}
	return nil
}

func (p *Program) inRange(r *Row) error {
	total := 0.0
	for t, i := range r.Idx {
		total += float64(math.Abs(float64(r.Coef[t])) * float64(max(num.Abs(p.Lo[i]), num.Abs(p.Up[i]))))
	}
	if total > float64(largest) {
		return ErrOutOfRange
	}
	return nil
}

// steepest returns the largest coefficient of a row, at least 1.
func (p *Program) steepest() int64 {
	if p.steep == 0 {
		p.steep = 1
		for j := range p.Rows {
			for _, c := range p.Rows[j].Coef {
				p.steep = max(p.steep, num.Abs(c))
			}
		}
	}
	return p.steep
}

// sum returns Σ Coef·z.
func (r *Row) sum(z []int64) int64 {
	var s int64
	for t, i := range r.Idx {
		s += r.Coef[t] * z[i]
	}
	return s
}

// holds reports whether z satisfies the row.
func (r *Row) holds(z []int64) bool {
	s := r.sum(z)
	return (r.Lo == -None || s >= r.Lo) && (r.Up == None || s <= r.Up)
}

// value returns c·z.
func (p *Program) value(z []int64) int64 {
	var s int64
	for i, c := range p.Cost {
		s += c * z[i]
	}
	return s
}

// Holds reports whether z is a point of the program.
func (p *Program) Holds(z []int64) bool {
	for i, v := range z {
		if v < p.Lo[i] || v > p.Up[i] {
			return false
		}
	}
	for j := range p.Rows {
		if !p.Rows[j].holds(z) {
			return false
		}
	}
	return true
}
