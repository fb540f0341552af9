// Package solver finds a cheapest set of cells to withhold from a table so that
// every sensitive cell is protected, with proof.
//
// The method is Benders decomposition (Fischetti and Salazar, Management Science 47(7), 2001). A pattern x protects a
// cell k if the intruder's linear program reaches its level; if it does not, the dual of that program is an inequality
// that every protected pattern satisfies,
//
//	Σ (α_i U_i + β_i L_i) x_i ≥ UPL_k,
//
// and x violates. The master is a linear program over x alone with such cuts; branching makes x integral, its optimum
// is the bound, and the answer is the cheapest pattern whose levels are all met by witness tables in exact arithmetic.
//
// Calling [Suppress] with a table and nil options suffices; package protect has the whole procedure of an office, from
// the rules to the audit. If ctx ends a call, it returns what it has and an error that wraps ctx.Err(); reaching a
// limit of the options is not an error, and Status tells what is proved. The package opens no file. docs/method.md has
// the mathematics, docs/solver.md the techniques that paid.
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
	// LP names the back end for linear programs, as registered with package lp. Empty means "simplex". Two-way tables
	// need none for the intruder's problem, but the master is always a linear program.
	LP string
	// Workers is the number of goroutines; 0 means GOMAXPROCS. The pattern does not depend on it.
	Workers int
	// TimeLimit stops the search after an amount of work that takes one processor about that long; 0 means no limit.
	// Work is counted (internal/work), so the result depends neither on the machine and its load nor on Workers. If
	// there is no pattern by then, one is found beyond the limit, whatever its cost.
	TimeLimit time.Duration
	// Punctual ends the call at TimeLimit even without a pattern, with Status None.
	Punctual bool
	// Gap stops the search once (upper − lower)/max(1, upper) ≤ Gap. Zero asks for a proof of optimality. Must be in
	// [0, 1).
	Gap float64
	// Canonical asks for the optimum whose pattern is lexicographically smallest in cell order, whatever the back end:
	// of two patterns the smaller one publishes the first cell in which they differ.
	Canonical bool
	// Certificate asks for Solution.Certificate. Nodes are then pruned by exact sums only and columns fixed at the root
	// alone, so the search may take another path.
	Certificate bool
	// Start, if set, is a pattern over all cells that is believed to be protected. If it passes the exact check, the
	// search begins with it instead of building one; otherwise it is ignored. Entries of cells that must be published
	// or are always withheld have no effect.
	Start []bool
	// First stops the search at the first pattern better than Start: a cheaper one or, with Canonical, an equally cheap
	// one that precedes it in canonical order. Status is then Feasible, unless that pattern is proved Optimal. If there
	// is none, Start is returned as Optimal. Without a Start, the search stops at the first pattern of all. If Start is
	// ignored, First has no effect.
	First bool
	// Memory, if set, holds what earlier runs learnt about tables with the same relations; the run uses it and adds to
	// it.
	Memory *Memory
	// Seed seeds the random choices of the heuristics. The same seed gives the same run; another may give another of
	// several cheapest patterns (not with Canonical) or, if a limit stops the search, one of another cost.
	Seed uint64
	// Progress, if set, is called from one goroutine from time to time.
	Progress func(Progress)

	off   techniques
	nodes int // limit on the number of nodes; 0 for none
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
	Infeasible    Status = "infeasible"    // not from Suppress: nothing of the kind asked for exists
	None          Status = "none"          // stopped before a protected pattern was found
)

// A Solution is what Suppress found. Cost and Bound count the secondary cells
// only, in units of 10^−CostDecimals of the table: Σ w_i x_i over cells that are
// neither sensitive nor withheld beforehand.
type Solution struct {
	Status  Status
	Pattern []bool // length n; nil if Status is None or Unprotectable
	// Witnesses show that Pattern is protected: certificate.Protects accepts them. Each secondary cell not withheld
	// beforehand is moved by one of them.
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

// An UnprotectableError names a cell that stays exposed even if every cell that may be withheld is. Lo and Hi are the
// ends of its widest interval (nil: infinite), in units of 10^−Decimals like the levels. If Defence is set, public
// numbers alone show this: Value, LPL and UPL are not used, and a nil end may also mean unknown.
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
