package insider

import (
	"context"
	"slices"

	"github.com/hitoku/hitoku/internal/oracle"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A block is a direct summand of the kernel of M_S: its cells, numbered from 0, the relations restricted to them, and
// the capacities around the true values.
type block struct {
	sys    *oracle.System
	cells  []int32 // cells of the table, ascending
	up, dn []int64 // U_i, L_i; table.PosInf: none
	// ends[i] says that the interval of cell i is finite by its bounds alone.
	ends  []bool
	clamp int64 // above all capacities and levels, so a flow that reaches it is unbounded
	// Cells with the same lead move together, equally or oppositely; nil if that is unknown.
	lead []int32
	// person are the contributors with a cell here, ordered by first cell; knows are their cells here; owner is the
	// contributor of each cell, −1 none.
	person []int32
	knows  [][]int32
	owner  []int32
}

// split builds the blocks that contain a sensitive cell, and their targets.
func (s *insiders) split(ctx context.Context, withheld []bool) error {
	t := s.t
	cells := sets.Marked[int32](withheld)
	all := oracle.NewSystem(restrict(t.Rel, cells))
	var parts [][]int32
	st, ok, err := all.Structure(ctx)
	if err != nil {
		return err
	}
	if ok {
		parts = make([][]int32, st.Blocks)
		for c, b := range st.Block {
			if b >= 0 { // everybody knows what the published numbers determine
				parts[b] = append(parts[b], cells[c])
			}
		}
	} else {
		parts = connected(all.Rel, cells)
	}
	owner := make(map[int]int32)
	for p, known := range s.rep.Contributors {
		for _, i := range known {
			owner[i] = int32(p)
		}
	}
	for _, part := range parts {
		need := false
		for _, i := range part {
			need = need || t.Status[i] == table.Sensitive
		}
		if !need {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		b := s.newBlock(part, owner)
		if ok && st.Lead != nil {
			for _, i := range part {
				c, _ := slices.BinarySearch(cells, i)
				b.lead = append(b.lead, st.Lead[c])
			}
		}
		for c, i := range part {
			others := len(b.person)
			if b.owner[c] >= 0 {
				others--
			}
			if t.Status[i] == table.Sensitive && others > 0 {
				s.targets = append(s.targets, s.newTarget(b, int32(c)))
			}
		}
	}
	return nil
}

// connected returns the cells by connected component of the relations, a coarser division than blocks, for kernels too
// large to decompose.
func connected(rel *table.Relations, cells []int32) [][]int32 {
	f := sets.New(rel.N)
	for j := range rel.Len() {
		cell, _ := rel.Row(j)
		for _, i := range cell {
			f.Join(cell[0], i)
		}
	}
	var parts [][]int32
	at := make([]int, rel.N)
	for c, i := range cells {
		r := f.Root(int32(c))
		if int(r) == c {
			at[c] = len(parts)
			parts = append(parts, nil)
		}
		parts[at[r]] = append(parts[at[r]], i)
	}
	return parts
}

// restrict returns the relations over cells, renumbered, without relations that contain none of them.
func restrict(rel *table.Relations, cells []int32) *table.Relations {
	at := make([]int32, rel.N)
	for c, i := range cells {
		at[i] = int32(c) + 1
	}
	r := table.NewRelations(len(cells))
	var idx, coefs []int32
	for j := range rel.Len() {
		idx, coefs = idx[:0], coefs[:0]
		cell, coef := rel.Row(j)
		for t, i := range cell {
			if at[i] > 0 {
				idx, coefs = append(idx, at[i]-1), append(coefs, coef[t])
			}
		}
		if len(idx) > 0 {
			r.Add(idx, coefs, 0)
		}
	}
	return r
}

func (s *insiders) newBlock(cells []int32, owner map[int]int32) *block {
	t, n := s.t, len(cells)
	b := &block{sys: oracle.NewSystem(restrict(t.Rel, cells)), cells: cells,
		up: make([]int64, n), dn: make([]int64, n), ends: make([]bool, n), owner: make([]int32, n), clamp: 1}
	local := make(map[int32]int32)
	for c, i := range cells {
		b.up[c], b.dn[c] = 1, 1 // without values: any movement shows that the cell is not determined
		if s.rep.Values {
			b.up[c], b.dn[c] = table.PosInf, table.PosInf
			if t.Upper[i] != table.PosInf {
				b.up[c] = t.Upper[i] - t.Value[i]
			}
			if t.Lower[i] != table.NegInf {
				b.dn[c] = t.Value[i] - t.Lower[i]
			}
		}
		b.ends[c] = b.up[c] != table.PosInf && b.dn[c] != table.PosInf
		for _, v := range [...]int64{b.up[c], b.dn[c], t.LPL[i], t.UPL[i], t.Width[i] + 1} {
			if v != table.PosInf {
				b.clamp = min(b.clamp+v, 1<<61)
			}
		}
		b.owner[c] = -1
		p, ok := owner[int(i)]
		if !ok {
			continue
		}
		q, seen := local[p]
		if !seen {
			q = int32(len(b.person))
			local[p] = q
			b.person = append(b.person, p)
			b.knows = append(b.knows, nil)
		}
		b.owner[c] = q
		b.knows[q] = append(b.knows[q], int32(c))
	}
	return b
}

// together reports whether a cell that coalition q knows moves together with cell k, so that the relations reveal k.
func (b *block) together(k int32, q []int32) bool {
	for _, p := range q {
		for _, c := range b.knows[p] {
			if b.lead != nil && b.lead[c] == b.lead[k] {
				return true
			}
		}
	}
	return false
}

// people returns the contributors who own one of cells; never nil.
func (b *block) people(cells []int32) []int32 {
	var p []int32
	for _, c := range cells {
		if b.owner[c] >= 0 {
			p = append(p, b.owner[c])
		}
	}
	slices.Sort(p)
	return append([]int32{}, slices.Compact(p)...)
}
