package document

import "encoding/json"

// A Session is what a page of hitoku open has open and what was decided on it, as its file keeps it. It is for the office alone.
type Session struct {
	Head     `kind:"session/1"`
	Version  string          `json:"version"` // of the program
	Saved    string          `json:"saved"`   // when, RFC 3339
	Files    []SessionFile   `json:"files"`   // in the order by which the page calls them f0, f1, …
	Page     json.RawMessage `json:"page,omitempty"`
	Runs     []SessionRun    `json:"runs"` // in the order of r0, r1, …
	Approval *Approval       `json:"approval,omitempty"`
	Log      []SessionLine   `json:"log"`
}

// A SessionFile is a file of the user's: its name and hash, and where it lies; of a layout or policy that the page has taken, what it says.
type SessionFile struct {
	Name   string `json:"name"`
	Path   string `json:"path,omitempty"` // none of one that the browser gave
	SHA256 string `json:"sha256"`
	Text   string `json:"text,omitempty"`
}

// A SessionRun is a run: of what, under which policy, and what was found.
type SessionRun struct {
	RunResult
	Tables []string            `json:"tables"` // files
	Flags  map[string][]string `json:"flags"`
	Policy json.RawMessage     `json:"policy"`
}

// An Approval says that a person has approved the files of a run that somebody else has prepared.
type Approval struct {
	Run      string         `json:"run"`
	Prepared string         `json:"prepared"` // by whom
	By       string         `json:"by"`
	At       string         `json:"at"`
	Files    []ApprovedFile `json:"files"`
	Ledger   string         `json:"ledger,omitempty"` // the command that notes it where releases are listed
}

// An ApprovedFile is a protected file as it was approved.
type ApprovedFile struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// A SessionLine tells of one thing that was done: opened, protected, decided, approved or saved.
type SessionLine struct {
	At   string `json:"at"`
	What string `json:"what"`
	Of   string `json:"of,omitempty"` // a file, a run, a cell
	Says string `json:"says,omitempty"`
	By   string `json:"by,omitempty"`
}

// A SessionState is a session as the page goes on from it.
type SessionState struct {
	Revision int             `json:"revision"` // counts changes: a page that knows an older one has missed some
	Path     string          `json:"path,omitempty"`
	Page     json.RawMessage `json:"page,omitempty"`
	Runs     []SessionRun    `json:"runs"`
	Releases []string        `json:"releases"` // of microdata, that are there to be saved
	Approval *Approval       `json:"approval"`
	Strict   bool            `json:"strict"` // nothing is published without approval
	Log      []SessionLine   `json:"log"`
	Missing  []SessionFile   `json:"missing,omitempty"` // files that the session names and that are not there as they were
	Earlier  string          `json:"earlier,omitempty"` // when a session of the same files was left
}

// A Dropped says what a file is that was given to the page: table, policy, release (a policy for one), layout or session.
type Dropped struct {
	Kind    string          `json:"kind"`
	Policy  json.RawMessage `json:"policy,omitempty"`
	Release *ReleasePolicy  `json:"release,omitempty"`
}
