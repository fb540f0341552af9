package modular

import (
	"math/rand/v2"

	"cmp"
	"math"
	"slices"

	"github.com/hitoku/hitoku/table"
)

// Movements from the relations alone, for tables that name no variables. A cell that moves leaves the relations around
// it unbalanced. The unbalanced relations of a bundle of parallel ones are balanced at once, by the cells at one place
// in all of them; this may unbalance others, and so on until all relations hold again. In a table with variables that
// gives the products of product.go; it takes their place in linked tables, in tables whose codes are grouped in several
// ways and in tables without their empty cells. Places are tried in the order of their price, and walks that become too
// dear are given up.

// walks finds movements that are sums of such walks.
type walks struct {
	m   *run
	rel *table.Relations
	b   *bundles

	sum
	walked

	k           int32
	want        int64 // the amount that each cell must be able to carry
	most        int64 // the amount that is asked for
	lost, found int
	stray       bool // take places at random
	cheap       bool // prefer low prices to few unbalanced relations
	rng         *rand.Rand

	cells []int32 // the best walk
	sign  []int64
	room  int64
	score float64
}

// walked is the walk so far.
type walked struct {
	unit   []int64 // per cell: its movement in the walk
	trail  []step
	off    []int64 // per relation: its imbalance in the walk
	open   []int32 // the unbalanced relations
	place  []int32 // per relation: its place in open, −1 if balanced
	count  []int32 // per bundle, scratch
	lines  []int32
	offers []option
}

// newWalks returns nil if M has coefficients other than ±1, hardly any parallel relations, many cells of one relation
// (as the remainders of sorted rows, where walks are long and mostly fail), or is a network, whose routes need no
// program.
func (m *run) newWalks() *walks {
	n, r, single := m.t.Len(), m.t.Rel.Len(), 0
	for i := range n {
		if m.sys.Cols.Ptr[i+1]-m.sys.Cols.Ptr[i] == 1 {
			single++
		}
	}
	if m.sys.IsNetwork() || 8*single > n {
		return nil
	}
	for _, v := range m.t.Rel.Coef {
		if v != 1 && v != -1 {
			return nil
		}
	}
	b := newBundles(m.t.Rel, m.sys.Cols)
	if b == nil {
		return nil
	}
	w := &walks{m: m, rel: m.t.Rel, b: b, sum: sum{z: make([]int64, n)}, walked: walked{unit: make([]int64, n), off: make([]int64, r), place: make([]int32, r)}}
	w.count = make([]int32, len(w.b.slots))
	for j := range w.place {
		w.place[j] = -1
	}
	return w
}

// move finds a movement of cell k by amount in direction sign; nil if no sum of walks reaches it.
func (w *walks) move(k int32, sign, amount int64) *movement {
	defer w.clear()
	if !w.push(k, sign, amount) {
		return nil
	}
	return w.movement(w.m)
}

// push adds walks to the sum that move cell k by amount in direction sign.
func (w *walks) push(k int32, sign, amount int64) bool {
	for left, parts := amount, 0; left > 0; parts++ {
		if parts == productParts || !w.search(k, sign, left) {
			return false
		}
		push := min(left, w.room)
		w.add(w.cells, w.sign, push)
		left -= push
	}
	return true
}

// detour changes v so that cell k does not move.
func (w *walks) detour(v *movement, k int32) *movement {
	defer w.clear()
	if !w.load(v) || !w.push(k, -direction(w.z[k]), abs(w.z[k])) {
		return nil
	}
	return w.movement(w.m)
}

// reach returns how far cell i may still move in direction sign on top of the sum so far.
func (w *walks) reach(i int32, sign int64) int64 {
	if w.m.t.Status[i] == table.Published {
		return 0
	}
	return w.m.left(i, sign, w.z[i])
}

// charge returns the cost that moving cell i would add.
func (w *walks) charge(i int32) float64 {
	if w.z[i] != 0 || w.unit[i] != 0 {
		return 0
	}
	return w.m.fined(i)
}

// search finds a cheap walk that moves cell k in direction sign, among those that can move it by at least a share of
// amount.
func (w *walks) search(k int32, sign, amount int64) bool {
	w.score, w.k, w.most = math.Inf(1), k, amount
	share := max(1, (amount+productParts-1)/productParts)
	own := w.reach(k, sign)
	for _, w.want = range [2]int64{min(amount, own), share} {
		if own < w.want || own <= 0 {
			return false
		}
		w.rng = rand.New(rand.NewPCG(uint64(k), uint64(amount)))
		tries := walkTries
		if w.lost > walkLost+2*w.found {
			tries = 1
		}
		for try := range tries {
			w.stray = try > 0
			if w.walk(k, sign); !math.IsInf(w.score, 1) {
				w.found++
				w.haggle(k, sign)
				return true
			}
		}
	}
	w.lost++
	return false
}

// haggle looks for a cheaper walk, with places in the order of price.
func (w *walks) haggle(k int32, sign int64) {
	w.cheap = true
	for try := range walkCheap {
		if w.score < 1e-3 {
			break
		}
		w.stray = try > 0
		w.walk(k, sign)
	}
	w.cheap = false
}

// A step moves a cell by one.
type step struct {
	cell int32
	sign int64
}

// An option is a place of the current bundle and the price of its cells.
type option struct {
	place int32
	price float64
	opens int32 // relations that it unbalances less those that it balances
	some  int32 // relations without a cell there that may move
}

// walk starts by moving cell k in direction sign and goes on until all relations hold again or it gives up.
func (w *walks) walk(k int32, sign int64) {
	price := w.charge(k)
	w.step(k, sign)
	for turns := 0; turns < walkTurns && len(w.trail) <= walkCells && price/float64(w.most) < w.score; turns++ {
		sum, ok := w.force()
		if price += sum; !ok {
			break
		}
		if len(w.open) == 0 {
			w.close(price)
			break
		}
		done := len(w.trail)
		price += w.right(w.choose())
		if len(w.trail) == done {
			break
		}
	}
	for _, t := range w.trail {
		w.step(t.cell, -t.sign)
	}
	w.trail = w.trail[:0]
	w.step(k, -sign)
}

// force balances the unbalanced relations that have only two cells by moving the second one; ok is false if that may
// not move. It returns the price.
func (w *walks) force() (price float64, ok bool) {
	for t := 0; t < len(w.open); t++ {
		j := w.open[t]
		if w.rel.Ptr[j+1]-w.rel.Ptr[j] != 2 {
			continue
		}
		i, s := w.entry(j, w.rel.Ptr[j])
		if i < 0 {
			i, s = w.entry(j, w.rel.Ptr[j]+1)
		}
		if i < 0 {
			return price, false
		}
		price += w.follow(i, s)
		t = -1
	}
	return price, true
}

// right balances the unbalanced relations of bundle b that have a cell at the place it chooses, and returns the price.
func (w *walks) right(b int32) (price float64) {
	w.lines = w.lines[:0]
	for _, j := range w.open {
		if w.b.of[j] == b {
			w.lines = append(w.lines, j)
		}
	}
	w.offers = w.offers[:0]
	for p := range w.b.slots[b] {
		o := option{place: p}
		for _, j := range w.lines {
			if i, s := w.at(j, p); i >= 0 {
				o.price += w.charge(i)
				o.opens += w.opens(i, s)
			} else {
				o.some++
			}
		}
		if int(o.some) < len(w.lines) {
			w.offers = append(w.offers, o)
		}
	}
	if len(w.offers) == 0 {
		return 0
	}
	slices.SortStableFunc(w.offers, func(x, y option) int {
		if w.cheap {
			return cmp.Or(cmp.Compare(x.some, y.some), cmp.Compare(x.price, y.price), cmp.Compare(x.opens, y.opens))
		}
		return cmp.Or(cmp.Compare(x.some, y.some), cmp.Compare(x.opens, y.opens), cmp.Compare(x.price, y.price))
	})
	n := 0
	for w.stray && n+1 < len(w.offers) && w.rng.Float64() < walkStray {
		n++
	}
	for _, j := range w.lines {
		if w.off[j] == 0 {
			continue
		}
		if i, s := w.at(j, w.offers[n].place); i >= 0 {
			price += w.follow(i, s)
		}
	}
	return price
}

// follow moves cell i by one and returns the price.
func (w *walks) follow(i int32, s int64) float64 {
	price := w.charge(i)
	w.step(i, s)
	w.trail = append(w.trail, step{i, s})
	return price
}

// opens counts the relations that a step of cell i in direction s unbalances, less those that it balances.
func (w *walks) opens(i int32, s int64) int32 {
	n := int32(0)
	rels, coef := w.m.sys.Cols.Column(int(i))
	for t, j := range rels {
		if w.b.of[j] >= 0 {
			n += int32(abs(w.off[j]+s*int64(coef[t])) - abs(w.off[j]))
		}
	}
	return n
}

func abs(v int64) int64 { return max(v, -v) }

// choose returns the bundle with the most unbalanced relations and, of several, the one with the fewest places.
func (w *walks) choose() int32 {
	best := w.b.of[w.open[0]]
	for _, j := range w.open {
		w.count[w.b.of[j]]++
	}
	for _, j := range w.open {
		b := w.b.of[j]
		if cmp.Or(cmp.Compare(w.count[b], w.count[best]), cmp.Compare(w.b.slots[best], w.b.slots[b]), cmp.Compare(best, b)) > 0 {
			best = b
		}
	}
	for _, j := range w.open {
		w.count[w.b.of[j]] = 0
	}
	return best
}

// at returns the cell at place p of relation j and the direction in which it balances j; −1 if no cell there may move.
func (w *walks) at(j, p int32) (int32, int64) {
	e := w.b.cell[w.b.at[j]+p]
	if e < 0 {
		return -1, 0
	}
	return w.entry(j, e)
}

// entry is at for entry e of relation j.
func (w *walks) entry(j, e int32) (int32, int64) {
	i, s := w.rel.Cell[e], int64(1)
	if (w.off[j] > 0) == (w.rel.Coef[e] > 0) {
		s = -1
	}
	if i == w.k || w.unit[i]*s < 0 {
		return -1, 0
	}
	if r := w.reach(i, s); r != table.PosInf && r < w.want*(w.unit[i]*s+1) {
		return -1, 0
	}
	return i, s
}

// step moves cell i by one in direction s.
func (w *walks) step(i int32, s int64) {
	w.unit[i] += s
	rels, coef := w.m.sys.Cols.Column(int(i))
	for t, j := range rels {
		if w.b.of[j] < 0 {
			continue
		}
		w.off[j] += s * int64(coef[t])
		switch at := w.place[j]; {
		case w.off[j] != 0 && at < 0:
			w.place[j] = int32(len(w.open))
			w.open = append(w.open, j)
		case w.off[j] == 0 && at >= 0:
			last := w.open[len(w.open)-1]
			w.open[at], w.place[last] = last, at
			w.open, w.place[j] = w.open[:len(w.open)-1], -1
		}
	}
}

// close keeps the walk, which is a movement, if it is the cheapest yet.
func (w *walks) close(price float64) {
	room := w.most
	for _, t := range w.trail {
		u := w.unit[t.cell] * t.sign
		if r := w.reach(t.cell, t.sign); r != table.PosInf {
			room = min(room, r/u)
		}
	}
	if r := w.reach(w.k, w.unit[w.k]); r != table.PosInf {
		room = min(room, r)
	}
	if room <= 0 || price/float64(room) >= w.score {
		return
	}
	w.score, w.room = price/float64(room), room
	w.cells, w.sign = append(w.cells[:0], w.k), append(w.sign[:0], w.unit[w.k])
	for _, t := range w.trail {
		if !slices.Contains(w.cells, t.cell) {
			w.cells, w.sign = append(w.cells, t.cell), append(w.sign, w.unit[t.cell])
		}
	}
}
