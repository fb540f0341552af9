// Package integer solves programs over whole numbers whose data are whole numbers, by branch and cut
// over the linear programs of package lp. What it says is proved in integer arithmetic: points are added up, bounds and
// infeasibility are computed anew from multipliers that the back end only proposes.
package integer

import (
	"context"
	"math"
	"time"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	_ "github.com/hitoku/hitoku/lp/simplex" // the default back end
)

// None stands for a missing side of a row: −None below, None above.
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
// All bounds of columns are finite. First, if not nil, ranks columns: those of a higher rank are branched on first.
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
	Feasible   Status = "feasible" // a limit came first
	Infeasible Status = "infeasible"
	Unknown    Status = "none" // a limit came before there was any point
)

// Options tune Solve. The zero value is ready to use.
type Options struct {
	LP        string        // back end, "": simplex
	TimeLimit time.Duration // 0: none
	Nodes     int           // 0: no limit
	// Iterations bounds those of the simplex method, of all nodes together; 0: no limit.
	Iterations int
	Start      []int64 // a point that satisfies the rows (and Check), nil: none
	// Below: points of this value or more are of no interest; 0: all points are. Infeasible then says that there is none below, and no Bound is above it.
	Below int64
	// Relaxed, if set, returns rows that all points satisfy and the point x of a relaxation does not; none if it knows none.
	Relaxed func(x []float64) []Row
	// Check, if set, says whether a point of the program is one that is wanted, and which rows, that all points wanted satisfy, it
	// violates, if such are known.
	Check func(ctx context.Context, z []int64) (rows []Row, ok bool, err error)
	// Progress, if set, is called after every node.
	Progress func(Progress)
}

// Progress is how far a search has come. Upper is None without a point.
type Progress struct {
	Nodes        int
	Lower, Upper int64
	Seconds      float64
}

// A Result is what a search found. Bound is below the value of every point; it is Value where Status is Optimal.
type Result struct {
	Status Status
	Z      []int64
	Value  int64
	Bound  int64
	Nodes  int
	Cuts   int // rows of Check and Relaxed
}

// ErrOutOfRange is wrapped by errors about programs whose sums may leave an int64.
var ErrOutOfRange = i18n.New("numbers are too large")

// largest is how large the terms of a row may get together.
const largest = int64(1) << 60

// check reports shapes that do not fit and sums that may leave the range.
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

// steepest is the largest coefficient of a row, at least 1.
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

// sum is Σ Coef·z.
func (r *Row) sum(z []int64) int64 {
	var s int64
	for t, i := range r.Idx {
		s += r.Coef[t] * z[i]
	}
	return s
}

// holds says whether z satisfies the row.
func (r *Row) holds(z []int64) bool {
	s := r.sum(z)
	return (r.Lo == -None || s >= r.Lo) && (r.Up == None || s <= r.Up)
}

// value is c·z.
func (p *Program) value(z []int64) int64 {
	var s int64
	for i, c := range p.Cost {
		s += c * z[i]
	}
	return s
}

// Holds says whether z is a point of the program.
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
