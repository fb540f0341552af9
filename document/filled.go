package document

// A Filled is what hitoku fill prints: a table in which withheld cells have numbers.
type Filled struct {
	Head    `kind:"fill/1" doc:"a published table with a number for every withheld cell"`
	Table   string       `json:"table" doc:"name of the table"`
	Cells   int          `json:"cells"`
	Nearest bool         `json:"nearest" doc:"it is proved that no table is nearer to what was aimed at"`
	Seed    *uint64      `json:"seed,omitempty" doc:"that drew what was aimed at; absent: the middles of the intervals"`
	LP      string       `json:"lp" doc:"LP back end"`
	Seconds float64      `json:"seconds"`
	Version string       `json:"version" doc:"of hitoku"`
	Filled  []FilledCell `json:"filled" doc:"cells filled"`
}

// A FilledCell is one of them. Its number is one of those that agree with what is published, and no estimate.
type FilledCell struct {
	Cell  string   `json:"cell" doc:"its codes joined with /, or its index"`
	Codes []string `json:"codes,omitempty" doc:"where the table has dimensions"`
	Value Exact    `json:"value"`
	Lower Exact    `json:"lower" doc:"least value that agrees with what is published; null where there is none"`
	Upper Exact    `json:"upper" doc:"largest such value"`
}
