package protect

import (
	"time"

	"github.com/hitoku/hitoku/attack/defence"
	"github.com/hitoku/hitoku/protect/guard"
	"github.com/hitoku/hitoku/protect/ledger"
	"github.com/hitoku/hitoku/table"
)

// A Policy is everything that an office decides before it protects a table, as data: with the table and, for the
// defence random, the secret, it reproduces a run. It holds no secret. The zero value takes the sensitive cells, levels
// and costs of the input (or the values as costs) and searches for a cheapest pattern.
//
// Fields tells, for every field, its name in files and flags, its permitted values and what it combines with. nil, 0,
// "" and false are the defaults.
type Policy struct {
	// Below makes cells with 1 ≤ contributors < Below sensitive, with ZerosSensitive also cells without contributors.
	// 0: no such rule.
	Below          int64
	ZerosSensitive bool
	// Rules are primary rules in τ-ARGUS notation. Those of the next fields apply as well; Q of PPercent is 100.
	Rules                   *table.Rules
	Dominance               []table.Dominance
	PPercent, PQ            []table.PQ
	Measure                 []table.Measure
	Absolute                bool           // compare contributions with their absolute total, if values may be negative
	MinFreq, MinRespondents *table.MinFreq // the latter counts respondents
	Zero, Manual            *table.Decimal

	// Apriori names a τ-ARGUS apriori file that changes single cells, "" for none.
	Apriori                      string
	AprioriSeparator             string
	AprioriIgnore, AprioriExpand bool

	// Publish and Withhold name cells (codes joined with "/", or their JSON array) that somebody has decided to publish
	// or withhold, whatever their costs and the input say. A sensitive cell cannot be published.
	Publish, Withhold []string
	// Prefer names a file with the table as last published, "" for none: the cost of a cell with a value in it is
	// multiplied by preferPublished, that of one withheld in it by preferWithheld.
	Prefer string

	// Published names what is published already: files and folders, PERIOD=FILE for those of another period. Ledger is
	// a file with a ledger.Book, Relations are files of sums (ledger.ReadSums). They are protected together with the
	// table as one problem. Period and At ("DIM=CODE") place the table in dimensions that it lacks; Change bounds how
	// much a value moves from one period to the next. With Lost, sensitive cells that these files disclose already are
	// given up; otherwise they are an error.
	Published []string
	Ledger    string
	Relations []string
	Period    string
	At        []string
	Change    []ledger.Change
	Lost      bool

	// LPL, UPL and Width are the levels of sensitive cells that have none of their own. With Strict, widths must be
	// exceeded.
	LPL, UPL, Width *table.Level
	Strict          bool
	// LevelsAsGiven asks for no protection of sensitive cells without levels, like τ-ARGUS. By default they are guarded
	// against exact disclosure.
	LevelsAsGiven bool
	// Lower and Upper are bounds that everybody knows for all cells; nil: the bounds of the input, else [0, ∞).
	Lower, Upper *table.Decimal

	Cost    Cost
	Margins Margins

	// Effort is quick (a good pattern in seconds, see modular.Quick, with whatever bound is available), normal ("") or
	// proof (exact search of the whole table, whatever its size, until the gap is closed).
	Effort string
	// Method is exact, modular or auto (""): modular above autoCells cells.
	Method    string
	Canonical bool    // as in solver.Options
	Gap       float64 // as in solver.Options
	// TimeLimit limits the search, measured in work as in solver.Options; 0 for none.
	TimeLimit time.Duration
	LP        string // back end; "": simplex

	// Partial publishes intervals instead of marks (package methods/partial). MaxWidth is the largest width, nil for
	// none. PartialCost is relative ("") or absolute: an interval as wide as its value, or as wide as 1, costs the cost
	// of the cell.
	Partial     bool
	Ends        Ends
	MaxWidth    *table.Level
	PartialCost string

	// Insiders guards against coalitions of up to Coalition (0: 1) sole contributors, each the only one of a cell.
	Insiders  bool
	Coalition int
	// Unions protects the unions of withheld cells that are sensitive by the rules above: of up to Unions cells of one
	// relation, of all of them if their sum is known, and of cells whose sum follows from several relations. With
	// UnionsPossible, also those that are sensitive only if contributors to different cells are the same. 0: none.
	Unions         int
	UnionsPossible bool
	Groups         *table.GroupRule
	// Singletons is the τ-ARGUS rule for cells with one contributor. MinFreq −1 stands for the m of the rules above.
	Singletons *guard.SingletonRule

	// Defence is "" for none; the fields below are its parameters, as in defence.Options, where 0 and "" mean the
	// default. PublicWeights names a file with an older table. DefenceSeed is the seed of the orders, which may be
	// public.
	Defence, DefenceOver defence.Kind
	PublicWeights        string
	DefenceBase          int64
	DefenceStep          int64
	DefenceOrders        int
	DefenceEpsilon       float64
	DefenceSeed          uint64
}

// A Cost is the cost of withholding a cell. The zero value keeps the costs of the table.
type Cost struct {
	Kind     string             // count, value, freq, given, power, distance or column
	Power    float64            // λ of power
	Column   string             // the column that holds the costs, already read
	Distance map[string][]int64 // by dimension ("" for all): costs at 1, 2, … steps from the nearest sensitive cell
}

// Margins say whether margins may be withheld.
type Margins struct {
	Kind   string        // withhold, publish or weight; "": publish for cross-tabs, else withhold
	Weight table.Decimal // for weight: the cost factor for each dimension in which the cell is a margin
}

// Ends say where intervals may end: at multiples of Base, at numbers with so many significant Digits, or, without
// either, at numbers with the decimals of the values. Plain: intervals surround the values themselves rather than a
// table moved by a secret draw.
type Ends struct {
	Plain  bool
	Base   *table.Decimal
	Digits int
}
