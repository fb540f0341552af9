// Package risk provides the verbs of hitoku risk, with a file for each family of measures.
package risk

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
	"github.com/hitoku/hitoku/internal/records"
)

// New returns hitoku risk, which holds the measures of re-identification risk.
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
				return i18n.Errorf("risk: no measure %q%s; see hitoku risk --help", args[0], near.Hint(args[0], flags.VerbNames(cmd), ""))
			}
			return i18n.New("risk: which measure? see hitoku risk --help")
		},
	}
	flags.AddVerbs(cmd, "Microdata:", newRiskRelease(), newRiskAll(), newRiskColumns(), newRiskHistory(), newRiskKAnonymity(), newRiskSpecials(), newRiskLDiversity(), newRiskTCloseness(), newRiskBeta(), newRiskKMap(), newRiskDelta(), newRiskSurvey(), newRiskUniques(), newRiskGeneralise(), newRiskWithhold(), newRiskSQL())
	flags.AddVerbs(cmd, "Releases by sampling, randomisation and noise, and rules for one cell:", newRiskSampling(), newRiskRetention(), newRiskMatrix(), newRiskNoise(), newRiskMixed(), newRiskPWS(), newRiskCell())
	flags.AddVerbs(cmd, "Mechanisms, applied to a file:", newRiskPRAM(), newRiskLaplace(), newRiskMix(), newRiskSample(), newRiskMicroaggregate(), newRiskRankSwap())
	flags.AddVerbs(cmd, "Releases beside their original:", newRiskCompare(), newRiskPosterior(), newRiskReconstruct())
	return cmd
}

// named adds the name of a verb before its errors, except exit codes and errors about files. An error after an
// interrupt is the interrupt.
func named(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		err := run(cmd, args)
		var code cli.Code
		var fault *formats.Error
		switch {
		case err == nil || errors.As(err, &code):
			return err
		case cmd.Context().Err() != nil:
			if cmd.Flags().Lookup("output") != nil {
				cli.Note(cmd.ErrOrStderr(), "interrupted, nothing is written")
			} else {
				cli.Note(cmd.ErrOrStderr(), "interrupted, nothing is measured")
			}
			return cli.Limit
		case errors.Is(err, records.ErrNone):
			sayNone(cmd)
			return cli.Limit
		case errors.As(err, &fault):
			return err
		}
		return &verbError{cmd.Name(), err}
	}
}

// sayNone says that there are no records, which is not an error of a file.
func sayNone(cmd *cobra.Command) {
	cli.Note(cmd.ErrOrStderr(), "no records, so nothing can be said")
}

// A verbError is an error with the name of its verb.
type verbError struct {
	verb string
	err  error
}

func (e *verbError) Error() string { return e.Message().String() }

func (e *verbError) Message() i18n.Text {
	return i18n.T("risk %s: %s", e.verb, i18n.T("%s", e.err).Without("risk"))
}

func (e *verbError) Unwrap() error { return e.err }

// riskOutput is how a measure of risk is printed.
type riskOutput struct {
	json bool
}

// flag returns the flag for JSON.
func (o *riskOutput) flag() flags.Flag { return flags.JSON(&o.json, "print one JSON document") }

// print writes doc as JSON, or else what table prints. A limit that is not kept is named on standard error and makes
// the exit code 1.
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
		if l.Under != "" && (l.Met || l.Open) {
			sayModel(cmd.ErrOrStderr(), l)
		}
		if l.Models != nil {
			saySpread(cmd.ErrOrStderr(), "--"+l.Limit, l)
		}
		if l.Open {
			code = cli.Worst(code, cli.Limit)
		}
		if l.Met || l.Open {
			continue
		}
		got := i18n.T("%s", l.Got)
		if l.Got == "" {
			got = i18n.T("undefined")
		} else if x, ok := new(big.Rat).SetString(string(l.Got)); ok && strings.Contains(string(l.Got), "/") {
			got = i18n.T("%s", both(x))
		}
		want := string(l.Want)
		if l.L > 0 {
			want += "," + strconv.FormatUint(l.L, 10)
		}
		cli.Note(cmd.ErrOrStderr(), "--%s %s is not kept: %s", l.Limit, want, got)
		code = cli.Verdict
	}
	return code.Result()
}

// sayModel says which assumption a limit kept under a model relies on.
func sayModel(words io.Writer, l document.Limit) {
	cli.Note(words, "--%s %s: %s is a figure of a model, which supposes that F, the people of a class in the population, is spread like 1/F; where most combinations are rare there, it understates the risk, which may be 1", l.Limit, l.Want, l.Got)
	if l.Open && l.Models == nil {
		cli.Note(words, "--%s is open: it is kept under that model only; --accept-model takes the model for granted, hitoku risk k-map --population FILE counts F", l.Limit)
	}
}

// A fact is one line of a result for people.
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
