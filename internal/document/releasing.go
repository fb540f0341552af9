package document

// Releasing is what hitoku risk release prints.
type Releasing struct {
	Microdata `kind:"risk-release/1" doc:"a release made under a policy: the recoding and withholding of least loss that was found, attacked"`
	Policy    string      `json:"policy" text:"policy"`
	Sensitive []string    `json:"sensitive,omitempty" text:"sensitive"`
	Plain     []string    `json:"plain,omitempty" text:"published as they are" doc:"columns that no attack looks at"`
	Records   uint64      `json:"records" text:"records"`
	Released  Opt[uint64] `json:"released" text:"records released"`
	K         Opt[uint64] `json:"k" text:"k" doc:"of the release as it is written"`
	Cheapest
	Before     Exposure     `json:"before" doc:"the file"`
	After      *Exposure    `json:"after,omitempty" doc:"the release"`
	Columns    []Recoded    `json:"columns" doc:"the quasi-identifiers"`
	Attributes []Released   `json:"attributes,omitempty" doc:"the sensitive columns of the release"`
	Attacks    []Attacked   `json:"attacks,omitempty" doc:"on the release, with the file at hand"`
	Linkage    Opt[float64] `json:"largest_linkage" text:"largest chance to pick the record of a person"`
	Models     []ModelRisk  `json:"models,omitempty" doc:"of the population, side by side, where the policy has its size"`
	Changes    []Changed    `json:"changes,omitempty" doc:"what users lose"`
	Output     string       `json:"output,omitempty"`
	Written
	Judged
}

// Cheapest says what the search covered, and what the result loses.
type Cheapest struct {
	Loss  Opt[float64] `json:"loss" text:"loss, of 1" doc:"mean share, over records and quasi-identifiers, of the other values that a released one cannot be told from"`
	Bound Opt[float64] `json:"bound" text:"no choice loses less than" doc:"of those that the policy allows, whatever is withheld"`
	Local bool         `json:"local,omitempty" textif:"local recoding" doc:"coarser values in some records only"`
	Goal  uint64       `json:"goal_k" doc:"k that the search was asked for in the end: that of the policy, or more where an attack wanted it"`
	Nodes int          `json:"nodes" text:"combinations of steps"`
	Tried int          `json:"tried" textif:"of them completed by withholding"`
	Cells Opt[uint64]  `json:"cells" text:"values withheld"`
}

// An Exposure says how far records can be distinguished by their quasi-identifiers.
type Exposure struct {
	K         Opt[uint64] `json:"k"`
	Alone     uint64      `json:"alone" doc:"records"`
	Classes   uint64      `json:"classes"`
	Mean      float64     `json:"mean_risk" doc:"1/f, mean over records"`
	Histogram []SizeCount `json:"histogram" doc:"of class sizes"`
}

// Recoded says what was done to a quasi-identifier.
type Recoded struct {
	Column   string   `json:"column"`
	Step     int      `json:"step" doc:"0: as it is"`
	Said     string   `json:"said"`
	Before   int      `json:"values_before" doc:"different ones"`
	After    int      `json:"values_after"`
	Records  []uint64 `json:"records,omitempty" doc:"of a local recoding, by step from 0; step is the one it began with"`
	Withheld uint64   `json:"withheld" doc:"values"`
}

// Released says what the classes of a release tell about a sensitive column.
type Released struct {
	Column string   `json:"column"`
	L      uint64   `json:"l"`
	T      Rational `json:"t"`
}

// Roles is what hitoku risk release --propose prints.
type Roles struct {
	Measure `kind:"risk-roles/1" doc:"what the columns of a file seem to be"`
	File    string     `json:"file" text:"file"`
	Records uint64     `json:"records" text:"records"`
	Columns []Proposed `json:"columns"`
	Judged
}

// Proposed says what a column seems to be.
type Proposed struct {
	Column string `json:"column"`
	Role   string `json:"role" enum:"identifier,quasi-identifier,sensitive,plain"`
	Why    string `json:"why"`
}
