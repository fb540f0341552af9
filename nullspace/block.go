package nullspace

import (
	"context"
	"math"
	"math/big"
	"slices"
	"sync"

	ints "github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/sets"
)

// maxLLL is the largest dimension whose basis is reduced: reduction costs O(d⁴),
// and beyond it enumeration is out of reach anyway.
const maxLLL = 64

// maxEntries is the largest size d·n of a basis that is prepared for enumeration; the memory needed is several times
// that.
const maxEntries = 1 << 22

// A block is a direct summand of the lattice: its cells take the values
// y = v + Σ_k t_k kernel[k], t ∈ Zᵈ, whatever the cells of other blocks do.
type block struct {
	cells  []int32 // positions among the withheld cells, ascending
	v      row     // over cells
	d      int
	basis  func() []row // computes a basis of the kernel: d rows over cells
	kernel []row        // the basis in use; see reduce
	once   sync.Once
}

// reduce computes a short basis; it must precede any use of the kernel. It is done late because in large tables d
// vectors over the cells may not fit in memory, and Dim and Blocks do not need them.
func (b *block) reduce() {
	b.once.Do(func() {
		b.kernel, b.basis = b.basis(), nil
		if b.d <= maxLLL {
			lll(b.kernel)
		}
	})
}

// A level is one variable of a plan. Inequality q of the level reads
//
//	Σ_{l≤j} c[q(j+1)+l] t_l ≤ r[q] .
//
// The last level has walls instead: bounds of cells, read off their values.
type level struct {
	c, r []int64
	lp   bool // the range is also taken from linear programs
	T    int64
	step []move
	wall []wall
}

// A move adds by to y[cell] when t rises by 1.
type move struct {
	cell int32
	by   int64
}

// A wall is a bound, at, of a cell that the last variable moves by by for each step; high says that it is the upper
// bound.
type wall struct {
	cell int32
	high bool
	by   int64
	at   int64
}

// A plan is a block prepared for enumeration: the basis is reduced, exact linear programs give 0 ≤ t_j ≤ T_j, variables
// with small ranges come first, and each has its inequalities. It is immutable.
type plan struct {
	cells  []int32
	start  []int64 // values of the cells at t = 0, modulo 2⁶⁴
	levels []level
	prog   *program // over t in the order of levels; clone it before use
}

// forms returns for every cell of the block its coefficients over t.
func (b *block) forms() []row {
	f := make([]row, len(b.cells))
	for i := range f {
		f[i] = newRow(len(b.kernel))
		for k := range b.kernel {
			f[i].set(k, b.kernel[k].at(i))
		}
	}
	return f
}

// program poses lo ≤ v + N t ≤ hi.
func (b *block) program(lo, hi []bound) *program {
	d := len(b.kernel)
	p := newProgram(d, b.forms())
	for i, c := range b.cells {
		l, h := lo[c], hi[c]
		l.num, h.num = l.sub(b.v.at(i)), h.sub(b.v.at(i))
		p.setBounds(d+i, l, h)
	}
	return p
}

// prepare makes the plan. lo and hi are by withheld cell. Once ctx is done the results are meaningless.
func (b *block) prepare(ctx context.Context, lo, hi []bound) (*plan, Reason, error) {
	if b.d*len(b.cells) > maxEntries {
		return nil, None, &SizeError{Cells: len(b.cells), Dim: b.d}
	}
	b.reduce()
	d := b.d
	p := b.program(lo, hi)
	p.ctx = ctx
	if !p.feasible() {
		return nil, NoReal, nil
	}
	for i, c := range b.cells {
		for side, end := range []bound{lo[c], hi[c]} {
			if !end.inf {
				continue
			}
			a, D, finite := p.extreme(d+i, 2*side-1)
			if ctx.Err() != nil {
				return nil, None, ctx.Err()
			}
			if !finite {
				return nil, 0, &UnboundedError{Cell: c}
			}
			if v := b.v.at(i); a.div(D).add(v).b != nil || a.divUp(D).add(v).b != nil {
				return nil, 0, &RangeError{Cell: c}
			}
		}
	}
	// 0 ≤ t − low ≤ T; each bound is used at once for the following ones.
	low, T := make([]num, d), make([]num, d)
	for k := range d {
		a, D, _ := p.extreme(k, -1)
		low[k] = a.divUp(D)
		a, D, _ = p.extreme(k, 1)
		T[k] = a.div(D).sub(low[k])
		if T[k].sign() < 0 {
			return nil, NoPoint, nil
		}
		p.setBounds(k, bound{num: low[k]}, bound{num: low[k].add(T[k])})
		if !p.feasible() {
			return nil, NoPoint, nil
		}
		if ctx.Err() != nil {
			return nil, None, ctx.Err()
		}
	}
	order := sets.Upto(d)
	slices.SortStableFunc(order, func(x, y int) int { return T[x].cmp(T[y]) })
	sorted := &block{cells: b.cells, v: b.v.clone()}
	width := make([]num, d)
	for j, k := range order {
		if T[k].b != nil {
			return nil, 0, &RangeError{Cell: b.cells[0]}
		}
		width[j] = T[k]
		sorted.kernel = append(sorted.kernel, b.kernel[k])
		sorted.v.combine(small(1), low[k].neg(), &b.kernel[k])
	}
	return sorted.plan(width, lo, hi)
}

// plan builds the levels of a block whose variables are already ordered and shifted to start at 0.
func (b *block) plan(T []num, lo, hi []bound) (*plan, Reason, error) {
	d := len(b.kernel)
	p := &plan{cells: b.cells, levels: make([]level, d), prog: b.program(lo, hi)}
	for j := range d {
		p.prog.setBounds(j, bound{}, bound{num: T[j]})
		p.levels[j].T = T[j].s
		for i, c := range b.cells {
			if x := b.kernel[j].at(i); x.sign() != 0 {
				p.levels[j].step = append(p.levels[j].step, move{c, low64(x)})
			}
		}
	}
	var start []inequality
	for j := range d {
		unit := inequality{row: newRow(d + 1), cell: -1}
		unit.set(j, small(-1))
		start = append(start, unit)
		unit = inequality{row: newRow(d + 1), cell: -1}
		unit.set(j, small(1))
		unit.set(d, T[j])
		start = append(start, unit)
	}
	for i, f := range b.forms() {
		p.start = append(p.start, low64(b.v.at(i)))
		c := b.cells[i]
		for side, end := range []bound{lo[c], hi[c]} {
			if end.inf {
				continue
			}
			q := inequality{row: newRow(d + 1), cell: int32(i), high: side == 1}
			for j := range d {
				q.set(j, f.at(j))
			}
			q.set(d, end.sub(b.v.at(i)))
			if side == 0 {
				q.negate()
			}
			start = append(start, q)
		}
	}
	s, ok := eliminate(start, d, T)
	if !ok {
		return nil, NoPoint, nil
	}
	for j := range d {
		l := &p.levels[j]
		l.lp = s.cut[j]
		for _, q := range s.at[j] {
			switch {
			case q.weight(d) == 1 && (q.at(d).cmp(T[j]) >= 0 || q.at(j).sign() < 0 && q.at(d).sign() >= 0):
				// The inequality is implied by the box.
			case j == d-1 && q.cell >= 0:
				if w, ok := b.wall(int(q.cell), q.high, T, lo, hi); ok {
					l.wall = append(l.wall, w)
				} else {
					l.lp = true
				}
			case fits(&q.row, T):
				for k := range j + 1 {
					l.c = append(l.c, q.at(k).s)
				}
				l.r = append(l.r, q.at(d).s)
			default:
				l.lp = true
			}
		}
	}
	return p, None, nil
}

// fits reports whether Σ |c_j| T_j + |r| < 2⁶², so that c·t − r is safe in int64.
func fits(q *row, T []num) bool {
	sum := q.at(len(T)).abs()
	for j := range T {
		sum = sum.add(q.at(j).abs().mul(T[j]))
	}
	return sum.b == nil && sum.s < 1<<62
}

// wall returns the bound of cell i that limits the last variable; ok is false if values up to it might overflow.
func (b *block) wall(i int, high bool, T []num, lo, hi []bound) (w wall, ok bool) {
	d := len(T)
	q := newRow(d + 1)
	for j := range d {
		q.set(j, b.kernel[j].at(i))
	}
	q.set(d, b.v.at(i))
	end := lo[b.cells[i]].num
	if high {
		end = hi[b.cells[i]].num
	}
	if !fits(&q, T) || ints.Magnitude(end.s) >= 1<<62 {
		return w, false
	}
	return wall{cell: b.cells[i], high: high, by: q.at(d - 1).s, at: end.s}, true
}

// low64 returns x modulo 2⁶⁴.
func low64(x num) int64 {
	if x.b == nil {
		return x.s
	}
	mask := new(big.Int).SetUint64(math.MaxUint64)
	return int64(mask.And(mask, x.b).Uint64())
}
