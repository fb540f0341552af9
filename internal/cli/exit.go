// Package cli is what all verbs of the command share: exit codes, the loop over several inputs, the version.
//
// Its subpackages are flags (values, groups of flags, reading inputs), render (printing) and the verbs: tables, risk,
// bench and arb. cmd/hitoku puts them together.
package cli

import "fmt"

// A Code is an exit code of the command. As an error it ends a verb that has already said everything.
type Code int

// Exit codes.
const (
	Done    Code = 0
	Verdict Code = 1 // unprotected cell, unprotectable table
	Usage   Code = 2 // wrong usage, unreadable or malformed input
	Limit   Code = 3 // stopped with a partial but valid result
)

// Codes lists all exit codes.
var Codes = []Code{Done, Verdict, Usage, Limit}

// Meaning returns what help and manual say about a code.
func (c Code) Meaning() string {
	switch c {
	case Done:
		return "done"
	case Verdict:
		return "the verdict is bad: a cell is unprotected or unsafe, no pattern can protect the table, a certificate is refuted, or a limit set for a measure is not kept"
	case Usage:
		return "wrong usage or input"
	}
	return "stopped by a limit or an interrupt; what is printed is valid but not proved best, or nothing was found yet"
}

func (c Code) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// Worst returns the code of a run over several inputs: an input that could not be read outweighs a bad verdict, which
// outweighs a limit.
func Worst(a, b Code) Code {
	for _, c := range []Code{Usage, Verdict, Limit} {
		if a == c || b == c {
			return c
		}
	}
	return Done
}

// End returns the error of a verb that ended with a code or with an error.
func End(c Code, err error) error {
	if err != nil {
		return err
	}
	return c.Result()
}

// Result returns the error by which a command exits with the code.
func (c Code) Result() error {
	if c == Done {
		return nil
	}
	return c
}
