package tables

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/certificate"
	"github.com/hitoku/hitoku/internal/attest"
	problem "github.com/hitoku/hitoku/internal/certificate"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/protect/ledger"
	"github.com/hitoku/hitoku/table"
)

// verification is one run of hitoku verify.
type verification struct {
	inputs  flags.Input
	rules   flags.Rules
	policy  flags.PolicyFile
	problem string
	key     string
	json    bool
	quiet   bool
}

func NewVerify() *cobra.Command {
	v := &verification{}
	cmd := &cobra.Command{
		Use:   "verify CERTIFICATE TABLE",
		Short: "Check a certificate of suppress in exact arithmetic, without the solver",
		Long: `Check that a certificate written by suppress --certificate proves what it claims
about a table: that its pattern is protected, and that no protected pattern is
cheaper than its bound. Everything is recomputed from the table in integers; no
solver runs. Give the flags of inputs, rules and costs that suppress was given: a
certificate holds for one table with its levels, costs and bounds only.

Of a statement of hitoku attest check that it is about the file TABLE, as published,
made under the policy of --policy and signed by the owner of --key; of the
provenance of a release of hitoku that it is about a file of it.`,
		Example: `  hitoku suppress --below 5 --width 8 --certificate proof.jsonl.gz table.csv
  hitoku verify --below 5 --width 8 proof.jsonl.gz table.csv
  hitoku verify --key office.pub published.attest.json published.csv`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return i18n.Errorf("verify: want a certificate and a table, not %d arguments", len(args))
			}
			return nil
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return []cobra.Completion{"jsonl", "jsonl.gz"}, cobra.ShellCompDirectiveFilterFileExt
			}
			return flags.TableFiles(cmd, args, word)
		},
		PreRunE: func(cmd *cobra.Command, _ []string) error { return v.policy.Load(cmd) },
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := v.rules.Check(); err != nil {
				return err
			}
			return cli.End(v.either(cmd, args[0], args[1]))
		},
	}
	flags.Declare(cmd,
		v.inputs.Group(),
		v.inputs.LayoutGroup(),
		v.inputs.ResponseGroup(),
		v.rules.Flags(flags.Below, flags.Levels, flags.Primary, flags.Apriori),
		v.policy.Group(&v.rules),
		v.rules.Flags(flags.Margins, flags.Cost, flags.ByHand, flags.Ledger, flags.Lost),
		flags.In(flags.OutputGroup, []flags.Flag{
			{Name: "key", To: &v.key, Files: []string{"pem", "pub"}, Text: "public key of Ed25519 in this PEM `file`, whose owner has to have signed a statement of hitoku attest"},
			{Name: "problem", To: &v.problem, Files: []string{"txt", "txt.gz"}, Writes: true, Text: "write the problem that the certificate is about to this `file`, for another checker (.gz: compressed)", More: "See [certificate.md](certificate.md#another-checker)"},
			flags.JSON(&v.json, "print one JSON document"),
			{Name: "quiet", Short: "q", To: &v.quiet, Text: "no time on a terminal"},
		}),
	)
	flags.Common(cmd, "--below 5", "--width 8", "--total 合計", "--policy office.toml", "--cost count")
	return cmd
}

// either checks a certificate or a statement.
func (v *verification) either(cmd *cobra.Command, path, tablePath string) (cli.Code, error) {
	says, err := statementOf(path)
	switch {
	case err == nil && v.problem != "":
		return 0, i18n.Errorf("%s: --problem is for certificates", path)
	case err == nil:
		return v.statement(cmd, path, tablePath, says)
	case !errors.Is(err, attest.ErrOther):
		return 0, err
	case v.key != "":
		return 0, i18n.Errorf("%s: --key is for statements of hitoku attest", path)
	}
	if head := formats.Head(path, 1); len(head) > 0 && head[0] != '{' { // otherwise the error would be reported for the second file
		return 0, i18n.Errorf("%s: no certificate of hitoku suppress and no statement of hitoku attest, which stands before its table", path)
	}
	return v.one(cmd, path, tablePath)
}

// confirm checks a certificate against the table in the file called path, which it returns.
func (v *verification) confirm(cmd *cobra.Command, certified, path string) (t *table.Table, rep *certificate.Report, began time.Time, err error) {
	files, err := v.inputs.ReadSet(cmd, []string{path}, &v.rules, nil)
	if err != nil {
		return nil, nil, began, err
	}
	file, err := os.Open(certified)
	if err != nil {
		return nil, nil, began, i18n.Errorf("%s: %w", certified, errors.Unwrap(err))
	}
	defer file.Close()
	o := flags.RuleOptions(cmd.ErrOrStderr())
	o.Weights = v.inputs.Older(cmd, &v.rules)
	o.Ledger = func(p *protect.Policy) (*ledger.Set, error) { return v.inputs.Released(cmd, &v.rules, p, nil) }
	err = protect.Certify(cmd.Context(), files.Inputs(), v.rules.Policy, o, func(whole *table.Table) (err error) {
		if _, err := file.Seek(0, io.SeekStart); err != nil && t != nil {
			return err
		}
		t, began = whole, time.Now()
		rep, err = certificate.Verify(cmd.Context(), file, t)
		return err
	})
	if t == nil {
		return nil, nil, began, flags.Flagged(err)
	}
	return t, rep, began, err
}

// one checks the certificate in the file called path against a table.
func (v *verification) one(cmd *cobra.Command, path, tablePath string) (cli.Code, error) {
	words := cmd.ErrOrStderr()
	t, rep, start, err := v.confirm(cmd, path, tablePath)
	if t == nil {
		return 0, err
	}
	if v.problem != "" { // whatever the verdict, for those who want to check the problem themselves
		if err := formats.Save(v.problem, func(w io.Writer) error { return problem.WriteProblem(w, t) }); err != nil {
			return 0, err
		}
	}
	r := &verifyReport{Verification: document.Verification{Table: t.Name, Verdict: "confirmed", Seconds: time.Since(start).Seconds(), Version: cli.Version()}}
	var refuted *certificate.Refuted
	var malformed *certificate.Malformed
	switch {
	case err == nil:
		r.describe(t, rep)
	case errors.As(err, &refuted):
		r.why = i18n.T("%s:%d: %s", path, refuted.Line, refuted.What)
		r.Verdict, r.Why = "refuted", r.why.String()
	case errors.As(err, &malformed):
		return 0, i18n.Errorf("%s:%d: %s", path, malformed.Line, malformed.Want)
	case errors.Is(err, context.Canceled):
		render.Say(words, t, "interrupted, nothing is confirmed")
		return cli.Limit, nil
	default:
		return 0, i18n.Errorf("%s: %w", path, err)
	}
	if v.json {
		err = document.Write(cmd.OutOrStdout(), r)
	} else {
		err = r.print(cmd.OutOrStdout())
	}
	if err != nil {
		return 0, err
	}
	if !v.quiet && render.ShowsProgress(words) {
		fmt.Fprintf(words, "%s: %.1fs\n", t.Name, r.Seconds)
	}
	if r.Verdict != "confirmed" {
		return cli.Verdict, nil
	}
	return cli.Done, nil
}

// verifyReport is the document of hitoku verify, with its presentation.
type verifyReport struct {
	document.Verification
	why i18n.Text // why it is refuted
}

func (r *verifyReport) describe(t *table.Table, rep *certificate.Report) {
	r.Nodes, r.Cuts, r.Duals, r.Fixed, r.Witnesses = rep.Nodes, rep.Rows, rep.Duals, rep.Fixings, rep.Witnesses
	if r.Impossible = rep.Unprotectable; !r.Impossible {
		r.Bound = render.Decimal(rep.Bound, t.CostDecimals)
	}
	if rep.Pattern != nil {
		gap := float64(rep.Cost-rep.Bound) / max(1, float64(rep.Cost))
		r.Protected, r.Cost, r.Gap = true, render.Decimal(rep.Cost, t.CostDecimals), &gap
	}
}

func (r *verifyReport) print(w io.Writer) error {
	if r.Verdict != "confirmed" {
		return render.Verdict(w, i18n.T("%s: %s: %s", r.Table, i18n.Word("refuted"), r.why))
	}
	line := i18n.T("%s: %s: ", r.Table, i18n.Word("confirmed"))
	switch {
	case r.Impossible:
		line = line.Plus("no pattern protects the table")
	case r.Gap == nil:
		line = line.Plus("no protected pattern costs less than %s", r.Bound)
	case *r.Gap == 0:
		line = line.Plus("protected, cost %s, and no protected pattern costs less", r.Cost)
	default:
		line = line.Plus("protected, cost %s, bound %s, gap %.1f%%", r.Cost, r.Bound, 100**r.Gap)
	}
	return render.Verdict(w, line.Plus(" (%d nodes, %d cuts, %d duals, %d cells fixed, %d witnesses)", r.Nodes, r.Cuts, r.Duals, r.Fixed, r.Witnesses))
}
