package modular

import (
	"cmp"
	"slices"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A table may protect sums of cells as additional cells, each with the relation that defines it. A sum has no place of
// its own, only those of its cells. Products move these cells, and the sums follow.

// A sumCell is such a sum: y = Σ coef·y_cell.
type sumCell struct {
	cell []int32
	coef []int64
}

// sums finds the cells without a place of their own; own marks the others. ok is false if one of them is bounded, must
// stay published or is not defined by cells with places: products cannot handle these.
func (p *products) sums(own []bool) (ok bool) {
	t := p.m.t
	p.of, p.in, p.held = map[int32]sumCell{}, map[int32][]int32{}, make([]bool, t.Len())
	for u, has := range own {
		if has {
			continue
		}
		var def sumCell
		rows, _ := p.m.sys.Cols.Column(u)
		for _, j := range rows {
			if d, ok := p.definition(int(j), int32(u), own); ok && (def.cell == nil || len(d.cell) < len(def.cell)) {
				def = d
			}
		}
		if def.cell == nil || t.Status[u] == table.Published || t.Lower[u] != table.NegInf || t.Upper[u] != table.PosInf {
			return false
		}
		p.of[int32(u)] = def
		for _, i := range def.cell {
			p.in[i] = append(p.in[i], int32(u))
		}
	}
	return true
}

// definition solves relation j for cell u, provided that its other cells have places of their own.
func (p *products) definition(j int, u int32, own []bool) (def sumCell, ok bool) {
	cell, coef := p.m.t.Rel.Row(j)
	at := slices.Index(cell, u)
	if coef[at] != 1 && coef[at] != -1 {
		return def, false
	}
	for e, i := range cell {
		switch {
		case e == at:
		case !own[i]:
			return def, false
		default:
			def.cell, def.coef = append(def.cell, i), append(def.coef, -int64(coef[at])*int64(coef[e]))
		}
	}
	return def, len(def.cell) > 0
}

// follow updates the movements of sums from those of their cells.
func (p *products) follow() {
	if len(p.of) == 0 {
		return
	}
	var touched []int32
	for _, i := range p.moved {
		if _, is := p.of[i]; is {
			touched = append(touched, i)
		}
		touched = append(touched, p.in[i]...)
	}
	slices.Sort(touched)
	for _, u := range slices.Compact(touched) {
		def := p.of[u]
		p.z[u] = 0
		for n, i := range def.cell {
			p.z[u] += def.coef[n] * p.z[i]
		}
		p.moved = append(p.moved, u)
	}
}

// pushSum moves sum u by amount in direction sign through one of its cells: the first, by capacity, that products can
// move while the others do not move.
func (p *products) pushSum(u int32, sign, amount int64) bool {
	def := p.of[u]
	order := sets.Upto(len(def.cell))
	slices.SortStableFunc(order, func(a, b int) int { // cells that can move far come first
		return cmp.Compare(p.room(def.cell[b], sign*direction(def.coef[b])), p.room(def.cell[a], sign*direction(def.coef[a])))
	})
	for _, i := range def.cell {
		p.held[i] = true
	}
	defer func() {
		for _, i := range def.cell {
			p.held[i] = false
		}
	}()
	for _, n := range order[:min(sumTries, len(order))] {
		i, c := def.cell[n], def.coef[n]
		p.held[i] = false
		if p.push(i, sign*direction(c), (amount+abs(c)-1)/abs(c)) {
			return true
		}
		p.clear()
		p.held[i] = true
	}
	return false
}
