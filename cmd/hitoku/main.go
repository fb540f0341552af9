// Command hitoku protects statistical tables before publication by cell
// suppression and audits protected tables.
//
// Results go to standard output, words and progress to standard error. The
// exit code is 0 when done, 1 when the verdict is bad (a cell is unprotected or
// cannot be protected), 2 for wrong usage or input, and 3 when a limit or an
// interrupt stopped the work with a partial but valid result.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/arb"
	"github.com/hitoku/hitoku/internal/cli/render"
)

// A program called like that of τ-ARGUS runs batch files as that does.
func main() {
	args := os.Args[1:]
	if arb.Called(os.Args[0]) {
		os.Exit(int(execute(arb.TauArgus(), args, os.Stdin, os.Stdout, os.Stderr)))
	}
	os.Exit(int(run(args, os.Stdin, os.Stdout, os.Stderr)))
}

// run executes one command line of hitoku and returns its exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) cli.Code {
	return execute(newRoot(args), args, stdin, stdout, stderr)
}

// execute executes one command line and returns its exit code. An interrupt stops
// a search, which then prints the best pattern it has; a second one kills.
func execute(root *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) cli.Code {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	root.SetArgs(args)
	root.SetIn(stdin)
	out, words := render.NewConsole(stdout), render.NewConsole(stderr)
	root.SetOut(out)
	root.SetErr(words)
	err := root.ExecuteContext(ctx)
	if lost := out.Close(); lost != nil && !errors.Is(err, lost) {
		err = fmt.Errorf("standard output: %w", lost)
	}
	var code cli.Code
	switch {
	case err == nil:
		return cli.Done
	case errors.As(err, &code):
		return code
	}
	fmt.Fprintf(words, "hitoku: %v\n", err)
	return cli.Usage
}
