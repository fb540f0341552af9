package certificate

import (
	"math/bits"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/table"
)

// A Level is the capacity row of a level of the sensitive cell k: with Up alone for UPL_k, with Down alone
// for LPL_k, with both for SPL_k,
//
//	Σ_i (d_i⁺ U_i + d_i⁻ L_i)·x_i ≥ UPL_k         (Up)
//	Σ_i (d_i⁺ L_i + d_i⁻ U_i)·x_i ≥ LPL_k         (Down)
//	the sum of both left-hand sides ≥ SPL_k       (Up and Down)
//
// (the capacity constraints of Fischetti and Salazar, Management Science 47(7), 2001) minus the terms of cells given
// from the start; the copies of a cell in the layers of a table share x_i. Widths are multiples of one over the common
// denominator D of the duals, so a strict SPL requires SPL_k + 1/D.
type Level struct {
	Up, Down *Dual
}

// want returns the level's right-hand side.
func (l *Level) want(p *problem) (want int64, err error) {
	k := int32(-1)
	switch {
	case l.Up != nil && l.Down != nil:
		if l.Up.Cell != l.Down.Cell {
			return 0, errCells
		}
		k, want = l.Up.Cell, p.t.Width[l.Up.Cell]
	case l.Up != nil:
		k, want = l.Up.Cell, p.t.UPL[l.Up.Cell]
	case l.Down != nil:
		k, want = l.Down.Cell, p.t.LPL[l.Down.Cell]
	default:
		return 0, errNoDual
	}
	if p.t.Status[k] != table.Sensitive {
		return 0, errNotSensitive
	}
	return want, nil
}

// most represents an infinite coefficient.
var most = num.Uint128{Hi: 1 << 62}

func (l *Level) row(b *book) (*row, error) { return l.derive(b, nil) }

// derive derives the row of l. If lines is not nil, the terms of some cells, by side, are replaced by those of a
// relation (see Bottleneck).
func (l *Level) derive(b *book, lines *[2]map[int32]int32) (*row, error) {
	p := b.p
	want, err := l.want(p)
	if err != nil {
		return nil, err
	}
	den, strict := int64(1), l.Up != nil && l.Down != nil && p.t.Strict
	if den, err = l.common(); err != nil {
		return nil, err
	}
	rhs := num.Mul128(uint64(want), uint64(den))
	if strict {
		rhs, _ = rhs.Add(num.Uint128{Lo: 1}) // cannot carry out: both factors are below 2^63
	}
	s := terms{p: p, once: lines == nil && (l.Up == nil || l.Down == nil) && p.m == p.n}
	if !s.once {
		if b.sum == nil {
			b.sum = make([]num.Uint128, p.n)
		}
		s.sum = b.sum
	}
	for side, d := range [2]*Dual{l.Up, l.Down} {
		if d == nil {
			continue
		}
		err = b.open(d)
		for _, i := range b.hit {
			if err != nil || s.full {
				break
			}
			f := uint64(den / d.Den)
			if lines != nil {
				if j, ok := lines[side][i]; ok {
					err = p.along(i, j, b.d[i], side, f, s.put)
					continue
				}
			}
			c, infinite, large := p.term(i, b.d[i], side, f)
			if large {
				err = errLarge
				break
			}
			s.put(i, c, infinite)
		}
		b.close()
		if err != nil {
			break
		}
	}
	val := s.values()
	switch {
	case err != nil:
		return nil, err
	case s.full || !s.given.Less(rhs):
		return nil, errNothing
	}
	rhs = rhs.Sub(s.given)
	out, all := &row{rhs: one}, true
	for t, i := range s.idx {
		v := ratio(val[t], rhs)
		all = all && v == one
		out.idx, out.coef = append(out.idx, i), append(out.coef, v)
	}
	if all {
		out.coef = nil
	}
	return out, nil
}

// terms accumulates the terms of a row.
type terms struct {
	p     *problem
	once  bool          // no cell occurs twice
	sum   []num.Uint128 // by cell, unless once; zero between uses
	idx   []int32
	val   []num.Uint128 // values at idx, if once
	given num.Uint128   // the part on cells given from the start
	full  bool          // given is infinite
}

// put adds a term of cell i.
func (s *terms) put(i int32, c num.Uint128, infinite bool) {
	p := s.p
	switch {
	case infinite && p.given[i]:
		s.full = true
	case infinite:
		c = most
		fallthrough
	case p.free[i%int32(p.m)]:
		if c.IsZero() {
			return
		}
		if s.once {
			s.idx, s.val = append(s.idx, i), append(s.val, c)
			return
		}
		if i %= int32(p.m); s.sum[i].IsZero() {
			s.idx = append(s.idx, i)
		}
		// Two numbers of at most 2^126, which exceeds every right-hand side.
		if s.sum[i], _ = s.sum[i].Add(c); most.Less(s.sum[i]) {
			s.sum[i] = most
		}
	case p.given[i]:
		var ok bool
		if s.given, ok = s.given.Add(c); !ok {
			s.full = true
		}
	}
}

// values returns the coefficients of idx and clears the accumulator.
func (s *terms) values() []num.Uint128 {
	if !s.once {
		for _, i := range s.idx {
			s.val = append(s.val, s.sum[i])
			s.sum[i] = num.Uint128{}
		}
	}
	return s.val
}

// term returns |v|·f·capacity of cell i for the entry v of a dual read upwards
// (side 0) or downwards (side 1); 0 for cells that are published.
func (p *problem) term(i int32, v int64, side int, f uint64) (c num.Uint128, infinite, large bool) {
	capacity := p.up[i]
	if (v < 0) != (side == 1) {
		capacity = p.dn[i]
	}
	return p.times(i, v, f, capacity)
}

// times returns |v|·f·capacity of cell i; 0 where it is published.
func (p *problem) times(i int32, v int64, f uint64, capacity int64) (c num.Uint128, infinite, large bool) {
	if v == 0 || capacity == 0 || !p.given[i] && !p.free[i%int32(p.m)] {
		return c, false, false
	}
	if capacity == table.PosInf {
		return c, true, false
	}
	hi, q := bits.Mul64(num.Magnitude(v), f)
	if hi != 0 || q > 1<<62 {
		return c, false, true
	}
	return num.Mul128(q, uint64(capacity)), false, false
}

// common returns the least common multiple of the denominators.
func (l *Level) common() (int64, error) {
	den := int64(1)
	for _, d := range [2]*Dual{l.Up, l.Down} {
		if d == nil {
			continue
		}
		a, b := den, d.Den
		for b != 0 {
			a, b = b, a%b
		}
		hi, lo := bits.Mul64(uint64(den/a), uint64(d.Den))
		if hi != 0 || lo > 1<<62 {
			return 0, errLarge
		}
		den = int64(lo)
	}
	return den, nil
}

func (l *Level) write(w *writer) line {
	return line{Is: "level", Up: w.dual(l.Up), Down: w.dual(l.Down)}
}

func readLevel(r *reader, l *line) (Rule, error) {
	up, err := r.dualOf(l.Up)
	if err != nil {
		return nil, err
	}
	down, err := r.dualOf(l.Down)
	return &Level{Up: up, Down: down}, err
}
