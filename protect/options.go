package protect

import (
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/protect/ledger"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// Options are what a run needs besides its policy. The zero value or nil suffices for policies that name no file and
// need no secret.
type Options struct {
	Workers     int            // goroutines; 0 means GOMAXPROCS. They do not affect the result
	Certificate bool           // ask for Solution.Certificate
	Memory      *solver.Memory // of earlier runs; canonical searches use it, and their result does not depend on it
	// Punctual ends a search at the policy's time limit even without a pattern, as in solver.Options.
	Punctual bool
	// NoSuperfluous skips Result.Superfluous, which without a time limit may take as long as an audit of all cells.
	NoSuperfluous bool
	// Start is a pattern over Result.Table that may be protected, as in solver.Options.
	Start []bool
	// Found is a solution over Result.Table from an earlier run. It replaces the search and is audited as usual. It is
	// an error if the policy asks for more than intervals, as the audit covers only these.
	Found *solver.Solution

	// Say is called with every remark when it is made; Result.Remarks also holds them all.
	Say func(Remark)
	// Progress is called from time to time, during the audit from several goroutines.
	Progress func(Progress)
	// Joined is called with the table that several inputs make together, before the policy is applied. An error ends
	// the run.
	Joined func(*table.Table) error

	// Apriori reads the apriori file of a policy, for a table with dims dimensions; Weights reads the table of
	// PublicWeights or Prefer.
	Apriori func(file, separator string, dims int) (*argus.Apriori, error)
	Weights func(file string) (*table.Table, error)
	// Ledger reads the files that Published, Ledger and Relations of a policy name.
	Ledger func(*Policy) (*ledger.Set, error)
	// Secret returns the 256 random bits for the defence random and for interval ends that are drawn (Policy.Draws). It
	// is called only when needed.
	Secret func() ([32]byte, error)
}

// own returns a copy with Say and Progress set, so that both can always be called.
func (o *Options) own() *Options {
	var c Options
	if o != nil {
		c = *o
	}
	if c.Say == nil {
		c.Say = func(Remark) {}
	}
	if c.Progress == nil {
		c.Progress = func(Progress) {}
	}
	return &c
}

// A Stage is a stage of a run that takes time.
type Stage int

// The stages.
const (
	Searching Stage = iota // Progress.Search tells of it
	Defending              // Done and Total count cells ordered by the defence random
	Auditing               // Done and Total count cells
)

// A Progress reports how far a run has come.
type Progress struct {
	Stage       Stage
	Begin       bool // the stage begins; no other field is set
	Table       *table.Table
	Search      solver.Progress
	Done, Total int
}
