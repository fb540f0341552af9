package nullspace

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"sync"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// A Reason says why a fibre has no points.
type Reason int

const (
	None       Reason = iota // it has points
	NoRational               // A y = b has no solution at all
	NoIntegral               // A y = b has rational solutions, none of them integer
	NoReal                   // no real solution of A y = b is within the bounds
	NoPoint                  // real solutions are within the bounds, none of them integer
)

func (r Reason) String() string {
	switch r {
	case None:
		return "not empty"
	case NoRational:
		return "the equations contradict each other"
	case NoIntegral:
		return "the equations have no integer solution"
	case NoReal:
		return "no solution is within the bounds"
	case NoPoint:
		return "no integer solution is within the bounds"
	}
	return fmt.Sprintf("Reason(%d)", int(r))
}

// An UnboundedError names a cell without a finite bound in the fibre.
type UnboundedError struct{ Cell int32 }

func (e *UnboundedError) Error() string {
	return fmt.Sprintf("cell %d is unbounded: the equations and bounds leave infinitely many solutions", e.Cell)
}

// A RangeError names a cell whose values, or the coefficients that determine them, do not fit 64 bits.
type RangeError struct{ Cell int32 }

func (e *RangeError) Error() string {
	return fmt.Sprintf("cell %d: possible values exceed 64 bits", e.Cell)
}

// A SizeError says that a block is too large to be prepared for enumeration.
type SizeError struct{ Cells, Dim int }

func (e *SizeError) Error() string {
	return fmt.Sprintf("a block of %d cells and dimension %d is too large to enumerate", e.Cells, e.Dim)
}

// A Fibre is the set of integer tables that a publication leaves possible,
//
//	F = { y ∈ Zⁿ : A y = b, lo ≤ y ≤ hi }
//
// over the n withheld cells: A are the relations restricted to them, b the right-hand sides minus the published cells.
// The lattice splits into blocks, so F is the product of one set for each block; only these sets are ever enumerated.
//
// A Fibre does not change for its callers and is safe for concurrent use.
type Fibre struct {
	cells  []int32
	lo, hi []bound
	fixed  []int64 // by position: the value of a cell in no block, else 0
	blocks []*block
	reason Reason // why elimination failed
	wide   *RangeError

	mu    sync.Mutex // guards the results of prepare
	ready bool
	plans []*plan
	late  Reason
	err   error
}

// New describes the tables that agree with value on all cells except the withheld ones, satisfy rel and lie within [lo,
// hi]. value, lo and hi are by cell, of length rel.N; value is not read at withheld cells; nil lo means 0, nil hi +∞;
// table.NegInf and table.PosInf are infinite ends. Points list cells in the order of withheld, which must not repeat a
// cell.
//
// New performs the elimination: in time O(entries + Σ length of cycles) if the restricted relations form a network,
// else O(rank·rows·n) for each connected component. The costlier preparation for enumeration is done by the first call
// that needs it.
func New(rel *table.Relations, withheld []int32, value, lo, hi []int64) (*Fibre, error) {
	n := rel.N
	if len(value) != n || lo != nil && len(lo) != n || hi != nil && len(hi) != n {
		return nil, i18n.Errorf("nullspace: %d values, %d lower and %d upper bounds for %d cells", len(value), len(lo), len(hi), n)
	}
	f := &Fibre{cells: append([]int32(nil), withheld...), fixed: make([]int64, len(withheld))}
	pos := make([]int32, n)
	for k, i := range withheld {
		if i < 0 || int(i) >= n || pos[i] != 0 {
			return nil, i18n.Errorf("nullspace: cell %d is out of range or withheld twice", i)
		}
		pos[i] = int32(k) + 1
		l, h := bound{}, bound{inf: true}
		if lo != nil {
			l = bound{num: small(lo[i]), inf: lo[i] == table.NegInf}
		}
		if hi != nil {
			h = bound{num: small(hi[i]), inf: hi[i] == table.PosInf}
		}
		f.lo, f.hi = append(f.lo, l), append(f.hi, h)
	}
	s := restrict(rel, pos, value, len(withheld))
	if s.broken {
		f.reason = NoRational
	}
	for _, c := range s.components() {
		f.solve(c)
	}
	if f.reason != None {
		f.blocks = nil
	}
	return f, nil
}

// blame records the reason that comes first in the order of the constants.
func (f *Fibre) blame(r Reason) {
	if f.reason == None || r < f.reason {
		f.reason = r
	}
}

// solve adds the blocks of one connected component.
func (f *Fibre) solve(c *component) {
	blocks, points, reason := c.blocks()
	if reason != None {
		f.blame(reason)
		return
	}
	f.blocks = append(f.blocks, blocks...)
	for _, p := range points {
		lo, hi := f.lo[p.cell], f.hi[p.cell]
		switch {
		case !lo.inf && p.value.cmp(lo.num) < 0 || !hi.inf && p.value.cmp(hi.num) > 0:
			f.blame(NoReal)
		case p.value.b != nil:
			if f.wide == nil {
				f.wide = &RangeError{Cell: f.cells[p.cell]}
			}
		default:
			f.fixed[p.cell] = p.value.s
		}
	}
}

// Cells returns the withheld cells in the order of the entries of points. The slice is shared.
func (f *Fibre) Cells() []int32 { return f.cells }

// Dim returns the dimension of the integer kernel of A, 0 if A y = b has no
// integer solution.
func (f *Fibre) Dim() int {
	d := 0
	for _, b := range f.blocks {
		d += b.d
	}
	return d
}

// Blocks returns the positions (indices into Cells) of the cells of every direct
// summand of the kernel. Cells in no block have one possible value.
func (f *Fibre) Blocks() [][]int32 {
	var p [][]int32
	for _, b := range f.blocks {
		p = append(p, append([]int32(nil), b.cells...))
	}
	return p
}

// Dims returns the dimension of every block; they add up to Dim.
func (f *Fibre) Dims() []int {
	var d []int
	for _, b := range f.blocks {
		d = append(d, b.d)
	}
	return d
}

// Kernel returns a basis of the integer kernel of A, vectors over Cells, LLL-reduced
// within each block.
func (f *Fibre) Kernel() [][]*big.Int {
	var k [][]*big.Int
	for _, b := range f.blocks {
		b.reduce()
		for _, r := range b.kernel {
			v := make([]*big.Int, len(f.cells))
			for i := range v {
				v[i] = new(big.Int)
			}
			for i, c := range b.cells {
				v[c] = r.at(i).big()
			}
			k = append(k, v)
		}
	}
	return k
}

// Check prepares F for enumeration, which the other methods otherwise do on demand, and reports what prevents it: an
// *UnboundedError, *RangeError, *SizeError, or ctx.Err(), after which a later call starts again. That a fibre is known
// to be empty is not an error. The cost is about that of 2d exact linear programs in each block and grows fast with d.
func (f *Fibre) Check(ctx context.Context) error {
	_, _, err := f.prepare(ctx)
	return err
}

// prepare returns one plan for each block, or why there is none.
func (f *Fibre) prepare(ctx context.Context) ([]*plan, Reason, error) {
	if f.reason != None {
		return nil, f.reason, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ready {
		return f.plans, f.late, f.err
	}
	var plans []*plan
	var late Reason
	var failed error
	if f.wide != nil {
		failed = f.wide
	}
	for _, b := range f.blocks {
		p, reason, err := b.prepare(ctx, f.lo, f.hi)
		if ctx.Err() != nil {
			return nil, None, ctx.Err()
		}
		if err != nil && failed == nil {
			failed = f.named(err)
		}
		if reason != None && (late == None || reason < late) {
			late = reason
		}
		plans = append(plans, p)
	}
	switch f.ready, f.late = true, late; {
	case late != None:
	case failed != nil:
		f.err = failed
	default:
		f.plans = plans
	}
	return f.plans, f.late, f.err
}

// named replaces the position in an error by the cell.
func (f *Fibre) named(err error) error {
	switch e := err.(type) {
	case *UnboundedError:
		return &UnboundedError{Cell: f.cells[e.Cell]}
	case *RangeError:
		return &RangeError{Cell: f.cells[e.Cell]}
	}
	return err
}

// Empty reports whether F has no points, and why. It looks for one point in each block. Errors are those of Check.
func (f *Fibre) Empty(ctx context.Context) (Reason, error) {
	plans, reason, err := f.prepare(ctx)
	if err != nil || reason != None {
		return reason, err
	}
	y := append([]int64(nil), f.fixed...)
	for _, p := range plans {
		w := p.walker(ctx, y)
		w.reset()
		if !w.next() {
			if err := ctx.Err(); w.ended && err != nil {
				return None, err
			}
			return NoPoint, nil
		}
	}
	return None, nil
}

// Bounds returns the least and greatest real value of the k-th withheld cell over all y with A y = b, lo ≤ y ≤ hi,
// exactly: every point of F lies between them, and for the relations of two-way tables points attain both. Infinite
// ends are nil. ok is false if there is no such y in the cell's block, or if elimination alone shows that F is empty.
// Each call solves a linear program with d columns over the cells of the block.
func (f *Fibre) Bounds(k int) (lo, hi *big.Rat, ok bool) {
	if f.reason != None {
		return nil, nil, false
	}
	for _, b := range f.blocks {
		i, in := slices.BinarySearch(b.cells, int32(k))
		if !in {
			continue
		}
		b.reduce()
		p := b.program(f.lo, f.hi)
		if !p.feasible() {
			return nil, nil, false
		}
		if a, D, finite := p.extreme(len(b.kernel)+i, -1); finite {
			lo = b.value(i, a, D)
		}
		if a, D, finite := p.extreme(len(b.kernel)+i, 1); finite {
			hi = b.value(i, a, D)
		}
		return lo, hi, true
	}
	if f.wide != nil && f.wide.Cell == f.cells[k] {
		return nil, nil, false
	}
	x := new(big.Rat).SetInt64(f.fixed[k])
	return x, x, true
}

// value returns v_i + a/D.
func (b *block) value(i int, a, D num) *big.Rat {
	return new(big.Rat).SetFrac(a.add(D.mul(b.v.at(i))).big(), D.big())
}
