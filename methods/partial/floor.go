package partial

import (
	"context"
	"errors"
	"math"
	"math/big"
	"slices"
	"time"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// A floor is the fallback of a search: intervals made from the witnesses of a pattern of marks, each witness scaled
// down to what its levels need.
type floor struct {
	y         []int64 // by column, in units of the table
	witnesses []*certificate.Witness
}

// floors holds the fallback of a search and what has been tried for it.
type floors struct {
	floor   *floor // nil: none
	laid    bool   // lay has run
	lowered bool   // layLower has run
}

// A search makes a floor after layAfter, or at the first pause of a limit; after layAfter also a cheaper one from marks
// that were improved for marksTime. The search for a first pattern gets firstMarks, after which a slower method is
// certain to find one.
const (
	layAfter   = 10 * time.Second
	marksTime  = 3 * time.Second
	firstMarks = 10 * time.Second
)

// lay makes a floor, once, from the first pattern found. There is none if the table cannot be protected, and it may not
// be found if widths are limited.
func (s *search) lay(ctx context.Context) error {
	if s.laid {
		return nil
	}
	s.laid = true
	return s.layBy(ctx, &solver.Options{First: true, TimeLimit: firstMarks})
}

// layLower makes a floor, once, from a cheaper pattern, whose movements may be wider.
func (s *search) layLower(ctx context.Context) error {
	if s.lowered || s.floor == nil {
		return nil
	}
	s.lowered = true
	first := s.floor
	err := s.layBy(ctx, &solver.Options{TimeLimit: marksTime, Punctual: true})
	if ctx.Err() != nil { // cut short, the marks might give a dearer floor
		s.floor = first
	}
	return err
}

// layBy makes a floor from marks and keeps it if it is cheaper.
func (s *search) layBy(ctx context.Context, o *solver.Options) error {
	defer s.course.besides(ctx)()
	o.LP, o.Workers = s.opt.LP, s.opt.Workers
	search := s.opt.Marks
	if search == nil {
		search = solver.Suppress
	}
	marks, err := search(ctx, s.p.marked(), o)
	if marks != nil && marks.Pattern != nil {
		f := s.p.floorOf(marks.Witnesses)
		if f != nil && (s.floor == nil || s.p.cost(f.y, 1).Cmp(s.p.cost(s.floor.y, 1)) < 0) {
			s.floor = f
		}
	}
	var impossible *solver.UnprotectableError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case s.floor != nil, errors.As(err, &impossible), errors.Is(err, solver.ErrNoSolution):
		return nil
	}
	return err
}

// prices returns the weights by column as costs of marks: whole numbers, scaled so that the median is 1000.
func (p *problem) prices() []int64 {
	w := make([]float64, len(p.weight))
	for c, v := range p.weight {
		w[c], _ = new(big.Float).SetInt(v).Float64()
	}
	middle := median(w)
	return sets.Each(w, func(v float64) int64 { return int64(min(max(1, math.Round(1000*v/middle)), 1e9)) })
}

// marked returns the table for the search for marks: the costs are the weights, the levels those of p, and the bounds
// are within the largest widths.
func (p *problem) marked() *table.Table {
	t := p.t.Clone()
	t.Strict = slices.ContainsFunc(p.levels, func(l protection.Level) bool { return l.Strict })
	for c, w := range p.prices() { // price of a width of one unit
		t.Cost[p.cell[c]] = w
	}
	for _, l := range p.levels {
		if l.Side == protection.Width {
			t.Width[l.K] = l.RHS
		}
	}
	for i, most := range p.most {
		U, L := p.col[up][i], p.col[down][i]
		if U < 0 || L < 0 || most == table.PosInf {
			for d, c := range [2]int32{U, L} {
				if c >= 0 && most < p.room[c] {
					p.tighten(t, d, i, most)
				}
			}
			continue
		}
		rest := max(0, most-p.least[U]-p.least[L]) // shared evenly; what one side cannot use goes to the other
		u := min(p.room[U]-p.least[U], rest/2)
		l := min(p.room[L]-p.least[L], rest-u)
		u = min(p.room[U]-p.least[U], rest-l)
		p.tighten(t, up, i, p.least[U]+u)
		p.tighten(t, down, i, p.least[L]+l)
	}
	return t
}

// tighten limits the movement of cell i in direction d to room.
func (p *problem) tighten(t *table.Table, d, i int, room int64) {
	if d == up {
		t.Upper[i] = t.Value[i] + room
	} else {
		t.Lower[i] = t.Value[i] - room
	}
}

// A reach is a witness as numbers, with the share of it that its levels need.
type reach struct {
	cells []int32
	z     []*big.Rat
	share *big.Rat // needed share of z
	price float64  // price of all of z
}

// floorOf makes a floor from witnesses that together meet every level: for each level it takes the witness, or the two
// for a width, that add least to the cost.
func (p *problem) floorOf(witnesses []*certificate.Witness) *floor {
	at := map[int32][]spot{} // by cell with levels: where witnesses move it
	for _, l := range p.levels {
		at[l.K] = nil
	}
	reaches := make([]*reach, len(witnesses))
	for w, from := range witnesses {
		r := p.reachOf(from)
		reaches[w] = r
		for e, i := range r.cells {
			if of, asked := at[i]; asked {
				at[i] = append(of, spot{r, e})
			}
		}
	}
	for _, l := range p.levels {
		if !serve(l, at[l.K]) {
			return nil // cannot happen: the pattern is protected
		}
	}
	f := &floor{y: make([]int64, len(p.cell))}
	for _, r := range reaches {
		if r.share.Sign() > 0 {
			f.witnesses = append(f.witnesses, r.needed(p, f.y))
		}
	}
	return f
}

func (p *problem) reachOf(w *certificate.Witness) *reach {
	r := &reach{cells: w.Cells, share: new(big.Rat)}
	for e, i := range w.Cells {
		var z *big.Rat
		if w.Long != nil {
			z = new(big.Rat).SetFrac(w.Long.Num[e], w.Long.Den)
		} else {
			z = big.NewRat(w.Num[e], w.Den)
		}
		r.z = append(r.z, z)
		d := up
		if z.Sign() < 0 {
			d = down
		}
		if c := p.col[d][i]; c >= 0 {
			v, _ := z.Float64()
			weight, _ := new(big.Float).SetInt(p.weight[c]).Float64()
			r.price += float64(weight * max(v, -v))
		}
	}
	return r
}

// A spot is an entry of a reach.
type spot struct {
	*reach
	e int
}

// dearer returns the additional cost if share of r is needed.
func (r *reach) dearer(share *big.Rat) float64 {
	if share.Cmp(r.share) <= 0 {
		return 0
	}
	d, _ := new(big.Rat).Sub(share, r.share).Float64()
	return d * r.price
}

func (r *reach) take(share *big.Rat) {
	if share.Cmp(r.share) > 0 {
		r.share = share
	}
}

// serve takes, from the witnesses that move the cell of level l, as much as the level needs, and reports whether they
// meet it.
func serve(l protection.Level, movers []spot) bool {
	want, one := new(big.Rat).SetInt64(l.RHS), big.NewRat(1, 1)
	var best *reach
	var share *big.Rat
	var ends [2]*reach // those that reach farthest, up and down
	var far [2]*big.Rat
	for _, m := range movers {
		r, z := m.reach, m.z[m.e]
		d := up
		if z.Sign() < 0 {
			d = down
		}
		if z.Sign() == 0 || l.Side == protection.Upper && d == down || l.Side == protection.Lower && d == up {
			continue
		}
		z = new(big.Rat).Abs(z)
		if far[d] == nil || z.Cmp(far[d]) > 0 {
			ends[d], far[d] = r, z
		}
		if c := z.Cmp(want); c < 0 || c == 0 && l.Strict {
			continue
		}
		s := one
		if !l.Strict {
			s = new(big.Rat).Quo(want, z)
		}
		if best == nil || r.dearer(s) < best.dearer(share) {
			best, share = r, s
		}
	}
	if best != nil {
		best.take(share)
		return true
	}
	sum := new(big.Rat)
	for d, r := range ends {
		if r != nil {
			r.take(one)
			sum.Add(sum, far[d])
		}
	}
	c := sum.Cmp(want)
	return l.Side == protection.Width && (c > 0 || c == 0 && !l.Strict)
}

// needed returns r scaled to its needed share, and widens y to cover it.
func (r *reach) needed(p *problem, y []int64) *certificate.Witness {
	w := &certificate.Witness{Cells: r.cells, Long: &certificate.Long{Den: big.NewInt(1)}}
	for _, z := range r.z {
		z.Mul(z, r.share)
		g := new(big.Int).GCD(nil, nil, w.Long.Den, z.Denom())
		w.Long.Den.Mul(w.Long.Den, new(big.Int).Quo(z.Denom(), g))
	}
	for e, z := range r.z {
		num := new(big.Int).Mul(z.Num(), w.Long.Den)
		w.Long.Num = append(w.Long.Num, num.Quo(num, z.Denom()))
		d := up
		if z.Sign() < 0 {
			d = down
		}
		if c := p.col[d][r.cells[e]]; c >= 0 {
			y[c] = max(y[c], ceiling(new(big.Rat).Abs(z)))
		}
	}
	return w
}
