package cellkey

import (
	"context"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
)

// AttackOptions limit an attack; zero fields take the defaults.
type AttackOptions struct {
	// Grid is the number of cells up to which those without records are included: the intruder cannot tell them from a
	// published 0; 0: 20000.
	Grid int
	// Cells is the number of cells whose interval and standard error are computed, fewest records first; 0: 2000, fewer
	// in large tables.
	Cells  int
	Tables int // limit on enumerated tables of counts; 0: 100000
}

func (o *AttackOptions) own() AttackOptions {
	x := AttackOptions{Grid: 20000, Tables: 100000}
	if o == nil {
		return x
	}
	for _, f := range []struct{ to, from *int }{{&x.Grid, &o.Grid}, {&x.Cells, &o.Cells}, {&x.Tables, &o.Tables}} {
		if *f.from > 0 {
			*f.to = *f.from
		}
	}
	return x
}

// An Attack is what an intruder infers from published counts who knows the perturbation table but not the keys.
type Attack struct {
	Cells []Attacked // cells with records that were examined, in table order
	Grid  bool       // cells without records were included as possible; otherwise they count as known

	// Averaging is the best linear unbiased estimate of every count: of all sums and differences of published numbers
	// whose expectation is the count, the one with the least variance (Gauss and Markov).
	Averaging struct {
		Before, Mean, Least float64 // standard errors: of published numbers, and RMS and least of the estimates
		Looked              int
		Right, Already      int // cells whose estimate, and whose published number, rounds to the true count
		Small, SmallRight   int // cells of 1 or 2 records, and how many of their estimates round to it
	}
	// Constraints is what the relations, counts ≥ 0 and the outcomes of the perturbation table leave possible.
	Constraints struct {
		Complete         bool // all cells were examined
		Looked           int
		Disclosed, Small int     // cells with one possible number left, and how many of these have 1 or 2 records
		Before, Width    float64 // mean width left by the published number alone, and with the relations
	}
	// Differences are between a margin and one cell below it, which an intruder may subtract.
	Differences struct {
		Pairs  int // pairs with one record between them
		Differ int // published as different numbers: this reveals a record, as equal sets of records get equal noise
		// Certain are those for which the probability of a difference of 1 exceeds 95 %, with a uniform prior on counts
		// and differences.
		Certain int
		Chance  float64
		Equal   int // pairs with the same records, which are published alike
	}
	// Keys is what sums of keys reveal. The key of a margin is the fractional part of the sum of the keys of its parts,
	// and for each true count the noise reveals in which part of the unit interval a key lies: counts whose parts
	// cannot add up are excluded.
	Keys struct {
		Relations int // relations examined: those of few parts with few possible counts
		Looked    int // cells examined
		// Without and With are the mean number of possible counts of a cell examined, using relations one by one
		// without keys and with them.
		Without, With float64
		// Disclosed and Small count cells with one possible count left although their interval has more; Small have 1
		// or 2 records.
		Disclosed, Small int
	}
	Posterior *Posterior // probabilities, for tables with few possibilities
}

// Disclosed reports whether some cell with records is known exactly.
func (a *Attack) Disclosed() bool { return a.Constraints.Disclosed > 0 || a.Keys.Disclosed > 0 }

// An Attacked is a cell examined by an attack.
type Attacked struct {
	Index    int // index in Counts.Cells
	Lo, Hi   int64
	Known    bool // Lo and Hi were computed
	Estimate float64
	Error    float64 // standard error of Estimate; < 0 if not computed
	Left     int     // number of true counts that sums of keys leave possible, 0 if not examined
}

// Attack attacks the published counts, which must have the noise of p and not be made additive. Intervals are exact:
// every true count lies in its own, and the ends are those over all real tables consistent with the relations and with
// what each published number leaves possible by itself, rounded inwards. Averages and differences are in floating
// point.
//
// Cost: for each cell examined, two linear programs (in tables of up to 50,000 cells) and one system of equations.
func (c *Counts) Attack(ctx context.Context, p *Table, opt *AttackOptions) (*Attack, error) {
	o := opt.own()
	a := &Attack{}
	w, err := c.world(p, o.Grid)
	if err != nil {
		return nil, err
	}
	a.Grid = w.grid
	if o.Cells == 0 {
		o.Cells = min(2000, max(100, work/w.t.Len()))
	}
	look := w.fewest(o.Cells)
	for _, n := range look {
		if n < len(c.Cells) {
			a.Cells = append(a.Cells, Attacked{Index: n, Error: -1})
		}
	}
	if w.t.Len() <= largest {
		if err := a.constrain(ctx, c, w, look); err != nil {
			return nil, err
		}
	}
	if err := a.average(ctx, c, w); err != nil {
		return nil, err
	}
	a.differ(c, p)
	if w.t.Len() <= largest && !c.Mixed {
		if err := a.keys(ctx, c, w); err != nil {
			return nil, err
		}
	}
	if a.Posterior, err = c.posterior(ctx, w, o.Tables); err != nil {
		return nil, err
	}
	return a, nil
}

const (
	work    = 6_000_000 // number of cells examined times cells
	largest = 50_000    // largest number of cells for which intervals are computed
)

// A world is the table of true counts as the intruder sees it: first the cells of c, then cells without records.
type world struct {
	p         *Table
	t         *table.Table
	counts    []Cell
	grid      bool
	published []int64
	lo, hi    []int64 // range left by each published number
}

// world builds the world.
func (c *Counts) world(p *Table, most int) (*world, error) {
	w := &world{p: p, counts: slices.Clone(c.Cells)}
	size := 1
	for d := range c.Dims {
		size = min(size*len(c.Dims[d].Codes), most+1)
	}
	if w.grid = size <= most; w.grid {
		there := c.index()
		at := make([]int32, len(c.Dims))
		for {
			if _, ok := there[string(key(at))]; !ok {
				w.counts = append(w.counts, Cell{At: slices.Clone(at)})
			}
			d := len(at) - 1
			for ; d >= 0; d-- {
				if at[d]++; int(at[d]) < len(c.Dims[d].Codes) {
					break
				}
				at[d] = 0
			}
			if d < 0 {
				break
			}
		}
	}
	records := make([]table.Record, len(w.counts))
	for n := range records {
		x := &w.counts[n]
		lo, hi, ok := p.Preimage(x.Published)
		if !ok || x.N < lo || x.N > hi {
			return nil, i18n.Errorf("cell %d is published as %d, which the perturbation table does not make of %d", n+1, x.Published, x.N)
		}
		w.lo, w.hi, w.published = append(w.lo, lo), append(w.hi, hi), append(w.published, x.Published)
		codes := sets.List(len(c.Dims), func(d int) string { return c.Dims[d].Codes[x.At[d]] })
		records[n] = table.Record{Codes: codes, Value: table.Num(x.N, 0), Lower: table.Num(lo, 0), Upper: table.Num(hi, 0)}
	}
	var err error
	if w.t, err = table.Build(c.Name, c.Dims, records, false); err != nil {
		return nil, err
	}
	if w.t.Len() != len(w.counts) {
		return nil, i18n.Errorf("%d cells of %d are margins that are not there", w.t.Len()-len(w.counts), w.t.Len())
	}
	return w, nil
}

// fewest returns the cells with records to examine, in order: those with the fewest records, if not all are.
func (w *world) fewest(most int) []int {
	var all []int
	for n := range w.counts {
		if w.counts[n].N > 0 {
			all = append(all, n)
		}
	}
	if len(all) > most {
		slices.SortStableFunc(all, func(a, b int) int { return int(min(max(w.counts[a].N-w.counts[b].N, -1), 1)) })
		all = all[:most]
		slices.Sort(all)
	}
	return all
}

// constrain computes the intervals.
func (a *Attack) constrain(ctx context.Context, c *Counts, w *world, look []int) error {
	all := slices.Repeat([]bool{true}, w.t.Len())
	r, err := interval.Audit(ctx, w.t, all, &interval.Options{Cells: look})
	if err != nil {
		return err
	}
	k := &a.Constraints
	k.Looked, k.Complete = len(look), len(look) == len(c.Cells)
	for n := range a.Cells {
		x := &a.Cells[n]
		x.Lo, x.Hi, x.Known = w.lo[x.Index], w.hi[x.Index], true
		if cell := &r.Cells[n]; !cell.Inexact {
			if lo := ceil(cell.Lo); lo != nil {
				x.Lo = max(x.Lo, lo.Int64())
			}
			if hi := floor(cell.Hi); hi != nil {
				x.Hi = min(x.Hi, hi.Int64())
			}
		}
		k.Before += float64(w.hi[x.Index] - w.lo[x.Index])
		k.Width += float64(x.Hi - x.Lo)
		if x.Lo == x.Hi {
			k.Disclosed++
			if c.Cells[x.Index].N <= small {
				k.Small++
			}
		}
	}
	if n := float64(len(a.Cells)); n > 0 {
		k.Before /= n
		k.Width /= n
	}
	return nil
}

// small is the largest count of a small cell.
const small = 2

func floor(r *big.Rat) *big.Int {
	if r == nil {
		return nil
	}
	return new(big.Int).Div(r.Num(), r.Denom()) // Euclidean, as the denominator is positive
}

func ceil(r *big.Rat) *big.Int {
	if r == nil {
		return nil
	}
	q := floor(new(big.Rat).Neg(r))
	return q.Neg(q)
}
