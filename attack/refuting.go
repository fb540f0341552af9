package attack

import (
	"math/bits"
	"slices"
)

// A refutingPattern is a pattern K that refutes the candidates for which it is protected and better than S: cheaper or,
// under Exact, equally cheap and before S in canonical order.
type refutingPattern struct {
	set       bitset  // K, by cell
	in        bitset  // K ∩ S, by position
	drop      []int32 // S \ K, positions
	price     int64   // Σ w over K \ S
	equalCost bool    // equally cheap suffices
	moves     []*move
	by        [][]moveAt // by position: moves of its cell
}

const (
	maxMoves = 64
	noLimit  = maxWord
)

// newRefutingPattern makes a refutingPattern of the pattern set.
func (x *setting) newRefutingPattern(set bitset) *refutingPattern {
	k := &refutingPattern{set: set, in: newBits(x.s), by: make([][]moveAt, x.s)}
	for i := range int32(x.n) {
		p := x.pos[i]
		switch {
		case p >= 0 && set.has(i):
			k.in.set(p)
		case p >= 0:
			k.drop = append(k.drop, p)
		case set.has(i):
			k.price += x.base.Cost[i]
		}
	}
	i := set.first(x.own)
	k.equalCost = x.office.Match == Exact && i >= 0 && !set.has(i)
	return k
}

// with returns a copy of k, which is shared, with another move. ok is false if the move is known or k has enough moves.
func (k *refutingPattern) with(x *setting, z []cellMove) (*refutingPattern, bool) {
	if len(k.moves) >= maxMoves || len(z) == 0 {
		return k, false
	}
	m := x.newMove(z)
	for _, o := range k.moves {
		if slices.Equal(o.support, m.support) {
			return k, false
		}
	}
	c := *k
	c.moves = append(slices.Clip(k.moves), m)
	c.by = slices.Clone(k.by)
	for t, p := range m.p {
		c.by[p] = append(slices.Clip(k.by[p]), moveAt{int32(len(k.moves)), m.z[t]})
	}
	return &c, true
}

// needs returns the levels of position p for values in [l, u], in units of
// 1/(grain·q).
func (x *setting) needs(p int32, l, u int64) (spl, lpl, upl int64) {
	spl, lpl, upl = x.need(p, 0, l, u), x.need(p, 1, l, u), x.need(p, 2, l, u)
	spl, lpl, upl = mulSat(spl, x.grain), mulSat(lpl, x.grain), mulSat(upl, x.grain)
	if x.base.Strict {
		spl++
	}
	return
}

// protects reports whether the moves of k show that the levels of position p are met in all tables of [l, u].
func (x *setting) protects(k *refutingPattern, p int32, l, u []int64) bool {
	spl, lpl, upl := x.needs(p, l[p], u[p])
	up, down, _, _ := x.reachBy(k, p, l, u)
	return up >= upl && down >= lpl && up+down >= spl
}

// cheaper reports whether k costs less than S, or as much if that suffices, in all tables of [l, u].
func (x *setting) cheaper(k *refutingPattern, l, u []int64) bool {
	sum := int64(0)
	for _, p := range k.drop {
		sum += x.leastWeight(p, l[p], u[p])
	}
	return sum > k.price || sum == k.price && k.equalCost
}

// covers reports whether k withholds all positions in may.
func (k *refutingPattern) covers(may bitset) bool {
	for w, v := range may {
		if v&^k.in[w] != 0 {
			return false
		}
	}
	return true
}

// refutes reports whether the moves of k, which covers may and is cheaper, show that it is protected in all tables of
// [l, u]; may are the positions that can be sensitive there.
func (x *setting) refutes(k *refutingPattern, l, u []int64, may bitset) bool {
	for w, v := range may {
		for ; v != 0; v &= v - 1 {
			if !x.protects(k, int32(w<<6+bits.TrailingZeros64(v)), l, u) {
				return false
			}
		}
	}
	return true
}

// A bitset is a set of small integers.
type bitset []uint64

func newBits(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) set(i int32)      { b[i>>6] |= 1 << (i & 63) }
func (b bitset) has(i int32) bool { return b[i>>6]>>(i&63)&1 != 0 }

// first returns the least element in which b and c differ, −1 if they are equal.
func (b bitset) first(c bitset) int32 {
	for w, v := range b {
		if d := v ^ c[w]; d != 0 {
			return int32(w<<6 + bits.TrailingZeros64(d))
		}
	}
	return -1
}
