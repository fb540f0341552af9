package risk

import (
	"math/bits"

	"github.com/hitoku/hitoku/internal/i18n"
)

// maxSpecials is the most minimal sample uniques that are kept, 16 bytes each at most.
const maxSpecials = 1 << 27

// specialSets are the sets of columns that single each record out. Those of a record stand together, for all are looked at before another is added:
// in a block of 2, 4, 8, … places, and where it is full in one twice as long.
type specialSets struct {
	found  uint64
	blocks []specialBlock // per record
	room   []uint64
	free   [32][]uint32 // where blocks begin that were left, by the logarithm of their length
}

// A specialBlock has n sets from room[at].
type specialBlock struct{ at, n uint32 }

// record are the sets of a record.
func (s *specialSets) record(p uint32) []uint64 {
	b := s.blocks[p]
	return s.room[b.at : b.at+b.n]
}

// add adds a set to those of a record, unless a part of it is among them. The latest are most like it.
func (s *specialSets) add(p uint32, set uint64) error {
	here := s.record(p)
	for i := len(here) - 1; i >= 0; i-- {
		if here[i]&set == here[i] {
			return nil
		}
	}
	if s.found == maxSpecials {
		return i18n.New("risk: more than 1.3e8 minimal sample uniques; look for those of fewer columns")
	}
	s.found++
	b := &s.blocks[p]
	switch n := b.n; {
	case n == 0:
		b.at = s.block(1)
	case n >= 2 && n&(n-1) == 0: // full
		size := bits.Len32(n) - 1
		at := s.block(size + 1)
		copy(s.room[at:], s.room[b.at:b.at+n])
		s.free[size] = append(s.free[size], b.at)
		b.at = at
	}
	s.room[b.at+b.n] = set
	b.n++
	return nil
}

// block is room for 1<<size sets.
func (s *specialSets) block(size int) (at uint32) {
	if left := s.free[size]; len(left) > 0 {
		at = left[len(left)-1]
		s.free[size] = left[:len(left)-1]
		return at
	}
	at = uint32(len(s.room))
	s.room = append(s.room, make([]uint64, 1<<size)...)
	return at
}

// translate turns places in the order of a search into columns.
func (s *specialSets) translate(column []int) {
	for p := range s.blocks {
		sets := s.record(uint32(p))
		for k, left := range sets {
			to := uint64(0)
			for ; left > 0; left &= left - 1 {
				to |= 1 << column[bits.TrailingZeros64(left)]
			}
			sets[k] = to
		}
	}
}
