package risk

import "math/bits"

// classKeys packs the quasi-identifiers of each class into 64 bits, if they fit, so that classes agree outside a set of
// columns iff their numbers are equal under a mask.
type classKeys struct {
	key  []uint64 // by class; nil if they do not fit
	mask []uint64 // by column
	slot []uint64 // masked keys of the last hash table
	at   []int32  // number of the key + 1, 0 for an empty slot
}

// newClassKeys packs the first m columns.
func newClassKeys(c *Classes, m int) *classKeys {
	most := make([]uint32, m)
	for g := range c.t.n {
		for k, id := range c.t.tuple(g)[:m] {
			most[k] = max(most[k], id)
		}
	}
	x, shift := &classKeys{mask: make([]uint64, m)}, make([]int, m)
	used := 0
	for k, id := range most {
		shift[k] = used
		used += bits.Len32(id)
		x.mask[k] = (uint64(1)<<bits.Len32(id) - 1) << shift[k]
	}
	if used > 64 {
		return &classKeys{}
	}
	x.key = make([]uint64, c.t.n)
	for g := range x.key {
		for k, id := range c.t.tuple(g)[:m] {
			x.key[g] |= uint64(id) << shift[k]
		}
	}
	return x
}

// project numbers classes by their values outside set, in order of first occurrence: number is that of each class of
// list, n how many there are.
func (w *withholding) project(set uint64, list []int) (number []int, n int) {
	number = make([]int, len(list))
	x := w.keys
	if x.key == nil {
		t := newTally(w.m - bits.OnesCount64(set))
		var ids []uint32
		for i, g := range list {
			ids = ids[:0]
			for k, id := range w.c.t.tuple(g)[:w.m] {
				if set>>k&1 == 0 {
					ids = append(ids, id)
				}
			}
			number[i] = t.add(ids, 1)
		}
		return number, t.n
	}
	kept := uint64(0)
	for k, m := range x.mask {
		if set>>k&1 == 0 {
			kept |= m
		}
	}
	room := 64
	for room < 2*len(list) {
		room *= 2
	}
	if len(x.slot) < room {
		x.slot, x.at = make([]uint64, room), make([]int32, room)
	}
	slot, at := x.slot[:room], x.at[:room]
	clear(at)
	shift := 64 - bits.Len(uint(room-1))
	for i, g := range list {
		key := x.key[g] & kept
		for p := int(key * 0x9e3779b97f4a7c15 >> shift); ; p = (p + 1) & (room - 1) {
			if at[p] == 0 {
				n++
				at[p], slot[p] = int32(n), key
			} else if slot[p] != key {
				continue
			}
			number[i] = int(at[p]) - 1
			break
		}
	}
	return number, n
}
