package document

// A CellStatus says why a cell is withheld.
type CellStatus string

// The statuses of withheld cells.
const (
	SensitiveCell CellStatus = "sensitive"
	SecondaryCell CellStatus = "secondary"
	WithheldCell  CellStatus = "withheld"
)

func (CellStatus) enum() []string { return []string{"sensitive", "secondary", "withheld"} }

// A PatternCell is a cell of a pattern.
type PatternCell struct {
	Cell     string     `json:"cell" doc:"its codes joined with /, or its index"`
	Codes    []string   `json:"codes,omitempty" doc:"where the table has dimensions"`
	Status   CellStatus `json:"status" doc:"sensitive: it is to be protected; secondary: it protects others; withheld: the input or a decision by hand withholds it"`
	Reason   string     `json:"reason,omitempty" doc:"of a sensitive cell: the rule"`
	Value    Exact      `json:"value" doc:"null where it is not known"`
	Cost     Exact      `json:"cost" doc:"of withholding it, as the search counts it"`
	LPL      Exact      `json:"lpl" doc:"lower protection level; null where the cell is not sensitive"`
	UPL      Exact      `json:"upl" doc:"upper protection level"`
	SPL      Exact      `json:"spl" doc:"sliding protection level: least width"`
	Interval *Span      `json:"interval,omitempty" doc:"feasibility interval, with --intervals"`

	Published *Span `json:"published,omitempty" doc:"with --partial: the interval that is published in place of the value"`
}
