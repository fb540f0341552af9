package risk

import (
	"math/bits"

	"github.com/hitoku/hitoku/internal/parallel"
)

// maxUnits is the most records that are searched in full.
const maxUnits = 64

// A starSearch goes through the partitions of records into groups of at least k.
type starSearch struct {
	*withholding
	unit   []int    // the class of each record; equal ones beside each other
	rest   []uint64 // how much the records from i on have to lose
	group  []openGroup
	at     []int // group of each record placed
	best   uint64
	found  []int // the groups of the best partition found, nil while that is the one given
	nodes  int
	most   int
	failed error
}

type openGroup struct {
	first int // the first class of the group
	set   uint64
	size  uint64
	lose  uint64 // how much its records have to lose at least
}

// search looks for a better partition, through at most nodes nodes; where it ends before, the result is optimal.
func (w *withholding) search(r *Suppression, nodes int) error {
	if w.records > maxUnits || nodes <= 0 {
		return nil
	}
	s := &starSearch{withholding: w, best: cells(r.groups), most: nodes}
	for _, g := range w.order {
		for range w.f[g] {
			s.unit = append(s.unit, g)
		}
	}
	s.rest = make([]uint64, len(s.unit)+1)
	for i := len(s.unit) - 1; i >= 0; i-- {
		s.rest[i] = s.rest[i+1] + uint64(w.least[s.unit[i]])
	}
	s.at = make([]int, len(s.unit))
	s.place(0)
	if s.failed != nil {
		return s.failed
	}
	r.Nodes = s.nodes
	if r.Optimal = s.nodes < s.most; r.Optimal {
		r.Bound = s.best
	}
	if s.found == nil {
		return nil
	}
	r.groups = nil
	for i, b := range s.found {
		for len(r.groups) <= b {
			r.groups = append(r.groups, &starGroup{member: map[int]uint64{}})
		}
		r.groups[b].member[s.unit[i]]++
		r.groups[b].size++
	}
	for _, x := range r.groups {
		x.set = w.differ(x)
	}
	return nil
}

// cost is the least that a group will lose; its want of records is filled by some that lose as much.
func (s *starSearch) cost(x *openGroup) uint64 {
	return max(x.lose, x.size*uint64(bits.OnesCount64(x.set)))
}

// place puts record i and those behind it into groups. Equal records go to groups in ascending order.
func (s *starSearch) place(i int) {
	if s.failed != nil || s.nodes >= s.most {
		return
	}
	if s.nodes++; s.nodes%1024 == 0 {
		if err := s.ctx.Err(); err != nil {
			s.failed = parallel.Ended(s.ctx, err)
			return
		}
	}
	bound, want := s.rest[i], uint64(0)
	for k := range s.group {
		x := &s.group[k]
		bound += s.cost(x)
		want += s.k - min(s.k, x.size)
	}
	if bound >= s.best || want > uint64(len(s.unit)-i) {
		return
	}
	if i == len(s.unit) {
		s.best, s.found = bound, append([]int(nil), s.at...)
		return
	}
	g := s.unit[i]
	from := 0
	if i > 0 && s.unit[i-1] == g {
		from = s.at[i-1]
	}
	for k := from; k < len(s.group); k++ {
		before := s.group[k]
		x := &s.group[k]
		x.set |= s.apart(x.first, g)
		x.size++
		x.lose += uint64(s.least[g])
		s.at[i] = k
		s.place(i + 1)
		s.group[k] = before
	}
	s.group = append(s.group, openGroup{first: g, size: 1, lose: uint64(s.least[g])})
	s.at[i] = len(s.group) - 1
	s.place(i + 1)
	s.group = s.group[:len(s.group)-1]
}
