package solver

import (
	"encoding/binary"
	"slices"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/table"
)

// A Memory carries what a run of Suppress learns over to later runs on tables with the same relations but other values:
// duals, which depend only on the relations and the cell; pseudocosts; and the pattern that last beat Options.Start.
// Costs and canonical patterns do not depend on it, but which of several optima is found does, and so does where First
// stops. The zero value is empty. It is not safe for concurrent use.
//
// It is meant for tables that are nearly the same, such as the candidates of an attack. A batch of different tables
// would collect too many duals to evaluate, and a pattern would depend on the tables before it.
type Memory struct {
	of map[string]*warmStart // keyed by the relations of a part
}

// A warmStart is what is remembered about parts with the same relations.
type warmStart struct {
	sys     *oracle.System
	runs    int
	beat    []bool    // the last pattern better than a start, by cell; nil if none
	sources []*source // most recently used first
	vectors []*oracle.Dual
	gain    [2][]float64 // pseudocosts by cell, in units of the table's costs
	count   [2][]int32
}

// A source holds the duals of cell k that prove a cut, upwards and downwards: one of them for a distance, both for a
// width.
type source struct {
	k      int32
	side   protection.Side
	hi, lo *oracle.Dual
	last   int // last run in which its cut was in a master
}

// warmStart returns what is remembered about parts with the relations of sys, nil if the memory is full.
func (m *Memory) warmStart(sys *oracle.System, layers int) *warmStart {
	k := relationKey(sys.Rel, layers)
	l := m.of[k]
	if l == nil {
		if len(m.of) >= maxMemory {
			return nil
		}
		l = &warmStart{sys: sys}
		for d := range 2 {
			l.gain[d], l.count[d] = make([]float64, sys.Rel.N), make([]int32, sys.Rel.N)
		}
		if m.of == nil {
			m.of = map[string]*warmStart{}
		}
		m.of[k] = l
	}
	return l
}

// relationKey encodes M as a map key.
func relationKey(rel *table.Relations, layers int) string {
	b := binary.AppendUvarint(nil, uint64(rel.N))
	b = binary.AppendUvarint(b, uint64(max(1, layers)))
	for j := range rel.Len() {
		cell, coef := rel.Row(j)
		b = binary.AppendUvarint(b, uint64(len(cell)))
		for t, i := range cell {
			b = binary.AppendUvarint(b, uint64(i))
			b = binary.AppendVarint(b, int64(coef[t]))
		}
	}
	return string(b)
}

// recall adds the cuts of remembered duals to the pool.
func (s *search) recall() {
	p, l := s.p, s.p.warm
	if l == nil {
		return
	}
	of := make(map[int32][]protectionLevel)
	for _, v := range p.levels {
		of[v.K] = append(of[v.K], v)
	}
	q := s.sep.shards[0].q
	for _, f := range l.sources {
		for _, v := range of[f.k] {
			if v.Side == f.side {
				if c := f.cut(q, v); c != nil {
					s.pool.add(c)
				}
			}
		}
	}
}

// cut returns the cut that f proves for level l of its cell, nil if there is none.
func (f *source) cut(q *cutter, l protectionLevel) (c *cut) {
	switch f.side {
	case upper:
		c = q.capacity(f.hi, 1, l.RHS, capacityCut)
	case lower:
		c = q.capacity(f.lo, -1, l.RHS, capacityCut)
	default:
		c = q.sliding(l, f.hi, f.lo)
	}
	if c != nil {
		c.from = f
	}
	return c
}

// remember stores what the search found for later ones.
func (s *search) remember() {
	l := s.p.warm
	if l == nil {
		return
	}
	l.runs++
	if s.beaten() {
		l.beat = s.p.pattern(s.best)
	}
	for _, a := range s.workers {
		for _, c := range a.pool.cuts {
			if f := c.from; f != nil && c.chosen && f.last != l.runs {
				if f.last == 0 {
					l.sources = append(l.sources, f)
				}
				f.last = l.runs
			}
		}
		if a.sep.vectors != nil {
			l.vectors = a.sep.vectors.learnt(l.vectors)
		}
	}
	slices.SortStableFunc(l.sources, func(a, b *source) int { return b.last - a.last })
	if len(l.sources) > maxSources {
		for _, f := range l.sources[maxSources:] {
			f.last = 0
		}
		l.sources = l.sources[:maxSources]
	}
	if n := len(l.vectors); n > maxVectors {
		l.vectors = slices.Clone(l.vectors[n-maxVectors:])
	}
	if len(s.workers) > 0 {
		s.workers[0].pseudo.store(l, s.p)
	}
}

// store saves the averages of p in l, by cell.
func (p *pseudocosts) store(l *warmStart, of *problem) {
	for d := range 2 {
		for c, i := range of.cand {
			if n := p.count[d][c]; n > 0 {
				k := min(n, maxCarried)
				l.count[d][i], l.gain[d][i] = k, p.sum[d][c]/float64(n)*float64(k)*float64(of.unit)
			}
		}
	}
}

// load restores the averages from l.
func (p *pseudocosts) load(l *warmStart, of *problem) {
	for d := range 2 {
		for c, i := range of.cand {
			p.count[d][c], p.sum[d][c] = l.count[d][i], l.gain[d][i]/float64(of.unit)
		}
	}
}

// learnt appends to list the row-space vectors found by the intruder's problems in this run.
func (b *rowVectors) learnt(list []*oracle.Dual) []*oracle.Dual {
	for _, t := range b.list[b.known:] {
		list = append(list, t.dual)
	}
	return list
}

// follows records that c follows from the dual d of cell k in direction sign.
func follows(c *cut, k int32, sign int, d *oracle.Dual) *cut {
	if c != nil {
		if c.from = (&source{k: k, side: upper, hi: d}); sign < 0 {
			c.from = &source{k: k, side: lower, lo: d}
		}
	}
	return c
}

// spans records that c follows from the duals hi and lo of cell k together.
func spans(c *cut, k int32, hi, lo *oracle.Dual) *cut {
	if c != nil {
		c.from = &source{k: k, side: width, hi: hi, lo: lo}
	}
	return c
}
