package protect

import (
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/protect/ledger"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// Options are what a run has beside its policy. The zero value and nil will do for policies
// that name no file and need no secret.
type Options struct {
	Workers     int            // goroutines; 0 means GOMAXPROCS. The result does not depend on it
	Certificate bool           // ask for Solution.Certificate
	Memory      *solver.Memory // of runs before; used by canonical searches, which it does not change
	// Punctual ends a search at the time limit of the policy even where there is no pattern yet, as in solver.Options.
	Punctual bool
	// NoSuperfluous leaves out Result.Superfluous, which without a time limit may take as long as an audit of all cells.
	NoSuperfluous bool
	// Start is a pattern over Result.Table that may be protected, as in solver.Options.
	Start []bool
	// Found is a solution over Result.Table of a run before, which is taken for what a search would find and audited as ever. Where the policy
	// asks for more than intervals, which that audit is about, it is an error.
	Found *solver.Solution

	// Say gets every remark when it is made. All are in Result.Remarks, too.
	Say func(Remark)
	// Progress is called now and then, in the audit from several goroutines.
	Progress func(Progress)
	// Joined gets what several tables make together before the policy is applied. Its
	// error ends the run.
	Joined func(*table.Table) error

	// Apriori reads the file that a policy names, for a table of so many dimensions, Weights
	// an older, public table, of PublicWeights or Prefer.
	Apriori func(file, separator string, dims int) (*argus.Apriori, error)
	Weights func(file string) (*table.Table, error)
	// Ledger reads what Published, Ledger and Relations of a policy name.
	Ledger func(*Policy) (*ledger.Set, error)
	// Secret returns the 256 random bits of the defence random, and of the ends of intervals where they are drawn (Policy.Draws). It is
	// asked when they are needed.
	Secret func() ([32]byte, error)
}

// own returns a copy in which Say and Progress can be called.
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

// A Stage is one of those of a run that take time.
type Stage int

// The stages.
const (
	Searching Stage = iota // Progress.Search tells of it
	Defending              // Done and Total are cells, of the defence random orders
	Auditing               // Done and Total are cells
)

// A Progress tells how far a run has come.
type Progress struct {
	Stage       Stage
	Begin       bool // the stage begins, and nothing else is told
	Table       *table.Table
	Search      solver.Progress
	Done, Total int
}
