package risk

import (
	"crypto/ed25519"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/attest"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/release"
	"github.com/hitoku/hitoku/internal/report"
	"github.com/hitoku/hitoku/internal/riskdoc"
	"github.com/hitoku/hitoku/risk"
)

// releasing is hitoku risk release.
type releasing struct {
	microFlags
	policyFile, propose string
	path                string
	order               orderFlags
	statement, sign     string
	page, lang          string
	tries               int
	local               bool

	policy  *release.Policy
	ladders []*risk.Hierarchy
	tell    func(done, total int) // reports the progress of the search; nil: not needed
}

func newRiskRelease() *cobra.Command {
	r := &releasing{}
	cmd := &cobra.Command{
		Use:   "release FILE --policy POLICY -o RELEASE [--page PAGE] [--statement STATEMENT]",
		Short: "From a file to a release: find the columns, recode, withhold, attack, write, and say what was done",
		Long: `With --propose a policy is written with what each column seems to be, and why: identifier,
quasi-identifier, sensitive or plain. Read it, mend it, set its limits (k, l, t, the largest chance
to pick the record of a person, risks of attacks), and write confirmed = true.

With --policy the recoding and the withholding of single values are searched that keep k, l
and t with the least loss; no choice loses less than the bound that is shown. What was found is
attacked with the file at hand, as hitoku risk compare does; where an attack passes its limit, the
search goes on with a larger k. -o writes the release only where every limit is kept.

--statement writes what anybody can compute of the release alone: k, l, t and its checksum, for
hitoku verify. --page writes a page for those who decide. It is for the office.`,
		Example: `  hitoku risk release persons.csv --propose persons.toml
  hitoku risk release persons.csv --policy persons.toml -o release.csv --page board.html --statement release.json
  hitoku verify release.json release.csv`,
		Args: flags.InputArgs,
		RunE: named(r.run),
	}
	flags.Declare(cmd,
		flags.In(flags.RecordsGroup, []flags.Flag{
			{Name: "policy", To: &r.policyFile, Files: []string{"toml"}, Text: "TOML `file` with roles, steps and limits"},
			{Name: "propose", To: &r.propose, Files: []string{"toml"}, Writes: true, Excludes: []string{"policy", "output", "page", "statement"}, Text: "write a policy to this `file`, to be read, mended and confirmed"},
			flags.Encoding(&r.encoding, "the file"),
			flags.Separator(&r.separator),
		}),
		flags.In(flags.ReleaseGroup, []flags.Flag{
			{Name: "local", To: &r.local, Needs: []string{"policy"}, Text: "local recoding, as local = true of the policy: coarser values in those records only that need them"},
			{Name: "tries", To: &r.tries, Default: mostTries, Range: "[0, ∞)", Text: "look for values to withhold after `N` combinations of steps at most"},
		}),
		flags.In(flags.PageGroup, []flags.Flag{
			{Name: "page", To: &r.page, Files: []string{"html"}, Writes: true, Needs: []string{"policy"}, Text: "`file` for a page of HTML for those who decide"},
			{Name: "page-lang", To: &r.lang, From: report.Languages(), Default: "en", Needs: []string{"page"}, Text: "language of the page"},
		}),
		flags.In(flags.OutputGroup, append(r.order.list(), []flags.Flag{
			outputFlag(&r.path, false, "policy"),
			{Name: "statement", To: &r.statement, Files: []string{"json"}, Writes: true, Needs: []string{"output"}, Text: "`file` for a statement of k, l, t and the checksum of the release, for hitoku verify"},
			{Name: "sign", To: &r.sign, Files: []string{"pem"}, Needs: []string{"statement"}, Text: "sign it with the private key of Ed25519 in this PEM `file`", Else: "not signed"},
			r.out.flag(),
		}...)),
	)
	flags.Common(cmd, "--propose persons.toml", "--policy persons.toml", "-o release.csv", "--page board.html", "--statement release.json")
	return cmd
}

func (r *releasing) run(cmd *cobra.Command, args []string) error {
	if len(args) != 1 || args[0] == "-" || flags.IsParquet(args[0]) {
		return i18n.New("want one CSV file, which is read several times")
	}
	r.keepEncoding(cmd)
	if err := r.check(cmd, args); err != nil {
		return err
	}
	switch {
	case r.propose != "":
		return r.roles(cmd, args[0])
	case r.policyFile == "":
		return i18n.New("want --policy FILE; --propose FILE writes one to begin with")
	}
	for flag, path := range map[string]string{"output": r.path, "page": r.page, "statement": r.statement} {
		if path != "" && (formats.SameFile(path, args[0]) || formats.SameFile(path, r.policyFile)) {
			return i18n.Errorf("--%s %s: would overwrite a file that is read", flag, path)
		}
	}
	var err error
	if r.policy, err = release.ReadPolicy(r.policyFile); err != nil {
		return err
	}
	if r.local {
		r.policy.Recoding.Local = true
	}
	var key ed25519.PrivateKey
	if r.sign != "" {
		if key, err = attest.PrivateKey(r.sign); err != nil {
			return err
		}
	}
	if words := cmd.ErrOrStderr(); render.ShowsProgress(words) {
		next := time.Now().Add(render.Pause)
		r.tell = func(done, total int) {
			if now := time.Now(); now.After(next) {
				next = now.Add(render.Pause)
				render.Tell(words, "%d of %d combinations of steps\n", done, total)
			}
		}
	}
	a, err := r.make(cmd, args[0])
	switch {
	case err != nil:
		return err
	case a.records == 0:
		return a.print(cmd, &r.out)
	case a.found == nil:
		return a.infeasible(cmd, &r.out, i18n.T(noRelease))
	}
	return a.finish(key)
}

const noRelease = "no choice of steps, and nothing withheld after it, keeps the limits; give coarser steps, like all = true, or smaller limits"

// keepEncoding makes the release use the encoding that its file was guessed to have.
func (r *releasing) keepEncoding(cmd *cobra.Command) {
	say := cli.Guessed(cmd.ErrOrStderr())
	r.guessed = func(file, encoding string) {
		say(file, encoding)
		r.encoding = encoding
	}
}

// roles proposes a policy.
func (r *releasing) roles(cmd *cobra.Command, path string) error {
	records, list, err := release.Propose(cmd.Context(), path, r.layout())
	if err != nil {
		return err
	}
	doc := &document.Roles{File: path, Records: uint64(records), Columns: []document.Proposed{}}
	d := &microMeasure{measure: newMeasure(doc, "roles"), beside: &besideFlags{}, records: uint64(records)}
	t := render.NewColumns(3, "column", "seems to be", "why").Words(1)
	for _, p := range list {
		doc.Columns = append(doc.Columns, document.Proposed{Column: p.Name, Role: string(p.Role), Why: p.Why.String()})
		t.Add(p.Name, string(p.Role), "")
		t.Say(2, p.Why)
	}
	d.list(t)
	if err := formats.Save(r.propose, func(w io.Writer) error {
		return release.Proposed(i18n.Of(cmd.OutOrStdout()), list).Write(w, []string{
			fmt.Sprintf("What the columns of %q seem to be, of %d records. Read it, mend it, and confirm it:", filepath.Base(path), records),
			"identifier: left out; quasi-identifier: others know it of a person; sensitive: nobody shall learn it; plain: neither.",
		}, true)
	}); err != nil {
		return err
	}
	if err := d.print(cmd, &r.out); err != nil {
		return err
	}
	cli.Note(cmd.ErrOrStderr(), "%s: read it, mend it, and write confirmed = true; who knows what of whom stands in no file", r.propose)
	return nil
}

// prepare reads the records by the policy.
func (r *releasing) prepare(cmd *cobra.Command, path string) (*risk.Sensitive, error) {
	header, err := risk.Header(path, r.layout())
	if err != nil {
		return nil, err
	}
	if err := r.policy.Fits(header); err != nil {
		return nil, i18n.Errorf("%s: %w", r.policyFile, err)
	}
	if r.ladders, err = r.policy.Hierarchies(); err != nil {
		return nil, i18n.Errorf("%s: %w", r.policyFile, err)
	}
	r.qi, r.missing, r.markers = r.policy.Of(release.Quasi), string(release.Missing.Mode), release.Missing.Markers
	r.beside.drop = r.policy.Of(release.Identifier)
	return scan(cmd, &r.microFlags, []string{path}, slices.Concat(r.qi, r.policy.Of(release.Sensitive)), nil, func(c *risk.Columns) *risk.Sensitive { return risk.NewSensitive(c, len(r.qi)) })
}

// exposure returns how exposed the records of classes are.
func exposure(k *risk.KAnonymity) document.Exposure {
	return document.Exposure{K: riskdoc.Defined(k.K), Alone: k.Uniques, Classes: k.Classes, Mean: k.AverageRisk, Histogram: riskdoc.Sizes(k.Histogram)}
}

// mostTries is the default number of combinations of steps after which the search looks for values to withhold.
const mostTries = 40

// mostRounds is how often the search is repeated with a larger k because an attack exceeded its limit.
const mostRounds = 6

// make searches for a release that keeps the limits. Nothing is found in a file without records, or if the limits
// cannot be kept.
func (r *releasing) make(cmd *cobra.Command, path string) (*attempt, error) {
	s, err := r.prepare(cmd, path)
	if err != nil {
		return nil, err
	}
	k, err := s.KAnonymity(cmd.Context(), r.mode(), 0)
	if err != nil {
		return nil, err
	}
	doc := &document.Releasing{Policy: r.policyFile, Sensitive: r.policy.Of(release.Sensitive), Plain: r.policy.Of(release.Plain), Records: k.Records, Before: exposure(k),
		Columns: []document.Recoded{}, Output: r.path}
	a := &attempt{microMeasure: r.start(doc, &doc.Microdata, "release", []string{path}, k.Records), releasing: r, cmd: cmd, doc: doc, original: path, goal: r.policy.Goal()}
	if k.Records == 0 {
		return a, nil
	}
	if n := r.policy.Limits.Population; n > 0 && n < k.Records {
		return nil, i18n.Errorf("%s: population = %d: fewer people than the %d records of the file", r.policyFile, n, k.Records)
	}
	if a.lattice, err = risk.NewLattice(cmd.Context(), s, r.mode(), r.ladders); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "hitoku")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	a.file = filepath.Join(dir, "release.csv")
	if g := &a.goal; r.policy.Withhold.Values && (g.L > 1 || g.T != nil) {
		if a.joint, err = r.together(cmd, path, s); err != nil {
			return nil, err
		}
	}
	for range mostRounds {
		if err := a.search(); err != nil {
			return nil, err
		}
		if a.found == nil || a.kept() {
			break
		}
		a.goal.K = max(a.goal.K+1, a.goal.K*5/4)
		if a.goal.K > k.Records {
			break
		}
	}
	if a.found != nil {
		a.judge()
	}
	return a, nil
}

// together counts the records by all columns that s has.
func (r *releasing) together(cmd *cobra.Command, path string, s *risk.Sensitive) (*risk.Classes, error) {
	scanner, err := risk.NewScanner(r.layout(), s.Columns(), nil, func() *risk.Classes {
		return risk.NewClasses(s.Columns(), len(r.qi)+len(r.policy.Of(release.Sensitive)))
	})
	if err != nil {
		return nil, err
	}
	return scanFiles(cmd, scanner, []string{path})
}
