package defence

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"time"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// A Kind names a defence. docs/defence.md states what each guarantees.
type Kind string

const (
	// Simulatable takes as public the statuses of cells, and so which are sensitive, besides relations, margins, levels
	// and bounds.
	Simulatable Kind = "simulatable"
	// Quantised takes as public the classes of the values: [0, B), [B, B+C), [B+C, B+2C), … All cells of the first
	// class are withheld and protected.
	Quantised Kind = "quantised"
	// Random draws one of the patterns to which several orders of release lead.
	Random Kind = "random"
)

// Kinds returns the kinds of defence.
func Kinds() []Kind { return []Kind{Simulatable, Quantised, Random} }

// Options select a defence and its public parameters. The counts below are in units, not in multiples of 10^−Decimals.
type Options struct {
	Kind Kind
	// Over is the kind whose public data Random works with: Simulatable (the
	// default) or Quantised.
	Over Kind

	// Below is the threshold N of the minimum frequency rule, Width the width that it requires of each cell (in units
	// of 10^−Decimals, like Table.Width): Quantised protects all cells that the rule might have hit.
	Below, Width int64
	// Base is B, at least Below; 0 means max(Below, Width+2). Step is C; 0
	// means 2·Base.
	Base, Step int64

	// Weights, by cell, set which cells are released first, the largest weight first: values of an older table, which
	// must be public. nil: an order derived from what is public about this table.
	Weights []int64

	// Orders is the number m of orders that Random draws from; 0 means 16. The first is that of the other kinds, the
	// others are drawn from PublicSeed. Seed, 256 random bits that must stay secret, draws the pattern of each table
	// independently, with probabilities that differ between two tables consistent with the publication by a factor of
	// at most exp(Epsilon/2); 0 means 1.
	Orders     int
	Epsilon    float64
	PublicSeed uint64
	Seed       [32]byte

	LP      string // back end for linear programs; empty means "simplex"
	Workers int    // goroutines of Random; 0 means GOMAXPROCS
	// Progress, if set, is called with the number of cells (Random: orders) decided.
	Progress func(done, total int)
}

// A Solution is a pattern and how it was found.
type Solution struct {
	Kind    Kind
	Over    Kind   // whose public data were used; Kind itself except for Random
	Pattern []bool // by cell: withheld
	// Cost is that of the cells withheld that are neither sensitive nor withheld beforehand, in units of
	// 10^−CostDecimals, as in package solver.
	Cost int64
	// Protected is the number of cells whose width is guaranteed: the sensitive ones, or all that might be. Released is
	// the number of cells published that were open at the start.
	Protected, Released int
	Guarantee           fmt.Stringer
	Engine, LP          string
	// Tests is the number of flows or linear programs.
	Tests      int
	Seconds    float64
	Base, Step int64 // Quantised: as used
	// Random: the number of withheld cells to which each order leads, apart from those that are always withheld, and
	// the largest number possible (Delta). Costs depends on values, so it must not be published.
	Costs []int64
	Delta int64
	// Random: the pattern to which each order leads; it must not be published either.
	Patterns [][]bool
}

// An exposed says that a cell's interval is too narrow even when everything that may be withheld is. This follows from
// public data alone.
type exposed struct {
	cell   int      // index in the table
	lo, hi *big.Rat // its widest interval in units of 10^−Decimals; nil: infinite or unknown
}

func (e *exposed) Error() string { return fmt.Sprintf("cell %d cannot be protected", e.cell) }

// Suppress withholds from t the sensitive cells and others so that every sensitive cell has an interval of at least
// Width (wider, if t.Strict), even for an intruder who knows this procedure and everything in opt except Seed. Values
// of withheld cells have no influence on the choice; see the package comment. Distances from the true value, LPL and
// UPL, cannot be guaranteed that way and are an error. It does not modify t. A table that cannot be protected gives a
// *solver.UnprotectableError. If ctx ends, there is no solution, since one that depends on time would tell more than is
// promised; the error wraps ctx.Err().
func Suppress(ctx context.Context, t *table.Table, opt *Options) (*Solution, error) {
	start := time.Now()
	o, err := opt.complete(t)
	if err != nil {
		return nil, i18n.Errorf("table %s: %w", t.Name, err)
	}
	if _, err := t.TotalCost(); err != nil { // Solution.Cost is at most that
		return nil, i18n.Errorf("table %s: %w", t.Name, err)
	}
	p, err := o.public(t)
	if err != nil {
		return nil, i18n.Errorf("table %s: %w", t.Name, err)
	}
	s := &Solution{Kind: o.Kind, Over: o.Over, LP: o.LP, Base: o.Base, Step: o.Step}
	value := func(i int) int64 { return t.Value[i] }
	if o.Kind == Random {
		err = s.draw(ctx, p, o, value)
	} else {
		var r *result
		if r, err = release(ctx, p, value, o.Progress); err == nil {
			s.Pattern, s.Tests, s.Engine = r.withheld, r.tests, r.engine
		}
	}
	if e, ok := err.(*exposed); ok {
		return nil, &solver.UnprotectableError{Table: t.Name, Cell: t.CellName(e.cell), Lo: e.lo, Hi: e.hi, Width: p.Width[e.cell],
			Decimals: t.Decimals, Strict: t.Strict, Defence: string(o.Kind)}
	}
	if err != nil {
		return nil, parallel.Ended(ctx, i18n.Errorf("table %s: %w", t.Name, err))
	}
	s.count(t, p)
	s.Guarantee = o.guarantee()
	s.Seconds = time.Since(start).Seconds()
	return s, nil
}

// count sets the figures of s that follow from the pattern.
func (s *Solution) count(t *table.Table, p *public) {
	for i, in := range s.Pattern {
		switch {
		case in && t.Status[i] != table.Sensitive && t.Status[i] != table.Withheld:
			s.Cost += t.Cost[i]
		case !in && p.Open[i]:
			s.Released++
		}
		if p.Width[i] >= 0 {
			s.Protected++
		}
	}
}

// A result is the outcome of one run of the engine.
type result struct {
	withheld []bool
	tests    int
	engine   string
}

// release runs the engine. It knows only p and what value returns for released cells.
func release(ctx context.Context, p *public, value func(i int) int64, progress func(done, total int)) (*result, error) {
	e, err := newEngine(ctx, p, value)
	if err != nil {
		return nil, err
	}
	defer e.close()
	if err := e.run(ctx, progress); err != nil {
		return nil, err
	}
	r := &result{withheld: e.withheld, engine: "network"}
	if !e.sys.IsNetwork() {
		r.engine = "simplex"
	}
	if e.move != nil {
		r.tests = e.move.tests
	}
	return r, nil
}

// complete checks opt against t and replaces zeros by their defaults.
func (opt *Options) complete(t *table.Table) (*Options, error) {
	o := Options{}
	if opt != nil {
		o = *opt
	}
	o.LP = cmp.Or(o.LP, "simplex")
	if err := t.Validate(); err != nil {
		return nil, err
	}
	switch o.Kind {
	case Simulatable, Quantised:
		o.Over = o.Kind
	case Random:
		o.Over = cmp.Or(o.Over, Simulatable)
		if err := o.completeRandom(); err != nil {
			return nil, err
		}
	default:
		return nil, i18n.Errorf("no defence %q, want simulatable, quantised or random", o.Kind)
	}
	if o.Over != Simulatable && o.Over != Quantised {
		return nil, i18n.Errorf("no defence over %q, want simulatable or quantised", o.Over)
	}
	if o.Weights != nil && len(o.Weights) != t.Len() {
		return nil, i18n.Errorf("%d weights for %d cells", len(o.Weights), t.Len())
	}
	for i, st := range t.Status {
		switch {
		case !t.Known(i):
			return nil, i18n.Errorf("cell %s has no value; a published table can be audited, not protected", t.CellName(i))
		case st == table.Sensitive && (t.LPL[i] > 0 || t.UPL[i] > 0):
			return nil, i18n.Errorf("cell %s has a level LPL or UPL: a defence can promise the width of an interval, but not how far its ends are from a value that no decision may depend on; use --width", t.CellName(i))
		}
	}
	if o.Over == Quantised {
		if err := o.completeClasses(t); err != nil {
			return nil, err
		}
	}
	return &o, nil
}

// public returns the public part of t.
func (o *Options) public(t *table.Table) (*public, error) {
	if o.Over == Quantised {
		return o.classes(t)
	}
	n := t.Len()
	p := &public{Rel: t.Rel, Lower: t.Lower, Upper: t.Upper, Strict: t.Strict, Weight: o.Weights, LP: o.LP,
		Open: make([]bool, n), Given: make([]int64, n), Keep: make([]bool, n), Width: make([]int64, n)}
	for i, st := range t.Status {
		p.Width[i] = -1
		switch st {
		case table.Published:
			p.Given[i] = t.Value[i]
			continue
		case table.Sensitive:
			p.Keep[i], p.Width[i] = true, t.Width[i]
		case table.Withheld:
			p.Keep[i] = true
		}
		p.Open[i] = true
	}
	return p, nil
}

// guarantee states the guarantee in a sentence.
func (o *Options) guarantee() i18n.Text {
	known := i18n.T("which cells are sensitive")
	if o.Over == Quantised {
		known = i18n.T("the class of every cell, [0, %d), then steps of %d", o.Base, o.Step)
	}
	if o.Kind == Random {
		return i18n.T("no table that agrees with what is published and public (%s) is excluded by this pattern, and it changes the odds between two of them by a factor of at most e^%.4g; the width of every interval to protect is reached among them", known, o.Epsilon/2)
	}
	return i18n.T("every table that agrees with what is published and public (%s) leads to this pattern; the width of every interval to protect is reached among them", known)
}
