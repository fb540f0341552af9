package risk

import (
	"math/bits"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
)

// A treeDistance computes distances in a tree of values.
type treeDistance struct {
	t       *tree
	records uint64
	total   [][]uint64 // by level and node: number of all records below it
	here    [][]uint64 // the same for the records of one class
}

// newTreeDistance fails unless the numbers fit: sums are at most records² · steps.
func newTreeDistance(t *tree, total map[uint32]uint64, records uint64) (*treeDistance, error) {
	if bits.Len64(records)*2+bits.Len(uint(len(t.parent))) > 126 {
		return nil, i18n.New("too many records for the distance of a hierarchy")
	}
	d := &treeDistance{t: t, records: records}
	for _, n := range t.count {
		d.total, d.here = append(d.total, make([]uint64, n)), append(d.here, make([]uint64, n))
	}
	for id, n := range total {
		d.put(d.total, id, n)
	}
	return d, nil
}

// put adds n to a leaf and all its ancestors.
func (d *treeDistance) put(to [][]uint64, id uint32, n uint64) {
	at := d.t.leaf[id]
	for level := range to {
		to[level][at] += n
		if level < len(d.t.parent) {
			at = d.t.parent[level][at]
		}
	}
}

// distance returns the distance of a class of n records with these values, times n·N·steps. What the children of a node
// exchange crosses that node; the flow out of the node is what the children do not balance among themselves.
func (d *treeDistance) distance(counts []valueCount, n uint64) num.Uint128 {
	for level := range d.here {
		clear(d.here[level])
	}
	for _, c := range counts {
		d.put(d.here, c.id, c.n)
	}
	var x num.Uint128
	for level, parents := range d.t.parent {
		more, less := make([]num.Uint128, d.t.count[level+1]), make([]num.Uint128, d.t.count[level+1])
		for k, up := range parents {
			q, p := num.Mul128(d.here[level][k], d.records), num.Mul128(d.total[level][k], n)
			more[up], less[up] = gap(more[up], q, p), gap(less[up], p, q)
		}
		for k := range more {
			m := more[k]
			if less[k].Less(m) {
				m = less[k]
			}
			m, _ = m.Mul(uint64(level + 1))
			x, _ = x.Add(m)
		}
	}
	return x
}
