package tabulate

import (
	"cmp"
	"slices"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// Tables finishes the tables, in the order of the specs. Call it once, after the last Read.
//
// First the workers' cells without margins are added up. Then, dimension by dimension from the deepest codes up, each
// cell is added to its margin and the largest contributions are merged; this is right for records, as a record is in
// only one of a margin's parts. A holding with records in several parts is one contributor to each margin above them,
// so its parts are added up separately for every margin. If keys are drawn from identifiers and two records have the
// same identifier, the error is a *formats.Error.
func (t *Tabulator) Tables() ([]*Result, error) {
	if t.failed {
		return nil, i18n.Errorf("tabulate: an earlier file has failed")
	}
	t.failed = true
	names := t.names()
	for k := range t.holdings { // only their numbers count from here on
		t.holdings[k].index = nil
	}
	if err := cmp.Or(t.sameScale(), t.repeated()); err != nil {
		return nil, err
	}
	dims, listed := make([]*finished, len(t.vars)), make([]*finished, len(t.vars))
	for k, v := range t.vars {
		if v.codes == nil {
			continue
		}
		d := &finished{}
		var err error
		if d.dim, d.at, d.missing, err = v.codes.dimension(); err != nil {
			return nil, err
		}
		if len(d.dim.Codes) > maxCodes {
			return nil, i18n.Errorf("variable %q: more than %d codes", v.Name, maxCodes)
		}
		dims[k], listed[k] = d, &finished{}
		if listed[k].dim, err = v.codes.listed(&d.dim); err != nil {
			return nil, err
		}
	}
	var out []*Result
	for n, p := range t.plans {
		r := &Result{Spec: t.specs[n], Comma: t.comma, cells: newCells(p)}
		var at [][]int32
		for _, v := range p.dims {
			d, all := dims[v], listed[v]
			if to, ok := t.specs[n].recoding(t.vars[v].Name); ok {
				var err error
				if d, err = d.recode(t.vars[v].codes, to); err == nil {
					all, err = all.recode(t.vars[v].codes, to)
				}
				if err != nil {
					return nil, i18n.Errorf("table %s: %w", t.specs[n].Name, err)
				}
			}
			r.Dims, r.Trees = append(r.Dims, d.dim), append(r.Trees, all.dim)
			r.missing = append(r.missing, d.missing)
			at = append(at, d.at)
		}
		r.scales(t)
		if t.specs[n].Who {
			r.names = names
		}
		if err := r.merge(t, n, at); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// A Result is a finished table: its cells with contributors, margins included, in
// row-major order of their codes, totals first.
type Result struct {
	Spec Spec
	Dims []table.Dimension
	// Trees are Dims extended by the codes of their hierarchies and the missing codes that no record has.
	Trees []table.Dimension
	// Comma says that the records have decimal commas.
	Comma bool

	cells   *cells
	missing [][]bool // by dimension and code
	order   []int32  // cells in row-major order
	decimal []int    // decimals of plan.sums
	weight  int      // decimals of weights
	least   int      // decimals of the response; levels are at least one unit of them

	groups []group
	names  []string // names of holdings, if wanted
	whose  *cells   // accumulators that count by holding
	tops   []int64  // by cell, heldPlaces entries
	asks   []uint8
	heavy  [][]table.Contribution // replaces tops and asks if there are weights
}

// A group is the number of holdings of a cell and whether one of them asked for protection.
type group struct {
	n   int64
	ask bool
}

// scales records the decimals of the sums.
func (r *Result) scales(t *Tabulator) {
	c := r.cells
	for _, v := range c.sums {
		r.decimal = append(r.decimal, t.workers[0].scale[v])
	}
	if c.plan.weight >= 0 {
		r.weight = t.workers[0].scale[c.plan.weight]
	}
	if c.response >= 0 {
		r.least = t.workers[0].scale[c.response]
	}
}

// merge adds up table n of all workers and computes its margins.
func (r *Result) merge(t *Tabulator, n int, at [][]int32) error {
	c := r.cells
	one := table.Pow10(r.weight)
	ok := true
	size := 0
	for _, w := range t.workers {
		var good bool
		w.cells[n].held, good = joinParts(w.cells[n].held, true)
		ok = ok && good
		size += len(w.cells[n].held)
	}
	parts := make([]part, 0, size)
	for _, w := range t.workers {
		from := w.cells[n]
		to := make([]int32, len(from.key)) // cell of c for each cell of from
		for j, k := range from.key {
			var final key
			for d := range at {
				final.set(d, at[d][k.code(d)])
			}
			to[j] = c.cell(final)
			ok = c.addTo(to[j], from, int32(j), one) && ok
		}
		for _, h := range from.held {
			h.cell = to[h.cell]
			parts = append(parts, h)
		}
		w.cells[n] = nil
	}
	if c.plan.holding >= 0 {
		parts, ok = joinParts(parts, ok)
	}
	leaves := int32(len(c.key))
	if !r.Spec.Bare {
		r.margins(&ok, one)
	}
	if c.plan.holding >= 0 {
		r.hold(parts, leaves, &ok, one)
	}
	if !ok {
		return i18n.Errorf("table %s: sums need too many digits; round the data", r.Spec.Name)
	}
	r.order = sets.Upto(int32(len(c.key)))
	slices.SortFunc(r.order, func(a, b int32) int { return compareKeys(c.key[a], c.key[b]) })
	c.index = nil
	return nil
}

// margins adds every cell to its parents, one dimension after the other.
func (r *Result) margins(ok *bool, one int64) {
	c := r.cells
	for d := range r.Dims {
		dim := &r.Dims[d]
		by := make([][]int32, len(dim.Codes))
		for i, k := range c.key {
			by[k.code(d)] = append(by[k.code(d)], int32(i))
		}
		for code := len(dim.Codes) - 1; code > 0; code-- {
			h := dim.Parent[code]
			for _, i := range by[code] {
				k := c.key[i]
				k.set(d, h)
				n := len(c.key)
				m := c.cell(k)
				if int(m) == n {
					by[h] = append(by[h], m)
				}
				*ok = c.addTo(m, c, i, one) && *ok
			}
			by[code] = nil
		}
	}
}

// joinParts sorts the parts of holdings and adds up those with equal pairs.
func joinParts(parts []part, ok bool) ([]part, bool) {
	slices.SortFunc(parts, func(a, b part) int { return comparePairs(a.pair, b.pair) })
	out := parts[:0]
	for _, p := range parts {
		if n := len(out); n > 0 && out[n-1].pair == p.pair {
			ok = plus(&out[n-1].x, p.x) && ok
			out[n-1].ask = firstAsk(out[n-1].ask, p.ask)
			out[n-1].waived = out[n-1].waived && p.waived
			continue
		}
		out = append(out, p)
	}
	return out, ok
}

// hold counts holdings as contributors. c has its margins already; parts are sorted by holding and refer to the first
// leaves cells only, those without margins.
func (r *Result) hold(parts []part, leaves int32, ok *bool, one int64) {
	c := r.cells
	// A second set of accumulators counts holdings. A holding in a single cell is carried up to the margins like a
	// record; the others are pushed into each cell and margin separately at the end.
	plan := &plan{dims: c.dims, response: -1, shadow: c.shadow, cost: -1, weight: c.plan.weight, holding: -1, ask: c.ask, places: c.heldPlaces, waive: -1, waivers: c.waivers, absolute: c.absolute, key: -1}
	h := &Result{Dims: r.Dims, cells: newCells(plan)}
	g := h.cells
	g.names = r.names
	for _, k := range c.key[:leaves] {
		g.cell(k)
	}
	each := func(several bool, do func([]part)) {
		for a := 0; a < len(parts); {
			b := a + 1
			for b < len(parts) && parts[b].holding == parts[a].holding {
				b++
			}
			if several == (parts[a].cell != parts[b-1].cell) {
				do(parts[a:b])
			}
			a = b
		}
	}
	each(false, func(p []part) { *ok = g.contribute(p[0].cell, p, one) && *ok })
	h.margins(ok, one)
	sum := map[key][]part{}
	var order []key
	each(true, func(all []part) {
		clear(sum)
		order = order[:0]
		for _, p := range all {
			r.above(g.key[p.cell], func(k key) {
				of := sum[k]
				if of == nil {
					order = append(order, k)
				}
				at, there := slices.BinarySearchFunc(of, p.w, func(a part, w int64) int { return cmp.Compare(a.w, w) })
				if !there {
					sum[k] = slices.Insert(of, at, p)
					return
				}
				*ok = plus(&of[at].x, p.x) && *ok
				of[at].ask = firstAsk(of[at].ask, p.ask)
				of[at].waived = of[at].waived && p.waived
			})
		}
		for _, k := range order {
			*ok = g.contribute(g.index[k], sum[k], one) && *ok
		}
	})
	// g has the cells of c in the same order: both start with the same cells and compute margins alike.
	r.tops, r.asks, r.heavy, r.whose = g.top, g.topAsk, g.heavy, g
	r.groups = make([]group, len(c.key))
	for i := range r.groups {
		r.groups[i].n = g.n[i]
		if c.ask >= 0 {
			r.groups[i].ask = g.asked[i]
		}
	}
}

// contribute adds a holding to cell i as one contributor. of are its parts there by ascending weight. A record of
// weight w stands for w alike; so the holding stands for that many holdings: as often as the least weight says, for one
// with all its records; beyond that, as often as the next weight says, for one with the records of larger weights; and
// so on. Together they contribute Σ w·x, and each layer takes as many places as it is wide.
func (c *cells) contribute(i int32, of []part, one int64) bool {
	ok, ask, waived := true, uint8(0), true
	for _, p := range of {
		ask, waived = firstAsk(ask, p.ask), waived && p.waived
	}
	if c.ask >= 0 && ask > 0 {
		c.asked[i] = true
	}
	x := num.Int128{}
	for k := len(of) - 1; k >= 0; k-- {
		good := plus(&x, of[k].x)
		v, small := x.Int64()
		ok = ok && good && small && v <= maxAmount && v >= -maxAmount
		v = max(v, -v)
		if c.plan.weight < 0 {
			c.push(i, c.n[i], v, ask, of[k].holding)
			c.consent(i, v, waived)
			ok = c.size(i, v, 1) && ok
			continue
		}
		width := of[k].w
		if k > 0 {
			width -= of[k-1].w
		}
		ok = c.size(i, v, width) && ok
		if c.places > 0 {
			c.heavy[i] = lay(c.heavy[i], table.Contribution{X: v, W: width, Request: ask}, c.places, one)
		}
	}
	c.n[i]++
	return ok
}

// above calls do for cell k and for every margin that it is part of.
func (r *Result) above(k key, do func(key)) {
	var climb func(d int, k key)
	climb = func(d int, k key) {
		if d == len(r.Dims) {
			do(k)
			return
		}
		for c := k.code(d); c >= 0; c = r.Dims[d].Parent[c] {
			up := k
			up.set(d, c)
			climb(d+1, up)
		}
	}
	climb(0, k)
}

// size adds a contribution, counted times times, to the absolute total of cell i.
func (c *cells) size(i int32, x, times int64) (ok bool) {
	if !c.absolute {
		return true
	}
	c.abs[i], ok = c.abs[i].Sum(num.Product(x, uint64(times)))
	return ok
}

// names returns the holdings' names by number; nil if no table needs them.
func (t *Tabulator) names() []string {
	if !t.who {
		return nil
	}
	most := 0
	for k := range t.holdings {
		most = max(most, len(t.holdings[k].names))
	}
	all := make([]string, most*len(t.holdings))
	for k := range t.holdings {
		for n, name := range t.holdings[k].names {
			all[n*len(t.holdings)+k] = name
		}
	}
	return all
}
