package document

// What the page of hitoku open receives about a release of microdata: first the proposal, at the end what those
// who decide are shown.

// A Proposal says what a release of a file of records may be: what its columns seem to be, and a policy to
// start with.
type Proposal struct {
	Records int           `json:"records"`
	Policy  ReleasePolicy `json:"policy"`
	Fields  []PolicyField `json:"fields"` // fields of the policy
	Steps   []PolicyField `json:"steps"`  // fields of a column
	Roles   []string      `json:"roles"`
}

// A ReleasePolicy is the policy of a release as the form of the page has it: texts by name of the field.
type ReleasePolicy struct {
	Confirmed bool              `json:"confirmed"`
	Says      map[string]string `json:"says"`
	Columns   []ReleaseColumn   `json:"columns"`
}

// A ReleaseColumn is a column of the file.
type ReleaseColumn struct {
	Name   string            `json:"name"`
	Role   string            `json:"role"`
	Reason string            `json:"reason"`
	Says   map[string]string `json:"says"`
}

// A ReleaseEvent says how many combinations of steps the search for a release has tried.
type ReleaseEvent struct {
	Done  int `json:"done"`
	Total int `json:"total"`
}

// A MadeRelease is a release that was found under a policy, attacked and judged.
type MadeRelease struct {
	Release string            `json:"release"`       // name by which calls refer to it
	Kept    bool              `json:"kept"`          // every limit is kept, so it may be saved
	Why     string            `json:"why,omitempty"` // why there is no release
	Says    []string          `json:"says,omitempty"`
	Boards  map[string]*Board `json:"boards"` // by language
}

// A Board is what those who decide are shown about a release.
type Board struct {
	Kept   bool        `json:"kept"`
	Says   string      `json:"says"`
	Only   string      `json:"only"`
	Answer []string    `json:"answer"`
	Figure BoardFigure `json:"figure"`
	Parts  []BoardPart `json:"parts"`
	Open   BoardList   `json:"open"`
}

// A BoardFigure shows shares of the records, in per cent, by groups.
type BoardFigure struct {
	Title  string      `json:"title"`
	X      string      `json:"x"`
	Groups []string    `json:"groups"`
	Kinds  []BoardKind `json:"kinds"`
}

// A BoardKind is one series of bars.
type BoardKind struct {
	Name   string    `json:"name"`
	Shares []float64 `json:"shares"`
}

// A BoardPart is a table with its title.
type BoardPart struct {
	Title   string     `json:"title"`
	Note    string     `json:"note,omitempty"`
	Head    []string   `json:"head,omitempty"`
	Numbers []int      `json:"numbers,omitempty"` // the columns that contain numbers
	Rows    [][]string `json:"rows"`
}

// A BoardList is a list with its title.
type BoardList struct {
	Title string   `json:"title"`
	Items []string `json:"items"`
}
