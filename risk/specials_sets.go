package risk

import (
	"math/bits"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
)

// maxSpecials is the largest number of minimal sample uniques kept, each at most 16 bytes.
const maxSpecials = 1 << 27

// specialLists implements specialSets for many sets. The sets of a record are stored contiguously, as all are read
// before another is added: in a block of 2, 4, 8, … places, which is replaced by one twice as long when full.
type specialLists struct {
	column []int
	found  uint64
	blocks []specialBlock // by record
	room   []uint64
	free   [32][]uint32 // by the logarithm of the length: the starts of free blocks
}

// A specialBlock has n sets, from room[at] on.
type specialBlock struct{ at, n uint32 }

func (s *specialLists) list(p uint32) []uint64 {
	b := s.blocks[p]
	return s.room[b.at : b.at+b.n]
}

// add checks the latest sets first, which are most similar to the new one.
func (s *specialLists) add(p uint32, known, more uint64) error {
	here, set := s.list(p), known|more
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

// block allocates room for 1<<size sets.
func (s *specialLists) block(size int) (at uint32) {
	if left := s.free[size]; len(left) > 0 {
		at = left[len(left)-1]
		s.free[size] = left[:len(left)-1]
		return at
	}
	at = uint32(len(s.room))
	s.room = append(s.room, make([]uint64, 1<<size)...)
	return at
}

func (s *specialLists) done(uint64) {}

func (s *specialLists) record(p uint32) []uint64 {
	sets := slices.Clone(s.list(p))
	for k, set := range sets {
		sets[k] = inColumns(set, s.column)
	}
	return sets
}

func (s *specialLists) each(f func(p uint32, sets []uint64)) map[uint64]uint64 {
	count := map[uint64]uint64{}
	var sets []uint64
	for p := range s.blocks {
		sets = sets[:0]
		for _, set := range s.list(uint32(p)) {
			set = inColumns(set, s.column)
			sets = append(sets, set)
			count[set]++
		}
		if len(sets) > 0 {
			f(uint32(p), sets)
		}
	}
	return count
}

// inColumns converts a set in search order to a set of columns.
func inColumns(set uint64, column []int) (to uint64) {
	for ; set > 0; set &= set - 1 {
		to |= 1 << column[bits.TrailingZeros64(set)]
	}
	return to
}
