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
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/hitoku/hitoku/certificate"
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
	// TimeLimit stops the search; 0 means none. Where there is no pattern yet one is found beyond it, whatever it costs.
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
	// Start, if set, is a pattern over all cells that is believed to be protected.
	// Where the exact check agrees the search begins with it instead of building a
	// pattern, else Start is ignored. Of published cells and those withheld in any case
	// it says nothing.
	Start []bool
	// First stops the search at the first pattern better than Start: a cheaper one
	// or, with Canonical, one as cheap and before it in the canonical order. Status is
	// then Feasible, unless that pattern turned out Optimal. Where there is none, Start is
	// returned as Optimal. First has no effect where Start is ignored.
	First bool
	// Memory, if set, is where the run takes from and puts what it learns about tables with the
	// same relations.
	Memory *Memory
	// Seed seeds the random choices of the improvement of patterns. The same seed gives the same
	// run; another may lead to another of several cheapest patterns (not with Canonical), and
	// where a limit stops the search to a dearer or cheaper one.
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

// A Status says what Suppress proved.
type Status string

const (
	Optimal       Status = "optimal"       // Pattern is a cheapest protected pattern, the canonical one if asked for
	Feasible      Status = "feasible"      // Pattern is protected, Bound ≤ optimum (gap or limit)
	Unprotectable Status = "unprotectable" // no pattern protects the table; see UnprotectableError
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
	// FirstSeconds is the time to the first protected pattern, Seconds the
	// whole run.
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
var ErrNoSolution = errors.New("solver: stopped before a protected pattern was found")

// An UnprotectableError names a cell that stays exposed although every cell that
// may be withheld is. Lo, Hi is its widest interval (nil: infinite), in units of
// 10^−Decimals like the levels. Where Defence is set, what is public alone shows it, so that
// neither Value nor LPL and UPL have a part in it, and an end may be nil for not known.
type UnprotectableError struct {
	Table         string
	Cell          string
	Value         int64
	Lo, Hi        *big.Rat
	LPL, UPL, SPL int64
	Decimals      int
	Strict        bool
	Defence       string // the kind of defence (package defence) whose pattern was asked for; "" for none

	why []*certificate.Level // duals that may show it
}

func (e *UnprotectableError) Error() string {
	bound := func(r *big.Rat, inf string) string {
		if r == nil {
			return inf
		}
		return table.FormatRat(r, e.Decimals)
	}
	if e.Defence != "" {
		at := "at least"
		if e.Strict {
			at = "more than"
		}
		return fmt.Sprintf("table %s: no %s pattern protects cell %s: with everything withheld that may be, what is public puts it in [%s, %s], width must be %s %s",
			e.Table, e.Defence, e.Cell, bound(e.Lo, "−∞"), bound(e.Hi, "∞"), at, table.FormatDecimal(e.SPL, e.Decimals))
	}
	var needs []string
	if e.LPL > 0 || e.UPL > 0 {
		needs = append(needs, fmt.Sprintf("[%s, %s]", table.FormatDecimal(e.Value-e.LPL, e.Decimals), table.FormatDecimal(e.Value+e.UPL, e.Decimals)))
	}
	if e.Strict {
		needs = append(needs, "a width of more than "+table.FormatDecimal(e.SPL, e.Decimals))
	} else if e.SPL > 0 {
		needs = append(needs, "a width of at least "+table.FormatDecimal(e.SPL, e.Decimals))
	}
	need := strings.Join(needs, " and ")
	return fmt.Sprintf("table %s: cell %s cannot be protected: widest interval [%s, %s], need %s; relax its protection level or allow more cells to be withheld",
		e.Table, e.Cell, bound(e.Lo, "-inf"), bound(e.Hi, "inf"), need)
}
