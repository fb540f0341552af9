package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/arb"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/i18n"
)

// perform executes the command line of the process.
//
// A program called like that of τ-ARGUS runs batch files as that does, and so it does where it is given one in place of a verb: some
// packages follow a link of that name and start what it leads to.
func perform() cli.Code {
	args := os.Args[1:]
	locale = render.FirstSet("LC_ALL", "LC_MESSAGES", "LANG")
	if arb.Called(os.Args[0]) || arb.IsBatch(args) {
		return execute(arb.TauArgus(), args, os.Stdin, os.Stdout, os.Stderr)
	}
	return run(args, os.Stdin, os.Stdout, os.Stderr)
}

// run executes one command line of hitoku and returns its exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) cli.Code {
	all, files, err := cli.WithFiles(args)
	if err := speak(all); err != nil {
		cli.Say(stderr, err)
		return cli.Usage
	}
	root := newRoot(all)
	root.PersistentFlags().Lookup(cli.ArgsFrom).Annotations = map[string][]string{cli.ArgsFrom: files} // of which no output is one
	if err != nil {
		root.DisableFlagParsing = true
		root.RunE = func(*cobra.Command, []string) error { return err }
		all = []string{} // nil would be those of the process
		if cli.AsksProblems(args) {
			all = []string{"--" + cli.JSONErrors}
		}
	}
	return execute(root, all, stdin, stdout, stderr)
}

// execute executes one command line and returns its exit code. An interrupt stops
// a search, which then prints the best pattern it has; a second one kills.
func execute(root *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) cli.Code {
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	context.AfterFunc(ctx, stop)
	return within(ctx, root, args, stdin, stdout, stderr)
}

// verb executes a command line within the program, for a verb that has another one do its work.
func verb(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return int(within(ctx, newRoot(args), args, strings.NewReader(""), stdout, stderr))
}

func within(ctx context.Context, root *cobra.Command, args []string, stdin io.Reader, stdout, stderr io.Writer) cli.Code {
	root.SetArgs(args)
	root.SetIn(stdin)
	out, tell := render.NewConsole(stdout, cli.Speaks()), render.NewConsole(stderr, cli.Speaks())
	defer tell.Close()
	var problems *cli.Problems
	root.SetOut(out)
	root.SetErr(tell)
	if cli.AsksProblems(args) {
		problems = &cli.Problems{}
		root.SetErr(problems)
	}
	err := root.ExecuteContext(ctx)
	if lost := out.Close(); lost != nil && !errors.Is(err, lost) {
		err = i18n.Errorf("standard output: %w", lost)
	}
	var code cli.Code
	if err != nil && !errors.As(err, &code) {
		cli.Say(root.ErrOrStderr(), err)
		code = cli.Usage
	}
	if problems != nil {
		problems.Print(tell, code)
	}
	return code
}
