package document

// An Explanation is what hitoku explain prints: why a cell is withheld, and what would free it.
type Explanation struct {
	Head       `kind:"explain/1" doc:"what a cell of a protected table is withheld for, and what would free it"`
	Table      string        `json:"table" doc:"name of the table"`
	Cell       string        `json:"cell" doc:"its codes joined with /, or its index"`
	Codes      []string      `json:"codes,omitempty" doc:"where the table has dimensions"`
	Value      Exact         `json:"value"`
	Is         string        `json:"is" enum:"sensitive,secondary,withheld,published" doc:"in the pattern; secondary: withheld for others; withheld: as the input or a decision by hand says"`
	Reason     string        `json:"reason,omitempty" doc:"of a sensitive cell"`
	Pattern    ExplainedRun  `json:"pattern" doc:"what is explained"`
	Guards     []GuardedCell `json:"guards,omitempty" doc:"sensitive cells that miss a level if the cell is published and all else stays"`
	Sums       []Union       `json:"sums,omitempty" doc:"with unions or groups: sums of cells that miss a level if the cell is published and all else stays"`
	GuardedBy  []string      `json:"guarded_by,omitempty" doc:"cells withheld for others without which the cell, a sensitive one, misses a level"`
	GuardCodes [][]string    `json:"guarded_by_codes,omitempty" doc:"their codes, where the table has dimensions"`
	Publish    *Publishing   `json:"publish,omitempty" doc:"the cheapest pattern that publishes the cell"`
	Changes    []Change      `json:"changes,omitempty" doc:"those that free most cells first"`
	Untried    int           `json:"untried,omitempty" doc:"changes for which no time was left"`
	NoPattern  int           `json:"no_pattern,omitempty" doc:"changes without a pattern, or that the rest of the policy does not fit"`
	Seconds    float64       `json:"seconds"`
	Version    string        `json:"version" doc:"of hitoku"`
}

// An ExplainedRun is the summary of a run.
type ExplainedRun struct {
	Status    string `json:"status" enum:"optimal,feasible,unprotectable,none"`
	Cost      Exact  `json:"cost" doc:"of the secondary cells; null without a pattern"`
	Bound     Exact  `json:"bound" doc:"no protected pattern costs less"`
	Cells     int    `json:"cells"`
	Withheld  int    `json:"withheld"`
	Sensitive int    `json:"sensitive"`
}

// A GuardedCell is a sensitive cell as it would be with the other cell published.
type GuardedCell struct {
	Interval
	Disclosed bool          `json:"disclosed" doc:"lower is upper"`
	Follows   []Combination `json:"follows,omitempty" doc:"how its interval follows"`
}

// Publishing is the cheapest pattern that publishes a cell.
type Publishing struct {
	ExplainedRun
	Least            Exact    `json:"least" doc:"it costs at least so much more; null without a pattern"`
	Most             Exact    `json:"most" doc:"and at most so much; least where both searches are optimal"`
	Why              string   `json:"why,omitempty" doc:"there is no pattern"`
	WithheldBesides  []string `json:"withheld_besides,omitempty" doc:"cells that are withheld now and were not"`
	PublishedBesides []string `json:"published_besides,omitempty" doc:"cells that are published now and were not"`

	WithheldBesidesCodes  [][]string `json:"withheld_besides_codes,omitempty" doc:"their codes, where the table has dimensions"`
	PublishedBesidesCodes [][]string `json:"published_besides_codes,omitempty" doc:"their codes, where the table has dimensions"`
}

// A Change is the result of a run with one thing changed.
type Change struct {
	Kind  string `json:"kind" enum:"rule,margin,merge" doc:"rule: a parameter a step milder; margin: the totals of a dimension left out; merge: two neighbouring categories put together"`
	Field string `json:"field" doc:"of the policy, or the dimension"`
	From  string `json:"from" doc:"the parameter, the code of the total, or the first category"`
	To    string `json:"to,omitempty" doc:"the parameter, or the second category"`
	ExplainedRun
	Freed     int  `json:"freed" doc:"so many cells fewer are withheld, totals left out aside"`
	Published bool `json:"published" doc:"the cell, or the one that it is merged into, is published then"`
}
