package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/i18n/catalogue"
	"github.com/hitoku/hitoku/internal/near"
)

// newRoot builds the command with all its verbs. args are those it will run
// with: an unknown verb among them is reported by Execute.
func newRoot(args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "hitoku",
		Short: "Protect statistical tables by cell suppression, and audit them",
		Long: `hitoku withholds cells of statistical tables so that no sensitive cell can be
computed too closely from what is published, as cheaply as possible and with
proof; audits and attacks tables that others protected; and measures the risk of
re-identification in microdata.`,
		Example: `  hitoku suppress --below 5 --width 8 table.csv
  hitoku audit --width 8 published.csv`,
		Args:                       cobra.ArbitraryArgs,
		SuggestionsMinimumDistance: 2,
		Version:                    cli.Version(),
		SilenceErrors:              true,
		SilenceUsage:               true,
		RunE: func(cmd *cobra.Command, args []string) error {
			cmd.SetOut(cmd.ErrOrStderr())
			if err := cmd.Help(); err != nil {
				return err
			}
			return cli.Usage
		},
	}
	root.SetFlagErrorFunc(flags.FlagError)
	root.PersistentFlags().String(cli.ArgsFrom, "", "further arguments from this `file`, one a line, which stand where the flag does: others can read a command line")
	root.PersistentFlags().Bool(cli.JSONErrors, false, "print what goes wrong or is remarked as one JSON document on standard error, in place of words")
	root.PersistentFlags().Var(new(language), "lang", "`language` of messages and help: "+strings.Join(catalogue.Languages(), ", ")+" (default: that of LC_ALL, LC_MESSAGES or LANG)")
	times := readLimit(1)
	root.PersistentFlags().Var(&times, "read-limit", "multiply by this many `times`, up to 64, what one input may deliver in bytes, cells and levels before it is refused")
	only, _ := firstWord(args)
	if !slices.Contains(verbs(), only) {
		only = ""
	}
	for _, c := range chapters() {
		var built []*cobra.Command
		for _, v := range c.verbs {
			if only == "" || only == v.name {
				built = append(built, v.command())
			}
		}
		if c.title == "" {
			root.AddCommand(built...)
		} else {
			flags.AddVerbs(root, c.title, built...)
		}
	}
	if only == "" {
		root.AddCommand(flags.NewMan())
	}
	flags.GuardOutputs(root)
	flags.GroupHelp(root)
	root.SetHelpCommand(flags.NewHelp())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	for _, c := range root.Commands() {
		// A misspelt verb of it is called by its name, not by the first flag that it would have had.
		c.FParseErrWhitelist.UnknownFlags = c.HasAvailableSubCommands()
		if c.Name() == "completion" { // without a shell cobra prints its help as if it were a script
			c.Args = cobra.ArbitraryArgs
			c.RunE = func(c *cobra.Command, args []string) error {
				if len(args) > 0 {
					return i18n.Errorf("unknown command %q for %q", args[0], c.CommandPath())
				}
				return i18n.Errorf("completion: no shell, want bash, fish, powershell or zsh")
			}
		}
	}
	if slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, cobra.ShellCompRequestCmd) }) {
		flags.Complete(root)
	}
	if name, ok := unknownVerb(root, args); ok {
		root.DisableFlagParsing = true
		root.RunE = func(*cobra.Command, []string) error {
			return i18n.Errorf("unknown command %q%s; see hitoku --help", name, near.Hint(name, flags.VerbNames(root), ""))
		}
	}
	return root
}

// firstWord is the first argument that is not a flag, which may be empty.
func firstWord(args []string) (word string, ok bool) {
	if i := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") }); i >= 0 {
		return args[i], true
	}
	return "", false
}

// unknownVerb returns the first argument that is not a flag if it names no verb.
func unknownVerb(root *cobra.Command, args []string) (string, bool) {
	word, ok := firstWord(args)
	if !ok || strings.HasPrefix(word, cobra.ShellCompRequestCmd) || slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == word || c.HasAlias(word) }) {
		return "", false
	}
	return word, true
}

// A readLimit is the value of --read-limit.
type readLimit int64

func (r *readLimit) String() string { return strconv.FormatInt(int64(*r), 10) }
func (r *readLimit) Type() string   { return "times" }

func (r *readLimit) Set(s string) error {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 || n > budget.MostTimes {
		return i18n.Errorf("want a whole number from 1 to %d", budget.MostTimes)
	}
	*r = readLimit(n)
	budget.Raise(n)
	return nil
}
