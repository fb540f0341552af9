package insider

import (
	"cmp"
	"slices"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/exact/num"
)

// seeds is the largest number of motions that a target takes from witnesses.
const seeds = 48

// seed gives the targets the motions of witnesses, first those that move the cells of few contributors, so that fewer
// motions have to be computed. Each is checked in integers and skipped if it is not a motion. The verdicts do not
// depend on them: a coalition to which a cell is exposed must block every motion that shows its levels.
func (s *insiders) seed(witnesses []*certificate.Witness) {
	if len(witnesses) == 0 || len(s.targets) == 0 {
		return
	}
	type place struct {
		b *block
		c int32
	}
	at := make([]place, s.t.Len())
	targets := make(map[*block]map[int32]*target)
	for _, t := range s.targets {
		if targets[t.b] == nil {
			targets[t.b] = map[int32]*target{}
			for c, i := range t.b.cells {
				at[i] = place{t.b, int32(c)}
			}
		}
		targets[t.b][t.k] = t
	}
	order := slices.Clone(witnesses)
	slices.SortStableFunc(order, func(v, w *certificate.Witness) int { return cmp.Compare(len(v.Cells), len(w.Cells)) })
	for _, w := range order {
		if w.Long != nil {
			continue
		}
		moved, n := map[*block][]int{}, []*block(nil) // by block: the entries of w
		for e, i := range w.Cells {
			if b := at[i].b; b != nil && w.Num[e] != 0 {
				if moved[b] == nil {
					n = append(n, b)
				}
				moved[b] = append(moved[b], e)
			}
		}
		for _, b := range n {
			slices.SortFunc(moved[b], func(d, e int) int { return cmp.Compare(w.Cells[d], w.Cells[e]) })
			cells, z, g := []int32(nil), []float64(nil), int64(0)
			for _, e := range moved[b] {
				g = num.GCD(g, max(w.Num[e], -w.Num[e]))
			}
			for _, e := range moved[b] {
				cells, z = append(cells, at[w.Cells[e]].c), append(z, float64(w.Num[e]/g))
			}
			point := b.sys.NewPoint(cells, z, b.up, b.dn)
			if !point.Exact() {
				continue
			}
			people := b.people(cells)
			for _, c := range cells {
				if t := targets[b][c]; t != nil && len(t.motions) < seeds {
					t.motions = append(t.motions, motion{people, t.reaches(point)})
				}
			}
		}
	}
}
