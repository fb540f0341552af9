package modular

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/table"
)

// Movements without a linear program. The relations of a table of several variables say that along every variable
// a code is the sum of those below it. For codes a, b of one variable the following vector keeps these relations:
// +1 on a, on the codes above it and on one chain of codes below it, −1 on the same for b, and 0 from where both
// meet. The tensor product of one such vector for each variable keeps all relations of the table; for siblings
// without codes below it is the hypercube of the hypercube method (Repsilber 1994; Giessing 2001). Sums of a few
// of these, each within the capacities left by the ones before, are movements of any amount.
//
// It pays off when thousands of levels would each need a program over the whole table. If the neighbours of a cell are
// too small for its level, the program is needed.

// A way is a vector along one variable that satisfies its tree's relations: coefficients ±1, the first +1 on the code
// it is for.
type way struct {
	code []int32
	sign []int64
}

// products finds movements that are sums of such products.
type products struct {
	m      *run
	k      int
	stride []uint64
	dense  []int32          // cell by place, −1; nil where the table is sparse
	sparse map[uint64]int32 // the same where it is sparse
	below  [][][]int32      // per variable and code

	of   map[int32]sumCell // sums are cells without a place of their own
	in   map[int32][]int32 // per cell: the sums that contain it
	held []bool            // cells that must not move; nil if there are no sums

	sum
	level []stage // scratch by variable
	best  candidate
	tries int
	steps int // cells and codes looked at but not yet counted as work
}

// A stage is a product of the vectors of the first variables.
type stage struct {
	place []uint64
	sign  []int64
	order []edge
	ways  []way
	next  []int32   // per code: the next one below in its chain, −1 at the end
	price []float64 // per code: the price of the chain from it downwards
}

// An edge is a vector of one variable and what it costs by itself.
type edge struct {
	way   int
	price float64
	room  int64
}

// A candidate is the best product found.
type candidate struct {
	cells []int32
	sign  []int64
	room  int64
	score float64 // price for a unit
}

// newProducts returns nil if t has no variables, too many combinations to count, or cells that neither have a place nor
// are sums of others.
func (m *run) newProducts() *products {
	t := m.t
	p := &products{m: m, k: len(t.Dims), sum: sum{z: make([]int64, t.Len())}, level: make([]stage, len(t.Dims))}
	if p.k == 0 {
		return nil
	}
	all := uint64(1)
	for d := range t.Dims {
		p.stride = append(p.stride, all)
		if n := uint64(len(t.Dims[d].Codes)); all > math.MaxInt64/n {
			return nil
		} else {
			all *= n
		}
	}
	if all <= uint64(8*t.Len()+1<<16) {
		p.dense = slices.Repeat([]int32{-1}, int(all))
	} else {
		p.sparse = make(map[uint64]int32, t.Len())
	}
	for d := range t.Dims {
		p.level[d].next, p.level[d].price = make([]int32, len(t.Dims[d].Codes)), make([]float64, len(t.Dims[d].Codes))
		below := make([][]int32, len(t.Dims[d].Codes))
		for c, up := range t.Dims[d].Parent {
			if up >= 0 {
				below[up] = append(below[up], int32(c))
			}
		}
		p.below = append(p.below, below)
	}
	var own []bool // which cells have a place of their own, nil: all
	for i := range t.Len() {
		at := p.placeOf(i)
		switch {
		case p.cell(at) >= 0:
			if own == nil {
				own = make([]bool, t.Len())
				for k := range i {
					own[k] = true
				}
			}
			continue
		case p.dense != nil:
			p.dense[at] = int32(i)
		default:
			p.sparse[at] = int32(i)
		}
		if own != nil {
			own[i] = true
		}
	}
	if own != nil && !p.sums(own) {
		return nil
	}
	return p
}

func (p *products) placeOf(i int) uint64 {
	at := uint64(0)
	for d, c := range p.m.t.Coord[i*p.k : i*p.k+p.k] {
		at += p.stride[d] * uint64(c)
	}
	return at
}

// cell returns the cell at a place, −1 if the table has none there.
func (p *products) cell(at uint64) int32 {
	if p.dense != nil {
		return p.dense[at]
	}
	if i, ok := p.sparse[at]; ok {
		return i
	}
	return -1
}

// vectors lists the vectors of variable d through code c, for a cell at place at that moves in direction sign,
// each with the chains below that are cheapest along this variable alone.
func (p *products) vectors(d int, c int32, at uint64, sign, share int64) {
	s := &p.level[d]
	parent := p.m.t.Dims[d].Parent
	s.ways = s.ways[:0]
	line := at - p.stride[d]*uint64(c)
	if !p.chain(d, c, line, sign, share, true) {
		return
	}
	stem := way{}
	for x := c; x >= 0; x = s.next[x] {
		stem.code, stem.sign = append(stem.code, x), append(stem.sign, 1)
	}
	for a := c; ; a = parent[a] {
		if a != c {
			i := p.cell(line + p.stride[d]*uint64(a))
			if i < 0 || p.room(i, sign) < share {
				return
			}
			stem.code, stem.sign = append(stem.code, a), append(stem.sign, 1)
		}
		if parent[a] < 0 {
			s.ways = append(s.ways, stem)
			return
		}
		for _, b := range p.below[d][parent[a]] {
			if b == a || !p.chain(d, b, line, -sign, share, false) {
				continue
			}
			w := way{slices.Clone(stem.code), slices.Clone(stem.sign)}
			for x := b; x >= 0; x = s.next[x] {
				w.code, w.sign = append(w.code, x), append(w.sign, -1)
			}
			s.ways = append(s.ways, w)
		}
	}
}

// chain finds the cheapest chain of codes from c down to a leaf along a line of cells, in which each cell can carry
// share; next holds its steps. With own the cell of c itself need not carry it.
func (p *products) chain(d int, c int32, line uint64, sign, share int64, own bool) bool {
	s := &p.level[d]
	p.steps++
	s.next[c], s.price[c] = -1, 0
	if !own {
		i := p.cell(line + p.stride[d]*uint64(c))
		if i < 0 || p.room(i, sign) < share {
			return false
		}
		s.price[c] = p.charge(i)
	}
	if len(p.below[d][c]) == 0 {
		return true
	}
	best := math.Inf(1)
	for _, b := range p.below[d][c] {
		if p.chain(d, b, line, sign, share, false) && s.price[b] < best {
			best, s.next[c] = s.price[b], b
		}
	}
	s.price[c] += best
	return s.next[c] >= 0
}

// room returns how far cell i may still move in direction sign on top of the sum so far.
func (p *products) room(i int32, sign int64) int64 {
	if p.m.t.Status[i] == table.Published || p.held != nil && p.held[i] {
		return 0
	}
	return p.m.left(i, sign, p.z[i])
}

// charge returns the cost that moving cell i would add.
func (p *products) charge(i int32) float64 {
	if p.z[i] != 0 {
		return 0
	}
	return p.m.fined(i)
}

// move finds a movement of cell k by amount in direction sign; nil if no sum of products reaches it.
func (p *products) move(k int32, sign, amount int64) *movement {
	defer p.spend()
	defer p.clear()
	push := p.push
	if _, is := p.of[k]; is {
		push = p.pushSum
	}
	if !push(k, sign, amount) {
		return nil
	}
	p.follow()
	return p.movement(p.m)
}

// push adds products to the sum that move cell k by amount in direction sign.
func (p *products) push(k int32, sign, amount int64) bool {
	for left, parts := amount, 0; left > 0; parts++ {
		if parts == productParts || !p.search(k, sign, left) {
			return false
		}
		push := min(left, p.best.room)
		p.add(p.best.cells, p.best.sign, push)
		left -= push
	}
	return true
}

// detour changes v so that cell k does not move.
func (p *products) detour(v *movement, k int32) *movement {
	defer p.spend()
	defer p.clear()
	if _, is := p.of[k]; is || !p.load(v) || !p.push(k, -direction(p.z[k]), abs(p.z[k])) {
		return nil
	}
	p.follow()
	return p.movement(p.m)
}

// spend counts the steps since the last call as work.
func (p *products) spend() {
	work.Spend(p.m.clock, time.Duration(p.steps)*productStep)
	p.steps = 0
}

// search finds the product that moves cell k in direction sign at the least price for a unit, among those
// that move it by at least a share of amount.
func (p *products) search(k int32, sign, amount int64) bool {
	p.best = candidate{score: math.Inf(1)}
	p.tries = 0
	own := p.room(k, sign)
	if own <= 0 {
		return false
	}
	at := p.placeOf(int(k))
	for d := range p.k {
		p.edges(d, k, at, sign, amount)
		if len(p.level[d].order) == 0 {
			return false
		}
	}
	p.extend(0, k, []uint64{at}, []int64{sign}, p.charge(k), min(own, amount), amount)
	return !math.IsInf(p.best.score, 1)
}

// edges orders the vectors of variable d by the price of the cells that they move beside k.
func (p *products) edges(d int, k int32, at uint64, sign, amount int64) {
	s := &p.level[d]
	s.order = s.order[:0]
	c := p.m.t.Coord[int(k)*p.k+d]
	p.vectors(d, c, at, sign, max(1, (amount+productParts-1)/productParts))
	for n, w := range s.ways {
		price, room := p.through(d, c, w, []uint64{at}, []int64{sign}, 0, amount, math.Inf(1))
		if room > 0 {
			s.order = append(s.order, edge{n, price, room})
		}
	}
	slices.SortStableFunc(s.order, func(a, b edge) int {
		return cmp.Compare(a.price/float64(a.room), b.price/float64(b.room))
	})
}

// through extends the product at the places given by the way w: it adds the charges of the new cells to price and
// limits room to their capacities. room is 0 if a cell is missing, if the price is too high to be of use, or if the
// price for a unit is no less than worst.
func (p *products) through(d int, c int32, w way, place []uint64, sign []int64, price float64, room int64, worst float64) (float64, int64) {
	for e := 1; e < len(w.code); e++ {
		shift := p.stride[d] * (uint64(w.code[e]) - uint64(c))
		for t := range place {
			i := p.cell(place[t] + shift)
			p.steps++
			if i < 0 {
				return price, 0
			}
			if room = min(room, p.room(i, sign[t]*w.sign[e])); room <= 0 {
				return price, 0
			}
			if price += p.charge(i); price >= worst*float64(room) || price >= p.m.most {
				return price, 0
			}
		}
	}
	return price, room
}

// extend extends the product of the vectors of the first d variables by one of the next variable.
func (p *products) extend(d int, k int32, place []uint64, sign []int64, price float64, room, amount int64) {
	if d == p.k {
		if score := price / float64(room); score < p.best.score && room*productParts >= amount {
			p.best.score, p.best.room = score, room
			p.best.cells, p.best.sign = p.best.cells[:0], p.best.sign[:0]
			for t, at := range place {
				p.best.cells, p.best.sign = append(p.best.cells, p.cell(at)), append(p.best.sign, sign[t])
			}
		}
		return
	}
	s := &p.level[d]
	c := p.m.t.Coord[int(k)*p.k+d]
	for _, o := range s.order {
		if p.tries++; p.tries > productTries && (p.best.cells != nil || p.tries > productMost) {
			return
		}
		if sum := price + o.price; sum/float64(min(room, o.room)) >= p.best.score || sum >= p.m.most {
			continue
		}
		w := s.ways[o.way]
		sum, left := p.through(d, c, w, place, sign, price, room, p.best.score)
		if left <= 0 || left*productParts < amount {
			continue
		}
		s.place, s.sign = append(s.place[:0], place...), append(s.sign[:0], sign...)
		for e := 1; e < len(w.code); e++ {
			shift := p.stride[d] * (uint64(w.code[e]) - uint64(c))
			for t := range place {
				s.place, s.sign = append(s.place, place[t]+shift), append(s.sign, sign[t]*w.sign[e])
			}
		}
		p.extend(d+1, k, s.place, s.sign, sum, left, amount)
	}
}
