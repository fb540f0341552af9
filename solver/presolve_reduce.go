package solver

import (
	"cmp"
	"context"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/protection"
	"github.com/hitoku/hitoku/table"
)

// A reduction splits a table into parts that can be solved separately. An optimum of the table consists of the given
// cells, the forced ones, and an optimum of each part. It rests on these facts about K, the kernel {z : M z = 0}
// restricted to cells that may be withheld:
//
//   - a cell with z_i = 0 on K protects nothing, and publishing it reveals nothing;
//   - cells with z_i = ±z_j on K (a code with one child, say) are one cell: a
//     pattern that withholds only some of them may as well publish those;
//   - K is a direct sum over blocks, so each block is a problem of its own, and
//     one without a sensitive cell needs nothing;
//   - redundant relations tell nothing new; linear programs leave them out
//     (interval), networks are built without them.
//
// On two-way tables K is the cycle space of a graph (Gusfield, A graph theoretic approach to statistical data security,
// SIAM Journal on Computing 17(3), 1988): such cells are its bridges, blocks its 2-connected components. It saves most
// on hierarchies; a table of one block in which no code has a single child stays as it is.
//
// The lexicographically smallest optimum respects all this. For a table of layers, K is that of the cells that may move
// in some layer, so all of this holds in every layer.
type reduction struct {
	t       *table.Table
	one     *table.Table // t, or for a table of layers one layer with the capacities and levels of all
	parts   []*part
	forced  []int32 // cells not given that every protected pattern withholds
	cost    int64   // the cost of the forced cells
	engine  string  // the engine that fits the table as a whole
	exposed []int32 // sensitive cells with a level that can never move: no pattern protects them
	sign    []int8  // by cell: z_cell = sign·z of the cell that represents it
}

// A part is a table reduced to one block.
type part struct {
	t     *table.Table
	sys   *oracle.System
	cells [][]int32 // cells of the whole table behind each cell of t; nil: the same
	rel   []int32   // the relation behind each relation of t
}

// reduce splits t. With off.presolve it leaves t as it is.
func reduce(ctx context.Context, t *table.Table, off techniques) (*reduction, error) {
	r := &reduction{t: t, one: overlay(t), engine: "network"}
	sys := oracle.NewSystem(r.one.Rel)
	if !sys.IsNetwork() {
		r.engine = "simplex"
	}
	if off.presolve {
		if t.Layers > 1 {
			sys = oracle.NewSystem(t.Rel)
		}
		r.parts = []*part{{t: t, sys: sys}}
		return r, nil
	}
	g := newMerger(r.one, sys.NetworkRows())
	for {
		if !off.copies {
			g.merge()
		}
		l := g.left()
		st, err := l.structure(ctx)
		if err != nil {
			return nil, err
		}
		if g.drop(l.cells, st.Block) || !off.copies && g.uniteAll(l.cells, st) {
			continue
		}
		if off.blocks {
			st.Blocks = 1
			clear(st.Block)
		}
		for i := range t.Len() {
			if asks(t, i) && !g.alive[g.lead[i%len(g.lead)]] {
				r.exposed = append(r.exposed, int32(i))
			}
		}
		for len(r.sign) < t.Len() {
			r.sign = append(r.sign, g.sign...)
		}
		return r, r.split(ctx, g, l, st)
	}
}

// overlay returns a table with the relations of one layer of t in which every cell has the capacities and levels of all
// its layers; t itself if it has no layers.
func overlay(t *table.Table) *table.Table {
	if t.Layers <= 1 {
		return t
	}
	m, rows := t.Len()/t.Layers, t.Rel.Len()/t.Layers
	one := &table.Table{Name: t.Name, Strict: t.Strict, Rel: table.NewRelations(m), Value: make([]int64, m), Status: slices.Clone(t.Status[:m]),
		LPL: make([]int64, m), UPL: make([]int64, m), Width: make([]int64, m), Lower: make([]int64, m), Upper: make([]int64, m)}
	for j := range rows {
		cell, coef := t.Rel.Row(j)
		one.Rel.Add(cell, coef, 0)
	}
	for k := range t.Len() {
		i := k % m
		up, dn := protection.Capacities(t, k)
		if dn == table.PosInf {
			one.Lower[i] = table.NegInf
		} else {
			one.Lower[i] = min(one.Lower[i], -dn)
		}
		one.Upper[i] = max(one.Upper[i], up)
		if t.Status[k] == table.Sensitive {
			one.Status[i] = table.Sensitive
			one.LPL[i], one.UPL[i], one.Width[i] = max(one.LPL[i], t.LPL[k]), max(one.UPL[i], t.UPL[k]), max(one.Width[i], t.Width[k])
		}
	}
	return one
}

// asks reports whether cell i has a level to meet.
func asks(t *table.Table, i int) bool {
	return t.Status[i] == table.Sensitive && (t.Strict || t.LPL[i] > 0 || t.UPL[i] > 0 || t.Width[i] > 0)
}

// A remainder is M after dropping and merging: cells are the leaders of the groups that may move, in canonical order,
// and rows the relations that still have terms.
type remainder struct {
	rel   *table.Relations
	rows  []int32
	cells []int32
	sys   *oracle.System
}

// structure finds the blocks; if it cannot, all cells are one block.
func (l *remainder) structure(ctx context.Context) (*oracle.Structure, error) {
	l.sys = oracle.NewSystem(l.rel)
	st, ok, err := l.sys.Structure(ctx)
	if err != nil || ok {
		return st, err
	}
	st = &oracle.Structure{Block: make([]int32, len(l.cells)), Blocks: 1, Keep: make([]bool, len(l.rows))}
	for j := range st.Keep {
		st.Keep[j] = true
	}
	return st, nil
}

// blocks returns the parts of l in the needed blocks, each with every relation that has terms there, and nil for the
// others. There may be ten thousand blocks, so it makes one pass for all.
func (l *remainder) blocks(block []int32, needed []bool) []*remainder {
	out := make([]*remainder, len(needed))
	at := make([]int32, len(l.cells))
	for s, i := range l.cells {
		b := block[s]
		if b < 0 || !needed[b] {
			continue
		}
		if out[b] == nil {
			out[b] = &remainder{}
		}
		at[s] = int32(len(out[b].cells))
		out[b].cells = append(out[b].cells, i)
	}
	for _, part := range out {
		if part != nil {
			part.rel = table.NewRelations(len(part.cells))
		}
	}
	var terms []int32 // the terms of a relation, sorted by block
	var cell, coef []int32
	for j, row := range l.rows {
		c, v := l.rel.Row(j)
		terms = terms[:0]
		for s, i := range c {
			if b := block[i]; b >= 0 && needed[b] {
				terms = append(terms, int32(s))
			}
		}
		slices.SortStableFunc(terms, func(x, y int32) int { return cmp.Compare(block[c[x]], block[c[y]]) })
		for len(terms) > 0 {
			b := block[c[terms[0]]]
			cell, coef = cell[:0], coef[:0]
			for len(terms) > 0 && block[c[terms[0]]] == b {
				s := terms[0]
				cell, coef = append(cell, at[c[s]]), append(coef, v[s])
				terms = terms[1:]
			}
			out[b].rel.Add(cell, coef, 0)
			out[b].rows = append(out[b].rows, row)
		}
	}
	return out
}

// kept returns l with the marked relations only.
func (l *remainder) kept(keep []bool) *remainder {
	if !l.sys.IsNetwork() || !slices.Contains(keep, false) {
		return l // linear programs drop redundant rows themselves
	}
	out := &remainder{rel: table.NewRelations(l.rel.N), cells: l.cells}
	for j, row := range l.rows {
		if keep[j] {
			cell, coef := l.rel.Row(j)
			out.rel.Add(cell, coef, 0)
			out.rows = append(out.rows, row)
		}
	}
	out.sys = oracle.NewSystem(out.rel)
	return out
}

// split makes the parts, one for each block with something to protect.
func (r *reduction) split(ctx context.Context, g *merger, l *remainder, st *oracle.Structure) error {
	t, one := r.t, r.one
	members := make([][]int32, one.Len())
	for i := range int32(one.Len()) {
		if a := g.lead[i]; g.alive[a] {
			members[a] = append(members[a], i)
		}
	}
	needed := make([]bool, st.Blocks)
	for s, a := range l.cells {
		for _, i := range members[a] {
			if asks(one, int(i)) {
				needed[st.Block[s]] = true
			}
		}
	}
	var parts []*remainder
	if st.Blocks > 1 {
		parts = l.blocks(st.Block, needed)
	}
	for b, yes := range needed {
		if !yes {
			continue
		}
		own, keep := l, st.Keep
		if st.Blocks > 1 {
			own = parts[b]
			parts[b] = nil
			mine, err := own.structure(ctx)
			if err != nil {
				return err
			}
			keep = mine.Keep
		}
		own = own.kept(keep)
		unchanged := len(own.cells) == one.Len() && len(own.rows) == one.Rel.Len()
		p := &part{t: t, sys: own.sys, rel: own.rows}
		if !unchanged {
			p.t = &table.Table{Name: t.Name, Decimals: t.Decimals, CostDecimals: t.CostDecimals, Counts: t.Counts, Strict: t.Strict,
				Layers: t.Layers, Rel: own.rel.Repeat(max(1, t.Layers))}
			for shift := 0; shift < t.Len(); shift += one.Len() {
				for _, a := range own.cells {
					p.cells = append(p.cells, r.group(p.t, members[a], int32(shift)))
				}
			}
		}
		if t.Layers > 1 {
			p.sys = oracle.NewSystem(p.t.Rel)
		}
		r.parts = append(r.parts, p)
	}
	return nil
}

// group appends to sub the cell that represents the members of a group, in the layer that begins at cell shift, and
// returns its members in that layer. Its value is 0: only the distances to its bounds matter.
func (r *reduction) group(sub *table.Table, members []int32, shift int32) []int32 {
	t := r.t
	status, safe := table.Withheld, int64(0)
	var lpl, upl, spl int64
	up, dn := int64(table.PosInf), int64(table.PosInf)
	wanted := false // wanted in some layer
	var free, behind []int32
	for _, i := range members {
		wanted = wanted || asks(r.one, int(i))
		i += shift
		behind = append(behind, i)
		u, d := protection.Capacities(t, int(i))
		l, h := t.LPL[i], t.UPL[i]
		if r.sign[i] < 0 {
			u, d, l, h = d, u, h, l
		}
		up, dn = min(up, u), min(dn, d)
		switch {
		case asks(t, int(i)):
			status = table.Sensitive
			lpl, upl, spl = max(lpl, l), max(upl, h), max(spl, t.Width[i])
		case t.Status[i] == table.Safe:
			free = append(free, i)
			safe += t.Cost[i]
		}
	}
	if len(free) > 0 {
		if wanted { // it moves only if all members may
			r.forced = append(r.forced, free...)
			r.cost += safe
		} else {
			status = table.Safe
		}
	}
	lower := -dn
	if dn == table.PosInf {
		lower = table.NegInf
	}
	sub.Value, sub.Cost, sub.Status = append(sub.Value, 0), append(sub.Cost, safe), append(sub.Status, status)
	sub.LPL, sub.UPL, sub.Width = append(sub.LPL, lpl), append(sub.UPL, upl), append(sub.Width, spl)
	sub.Lower, sub.Upper = append(sub.Lower, lower), append(sub.Upper, up)
	return behind
}

// expand adds to x the cells that the pattern sub of part p withholds.
func (p *part) expand(sub, x []bool) {
	for s, in := range sub {
		if !in {
			continue
		}
		if p.cells == nil {
			x[s] = true
			continue
		}
		for _, i := range p.cells[s] {
			x[i] = true
		}
	}
}

// spread extends the witness w of part p to the cells of the whole table.
func (p *part) spread(w *certificate.Witness, sign []int8) *certificate.Witness {
	if p.cells == nil {
		return w
	}
	out := &certificate.Witness{Den: w.Den}
	if w.Long != nil {
		out.Long = &certificate.Long{Den: w.Long.Den}
	}
	for t, s := range w.Cells {
		for _, i := range p.cells[s] {
			out.Cells = append(out.Cells, i)
			if w.Long != nil {
				out.Long.Num = append(out.Long.Num, new(big.Int).Mul(big.NewInt(int64(sign[i])), w.Long.Num[t]))
			} else {
				out.Num = append(out.Num, int64(sign[i])*w.Num[t])
			}
		}
	}
	return out
}
