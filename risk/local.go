package risk

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/hitoku/hitoku/internal/parallel"
)

// A refinement makes the values of a generalisation finer again, by layers or by parting. Parting divides sets of
// records that are alike: of those that a step makes alike, the ones that reach the goal by themselves return to a
// finer step of a column, if the rest reaches it too or is empty. So nobody loses more than by the common steps, and
// records with the same values in the end reach the goal: groups that were parted have different values, unless the
// hierarchies give both the same values, and then their union reaches it.
type refinement struct {
	*Lattice
	groupGoal
	unclear []map[uint32]bool // by column: values that stand for other originals at another level
	work    int               // how many classes layers may examine, at all nodes together
}

// A cell is a set of classes of the file that become alike.
type cell struct {
	levels  []int
	classes []int
}

// refinement prepares to refine for a goal.
func (l *Lattice) refinement(goal Goal) (*refinement, error) {
	f := &refinement{Lattice: l, groupGoal: groupGoal{goal: goal, k: max(1, goal.K), missing: l.none}, work: layerWork}
	for _, t := range l.s.pairs {
		from, order := t.byFirst(l.s.t.n)
		f.attributes = append(f.attributes, func(g int, _ uint64, add func(uint32, uint64)) {
			for _, p := range order[from[g]:from[g+1]] {
				add(t.tuple(int(p))[1], t.count(int(p)))
			}
		})
	}
	var all []int
	for g, n := range l.keep {
		if n > 0 {
			all = append(all, g)
		}
	}
	if err := f.measures(l.s.columns, l.s.t.w, l.s.trees, f.members(all)); err != nil {
		return nil, err
	}
	f.clear()
	return f, nil
}

// refine returns the levels of each class of the file, starting from those of a generalisation that reaches the goal:
// by layers, or by parting what is alike there.
func (f *refinement) refine(ctx context.Context, r *Generalisation, byLayers bool) ([][]int, error) {
	levels := make([][]int, f.s.t.n)
	at, group := f.classes(r.levels, false)
	cells := make([]cell, at.t.n)
	var all []int
	for g, n := range f.keep {
		switch c := group[g]; {
		case n == 0:
		case r.short[c] > 0: // left out
			levels[g] = r.Levels
		default:
			cells[c] = cell{r.Levels, append(cells[c].classes, g)}
			all = append(all, g)
		}
	}
	if byLayers {
		var err error
		if cells, err = f.layers(ctx, r.Levels, all); err != nil || cells == nil {
			return nil, err
		}
	}
	err := parallel.Do(ctx, len(cells), 0, func(ctx context.Context, c int) error {
		open := []cell{cells[c]}
		for len(open) > 0 {
			if err := ctx.Err(); err != nil {
				return parallel.Ended(ctx, err)
			}
			x := open[len(open)-1]
			open = open[:len(open)-1]
			parts := f.part(x)
			if parts == nil {
				for _, g := range x.classes {
					levels[g] = x.levels
				}
			}
			open = append(open, parts...)
		}
		return nil
	})
	return levels, err
}

// members iterates over classes with the number of their records.
func (l *Lattice) members(classes []int) iter.Seq2[int, uint64] {
	return func(yield func(int, uint64) bool) {
		for _, g := range classes {
			if !yield(g, l.keep[g]) {
				return
			}
		}
	}
}

// clear finds the values that stand for other originals at one level than at another, so that nobody could tell which
// is meant. Originals that are together at a level are together at all coarser ones; so a value stands for the same
// originals at two levels if their numbers are equal and they have one in common.
func (f *refinement) clear() {
	type stands struct {
		n     uint64
		place int
	}
	for k, levels := range f.leaves {
		unclear, first := map[uint32]bool{}, map[uint32]stands{}
		for level, leaves := range levels {
			least := map[uint32]int{}
			for p, v := range f.code[k][level] {
				if _, ok := least[v]; !ok {
					least[v] = p
				}
			}
			for v, n := range leaves {
				now := stands{n, least[v]}
				if before, ok := first[v]; ok && before != now {
					unclear[v] = true
				}
				first[v] = now
			}
		}
		f.unclear = append(f.unclear, unclear)
	}
}

// A share is the set of classes of a cell that have one value of a column at a finer step.
type share struct {
	classes []int
	gain    uint64 // number of other values from which its records become distinguishable
}

// part splits a cell where that gains most; nil if there is nothing to gain.
func (f *refinement) part(x cell) []cell {
	var best []cell
	most := 0.0
	for k, now := range x.levels {
		if f.tree[k].count[0] < 2 {
			continue
		}
		for level := range now {
			kept, rest, gain := f.split(x, k, level)
			if g := float64(gain) / float64(f.tree[k].count[0]-1); g > most {
				most, best = g, nil
				finer := slices.Clone(x.levels)
				finer[k] = level
				for _, s := range kept {
					best = append(best, cell{levels: finer, classes: s.classes})
				}
				if len(rest) > 0 {
					best = append(best, cell{levels: x.levels, classes: rest})
				}
			}
		}
	}
	return best
}

// split determines which classes of a cell may have a finer step in column k, by their values there, and which have to
// stay.
func (f *refinement) split(x cell, k, level int) (finer []share, rest []int, gain uint64) {
	coarse, fine := f.code[k][x.levels[k]], f.code[k][level]
	value := func(g int) uint32 { return fine[f.place[k][g]] }
	byValue := slices.Clone(x.classes)
	slices.SortStableFunc(byValue, func(a, b int) int { return cmp.Compare(value(a), value(b)) })
	for from := 0; from < len(byValue); {
		to := from + 1
		for to < len(byValue) && value(byValue[to]) == value(byValue[from]) {
			to++
		}
		g, v := byValue[from], value(byValue[from])
		s := share{classes: byValue[from:to:to]}
		if before, after := f.leaves[k][x.levels[k]][coarse[f.place[k][g]]], f.leaves[k][level][v]; after < before && !f.unclear[k][v] && f.meets(f.members(s.classes)) {
			for _, g := range s.classes {
				s.gain += f.keep[g] * (before - after)
			}
			finer, gain = append(finer, s), gain+s.gain
		} else {
			rest = append(rest, s.classes...)
		}
		from = to
	}
	slices.SortStableFunc(finer, func(a, b share) int { return cmp.Compare(a.gain, b.gain) })
	for len(rest) > 0 && len(finer) > 0 && !f.meets(f.members(rest)) {
		rest, gain = append(rest, finer[0].classes...), gain-finer[0].gain
		finer = finer[1:]
	}
	return finer, rest, gain
}
