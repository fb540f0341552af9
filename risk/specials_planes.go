package risk

import "math/bits"

// mostPlanes is the largest number of sets of columns for which specialPlanes are kept.
const mostPlanes = 1 << 11

// specialPlanes implements specialSets for few sets, with one bit for each record and set: whether the set or a subset
// singles the record out. So one bit tells whether a set is minimal, and bits that a search reads together are stored
// together.
type specialPlanes struct {
	column []int
	sets   []uint64   // in ascending order
	plane  [][]uint64 // by set; the empty set is never looked up
}

// newSpecialPlanes returns nil if there are too many sets of at most size columns.
func newSpecialPlanes(column []int, size, records int) *specialPlanes {
	if len(column) > 16 {
		return nil
	}
	s := &specialPlanes{column: column, plane: make([][]uint64, 1<<len(column))}
	for set := range uint64(len(s.plane)) {
		if bits.OnesCount64(set) <= size {
			s.sets = append(s.sets, set)
		}
	}
	if len(s.sets) > mostPlanes {
		return nil
	}
	words := (records + 63) / 64
	room := make([]uint64, len(s.sets)*words)
	for k, set := range s.sets {
		s.plane[set] = room[k*words:][:words]
	}
	return s
}

func (s *specialPlanes) add(p uint32, known, more uint64) error {
	set, word, bit := known|more, p/64, uint64(1)<<(p%64)
	for left := known; left > 0; left &= left - 1 {
		if s.plane[set&^(left&-left)][word]&bit != 0 {
			return nil
		}
	}
	s.plane[set][word] |= bit
	return nil
}

func (s *specialPlanes) done(set uint64) {
	to := s.plane[set]
	for left := set; left > 0; left &= left - 1 {
		for w, x := range s.plane[set&^(left&-left)] {
			to[w] |= x
		}
	}
}

// found returns the records of a word that a set singles out while no proper subset does.
func (s *specialPlanes) found(set uint64, word uint32) uint64 {
	x := s.plane[set][word]
	for left := set; left > 0 && x > 0; left &= left - 1 {
		x &^= s.plane[set&^(left&-left)][word]
	}
	return x
}

func (s *specialPlanes) record(p uint32) (sets []uint64) {
	for _, set := range s.sets {
		if s.found(set, p/64)>>(p%64)&1 == 1 {
			sets = append(sets, inColumns(set, s.column))
		}
	}
	return sets
}

func (s *specialPlanes) each(f func(p uint32, sets []uint64)) map[uint64]uint64 {
	count := map[uint64]uint64{}
	named, n := make([]uint64, len(s.sets)), make([]uint64, len(s.sets))
	for k, set := range s.sets {
		named[k] = inColumns(set, s.column)
	}
	var lists [64][]uint64
	for w := range uint32(len(s.plane[0])) {
		any := uint64(0)
		for k, set := range s.sets {
			x := s.found(set, w)
			any |= x
			n[k] += uint64(bits.OnesCount64(x))
			for ; x > 0; x &= x - 1 {
				i := bits.TrailingZeros64(x)
				lists[i] = append(lists[i], named[k])
			}
		}
		for ; any > 0; any &= any - 1 {
			i := bits.TrailingZeros64(any)
			f(64*w+uint32(i), lists[i])
			lists[i] = lists[i][:0]
		}
	}
	for k, n := range n {
		if n > 0 {
			count[named[k]] = n
		}
	}
	return count
}
