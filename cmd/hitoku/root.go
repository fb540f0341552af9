package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
		Version:                    version(),
		SilenceErrors:              true,
		SilenceUsage:               true,
		RunE: func(cmd *cobra.Command, args []string) error {
			cmd.SetOut(cmd.ErrOrStderr())
			if err := cmd.Help(); err != nil {
				return err
			}
			return exitCode(exitUsage)
		},
	}
	root.SetFlagErrorFunc(flagError)
	for _, g := range []struct {
		title string
		verbs []*cobra.Command
	}{
		{"Protect tables:", []*cobra.Command{newTabulate(), newSuppress(), newBatch(), newArb()}},
		{"Judge what was published:", []*cobra.Command{newAudit(), newAttack(), newVerify(), newReport()}},
		{"Judge microdata:", []*cobra.Command{newRisk()}},
		{"Files:", []*cobra.Command{newConvert(), newGenerate()}},
		{"Measure:", []*cobra.Command{newExperiment(), newBench()}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, v := range g.verbs {
			v.GroupID = g.title
		}
		root.AddCommand(g.verbs...)
	}
	root.AddCommand(newSchema(), newVersion(), newMan())
	guardOutputs(root)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	for _, c := range root.Commands() {
		if c.Name() == "completion" { // without a shell cobra prints its help as if it were a script
			c.RunE = func(*cobra.Command, []string) error {
				return fmt.Errorf("completion: no shell, want bash, fish, powershell or zsh")
			}
		}
	}
	if name, ok := unknownVerb(root, args); ok {
		root.DisableFlagParsing = true
		root.RunE = func(*cobra.Command, []string) error {
			return fmt.Errorf("unknown command %q%s; see hitoku --help", name, didYouMean(root.SuggestionsFor(name), ""))
		}
	}
	return root
}

// unknownVerb returns the first argument that is not a flag if it names no verb.
func unknownVerb(root *cobra.Command, args []string) (string, bool) {
	for _, a := range args {
		if strings.HasPrefix(a, "-") {
			continue
		}
		for _, c := range root.Commands() {
			if c.Name() == a || c.HasAlias(a) {
				return "", false
			}
		}
		return a, !strings.HasPrefix(a, cobra.ShellCompRequestCmd)
	}
	return "", false
}

// flagError adds the nearest flag names to the error about an unknown one.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return fmt.Errorf("%s: %w", cmd.Name(), err)
	}
	// cobra knows how to suggest commands, so pose the flags as commands.
	flags := &cobra.Command{SuggestionsMinimumDistance: 2}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		flags.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	})
	return fmt.Errorf("%s: %w%s; see %s --help", cmd.Name(), err,
		didYouMean(flags.SuggestionsFor(unknown.GetSpecifiedName()), "--"), cmd.CommandPath())
}

// didYouMean puts suggestions into words, "" for none.
func didYouMean(names []string, prefix string) string {
	if len(names) == 0 {
		return ""
	}
	for i := range names {
		names[i] = prefix + names[i]
	}
	return " (did you mean " + strings.Join(names, " or ") + "?)"
}
