package tabulate

import (
	"cmp"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/recordkey"
	"github.com/hitoku/hitoku/table"
)

// A key holds the codes of a cell, 21 bits each, the first dimension in the highest bits, so that ascending keys are
// cells in row-major order.
type key [2]uint64

func (k *key) set(d int, c int32) {
	w, shift := d/3, uint(42-d%3*21)
	k[w] = k[w]&^(maxCodes<<shift) | uint64(c)<<shift
}

func (k key) code(d int) int32 { return int32(k[d/3] >> uint(42-d%3*21) & maxCodes) }

func compareKeys(a, b key) int {
	return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
}

// A plan is a Spec resolved to variable indices, for the accumulators.
type plan struct {
	dims                   []int // variables
	response, shadow, cost int   // variables; −1: none
	weight, holding, ask   int   // variables; −1: none
	waive                  int   // variable; −1: none
	waivers                bool  // contributors may have consented to disclosure
	least                  bool  // the smallest |shadow| is wanted
	absolute               bool  // the sum of absolute contributions is wanted
	sums                   []int // variables to add up, each once
	places                 int   // largest contributions by record
	heldPlaces             int   // the same by holding
	key                    int   // variable of the record keys; −1: none
}

// place returns where in sums a variable stands, −1 for none.
func (p *plan) place(v int) int { return slices.Index(p.sums, v) }

// cells are the accumulators of one table: those of a worker have the cells without margins, the final ones all cells.
type cells struct {
	*plan
	index  map[key]int32
	key    []key
	sum    [][]num.Int128 // sums by place in plan.sums, then by cell
	n      []int64
	weight []num.Int128 // Σ weights
	asked  []bool

	keys    []recordkey.Key // sums of record keys, by cell
	nonzero []recordkey.Key // sums of keys of records whose response is not 0; nil without response

	top    []int64 // by cell, plan.places entries: the largest |shadow|, descending
	topAsk []uint8 // how the contributor of each entry asked
	lows   []int64 // the smallest |shadow|
	heavy  [][]table.Contribution

	names  []string // names of holdings by number, if wanted
	topWho []uint32 // by entry of top: the holding's number
	abs    []num.Int128
	waived []int64 // by cell: contributors who consented, and the largest contribution of the others
	target []int64

	held []part
	full int // length of held at which its parts are joined
}

// A pair identifies the records of one holding in one cell that have the same weight.
type pair struct {
	holding uint32
	cell    int32
	w       int64 // 0 without weights
}

func comparePairs(a, b pair) int {
	return cmp.Or(cmp.Compare(a.holding, b.holding), cmp.Compare(a.cell, b.cell), cmp.Compare(a.w, b.w))
}

// A part is the sum of the amounts of a pair's records, before weighting.
type part struct {
	pair
	x   num.Int128
	ask uint8
	// waived: all of these records consented.
	waived bool
}

func newCells(p *plan) *cells {
	return &cells{plan: p, index: map[key]int32{}, sum: make([][]num.Int128, len(p.sums)), full: 16}
}

// cell returns the accumulator of key k, which it creates if there is none.
func (c *cells) cell(k key) int32 {
	i, ok := c.index[k]
	if ok {
		return i
	}
	i = int32(len(c.key))
	c.index[k] = i
	c.key = append(c.key, k)
	for s := range c.sum {
		c.sum[s] = append(c.sum[s], num.Int128{})
	}
	c.n = append(c.n, 0)
	if c.plan.weight >= 0 {
		c.weight = append(c.weight, num.Int128{})
		if c.places > 0 {
			c.heavy = append(c.heavy, nil)
		}
	} else {
		for range c.places {
			c.top = append(c.top, 0)
			if c.ask >= 0 {
				c.topAsk = append(c.topAsk, 0)
			}
			if c.names != nil {
				c.topWho = append(c.topWho, 0)
			}
		}
	}
	if c.least {
		c.lows = append(c.lows, math.MaxInt64)
	}
	if c.absolute {
		c.abs = append(c.abs, num.Int128{})
	}
	if c.waivers {
		c.waived, c.target = append(c.waived, 0), append(c.target, 0)
	}
	if c.ask >= 0 {
		c.asked = append(c.asked, false)
	}
	if c.plan.key >= 0 {
		c.keys = append(c.keys, 0)
		if c.response >= 0 {
			c.nonzero = append(c.nonzero, 0)
		}
	}
	return i
}

// rank orders requests: the first way, the second, none.
func rank(ask uint8) uint8 { return (ask + 2) % 3 }

// push inserts a contribution of weight 1 among the largest of cell i, which has n contributors without it. Equal ones
// are ordered by rank, then by name if names are known.
func (c *cells) push(i int32, n, x int64, ask uint8, who uint32) {
	m := int64(c.places)
	at := int64(i) * m
	k := min(n, m) // it belongs at place k or before
	before := func(j int64) bool {
		if y := c.top[at+j]; x != y || c.ask < 0 && c.names == nil {
			return x > y
		}
		if c.ask >= 0 && rank(ask) != rank(c.topAsk[at+j]) {
			return rank(ask) < rank(c.topAsk[at+j])
		}
		return c.names != nil && c.name(who) < c.name(c.topWho[at+j])
	}
	if k == m {
		if m == 0 || !before(m-1) {
			return
		}
		k--
	}
	for ; k > 0 && before(k-1); k-- {
		c.top[at+k] = c.top[at+k-1]
		if c.ask >= 0 {
			c.topAsk[at+k] = c.topAsk[at+k-1]
		}
		if c.names != nil {
			c.topWho[at+k] = c.topWho[at+k-1]
		}
	}
	c.top[at+k] = x
	if c.names != nil {
		c.topWho[at+k] = who
	}
	if c.ask >= 0 {
		c.topAsk[at+k] = ask
	}
}

// name returns the name of a holding, "" for a record that has none.
func (c *cells) name(who uint32) string {
	if int(who) < len(c.names) {
		return c.names[who]
	}
	return ""
}

// consent counts a contributor of cell i, with contribution x, as having consented or not.
func (c *cells) consent(i int32, x int64, waived bool) {
	switch {
	case !c.waivers:
	case waived:
		c.waived[i]++
	default:
		c.target[i] = max(c.target[i], x)
	}
}

// lay inserts a weighted contribution into a list ordered as by push. The list is cut where its weights fill all
// places; one is the weight of one place.
func lay(list []table.Contribution, x table.Contribution, places int, one int64) []table.Contribution {
	most := int64(places) * one
	before := int64(0)
	for k := range list {
		y := &list[k]
		if x.X == y.X && x.Request == y.Request {
			y.W = min(most, y.W+min(x.W, most))
			return trim(list, most)
		}
		if x.X > y.X || x.X == y.X && rank(x.Request) < rank(y.Request) {
			x.W = min(x.W, most)
			return trim(slices.Insert(list, k, x), most)
		}
		if before += y.W; before >= most {
			return list
		}
	}
	x.W = min(x.W, most)
	return append(list, x)
}

func trim(list []table.Contribution, most int64) []table.Contribution {
	before := int64(0)
	for k := range list {
		if before >= most {
			return list[:k]
		}
		before += list[k].W
	}
	return list
}

// hold adds x to the part of a holding in a cell. The list of parts is joined from time to time, which keeps it below
// one and a half times the number of different pairs.
func (c *cells) hold(to pair, x num.Int128, ask uint8, waived bool) bool {
	if n := len(c.held) - 1; n >= 0 && c.held[n].pair == to {
		h := &c.held[n]
		var ok bool
		h.x, ok = h.x.Sum(x)
		h.ask, h.waived = firstAsk(h.ask, ask), h.waived && waived
		return ok
	}
	ok := true
	if len(c.held) >= c.full {
		c.held, ok = joinParts(c.held, true)
		c.full = max(1<<10, len(c.held)+len(c.held)/2)
		c.held = slices.Grow(c.held, c.full-len(c.held))
	}
	c.held = append(c.held, part{to, x, ask, waived})
	return ok
}

// firstAsk returns the request of two records together: the first way wins over the second, either over none.
func firstAsk(a, b uint8) uint8 {
	if rank(b) < rank(a) {
		return b
	}
	return a
}

// plus adds y to x; it returns false on overflow.
func plus(x *num.Int128, y num.Int128) (ok bool) {
	*x, ok = x.Sum(y)
	return ok
}

// addTo adds cell j of from to cell i of c; they have no contributor in common.
func (c *cells) addTo(i int32, from *cells, j int32, one int64) bool {
	ok := true
	for s := range c.sum {
		ok = plus(&c.sum[s][i], from.sum[s][j]) && ok
	}
	switch {
	case c.plan.weight >= 0:
		ok = plus(&c.weight[i], from.weight[j]) && ok
		if c.places > 0 {
			for _, x := range from.heavy[j] {
				c.heavy[i] = lay(c.heavy[i], x, c.places, one)
			}
		}
	case c.places > 0:
		m := int32(c.places)
		have := c.n[i]
		for r := range min(from.n[j], int64(m)) {
			a := uint8(0)
			if c.ask >= 0 {
				a = from.topAsk[int64(j)*int64(m)+r]
			}
			who := uint32(0)
			if c.names != nil {
				who = from.topWho[int64(j)*int64(m)+r]
			}
			c.push(i, have, from.top[int64(j)*int64(m)+r], a, who)
			have++
		}
	}
	if c.ask >= 0 {
		c.asked[i] = c.asked[i] || from.asked[j]
	}
	if c.plan.key >= 0 {
		c.keys[i] = recordkey.Add(c.keys[i], from.keys[j])
		if c.response >= 0 {
			c.nonzero[i] = recordkey.Add(c.nonzero[i], from.nonzero[j])
		}
	}
	if c.least {
		c.lows[i] = min(c.lows[i], from.lows[j])
	}
	if c.absolute {
		ok = plus(&c.abs[i], from.abs[j]) && ok
	}
	if c.waivers {
		c.waived[i] += from.waived[j]
		c.target[i] = max(c.target[i], from.target[j])
	}
	c.n[i] += from.n[j]
	return ok
}

// rescale multiplies everything counted in units of variable v by f.
func (c *cells) rescale(v int, f int64) bool {
	ok := true
	grow128 := func(x *num.Int128) {
		var good bool
		*x, good = x.Scaled(f)
		ok = ok && good
	}
	grow := func(s []num.Int128) {
		for i := range s {
			grow128(&s[i])
		}
	}
	grow64 := func(x *int64) {
		if *x > maxAmount/f {
			ok = false
		}
		*x *= f
	}
	for s, w := range c.sums {
		if w == v || c.plan.weight == v {
			grow(c.sum[s])
		}
	}
	if c.plan.weight == v {
		grow(c.weight)
	}
	if c.shadow == v || c.plan.weight == v {
		grow(c.abs)
	}
	for i := range c.target {
		if c.shadow == v {
			grow64(&c.target[i])
		}
	}
	if c.shadow == v {
		for i := range c.top {
			grow64(&c.top[i])
		}
		for i := range c.held {
			grow128(&c.held[i].x)
		}
	}
	if c.plan.weight == v {
		for i := range c.held {
			grow64(&c.held[i].w)
		}
	}
	for i := range c.heavy {
		for k := range c.heavy[i] {
			if c.shadow == v {
				grow64(&c.heavy[i][k].X)
			}
			if c.plan.weight == v {
				grow64(&c.heavy[i][k].W)
			}
		}
	}
	return ok
}

// maxAmount bounds each amount read and each number of a finished table.
const maxAmount = 1e18
