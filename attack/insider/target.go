package insider

import (
	"context"
	"errors"
	"math"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/oracle"
)

// A target is the search for the coalitions to which one sensitive cell is exposed.
type target struct {
	b             *block
	k             int32 // index in b
	cell          int   // index in the table
	value         *int64
	lpl, upl, spl int64
	strict        bool
	motions       []motion
	found         []finding
	next          [][]int32 // coalitions waiting to be examined, as ascending contributors of b
	ahead         map[string][]int32
	settled       int // coalitions of up to this size are settled; −1: none
	// Pairs with this cell examined, and those of them without a verdict.
	examined, unsettled int64
}

// A motion is a z of the kernel with z_k ≠ 0 within the capacities.
type motion struct {
	people []int32 // contributors whose cells it moves
	// How far multiples of it move cell k up and down, rounded down.
	reach [2]int64
}

// A finding is an exposure to coalition q.
type finding struct {
	Exposure
	q   []int32
	met bool // proved ends show that the levels are met after all
}

func (s *insiders) newTarget(b *block, k int32) *target {
	i := b.cells[k]
	t := &target{b: b, k: k, cell: int(i), next: [][]int32{nil}, ahead: map[string][]int32{}, settled: -1}
	if s.rep.Values {
		t.value = &s.t.Value[i]
		t.lpl, t.upl, t.spl, t.strict = s.t.LPL[i], s.t.UPL[i], s.t.Width[i], s.t.Strict
	}
	return t
}

// grow examines the waiting coalitions and, if more, collects those to follow.
func (t *target) grow(ctx context.Context, p *probe, more bool) error {
	for _, q := range t.next {
		if len(q) > 0 {
			t.examined++
		}
		if err := t.look(ctx, p, q, more); err != nil {
			return err
		}
	}
	t.next = t.next[:0]
	for _, q := range t.ahead {
		t.next = append(t.next, q)
	}
	clear(t.ahead)
	slices.SortFunc(t.next, slices.Compare)
	return nil
}

// look settles coalition q.
func (t *target) look(ctx context.Context, p *probe, q []int32, more bool) error {
	narrow := false // a smaller coalition already finds the interval too narrow
	for _, f := range t.found {
		if within(f.q, q) {
			if f.Disclosed {
				return nil
			}
			narrow = true
		}
	}
	if t.b.together(t.k, q) {
		f := finding{q: q, Exposure: Exposure{Known: t.value != nil, Disclosed: true, Relations: true}}
		if f.Known {
			f.Lo, f.Hi = new(big.Rat).SetInt64(*t.value), new(big.Rat).SetInt64(*t.value)
		}
		t.found = append(t.found, f)
		return nil
	}
	var people []int32
	var ok bool
	if narrow {
		people, ok = t.moved(q)
	} else {
		people, ok = t.shown(q)
	}
	if !ok {
		if err := p.fix(q); err != nil {
			return err
		}
		if !narrow {
			u, d, err := p.levels(ctx, t)
			if err != nil && !errors.Is(err, oracle.ErrInexact) {
				return err
			}
			if ok = err == nil && t.enough(u, d); ok {
				people = t.keep(u, 0)
				if d != nil {
					people = union(people, t.keep(d, 1))
				}
			}
		}
	}
	if !ok {
		f, up, dn, err := t.expose(ctx, p, q)
		switch {
		case errors.Is(err, oracle.ErrInexact):
			t.unsettled++
			for m := range t.b.person { // nothing tells which contributors matter
				people = append(people, int32(m))
			}
		case err != nil:
			return err
		case f.Disclosed:
			t.found = append(t.found, f)
			return nil
		case !narrow && f.met: // only the proved ends show this
			people = union(up, dn)
		default:
			if !narrow {
				t.found = append(t.found, f)
			}
			// Any movement keeps the cell from being disclosed exactly.
			if people = up; up == nil || dn != nil && len(dn) < len(up) {
				people = dn
			}
		}
	}
	if more {
		t.branch(q, people)
	}
	return nil
}

// expose computes the interval that q is left with and, for each end, the contributors whose cells move in a point that
// attains it; nil if the end is the value itself.
func (t *target) expose(ctx context.Context, p *probe, q []int32) (f finding, up, dn []int32, err error) {
	f = finding{q: q}
	u, err := p.end(ctx, t, 1)
	if err != nil {
		return f, nil, nil, err
	}
	d := u // unit capacities are symmetric
	if t.value != nil {
		if d, err = p.end(ctx, t, -1); err != nil {
			return f, nil, nil, err
		}
	}
	for _, e := range []*oracle.End{u, d} {
		f.Inexact = f.Inexact || !e.Exact()
	}
	if t.value == nil && f.Inexact {
		return f, nil, nil, oracle.ErrInexact
	}
	f.Disclosed = !f.Inexact && u.Value.Sign() == 0 && d.Value.Sign() == 0 // a ray has a nonzero value
	if t.value != nil {
		f.Known = true
		a := new(big.Rat).SetInt64(*t.value)
		if u.Bound != nil {
			f.Hi = new(big.Rat).Add(a, u.Bound)
		}
		if d.Bound != nil {
			f.Lo = new(big.Rat).Sub(a, d.Bound)
		}
	}
	f.met = t.meets(&f, u, d)
	if u.Value.Sign() > 0 {
		up = t.keep(u, 0)
	}
	if d.Value.Sign() > 0 && t.value != nil {
		dn = t.keep(d, 1)
	}
	if f.Disclosed {
		f.Relations, err = p.byRelations(ctx, t, q)
	}
	return f, up, dn, err
}

// enough reports whether points that reach u upwards and d downwards (nil: none) show the levels.
func (t *target) enough(u, d *oracle.End) bool {
	down := new(big.Rat)
	if d != nil {
		down = d.Value
	}
	return t.show(u.Value, down)
}

// meets reports whether an interval with the proved ends u and d meets the levels and is more than a point. Ends that
// are not proved do not count.
func (t *target) meets(f *finding, u, d *oracle.End) bool {
	if !f.Known {
		return !f.Disclosed
	}
	value := func(e *oracle.End) *big.Rat {
		if e.Endless {
			return new(big.Rat).SetInt64(math.MaxInt64)
		}
		return e.Value
	}
	return t.show(value(u), value(d))
}

// show compares distances with the levels.
func (t *target) show(up, dn *big.Rat) bool {
	level := func(v int64) *big.Rat { return new(big.Rat).SetInt64(v) }
	width := new(big.Rat).Add(up, dn)
	c := width.Cmp(level(t.spl))
	return up.Cmp(level(t.upl)) >= 0 && dn.Cmp(level(t.lpl)) >= 0 && width.Sign() > 0 && (c > 0 || c == 0 && !t.strict)
}

// shown looks for motions that do not move the cells of q and show the levels, and returns the contributors whose cells
// they move; of several such pairs it takes one with few contributors.
func (t *target) shown(q []int32) ([]int32, bool) {
	var use []*motion
	for m := range t.motions {
		if disjoint(t.motions[m].people, q) {
			use = append(use, &t.motions[m])
		}
	}
	var best [2]*motion
	fewest := math.MaxInt
	consider := func(a, b *motion) {
		up, dn, size := int64(0), int64(0), 0
		if a != nil {
			up, size = a.reach[0], len(a.people)
		}
		if b != nil {
			dn = b.reach[1]
			if b != a {
				size += len(b.people)
			}
		}
		if up < t.upl || dn < t.lpl || up+dn < t.spl || t.strict && up+dn == t.spl || size >= fewest {
			return
		}
		best, fewest = [2]*motion{a, b}, size
	}
	for _, a := range use {
		consider(a, nil)
		consider(nil, a)
		for _, b := range use {
			consider(a, b)
		}
	}
	if fewest == math.MaxInt {
		return nil, false
	}
	var people []int32
	for _, m := range best {
		if m != nil {
			people = union(people, m.people)
		}
	}
	return people, true
}

// moved is shown for any movement at all.
func (t *target) moved(q []int32) ([]int32, bool) {
	var best *motion
	for m := range t.motions {
		if x := &t.motions[m]; disjoint(x.people, q) && (best == nil || len(x.people) < len(best.people)) {
			best = x
		}
	}
	if best == nil {
		return nil, false
	}
	return best.people, true
}

// maxMotions is the number of motions kept for one cell; later ones are used only once.
const maxMotions = 64

// keep stores the point of an end found upwards (side 0) or downwards (1) and returns the contributors whose cells it
// moves, never nil.
func (t *target) keep(e *oracle.End, side int) []int32 {
	people := t.b.people(e.Idx)
	if e.Value.Sign() == 0 {
		return people
	}
	m := motion{people: people}
	m.reach[side] = floor(e.Value)
	z := make([]float64, len(e.Idx))
	for c := range z {
		z[c], _ = e.At(c).Float64()
	}
	for side, reach := range t.reaches(t.b.sys.NewPoint(e.Idx, z, t.b.up, t.b.dn)) {
		m.reach[side] = max(m.reach[side], reach)
	}
	if len(t.motions) < maxMotions {
		t.motions = append(t.motions, m)
	}
	return people
}

// reaches returns how far multiples of p move the cell up and down, rounded down.
func (t *target) reaches(p *oracle.Point) (reach [2]int64) {
	for side, sign := range [...]int{1, -1} {
		reach[side] = 1 << 61
		if r := p.Distance(t.k, sign); r != nil {
			reach[side] = floor(r)
		}
	}
	return reach
}

// branch queues the coalitions that add one of people to q.
func (t *target) branch(q, people []int32) {
	own := t.b.owner[t.k]
	for _, p := range people {
		if p == own {
			continue
		}
		at, in := slices.BinarySearch(q, p)
		if in {
			continue
		}
		larger := slices.Insert(slices.Clone(q), at, p)
		key := make([]byte, 0, 4*len(larger))
		for _, x := range larger {
			key = append(key, byte(x>>24), byte(x>>16), byte(x>>8), byte(x))
		}
		t.ahead[string(key)] = larger
	}
}
