// Package solver finds a cheapest set of cells to withhold from a table so that
// every sensitive cell is protected, with proof.
//
// The one idea is Benders decomposition (Fischetti and Salazar, Management Science 47(7), 2001).
// A pattern x protects a cell k where the intruder's linear program reaches its level; where x
// misses it, the dual of that program is an inequality that every protected pattern keeps,
//
//	Σ (α_i U_i + β_i L_i) x_i ≥ UPL_k,
//
// and x does not. A linear program over x alone with such cuts is the master; branching makes x
// whole, its optimum is the bound, and the cheapest pattern whose levels are all met by witness
// tables in exact arithmetic is the answer.
//
// [Suppress] with a table and nil will do; package protect has the whole procedure of an office,
// rules before and audit after. Where ctx ends a call it returns what it has and an error that wraps ctx.Err(); a limit of
// the options is no error, and Status says what is proved. The package opens no file. docs/method.md has the mathematics, docs/solver.md what paid.
package solver

import (
	"math/big"
	"time"

	"github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// Options tune Suppress. The zero value is ready to use.
type Options struct {
	// LP names the back end for linear programs, as registered with package
	// lp. Empty means "simplex". Two-way tables need none for the intruder's
	// problem, but the master is always a linear program.
	LP string
	// Workers is the number of goroutines; 0 means GOMAXPROCS. The pattern
	// does not depend on it.
	Workers int
	// TimeLimit stops the search after work that takes one processor about so long; 0 means none. Work is counted (internal/work), so that
	// the result depends neither on the machine and its load nor on Workers. Where there is no pattern yet one is found beyond it, whatever it costs.
	TimeLimit time.Duration
	// Punctual ends the call at TimeLimit even where there is no pattern yet, with Status None.
	Punctual bool
	// Gap stops the search once (upper − lower)/max(1, upper) ≤ Gap. Zero
	// means prove optimality. Must be in [0, 1).
	Gap float64
	// Canonical returns the optimum whose pattern is lexicographically
	// smallest in cell order, whatever the back end: of two patterns the
	// smaller is the one that publishes the first cell where they differ.
	Canonical bool
	// Certificate asks for Solution.Certificate. Nodes are then pruned by exact sums
	// only and columns fixed at the root alone, so that the search may take another path.
	Certificate bool
	// Start, if set, is a pattern over all cells that is believed to be protected. If it passes the exact
	// check the search begins with it instead of building one; else it is ignored. Entries of cells that must
	// be published or are withheld in any case have no effect.
	Start []bool
	// First stops the search at the first pattern better than Start: a cheaper one
	// or, with Canonical, one as cheap and before it in the canonical order. Status is
	// then Feasible, unless that pattern turned out Optimal. Where there is none, Start is
	// returned as Optimal. First has no effect where Start is ignored. Without a Start it stops at the first pattern of all.
	First bool
	// Memory, if set, holds what earlier runs learnt about tables with the same relations; the run uses it
	// and adds to it.
	Memory *Memory
	// Seed seeds the random choices of the heuristics. The same seed gives the same run; another may lead to
	// another of several cheapest patterns (not with Canonical), or, if a limit stops the search, to one of
	// another cost.
	Seed uint64
	// Progress, if set, is called from one goroutine now and then.
	Progress func(Progress)

	off   techniques
	nodes int // after which the search ends; 0 for no limit
}

// A Progress is one line of a progress report. Upper is +Inf before the first
// protected pattern. Costs are in the unit of the table's costs.
type Progress struct {
	Round, Nodes int
	Lower, Upper float64
	Cuts         int
	Seconds      float64
}

// A Status says what a search proved: Suppress, or the search of a method that is used instead of suppression.
type Status string

const (
	Optimal       Status = "optimal"       // Pattern is a cheapest protected pattern, the canonical one if asked for
	Feasible      Status = "feasible"      // Pattern is protected, Bound ≤ optimum (gap or limit)
	Unprotectable Status = "unprotectable" // no pattern protects the table; see UnprotectableError
	Infeasible    Status = "infeasible"    // not of Suppress: nothing of the kind that was asked for exists
	None          Status = "none"          // stopped before a protected pattern was found
)

// A Solution is what Suppress found. Cost and Bound count the secondary cells
// only, in units of 10^−CostDecimals of the table: Σ w_i x_i over cells that are
// neither sensitive nor withheld beforehand.
type Solution struct {
	Status  Status
	Pattern []bool // length n; nil if Status is None or Unprotectable
	// Witnesses show that Pattern is protected: certificate.Protects accepts them. Each cell
	// withheld that is neither sensitive nor withheld beforehand is moved by one of them.
	Witnesses []*certificate.Witness
	Cost      int64
	Bound     int64 // proved: no protected pattern is cheaper
	// FirstSeconds is the time until the first protected pattern, Seconds that of the whole run.
	FirstSeconds, Seconds float64
	Rounds, Nodes         int
	Cuts                  map[string]int // cuts generated, by family
	LP, Engine            string         // back end of the master; engine of the intruder
	// Certificate proves Pattern, if there is one, and Bound; nil unless asked for.
	Certificate *certificate.Certificate
}

// Gap returns (Cost − Bound)/max(1, Cost), 0 at Optimal.
func (s *Solution) Gap() float64 {
	if s.Pattern == nil {
		return 1
	}
	return float64(s.Cost-s.Bound) / max(1, float64(s.Cost))
}

// ErrNoSolution is returned when a limit or the context stopped the search
// before a protected pattern was found.
var ErrNoSolution = i18n.New("solver: stopped before a protected pattern was found")

// An UnprotectableError names a cell that stays exposed although every cell that may be withheld is. Lo and
// Hi are the ends of its widest interval (nil: infinite), in units of 10^−Decimals like the levels. If
// Defence is set, public numbers alone show it: Value, LPL and UPL are not used, and a nil end may mean
// unknown.
type UnprotectableError struct {
	Table           string
	Cell            string
	Value           int64
	Lo, Hi          *big.Rat
	LPL, UPL, Width int64
	Decimals        int
	Strict          bool
	Defence         string // the kind of defence (package defence) whose pattern was asked for; "" for none

	why []*certificate.Level // duals that may prove it
}

func (e *UnprotectableError) Error() string { return e.Message().String() }

// Message is the text of e.
func (e *UnprotectableError) Message() i18n.Text {
	bound := func(r *big.Rat, inf string) string {
		if r == nil {
			return inf
		}
		return table.FormatRat(r, e.Decimals)
	}
	if e.Defence != "" {
		at := i18n.T("at least")
		if e.Strict {
			at = i18n.T("more than")
		}
		return i18n.T("table %s: no %s pattern protects cell %s: with everything withheld that may be, what is public puts it in [%s, %s], width must be %s %s",
			e.Table, e.Defence, e.Cell, bound(e.Lo, "−∞"), bound(e.Hi, "∞"), at, table.FormatDecimal(e.Width, e.Decimals))
	}
	needs := i18n.List{And: "and"}
	if e.LPL > 0 || e.UPL > 0 {
		needs.Items = append(needs.Items, i18n.T("[%s, %s]", table.FormatDecimal(e.Value-e.LPL, e.Decimals), table.FormatDecimal(e.Value+e.UPL, e.Decimals)))
	}
	if e.Strict {
		needs.Items = append(needs.Items, i18n.T("a width of more than %s", table.FormatDecimal(e.Width, e.Decimals)))
	} else if e.Width > 0 {
		needs.Items = append(needs.Items, i18n.T("a width of at least %s", table.FormatDecimal(e.Width, e.Decimals)))
	}
	return i18n.T("table %s: cell %s cannot be protected: widest interval [%s, %s], need %s; relax its protection level or allow more cells to be withheld",
		e.Table, e.Cell, bound(e.Lo, "-inf"), bound(e.Hi, "inf"), needs)
}
