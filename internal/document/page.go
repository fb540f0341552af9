package document

import "encoding/json"

// The messages of the page of hitoku open beside the documents above. They are between a page and its own program, both of one version, and
// have no schema.

// An OpenTable is a table as the page shows it: cells by number.
type OpenTable struct {
	Table      string       `json:"table"` // what calls name it by
	Name       string       `json:"name"`
	Files      []OpenFile   `json:"files"`
	Dimensions []OpenTree   `json:"dimensions"`
	Cells      int          `json:"cells"`
	Relations  int          `json:"relations"`
	Coord      [][]int32    `json:"coord"` // by dimension and cell: the place in its codes
	Responses  []string     `json:"responses,omitempty"`
	Values     [][]Exact    `json:"values"` // by response and cell
	Freq       []int64      `json:"freq,omitempty"`
	Addresses  []string     `json:"addresses,omitempty"`
	Counts     bool         `json:"counts"`
	Has        OpenContents `json:"has"`
	Says       []string     `json:"says,omitempty"`  // what was remarked while reading
	Aside      []string     `json:"aside,omitempty"` // the parts of the files that are in no table, and why
}

// OpenContents says what rules can look at.
type OpenContents struct {
	Freq     bool `json:"freq"`
	Max      int  `json:"max"` // largest contributions
	Costs    bool `json:"costs"`
	Levels   bool `json:"levels"`
	Statuses bool `json:"statuses"`
	Missing  bool `json:"missing"` // some value is not known: a published table
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

// A Marking is what a policy makes of a table before anything is withheld for others.
type Marking struct {
	Status    string         `json:"status"` // a letter for each cell: s, u, z or m
	Reasons   map[int]string `json:"reasons,omitempty"`
	Sensitive int            `json:"sensitive"`
	Says      []string       `json:"says,omitempty"`
}

// A RunEvent tells how far a run has come; one of its fields is set.
type RunEvent struct {
	Search   *SearchEvent `json:"search,omitempty"`
	Auditing *Counted     `json:"auditing,omitempty"`
	Reading  *Counted     `json:"reading,omitempty"` // bytes of a file
	Says     string       `json:"says,omitempty"`
}

// A SearchEvent is a point of the curve of a search. Upper is null before the first pattern.
type SearchEvent struct {
	Seconds float64  `json:"seconds"`
	Lower   float64  `json:"lower"`
	Upper   *float64 `json:"upper"`
	Nodes   int      `json:"nodes"`
	Cuts    int      `json:"cuts"`
}

// Counted is how many of all are done.
type Counted struct {
	Done  int `json:"done"`
	Total int `json:"total"`
}

// A RunResult is a run that has ended.
type RunResult struct {
	Run      string         `json:"run"`
	Why      string         `json:"why,omitempty"` // there is no pattern
	Result   *Suppression   `json:"result"`
	Complete bool           `json:"complete"`
	Status   string         `json:"status"` // as in Marking
	Reasons  map[int]string `json:"reasons,omitempty"`
	Withheld string         `json:"withheld,omitempty"` // 1 for each cell that is, else 0
	Lost     Exact          `json:"lost"`               // the value of the cells withheld for others
	Proof    bool           `json:"proof"`              // there is a certificate
	Exposed  []int          `json:"exposed,omitempty"`  // of a table published as it is: cells disclosed or not protected
	Says     []string       `json:"says,omitempty"`
}

// An OpenCell is what is known of one cell.
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

	Interval  *AuditCell    `json:"interval,omitempty"` // of a withheld cell
	Relations []OpenSum     `json:"relations"`          // it takes part in
	Least     []OpenWitness `json:"least,omitempty"`    // a table in which it is as small as can be: the cells that differ
	Most      []OpenWitness `json:"most,omitempty"`
	Unsettled string        `json:"unsettled,omitempty"` // why something is not there
}

// An OpenSum is a relation.
type OpenSum struct {
	Name     string `json:"name"`
	Cells    int    `json:"cells"`
	Withheld int    `json:"withheld"`
}

// An OpenWitness is the value of one cell in another table that agrees with what is published.
type OpenWitness struct {
	Cell  int   `json:"cell"`
	Value Exact `json:"value"`
}

// A Guarding says what a withheld cell keeps protected.
type Guarding struct {
	Guards   []GuardedCell `json:"guards"`
	Cells    []int         `json:"cells"` // their places
	Verdict  Verdict       `json:"verdict"`
	Complete bool          `json:"complete"`
}

// A PolicyField is a field of a policy as the form of the page has it.
type PolicyField struct {
	Name    string            `json:"name"`
	Of      string            `json:"of,omitempty"`      // what it belongs to: a table of the policy, or the role of a column
	Kind    string            `json:"kind"`              // box, whole, number, list, words or text
	Range   string            `json:"range,omitempty"`   // of numbers, like [0, 1)
	Words   []string          `json:"words,omitempty"`   // that it may be; some wait for more behind a colon
	Default string            `json:"default,omitempty"` // what holds without it
	Hint    string            `json:"hint,omitempty"`    // the form of its text
	Help    map[string]string `json:"help"`              // what it does, by language
}

// A Repeat is how a run is done again without the page.
type Repeat struct {
	Command string `json:"command"`
	Policy  string `json:"policy"` // TOML
}

// An OpenSheet is a file as it lies, with what was understood of every field.
type OpenSheet struct {
	Sheet  string     `json:"sheet"`
	Rows   [][]string `json:"rows"`
	Whole  bool       `json:"whole"`            // all rows are there
	Merged [][4]int   `json:"merged,omitempty"` // top, left, bottom, right
	Parts  []OpenPart `json:"parts"`
}

// An OpenPart says what the fields of a rectangle are.
type OpenPart struct {
	What string `json:"what"` // title, unit, note, source, header, label, value, total, withheld, mark, derived or aside
	At   [4]int `json:"at"`
	Says string `json:"says,omitempty"`
}

// An OpenFileReading is a file with its sheets and what was understood.
type OpenFileReading struct {
	Words   []string    `json:"words"`
	Layout  string      `json:"layout,omitempty"` // TOML
	Sheets  []OpenSheet `json:"sheets"`
	Problem string      `json:"problem,omitempty"` // why no table is read
	Options []string    `json:"options,omitempty"` // what decides, where two readings fit
}

// Corrected are flags of reading with a correction of the layout.
type Corrected struct {
	Flags map[string][]string `json:"flags"`
}

// A Remedy is a flag with which a table may be read that is refused without it.
type Remedy struct {
	Flag  string `json:"flag"`
	Value string `json:"value"`
	Reads bool   `json:"reads"` // the table is read with it; else something else is asked then
}

// A Preset is a policy by name: of a file of the office's, or a usual one.
type Preset struct {
	Name   string          `json:"name"`
	Policy json.RawMessage `json:"policy"`
}

// OpenFields are what a form of reading chooses from.
type OpenFields struct {
	Columns    []OpenColumn `json:"columns"`    // of a file with one cell a line
	Measures   []string     `json:"measures"`   // of a layout
	Dimensions []string     `json:"dimensions"` // which may have hierarchies
}

// An OpenColumn is a column and what it is: dimension, response, value, freq, cost, status, another field, or unread.
type OpenColumn struct {
	Name string `json:"name"`
	Is   string `json:"is"`
}
