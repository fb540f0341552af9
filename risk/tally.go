package risk

import (
	"math"
	"math/bits"
)

// A tally counts tuples of w numbers. A tuple gets the next group number when it first occurs. Groups are stored in
// segments that never move, each with its count next to its tuple, so that counting a known tuple touches two places in
// memory: its slot and its group. About 4w + 24 bytes for each group.
type tally struct {
	w    int
	n    int
	slot []uint64   // hash<<32 | group+1, 0 empty; at most 2/3 full
	seg  [][]uint32 // w numbers and then the count in two words, low word first

	huge  bool   // a count has come near its end, so that it has to be looked at after it is raised
	dense *dense // if not nil, it finds groups and there are no slots

	hash   [batchRows]uint32
	places [batchRows]uint64
	sink   uint64
}

const (
	// maxGroups is the largest number of groups that slots can number, with room for one more batch.
	maxGroups = math.MaxInt32
	segBits   = 12
	segMask   = 1<<segBits - 1
)

func newTally(w int) *tally { return &tally{w: w} }

// row returns the numbers of group g followed by the two words of its count.
func (t *tally) row(g int) []uint32 {
	s := t.w + 2
	at := (g & segMask) * s
	return t.seg[g>>segBits][at : at+s : at+s]
}

func (t *tally) tuple(g int) []uint32 { return t.row(g)[:t.w:t.w] }

func (t *tally) count(g int) uint64 {
	r := t.row(g)
	n := uint64(r[t.w]) | uint64(r[t.w+1])<<32
	if d := t.dense; d != nil {
		n += uint64(d.more[d.place(r[:t.w])])
	}
	return n
}

func (t *tally) addCount(g int, n uint64) {
	r := t.row(g)
	c := (uint64(r[t.w]) | uint64(r[t.w+1])<<32) + n
	r[t.w], r[t.w+1] = uint32(c), uint32(c>>32)
	t.huge = t.huge || (c|n)>>63 > 0
}

func hashTuple(x []uint32) uint32 {
	h := uint64(len(x))
	for _, v := range x {
		hi, lo := bits.Mul64(h^uint64(v), 0x9e3779b97f4a7c15)
		h = hi ^ lo
	}
	return uint32(h>>32) ^ uint32(h)
}

// find returns the group of a tuple, −1 if it does not occur.
func (t *tally) find(x []uint32) int {
	switch {
	case t.dense != nil:
		return t.dense.find(x)
	case t.n == 0:
		return -1
	}
	return t.look(x, hashTuple(x))
}

func (t *tally) look(x []uint32, h uint32) int {
	mask := uint32(len(t.slot) - 1)
next:
	for i := h & mask; ; i = (i + 1) & mask {
		s := t.slot[i]
		if s == 0 {
			return -1
		}
		if uint32(s>>32) != h {
			continue
		}
		r := t.row(int(uint32(s) - 1))
		for k, v := range x {
			if r[k] != v {
				continue next
			}
		}
		return int(uint32(s) - 1)
	}
}

// add counts a tuple n times and returns its group.
func (t *tally) add(x []uint32, n uint64) int {
	if t.dense != nil {
		return t.addDense(x, n)
	}
	return t.addHashed(x, hashTuple(x), n)
}

func (t *tally) addHashed(x []uint32, h uint32, n uint64) int {
	if 3*t.n >= 2*len(t.slot) {
		if t.turn(x) {
			return t.addDense(x, n)
		}
		t.slot = rehash(t.slot, max(64, 2*len(t.slot)))
	}
	g := t.look(x, h)
	if g < 0 {
		g = t.next(x)
		place(t.slot, h, uint32(g+1))
	}
	t.addCount(g, n)
	return g
}

// next stores a tuple as the next group.
func (t *tally) next(x []uint32) int {
	g := t.n
	t.grow(g)
	t.n++
	copy(t.tuple(g), x)
	return g
}

// grow makes room for group g. The first segment starts small and doubles.
func (t *tally) grow(g int) {
	switch s := t.w + 2; {
	case g == 0:
		t.seg = append(t.seg, make([]uint32, 16*s))
	case g&segMask == 0:
		t.seg = append(t.seg, make([]uint32, s<<segBits))
	case g == len(t.seg[0])/s:
		t.seg[0] = append(t.seg[0], make([]uint32, g*s)...)
	}
}

// addRows counts the first w of every stride numbers, for up to batchRows rows, and stores their groups in out, if it is
// not nil. It touches the slots and groups of all rows before using them, so that the processor waits for memory once
// instead of row by row.
func (t *tally) addRows(x []uint32, stride, rows int, out []uint32) {
	if t.dense != nil {
		t.addRowsDense(x, stride, rows, out)
		return
	}
	if len(t.slot) == 0 {
		t.slot = make([]uint64, 64)
	}
	mask := uint32(len(t.slot) - 1)
	var sink uint64
	for r := range rows {
		h := hashTuple(x[r*stride : r*stride+t.w])
		t.hash[r] = h
		sink += t.slot[h&mask]
	}
	for r := range rows {
		h := t.hash[r]
		if s := t.slot[h&mask]; uint32(s>>32) == h && s != 0 {
			sink += uint64(t.row(int(uint32(s) - 1))[0])
		}
	}
	t.sink += sink // keeps the loads above from being optimised away
	for r := range rows {
		g := 0
		if x := x[r*stride : r*stride+t.w]; t.dense == nil {
			g = t.addHashed(x, t.hash[r], 1)
		} else {
			g = t.addDense(x, 1)
		}
		if out != nil {
			out[r] = uint32(g)
		}
	}
}
