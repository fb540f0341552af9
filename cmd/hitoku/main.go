//go:build !js

// Command hitoku protects statistical tables before publication by cell
// suppression and audits protected tables.
//
// Results go to standard output, words and progress to standard error. The
// exit code is 0 when done, 1 when the verdict is bad (a cell is unprotected or
// cannot be protected), 2 for wrong usage or input, and 3 when a limit or an
// interrupt stopped the work with a partial but valid result.
package main

import (
	"os"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/arb"
	"github.com/hitoku/hitoku/internal/cli/render"
)

// A program called like that of τ-ARGUS runs batch files as that does, and so it does where it is given one in place of a verb: some
// packages follow a link of that name and start what it leads to.
func main() { os.Exit(int(perform())) }

func perform() cli.Code {
	args := os.Args[1:]
	locale = render.FirstSet("LC_ALL", "LC_MESSAGES", "LANG")
	if arb.Called(os.Args[0]) || arb.IsBatch(args) {
		return execute(arb.TauArgus(), args, os.Stdin, os.Stdout, os.Stderr)
	}
	return run(args, os.Stdin, os.Stdout, os.Stderr)
}
