package document

// A Migration is what hitoku arb --compare prints.
type Migration struct {
	Head      `kind:"migration/1" doc:"what batch files of τ-ARGUS give here, beside the outputs that τ-ARGUS wrote"`
	Mark      string          `json:"mark" doc:"whom the document is for"`
	Folder    string          `json:"folder" doc:"of the outputs of τ-ARGUS"`
	Verdict   string          `json:"verdict" enum:"same,different,open" doc:"same: all outputs are, but for the choice of secondary cells; open: nothing differs, but not every output was compared"`
	Same      int             `json:"same" doc:"outputs"`
	Different int             `json:"different" doc:"outputs"`
	Open      int             `json:"open" doc:"outputs that were not compared"`
	Batches   []MigratedBatch `json:"batches"`
	Version   string          `json:"version" doc:"of hitoku"`
}

// A MigratedBatch is one batch file.
type MigratedBatch struct {
	Batch   string            `json:"batch"`
	Failed  string            `json:"failed,omitempty" doc:"why it could not be carried out to its end"`
	Seconds float64           `json:"seconds" doc:"of its searches here, by the clock"`
	Outputs []*MigratedOutput `json:"outputs" doc:"in the order of its commands WRITETABLE"`
}

// A MigratedOutput compares an output of τ-ARGUS with what hitoku writes in its place.
type MigratedOutput struct {
	Line      int              `json:"line" doc:"of the batch"`
	File      string           `json:"file" doc:"of τ-ARGUS, as the batch names it where it was not found"`
	Verdict   string           `json:"verdict" enum:"same,different,open"`
	Why       string           `json:"why,omitempty" doc:"it was not compared"`
	Type      int              `json:"type,omitempty" doc:"of output"`
	Again     bool             `json:"again,omitempty" doc:"of a table and a pattern that an earlier output has, and so not in sums"`
	Cells     int              `json:"cells" doc:"that are not empty"`
	Seconds   float64          `json:"seconds" doc:"of the search here, by the clock; of tables that are protected together of all"`
	Shared    int              `json:"secondary_shared" doc:"secondary cells of both"`
	Here      *MigratedPattern `json:"hitoku,omitempty"`
	There     *MigratedPattern `json:"tauargus,omitempty"`
	Different []Differing      `json:"differences,omitempty" doc:"of what the choice of secondary cells leaves the same"`
}

// A MigratedPattern summarises what one program withholds.
type MigratedPattern struct {
	Primary     int        `json:"primary" doc:"sensitive cells that are withheld"`
	Secondary   int        `json:"secondary" doc:"other cells that are withheld"`
	Cost        Exact      `json:"cost" doc:"of all withheld cells, as the batch prices them"`
	Unprotected int        `json:"unprotected" doc:"sensitive cells that are not shown to keep the levels of the rules, in exact arithmetic"`
	Cells       [][]string `json:"cells,omitempty" doc:"codes of the unprotected cells, at most 20"`
}

// Differing counts the differences of one kind.
type Differing struct {
	Kind  string          `json:"kind" enum:"value,contributors,primary,status,missing,unread" doc:"primary: sensitive in one output only, or by another rule; status: of cells that neither withholds; missing: no line tells of the cell; unread: a line that tells of no cell of the table"`
	Count int             `json:"count"`
	First []DifferingCell `json:"first" doc:"at most 20"`
}

// A DifferingCell is one difference.
type DifferingCell struct {
	Line  int      `json:"line,omitempty" doc:"of the output of τ-ARGUS"`
	Codes []string `json:"codes,omitempty"`
	Here  string   `json:"hitoku,omitempty"`
	There string   `json:"tauargus,omitempty"`
	Why   string   `json:"why,omitempty" doc:"the line could not be read"`
}
