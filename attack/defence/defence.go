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
	// Simulatable takes the statuses of the cells, hence which are sensitive, as
	// public, besides relations, margins, levels and bounds.
	Simulatable Kind = "simulatable"
	// Quantised takes classes of values as public: [0, B), [B, B+C), [B+C, B+2C), …
	// All cells of the first are withheld and protected.
	Quantised Kind = "quantised"
	// Random draws one of the patterns that several orders of release lead to.
	Random Kind = "random"
)

// Kinds returns the kinds of defence.
func Kinds() []Kind { return []Kind{Simulatable, Quantised, Random} }

// Options say which defence and with what public parameters. Counts below are in
// units, not in multiples of 10^−Decimals.
type Options struct {
	Kind Kind
	// Over is the kind whose public data Random works with: Simulatable (the
	// default) or Quantised.
	Over Kind

	// Below is the threshold N of the minimum-frequency rule, Width what it asks of
	// each cell (in units of 10^−Decimals, as Width): Quantised protects all cells that
	// the rule might have hit.
	Below, Width int64
	// Base is B, at least Below; 0 means max(Below, Width+2). Step is C; 0
	// means 2·Base.
	Base, Step int64

	// Weights, by cell, say what is to be released first: the values of an older
	// table, which must be public. Nil: an order by what is public of this table.
	Weights []int64

	// Orders is the number m of orders that Random draws from, 0 means 16. The first
	// is that of the other kinds, the others are drawn from PublicSeed. Seed, of 256 random
	// bits that must stay secret, draws the pattern of each table by itself, with odds that differ between two tables
	// that fit the publication by a factor of at most exp(Epsilon/2); 0 means 1.
	Orders     int
	Epsilon    float64
	PublicSeed uint64
	Seed       [32]byte

	LP      string // back end for linear programs; empty means "simplex"
	Workers int    // goroutines of Random; 0 means GOMAXPROCS
	// Progress, if set, is called with the number of cells decided (Random: orders).
	Progress func(done, total int)
}

// A Solution is a pattern and how it came about.
type Solution struct {
	Kind    Kind
	Over    Kind   // whose public data were used; Kind itself but for Random
	Pattern []bool // per cell: withheld
	// Cost counts the cells withheld that are neither sensitive nor withheld
	// beforehand, in units of 10^−CostDecimals, as package solver does.
	Cost int64
	// Protected is the number of cells whose width is guaranteed: the sensitive
	// ones, or all that might be. Released is the number of those that
	// need not have been published and are.
	Protected, Released int
	Guarantee           fmt.Stringer
	Engine, LP          string
	// Tests counts flows or linear programs.
	Tests      int
	Seconds    float64
	Base, Step int64 // Quantised: as used
	// Random: the number of withheld cells that each order leads to, apart from those
	// that are always withheld, and how large that could be. Costs
	// depends on values, so it is not to be published.
	Costs []int64
	Delta int64
	// Random: the pattern that each order leads to, not to be published either.
	Patterns [][]bool
}

// An exposed says that a cell is too narrow even while everything that may be withheld
// is. It follows from public data alone.
type exposed struct {
	cell   int      // the cell of the table
	lo, hi *big.Rat // its widest interval in units of 10^−Decimals; nil: no end, or not known
}

func (e *exposed) Error() string { return fmt.Sprintf("cell %d cannot be protected", e.cell) }

// Suppress withholds from t the sensitive cells and such others that every
// sensitive cell has an interval of width Width (more, if t.Strict) even for an
// intruder who knows this procedure and everything given in opt but Seed. Values
// of withheld cells have no part in the choice; see the package comment. Distances
// from the true value, LPL and UPL, cannot be promised that way and are an error.
// It does not modify t. A table that cannot be protected is reported as
// *solver.UnprotectableError. Where ctx ends there is no solution, since one that depends on time would
// tell more than is promised; the error wraps ctx.Err().
func Suppress(ctx context.Context, t *table.Table, opt *Options) (*Solution, error) {
	start := time.Now()
	o, err := opt.complete(t)
	if err != nil {
		return nil, i18n.Errorf("table %s: %w", t.Name, err)
	}
	if _, err := t.TotalCost(); err != nil { // Solution.Cost is a part of it
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

// count fills in what the pattern amounts to.
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

// A result is what one run of the engine leaves withheld.
type result struct {
	withheld []bool
	tests    int
	engine   string
}

// release runs the engine. All it knows is p and what value tells of released cells.
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

// complete checks opt against t and fills in what is left at zero.
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

// public takes the public part of t.
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

// guarantee says in a sentence what holds.
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
