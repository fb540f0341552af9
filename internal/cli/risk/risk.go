// Package risk are the verbs of hitoku risk, one file a family of measures.
package risk

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/document"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/near"
	"github.com/hitoku/hitoku/table/tableio"
)

// New is hitoku risk, which holds the measures of re-identification risk.
func New() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "risk",
		Short: "Measure the risk of re-identification in microdata and their releases",
		Long: `Each verb computes one measure and prints a table, or with --json one document.
A limit like --min-k turns the measure into a verdict: the exit code is 1 where it is
not kept.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("risk: no measure %q%s; see hitoku risk --help", args[0], near.Hint(args[0], flags.VerbNames(cmd), ""))
			}
			return errors.New("risk: which measure? see hitoku risk --help")
		},
	}
	flags.AddVerbs(cmd, "Microdata:", newRiskAll(), newRiskColumns(), newRiskHistory(), newRiskKAnonymity(), newRiskSpecials(), newRiskLDiversity(), newRiskTCloseness(), newRiskBeta(), newRiskKMap(), newRiskDelta(), newRiskSurvey(), newRiskUniques(), newRiskGeneralise(), newRiskWithhold(), newRiskSQL())
	flags.AddVerbs(cmd, "Releases by sampling, randomisation and noise, and rules for one cell:", newRiskSampling(), newRiskRetention(), newRiskMatrix(), newRiskNoise(), newRiskMixed(), newRiskPWS(), newRiskCell())
	flags.AddVerbs(cmd, "Mechanisms, applied to a file:", newRiskPRAM(), newRiskLaplace(), newRiskMix(), newRiskSample())
	flags.AddVerbs(cmd, "Releases beside their original:", newRiskCompare(), newRiskPosterior(), newRiskReconstruct())
	return cmd
}

// named puts the name of a verb before its errors, but not before exit codes and faults of files. An error after an
// interrupt is the interrupt.
func named(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		err := run(cmd, args)
		var code cli.Code
		var fault *tableio.Error
		switch {
		case err == nil || errors.As(err, &code):
			return err
		case cmd.Context().Err() != nil:
			done := "measured"
			if cmd.Flags().Lookup("output") != nil {
				done = "written"
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "hitoku: interrupted, nothing is %s\n", done)
			return cli.Limit
		case errors.As(err, &fault):
			return err
		}
		return &verbError{cmd.Name(), err}
	}
}

// A verbError is an error of a verb.
type verbError struct {
	verb string
	err  error
}

func (e *verbError) Error() string {
	return "risk " + e.verb + ": " + strings.TrimPrefix(e.err.Error(), "risk: ")
}

func (e *verbError) Unwrap() error { return e.err }

// riskOutput is how a measure of risk is printed.
type riskOutput struct {
	json bool
}

// flag is that of JSON.
func (o *riskOutput) flag() flags.Flag { return flags.JSON(&o.json, "print one JSON document") }

// print writes doc as JSON, or else what table prints. A limit that is not kept is
// named on standard error and makes the exit code 1.
func (o *riskOutput) print(cmd *cobra.Command, doc document.Measured, table func(io.Writer), limits []document.Limit) error {
	if o.json {
		if err := document.Write(cmd.OutOrStdout(), doc); err != nil {
			return err
		}
	} else {
		table(cmd.OutOrStdout())
	}
	code := cli.Done
	for _, l := range limits {
		if l.Met {
			continue
		}
		got := string(l.Got)
		if got == "" {
			got = "undefined"
		} else if x, ok := new(big.Rat).SetString(got); ok && strings.Contains(got, "/") {
			got = both(x)
		}
		want := string(l.Want)
		if l.L > 0 {
			want += "," + strconv.FormatUint(l.L, 10)
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "hitoku: --%s %s is not kept: %s\n", l.Limit, want, got)
		code = cli.Verdict
	}
	return code.Result()
}

// A fact is one line of a readable result.
type fact struct {
	name  string
	value any
}

// printFacts writes facts in two columns.
func printFacts(w io.Writer, facts []fact) {
	width := 0
	for _, f := range facts {
		width = max(width, render.TextWidth(f.name))
	}
	for _, f := range facts {
		fmt.Fprintf(w, "%s%s  %v\n", f.name, strings.Repeat(" ", width-render.TextWidth(f.name)), f.value)
	}
}
