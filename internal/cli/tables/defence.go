package tables

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/defence"
	"github.com/hitoku/hitoku/document"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/seed"
	"github.com/hitoku/hitoku/protect"
)

// defences has the flags of patterns that withstand an intruder who knows how they are chosen.
func (s *suppression) defences() flags.Group {
	p := &s.rules.Policy
	var kinds []string
	for _, k := range defence.Kinds() {
		kinds = append(kinds, string(k))
	}
	file := s.secret.FileFlag()
	file.Needs = []string{"defence=random"}
	return flags.In(flags.DefenceGroup, []flags.Flag{
		{Name: "defence", To: &p.Defence, From: kinds, Text: "withstand an intruder who knows how patterns are chosen: decide by public data instead of cost", Else: "the cheapest pattern", More: "See [defence.md](defence.md)"},
		{Name: "public-weights", Rare: true, To: &p.PublicWeights, Files: []string{"csv", "jj", "jj.gz"}, Needs: []string{"defence"}, Text: "a `file` with an older, public table of the same cells; its large ones are released first", Else: "an order by what is left of the totals"},
		{Name: "defence-base", Rare: true, To: &p.DefenceBase, Text: "quantised: cells below `B` are withheld and protected", Else: "the larger of --below and --width + 2"},
		{Name: "defence-step", Rare: true, To: &p.DefenceStep, Text: "quantised: size `C` of the classes of the others", Else: "2B"},
		{Name: "defence-over", Rare: true, To: &p.DefenceOver, From: kinds[:2], Text: "what is public for random", Else: "simulatable"},
		{Name: "defence-orders", Rare: true, To: &p.DefenceOrders, Default: 16, Text: "random: draw from `M` orders"},
		{Name: "defence-epsilon", Rare: true, To: &p.DefenceEpsilon, Default: 1, Text: "random: how much patterns with fewer cells are preferred, `E`"},
		{Name: "defence-seed", Rare: true, To: flags.Whole(&p.DefenceSeed), Text: "random: seed `N` of the orders, which may be public"},
		file,
		{Name: "seed", To: &s.seed, Excludes: []string{"seed-file"}, Text: "seed `N` in place of --seed-file, for trials: others can read it on the command line and guess it; nothing but --defence random is random"},
	})
}

// checkSecret wants a secret where one is needed.
func (s *suppression) checkSecret(fs *pflag.FlagSet, inputs []string) error {
	p := &s.rules.Policy
	if p.Defence != string(defence.Random) {
		return nil
	}
	if fs.Changed("seed") {
		s.secret.Text = strconv.FormatUint(s.seed, 10)
	}
	return s.secret.Check(append(inputs, s.output, s.proof)...)
}

// draw returns the secret that draws the pattern.
func (s *suppression) draw(words io.Writer) ([32]byte, error) {
	secret, err := s.secret.Secret(words)
	if err != nil {
		return [32]byte{}, err
	}
	return seed.Key("suppress", secret), nil
}

// decided reports now and then how far a defence has come.
func decided(w io.Writer, kind string) func(protect.Progress) {
	what := "cells decided"
	if kind == string(defence.Random) {
		what = "orders done"
	}
	next := time.Now().Add(render.Pause)
	return func(p protect.Progress) {
		if now := time.Now(); now.After(next) {
			next = now.Add(render.Pause)
			fmt.Fprintf(w, "%d of %d %s\n", p.Done, p.Total, what)
		}
	}
}

// newDefenceReport describes what the defence of a run did, nil without one.
func newDefenceReport(res *protect.Result) *document.Defence {
	d := res.Defence
	if d == nil {
		return nil
	}
	r := &document.Defence{Kind: string(d.Kind), Protected: d.Protected, Released: d.Released, Tests: d.Tests, Guarantee: d.Guarantee, Base: d.Base, Step: d.Step}
	if d.Kind == defence.Random && d.Pattern != nil {
		public, _ := strconv.ParseUint(cmp.Or(res.Policy.DefenceSeed, "0"), 10, 64) // which has been checked
		r.Over, r.Orders, r.Epsilon, r.Delta, r.Seed = string(d.Over), len(d.Costs), cmp.Or(res.Policy.DefenceEpsilon, 1), d.Delta, &public
	}
	return r
}
