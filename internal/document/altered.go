package document

// An Altered is what all documents about tables published with changed values contain. Distances and bounds are
// sums Σ w|y − a| over all cells, where w are the costs.
type Altered struct {
	Table     string        `json:"table" doc:"name of the table"`
	Method    string        `json:"method"`
	Status    string        `json:"status" enum:"optimal,feasible,infeasible,none" doc:"optimal: no table of the kind asked for is closer; feasible: a limit came first, the table was divided, or nothing was searched for; infeasible: it is proved that there is none; none: a limit came first"`
	Engine    string        `json:"engine,omitempty"`
	Size      int           `json:"cells" doc:"number of cells"`
	Relations int           `json:"relations" doc:"number of relations"`
	Sensitive int           `json:"sensitive" doc:"cells"`
	Distance  Exact         `json:"distance" doc:"from the true table, null without a table"`
	Bound     Exact         `json:"bound" doc:"proved: no such table is closer; null where nothing is proved"`
	Changed   int           `json:"changed" doc:"cells"`
	Largest   Exact         `json:"largest" doc:"change of a cell, null without a table"`
	Mean      *float64      `json:"mean" doc:"change of a cell, without its sign"`
	Hellinger *float64      `json:"hellinger" doc:"Hellinger distance of the two tables, each divided by its sum: 0 if they are the same, at most 1; null where values are negative"`
	Broken    int           `json:"broken" doc:"relations that do not hold any more"`
	Nodes     int           `json:"nodes,omitempty"`
	Cuts      int           `json:"cuts,omitempty" doc:"rows by which levels were asked for"`
	Seconds   float64       `json:"seconds"`
	LP        string        `json:"lp"`
	Learned   *Learned      `json:"learned,omitempty" doc:"by a reader of the published values; absent where no cell is sensitive and --intervals is not given"`
	Values    []ChangedCell `json:"values" doc:"all cells; empty without a table"`
}

// A ChangedCell is a cell of a table published with changed values.
type ChangedCell struct {
	Cell      string   `json:"cell" doc:"its codes joined with /, or its index"`
	Codes     []string `json:"codes,omitempty" doc:"where the table has dimensions"`
	Value     Exact    `json:"value" doc:"true"`
	Published Exact    `json:"published"`
}

// Learned says between which exact bounds a reader can place true values.
type Learned struct {
	Verdict   Verdict       `json:"verdict" enum:"protected,unprotected,unsettled" doc:"of the sensitive cells"`
	Engine    string        `json:"engine"`
	Intruder  *Intruder     `json:"intruder,omitempty" doc:"what is supposed of the reader"`
	Disclosed int           `json:"disclosed" doc:"cells of those listed whose value a reader computes"`
	Cells     []LearnedCell `json:"cells" doc:"the sensitive cells, with --intervals all"`
}

// A LearnedCell is a cell as a reader sees it.
type LearnedCell struct {
	Interval
	Published Exact `json:"published"`
	Sensitive bool  `json:"sensitive"`
	Protected bool  `json:"protected" doc:"its levels are kept"`
	Disclosed bool  `json:"disclosed" doc:"lower is upper"`
}

// A Rounding is what hitoku round prints.
type Rounding struct {
	Head `kind:"round/1" doc:"a table of rounded values that still adds up"`
	Altered
	Base    Exact  `json:"base"`
	Allowed int    `json:"steps" doc:"how many multiples beyond its two nearest a cell was allowed to lie in the end"`
	Steps   int    `json:"largest-step" doc:"how many the farthest lies"`
	Fewer   string `json:"fewer,omitempty" enum:"infeasible,none" doc:"where steps is above 0: whether it is proved that there is no rounding with fewer, or not known"`
}

// An Adjustment is what hitoku adjust prints.
type Adjustment struct {
	Head `kind:"adjust/1" doc:"a table whose sensitive cells have other values and which still adds up"`
	Altered
	Levels []MovedCell `json:"levels" doc:"the sensitive cells; empty without a table"`
}

// A MovedCell is a sensitive cell of an adjusted table.
type MovedCell struct {
	ChangedCell
	Up   Exact `json:"up" doc:"how far above the value it had to be, if not below"`
	Down Exact `json:"down" doc:"how far below, if not above"`
	Kept bool  `json:"kept"`
}
