package risk

import "sync"

// A rollup has the classes of the steps of the last recoding column by column, so that one that begins with the same steps goes on from there: from as many
// classes as those columns leave, not from those of the file. Steps that differ in the last columns alone cost least one after the other.
type rollup struct {
	sync.Mutex
	levels []int
	// By column, the classes with the values of the steps before it, and from it on the places of values as they are.
	before []*tally
}

// at are the classes of a recoding, in the order in which the classes of the file come to them.
func (u *rollup) at(l *Lattice, levels []int) *Classes {
	u.Lock()
	defer u.Unlock()
	w := l.s.t.w
	if u.before == nil {
		u.before, u.levels = make([]*tally, w+1), make([]int, w)
		u.before[0] = newTally(w)
		ids := make([]uint32, w)
		for g, n := range l.keep {
			if n == 0 {
				continue
			}
			for k := range ids {
				ids[k] = l.place[k][g]
			}
			u.before[0].add(ids, n)
		}
		for k := range u.levels {
			u.levels[k] = -1
		}
	}
	same := 0
	for same < w && u.levels[same] == levels[same] && u.before[same+1] != nil {
		same++
	}
	ids := make([]uint32, w)
	for k := same; k < w; k++ {
		from, to, code := u.before[k], newTally(w), l.code[k][levels[k]]
		for g := range from.n {
			copy(ids, from.tuple(g))
			ids[k] = code[ids[k]]
			to.add(ids, from.count(g))
		}
		u.before[k+1], u.levels[k] = to, levels[k]
	}
	last := u.before[w]
	u.before[w] = nil // the caller's
	return &Classes{columns: l.all, t: last}
}
