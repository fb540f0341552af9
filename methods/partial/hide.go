package partial

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"math/big"
	random "math/rand/v2"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/table"
)

// A veil hides where in its interval a value lies. The interval [a − y⁻, a + y⁺] that the levels require reveals the
// value to anyone who knows y: with equal levels it is the midpoint. So before intervals are laid around it, the table
// a is moved to c = a + p by a secret draw p with M p = 0 and −r⁻ ≤ p ≤ r⁺, where r is how far the witnesses of the
// levels move each cell, and
//
//	[c − r⁺ − y⁻, c + r⁻ + y⁺]
//
// is published, clipped to what everybody knows. It contains [a − y⁻, a + y⁺], so all levels are still met, and it is a
// function of c. Someone who knows y and is even told c, but does not know the draw, which ends were clipped, the
// levels, the witnesses or this rule, can exclude no table c − q from which the draw may lead to c. Among these are the
// tables of the witnesses, q = w for every level: so each sensitive cell may still vary by as much as its levels
// require together, if c − w leaves room for its levels within the bounds. If it does not for some cell, the draw is
// repeated: as that depends on c only, the same holds for the final draw.
//
// Someone who knows y for every table, for instance by repeating the search for each, may exclude those with another y.
// Nothing is promised against this; a defence protects against it.
type veil struct {
	p     *problem
	y     []int64
	unit  int64      // movements are in units of 1/unit
	moves []movement // along witnesses
	reach [2][]int64 // r, by cell
	room  [2][]int64 // by cell: how far bounds and levels let the value be elsewhere; farthest: at least that far
	sums  []protection.Level
}

// A movement is a witness scaled to the smallest integer vector.
type movement struct {
	cell []int32
	by   []int64
}

// Cost of a draw: sweeps over all movements, and how often it is repeated.
const (
	sweeps = 8
	tries  = 32
)

// utmost is the largest movement, so that a sum of two still fits.
const utmost = 1 << 58

func newVeil(p *problem, y []int64, witnesses []*certificate.Witness) *veil {
	n := p.t.Len()
	v := &veil{p: p, y: y, unit: 1, sums: together(p.levels)}
	for d := range v.reach {
		v.reach[d], v.room[d] = make([]int64, n), make([]int64, n)
	}
	for _, w := range witnesses { // witnesses with too large denominators are skipped
		if w.Long == nil && v.unit/num.GCD(v.unit, w.Den) <= (1<<20)/w.Den {
			v.unit *= w.Den / num.GCD(v.unit, w.Den)
		}
	}
	for i := range n {
		U, L := protection.Capacities(p.t, i)
		for d, room := range [2]int64{up: U, down: L} {
			if c := p.col[d][i]; c >= 0 {
				room -= p.least[c]
			}
			v.room[d][i] = min(farthest, times(max(0, room), v.unit))
		}
	}
	for _, w := range witnesses {
		if w.Long != nil || v.unit%w.Den != 0 {
			continue
		}
		m, g, far := movement{}, int64(0), false
		for t, z := range w.Num {
			if far = far || num.Abs(z) > utmost/v.unit; z != 0 && !far {
				z *= v.unit / w.Den
				m.cell, m.by, g = append(m.cell, w.Cells[t]), append(m.by, z), num.GCD(g, num.Abs(z))
			}
		}
		if far || g == 0 {
			continue
		}
		for t, i := range m.cell {
			z := m.by[t]
			v.reach[up][i], v.reach[down][i] = max(v.reach[up][i], z), max(v.reach[down][i], -z)
			m.by[t] /= g
		}
		v.moves = append(v.moves, m)
	}
	for i, widest := range p.most {
		v.within(i, widest)
	}
	return v
}

// within limits the movements of cell i to its largest width.
func (v *veil) within(i int, widest int64) {
	below, above := v.needs(i)
	both := v.reach[up][i] + v.reach[down][i]
	if below+above == 0 || widest == table.PosInf || below > utmost || above > utmost {
		return
	}
	left := min(utmost, times(max(0, widest-below-above), v.unit))
	if v.unit > 1 { // ends are whole units
		left = max(0, left-2*v.unit)
	}
	if both > left {
		v.reach[up][i] = min(v.reach[up][i], left, int64(float64(v.reach[up][i])/float64(both)*float64(left)))
		v.reach[down][i] = min(v.reach[down][i], left-v.reach[up][i])
	}
}

// needs returns y⁻ and y⁺ of cell i.
func (v *veil) needs(i int) (below, above int64) {
	if j := v.p.col[down][i]; j >= 0 {
		below = v.y[j]
	}
	if j := v.p.col[up][i]; j >= 0 {
		above = v.y[j]
	}
	return below, above
}

// multiples returns the range of multiples of m that may be added to q.
func (v *veil) multiples(m movement, q []int64) (lo, hi int64) {
	lo, hi = -utmost, utmost
	for t, i := range m.cell {
		l, h := between(m.by[t], -v.reach[down][i]-q[i], v.reach[up][i]-q[i])
		lo, hi = max(lo, l), min(hi, h)
	}
	return lo, hi
}

// between returns the range of j with l ≤ j·by ≤ h.
func between(by, l, h int64) (lo, hi int64) {
	if by < 0 {
		by, l, h = -by, -h, -l
	}
	return num.CeilDiv(l, by), num.FloorDiv(h, by)
}

// astray returns by how much the tables c − q, for q up to the reach of the witnesses, leave the possible range in the
// cells of m, if j·m is added to p.
func (v *veil) astray(m movement, p []int64, j int64) float64 {
	sum := 0.0
	for t, i := range m.cell {
		at := p[i] + j*m.by[t]
		sum += float64(max(0, v.reach[up][i]-v.room[down][i]-at)) + float64(max(0, at+v.reach[down][i]-v.room[up][i]))
	}
	return sum
}

// draw returns p. It starts at 0 and goes along the movements, each by a random multiple that keeps within r. With stay
// it never increases astray; without, every table remains a possible origin.
func (v *veil) draw(rng *random.Rand, stay bool) []int64 {
	p := make([]int64, v.p.t.Len())
	for range sweeps {
		for _, x := range rng.Perm(len(v.moves)) {
			m := v.moves[x]
			lo, hi := v.multiples(m, p)
			if stay {
				now := v.astray(m, p, 0)
				lo, hi = -v.farthest(m, p, -1, -lo, now), v.farthest(m, p, 1, hi, now)
			}
			j := lo + rng.Int64N(hi-lo+1)
			for t, i := range m.cell {
				p[i] += j * m.by[t]
			}
		}
	}
	return p
}

// farthest returns the largest number up to limit for which adding sign·m that often does not increase astray; as
// astray is convex, bisection finds it.
func (v *veil) farthest(m movement, p []int64, sign, limit int64, now float64) int64 {
	if v.astray(m, p, sign*limit) <= now {
		return limit
	}
	lo, hi := int64(0), limit
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; v.astray(m, p, sign*mid) <= now {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// told counts the sensitive cells whose range over the possible tables c − q, c = a + p, is narrower than their levels
// require together.
func (v *veil) told(p []int64) int {
	type span struct{ least, most int64 } // bounds of q
	spans := map[int32]*span{}
	for _, l := range v.sums {
		spans[l.K] = &span{utmost, -utmost}
	}
	out := 0 // cells in which c itself is impossible
	for i := range p {
		if p[i] < -v.room[down][i] || p[i] > v.room[up][i] {
			out++
		}
	}
	if out == 0 {
		for _, s := range spans {
			s.least, s.most = 0, 0
		}
	}
	zero := make([]int64, len(p))
	for _, m := range v.moves {
		lo, hi := v.multiples(m, zero)
		left := out
		for t, i := range m.cell { // a + p − j·m is possible
			l, h := between(m.by[t], p[i]-v.room[up][i], p[i]+v.room[down][i])
			if lo, hi = max(lo, l), min(hi, h); p[i] < -v.room[down][i] || p[i] > v.room[up][i] {
				left--
			}
		}
		if lo > hi || left > 0 {
			continue
		}
		for t, i := range m.cell {
			if s := spans[i]; s != nil {
				a, b := lo*m.by[t], hi*m.by[t]
				s.least, s.most = min(s.least, a, b), max(s.most, a, b)
			}
		}
	}
	open := 0
	for _, l := range v.sums {
		wide := new(big.Rat).SetFrac64(max(0, spans[l.K].most-spans[l.K].least), v.unit)
		if !l.Holds(wide, new(big.Rat)) {
			open++
		}
	}
	return open
}

// published returns the intervals laid around a + p, as distances from a.
func (v *veil) published(e Ends, p []int64) []int64 {
	out := append([]int64(nil), v.y...)
	laid := append([]int64(nil), v.y...) // before they are rounded
	for j, i := range v.p.cell {
		far := v.reach[down][i] + p[i]
		if v.p.dir[j] == down {
			far = v.reach[up][i] - p[i]
		}
		if v.y[j] <= utmost {
			laid[j] = min(v.p.room[j], v.y[j]+num.CeilDiv(far, v.unit))
		}
		out[j] = laid[j]
		if o := v.p.other(j); laid[j] > 0 || o >= 0 && v.y[o] > 0 {
			out[j] = v.p.outward(e, j, laid[j])
		}
	}
	v.p.keepWithin(out, laid)
	return out
}

// together replaces the levels of each cell by one width: the larger of the sum of both sides and the width asked for.
func together(levels []protection.Level) []protection.Level {
	var out []protection.Level
	sum := int64(0) // both sides of the last cell together
	for _, l := range levels {
		if len(out) == 0 || out[len(out)-1].K != l.K {
			out, sum = append(out, protection.Level{K: l.K, Side: protection.Width}), 0
		}
		last := &out[len(out)-1]
		if l.Side != protection.Width {
			sum += l.RHS
			l.RHS = sum
		}
		if l.RHS > last.RHS {
			last.RHS = l.RHS
		}
		last.Strict = last.Strict || l.Strict && l.RHS == last.RHS
	}
	return out
}

// hide lays the intervals y around a drawn table, and returns the number of sensitive cells about which more is
// revealed than their levels allow.
func (s *search) hide(ctx context.Context, y []int64, witnesses []*certificate.Witness) (published []int64, told int) {
	v := newVeil(s.p, y, witnesses)
	p, told := s.drawnOf(ctx, v)
	return v.published(s.opt.Ends, p), told
}

// drawnOf returns, of several draws of v, the one that reveals least.
func (s *search) drawnOf(ctx context.Context, v *veil) (best []int64, told int) {
	rng := random.New(random.NewChaCha8(s.key()))
	for range tries {
		p := v.draw(rng, rng.IntN(2) == 0)
		if open := v.told(p); best == nil || open < told {
			best, told = p, open
		}
		if told == 0 || ctx.Err() != nil {
			break
		}
	}
	return best, told
}

// key returns the key of the draw: a hash of the secret and of the table with its values, so that draws for different
// tables are independent and the same table is always published in the same way.
func (s *search) key() (key [sha256.Size]byte) {
	h := sha256.New()
	h.Write(s.opt.Secret[:])
	h.Write([]byte(s.p.t.Name))
	for _, v := range s.p.t.Value {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(v)))
	}
	return [sha256.Size]byte(h.Sum(nil))
}
