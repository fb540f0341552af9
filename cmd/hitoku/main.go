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

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/render"
)

func main() {
	os.Exit(int(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)))
}

// run executes one command line and returns its exit code. An interrupt stops
// a search, which then prints the best pattern it has; a second one kills.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) cli.Code {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	root := newRoot(args)
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
