package insider

import (
	"cmp"
	"context"
	"math/big"
	"slices"
	"time"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/table"
)

// Options tune Run. The zero value is ready to use.
type Options struct {
	// Coalition is the largest number m of contributors who share what they
	// know; 0 means 1.
	Coalition int
	// Anyone says that a withheld cell whose number of contributors is not known may have one
	// alone: each such cell is taken to be somebody's.
	Anyone bool
	// Witnesses are movements of withheld cells that leave everything published as it is, as solver.Solution has them: what
	// they show need not be computed. The findings do not depend on them.
	Witnesses []*certificate.Witness
	// LP names the back end of the simplex engine; empty means "simplex".
	LP string
	// Workers is the number of goroutines; 0 means GOMAXPROCS. The report does
	// not depend on it.
	Workers int
	// Limit bounds the pairs of a coalition and a cell that wait to be looked at;
	// where one size of coalitions asks for more, the search ends before it.
	// 0 means 1,000,000, some hundred megabytes.
	Limit int
	// Progress, if set, is called with the size of the coalitions being looked at
	// and the number of sensitive cells done. It may be called from several
	// goroutines.
	Progress func(size, done, total int)
}

// An Exposure is one sensitive cell that one coalition lays open.
type Exposure struct {
	Coalition []int // the cells its members know, of those that bear on Cell; ascending
	Members   []int // indices into Report.Contributors, ascending
	Cell      int
	Known     bool // Lo and Hi were computed
	// The interval the coalition is left with, in units of 10^−Decimals; nil:
	// infinite, or not Known.
	Lo, Hi *big.Rat
	// Disclosed says that the coalition computes the cell exactly. Otherwise
	// its interval misses a level.
	Disclosed bool
	// Relations says that the cell is disclosed by the relations alone: it is a
	// fixed combination of published values and of those the coalition knows, whatever
	// these are. Otherwise the bounds (no negative cells) take part.
	Relations bool
	// Most is set where values are not known (Report.Values) and the contributor is left with a width that is at most
	// this, whatever the values are, and misses the level.
	Most *big.Rat
	// Inexact is that of interval.Cell.
	Inexact bool
}

// A Report is the result of Run.
type Report struct {
	Coalition int // m
	// Settled is the largest size up to which every coalition was settled; −1
	// if not even what is known without insiders was.
	Settled int
	// Unlooked are the sensitive cells for which not all coalitions of up to m were looked at, ascending.
	Unlooked []int
	// Values says that intervals were computed. In a published table, whose withheld
	// values are not known, only disclosure by the relations is looked for, and Widths.
	Values bool
	// Widths says that, where Values is not set and cells ask for widths, single contributors were also asked how wide an interval
	// they are left with at most; TooMany that contributors and withheld cells make more than 10,000 pairs, so they were not.
	Widths, TooMany bool
	// Contributors are the persons who are a withheld cell's only contributor, each
	// by the withheld cells of which he or she is.
	Contributors [][]int
	// Singletons is the number of those cells; Unknown that of withheld cells
	// whose number of contributors is not known.
	Singletons, Unknown int
	// Assumed is the number of withheld cells that Options.Anyone made somebody's.
	Assumed   int
	Sensitive int   // withheld cells of status Sensitive
	Examined  int64 // pairs of a coalition and a cell looked at
	// Unsettled is the number of pairs, among those of a cell with the public alone and
	// those examined, for which exact arithmetic gave up (see
	// interval.ErrInexact). Whether they are exposures is not known.
	Unsettled int64
	// Findings are the minimal exposures, by size of the coalition, coalition and
	// cell: none is a consequence of another with fewer members. A cell laid open
	// to everybody is not among them unless a coalition learns its exact value
	// and the public does not.
	Findings []Exposure
}

// ErrNoContributors is returned where nothing tells the cells with one contributor.
var ErrNoContributors = i18n.New("attack: insiders need the number of contributors of the withheld cells (a column freq, or a table of counts with its values)")

// lookEach is the work that Run takes for each cell before it looks at any.
const lookEach = 500 * time.Nanosecond

// Run finds out what the only contributors of withheld cells learn of other
// sensitive cells, each by himself and in coalitions of up to m.
//
// Let S be the withheld cells, M_S the relations restricted to them, and Q ⊂ S the
// cells a coalition knows. Beside what is published it knows y_q = a_q, so with
// z = y − a it solves
//
//	max ±z_k   s.t.  M_S z = 0,  −L_i ≤ z_i ≤ U_i,  z_q = 0 for q ∈ Q
//
// for every sensitive cell k ∉ Q. The cell is disclosed if both are 0. It is
// disclosed by the relations alone iff e_k = M_Sᵀγ + Σ_{q∈Q} d_q e_q for some γ, d; then
// y_k = γᵀb + Σ d_q a_q with b what the published cells leave of the right-hand
// sides.
//
// Not all coalitions are tried. As long as some z that shows the levels of k
// leaves the cells of Q alone, Q learns nothing that matters of k, and every coalition that
// does must hold a contributor whose cell z moves. So from each coalition
// found harmless the search goes on only to those with one such contributor more,
// which finds every minimal coalition: if Q ⊂ Q* and Q* lays k open, z moves a cell
// of Q* outside Q. The kernel of M_S is split into its direct summands first; what
// is known in one says nothing about another.
//
// Where published values are rounded, they tell insiders no more than their rounding leaves (table.Opened); in a table whose
// withheld values are known, what sums miss is taken as known to them (table.Unrounded), who then learn rather more than they do.
//
// Every verdict is exact, as those of interval.Audit; pairs for which there is none are
// counted. Where ctx ends, with an error that wraps ctx.Err(), or Limit is met
// the report says how far everything is settled, and what it says is true. It does not modify t.
func Run(ctx context.Context, t *table.Table, withheld []bool, opt *Options) (*Report, error) {
	o := Options{}
	if opt != nil {
		o = *opt
	}
	o.Coalition = cmp.Or(o.Coalition, 1)
	if o.Coalition < 1 {
		return nil, i18n.Errorf("attack: Options.Coalition = %d, want at least 1", o.Coalition)
	}
	o.Limit = cmp.Or(o.Limit, 1_000_000)
	if len(withheld) != t.Len() {
		return nil, i18n.Errorf("attack: %d cells, but %d are said to be withheld or not", t.Len(), len(withheld))
	}
	rep := &Report{Coalition: o.Coalition, Settled: -1, Values: true}
	for i, w := range withheld {
		switch {
		case w && t.Status[i] == table.Sensitive:
			rep.Sensitive++
		case !w && !t.Known(i):
			return nil, i18n.Errorf("attack: table %s: cell %s has no value but is not withheld", t.Name, t.CellName(i))
		}
		if w && !t.Known(i) {
			rep.Values = false
		}
	}
	var err error
	if rep.Contributors, rep.Unknown, err = contributors(t, withheld, o.Anyone); err != nil {
		return nil, err
	}
	if o.Anyone {
		rep.Assumed, rep.Unknown = rep.Unknown, 0
	}
	for _, cells := range rep.Contributors {
		rep.Singletons += len(cells)
	}
	known, by := t, int64(1) // what insiders know beside their own
	switch {
	case t.Rounded() && rep.Values:
		known, err = t.Unrounded()
	case t.Rounded():
		known, withheld, by, err = t.Opened(withheld, false)
	}
	if err != nil {
		return nil, err
	}
	work.Spend(ctx, time.Duration(t.Len())*lookEach)
	s := &insiders{t: known, rep: rep, opt: &o, unit: make([]int64, t.Len())}
	for i := range s.unit {
		s.unit[i] = t.RoundedTo(i) * by
	}
	if err := s.split(ctx, withheld); err != nil {
		for i, w := range withheld {
			if w && t.Status[i] == table.Sensitive {
				rep.Unlooked = append(rep.Unlooked, i)
			}
		}
		s.targets = nil
		return s.stopped(ctx, err)
	}
	if known == t && rep.Values {
		s.seed(o.Witnesses)
	}
	if _, err := s.run(ctx); err != nil || rep.Values || rep.Settled < 1 {
		return s.rep, err
	}
	err = s.narrow(ctx, withheld)
	for k := range rep.Findings {
		rep.Findings[k].Most = over(rep.Findings[k].Most, by)
	}
	switch {
	case err != nil && ctx.Err() == nil:
		return nil, i18n.Errorf("table %s: %w", t.Name, err)
	case err != nil:
		return s.rep, parallel.Ended(ctx, nil)
	}
	return s.rep, nil
}

// insiders is one run.
type insiders struct {
	t       *table.Table
	rep     *Report
	opt     *Options
	targets []*target
	unit    []int64 // what a width must exceed, or it tells as much as the value would, published: 0 where that is exact
}

// stopped ends a run that ctx has ended.
func (s *insiders) stopped(ctx context.Context, err error) (*Report, error) {
	if ctx.Err() == nil {
		return nil, i18n.Errorf("table %s: %w", s.t.Name, err)
	}
	s.collect()
	return s.rep, parallel.Ended(ctx, nil)
}

// insiderShards is the number of independent shards of cells. Each is worked off
// in order with engines of its own, so that no answer depends on the workers.
const insiderShards = 8

// run looks at the coalitions by size.
func (s *insiders) run(ctx context.Context) (*Report, error) {
	probes := make([]*probe, min(insiderShards, len(s.targets)))
	defer func() {
		for _, p := range probes {
			if p != nil {
				p.close()
			}
		}
	}()
	for size := 0; size <= s.opt.Coalition; size++ {
		waiting := 0
		for _, t := range s.targets {
			waiting += len(t.next)
		}
		if waiting > s.opt.Limit {
			break
		}
		done := &counter{show: s.opt.Progress, size: size, total: len(s.targets)}
		err := parallel.Do(ctx, len(probes), s.opt.Workers, func(ctx context.Context, shard int) error {
			for c := shard; c < len(s.targets); c += len(probes) {
				t := s.targets[c]
				if len(t.next) > 0 {
					if probes[shard] == nil || probes[shard].b != t.b {
						if probes[shard] != nil {
							probes[shard].close()
						}
						probes[shard] = &probe{b: t.b, lp: s.opt.LP, values: s.rep.Values}
					}
					if err := t.grow(ctx, probes[shard], size < s.opt.Coalition); err != nil {
						return i18n.Errorf("cell %s: %w", s.t.CellName(t.cell), err)
					}
				}
				t.settled = size
				done.add()
			}
			return nil
		})
		if err != nil {
			return s.stopped(ctx, err)
		}
		s.rep.Settled = size
	}
	s.collect()
	return s.rep, parallel.Ended(ctx, nil)
}

// collect puts the findings of all cells into the report.
func (s *insiders) collect() {
	for _, t := range s.targets {
		s.rep.Examined += t.examined
		s.rep.Unsettled += t.unsettled
		if t.settled < s.opt.Coalition {
			s.rep.Unlooked = append(s.rep.Unlooked, t.cell)
		}
		for _, f := range t.found {
			if len(f.q) == 0 {
				continue // known to everybody
			}
			x := f.Exposure
			x.Cell = t.cell
			for _, p := range f.q {
				x.Members = append(x.Members, int(t.b.person[p]))
				for _, c := range t.b.knows[p] {
					x.Coalition = append(x.Coalition, int(t.b.cells[c]))
				}
			}
			slices.Sort(x.Coalition)
			slices.Sort(x.Members)
			s.rep.Findings = append(s.rep.Findings, x)
		}
	}
	slices.Sort(s.rep.Unlooked)
	slices.SortFunc(s.rep.Findings, inOrder)
}

// inOrder puts small coalitions first.
func inOrder(a, b Exposure) int {
	return cmp.Or(cmp.Compare(len(a.Members), len(b.Members)), slices.Compare(a.Coalition, b.Coalition), cmp.Compare(a.Cell, b.Cell))
}
