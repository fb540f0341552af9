package protect

import (
	"time"

	"github.com/hitoku/hitoku/attack/defence"
	"github.com/hitoku/hitoku/protect/guard"
	"github.com/hitoku/hitoku/protect/ledger"
	"github.com/hitoku/hitoku/table"
)

// A Policy is everything that an office decides before it protects a table, as data: with the
// table and, for the defence random, the secret, it repeats a run. It holds no secret. The zero value takes the sensitive cells and
// levels of the input, and its costs, else the values, and searches for a cheapest pattern.
//
// Fields says of every field how files and flags call it, what it may be and what it goes with; nil, 0, "" and false
// are what holds where it is not given.
type Policy struct {
	// Below makes cells with 1 ≤ contributors < Below sensitive, with ZerosSensitive
	// those with none too. 0: no such rule.
	Below          int64
	ZerosSensitive bool
	// Rules are primary rules in the words of τ-ARGUS. Those of the next fields stand beside them; Q of PPercent is 100.
	Rules                   *table.Rules
	Dominance               []table.Dominance
	PPercent, PQ            []table.PQ
	Measure                 []table.Measure
	Absolute                bool           // compare contributions with their total in absolute value, where values may be negative
	MinFreq, MinRespondents *table.MinFreq // the latter counts respondents
	Zero, Manual            *table.Decimal

	// Apriori names a τ-ARGUS file that changes single cells, "" for none.
	Apriori                      string
	AprioriSeparator             string
	AprioriIgnore, AprioriExpand bool

	// Publish and Withhold name cells, by their codes joined with / or as a JSON array of them, that somebody has decided to
	// publish or to withhold, whatever costs and the input say. A sensitive cell cannot be published.
	Publish, Withhold []string
	// Prefer names a file with the table as it was published last time: a cell with a value there costs
	// preferPublished times as much, one withheld there preferWithheld times. "" for none.
	Prefer string

	// Published names what is published already: files and folders, PERIOD=FILE for those of another period. Ledger is a file with a ledger.Book, Relations are
	// files of sums (ledger.ReadSums). What they make with the table is one problem. Period and At ("DIM=CODE") say where the
	// table stands in dimensions that it lacks, Change bounds what moves from one period to the next. With Lost
	// sensitive cells that they tell already are given up; else they are an error.
	Published []string
	Ledger    string
	Relations []string
	Period    string
	At        []string
	Change    []ledger.Change
	Lost      bool

	// LPL, UPL and Width are the levels of sensitive cells that have none. With Strict widths must be exceeded.
	LPL, UPL, Width *table.Level
	Strict          bool
	// LevelsAsGiven asks nothing for sensitive cells without any level, as τ-ARGUS does. By
	// default they are guarded against exact disclosure.
	LevelsAsGiven bool
	// Lower and Upper are what everybody knows of all cells: nil leaves the bounds of the input, else [0, ∞).
	Lower, Upper *table.Decimal

	Cost    Cost
	Margins Margins

	// Effort is quick (a good pattern in seconds, see modular.Quick, with what bound there is), normal, which is "", or
	// proof (the exact search of the whole table, of whatever size, until the gap is closed).
	Effort string
	// Method is exact, modular, or auto, which is "": modular above 20,000 cells.
	Method    string
	Canonical bool    // as in solver.Options
	Gap       float64 // as in solver.Options
	// TimeLimit is that of the search, in work as solver.Options has it; 0 for none.
	TimeLimit time.Duration
	LP        string // back end; "": simplex

	// Partial publishes intervals in place of marks (package methods/partial). MaxWidth is the largest width, nil
	// for none. PartialCost is relative, which is "", or absolute: what an interval as wide as its value, or as 1, costs
	// is the cost of the cell.
	Partial     bool
	Ends        Ends
	MaxWidth    *table.Level
	PartialCost string

	// Insiders guards against coalitions of up to Coalition (0: 1) only contributors.
	Insiders  bool
	Coalition int
	// Unions protects the sensitive unions of up to so many withheld cells of one relation, of all where the sum of these is known, and of cells whose sum follows from several
	// relations, by the rules above; with UnionsPossible those too that are sensitive only if contributors to different cells
	// are the same. 0: none.
	Unions         int
	UnionsPossible bool
	Groups         *table.GroupRule
	// Singletons is the rule of τ-ARGUS for cells with one contributor. Its MinFreq −1 is the m of the rules above.
	Singletons *guard.SingletonRule

	// Defence is "" for none; the rest are its parameters, as in
	// defence.Options, where 0 and "" mean the default. PublicWeights names a file with an
	// older table. DefenceSeed is that of the orders, which may be public.
	Defence, DefenceOver defence.Kind
	PublicWeights        string
	DefenceBase          int64
	DefenceStep          int64
	DefenceOrders        int
	DefenceEpsilon       float64
	DefenceSeed          uint64
}

// A Cost is what it costs to withhold a cell. The zero value leaves the costs of the table as they are.
type Cost struct {
	Kind     string             // count, value, freq, given, power, distance or column
	Power    float64            // λ of power
	Column   string             // the one that holds it, and has been read
	Distance map[string][]int64 // the costs 1, 2, … steps from the nearest sensitive cell, by dimension; "" for all
}

// Margins say whether margins may be withheld.
type Margins struct {
	Kind   string        // withhold, publish or weight; "": publish for cross-tabs, else withhold
	Weight table.Decimal // of weight: they may, at so many times the cost for each dimension in which the cell is one
}

// Ends say where intervals may end: at multiples of Base, or at numbers of so many significant Digits; without either
// at numbers with the decimals of the values. Plain: around the values, not around a table that a secret draw has moved.
type Ends struct {
	Plain  bool
	Base   *table.Decimal
	Digits int
}
