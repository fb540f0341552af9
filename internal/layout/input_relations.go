package layout

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A relation is a sum over one kept dimension, in cells of the table.
type relation struct {
	dim   int
	total int // a cell, as the parts are
	parts []int
	seen  bool // it holds only where all its numbers are known and agree with it
	near  bool // in that case, it may miss by rounding
}

// relations returns the sums of the cells: one for each sum of codes and each combination of the other codes.
func (b *built) relations() []relation {
	at := sets.Places[int](b.keys)
	var all []relation
	for k, d := range b.kept {
		dim := &b.t.Dimensions[d]
		if b.t.NotAdditive {
			continue
		}
		if !dim.Additive {
			all = append(all, b.seen(k, at)...)
			continue
		}
		sums := b.t.sums(d)
		for i := range b.cell {
			codes := strings.Split(b.keys[i], "\x00")
			own := codes[k]
			for _, of := range sums[own] {
				r := relation{dim: k, total: i}
				for _, p := range of {
					codes[k] = p
					if c, ok := at[strings.Join(codes, "\x00")]; ok {
						r.parts = append(r.parts, c)
					}
				}
				if len(r.parts) > 0 { // else the file does not divide this total
					all = append(all, r)
				}
			}
		}
	}
	return append(all, b.ties()...)
}

// ties returns the cells that the file has twice, as sums along no dimension.
func (b *built) ties() (all []relation) {
	at := sets.Places[int](b.cell)
	for _, x := range b.t.ties {
		i, ok := at[x.cell]
		r := relation{dim: -1, total: i}
		for _, c := range x.same {
			if p, here := at[c]; here {
				r.parts = append(r.parts, p)
			}
		}
		if ok && len(r.parts) == len(x.same) {
			all = append(all, r)
		}
	}
	return all
}

// sums returns, by code of dimension d, the lists of codes that add up to it: its parts, those that a repeated code is
// the sum of, and the parts of every other sum that was found.
func (t *Table) sums(d int) map[string][][]string {
	dim := &t.Dimensions[d]
	tree := map[string][]string{}
	sums := map[string][][]string{}
	for _, c := range dim.Codes {
		if c.Parent != nil && !c.Memo {
			tree[*c.Parent] = append(tree[*c.Parent], c.Code)
		}
	}
	add := func(total string, parts []string) {
		parts = slices.Sorted(slices.Values(parts))
		if !slices.ContainsFunc(sums[total], func(of []string) bool { return slices.Equal(of, parts) }) {
			sums[total] = append(sums[total], parts)
		}
	}
	for _, c := range dim.Codes {
		if len(c.Equals) > 0 {
			add(c.Code, c.Equals)
		}
		if len(tree[c.Code]) > 0 {
			add(c.Code, tree[c.Code])
		}
	}
	for _, r := range t.Relations {
		if r.Dim == d {
			add(r.Total, r.Parts)
		}
	}
	return sums
}

// below tells which cells may be below 0: those that are missing, and those of which every code has some number below
// 0. Where a balance stands beside counts, readers know that no count is below 0.
func (b *built) below(t *table.Table, negative bool) func(cell int) bool {
	codes := sets.List(len(b.t.Dimensions), func(int) map[string]bool { return map[string]bool{} })
	for i := range t.Value {
		if negative && t.Value[i] < 0 {
			for d, code := range b.t.Cells[b.cell[i]].Codes {
				codes[d][code] = true
			}
		}
	}
	return func(cell int) bool {
		if t.Missing != nil && t.Missing[cell] {
			return true
		}
		for d, code := range b.t.Cells[b.cell[cell]].Codes {
			if !codes[d][code] {
				return false
			}
		}
		return true
	}
}

// settle decides whether free cells contribute to a sum: they do where the known parts, with the most that withheld
// ones can be, do not reach the total, or where they exceed it. Elsewhere free cells are taken not to contribute, so
// that no cell seems better protected than it is. signed says that cells may be below 0. Rounding is allowed for if
// some sum without free cells misses.
func (b *built) settle(relations []relation, v []int64, state []uint8, signed bool) {
	rounded := slices.ContainsFunc(relations, func(r relation) bool {
		miss, known := r.misses(v, state)
		return known && miss != 0
	})
	for again := true; again; {
		again = false
		most := b.most(relations, v, state, signed)
		for k := range relations {
			r := &relations[k]
			sum, top, free := int64(0), int64(0), []int(nil)
			for _, p := range r.parts {
				switch {
				case state[p] == isFree:
					free = append(free, p)
				case state[p] == isKnown:
					sum += v[p]
				case most[p] > maxWhole || top > maxWhole:
					top = 2 * maxWhole
				default:
					top += most[p]
				}
			}
			if len(free) == 0 || state[r.total] != isKnown {
				continue
			}
			slack := int64(0)
			if rounded {
				slack = int64(len(r.parts)+1) / 2
			}
			if d := v[r.total] - sum; d > top+slack || d < -slack && !signed && top == 0 || signed && top == 0 && (d > slack || d < -slack) {
				for _, p := range free {
					state[p], again = isHidden, true
				}
			}
		}
	}
}

// maxWhole is the bound above which the upper bound of a cell counts as infinite.
const maxWhole = 1 << 60

// most returns an upper bound for each hidden cell: what its totals leave beside the known parts.
func (b *built) most(relations []relation, v []int64, state []uint8, signed bool) []int64 {
	most := make([]int64, len(v))
	for i := range most {
		if most[i] = 2 * maxWhole; state[i] == isKnown {
			most[i] = v[i]
		}
	}
	for range 4 { // a few rounds, as totals may be hidden, too
		for k := range relations {
			r := &relations[k]
			if signed || most[r.total] > maxWhole {
				continue
			}
			left := most[r.total]
			for _, p := range r.parts {
				if state[p] == isKnown {
					left -= v[p]
				}
			}
			for _, p := range r.parts {
				if state[p] != isKnown {
					most[p] = min(most[p], max(left, 0))
				}
			}
		}
	}
	return most
}

// relate adds the relations to the table. If rounding makes a complete sum miss, the difference is its right-hand side,
// and the cells are rounded.
func (b *built) relate(t *table.Table, relations []relation, v []int64, state []uint8, keep []int32) error {
	told, given := b.tolerance()
	tolerance, _ := told.At(max(t.Decimals, told.Scale))
	if told.Scale > t.Decimals {
		tolerance /= table.Pow10(told.Scale - t.Decimals)
	}
	unit := int64(0) // numbers may be rounded to tens, say
	for i, x := range v {
		if state[i] == isKnown {
			unit = num.GCD(unit, x)
		}
	}
	missed := false
	e := newExactness(t.Len())
	var cells, coef []int32
	for _, r := range relations {
		if keep[r.total] < 0 {
			continue
		}
		cells, coef = cells[:0], coef[:0]
		sum, complete := -v[r.total], state[r.total] == isKnown
		for _, p := range r.parts {
			if keep[p] >= 0 {
				cells, coef = append(cells, keep[p]), append(coef, 1)
				sum += v[p]
				complete = complete && state[p] == isKnown
			}
		}
		if len(cells) == 0 && v[r.total] == 0 {
			continue
		}
		cells, coef = append(cells, keep[r.total]), append(coef, -1)
		if !complete {
			sum = 0
		}
		e.together(cells)
		missed = missed || sum != 0
		if most := max(tolerance, max(unit, 1)*(int64(len(r.parts)+1)/2)); sum > most || sum < -most {
			return b.s.fault("%s is %s, but its parts along %s add up to %s; say --no-total if they do not belong together, or --tolerance",
				b.Address(int(keep[r.total])), table.FormatDecimal(v[r.total], t.Decimals), formats.Show(b.t.Dimensions[b.kept[r.dim]].Name), table.FormatDecimal(v[r.total]+sum, t.Decimals))
		}
		if complete && v[r.total] != 0 {
			e.sum(cells[0], sum == 0)
		}
		t.Rel.Add(cells, coef, sum)
		t.Rel.Dim = append(t.Rel.Dim, int8(r.dim))
		t.Rel.Margin = append(t.Rel.Margin, keep[r.total])
	}
	switch {
	case given:
		if told.Scale > t.Decimals { // the tolerance has more decimals than the values
			unit *= table.Pow10(told.Scale - t.Decimals)
			if err := t.Rescale(told.Scale); err != nil {
				return b.s.fault("--tolerance: %v", err)
			}
		}
		step, _ := told.At(t.Decimals)
		b.round(t, e, min(step, max(unit, 1)))
	case missed:
		step := int64(1)
		for unit != 0 && unit%(10*step) == 0 {
			step *= 10
		}
		b.round(t, e, step)
	}
	return nil
}

// tolerance returns by how much sums may miss, as the options or a saved layout give it.
func (b *built) tolerance() (d table.Decimal, given bool) {
	text := b.s.tolerance
	if l := b.s.Reading.Layout; text == "" && l != nil {
		for k := range l.Blocks {
			if text == "" && (len(l.Blocks) == 1 || l.Blocks[k].Name == b.t.Name) {
				text = l.Blocks[k].Tolerance
			}
		}
	}
	d, err := table.ParseDecimal(text)
	return d, err == nil
}

// round notes that values are rounded to multiples of unit, except cells whose mark stands for nothing and those that
// sums show to be exact.
func (b *built) round(t *table.Table, e *exactness, unit int64) {
	if unit <= 0 {
		return
	}
	t.Rounding = make([]int64, t.Len())
	for i := range t.Rounding {
		if b.t.Cells[b.cell[i]].Means != isNil && !e.exact(int32(i)) {
			t.Rounding[i] = unit
		}
	}
}
