package bench

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/defence"
	"github.com/hitoku/hitoku/table"
)

// An ExperimentResult is what an experiment gave. The keys of its JSON document and
// their order are a contract. Times are in seconds; numbers that there are not are
// null.
type ExperimentResult struct {
	Settings ExperimentSettings `json:"settings"`
	// Complete is false where an interrupt left tables out.
	Complete bool      `json:"complete"`
	Series   []*Series `json:"series"`

	cells []cellLine
}

// ExperimentSettings say what was run.
type ExperimentSettings struct {
	Shapes     []string `json:"shapes"`
	Tables     int      `json:"tables"` // of each shape
	Seed       uint64   `json:"seed"`
	Convention string   `json:"convention"`
	Words      string   `json:"words"` // the convention in words
	Mean       float64  `json:"mean"`
	SD         float64  `json:"sd"`
	Below      int64    `json:"below"`
	Width      int64    `json:"width"`
	Empty      string   `json:"empty"` // tables without sensitive cells: "redraw" or "keep"
	LP         string   `json:"lp"`
	TimeLimit  float64  `json:"time_limit"` // seconds, of the office's search and of each attack; 0: none
	Version    string   `json:"version"`
	Machine    string   `json:"machine"`
}

// A Series is one kind of attack on tables published at one kind of cost.
type Series struct {
	Defence Defence `json:"defence"`
	// Cost is that of the cheapest patterns, empty with a defence.
	Cost  string  `json:"cost"`
	Match string  `json:"match"`
	Sizes []*Size `json:"sizes"`
	// Dimensions sums the sizes up by the dimension of the null space.
	Dimensions []*Dimension `json:"dimensions"`
}

// A Size sums up the tables of one shape.
type Size struct {
	Shape string `json:"shape"`
	Cells int    `json:"cells"` // that are no margins

	Tables     int `json:"tables"`     // attacked, or without sensitive cells
	Stopped    int `json:"stopped"`    // of those, with an attack stopped by a limit
	Unsolved   int `json:"unsolved"`   // not among Tables: a limit stopped the office
	Redrawn    int `json:"redrawn"`    // drawn again: without sensitive cells
	Refused    int `json:"refused"`    // not among Tables: the defence cannot protect them
	Impossible int `json:"impossible"` // drawn again: no pattern protects them

	Primary  int `json:"primary"`  // sensitive cells
	Withheld int `json:"withheld"` // withheld cells, sensitive ones included
	// Cheapest is how many a cheapest pattern (by the first cost) withholds of the
	// same tables; null if that is not known of all.
	Cheapest *int `json:"cheapest"`
	Rerun    int  `json:"rerun"` // tables on which the defence was run again, all of which could lead to the pattern
	Verdicts
	// Clusters: cells of one table are not independent.
	ShareError   *float64 `json:"share_error"` // standard error of Share
	PrimaryMean  float64  `json:"primary_mean"`
	PrimaryError *float64 `json:"primary_error"` // standard error of PrimaryMean

	Dimensions []*Dimension `json:"dimensions"`
	// Widths counts unsafe cells by width of the effective interval, 0 … Width−1;
	// Unsettled those whose attack was stopped before the interval was known.
	Widths    []int `json:"widths"`
	Unsettled int   `json:"unsettled"`
	// Feasible and Effective count sensitive cells by width of the interval, where it is known.
	Feasible  []int `json:"feasible"`
	Effective []int `json:"effective"`

	Candidates Candidates `json:"candidates"`
	Seconds    Seconds    `json:"seconds"`
	Rate       Rate       `json:"rate"`
	Source     *Printed   `json:"source"` // null where the settings are not those of the source
}

// Verdicts are what became of some sensitive cells.
type Verdicts struct {
	Unsafe  int      `json:"unsafe"`
	Unknown int      `json:"unknown"` // a limit stopped the attack before it was settled
	Share   *float64 `json:"share"`   // Unsafe/Primary
	// ShareMost is the share if all unknown cells are unsafe.
	ShareMost *float64 `json:"share_most"`
}

// A Dimension sums up the tables whose null space has that dimension.
type Dimension struct {
	Dimension int `json:"dimension"`
	Tables    int `json:"tables"`
	Primary   int `json:"primary"`
	Verdicts
	Printed *float64 `json:"printed"` // share in the source
}

// Candidates are numbers of tables that agree with what was published.
type Candidates struct {
	Median Number `json:"median"` // the smaller of the middle two; null: too many to count
	Max    Number `json:"max"`
	// Counted tables are those of which every candidate was decided; the shares are
	// over them, of candidates that match.
	Counted     int      `json:"counted"`
	MedianShare *float64 `json:"median_share"`
	Share       *float64 `json:"share"` // of all candidates of all tables
}

// Seconds are times of the office's searches and of the attacks.
type Seconds struct {
	Office float64 `json:"office"` // sum over the tables
	Attack float64 `json:"attack"` // sum over the tables
	Median float64 `json:"median"` // of an attack
	Max    float64 `json:"max"`
}

// A Rate is candidates decided a second, over the tables of which all were.
type Rate struct {
	Median *float64 `json:"median"`
	Mean   *float64 `json:"mean"` // all candidates / all seconds
}

// Printed sets the printed figures beside ours. Differences are ours less theirs in
// standard errors of the difference: those of the source are taken from our tables,
// as it prints none.
type Printed struct {
	Tables            int      `json:"tables"`
	Primary           int      `json:"primary"`
	Unsafe            int      `json:"unsafe"`
	Share             float64  `json:"share"`
	Difference        *float64 `json:"difference"`
	DifferenceMost    *float64 `json:"difference_most"`    // if all unknown cells are unsafe
	PrimaryDifference *float64 `json:"primary_difference"` // of primary cells a table
	Widths            []int    `json:"widths"`
}

// tally sums the trials up; nil ones were not done.
func (e *Experiment) tally(trials []*trial, complete bool) *ExperimentResult {
	r := &ExperimentResult{Settings: e.settings(), Complete: complete}
	for _, of := range e.series() {
		s := &Series{Defence: of.Defence, Cost: of.Cost, Match: of.Match, Sizes: []*Size{}}
		all := map[int]*Dimension{}
		for k, shape := range e.Shapes {
			t := newSizeTally(e, shape, s)
			for _, one := range trials[k*e.Tables : (k+1)*e.Tables] {
				if one != nil {
					t.add(one, s, e.Costs[0])
				}
			}
			s.Sizes = append(s.Sizes, t.finish())
			for _, d := range t.Size.Dimensions {
				at(all, d.Dimension).merge(d)
			}
		}
		s.Dimensions = sorted(all)
		if s.fromSource() {
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

// series lists what there is to sum up: cheapest patterns by cost and match, then
// the other defences.
func (e *Experiment) series() (list []Series) {
	for _, kind := range e.Defences {
		if kind != NoDefence {
			list = append(list, Series{Defence: kind, Match: matchPublic})
			continue
		}
		for _, cost := range e.Costs {
			for _, match := range e.Matches {
				list = append(list, Series{Defence: kind, Cost: cost, Match: match.String()})
			}
		}
	}
	return list
}

func (e *Experiment) settings() ExperimentSettings {
	s := ExperimentSettings{
		Tables: e.Tables, Seed: e.Seed, Convention: e.Convention.String(), Words: e.Convention.Words(e.Mean, e.SD, e.Below),
		Mean: e.Mean, SD: e.SD, Below: e.Below, Width: e.Width, Empty: "redraw",
		LP: e.LP, TimeLimit: e.TimeLimit.Seconds(), Version: e.Version, Machine: machineName(),
	}
	if e.KeepEmpty {
		s.Empty = "keep"
	}
	if s.LP == "" {
		s.LP = "simplex"
	}
	for _, shape := range e.Shapes {
		s.Shapes = append(s.Shapes, shapeString(shape))
	}
	return s
}

// fromSource reports whether the sizes are those of the source, all of them and no others.
func (s *Series) fromSource() bool {
	return len(s.Sizes) == len(printed) && !slices.ContainsFunc(s.Sizes, func(z *Size) bool { return z.Source == nil })
}

// at returns the entry of a dimension, a new one if need be.
func at(m map[int]*Dimension, d int) *Dimension {
	if m[d] == nil {
		m[d] = &Dimension{Dimension: d}
	}
	return m[d]
}

func (d *Dimension) merge(o *Dimension) {
	d.Tables += o.Tables
	d.Primary += o.Primary
	d.Unsafe += o.Unsafe
	d.Unknown += o.Unknown
}

// sorted returns the entries by dimension, their shares set.
func sorted(m map[int]*Dimension) []*Dimension {
	list := []*Dimension{}
	for _, d := range m {
		d.shares(d.Primary)
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b *Dimension) int { return a.Dimension - b.Dimension })
	return list
}

// shares sets the shares of c among primary cells.
func (c *Verdicts) shares(primary int) {
	if primary > 0 {
		c.Share = new(float64(c.Unsafe) / float64(primary))
		c.ShareMost = new(float64(c.Unsafe+c.Unknown) / float64(primary))
	}
}

// printDimensions notes the printed shares.
func printDimensions(list []*Dimension, share [4]float64) {
	for _, d := range list {
		if k := d.Dimension - 1; k >= 0 && k < len(share) && share[k] >= 0 {
			d.Printed = new(share[k])
		}
	}
}

// sizeTally gathers the tables of one Size.
type sizeTally struct {
	*Size
	row        *printedRow
	cheapest   *int
	width      int64
	dimensions map[int]*Dimension
	candidates []*big.Int // nil: too many to count
	shares     []float64
	matching   big.Int // over the counted tables
	decided    big.Int
	seconds    []float64
	rates      []float64
	counted    float64   // seconds of the counted tables
	unsafe     []float64 // of each table
	primary    []float64
}

func newSizeTally(e *Experiment, shape []Branching, s *Series) *sizeTally {
	name := shapeString(shape)
	return &sizeTally{
		Size:     &Size{Shape: name, Cells: leaves(shape), Widths: make([]int, e.Width), Feasible: []int{}, Effective: []int{}},
		cheapest: new(int), row: e.printedFor(name, s.Cost, s.Defended()), width: e.Width, dimensions: map[int]*Dimension{},
	}
}

// add counts one table.
func (t *sizeTally) add(one *trial, s *Series, firstCost string) {
	t.Redrawn += one.empty
	t.Impossible += one.unprotectable
	o := one.office(s.Defence, s.Cost)
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
	own := &Dimension{Dimension: a.Dim, Tables: 1}
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
	at(t.dimensions, a.Dim).merge(own)
}

// addCell counts one sensitive cell.
func (t *sizeTally) addCell(c *attack.Cell, own *Dimension) {
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

// maxWidth is the widest interval that a histogram tells from wider ones.
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
func (t *sizeTally) finish() *Size {
	z := t.Size
	z.shares(z.Primary)
	z.Cheapest = t.cheapest
	z.ShareError = ratioError(t.unsafe, t.primary)
	z.PrimaryMean = mean(t.primary)
	z.PrimaryError = meanError(t.primary)
	z.Dimensions = sorted(t.dimensions)
	z.Candidates = t.sumCandidates()
	for _, s := range t.seconds {
		z.Seconds.Attack += s
	}
	if len(t.seconds) > 0 {
		z.Seconds.Median, z.Seconds.Max = median(t.seconds), slices.Max(t.seconds)
	}
	if len(t.rates) > 0 {
		n, _ := new(big.Float).SetInt(&t.decided).Float64()
		z.Rate = Rate{new(median(t.rates)), new(n / t.counted)}
	}
	if t.row != nil {
		printDimensions(z.Dimensions, t.row.dimensions)
		z.Source = t.compare()
	}
	return z
}

// sumCandidates sums up the numbers of candidates.
func (t *sizeTally) sumCandidates() Candidates {
	c := Candidates{Counted: len(t.shares)}
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

// digits writes a number out, nothing for nil.
func digits(n *big.Int) Number {
	if n == nil {
		return ""
	}
	return Number(n.String())
}

// compare sets the printed figures beside those of t.
func (t *sizeTally) compare() *Printed {
	p := t.row
	s := &Printed{Tables: printedTables, Primary: p.primary, Unsafe: p.unsafe, Share: float64(p.unsafe) / float64(p.primary), Widths: p.widths[:]}
	// The variance of n tables is taken to be V/n with the same V in the source.
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

// office returns the publication with a defence or at a cost.
func (r *trial) office(kind Defence, cost string) *office {
	return &r.offices[slices.IndexFunc(r.offices, func(o office) bool { return o.defence == kind && o.cost == cost })]
}

// withheld counts the withheld cells.
func (o *office) withheld() (n int) {
	for _, w := range o.pattern {
		if w {
			n++
		}
	}
	return n
}

// by returns the attack of one kind, nil if there was none.
func (o *office) by(match string) *attack.Result {
	for k := range o.attacked {
		if o.attacked[k].match == match {
			return o.attacked[k].result
		}
	}
	return nil
}

// Title names the series in words.
func (s *Series) Title() string {
	if s.Defended() {
		return fmt.Sprintf("defence %s, procedure and public data known", s.Defence)
	}
	return fmt.Sprintf("cheapest patterns by %s, match %s", s.Cost, s.Match)
}

// Defended reports whether patterns are not the cheapest.
func (s *Series) Defended() bool { return s.Defence != NoDefence && s.Defence != "" }

// Caveat says what the intruder of a defended series is supposed not to know; it is
// empty where that is nothing.
func (s *Series) Caveat(below int64) string {
	if !s.Defended() || s.Defence == Defence(defence.Quantised) || s.Defence == RandomQuantised {
		return ""
	}
	return fmt.Sprintf("Which cells are sensitive is public here, so an intruder who knows the rule as well knows that each is below %d, whatever the pattern.", below)
}

// Grouped sums up the dimensions from top on as one.
func Grouped(list []*Dimension, top int) []*Dimension {
	all := map[int]*Dimension{}
	for _, d := range list {
		at(all, min(d.Dimension, top)).merge(d)
	}
	short := sorted(all)
	for _, d := range short {
		for _, o := range list {
			if o.Dimension == d.Dimension && d.Dimension < top {
				d.Printed = o.Printed
			}
		}
	}
	return short
}

// Settled reports whether no cell of the series is unsafe or unknown.
func (s *Series) Settled() bool {
	return !slices.ContainsFunc(s.Sizes, func(z *Size) bool { return z.Unsafe+z.Unknown > 0 })
}

// Printed reports whether printed figures stand beside those of a size.
func (s *Series) Printed() bool {
	return slices.ContainsFunc(s.Sizes, func(z *Size) bool { return z.Source != nil })
}

// Notes says in words what became of tables that were drawn again, left out or not
// attacked to the end, and of unsafe cells for lack of that.
func (z *Size) Notes() (notes []string) {
	for _, c := range []struct {
		n    int
		what string
	}{
		{z.Redrawn, "drawn again for want of a sensitive cell"},
		{z.Impossible, "drawn again since no pattern protects them"},
		{z.Unsolved, "left out since a limit stopped the office"},
		{z.Refused, "left out since the defence cannot protect them"},
		{z.Stopped, "attacked until a limit stopped it"},
		{z.Unsettled, "unsafe cells of unknown effective width"},
	} {
		if c.n > 0 {
			notes = append(notes, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	return notes
}
