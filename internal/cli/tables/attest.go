package tables

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/attest"
	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/private"
	"github.com/hitoku/hitoku/internal/release"
	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/risk"
	"github.com/hitoku/hitoku/table"
)

// attested is the type of the statements of hitoku attest.
const attested = "https://github.com/hitoku/hitoku/attestation/v1"

// attestation is the statement about a published table. It discloses no more than the table does, except through the
// checksum of a policy that can be guessed.
type attestation struct {
	Verdict string          `json:"verdict"`          // always "protected"
	Policy  *attest.Subject `json:"policy,omitempty"` // the policy file under which it was made
	Covers  []string        `json:"covers"`           // what was audited
	Open    []string        `json:"open"`             // fields of the policy that were not audited
	Tool    string          `json:"tool"`
	Version string          `json:"version"`
}

// attesting is one run of hitoku attest.
type attesting struct {
	inputs  flags.Input
	rules   flags.Rules
	policy  flags.PolicyFile
	engine  flags.Engine
	style   flags.Style
	uniform bool
	sign    string
	output  string
	quiet   bool
}

func NewAttest() *cobra.Command {
	a := &attesting{}
	cmd := &cobra.Command{
		Use:   "attest TABLE PUBLISHED",
		Short: "Audit a published table against its rules and state what passed, for others to verify",
		Long: `State of the file PUBLISHED that it is what suppress writes of TABLE with the cells
that it withholds, and that nobody who has it can compute a sensitive cell more
closely than its levels allow. Both are found out anew. Give the flags of inputs,
rules and marks that suppress was given.

The statement is in-toto's, signed as DSSE with --sign. It has the checksum of
PUBLISHED and of the file of --policy, what was audited and what of the policy was
not, and nothing of the values: it may be published. hitoku verify checks it.`,
		Example: `  hitoku attest --below 5 --width 8 -o published.attest.json table.csv published.csv
  hitoku attest --policy office.toml --sign office.pem -o published.attest.json table.xlsx published.xlsx
  hitoku verify --key office.pub published.attest.json published.xlsx`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return i18n.Errorf("attest: want a table and what is published of it, not %d arguments", len(args))
			}
			return nil
		},
		ValidArgsFunction: flags.TableFiles,
		PreRunE:           func(cmd *cobra.Command, _ []string) error { return a.policy.Load(cmd) },
		RunE: func(cmd *cobra.Command, args []string) error {
			if a.output == "" {
				return i18n.New("attest: want -o and a file for the statement")
			}
			if err := errors.Join(a.rules.Check(), a.engine.Check()); err != nil {
				return err
			}
			return cli.End(a.run(cmd, args[0], args[1]))
		},
	}
	flags.Declare(cmd,
		a.inputs.Group(),
		a.inputs.LayoutGroup(),
		a.rules.Flags(flags.Below, flags.Levels, flags.Primary, flags.Apriori),
		a.policy.Group(&a.rules),
		a.rules.Flags(flags.Margins, flags.Cost, flags.ByHand),
		a.engine.Group(),
		flags.In(flags.OutputGroup, []flags.Flag{
			{Name: "output", Short: "o", To: &a.output, Files: []string{"json"}, Writes: true, Text: "write the statement to this `file`"},
			{Name: "uniform", To: &a.uniform, Text: "mark all withheld cells of a tidy file alike, so that it does not tell the sensitive ones"},
			{Name: "sign", To: &a.sign, Files: []string{"pem"}, Text: "sign with the private key of Ed25519 in this PEM `file`", Else: "not signed"},
		}),
		a.style.Group(),
		flags.In(flags.OutputGroup, []flags.Flag{flags.Quiet(&a.quiet)}),
	)
	flags.Common(cmd, "--below 5", "--width 8", "--policy office.toml", "--sign office.pem", "-o published.attest.json")
	return cmd
}

func (a *attesting) run(cmd *cobra.Command, path, published string) (cli.Code, error) {
	var key ed25519.PrivateKey
	var err error
	if a.sign != "" {
		if key, err = attest.PrivateKey(a.sign); err != nil {
			return 0, err
		}
	}
	subject, content, err := subjectOf(published, budget.Whole)
	if err != nil {
		return 0, err
	}
	in, err := a.inputs.Read(cmd, path, &a.rules)
	if err != nil {
		return 0, err
	}
	t := in.Table
	if slices.Contains(t.Missing, true) {
		return 0, i18n.Errorf("%s: cells lack values; want the table as it was before it was protected", path)
	}
	if err := a.rules.Apply(in, cmd.ErrOrStderr()); err != nil {
		return 0, err
	}
	withheld, err := a.pattern(cmd, t, published)
	if err != nil {
		return 0, err
	}
	for i, status := range t.Status {
		if status == table.Sensitive && !withheld[i] {
			return cli.Verdict, render.Verdict(cmd.OutOrStdout(), i18n.T("%s: %s, as sensitive cells are published; nothing is stated of it", filepath.Base(published), i18n.Word("unprotected")))
		}
	}
	if err := a.same(in, withheld, published, content); err != nil {
		return 0, err
	}
	opt := &interval.Options{LP: a.engine.LP, Workers: a.engine.Workers}
	if words := cmd.ErrOrStderr(); !a.quiet && render.ShowsProgress(words) {
		opt.Progress = render.NewAuditProgress(words).Show
	}
	rep, err := interval.Audit(cmd.Context(), t, withheld, opt)
	switch {
	case errors.Is(err, context.Canceled):
		render.Say(cmd.ErrOrStderr(), t, "interrupted, nothing is stated")
		return cli.Limit, nil
	case err != nil:
		return 0, i18n.Errorf("%s: %w", path, err)
	case !rep.Protected:
		word := i18n.Word(string(rep.Verdict()))
		if err := render.Verdict(cmd.OutOrStdout(), i18n.T("%s: %s, nothing is stated of it; hitoku audit says more", filepath.Base(published), word)); err != nil {
			return 0, err
		}
		if rep.Verdict() == interval.Unsettled {
			return cli.Limit, nil
		}
		return cli.Verdict, nil
	}
	return a.state(cmd, subject, key)
}

// pattern returns which cells of t the file published withholds.
func (a *attesting) pattern(cmd *cobra.Command, t *table.Table, published string) ([]bool, error) {
	inputs, rules := a.inputs, a.rules
	out, err := inputs.Read(cmd, published, &rules)
	if err != nil {
		return nil, err
	}
	p := out.Table
	if p.Len() != t.Len() {
		return nil, i18n.Errorf("%s: %d cells, the table has %d", published, p.Len(), t.Len())
	}
	for i := range t.Len() {
		if p.CellName(i) != t.CellName(i) {
			return nil, i18n.Errorf("%s: cell %s stands where the table has %s", published, p.CellName(i), t.CellName(i))
		}
	}
	return WithheldCells(p), nil
}

// same returns an error unless content is what suppress writes for in with these cells withheld: then everything that
// its writer checks holds for content, too.
func (a *attesting) same(in *formats.Input, withheld []bool, published string, content []byte) (err error) {
	if in.Style, err = a.style.Style(a.inputs.Null); err != nil {
		return err
	}
	in.Uniform = a.uniform || a.rules.Policy.Quantised()
	dir, err := os.MkdirTemp("", "hitoku")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, filepath.Base(published))
	if err := formats.WriteFile(file, in, withheld); err != nil {
		return err
	}
	want, err := os.ReadFile(file)
	if err != nil || bytes.Equal(want, content) {
		return err
	}
	line := 1
	for k := range min(len(want), len(content)) {
		if want[k] != content[k] {
			break
		}
		if want[k] == '\n' {
			line++
		}
	}
	if slices.Contains(content, 0) { // not a text
		return i18n.Errorf("%s: not what suppress writes of the table with these cells withheld; were the same marks asked for?", published)
	}
	return i18n.Errorf("%s:%d: not what suppress writes of the table with these cells withheld; were the same marks asked for?", published, line)
}

// state signs and writes the statement.
func (a *attesting) state(cmd *cobra.Command, subject attest.Subject, key ed25519.PrivateKey) (cli.Code, error) {
	says := attestation{Verdict: "protected", Covers: []string{"intervals"}, Open: unlooked(&a.policy.Read), Tool: "hitoku", Version: cli.Version()}
	var err error
	if says.Policy, err = policySubject(&a.policy); err != nil {
		return 0, err
	}
	text, err := attest.Encode(attest.Statement{Subject: []attest.Subject{subject}, PredicateType: attested, Predicate: says}, key)
	if err != nil {
		return 0, err
	}
	if err := formats.SaveAs(private.Attestation, a.output, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
		return 0, err
	}
	return cli.Done, render.Verdict(cmd.OutOrStdout(), says.words(subject.Name, i18n.Word("attested")))
}

// unlooked returns the fields of a policy that ask for more than intervals.
func unlooked(p *protect.Policy) []string {
	open := []string{}
	for name, set := range map[string]bool{"insiders": p.Insiders, "singletons": p.Singletons != nil, "unions": p.Unions > 0, "groups": p.Groups != nil,
		"defence": p.Quantised() || p.Defence != "", "partial": p.Partial} {
		if set {
			open = append(open, name)
		}
	}
	slices.Sort(open)
	return open
}

// policySubject returns the file of the policy, nil if there is none.
func policySubject(f *flags.PolicyFile) (*attest.Subject, error) {
	if f.Path() == "" {
		return nil, nil
	}
	s, _, err := subjectOf(f.Path(), budget.Settings)
	return &s, err
}

// subjectOf reads a file and describes it as a subject.
func subjectOf(path string, limit budget.Limit) (s attest.Subject, content []byte, err error) {
	if content, err = budget.ReadFile(path, limit); err != nil {
		return s, nil, formats.OSError(path, err)
	}
	s, err = attest.Of(filepath.Base(path), bytes.NewReader(content))
	return s, content, err
}

// words returns what is stated about the file called name.
func (s *attestation) words(name string, what any) i18n.Text {
	line := i18n.T("%s: %s: protected, audited were the intervals of its sensitive cells, by hitoku %s", name, what, s.Version)
	if s.Policy != nil {
		line = line.Plus(", policy %s", s.Policy.Name)
	}
	if len(s.Open) > 0 {
		line = line.Plus(", not looked at: %s", i18n.Names("", s.Open))
	}
	return line
}

// stated is a statement that verify can check: about a published table, or about the files of a release made by hitoku.
type stated struct {
	*attest.Signed
	attestation
	attest.Provenance
	release.Claim
}

// statementOf reads the statement in a file. The error is attest.ErrOther if there is none.
func statementOf(path string) (*stated, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, formats.OSError(path, err)
	}
	defer f.Close()
	head := make([]byte, 2048)
	n, _ := io.ReadFull(f, head)
	if !bytes.Contains(head[:n], []byte(`"_type"`)) && !bytes.Contains(head[:n], []byte(`"payloadType"`)) {
		return nil, attest.ErrOther
	}
	text, err := budget.ReadFile(path, budget.Settings)
	if err != nil {
		return nil, formats.OSError(path, err)
	}
	var says struct {
		attestation
		attest.Provenance
		release.Claim
	}
	signed, err := attest.Decode(text, &says)
	if err != nil {
		return nil, i18n.Errorf("%s: %w", path, err)
	}
	if known := []string{attested, attest.SLSA, release.ClaimType}; !slices.Contains(known, signed.PredicateType) {
		return nil, i18n.Errorf("%s: predicateType %q: want one of %s", path, signed.PredicateType, i18n.Names("", known))
	}
	if signed.PredicateType == release.ClaimType {
		says.Covers, says.Open = []string{"k", "l", "t"}, []string{}
	}
	return &stated{signed, says.attestation, says.Provenance, says.Claim}, nil
}

// said returns the words that confirm the statement about the file called name.
func (s *stated) said(name string) i18n.Text {
	switch s.PredicateType {
	case attested:
		return s.words(name, i18n.Word("confirmed"))
	case release.ClaimType:
		line := i18n.T("%s: %s: recomputed from its %d records, k of %s is %d", name, i18n.Word("confirmed"), s.Records, i18n.Names("", s.QI), s.K)
		for _, a := range s.Sensitive {
			line = line.Plus(", of %s l is %d and t is %s", a.Column, a.L, a.T)
		}
		return line
	}
	commit := ""
	for _, from := range s.BuildDefinition.ResolvedDependencies {
		commit = cmp.Or(commit, from.Digest["gitCommit"])
	}
	return i18n.T("%s: %s: of a release of hitoku built from commit %s", name, i18n.Word("confirmed"), commit)
}

// statement checks a statement against the file that it is about.
func (v *verification) statement(cmd *cobra.Command, path, published string, says *stated) (cli.Code, error) {
	start := time.Now()
	subject, _, err := subjectOf(published, budget.Whole)
	if err != nil {
		return 0, err
	}
	policy, err := policySubject(&v.policy)
	if err != nil {
		return 0, err
	}
	var why i18n.Text
	refuted := true
	switch {
	case !slices.ContainsFunc(says.Subject, subject.Same):
		why = i18n.T("%s is about another file, or this one was changed: their SHA-256 differ", path)
	case says.PredicateType == attested && says.Verdict != "protected":
		why = i18n.T("%s says %q, not protected", path, says.Verdict)
	case policy != nil && (says.Policy == nil || !policy.Same(*says.Policy)):
		why = i18n.T("%s was made under another policy than %s", path, v.policy.Path())
	case says.PredicateType == release.ClaimType:
		if why, err = says.Check(cmd.Context(), published, risk.Layout{}); err != nil {
			return 0, err
		}
		refuted = !why.IsZero()
	default:
		refuted = false
	}
	proved := false
	if v.key != "" && !refuted {
		key, err := attest.PublicKey(v.key)
		if err != nil {
			return 0, err
		}
		if proved = says.By(key); !proved {
			refuted, why = true, i18n.T("%s is not signed by the owner of %s", path, v.key)
		}
	}
	d := &document.Attested{File: subject.Name, Verdict: "confirmed", Signed: proved, Covers: says.Covers, Open: says.Open, By: says.Version, Seconds: time.Since(start).Seconds(), Version: cli.Version()}
	line := says.said(subject.Name)
	switch {
	case refuted:
		d.Verdict, d.Why = "refuted", why.String()
		line = i18n.T("%s: %s: %s", subject.Name, i18n.Word("refuted"), why)
	case proved:
		line = line.Plus(", signed by the owner of %s", v.key)
	case says.HasSignature():
		line = line.Plus("; the signature was not checked, --key checks it")
	default:
		line = line.Plus("; not signed: anybody may have written it")
	}
	if v.json {
		err = document.Write(cmd.OutOrStdout(), d)
	} else {
		err = render.Verdict(cmd.OutOrStdout(), line)
	}
	if refuted {
		return cli.Verdict, err
	}
	return cli.Done, err
}
