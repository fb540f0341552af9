package document

import "encoding/json"

// The messages of the page of hitoku open other than the documents above. Only the page and its own program
// exchange them, both of the same version, so they have no schema.

// An OpenTable is a table as the page shows it, with its cells by number.
type OpenTable struct {
	Table      string       `json:"table"` // name by which calls refer to it
	Name       string       `json:"name"`
	Files      []OpenFile   `json:"files"`
	Dimensions []OpenTree   `json:"dimensions"`
	Cells      int          `json:"cells"`
	Relations  int          `json:"relations"`
	Coord      [][]int32    `json:"coord"` // for each dimension and cell, an index into its codes
	Responses  []string     `json:"responses,omitempty"`
	Values     [][]Exact    `json:"values"` // for each response and cell
	Freq       []int64      `json:"freq,omitempty"`
	Addresses  []string     `json:"addresses,omitempty"`
	Counts     bool         `json:"counts"`
	Has        OpenContents `json:"has"`
	Says       []string     `json:"says,omitempty"`  // remarks made while reading
	Aside      []string     `json:"aside,omitempty"` // parts of the files that are in no table, and why
}

// OpenContents says what a table has that rules can use.
type OpenContents struct {
	Freq     bool `json:"freq"`
	Max      int  `json:"max"` // number of largest contributions
	Costs    bool `json:"costs"`
	Levels   bool `json:"levels"`
	Statuses bool `json:"statuses"`
	Missing  bool `json:"missing"` // some value is not known: the table has been published
}

// An OpenFile is one file of a table.
type OpenFile struct {
	Name   string `json:"name"`
	Format string `json:"format"`
}

// An OpenTree is a dimension: the parent of each code, −1 for the total.
type OpenTree struct {
	Name    string   `json:"name"`
	Codes   []string `json:"codes"`
	Parent  []int32  `json:"parent"`
	Labels  []string `json:"labels,omitempty"`
	NoTotal bool     `json:"no_total,omitempty"`
}

// A Marking is the result of a policy's rules for a table, before anything is withheld to protect other cells.
type Marking struct {
	Status    string         `json:"status"` // one letter for each cell: s, u, z or m
	Reasons   map[int]string `json:"reasons,omitempty"`
	Sensitive int            `json:"sensitive"`
	Says      []string       `json:"says,omitempty"`
}

// A RunEvent reports the progress of a run; one of its fields is set.
type RunEvent struct {
	Search   *SearchEvent `json:"search,omitempty"`
	Auditing *Counted     `json:"auditing,omitempty"`
	Reading  *Counted     `json:"reading,omitempty"` // bytes of a file
	Says     string       `json:"says,omitempty"`
}

// A SearchEvent is a point on the curve of a search. Upper is null before the first pattern.
type SearchEvent struct {
	Seconds float64  `json:"seconds"`
	Lower   float64  `json:"lower"`
	Upper   *float64 `json:"upper"`
	Nodes   int      `json:"nodes"`
	Cuts    int      `json:"cuts"`
}

// Counted says how many of all are done.
type Counted struct {
	Done  int `json:"done"`
	Total int `json:"total"`
}

// A RunResult is a run that has ended.
type RunResult struct {
	Run      string         `json:"run"`
	Why      string         `json:"why,omitempty"` // why there is no pattern
	Result   *Suppression   `json:"result"`
	Complete bool           `json:"complete"`
	Status   string         `json:"status"` // as in Marking
	Reasons  map[int]string `json:"reasons,omitempty"`
	Withheld string         `json:"withheld,omitempty"` // one digit for each cell: 1 if it is withheld, else 0
	Lost     Exact          `json:"lost"`               // sum of the values of the cells withheld to protect others
	Proof    bool           `json:"proof"`              // there is a certificate
	// Exposed lists, for a table published as it is, the cells disclosed or not protected.
	Exposed []int    `json:"exposed,omitempty"`
	Says    []string `json:"says,omitempty"`
}

// An OpenCell is what is known about one cell.
type OpenCell struct {
	Index    int      `json:"index"`
	Codes    []string `json:"codes"`
	Labels   []string `json:"labels,omitempty"`
	Address  string   `json:"address,omitempty"`
	Status   string   `json:"status"`
	Reason   string   `json:"reason,omitempty"`
	Withheld bool     `json:"withheld"`
	Freq     *int64   `json:"freq,omitempty"`
	Max      []Exact  `json:"max,omitempty"`
	Cost     Exact    `json:"cost"`
	Rules    []string `json:"rules,omitempty"` // in words

	Interval  *AuditCell `json:"interval,omitempty"` // of a withheld cell
	Relations []OpenSum  `json:"relations"`          // the relations that contain it
	// Least is a table in which it is as small as possible: the cells that differ.
	Least     []OpenWitness `json:"least,omitempty"`
	Most      []OpenWitness `json:"most,omitempty"`
	Unsettled string        `json:"unsettled,omitempty"` // why something is missing
}

// An OpenSum is a relation.
type OpenSum struct {
	Name     string `json:"name"`
	Cells    int    `json:"cells"`
	Withheld int    `json:"withheld"`
}

// An OpenWitness is the value of a cell in another table that is consistent with what is published.
type OpenWitness struct {
	Cell  int   `json:"cell"`
	Value Exact `json:"value"`
}

// A Guarding says which cells a withheld cell keeps protected.
type Guarding struct {
	Guards   []GuardedCell `json:"guards"`
	Cells    []int         `json:"cells"` // their numbers
	Verdict  Verdict       `json:"verdict"`
	Complete bool          `json:"complete"`
}

// A PolicyField is a field of a policy as the form of the page has it.
type PolicyField struct {
	Name string `json:"name"`
	// Of is the table of the policy, or the role of columns, that it belongs to.
	Of      string            `json:"of,omitempty"`
	Kind    string            `json:"kind"`              // box, whole, number, list, words or text
	Range   string            `json:"range,omitempty"`   // range of a number, such as [0, 1)
	Words   []string          `json:"words,omitempty"`   // the words allowed; some need more after a colon
	Default string            `json:"default,omitempty"` // what holds if it is not given
	Hint    string            `json:"hint,omitempty"`    // the form of its text
	Help    map[string]string `json:"help"`              // what it does, by language
}

// A Repeat says how to repeat a run without the page.
type Repeat struct {
	Command string `json:"command"`
	Policy  string `json:"policy"` // TOML
}

// An OpenSheet is the content of a file as it is, with what each field was understood to be.
type OpenSheet struct {
	Sheet  string     `json:"sheet"`
	Rows   [][]string `json:"rows"`
	Whole  bool       `json:"whole"`            // all rows are included
	Merged [][4]int   `json:"merged,omitempty"` // top, left, bottom, right
	Parts  []OpenPart `json:"parts"`
}

// An OpenPart says what the fields of a rectangle are.
type OpenPart struct {
	What string `json:"what"` // title, unit, note, source, header, label, value, total, withheld, mark, derived or aside
	At   [4]int `json:"at"`
	Says string `json:"says,omitempty"`
}

// An OpenFileReading is a file with its sheets and how they were understood.
type OpenFileReading struct {
	Words   []string    `json:"words"`
	Layout  string      `json:"layout,omitempty"` // TOML
	Sheets  []OpenSheet `json:"sheets"`
	Problem string      `json:"problem,omitempty"` // why no table could be read
	Options []string    `json:"options,omitempty"` // options that decide between two possible readings
}

// Corrected is the flags for reading with a corrected layout.
type Corrected struct {
	Flags map[string][]string `json:"flags"`
}

// A Remedy is a flag with which a table that was refused may be read.
type Remedy struct {
	Flag  string `json:"flag"`
	Value string `json:"value"`
	Reads bool   `json:"reads"` // the table is read with it; otherwise there is a further question
}

// A Preset is a policy with a name: from one of the office's files, or a common one.
type Preset struct {
	Name   string          `json:"name"`
	Policy json.RawMessage `json:"policy"`
}

// OpenFields are the choices in a form about reading.
type OpenFields struct {
	Columns    []OpenColumn `json:"columns"`    // of a file with one line for each cell
	Measures   []string     `json:"measures"`   // of a layout
	Dimensions []string     `json:"dimensions"` // dimensions that may have hierarchies
}

// An OpenColumn is a column and what it is: dimension, response, value, freq, cost, status, another field, or
// unread.
type OpenColumn struct {
	Name string `json:"name"`
	Is   string `json:"is"`
}
