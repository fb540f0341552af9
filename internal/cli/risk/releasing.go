package risk

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/attest"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/private"
	"github.com/hitoku/hitoku/internal/release"
	"github.com/hitoku/hitoku/internal/report"
	"github.com/hitoku/hitoku/internal/riskdoc"
	"github.com/hitoku/hitoku/internal/stargroups"
	_ "github.com/hitoku/hitoku/lp/simplex" // which solves its programs
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

	policy  *release.Policy
	ladders []*risk.Hierarchy
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
			{Name: "tries", To: &r.tries, Default: 40, Range: "[0, ∞)", Text: "look for values to withhold after `N` combinations of steps at most"},
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
	say := cli.Guessed(cmd.ErrOrStderr())
	r.guessed = func(file, encoding string) { // which then is that of the release, too
		say(file, encoding)
		r.encoding = encoding
	}
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
	return r.make(cmd, args[0])
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
		return release.Write(w, i18n.Of(cmd.OutOrStdout()), filepath.Base(path), records, list)
	}); err != nil {
		return err
	}
	if err := d.print(cmd, &r.out); err != nil {
		return err
	}
	cli.Note(cmd.ErrOrStderr(), "%s: read it, mend it, and write confirmed = true; who knows what of whom stands in no file", r.propose)
	return nil
}

// prepare reads the policy, and the records by it.
func (r *releasing) prepare(cmd *cobra.Command, path string) (*risk.Sensitive, error) {
	var err error
	if r.policy, err = release.ReadPolicy(r.policyFile); err != nil {
		return nil, err
	}
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
	r.qi, r.missing = r.policy.Of(release.Quasi), string(risk.Own)
	r.beside.drop = r.policy.Of(release.Identifier)
	return scan(cmd, &r.microFlags, []string{path}, slices.Concat(r.qi, r.policy.Of(release.Sensitive)), nil, func(c *risk.Columns) *risk.Sensitive { return risk.NewSensitive(c, len(r.qi)) })
}

// exposure of classes.
func exposure(k *risk.KAnonymity) document.Exposure {
	return document.Exposure{K: riskdoc.Defined(k.K), Alone: k.Uniques, Classes: k.Classes, Mean: k.AverageRisk, Histogram: riskdoc.Sizes(k.Histogram)}
}

// mostRounds is how often the search goes on with a larger k because an attack passed its limit.
const mostRounds = 6

func (r *releasing) make(cmd *cobra.Command, path string) error {
	var key ed25519.PrivateKey
	if r.sign != "" {
		var err error
		if key, err = attest.PrivateKey(r.sign); err != nil {
			return err
		}
	}
	s, err := r.prepare(cmd, path)
	if err != nil {
		return err
	}
	k, err := s.KAnonymity(cmd.Context(), r.mode(), 0)
	if err != nil {
		return err
	}
	doc := &document.Releasing{Policy: r.policyFile, Sensitive: r.policy.Of(release.Sensitive), Plain: r.policy.Of(release.Plain), Records: k.Records, Before: exposure(k),
		Columns: []document.Recoded{}, Output: r.path}
	d := r.start(doc, &doc.Microdata, "release", []string{path}, k.Records)
	if k.Records == 0 {
		return d.print(cmd, &r.out)
	}
	if n := r.policy.Limits.Population; n > 0 && n < k.Records {
		return i18n.Errorf("%s: population = %d: fewer people than the %d records of the file", r.policyFile, n, k.Records)
	}
	lattice, err := risk.NewLattice(cmd.Context(), s, r.mode(), r.ladders)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "hitoku")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	a := &attempt{releasing: r, cmd: cmd, doc: doc, lattice: lattice, original: path, file: filepath.Join(dir, "release.csv"), goal: r.policy.Goal()}
	if g := &a.goal; r.policy.Withhold.Values && (g.L > 1 || g.T != nil) {
		if a.joint, err = r.together(cmd, path, s); err != nil {
			return err
		}
	}
	for range mostRounds {
		if err := a.search(); err != nil {
			return err
		}
		if a.found == nil || a.kept() {
			break
		}
		a.goal.K = max(a.goal.K+1, a.goal.K*5/4)
		if a.goal.K > k.Records {
			break
		}
	}
	if a.found == nil {
		return d.infeasible(cmd, &r.out, i18n.T("no choice of steps, and nothing withheld after it, keeps the limits; give coarser steps, like all = true, or smaller limits"))
	}
	return a.finish(d, key)
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

// An attempt is a release that was found, and what attacks on it come to.
type attempt struct {
	*releasing
	cmd      *cobra.Command
	doc      *document.Releasing
	lattice  *risk.Lattice
	original string
	file     string // the release in the order of the original, which nobody else can read
	goal     risk.Goal

	found  *release.Found
	joint  *risk.Classes // by quasi-identifiers and sensitive columns together, where l or t is asked for
	claim  *release.Claim
	apart  *risk.KAnonymity
	models []risk.Model // of the population, where the policy has its size
	attack *document.Comparison
	said   map[string]i18n.Text // names of attacks, by their English
	limits []document.Limit
}

// search finds a release and attacks it.
func (a *attempt) search() error {
	t := &release.Task{Lattice: a.lattice, Goal: a.goal, Tries: a.tries}
	if left := a.policy.Withhold.LeaveOut.Rat; left != nil && left.Sign() > 0 && a.goal.T == nil {
		t.Goal.Left = left
	}
	for _, h := range a.ladders {
		t.Levels = append(t.Levels, h.Levels())
	}
	if t.Values = a.policy.Withhold.Values; t.Values {
		t.Joint = a.joint
		t.Solve = func(ctx context.Context, p *risk.GroupProgram) (*risk.GroupSolution, error) {
			return stargroups.Solve(ctx, p, stargroups.Limits{Nodes: 100, Iterations: 20_000})
		}
	}
	if words := a.cmd.ErrOrStderr(); render.ShowsProgress(words) {
		next := time.Now().Add(render.Pause)
		t.Progress = func(done, total int) {
			if now := time.Now(); now.After(next) {
				next = now.Add(render.Pause)
				render.Tell(words, "%d of %d combinations of steps\n", done, total)
			}
		}
	}
	var err error
	if a.found, err = t.Search(a.cmd.Context()); err != nil || a.found == nil {
		return err
	}
	var truth []int32
	err = formats.Save(a.file, func(w io.Writer) error {
		truth = truth[:0]
		return a.lattice.Write(a.cmd.Context(), w, a.original, a.layout(), a.found.Recoded, a.found.Withheld, a.beside.drop, nil, func(n int32) { truth = append(truth, n) })
	})
	if err != nil {
		return err
	}
	claim, s, err := release.Measure(a.cmd.Context(), a.file, a.layout(), a.qi, a.doc.Sensitive, a.policy.Distances())
	if err != nil {
		return err
	}
	a.claim = claim
	if a.apart, err = s.KAnonymity(a.cmd.Context(), a.mode(), 0); err != nil {
		return err
	}
	if n := a.policy.Limits.Population; n > 0 {
		if a.models, err = risk.Models(a.cmd.Context(), &s.Classes, nil, a.mode(), n, 0); err != nil {
			return err
		}
	}
	return a.attacked(truth)
}

// attacked compares the release with the original, as hitoku risk compare does by default.
func (a *attempt) attacked(truth []int32) error {
	c := byDefault()
	c.microFlags = microFlags{qi: a.qi, encoding: a.encoding, separator: a.separator, workers: a.workers}
	c.sensitive, c.from = a.doc.Sensitive, truth
	for _, x := range a.policy.Columns {
		if x.Prefix != nil || x.Recode != "" {
			c.categories = append(c.categories, x.Name)
		}
		if x.Recode != "" {
			c.recode = append(c.recode, x.Name+"="+x.Recode)
		}
	}
	d, _, err := c.release(a.cmd.Context(), a.original, a.file)
	if err != nil {
		return err
	}
	a.attack, a.said = d.doc.(*document.Comparison), d.said
	return nil
}

// linkage is the largest chance to pick the record of a person: that of the attack by sets, and no less than 1/k, as of records alike in the release none is
// likelier than another, but one of another class may be unlikelier than the attack takes it to be.
func (a *attempt) linkage() float64 {
	if len(a.attack.Sets) == 0 {
		return 1
	}
	return max(a.attack.Sets[0].Largest, 1/float64(max(1, a.claim.K)))
}

// kept judges all limits.
func (a *attempt) kept() bool {
	a.limits = nil
	add := func(name string, want *big.Rat, got render.Exact, met, undecided bool) {
		if want != nil {
			a.limits = append(a.limits, document.Limit{Limit: name, Want: render.Ratio(want, 0), Got: got, Met: met, Open: undecided})
		}
	}
	least := func(name string, want, got uint64) {
		if want > 0 {
			add(name, new(big.Rat).SetUint64(want), render.Exact(fmt.Sprint(got)), got >= want, false)
		}
	}
	p := &a.policy.Limits
	least("k", a.policy.Goal().K, a.claim.K)
	for _, x := range a.claim.Sensitive {
		least("l", p.L, x.L)
		if t, ok := new(big.Rat).SetString(x.T); p.T.Rat != nil {
			add("t", p.T.Rat, render.Exact(x.T), ok && t.Cmp(p.T.Rat) <= 0, false)
		}
	}
	if p.Risk.Rat != nil {
		most, _ := p.Risk.Float64()
		add("risk", p.Risk.Rat, floatText(a.linkage()), a.linkage() <= most*(1+1e-9), false)
	}
	for _, x := range []struct {
		name, attack string
		most         release.Number
	}{{"singling_out", "singling out", p.SinglingOut}, {"linkability", "linkability", p.Linkability}, {"inference", "inference", p.Inference}} {
		if x.most.Rat == nil {
			continue
		}
		most, _ := x.most.Float64()
		risk, sure := 0.0, 0.0
		for _, y := range a.attack.Attacks {
			if strings.HasPrefix(y.Attack, x.attack) {
				risk, sure = max(risk, y.Risk), max(sure, y.AtLeast)
			}
		}
		add(x.name, x.most.Rat, floatText(risk), risk <= most, risk > most && sure <= most)
	}
	if len(a.models) > 0 {
		if most := p.Reidentified.Rat; most != nil {
			j := judgeReidentified(a.models, float(most), a.apart.Records, uint64(a.apart.Classes))
			a.limits = append(a.limits, j.limit("reidentified", most, a.models[0].Reidentified.Estimate/float64(a.apart.Records)))
		}
		if most := p.Uniques.Rat; most != nil {
			j := judgeUniques(a.models, float(most), p.Population)
			a.limits = append(a.limits, j.limit("uniques", most, j.highest))
		}
	}
	return !slices.ContainsFunc(a.limits, func(l document.Limit) bool { return !l.Met })
}

// fill makes the document say what was found.
func (a *attempt) fill(d *microMeasure) {
	doc, f := a.doc, a.found
	doc.Released, doc.K, doc.Goal = document.Some(a.claim.Records), riskdoc.Defined(a.claim.K), a.goal.K
	doc.Loss, doc.Bound, doc.Nodes, doc.Tried = document.Some(f.Loss), document.Some(f.Bound), f.Nodes, f.Tried
	doc.Linkage = document.Some(a.linkage())
	doc.Attacks = a.attack.Attacks
	if len(a.models) > 0 {
		doc.Models = d.models(a.models, false)
	}
	cells := uint64(0)
	t := render.NewColumns(2, "column", "step", "values", "values left", "withheld")
	for k, name := range a.qi {
		x := document.Recoded{Column: name, Step: f.Recoded.Levels[k], Said: a.ladders[k].Names[f.Recoded.Levels[k]], Before: a.lattice.Values(k)[0], After: a.lattice.Values(k)[f.Recoded.Levels[k]]}
		if f.Withheld != nil {
			x.Withheld = f.Withheld.ByColumn[k]
		}
		cells += x.Withheld
		doc.Columns = append(doc.Columns, x)
		t.Add(name, "", fmt.Sprint(x.Before), fmt.Sprint(x.After), fmt.Sprint(x.Withheld))
		t.Say(1, i18n.T("%s", a.ladders[k].Said(x.Step)))
	}
	doc.Cells = document.Some(cells)
	d.list(t)
	if len(a.claim.Sensitive) > 0 {
		t = render.NewColumns(1, "sensitive", "l", "t")
		for _, x := range a.claim.Sensitive {
			doc.Attributes = append(doc.Attributes, document.Released{Column: x.Column, L: x.L, T: document.Rational(x.T)})
			t.Add(x.Column, fmt.Sprint(x.L), x.T)
		}
		d.list(t)
	}
	for _, x := range []struct {
		name  string
		value document.Opt[float64]
	}{{"detail lost by sets", document.Some(a.attack.Detail)}, {"pairs of columns, mean distance", a.attack.PairTV}, {"associations, largest change", a.attack.Association}} {
		if v, ok := x.value.Get(); ok {
			doc.Changes = append(doc.Changes, document.Changed{Measure: x.name, Released: v})
		}
	}
	t = render.NewColumns(1, "attack", "succeeds", "without the release", "risk").Words(0).Named(a.said)
	for _, x := range a.attack.Attacks {
		t.Add(x.Attack, fmt.Sprintf("%.4f", x.Rate), fmt.Sprintf("%.4f", x.Baseline), fmt.Sprintf("%.4f", x.Risk))
	}
	d.list(t)
}

// finish judges, writes and prints.
func (a *attempt) finish(d *microMeasure, key ed25519.PrivateKey) error {
	met := a.kept() && len(a.beside.found) == 0
	a.fill(d)
	after := exposure(a.apart)
	a.doc.After = &after
	a.doc.Judge(a.limits)
	if a.path != "" {
		a.doc.SetWritten(met)
	}
	if met && a.path != "" {
		if err := a.write(key); err != nil {
			return err
		}
	}
	if a.page != "" {
		if err := a.board(met); err != nil {
			return err
		}
	}
	if err := a.out.print(a.cmd, a.doc, d.show, nil); err != nil {
		return err
	}
	code := cli.Done
	for _, l := range a.limits {
		switch {
		case l.Models != nil:
			saySpread(a.cmd.ErrOrStderr(), l.Limit, l)
			code = cli.Worst(code, cli.Limit)
		case l.Open:
			cli.Note(a.cmd.ErrOrStderr(), "%s %s is open: %s may be chance", l.Limit, l.Want, l.Got)
			code = cli.Worst(code, cli.Limit)
		case !l.Met:
			cli.Note(a.cmd.ErrOrStderr(), "%s %s is not kept: %s", l.Limit, l.Want, l.Got)
			code = cli.Verdict
		}
	}
	if found := a.beside.found; len(found) > 0 {
		cli.Note(a.cmd.ErrOrStderr(), "another value on (nearly) every record: %s; published, that tells who they are, whatever is measured here: role = \"identifier\" in the policy leaves it out", formats.ShowList(found))
		code = cli.Verdict
	}
	if a.path != "" && !met {
		cli.Note(a.cmd.ErrOrStderr(), "nothing is written")
	}
	return code.Result()
}

// write writes the release, all its records in a random order, and states of it what can be computed of it.
func (a *attempt) write(key ed25519.PrivateKey) error {
	rng, err := a.order.rng(a.cmd, a.original, a.path)
	if err != nil {
		return err
	}
	err = formats.SaveAs(private.Release, a.path, func(w io.Writer) error {
		return a.lattice.Write(a.cmd.Context(), w, a.original, a.layout(), a.found.Recoded, a.found.Withheld, a.beside.drop, rng, nil)
	})
	if err != nil || a.statement == "" {
		return err
	}
	why, err := a.claim.Check(a.cmd.Context(), a.path, a.layout())
	switch {
	case err != nil:
		return err
	case !why.IsZero():
		return i18n.Errorf("%s: %s", a.path, why)
	}
	f, err := os.Open(a.path)
	if err != nil {
		return formats.OSError(a.path, err)
	}
	defer f.Close()
	subject, err := attest.Of(filepath.Base(a.path), f)
	if err != nil {
		return err
	}
	text, err := attest.Encode(attest.Statement{Subject: []attest.Subject{subject}, PredicateType: release.ClaimType, Predicate: &release.Stated{Claim: *a.claim, Tool: "hitoku", Version: cli.Version()}}, key)
	if err != nil {
		return err
	}
	return formats.SaveAs(private.Claimed, a.statement, func(w io.Writer) error { _, err := w.Write(text); return err })
}

// board writes the page for those who decide.
func (a *attempt) board(met bool) error {
	p := &report.Release{Lang: a.lang, Version: cli.Version(), Document: a.doc, Kept: met, Reasons: map[string]string{}, Attacks: a.said}
	for _, c := range a.policy.Columns {
		p.Reasons[c.Name] = c.Reason
	}
	for k, h := range a.ladders {
		p.Steps = append(p.Steps, h.Said(a.found.Recoded.Levels[k]))
	}
	return formats.Save(a.page, func(w io.Writer) error { return report.Releases(w, p) })
}
