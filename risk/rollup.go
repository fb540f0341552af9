package risk

import "sync"

// A rollup stores the classes at the steps of the last recoding, column by column, so that a recoding that begins with
// the same steps continues from there: from as many classes as those columns leave instead of from those of the file.
// Consecutive recodings that differ only in the last columns are cheapest.
type rollup struct {
	sync.Mutex
	levels []int
	// By column: the classes with the generalised values of the columns before it, and the original values from it on.
	before []*tally
}

// at returns the classes of a recoding, in the order in which classes of the file reach them.
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
	u.before[w] = nil // now owned by the caller
	return &Classes{columns: l.all, t: last}
}
