package risk

import "math/bits"

// smallGroup is the largest number of classes in a group that specialPairs handles. For a column of few classes,
// counting codes costs more than comparing the classes pairwise on all columns at once; at about twice as many classes
// the quadratic number of pairs costs more.
const smallGroup = 16

// specialPairs finds what singles a record out of a small group. If the codes of all columns fit one word, two records
// differ in the columns of a mask, the highest bit of each column. A set of columns singles a record out if it meets
// the mask of every other record, and is minimal if each of its columns is the only one to meet some mask.
type specialPairs struct {
	search *specialSearch
	high   uint64   // the highest bit of each column
	below  []uint64 // for each column: the highest bits of the columns before it
	column [64]uint8
	differ [][]uint64 // by number of chosen columns: masks of the records not yet told apart
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

// nonzero returns the mask of the columns whose code is not 0: if a lower bit of a code is 1, addition carries into the
// highest bit.
func (x *specialPairs) nonzero(row uint64) uint64 {
	return (row&^x.high + ^x.high | row) & x.high
}

// finish finds what singles out records of a group that agree on the columns of set, adding up to more columns before
// low.
func (x *specialPairs) finish(set uint64, low, more int, places []uint32, rows []uint64) error {
next:
	for a, p := range places {
		if p >= x.search.single {
			break // and so do all later ones
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

// choose extends the n chosen columns, given by the set by and the mask chosen, by columns of the mask can.
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

// needs reports whether each of the chosen columns is the only one that tells the record from some other.
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
