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

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/attest"
	"github.com/hitoku/hitoku/internal/cli"
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

// An attempt is a release that was found, with the results of attacks on it.
type attempt struct {
	*microMeasure
	*releasing
	cmd      *cobra.Command
	doc      *document.Releasing
	lattice  *risk.Lattice
	original string
	file     string // the release in the order of the original, readable by nobody else
	goal     risk.Goal

	found  *release.Found
	joint  *risk.Classes // by quasi-identifiers and sensitive columns together, if l or t is asked for
	claim  *release.Claim
	apart  *risk.KAnonymity
	left   []int        // number of different values of each quasi-identifier in the release
	models []risk.Model // models of the population, if the policy has its size
	attack *document.Comparison
	met    bool // all limits are kept, and no identifier is left in
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
	t.Progress = a.tell
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
	a.left = make([]int, len(a.qi))
	for k := range a.qi {
		seen := map[string]bool{}
		for g := range s.Len() {
			seen[s.Tuple(g)[k]] = true
		}
		a.left[k] = len(seen)
	}
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

// linkage returns the largest chance to pick a person's record: that of the attack by sets, but no less than 1/k. Of
// records alike in the release none is likelier than another, but one of another class may be less likely than the
// attack assumes.
func (a *attempt) linkage() float64 {
	if len(a.attack.Sets) == 0 {
		return 1
	}
	return max(a.attack.Sets[0].Largest, 1/float64(max(1, a.claim.K)))
}

// kept judges all limits and reports whether they are kept.
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

// fill puts what was found into the document.
func (a *attempt) fill() {
	doc, f := a.doc, a.found
	doc.Released, doc.K, doc.Goal = document.Some(a.claim.Records), riskdoc.Defined(a.claim.K), a.goal.K
	doc.Loss, doc.Bound, doc.Nodes, doc.Tried = document.Some(f.Loss), document.Some(f.Bound), f.Nodes, f.Tried
	doc.Linkage = document.Some(a.linkage())
	doc.Attacks = a.attack.Attacks
	if len(a.models) > 0 {
		doc.Models = a.microMeasure.models(a.models, false)
	}
	doc.Local = f.Recoded.Steps != nil
	cells := uint64(0)
	t := render.NewColumns(2, "column", "step", "values", "values left", "withheld")
	for k, name := range a.qi {
		x := document.Recoded{Column: name, Step: f.Recoded.Levels[k], Said: a.ladders[k].Names[f.Recoded.Levels[k]], Before: a.lattice.Values(k)[0], After: a.lattice.Values(k)[f.Recoded.Levels[k]]}
		if f.Withheld != nil {
			x.Withheld = f.Withheld.ByColumn[k]
		}
		if doc.Local {
			x.Records, x.After = f.Recoded.Steps[k], a.left[k]
			for level, n := range x.Records {
				if level > 0 && x.Before > 1 && a.lattice.Values(k)[level] == 1 { // the step leaves a single value, which tells nothing
					x.Withheld += n
				}
			}
		}
		cells += x.Withheld
		doc.Columns = append(doc.Columns, x)
		t.Add(name, "", fmt.Sprint(x.Before), fmt.Sprint(x.After), fmt.Sprint(x.Withheld))
		t.Say(1, i18n.T("%s", a.steps(k)))
	}
	doc.Cells = document.Some(cells)
	a.list(t)
	if len(a.claim.Sensitive) > 0 {
		t = render.NewColumns(1, "sensitive", "l", "t")
		for _, x := range a.claim.Sensitive {
			doc.Attributes = append(doc.Attributes, document.Released{Column: x.Column, L: x.L, T: document.Rational(x.T)})
			t.Add(x.Column, fmt.Sprint(x.L), x.T)
		}
		a.list(t)
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
	a.list(filled(t, a.attack.Attacks, func(x document.Attacked) []any { return []any{x.Attack, four(x.Rate), four(x.Baseline), four(x.Risk)} }))
}

// steps returns the step of a column or, for a local recoding, its steps with the number of records for each.
func (a *attempt) steps(k int) fmt.Stringer {
	h := a.ladders[k]
	if a.found.Recoded.Steps == nil {
		return h.Said(a.found.Recoded.Levels[k])
	}
	var all i18n.List
	for level, n := range a.found.Recoded.Steps[k] {
		if n > 0 {
			all.Items = append(all.Items, i18n.T("%s: %s", h.Said(level), fmt.Sprint(n)))
		}
	}
	return i18n.T("%s", all)
}

// judge puts the verdict into the document, and whether the release may be written.
func (a *attempt) judge() {
	a.met = a.kept() && len(a.beside.found) == 0
	a.fill()
	after := exposure(a.apart)
	a.doc.After = &after
	a.doc.Judge(a.limits)
}

// finish writes and prints the result.
func (a *attempt) finish(key ed25519.PrivateKey) error {
	if a.path != "" {
		a.doc.SetWritten(a.met)
	}
	if a.met && a.path != "" {
		if err := a.write(key); err != nil {
			return err
		}
	}
	if a.page != "" {
		if err := a.board(a.page, a.lang); err != nil {
			return err
		}
	}
	if err := a.out.print(a.cmd, a.doc, a.show, nil); err != nil {
		return err
	}
	code := a.verdict()
	if a.path != "" && !a.met {
		cli.Note(a.cmd.ErrOrStderr(), "nothing is written")
	}
	return code.Result()
}

// verdict reports which limits are not kept, and why.
func (a *attempt) verdict() cli.Code {
	code, words := cli.Done, a.cmd.ErrOrStderr()
	sayUnmatched(a.cmd, a.original, a.attack)
	for _, l := range a.limits {
		switch {
		case l.Models != nil:
			saySpread(words, l.Limit, l)
			code = cli.Worst(code, cli.Limit)
		case l.Open:
			cli.Note(words, "%s %s is open: %s may be chance", l.Limit, l.Want, l.Got)
			code = cli.Worst(code, cli.Limit)
		case !l.Met:
			cli.Note(words, "%s %s is not kept: %s", l.Limit, l.Want, l.Got)
			code = cli.Verdict
		}
	}
	if found := a.beside.found; len(found) > 0 {
		cli.Note(words, "another value on (nearly) every record: %s; published, that tells who they are, whatever is measured here: role = \"identifier\" in the policy leaves it out", formats.ShowList(found))
		code = cli.Verdict
	}
	return code
}

// write writes the release, with its records in random order, and a statement of what can be computed from it.
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

// about returns, in a language, what those who decide are told.
func (a *attempt) about(lang string) *report.Release {
	p := &report.Release{Lang: lang, Version: cli.Version(), Document: a.doc, Kept: a.met, Reasons: map[string]string{}, Attacks: a.said}
	for _, c := range a.policy.Columns {
		p.Reasons[c.Name] = c.Reason
	}
	for k := range a.ladders {
		p.Steps = append(p.Steps, a.steps(k))
	}
	return p
}

// board writes it as a page.
func (a *attempt) board(path, lang string) error {
	return formats.Save(path, func(w io.Writer) error { return report.Releases(w, a.about(lang)) })
}
