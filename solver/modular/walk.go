package modular

import (
	"math/rand/v2"

	"cmp"
	"math"
	"slices"

	"github.com/hitoku/hitoku/table"
)

// Movements from the relations alone, for tables that name no variables. A cell that moves puts the relations
// around it off. A bundle of parallel relations that are off is put right at once, by the cells at one place in all of them, which may put others off, until
// all relations hold again. In a table of variables that is the product of products.go; in linked tables, codes grouped in several ways and tables
// without their empty cells it is what takes its place. Places are tried in the order of their price, the dearest ways given up.

const (
	walkTries = 20  // walks for one movement, until one arrives
	walkTurns = 200 // bundles that one puts right
	walkCells = 300 // cells that it moves
	walkLost  = 16  // movements not found, and two for each found, after which only one walk is tried
	walkCheap = 30  // more in the order of price, for a cheaper one
	walkStray = 0.3 // chance to take the next place
)

// walks looks for movements so.
type walks struct {
	m   *run
	rel *table.Relations
	b   *bundles

	sum

	unit   []int64 // by cell: of the walk
	trail  []step
	off    []int64 // by relation: what the walk leaves over
	open   []int32 // the relations that are off
	place  []int32 // by relation: where in open, −1
	count  []int32 // by bundle, scratch
	lines  []int32
	offers []option

	k           int32
	want        int64 // what each cell must be able to carry
	most        int64 // what is asked for
	lost, found int
	stray       bool // take places at random
	cheap       bool // prefer low prices to few relations left off
	rng         *rand.Rand

	cells []int32 // the best walk
	sign  []int64
	room  int64
	score float64
}

// newWalks returns nil where relations have coefficients other than ±1, have hardly any parallel ones, or are a network, whose routes need no program.
func (m *run) newWalks() *walks {
	if m.sys.IsNetwork() {
		return nil
	}
	n, r := m.t.Len(), m.t.Rel.Len()
	for _, v := range m.t.Rel.Coef {
		if v != 1 && v != -1 {
			return nil
		}
	}
	b := newBundles(m.t.Rel, m.sys.Cols)
	if b == nil {
		return nil
	}
	w := &walks{m: m, rel: m.t.Rel, b: b, sum: sum{z: make([]int64, n)}, unit: make([]int64, n), off: make([]int64, r), place: make([]int32, r)}
	w.count = make([]int32, len(w.b.slots))
	for j := range w.place {
		w.place[j] = -1
	}
	return w
}

// move finds a movement of cell k by amount in direction sign; nil where no such sum reaches it.
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

// detour changes v so that cell k stands still.
func (w *walks) detour(v *movement, k int32) *movement {
	defer w.clear()
	if !w.begin(v) || !w.push(k, -direction(w.z[k]), abs(w.z[k])) {
		return nil
	}
	return w.movement(w.m)
}

// reach is how far cell i may go on in direction sign beside the sum so far.
func (w *walks) reach(i int32, sign int64) int64 {
	if w.m.t.Status[i] == table.Published {
		return 0
	}
	c, z := w.m.up[i], w.z[i]
	if sign < 0 {
		c, z = w.m.dn[i], -z
	}
	if c == table.PosInf {
		return table.PosInf
	}
	return c - z
}

// charge is what moving cell i would add to the cost.
func (w *walks) charge(i int32) float64 {
	if w.z[i] != 0 || w.unit[i] != 0 {
		return 0
	}
	if w.m.banned[i] {
		return w.m.charge(i) + w.m.fine
	}
	return w.m.charge(i)
}

// search finds a cheap walk through cell k that moves it in direction sign, of those that carry at least a share of amount.
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

// haggle walks on in the order of price for a cheaper way.
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

// An option is a place of the bundle at hand and what its cells cost.
type option struct {
	place int32
	price float64
	opens int32 // relations put off less those put right
	some  int32 // relations that have no cell there that may move
}

// walk goes from cell k, which moves in direction sign, until all relations hold again or it gives up.
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

// force puts right the relations of two cells, one of which has moved; ok is false where the other may not. It returns their price.
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
		price += w.take(i, s)
		t = -1
	}
	return price, true
}

// right puts right the relations of bundle b that are off, as many as have a cell at the place chosen, and returns the price.
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
			price += w.take(i, s)
		}
	}
	return price
}

// take moves cell i by one and returns the price.
func (w *walks) take(i int32, s int64) float64 {
	price := w.charge(i)
	w.step(i, s)
	w.trail = append(w.trail, step{i, s})
	return price
}

// opens counts the relations that a step of cell i in direction s puts off, less those that it puts right.
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

// choose returns the bundle that has most relations off, of several the one with fewest places.
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

// at is the cell at place p of relation j and the direction in which it puts j right; −1 where there is none that may go.
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
