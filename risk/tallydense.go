package risk

import "math"

// A dense is an index of a tally with a place for every combination of the values that occur in its columns. Where
// these are not many more than the groups, the counts of records have room in the cache of the processor, unlike slots
// and tuples, and a place tells a tuple from all others without comparing it.
type dense struct {
	code  [][]uint32 // by column and number of a value: its part of the place, noCode if it has none
	used  []uint32   // by column: how many values have a code
	size  []uint32   // by column: how many may have one
	step  []uint32   // by column: how far apart the places of successive values are
	group []uint32   // by place: group+1, 0 none
	more  []uint8    // by place: records that are not in the group's row yet
}

const (
	// noCode exceeds every place, and so does every sum with it.
	noCode = math.MaxUint32
	// leastDense is the number of groups below which slots and tuples are small, too.
	leastDense = 1 << 10
	// densePlaces is the largest number of places for each group.
	densePlaces = 8
)

// newDense returns an index of the groups of t and one further tuple, nil if it would be too large. Columns have room
// for an eighth more values than occur: a column grows by that much before another index is made, so that few are made
// before there are too many places, and each group costs a constant time.
func newDense(t *tally, further []uint32) *dense {
	if t.n < leastDense {
		return nil
	}
	limit := min(densePlaces*uint64(t.n), math.MaxInt32)
	d := &dense{code: make([][]uint32, t.w), used: make([]uint32, t.w), size: make([]uint32, t.w), step: make([]uint32, t.w)}
	for g := range t.n {
		if !d.learn(t.tuple(g), limit) {
			return nil
		}
	}
	if !d.learn(further, limit) {
		return nil
	}
	places := uint64(1)
	for k := t.w - 1; k >= 0; k-- {
		d.size[k], d.step[k] = d.used[k]+d.used[k]/8, uint32(places)
		if places *= uint64(d.size[k]); places > limit {
			return nil
		}
		for v, code := range d.code[k] {
			if code != noCode {
				d.code[k][v] = code * d.step[k]
			}
		}
	}
	d.group, d.more = make([]uint32, places), make([]uint8, places)
	for g := range t.n {
		d.group[d.place(t.tuple(g))] = uint32(g + 1)
	}
	return d
}

// learn numbers the values of a tuple; it returns false if there are more combinations than limit, or if a number is so
// large that there may be.
func (d *dense) learn(x []uint32, limit uint64) bool {
	for k, v := range x {
		if uint64(v) > limit {
			return false
		}
		for uint64(v) >= uint64(len(d.code[k])) {
			d.code[k] = append(d.code[k], noCode)
		}
		if d.code[k][v] != noCode {
			continue
		}
		d.code[k][v] = d.used[k]
		d.used[k]++
		places := uint64(1)
		for _, n := range d.used {
			if places *= max(1, uint64(n)); places > limit {
				return false
			}
		}
	}
	return true
}

// admit gives codes to the values of a tuple; it returns false if there is no room for one.
func (d *dense) admit(x []uint32) bool {
	for k, v := range x {
		for uint64(v) >= uint64(len(d.code[k])) {
			if uint64(v) > uint64(len(d.group)) {
				return false
			}
			d.code[k] = append(d.code[k], noCode)
		}
		if d.code[k][v] != noCode {
			continue
		}
		if d.used[k] == d.size[k] {
			return false
		}
		d.code[k][v] = d.used[k] * d.step[k]
		d.used[k]++
	}
	return true
}

// place returns the place of a tuple; it is beyond the last one if a value has no code.
func (d *dense) place(x []uint32) (at uint64) {
	for k, v := range x {
		at += d.part(k, v)
	}
	return at
}

func (d *dense) part(k int, v uint32) uint64 {
	if code := d.code[k]; uint64(v) < uint64(len(code)) {
		return uint64(code[v])
	}
	return noCode
}

// find returns the group of a tuple, −1 if it does not occur.
func (d *dense) find(x []uint32) int {
	if at := d.place(x); at < uint64(len(d.group)) {
		return int(d.group[at]) - 1
	}
	return -1
}

// turn replaces the index of t, if any, by one with a further tuple, or by slots where that would be too large; it tells
// whether there is an index.
func (t *tally) turn(further []uint32) bool {
	if d := t.dense; d != nil {
		for g := range t.n {
			t.addCount(g, uint64(d.more[d.place(t.tuple(g))]))
		}
	}
	before := t.dense
	switch t.dense = newDense(t, further); {
	case t.dense != nil:
		t.slot = nil
	case before != nil:
		size := 64
		for 3*t.n >= 2*size {
			size *= 2
		}
		t.slot = make([]uint64, size)
		for g := range t.n {
			place(t.slot, hashTuple(t.tuple(g)), uint32(g+1))
		}
	}
	return t.dense != nil
}

// addDense is add where there is an index.
func (t *tally) addDense(x []uint32, n uint64) int {
	d := t.dense
	at := d.place(x)
	if at >= uint64(len(d.group)) || d.group[at] == 0 {
		if !d.admit(x) {
			t.turn(x)
			return t.add(x, n)
		}
		at = d.place(x)
		d.group[at] = uint32(t.next(x) + 1)
	}
	g := int(d.group[at]) - 1
	switch c := uint64(d.more[at]); {
	case n <= math.MaxUint8-c:
		d.more[at] += uint8(n)
	case n == 1:
		d.more[at] = 0
		t.addCount(g, c+1)
	default:
		t.addCount(g, n)
	}
	return g
}

// addRowsDense is addRows where there is an index. It goes through the columns one by one, and then only through the
// counts of groups that are known.
func (t *tally) addRowsDense(x []uint32, stride, rows int, out []uint32) {
	d := t.dense
	places := t.places[:rows]
	clear(places)
	for k, code := range d.code {
		for r := range places {
			part := uint64(noCode)
			if v := x[r*stride+k]; uint64(v) < uint64(len(code)) {
				part = uint64(code[v])
			}
			places[r] += part
		}
	}
	for r, at := range places {
		if at < uint64(len(d.more)) && d.more[at]-1 < math.MaxUint8-1 {
			d.more[at]++
			if out != nil {
				out[r] = d.group[at] - 1
			}
			continue
		}
		g := t.addDense(x[r*stride:r*stride+t.w], 1)
		if out != nil {
			out[r] = uint32(g)
		}
		if t.dense != d && r+1 < rows {
			if out != nil {
				out = out[r+1:]
			}
			t.addRows(x[(r+1)*stride:], stride, rows-r-1, out)
			return
		}
	}
}
