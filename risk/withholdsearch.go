package risk

import (
	"github.com/hitoku/hitoku/internal/parallel"
)

// maxUnits is the largest number of records that are searched exhaustively.
const maxUnits = 64

// A starSearch enumerates the partitions of records into groups that reach the goal.
type starSearch struct {
	*withholding
	unit   []int    // class of each record; equal ones are adjacent
	rest   []uint64 // lower bound on the cost of the records from i on
	group  []openGroup
	at     []int // group of each record placed so far
	best   uint64
	found  []int // groups of the best partition found, nil if that is still the given one
	nodes  int
	most   int
	failed error
}

type openGroup struct {
	first int // the first class of the group
	set   uint64
	size  uint64
	lose  uint64                    // lower bound on the cost of its records
	shown [maxWithheldColumns]uint8 // by column: number of records not withheld before
}

// search looks for a better partition by visiting at most nodes nodes; if it finishes earlier, the result is optimal.
func (w *withholding) search(r *Suppression, nodes int) error {
	if w.records > maxUnits || nodes <= 0 {
		return nil
	}
	s := &starSearch{withholding: w, best: w.cost(r.groups), most: nodes}
	for _, g := range w.order {
		for range w.f[g] {
			s.unit = append(s.unit, g)
		}
	}
	s.rest = make([]uint64, len(s.unit)+1)
	for i := len(s.unit) - 1; i >= 0; i-- {
		s.rest[i] = s.rest[i+1] + w.least[s.unit[i]]
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
	r.groups = s.groups(s.found)
	return nil
}

// groups returns the groups given by the positions of records.
func (s *starSearch) groups(at []int) (groups []*starGroup) {
	for i, b := range at {
		for len(groups) <= b {
			groups = append(groups, &starGroup{member: map[int]uint64{}})
		}
		groups[b].member[s.unit[i]]++
		groups[b].size++
	}
	for _, x := range groups {
		x.set = s.differ(x)
	}
	return groups
}

// lost returns a lower bound on the cost of the records placed in the group.
func (s *starSearch) lost(x *openGroup) (n uint64) {
	if !s.starred {
		return max(x.lose, x.size*s.weight[x.set])
	}
	for k := range s.m {
		n += x.set >> k & 1 * s.weight[1<<k] * uint64(x.shown[k])
	}
	return max(x.lose, n)
}

// add puts a record of class g into the group.
func (s *starSearch) add(x *openGroup, g int) {
	x.set |= s.apart(x.first, g)
	x.size++
	x.lose += s.least[g]
	for k := range s.m {
		x.shown[k] += uint8(^s.star[g] >> k & 1)
	}
}

// place assigns record i and all later ones to groups. Equal records go to groups in ascending order.
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
		bound += s.lost(x)
		want += s.k - min(s.k, x.size)
	}
	if bound >= s.best || want > uint64(len(s.unit)-i) {
		return
	}
	if i == len(s.unit) {
		if !s.plain() {
			for _, x := range s.groups(s.at) {
				if !s.meets(eachOf(x)) {
					return
				}
			}
		}
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
		s.add(&s.group[k], g)
		if s.at[i] = k; s.group[k].set&s.kept == 0 {
			s.place(i + 1)
		}
		s.group[k] = before
	}
	s.group = append(s.group, openGroup{first: g})
	s.add(&s.group[len(s.group)-1], g)
	s.at[i] = len(s.group) - 1
	s.place(i + 1)
	s.group = s.group[:len(s.group)-1]
}
