package risk

import "math/bits"

// smallGroup is the most classes of a group that specialPairs takes. Counting the codes of a column of few classes costs more than comparing them in
// pairs on all columns at once; the square of their number passes it at about twice as many.
const smallGroup = 16

// specialPairs finds what singles a record out of a small group. Where the codes of all columns are in one word, two records differ in the columns of a
// mask, the highest bit of each column; a set of columns singles a record out of others if it has one of each of their masks, and no smaller part does if
// each of its columns is the only one that has one of some mask.
type specialPairs struct {
	search *specialSearch
	high   uint64   // the highest bit of each column
	below  []uint64 // those of the columns before each
	column [64]uint8
	differ [][]uint64 // masks of others that chosen columns do not tell the record from, by their number
}

func newSpecialPairs(s *specialSearch) *specialPairs {
	x := &specialPairs{search: s, differ: make([][]uint64, s.size+1)}
	for j, f := range s.field {
		x.below = append(x.below, x.high)
		top := f.shift + uint(bits.Len64(f.mask)) - 1
		x.high |= 1 << top
		x.column[top] = uint8(j)
	}
	for k := range x.differ {
		x.differ[k] = make([]uint64, 0, smallGroup)
	}
	return x
}

// nonzero is the mask of the columns whose code is not 0: the lower bits of a code carry into the highest if one of them is 1.
func (x *specialPairs) nonzero(row uint64) uint64 {
	return (row&^x.high + ^x.high | row) & x.high
}

// finish finds what singles out records of a group that agree on the columns of set, together with at most more columns before low.
func (x *specialPairs) finish(set uint64, low, more int, places []uint32, rows []uint64) error {
next:
	for a, p := range places {
		if p >= x.search.single {
			break // and those behind it
		}
		can := x.nonzero(rows[a]) & x.below[low]
		masks := x.differ[0][:0]
		for b, row := range rows {
			if b == a {
				continue
			}
			mask := x.nonzero(rows[a]^row) & can
			if mask == 0 {
				continue next
			}
			masks = append(masks, mask)
		}
		x.differ[0] = masks
		if err := x.choose(p, set, 0, 0, 0, more, can); err != nil {
			return err
		}
	}
	return nil
}

// choose adds columns of the mask can to the n chosen, which are the columns of by and the mask chosen.
func (x *specialPairs) choose(p uint32, set, by, chosen uint64, n, more int, can uint64) error {
	every, some := can, uint64(0)
	for _, mask := range x.differ[n] {
		every &= mask
		some |= mask
	}
	for left := every; left > 0; left &= left - 1 {
		if bit := left & -left; n == 0 || x.needs(chosen, bit) {
			if err := x.search.sets.add(p, set, by|1<<x.column[bits.TrailingZeros64(bit)]); err != nil {
				return err
			}
		}
	}
	if more == 1 {
		return nil
	}
	can &^= every
next:
	for left := some & can; left > 0; left &= left - 1 {
		bit := left & -left
		rest := can & (bit - 1)
		masks := x.differ[n+1][:0]
		for _, mask := range x.differ[n] {
			if mask&bit != 0 {
				continue
			}
			if mask &= rest; mask == 0 {
				continue next
			}
			masks = append(masks, mask)
		}
		x.differ[n+1] = masks
		if err := x.choose(p, set, by|1<<x.column[bits.TrailingZeros64(bit)], chosen|bit, n+1, more-1, rest); err != nil {
			return err
		}
	}
	return nil
}

// needs reports whether a record is told from some other by each of chosen alone.
func (x *specialPairs) needs(chosen, bit uint64) bool {
	all := chosen | bit
	alone := uint64(0)
	for _, mask := range x.differ[0] {
		if only := mask & all; only&(only-1) == 0 {
			alone |= only
		}
	}
	return alone == all
}
