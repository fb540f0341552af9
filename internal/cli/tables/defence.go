package tables

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/defence"
	"github.com/hitoku/hitoku/document"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/seed"
	"github.com/hitoku/hitoku/protect"
)

// addDefence adds the flags of patterns that withstand an intruder who knows how they are chosen.
func (s *suppression) addDefence(cmd *cobra.Command) {
	f, p := cmd.Flags(), &s.rules.Policy
	var kinds []string
	for _, k := range defence.Kinds() {
		kinds = append(kinds, string(k))
	}
	f.Var(flags.Choice(&p.Defence, kinds), "defence", "withstand an intruder who knows how patterns are chosen: decide by public data instead of cost")
	f.Var(flags.Choice(&p.DefenceOver, kinds[:2]), "defence-over", "what is public for random (default simulatable)")
	f.StringVar(&p.PublicWeights, "public-weights", "", "with --defence: a `file` with an older, public table of the same cells; its large ones are released first")
	f.Int64Var(&p.DefenceBase, "defence-base", 0, "quantised: cells below `B` are withheld and protected (default: the larger of --below and --width + 2)")
	f.Int64Var(&p.DefenceStep, "defence-step", 0, "quantised: size `C` of the classes of the others (default 2B)")
	f.IntVar(&p.DefenceOrders, "defence-orders", 16, "random: number of orders to draw from")
	f.Float64Var(&p.DefenceEpsilon, "defence-epsilon", 1, "random: how much patterns with fewer cells are preferred")
	f.Var(flags.Whole(&p.DefenceSeed), "defence-seed", "random: seed of the orders, which may be public")
	s.secret.AddFile(cmd)
	cmd.MarkFlagsMutuallyExclusive("seed", "seed-file")
	flags.Complete(cmd, "defence", kinds...)
	flags.Complete(cmd, "defence-over", kinds[:2]...)
	flags.CompleteFiles(cmd, "public-weights", "csv", "jj", "jj.gz")
}

// checkSecret wants a secret where one is needed, and none elsewhere.
func (s *suppression) checkSecret(fs *pflag.FlagSet, inputs []string) error {
	p := &s.rules.Policy
	switch {
	case p.Defence != string(defence.Random) && fs.Changed("seed-file"):
		return errors.New("--seed-file needs --defence random")
	case p.Defence != string(defence.Random):
		return nil
	case fs.Changed("seed"):
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
