package document

import "encoding/json"

// A Session is what a page of hitoku open has open and what was decided there, as it is saved to a file. It is
// for the office only.
type Session struct {
	Head     `kind:"session/1"`
	Version  string          `json:"version"` // version of the program
	Saved    string          `json:"saved"`   // time of saving, RFC 3339
	Files    []SessionFile   `json:"files"`   // the page refers to them by order as f0, f1, …
	Page     json.RawMessage `json:"page,omitempty"`
	Runs     []SessionRun    `json:"runs"` // referred to as r0, r1, …
	Approval *Approval       `json:"approval,omitempty"`
	Log      []SessionLine   `json:"log"`
}

// A SessionFile is a file of the user: its name, hash and path. For a layout or policy that the page uses, it
// includes the content.
type SessionFile struct {
	Name   string `json:"name"`
	Path   string `json:"path,omitempty"` // empty for a file that the browser provided
	SHA256 string `json:"sha256"`
	Text   string `json:"text,omitempty"`
}

// A SessionRun is a run: its tables, its policy, and what was found.
type SessionRun struct {
	RunResult
	Tables []string            `json:"tables"` // names of the files
	Flags  map[string][]string `json:"flags"`
	Policy json.RawMessage     `json:"policy"`
}

// An Approval says that a person has approved the files of a run that somebody else prepared.
type Approval struct {
	Run      string         `json:"run"`
	Prepared string         `json:"prepared"` // the person who prepared them
	By       string         `json:"by"`
	At       string         `json:"at"`
	Files    []ApprovedFile `json:"files"`
	Ledger   string         `json:"ledger,omitempty"` // the command that adds it to the list of releases
}

// An ApprovedFile is a protected file as it was approved.
type ApprovedFile struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// A SessionLine records one action: opened, protected, decided, approved or saved.
type SessionLine struct {
	At   string `json:"at"`
	What string `json:"what"`
	Of   string `json:"of,omitempty"` // the file, run or cell that it concerned
	Says string `json:"says,omitempty"`
	By   string `json:"by,omitempty"`
}

// A SessionState is the state of a session from which the page continues.
type SessionState struct {
	// Revision counts changes, so that a page with an older one knows that it has missed some.
	Revision int             `json:"revision"`
	Path     string          `json:"path,omitempty"`
	Page     json.RawMessage `json:"page,omitempty"`
	Runs     []SessionRun    `json:"runs"`
	Releases []string        `json:"releases"` // releases of microdata that can be saved
	Approval *Approval       `json:"approval"`
	Strict   bool            `json:"strict"` // nothing is published without approval
	Log      []SessionLine   `json:"log"`
	Missing  []SessionFile   `json:"missing,omitempty"` // files of the session that are missing or have changed
	Earlier  string          `json:"earlier,omitempty"` // when an earlier session with the same files was left
}

// A Dropped says what a file is that was given to the page: a table, a policy, a release (a policy for one), a
// layout or a session.
type Dropped struct {
	Kind    string          `json:"kind"`
	Policy  json.RawMessage `json:"policy,omitempty"`
	Release *ReleasePolicy  `json:"release,omitempty"`
}
