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
	// Coalition is the largest number m of contributors who pool what they know; 0 means 1.
	Coalition int
	// Anyone treats every withheld cell whose number of contributors is unknown as having a sole contributor.
	Anyone bool
	// Witnesses are movements of withheld cells consistent with the publication, as in solver.Solution: what they show
	// need not be computed. The findings do not depend on them.
	Witnesses []*certificate.Witness
	// LP names the back end of the simplex engine; empty means "simplex".
	LP string
	// Workers is the number of goroutines; 0 means GOMAXPROCS. The report does
	// not depend on it.
	Workers int
	// Limit bounds the pairs of a coalition and a cell waiting to be examined; the search ends before a size of
	// coalitions that needs more. 0 means 1,000,000, a few hundred megabytes.
	Limit int
	// Progress, if set, is called with the size of the coalitions being examined and the number of sensitive cells
	// done, possibly from several goroutines.
	Progress func(size, done, total int)
}

// An Exposure is a sensitive cell about which a coalition learns too much.
type Exposure struct {
	Coalition []int // the cells its members know that bear on Cell; ascending
	Members   []int // indices into Report.Contributors, ascending
	Cell      int
	Known     bool // Lo and Hi were computed
	// The interval that the coalition is left with, in units of 10^−Decimals; nil: infinite, or not Known.
	Lo, Hi *big.Rat
	// Disclosed says that the coalition computes the cell exactly. Otherwise its interval violates a level.
	Disclosed bool
	// Relations says that the relations alone disclose the cell: it is a fixed combination of published values and
	// values known to the coalition, whatever these are. Otherwise the bounds (such as no negative cells) are needed.
	Relations bool
	// Most is set if values are unknown (Report.Values) and the contributor is left with an interval of at most this
	// width, whatever the values are, which violates the level.
	Most *big.Rat
	// Inexact is as in interval.Cell.
	Inexact bool
}

// A Report is the result of Run.
type Report struct {
	Coalition int // m
	// Settled is the largest size up to which every coalition has been settled; −1 if not even the case without
	// insiders has.
	Settled int
	// Unlooked are the sensitive cells for which not all coalitions of up to m were examined, ascending.
	Unlooked []int
	// Values says that intervals were computed. In a published table, whose withheld values are unknown, only
	// disclosure by the relations and Widths are examined.
	Values bool
	// Widths says, if Values is not set and cells have required widths, that the largest possible width left to each
	// single contributor was computed as well; TooMany says that contributors and withheld cells make more than 10,000
	// pairs, so it was not.
	Widths, TooMany bool
	// Contributors are the sole contributors of withheld cells, each given by these cells.
	Contributors [][]int
	// Singletons is the number of those cells; Unknown is the number of withheld cells whose number of contributors is
	// unknown.
	Singletons, Unknown int
	// Assumed is the number of withheld cells for which Options.Anyone assumed a sole contributor.
	Assumed   int
	Sensitive int   // withheld cells of status Sensitive
	Examined  int64 // pairs of a coalition and a cell examined
	// Unsettled is the number of pairs, including those of a cell with the public alone, for which exact arithmetic
	// gave up (see interval.ErrInexact). Whether they are exposures is unknown.
	Unsettled int64
	// Findings are the minimal exposures, ordered by size of the coalition, coalition and cell: none follows from
	// another with fewer members. A cell that everybody learns too much about is listed only if a coalition learns its
	// exact value and the public does not.
	Findings []Exposure
}

// ErrNoContributors is returned if nothing tells which cells have one contributor.
var ErrNoContributors = i18n.New("attack: insiders need the number of contributors of the withheld cells (a column freq, or a table of counts with its values)")

// lookEach is the work counted for each cell before any is examined.
const lookEach = 500 * time.Nanosecond

// Run determines what the sole contributors of withheld cells learn about other sensitive cells, individually and in
// coalitions of up to m.
//
// Let S be the withheld cells, M_S the relations restricted to them, and Q ⊂ S the cells that a coalition knows.
// Besides the publication it knows y_q = a_q, so with z = y − a it solves
//
//	max ±z_k   s.t.  M_S z = 0,  −L_i ≤ z_i ≤ U_i,  z_q = 0 for q ∈ Q
//
// for every sensitive cell k ∉ Q. The cell is disclosed if both maxima are 0. It is disclosed by the relations alone
// iff e_k = M_Sᵀγ + Σ_{q∈Q} d_q e_q for some γ, d; then y_k = γᵀb + Σ d_q a_q, where b are the right-hand sides minus
// the published cells.
//
// Not all coalitions are tried. As long as some z that shows the levels of k does not move the cells of Q, Q learns
// nothing that matters about k, and every coalition that does must include a contributor whose cell z moves. So from
// each harmless coalition the search continues only with those that add one such contributor. This finds every minimal
// coalition: if Q ⊂ Q* and Q* is an exposure, z moves a cell of Q* outside Q. The kernel of M_S is first split into its
// direct summands; knowledge in one says nothing about another.
//
// Published values that are rounded tell insiders only what their rounding leaves (table.Opened). If the withheld
// values are known, insiders are assumed to know the differences of rounded sums (table.Unrounded), which makes them
// learn rather more than they do.
//
// Every verdict is exact, like those of interval.Audit; pairs without a verdict are counted. If ctx ends, with an error
// that wraps ctx.Err(), or Limit is reached, the report says how far everything is settled, and its statements hold.
// Run does not modify t.
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
	known, by := t, int64(1) // what insiders know besides their own cells
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

// insiders is the state of one run.
type insiders struct {
	t       *table.Table
	rep     *Report
	opt     *Options
	targets []*target
	unit    []int64 // by cell: a width must exceed this to tell less than a rounded value would; 0 if the value is exact
}

// stopped ends a run after ctx has ended.
func (s *insiders) stopped(ctx context.Context, err error) (*Report, error) {
	if ctx.Err() == nil {
		return nil, i18n.Errorf("table %s: %w", s.t.Name, err)
	}
	s.collect()
	return s.rep, parallel.Ended(ctx, nil)
}

// insiderShards is the number of independent shards of cells. Each is processed in order with its own engines, so that
// no result depends on the number of workers.
const insiderShards = 8

// run examines the coalitions by size.
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

// collect moves the findings of all cells into the report.
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

// inOrder sorts small coalitions first.
func inOrder(a, b Exposure) int {
	return cmp.Or(cmp.Compare(len(a.Members), len(b.Members)), slices.Compare(a.Coalition, b.Coalition), cmp.Compare(a.Cell, b.Cell))
}
