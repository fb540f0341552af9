package attack

import (
	"context"
	"math/big"
	"time"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/parallel"
	"github.com/hitoku/hitoku/internal/work"
	"github.com/hitoku/hitoku/table"
)

// A Match defines when a candidate explains the published pattern S.
type Match int

const (
	Any   Match = iota // S is a cheapest protected pattern for the candidate, however ties are broken
	Exact              // S is the canonical one among them (solver.Options.Canonical)
)

func (m Match) String() string {
	if m == Exact {
		return "exact"
	}
	return "any"
}

// A Counting says whether every candidate has to be decided.
type Counting int

const (
	CountAuto Counting = iota // decide all candidates if there are at most two million of them
	CountAll                  // decide all candidates
	CountNone                 // decide only as many as the effective intervals need
)

// autoLimit is the largest number of candidates of which CountAuto decides all.
const autoLimit = 2_000_000

// An Office is the procedure that the intruder assumes.
type Office struct {
	// Below makes cells with 1 ≤ y < Below (0 ≤ y < Below if Zeros) sensitive, in each candidate by its own values. 0:
	// the statuses of the table are public and hold for all candidates. Cells of status Published, margins among them,
	// are published whatever their value.
	Below int64
	Zeros bool
	// Levels and Cost are applied to every candidate as by table.SetLevels and table.SetCost. The zero Cost is "count".
	Levels table.Levels
	Cost   table.CostKind
	Strict bool
	Match  Match
}

// Options tune Run. Apart from Office, the zero value is ready to use.
type Options struct {
	Office
	// Knows are values, by cell, that the intruder knows beyond the publication.
	Knows map[int]int64
	// Count says whether all candidates have to be decided.
	Count Counting
	// LP names the back end for linear programs; empty means "simplex".
	LP string
	// Workers is the number of goroutines; 0 means GOMAXPROCS.
	Workers int
	// TimeLimit stops the attack with what is proved and found by then; 0 means no limit.
	TimeLimit time.Duration
	// Progress, if set, is called from one goroutine from time to time.
	Progress func(Progress)
}

// A Progress is one line of a progress report.
type Progress struct {
	Open    int     // number of boxes of candidates still to decide
	Decided float64 // share of the total volume of boxes that is decided
	Matches int64   // candidates found to match
	Seconds float64
}

// A Range is the set of integers lo … hi, in units of 10^−Decimals.
type Range struct {
	Lo, Hi int64
	Empty  bool
}

// Width returns Hi − Lo, −1 if r is empty.
func (r Range) Width() int64 {
	if r.Empty {
		return -1
	}
	return r.Hi - r.Lo
}

// A Verdict says whether a cell is safe.
type Verdict int

const (
	Unknown Verdict = iota // a limit stopped the attack before this was settled
	Safe
	Unsafe
)

func (v Verdict) String() string { return [...]string{"unknown", "safe", "unsafe"}[v] }

// A Cell is what the attack reveals about one withheld cell.
type Cell struct {
	Index  int
	Lo, Hi *big.Rat // feasible interval, units of 10^−Decimals; nil: infinite
	// All matching candidates have a value in Outer; matching candidates with the values Inner.Lo and Inner.Hi were
	// found. If Result.Complete, both are equal to the effective interval.
	Outer, Inner Range
	// Verdict is about the levels. After Judge, for a cell with a sensitive value: whether the effective interval meets
	// the levels. Before Judge, or if the value is unknown: whether no value in the interval is sensitive, or the
	// interval is at least as wide as Width and as LPL + UPL of the largest sensitive value in it. Cells that are not
	// sensitive are Safe, and so are all cells if nothing matches. A run with a later limit never retracts a verdict.
	Verdict Verdict
}

// A Result is the outcome of an attack, cells in table order.
type Result struct {
	Dim        int      // dimension of the null space
	Candidates *big.Int // |F|; nil if too many to count
	Matching   *big.Int // matching candidates found; all of them if Counted, else an arbitrary number
	Counted    bool     // every candidate was decided
	Complete   bool     // effective intervals are proved
	Cells      []Cell
	Seconds    float64
	// Solves counts the candidates for which a pattern had to be searched.
	Solves int64

	x *setting // needed by Judge
}

// Published returns what the intruder of Run has of t without the withheld cells; the intruder knows the procedure and
// that values are whole numbers of units.
func Published(t *table.Table, withheld []bool) *table.Publication {
	return table.Publish(t, withheld, table.Intruder{Beside: true, Procedure: true, Unit: true, Whole: true})
}

// ErrPublished is returned if a published cell is one that the office would have withheld.
var ErrPublished = i18n.New("attack: a published cell is sensitive under the rule")

// errRounded is returned for tables with rounded values, for which the tables of whole numbers cannot be listed.
var errRounded = i18n.New("attack: the published values are rounded, and what the procedure of the office adds to that is not known; audit says what they leave of each cell")

// Run attacks a publication. Statuses other than Published matter only if Office.Below is 0. Verdicts are those that
// everybody can reach; Judge gives those of an office. If ctx ends, the result is, as at the limit, what was proved and
// found by then (nil if nothing), and the error wraps ctx.Err().
func Run(ctx context.Context, p *table.Publication, opt *Options) (*Result, error) {
	start := time.Now()
	if opt == nil {
		opt = &Options{}
	}
	t := p.Table()
	if opt.Below > 0 && !t.Counts {
		return nil, i18n.Errorf("attack: table %s: the rule below %d is one on counts; in a table of amounts statuses are public", t.Name, opt.Below)
	}
	limited, stop := parallel.Limited(ctx, start, opt.TimeLimit)
	defer stop()
	x, err := newSetting(ctx, t, p.Withheld(), opt)
	if err != nil {
		return nil, parallel.Ended(ctx, err)
	}
	r, err := x.decideAll(limited, opt)
	if err != nil {
		return nil, parallel.Ended(ctx, err)
	}
	r.Seconds = time.Since(start).Seconds()
	if !r.Complete {
		return r, parallel.Ended(ctx, nil)
	}
	return r, nil
}

// decideAll decides candidates until ctx ends or the effective intervals are proved.
func (x *setting) decideAll(ctx context.Context, opt *Options) (r *Result, err error) {
	r = &Result{Dim: x.fib.Dim(), Matching: new(big.Int), x: x}
	if r.Candidates, err = x.count(ctx, opt.Count); err != nil {
		return nil, err
	}
	counting := opt.Count == CountAll ||
		opt.Count == CountAuto && r.Candidates != nil && r.Candidates.Cmp(big.NewInt(autoLimit)) <= 0
	s := newSearch(ctx, x, opt, counting)
	if x.s > 0 {
		if err := s.run(); err != nil {
			return nil, err
		}
	}
	r.Complete = len(s.left) == 0
	r.Counted = counting && r.Complete
	r.Solves = s.solves.Load()
	r.Matching.SetInt64(s.found.Load())
	outer := s.outer()
	for p, i := range x.cells {
		c := Cell{Index: int(i), Lo: x.feasLo[p], Hi: x.feasHi[p], Outer: outer[p], Inner: s.hull[p]}
		x.judge(int32(p), x.t, &c)
		r.Cells = append(r.Cells, c)
	}
	return r, nil
}

// countDim is the largest dimension of a block up to which CountAuto counts candidates, and countWork the work that it
// may take: in two or more dimensions, cells with long numbers leave more lines of candidates than can be visited.
const (
	countDim  = 8
	countWork = 2 * time.Second
)

// count returns |F|, nil if that would take too long.
func (x *setting) count(ctx context.Context, c Counting) (*big.Int, error) {
	if c != CountAll {
		for _, b := range x.fib.Dims() {
			if b > countDim {
				return nil, nil
			}
		}
		var stop context.CancelFunc
		ctx = work.Metered(ctx)
		ctx, stop = work.Limited(ctx, work.Now(ctx), countWork)
		defer stop()
	}
	n, _, err := x.fib.Count(ctx, nil)
	if ctx.Err() != nil {
		return nil, nil
	}
	return n, err
}

// outer returns the hull of the matches found and of the undecided boxes.
func (s *search) outer() []Range {
	outer := append([]Range(nil), s.hull...)
	t := newTightener(s.x)
	for _, b := range s.left {
		if !t.all(b) {
			continue
		}
		l, u := b.ends()
		for p := range outer {
			outer[p].add(l[p])
			outer[p].add(u[p])
		}
	}
	return outer
}
