package interval

import (
	"context"
	"errors"
	"math/big"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A shortener looks for short combinations of one table. It is not safe for concurrent use.
type shortener struct {
	t                *table.Table // opened
	withheld, hidden []bool
	by               int64

	base   *oracle.Base
	engine string // as Options.Engine
	each   int    // work allowed for one end
	whole  *field
}

// A field holds the relations that combinations may use: all, or some of those of a large table.
type field struct {
	e         *oracle.Exact
	cell      []int32 // by cell of the field: the cell of the table; nil: the same
	rel       []int32 // by relation of the field: the relation of the table; nil: the same
	published []bool
	up, dn    []int64 // capacities around the base; those of published cells are their rounding
	u, d      []int64 // capacities of the last question
	cost      int     // work of one question
}

func newShortener(r *Report, each int) (*shortener, error) {
	s := &shortener{t: r.open, withheld: r.withheld, hidden: r.hidden, by: r.by, base: r.base, engine: r.engine, each: each}
	up, dn := r.base.Room()
	f, err := s.field(r.system, nil, nil, up, dn)
	s.whole = f
	return s, err
}

func (s *shortener) close() { s.whole.e.Close() }

func (s *shortener) field(system *oracle.System, cell, rel []int32, up, dn []int64) (*field, error) {
	// Not the back end of the audit, which may be slow and must not affect the text.
	e, err := system.NewExact(s.engine, "")
	if err != nil {
		return nil, err
	}
	rows := len(up) * system.Rel.Len() // size of a linear program; a flow is far cheaper
	if e.Name() == "network" {
		rows = 20 * len(up)
	}
	f := &field{e: e, cost: 1 + rows/perQuestion, cell: cell, rel: rel, published: make([]bool, len(up)), up: up, dn: dn, u: make([]int64, len(up)), d: make([]int64, len(up))}
	for i := range up {
		at := i
		if cell != nil {
			at = int(cell[i])
		}
		f.published[i] = !s.withheld[at]
	}
	return f, nil
}

// explain returns the combinations of withheld cell k.
func (s *shortener) explain(ctx context.Context, k int) ([]Combination, error) {
	c, err := s.shorten(ctx, k, TheValue, new(big.Rat))
	if err != nil || c != nil {
		return list(c), err
	}
	var out []Combination
	for _, side := range [2]Side{LowerEnd, UpperEnd} {
		far, err := s.end(ctx, k, int(side))
		if err != nil {
			return nil, err
		}
		if far == nil {
			continue
		}
		c, err := s.shorten(ctx, k, side, far)
		if err != nil {
			return nil, err
		}
		out = append(out, list(c)...)
	}
	return out, nil
}

func list(c *Combination) []Combination {
	if c == nil {
		return nil
	}
	return []Combination{*c}
}

// end returns how far cell k can move from the base; nil: infinite or unknown.
func (s *shortener) end(ctx context.Context, k, sign int) (*big.Rat, error) {
	f := s.whole
	total := int64(1)
	for i := range f.up {
		for _, v := range [2]int64{f.up[i], f.dn[i]} {
			if v != table.PosInf {
				total = min(total+v, 1<<61)
			}
		}
	}
	f.e.SetGiven(f.up, f.dn, total)
	end, err := s.base.End(ctx, ctx, f.e, k, sign, false)
	switch {
	case errors.Is(err, oracle.ErrInexact), err == nil && (end.Endless || !end.Exact()):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return end.Value, nil
}

// shorten returns a short combination for the end of cell k at distance far from the base, nil if none is found. For
// TheValue no bounds are used.
func (s *shortener) shorten(ctx context.Context, k int, side Side, far *big.Rat) (*Combination, error) {
	sign := int(side)
	if side == TheValue {
		sign = 1
	}
	own := s.t.Upper[k]
	if sign < 0 {
		own = s.t.Lower[k]
	}
	if side != TheValue && own != table.PosInf && own != table.NegInf && s.base.Distance(k, sign, new(big.Rat).SetInt64(own)).Cmp(far) == 0 {
		c := combine(s.t, s.withheld, s.hidden, k, side, &oracle.Dual{K: int32(k), Den: 1})
		c.Shortest = true
		c.shrink(s.by)
		return c, nil
	}
	q := &query{field: s.whole, k: k, sign: sign, side: side, far: far, left: s.each, work: s.each * setsEach}
	first, _, err := q.suffices(ctx, nil, true, nil)
	if first == nil {
		return nil, err
	}
	dual, shortest := first, false
	if q.cost > wholeTable {
		narrow, err := s.narrowed(q, first)
		if err != nil {
			return nil, err
		}
		defer narrow.e.Close()
		q = narrow
		if first, _, err = q.suffices(ctx, nil, true, nil); err != nil {
			return nil, err
		}
	}
	if first != nil { // the relations of the first combination still prove the end
		if dual, shortest, err = q.shortest(ctx, first); err != nil {
			return nil, err
		}
		dual = q.inTable(dual)
	}
	c := combine(s.t, s.withheld, s.hidden, k, side, dual)
	if c == nil {
		return nil, nil
	}
	if want := s.base.Value(k, sign, far); c.Result.Cmp(want) != 0 {
		return nil, nil // cannot happen: the dual has proved this bound
	}
	c.Shortest = shortest && q.cell == nil
	c.shrink(s.by)
	return c, nil
}

// narrowed returns q restricted to the relations that a first combination uses.
func (s *shortener) narrowed(q *query, first *oracle.Dual) (*query, error) {
	at := map[int32]int32{int32(q.k): 0}
	cells := []int32{int32(q.k)}
	rel := table.NewRelations(0)
	var row []int32
	for _, j := range first.Rel {
		cell, coef := s.t.Rel.Row(int(j))
		row = row[:0]
		for _, i := range cell {
			if _, seen := at[i]; !seen {
				at[i] = int32(len(cells))
				cells = append(cells, i)
			}
			row = append(row, at[i])
		}
		rel.Add(row, coef, 0)
	}
	rel.N = len(cells)
	up, dn := make([]int64, len(cells)), make([]int64, len(cells))
	for c, i := range cells {
		up[c], dn[c] = q.up[i], q.dn[i]
	}
	f, err := s.field(oracle.NewSystem(rel), cells, first.Rel, up, dn)
	return &query{field: f, k: 0, sign: q.sign, side: q.side, far: q.far, left: q.left, work: q.work}, err
}

// inTable returns d with its relations numbered as in the table.
func (f *field) inTable(d *oracle.Dual) *oracle.Dual {
	if f.cell == nil {
		return d
	}
	out := *d
	out.Rel = sets.Pick(f.rel, d.Rel)
	return &out
}
