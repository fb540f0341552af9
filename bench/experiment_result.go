package bench

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// An ExperimentResult is the outcome of an experiment: each of Series is one kind of attack on tables published at one
// kind of cost, with a Title; its Sizes are the tables of one shape each, with Notes.
type ExperimentResult struct {
	document.Experiment

	cells [][]string
}

// tally sums up the trials; nil ones were not done.
func (e *Experiment) tally(trials []*trial, complete bool) *ExperimentResult {
	r := &ExperimentResult{Experiment: document.Experiment{Settings: e.settings(), Complete: complete}}
	for _, s := range e.series() {
		s.Sizes = []*document.ExperimentSize{}
		all := document.ExperimentDimensions{}
		for k, shape := range e.Shapes {
			t := newSizeTally(e, shape, s)
			for _, one := range trials[k*e.Tables : (k+1)*e.Tables] {
				if one != nil {
					t.add(one, s, e.Costs[0])
				}
			}
			s.Sizes = append(s.Sizes, t.finish())
			for _, d := range t.Dimensions {
				all.At(d.Dimension).Merge(d)
			}
		}
		s.Dimensions = all.Sorted()
		if fromSource(s) {
			printDimensions(s.Dimensions, printedTotal)
		}
		r.Series = append(r.Series, s)
	}
	for _, one := range trials {
		if one != nil {
			r.cells = append(r.cells, one.lines()...)
		}
	}
	return r
}

// series lists the series to sum up: cheapest patterns by cost and match, then the defences.
func (e *Experiment) series() (list []*document.ExperimentSeries) {
	for _, kind := range e.Defences {
		if kind != NoDefence {
			list = append(list, series(kind, "", matchPublic))
			continue
		}
		for _, cost := range e.Costs {
			for _, match := range e.Matches {
				list = append(list, series(kind, cost, match.String()))
			}
		}
	}
	return list
}

func series(kind Defence, cost, match string) *document.ExperimentSeries {
	return &document.ExperimentSeries{Defence: string(kind), Cost: cost, Match: match}
}

func (e *Experiment) settings() document.ExperimentSettings {
	s := document.ExperimentSettings{
		Tables: e.Tables, Seed: e.Seed, Convention: e.Convention.String(), Words: e.Convention.words(e.Mean, e.SD, e.Below),
		Mean: e.Mean, SD: e.SD, Below: e.Below, Width: e.Width, Empty: "redraw",
		LP: e.LP, TimeLimit: e.TimeLimit.Seconds(), Version: e.Version, Machine: machineName(),
	}
	if e.KeepEmpty {
		s.Empty = "keep"
	}
	s.LP = cmp.Or(s.LP, "simplex")
	for _, shape := range e.Shapes {
		s.Shapes = append(s.Shapes, shapeString(shape))
	}
	return s
}

// fromSource reports whether the sizes are exactly those of the source.
func fromSource(s *document.ExperimentSeries) bool {
	return len(s.Sizes) == len(printed) && !slices.ContainsFunc(s.Sizes, func(z *document.ExperimentSize) bool { return z.Source == nil })
}

// printDimensions adds the printed shares.
func printDimensions(list []*document.ExperimentDimension, share [4]float64) {
	for _, d := range list {
		if k := d.Dimension - 1; k >= 0 && k < len(share) && share[k] >= 0 {
			d.Printed = new(share[k])
		}
	}
}

// A sizeTally collects the results for the tables of one shape.
type sizeTally struct {
	*document.ExperimentSize
	row        *printedRow
	cheapest   *int
	width      int64
	dimensions document.ExperimentDimensions
	candidates []*big.Int // nil: too many to count
	shares     []float64
	matching   big.Int // over the counted tables
	decided    big.Int
	seconds    []float64
	rates      []float64
	counted    float64   // total seconds of the counted tables
	unsafe     []float64 // by table
	primary    []float64
}

func newSizeTally(e *Experiment, shape []Branching, s *document.ExperimentSeries) *sizeTally {
	name := shapeString(shape)
	return &sizeTally{
		ExperimentSize: &document.ExperimentSize{Shape: name, Cells: leaves(shape), Widths: make([]int, e.Width), Feasible: []int{}, Effective: []int{}},
		cheapest:       new(int), row: e.printedFor(name, s.Cost, s.Defended()), width: e.Width, dimensions: document.ExperimentDimensions{},
	}
}

// add counts one table.
func (t *sizeTally) add(one *trial, s *document.ExperimentSeries, firstCost string) {
	t.Redrawn += one.empty
	t.Impossible += one.unprotectable
	o := one.office(Defence(s.Defence), s.Cost)
	switch {
	case o.stopped:
		t.Unsolved++
		return
	case o.refused:
		t.Refused++
		return
	}
	t.Tables++
	t.Seconds.Office += o.seconds
	t.Withheld += o.withheld()
	t.Rerun += o.rerun
	if first := one.office(NoDefence, firstCost); first.stopped {
		t.cheapest = nil
	} else if t.cheapest != nil {
		*t.cheapest += first.withheld()
	}
	a := o.by(s.Match)
	if a == nil { // no sensitive cell
		t.unsafe, t.primary = append(t.unsafe, 0), append(t.primary, 0)
		return
	}
	t.addWork(a)
	own := &document.ExperimentDimension{Dimension: a.Dim, Tables: 1}
	for k := range a.Cells {
		if c := &a.Cells[k]; o.table.Status[c.Index] == table.Sensitive {
			own.Primary++
			t.addCell(c, own)
		}
	}
	if !a.Complete {
		t.Stopped++
	}
	t.Primary += own.Primary
	t.Unsafe += own.Unsafe
	t.Unknown += own.Unknown
	t.unsafe, t.primary = append(t.unsafe, float64(own.Unsafe)), append(t.primary, float64(own.Primary))
	t.dimensions.At(a.Dim).Merge(own)
}

// addCell counts one sensitive cell.
func (t *sizeTally) addCell(c *attack.Cell, own *document.ExperimentDimension) {
	if f, ok := integral(c); ok {
		t.Feasible = tick(t.Feasible, f.Width())
	}
	settled := c.Inner == c.Outer
	if settled {
		t.Effective = tick(t.Effective, c.Outer.Width())
	}
	switch c.Verdict {
	case attack.Unknown:
		own.Unknown++
	case attack.Unsafe:
		own.Unsafe++
		if w := c.Outer.Width(); settled && w < t.width {
			t.Widths[w]++
		} else {
			t.Unsettled++
		}
	}
}

// maxWidth is the widest interval with a bar of its own in histograms.
const maxWidth = 1000

// tick counts a width.
func tick(h []int, width int64) []int {
	width = min(width, maxWidth)
	for int64(len(h)) <= width {
		h = append(h, 0)
	}
	h[width]++
	return h
}

// addWork counts the candidates and the time of an attack.
func (t *sizeTally) addWork(a *attack.Result) {
	t.candidates = append(t.candidates, a.Candidates)
	t.seconds = append(t.seconds, a.Seconds)
	if !a.Counted || a.Candidates == nil || a.Candidates.Sign() == 0 {
		return
	}
	n, _ := new(big.Float).SetInt(a.Candidates).Float64()
	share, _ := new(big.Rat).SetFrac(a.Matching, a.Candidates).Float64()
	t.shares = append(t.shares, share)
	t.matching.Add(&t.matching, a.Matching)
	t.decided.Add(&t.decided, a.Candidates)
	t.counted += a.Seconds
	if a.Seconds > 0 {
		t.rates = append(t.rates, n/a.Seconds)
	}
}

// finish computes what follows from the counts.
func (t *sizeTally) finish() *document.ExperimentSize {
	z := t.ExperimentSize
	z.SetShares(z.Primary)
	z.Cheapest = t.cheapest
	z.ShareError = ratioError(t.unsafe, t.primary)
	z.PrimaryMean = mean(t.primary)
	z.PrimaryError = meanError(t.primary)
	z.Dimensions = t.dimensions.Sorted()
	z.Candidates = t.sumCandidates()
	for _, s := range t.seconds {
		z.Seconds.Attack += s
	}
	if len(t.seconds) > 0 {
		z.Seconds.Median, z.Seconds.Max = median(t.seconds), slices.Max(t.seconds)
	}
	if len(t.rates) > 0 {
		n, _ := new(big.Float).SetInt(&t.decided).Float64()
		z.Rate = document.ExperimentRate{Median: new(median(t.rates)), Mean: new(n / t.counted)}
	}
	if t.row != nil {
		printDimensions(z.Dimensions, t.row.dimensions)
		z.Source = t.compare()
	}
	return z
}

// sumCandidates summarises the numbers of candidates.
func (t *sizeTally) sumCandidates() document.ExperimentCandidates {
	c := document.ExperimentCandidates{Counted: len(t.shares)}
	if len(t.candidates) > 0 {
		slices.SortFunc(t.candidates, compareCounts)
		c.Median, c.Max = digits(t.candidates[(len(t.candidates)-1)/2]), digits(t.candidates[len(t.candidates)-1])
	}
	if len(t.shares) > 0 {
		share, _ := new(big.Rat).SetFrac(&t.matching, &t.decided).Float64()
		c.MedianShare, c.Share = new(median(t.shares)), &share
	}
	return c
}

// compareCounts orders numbers, nil last.
func compareCounts(a, b *big.Int) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return a.Cmp(b)
}

// digits returns a number as text, empty for nil.
func digits(n *big.Int) document.Exact {
	if n == nil {
		return ""
	}
	return document.Exact(n.String())
}

// compare adds the printed figures next to those of t.
func (t *sizeTally) compare() *document.ExperimentPrinted {
	p := t.row
	s := &document.ExperimentPrinted{Tables: printedTables, Primary: p.primary, Unsafe: p.unsafe, Share: float64(p.unsafe) / float64(p.primary), Widths: p.widths[:]}
	// The variance over n tables is taken as V/n, with the same V for the source.
	both := math.Sqrt(1 + float64(t.Tables)/printedTables)
	if t.ShareError != nil && *t.ShareError > 0 {
		s.Difference = new((*t.Share - s.Share) / (*t.ShareError * both))
		s.DifferenceMost = new((*t.ShareMost - s.Share) / (*t.ShareError * both))
	}
	if t.PrimaryError != nil && *t.PrimaryError > 0 {
		s.PrimaryDifference = new((t.PrimaryMean - float64(p.primary)/printedTables) / (*t.PrimaryError * both))
	}
	return s
}

// office returns the publication with this defence, or at this cost.
func (r *trial) office(kind Defence, cost string) *office {
	return &r.offices[slices.IndexFunc(r.offices, func(o office) bool { return o.defence == kind && o.cost == cost })]
}

// withheld counts the withheld cells.
func (o *office) withheld() int { return sets.Times(o.pattern, true) }

// by returns the attack with this match, nil if there was none.
func (o *office) by(match string) *attack.Result {
	for k := range o.attacked {
		if o.attacked[k].match == match {
			return o.attacked[k].result
		}
	}
	return nil
}
