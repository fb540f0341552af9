package report

import (
	"cmp"
	"maps"
	"slices"
)

// A block is a few rows of a layer that have withheld cells, and the columns of these cells.
type block struct {
	rows, columns map[int]bool // their places
	withheld      int
}

// neighbourhoods shows the withheld cells of a table that is too large to be shown whole: the rows and columns
// that have them, with the totals above both, in blocks small enough to be read. Layers in which a cell misses
// its levels come first. Other rows and columns are left out with their number. If there are more than
// maxNeighbours cells, the rest is left out, and note says so.
func (c *crossing) neighbourhoods() (grids []protectionGrid, note string) {
	k := len(c.t.Dims)
	depth := min(2, k)
	withheld := map[string][]int{} // withheld cells by layer
	var keys [][]int32
	fails := map[string]bool{}
	total := 0
	for i := range c.t.Len() {
		j := c.at(i)
		if !c.p.Withheld[j] {
			continue
		}
		codes := c.t.Coord[i*k+depth : i*k+k]
		key := cellKey(codes)
		if withheld[key] == nil {
			keys = append(keys, codes)
		}
		withheld[key] = append(withheld[key], i)
		if x := c.p.of[j]; x != nil && !x.Protected {
			fails[key] = true
		}
		total++
	}
	note = c.p.say("neighbours", c.t.Len(), maxGridCells)
	slices.SortFunc(keys, func(a, b []int32) int {
		switch x, y := fails[cellKey(a)], fails[cellKey(b)]; {
		case x && !y:
			return -1
		case y && !x:
			return 1
		}
		for n := range a {
			if d := cmp.Compare(c.place[depth+n][a[n]], c.place[depth+n][b[n]]); d != 0 {
				return d
			}
		}
		return 0
	})
	shown, cells := 0, 0
	for _, codes := range keys {
		l := c.layer(codes)
		for _, b := range c.blocks(withheld[cellKey(codes)]) {
			rows, columns := slices.Sorted(maps.Keys(b.rows)), slices.Sorted(maps.Keys(b.columns))
			if cells += len(rows) * len(columns); cells > maxNeighbours && len(grids) > 0 {
				return grids, note + c.p.T("sentence") + c.p.say("neighboursrest", total-shown)
			}
			shown += b.withheld
			g := c.grid(&l, rows, columns)
			if folded := len(c.columns) - len(columns); folded > 0 {
				text := c.p.say("foldcolumns", folded)
				if g.Title != "" {
					text = g.Title + c.p.T("andword") + text
				}
				g.Title = text
			}
			grids = append(grids, c.p.split(g)...)
		}
	}
	return grids, note
}

// blocks divides the withheld cells of a layer by rows into blocks, each with as many successive rows as stay
// within the limits on rows and columns.
func (c *crossing) blocks(cells []int) []block {
	k := len(c.t.Dims)
	byRow := map[int][]int{}
	for _, i := range cells {
		r := c.place[0][c.t.Coord[i*k]]
		byRow[r] = append(byRow[r], i)
	}
	var all []block
	for _, r := range slices.Sorted(maps.Keys(byRow)) {
		columns := map[int]bool{}
		for _, i := range byRow[r] {
			if k > 1 {
				c.withAbove(columns, 1, c.t.Coord[i*k+1])
			} else {
				columns[0] = true
			}
		}
		rows := map[int]bool{}
		c.withAbove(rows, 0, c.rows[r])
		if n := len(all) - 1; n >= 0 {
			last := &all[n]
			if union(last.columns, columns) <= maxBlockColumns && union(last.rows, rows) <= maxBlockRows {
				maps.Copy(last.columns, columns)
				maps.Copy(last.rows, rows)
				last.withheld += len(byRow[r])
				continue
			}
		}
		all = append(all, block{rows, columns, len(byRow[r])})
	}
	return all
}

// withAbove adds the places of a code of variable d and of its ancestors.
func (c *crossing) withAbove(to map[int]bool, d int, code int32) {
	for ; code >= 0; code = c.t.Dims[d].Parent[code] {
		to[c.place[d][code]] = true
	}
}

// union returns the number of elements in the union of two sets.
func union(a, b map[int]bool) int {
	n := len(a)
	for x := range b {
		if !a[x] {
			n++
		}
	}
	return n
}
