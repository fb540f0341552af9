package release

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// A Found is the release with the least loss that was found.
type Found struct {
	Recoded  *risk.Generalisation
	Withheld *risk.Suppression // values withheld after recoding; nil if there are none
	// Loss is the mean, over records and quasi-identifiers, of the share of the file's other values that a released
	// value cannot be told from (Iyengar 2002); a value that is withheld, or whose record is left out, has loss 1. No
	// release by these steps (for single records, if the goal is local) and by withholding values loses less than
	// Bound.
	Loss, Bound float64
	Tried       int // combinations of steps that were completed by withholding
	Nodes       int // combinations of steps that were examined
}

// A Task describes a search.
type Task struct {
	Lattice *risk.Lattice
	Goal    risk.Goal
	Levels  []int // number of levels of each quasi-identifier
	Values  bool  // whether single values may be withheld
	// Joint counts the records by the quasi-identifiers and the sensitive columns together, with the Columns of
	// Lattice; it is needed for l above 1 and for t if values may be withheld.
	Joint    *risk.Classes
	Tries    int // the most combinations of steps to complete by withholding
	Solve    func(context.Context, *risk.GroupProgram) (*risk.GroupSolution, error)
	Progress func(done, total int)
}

// open is a combination of steps that may still be better than the best one found.
type open struct {
	levels       []int
	base         float64   // the loss by its steps alone
	per          []float64 // by quasi-identifier: the least that withholding a value adds to the loss
	bound, guess float64
}

// maxOpen bounds the combinations of steps that are examined one by one.
const maxOpen = 1 << 16

// Search looks for the release of least loss. All minimal recodings are found exactly (risk.Lattice.Search); then
// combinations of steps that by themselves lose less are completed by withholding values, the most promising first, and
// each gives a lower bound. It returns nil if even the coarsest steps miss the goal and no withholding was found. Cost:
// a pass over the classes for each combination that loses less than the best, and Tries times the cost of
// risk.Classes.Withhold. If ctx ends, the error wraps its error.
func (t *Task) Search(ctx context.Context) (*Found, error) {
	r, err := t.Lattice.Search(ctx, t.Goal, t.Progress)
	if err != nil {
		return nil, err
	}
	best := &Found{Loss: math.Inf(1), Nodes: r.Nodes}
	if len(r.Minimal) > 0 {
		best.Recoded, best.Loss = r.Minimal[0], r.Minimal[0].Loss
	}
	floor := math.Inf(1) // the lower bound for local recodings
	if t.Goal.Local {
		x, err := Locally(ctx, t.Lattice, t.Levels, r.Minimal, t.Goal)
		if err != nil {
			return nil, err
		}
		if x != nil && x.Loss < best.Loss {
			best.Recoded, best.Loss = x, x.Loss
		}
		if floor, err = t.floor(); err != nil {
			return nil, err
		}
	}
	best.Bound = min(best.Loss, floor)
	if !t.Values {
		if best.Recoded == nil {
			return nil, nil
		}
		return best, nil
	}
	list, least, err := t.open(ctx, best.Loss)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, func(a, b *open) int { return cmp.Compare(a.guess, b.guess) })
	for _, o := range list {
		if best.Tried >= t.Tries {
			least = min(least, o.bound)
			continue
		}
		if o.bound >= best.Loss {
			continue
		}
		best.Tried++
		bound, err := t.complete(ctx, o, best)
		if err != nil {
			return nil, err
		}
		least = min(least, bound)
		if t.Progress != nil {
			t.Progress(best.Tried, min(t.Tries, len(list)))
		}
	}
	if best.Recoded == nil {
		return nil, nil
	}
	best.Bound = min(best.Loss, least, floor)
	return best, nil
}

// localised is how many minimal recodings are tried as the start of a local one.
const localised = 20

// Locally returns the local recoding of least loss among those that start from one of the first minimal recodings or
// from the coarsest steps; nil if none reaches the goal, which must be local. levels has the number of levels by
// quasi-identifier.
func Locally(ctx context.Context, l *risk.Lattice, levels []int, minimal []*risk.Generalisation, goal risk.Goal) (best *risk.Generalisation, err error) {
	coarsest := sets.Each(levels, func(n int) int { return n - 1 })
	begin := [][]int{}
	for _, x := range minimal[:min(len(minimal), localised)] {
		begin = append(begin, x.Levels)
	}
	for _, from := range append(begin, coarsest) {
		x, err := l.At(ctx, from, goal)
		if err != nil {
			return nil, err
		}
		if x.Met && (best == nil || x.Loss < best.Loss) {
			best = x
		}
	}
	return best, nil
}

// floor returns a lower bound on the loss of any recoding of single records: a record with too few like it must lose a
// value, which then stands for at least one other.
func (t *Task) floor() (float64, error) {
	c, err := t.Lattice.Recoded(make([]int, len(t.Levels)), nil)
	if err != nil {
		return 0, err
	}
	all, short := 0.0, 0.0
	for g := range c.Len() {
		n := c.Size(g)
		all += float64(n)
		if n < max(t.Goal.K, t.Goal.L) {
			short += float64(n)
		}
	}
	columns, most := 0.0, 0
	for k := range t.Levels {
		if n := t.Lattice.Values(k)[0]; n > 1 {
			columns, most = columns+1, max(most, n-1)
		}
	}
	if short == 0 || most == 0 {
		return 0, nil
	}
	return short / all / columns / float64(most), nil
}

// open returns the combinations of steps whose bound is below a loss; least is the lowest bound of those not examined.
func (t *Task) open(ctx context.Context, below float64) (list []*open, least float64, err error) {
	alone, per := make([][]float64, len(t.Levels)), make([][]float64, len(t.Levels)) // the loss of each level by itself, and of a value withheld in it
	levels := make([]int, len(t.Levels))
	for k, n := range t.Levels {
		for levels[k] = range n {
			loss, adds, err := t.Lattice.LossOf(levels, nil) // this column's alone, as unchanged values lose nothing
			if err != nil {
				return nil, 0, err
			}
			alone[k], per[k] = append(alone[k], loss), append(per[k], adds[k])
		}
		levels[k] = 0
	}
	least = math.Inf(1)
	var walk func(k int, base float64)
	walk = func(k int, base float64) {
		switch {
		case base >= below:
		case k < len(levels):
			for levels[k] = range t.Levels[k] {
				walk(k+1, base+alone[k][levels[k]])
			}
			levels[k] = 0
		default:
			list = append(list, &open{levels: slices.Clone(levels), base: base})
		}
	}
	walk(0, 0)
	if len(list) > maxOpen { // those that lose least by their steps must withhold most
		slices.SortStableFunc(list, func(a, b *open) int { return cmp.Compare(b.base, a.base) })
		least = list[len(list)-1].base
		list = list[:maxOpen]
	}
	for n, o := range list {
		if err := ctx.Err(); err != nil {
			return nil, 0, parallel.Ended(ctx, err)
		}
		for k, level := range o.levels {
			o.per = append(o.per, per[k][level])
		}
		if err := t.rate(o); err != nil {
			return nil, 0, err
		}
		if t.Progress != nil {
			t.Progress(n, len(list))
		}
	}
	list = slices.DeleteFunc(list, func(o *open) bool { return o.bound >= below })
	return list, least, nil
}

// rate bounds the loss of a combination from below: each record of a class below k has to lose a value.
func (t *Task) rate(o *open) error {
	c, err := t.Lattice.Recoded(o.levels, nil)
	if err != nil {
		return err
	}
	short := uint64(0)
	for g := range c.Len() {
		if n := c.Size(g); n < max(t.Goal.K, t.Goal.L) {
			short += n
		}
	}
	sum, n := 0.0, 0.0
	for _, x := range o.per {
		if x > 0 {
			sum += x
			n++
		}
	}
	o.bound = o.base + float64(float64(short)*cheapest(o.per))
	o.guess = o.base + float64(1.5*float64(short)*sum/max(n, 1))
	return nil
}

// cheapest returns the least that withholding a value adds, over columns that still tell something.
func cheapest(per []float64) float64 {
	least := math.Inf(1)
	for _, x := range per {
		if x > 0 {
			least = min(least, x)
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return least
}

// complete withholds values after a combination of steps.
func (t *Task) complete(ctx context.Context, o *open, best *Found) (bound float64, err error) {
	c, err := t.Lattice.Recoded(o.levels, t.Joint)
	if err != nil {
		return 0, err
	}
	// A value costs the least that it adds to the loss, in hundredths of the cheapest, rounded down; one that tells
	// nothing any more is not withheld.
	unit := cheapest(o.per) / 100
	p := risk.Withholding{Goal: t.Goal, Columns: len(o.per), Costs: make([]uint64, len(o.per)), Kept: make([]bool, len(o.per)), Solve: t.Solve, Nodes: searched}
	if p.Left = nil; t.Joint == nil { // no sensitive column has to be considered
		p.L, p.E, p.T, p.Distances = 0, 0, nil, nil
	}
	for k, x := range o.per {
		if p.Kept[k] = x <= 0; !p.Kept[k] {
			p.Costs[k] = uint64(min(x/unit, 1e9))
		}
	}
	r, err := c.Withhold(ctx, Missing, p)
	if errors.Is(err, risk.ErrUnreachable) {
		return math.Inf(1), nil
	}
	if err != nil {
		return 0, err
	}
	loss, _, err := t.Lattice.LossOf(o.levels, r)
	if err != nil {
		return 0, err
	}
	if loss < best.Loss {
		if best.Recoded, err = t.Lattice.At(ctx, o.levels, risk.Goal{K: 1, Distances: t.Goal.Distances}); err != nil {
			return 0, err
		}
		best.Withheld, best.Loss = r, loss
	}
	return max(o.bound, o.base+float64(float64(r.Bound)*unit)), nil
}

// searched is the most nodes of the search for values to withhold in small files, for each combination of steps.
const searched = 20_000
