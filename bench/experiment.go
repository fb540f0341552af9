package bench

import (
	"context"
	"errors"
	"math"
	"math/big"
	"slices"
	"sync"
	"time"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// An Experiment determines what share of the sensitive cells of random frequency tables an intruder who reruns the
// office's procedure narrows below the required width (Minami, 2024). Margins are published; the office withholds the
// canonical cheapest pattern. DefaultExperiment is that of the source.
type Experiment struct {
	Shapes     [][]Branching
	Tables     int // number of tables of each shape
	Seed       uint64
	Convention Convention
	Mean, SD   float64 // parameters of the normal distribution
	Below      int64   // counts below this are sensitive
	Width      int64   // required width of every sensitive cell's interval
	// KeepEmpty counts tables without sensitive cells, which are otherwise drawn again. Tables that no pattern protects
	// are always drawn again: the office could not publish them.
	KeepEmpty bool
	Costs     []string // "count", "value"
	Matches   []attack.Match
	// Defences are the office's ways of choosing a pattern; NoDefence means cheapest patterns.
	Defences []Defence

	Count   attack.Counting
	LP      string // empty: simplex
	Workers int    // tables processed at a time; 0: GOMAXPROCS. The figures do not depend on it
	// TimeLimit limits the office's search and each attack on a table; 0: none.
	TimeLimit time.Duration
	Version   string // version of the program, for the record
	// Progress, if set, is called after every table, by one goroutine at a time.
	Progress func(done, total int)
}

// DefaultExperiment returns the settings of the source with the convention under
// which it fits best.
func DefaultExperiment() *Experiment {
	e := &Experiment{
		Tables: printedTables, Seed: 1, Convention: Conventions()[0], Mean: 15, SD: 10, Below: 5, Width: 8,
		Costs: []string{"count"}, Matches: []attack.Match{attack.Any}, Defences: []Defence{NoDefence},
	}
	for _, p := range printed {
		shape, err := ParseShape(p.shape)
		if err != nil {
			panic(err) // the list above is wrong
		}
		e.Shapes = append(e.Shapes, shape)
	}
	return e
}

// Limits of the settings.
const (
	maxMean  = 1e12 // largest mean and standard deviation
	maxDraws = 10_000
)

// check reports the first setting that is out of range.
func (e *Experiment) check() error {
	switch {
	case len(e.Shapes) == 0:
		return i18n.New("experiment: no shape of table")
	case e.Tables < 1:
		return i18n.Errorf("experiment: %d tables, want 1 or more", e.Tables)
	case !(e.Mean >= 0 && e.Mean <= maxMean):
		return i18n.Errorf("experiment: mean %g, want a value in [0, %g]", e.Mean, maxMean)
	case !(e.SD >= 0 && e.SD <= maxMean):
		return i18n.Errorf("experiment: standard deviation %g, want a value in [0, %g]", e.SD, maxMean)
	case e.Below < 1:
		return i18n.Errorf("experiment: sensitive below %d, want 1 or more", e.Below)
	case e.Width < 1:
		return i18n.Errorf("experiment: width %d, want 1 or more", e.Width)
	case len(e.Costs) == 0 || len(e.Matches) == 0 || len(e.Defences) == 0:
		return i18n.New("experiment: no cost, no kind of match or no defence")
	}
	for _, d := range e.Defences {
		if !slices.Contains(Defences(), d) {
			return i18n.Errorf("experiment: defence %q, want %s", d, defenceWords())
		}
	}
	for _, c := range e.Costs {
		if c != "count" && c != "value" {
			return i18n.Errorf("experiment: cost %q, want count or value", c)
		}
	}
	if cost, ok := twice(e.Costs); ok {
		return i18n.Errorf("experiment: cost %s twice", cost)
	}
	if kind, ok := twice(e.Defences); ok {
		return i18n.Errorf("experiment: defence %s twice", kind)
	}
	if shape, ok := twice(sets.Each(e.Shapes, shapeString)); ok {
		return i18n.Errorf("experiment: shape %s twice", shape)
	}
	for _, s := range e.Shapes {
		if len(s) < 2 || len(s) > 5 {
			return i18n.Errorf("experiment: shape %s: want 2 to 5 variables", shapeString(s))
		}
		n := 1
		for _, b := range s {
			k, ok := b.codes()
			if !ok || n > maxCells/k {
				return i18n.Errorf("experiment: shape %s has more than %d cells", shapeString(s), maxCells)
			}
			n *= k
		}
	}
	return nil
}

// twice finds an element that a list contains twice.
func twice[T comparable](list []T) (x T, ok bool) {
	for k, x := range list {
		if slices.Contains(list[:k], x) {
			return x, true
		}
	}
	return x, false
}

// A trial is one drawn table and the attacks on its publications.
type trial struct {
	index                int // in the sequence of its shape, from 0
	name                 string
	inner                int // number of cells that are not margins
	empty, unprotectable int // tables drawn before it and discarded
	offices              []office
}

// An office is what was published about a table at one cost or with one defence, and how it was attacked.
type office struct {
	defence  Defence
	cost     string // empty with a defence, as its patterns depend on no cost
	stopped  bool   // a limit stopped the search: nothing is published
	refused  bool   // the defence cannot protect the table: nothing is published
	rerun    int    // tables on which the defence was rerun
	pattern  []bool
	seconds  float64
	table    *table.Table
	attacked []attacked
}

// An attacked is the result of one attack.
type attacked struct {
	match  string
	result *attack.Result
}

// Run runs the experiment. If ctx ends it, the result covers what was done by then.
func (e *Experiment) Run(ctx context.Context) (*ExperimentResult, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	var drawers []*drawer
	for _, s := range e.Shapes {
		d, err := e.drawer(s)
		if err != nil {
			return nil, err
		}
		drawers = append(drawers, d)
	}
	jobs := len(drawers) * e.Tables
	trials := make([]*trial, jobs)
	var (
		mu   sync.Mutex
		done int
	)
	err := parallel.Do(ctx, jobs, e.Workers, func(ctx context.Context, k int) (err error) {
		trials[k], err = drawers[k/e.Tables].try(ctx, k%e.Tables)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		if done++; e.Progress != nil && trials[k] != nil {
			e.Progress(done, jobs)
		}
		return nil
	})
	if err != nil && !errors.Is(err, context.Cause(ctx)) {
		return nil, err
	}
	return e.tally(trials, ctx.Err() == nil), nil
}

// try draws the table with the given index, publishes and attacks it. It returns nil if ctx ends.
func (d *drawer) try(ctx context.Context, index int) (*trial, error) {
	r := &trial{index: index, inner: leaves(d.shape)}
	rng := tableSource(d.Seed, d.shape, index)
	for n := range maxDraws {
		t, err := d.draw(rng, index)
		if err != nil {
			return nil, err
		}
		r.name = t.Name
		if !d.KeepEmpty && !hasSensitive(t) {
			r.empty++
			continue
		}
		for _, cost := range d.Costs {
			o, err := d.publish(ctx, t, cost)
			switch {
			case ctx.Err() != nil:
				return nil, nil
			case err != nil:
				return nil, i18n.Errorf("%s, draw %d: %w", t.Name, n+1, err)
			}
			if o == nil { // at any cost, even if a limit kept another search from finding out
				r.offices = nil
				break
			}
			r.offices = append(r.offices, *o)
		}
		if len(r.offices) == 0 {
			r.unprotectable++
			continue
		}
		err = d.attackAll(ctx, r, t)
		switch {
		case ctx.Err() != nil:
			return nil, nil
		case err != nil:
			return nil, i18n.Errorf("%s, draw %d: %w", t.Name, n+1, err)
		}
		return r, nil
	}
	return nil, i18n.Errorf("%s-%d: none of %d tables drawn has a sensitive cell and can be protected; change the rule, the width or the distribution", d.name, index, maxDraws)
}

// attackAll attacks what was published at every cost, and then what the defences would publish of t.
func (d *drawer) attackAll(ctx context.Context, r *trial, t *table.Table) error {
	for _, kind := range d.Defences {
		if kind == NoDefence {
			for k := range d.Costs { // the first offices
				if err := d.attack(ctx, &r.offices[k]); err != nil {
					return err
				}
			}
			continue
		}
		o, err := d.defend(ctx, t, kind, r.index)
		if err != nil {
			return err
		}
		r.offices = append(r.offices, *o)
	}
	return nil
}

// publish lets the office choose a pattern. It returns nil if there is none.
func (d *drawer) publish(ctx context.Context, t *table.Table, cost string) (*office, error) {
	t = t.Clone()
	if err := t.SetCost(table.CostKind{Kind: cost}); err != nil {
		return nil, err
	}
	s, err := solver.Suppress(ctx, t, &solver.Options{LP: d.LP, Workers: 1, Canonical: true, TimeLimit: d.TimeLimit})
	if unprotectable := (*solver.UnprotectableError)(nil); errors.As(err, &unprotectable) {
		return nil, nil
	}
	if err != nil && !errors.Is(err, solver.ErrNoSolution) && (s == nil || ctx.Err() == nil) {
		return nil, err
	}
	o := &office{defence: NoDefence, cost: cost, table: t, pattern: s.Pattern, seconds: s.Seconds}
	if o.stopped = s.Status != solver.Optimal; o.stopped {
		o.pattern = nil
	}
	return o, nil
}

// attack attacks what o published. The true table always matches; every attack is checked for this.
func (d *drawer) attack(ctx context.Context, o *office) error {
	if o.stopped || !hasSensitive(o.table) {
		return nil
	}
	for _, m := range d.Matches {
		a, err := attack.Run(ctx, attack.Published(o.table, o.pattern), &attack.Options{
			Office: attack.Office{Below: d.Below, Zeros: d.Convention.Zeros, Levels: d.levels(), Cost: table.CostKind{Kind: o.cost}, Match: m},
			Count:  d.Count, LP: d.LP, Workers: 1, TimeLimit: d.TimeLimit,
		})
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		a.Judge(o.table)
		for k := range a.Cells {
			c := &a.Cells[k]
			if v := o.table.Value[c.Index]; c.Outer.Empty || v < c.Outer.Lo || v > c.Outer.Hi || a.Complete && c.Inner != c.Outer {
				return i18n.Errorf("attack (%s): cell %s: effective interval %+v (found %+v) without the true value %d", m, o.table.CellName(c.Index), c.Outer, c.Inner, v)
			}
		}
		o.attacked = append(o.attacked, attacked{m.String(), a})
	}
	return nil
}

// integral returns the integers in the feasible interval of c; ok is false if it is infinite.
func integral(c *attack.Cell) (r attack.Range, ok bool) {
	if c.Lo == nil || c.Hi == nil {
		return r, false
	}
	lo, rest := new(big.Int).DivMod(c.Lo.Num(), c.Lo.Denom(), new(big.Int))
	if rest.Sign() > 0 {
		lo.Add(lo, big.NewInt(1))
	}
	hi := new(big.Int).Div(c.Hi.Num(), c.Hi.Denom())
	if !lo.IsInt64() || !hi.IsInt64() || hi.Cmp(big.NewInt(math.MaxInt32)) > 0 {
		return r, false
	}
	return attack.Range{Lo: lo.Int64(), Hi: hi.Int64()}, true
}
