package certificate

import (
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
)

// A Bottleneck is the row of a level (see Level) in which, for some cells h of the duals, z_h is bounded not by the
// capacity of h but by the other cells of a relation j of h. For every z with M z = 0, z_h = −Σ_{i∈j∖h} (M_ji/M_jh)
// z_i; so with cap the capacities U or L, depending on signs, and x ∈ {0, 1}
//
//	±z_h ≤ min(cap_h, Σ_{i∈j∖h} |M_ji/M_jh|·cap_i x_i) ≤ Σ_{i∈j∖h} min(⌈|M_ji/M_jh|·cap_i⌉, cap_h)·x_i ,
//
// and the term d_h cap_h x_h of the row may be replaced by |d_h| times the last sum.
type Bottleneck struct {
	Level
	Lines []Line
}

// A Line says that Relation bounds the term of Cell in the dual Up of a level or, if Down, in its dual Down.
type Line struct {
	Down           bool
	Cell, Relation int32
}

var errLine = i18n.New("has a relation that its cell is not in")

func (c *Bottleneck) row(b *book) (*row, error) {
	var lines [2]map[int32]int32
	for _, l := range c.Lines {
		side := 0
		if l.Down {
			side = 1
		}
		if lines[side] == nil {
			lines[side] = map[int32]int32{}
		}
		lines[side][l.Cell] = l.Relation
	}
	return c.derive(b, &lines)
}

// along replaces the term v of cell h of a dual, read upwards (side 0) or downwards, by terms of the other cells of
// relation j, and passes these to put.
func (p *problem) along(h, j int32, v int64, side int, f uint64, put func(i int32, c num.Uint128, infinite bool)) error {
	own, up := p.up[h], (v < 0) == (side == 1) // h is to move up
	if !up {
		own = p.dn[h]
	}
	if v == 0 || own == 0 || !p.given[h] && !p.free[h%int32(p.m)] {
		return nil
	}
	cell, coef := p.t.Rel.Row(int(j))
	m := int64(0)
	for t, i := range cell {
		if i == h {
			m = int64(coef[t])
		}
	}
	if m == 0 {
		return errLine
	}
	for t, i := range cell {
		if i == h {
			continue
		}
		capacity := p.up[i]
		if up == ((coef[t] < 0) == (m < 0)) { // i has to move the other way
			capacity = p.dn[i]
		}
		capacity = min(own, num.ScaledUp(num.Abs(int64(coef[t])), capacity, num.Abs(m)))
		c, infinite, large := p.times(i, v, f, capacity)
		if large {
			return errLarge
		}
		put(i, c, infinite)
	}
	return nil
}

func (c *Bottleneck) write(w *writer) line {
	l := c.Level.write(w)
	l.Is = "bottleneck"
	for _, s := range c.Lines {
		sign := int64(1)
		if s.Down {
			sign = -1
		}
		l.Cells, l.Relations, l.Num = append(l.Cells, s.Cell), append(l.Relations, s.Relation), append(l.Num, sign)
	}
	return l
}

func readBottleneck(r *reader, l *line) (Rule, error) {
	of, err := readLevel(r, l)
	if err != nil {
		return nil, err
	}
	if len(l.Cells) != len(l.Relations) || len(l.Cells) != len(l.Num) {
		return nil, r.malformed("a bottleneck needs a relation and a sign for each cell")
	}
	c := &Bottleneck{Level: *of.(*Level), Lines: make([]Line, len(l.Cells))}
	for s := range c.Lines {
		if l.Num[s] != 1 && l.Num[s] != -1 {
			return nil, r.malformed("a bottleneck with the sign %d, not 1 or -1", l.Num[s])
		}
		c.Lines[s] = Line{l.Num[s] < 0, l.Cells[s], l.Relations[s]}
	}
	return c, nil
}
