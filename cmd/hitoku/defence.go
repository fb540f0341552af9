package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/defence"
	"github.com/hitoku/hitoku/document"
	"github.com/hitoku/hitoku/internal/seed"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// defenceFlags choose the pattern so that it withstands an intruder who knows how.
type defenceFlags struct {
	kind, over string
	base, step int64
	weights    string
	orders     int
	epsilon    float64
	seed       uint64
	secret     seedFlags
}

func (d *defenceFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	var kinds []string
	for _, k := range defence.Kinds() {
		kinds = append(kinds, string(k))
	}
	f.Var(choiceValue{&d.kind, kinds}, "defence", "withstand an intruder who knows how patterns are chosen: decide by public data instead of cost")
	f.Var(choiceValue{&d.over, kinds[:2]}, "defence-over", "what is public for random (default simulatable)")
	f.StringVar(&d.weights, "public-weights", "", "with --defence: a `file` with an older, public table of the same cells; its large ones are released first")
	f.Int64Var(&d.base, "defence-base", 0, "quantised: cells below `B` are withheld and protected (default: the larger of --below and --width + 2)")
	f.Int64Var(&d.step, "defence-step", 0, "quantised: size `C` of the classes of the others (default 2B)")
	f.IntVar(&d.orders, "defence-orders", 16, "random: number of orders to draw from")
	f.Float64Var(&d.epsilon, "defence-epsilon", 1, "random: how much patterns with fewer cells are preferred")
	f.Uint64Var(&d.seed, "defence-seed", 0, "random: seed of the orders, which may be public")
	d.secret.addFile(cmd)
	cmd.MarkFlagsMutuallyExclusive("seed", "seed-file")
	complete(cmd, "defence", kinds...)
	complete(cmd, "defence-over", kinds[:2]...)
	completeFiles(cmd, "public-weights", "csv", "jj", "jj.gz")
}

// check reports flags of suppress that contradict each other where a defence is, or
// is not, asked for.
func (d *defenceFlags) check(s *suppression, flags *pflag.FlagSet, inputs []string) error {
	of := map[string][]defence.Kind{
		"public-weights":  defence.Kinds(),
		"defence-base":    {defence.Quantised},
		"defence-step":    {defence.Quantised},
		"defence-over":    {defence.Random},
		"defence-orders":  {defence.Random},
		"defence-epsilon": {defence.Random},
		"defence-seed":    {defence.Random},
		"seed-file":       {defence.Random},
	}
	for _, name := range []string{"public-weights", "defence-over", "defence-base", "defence-step", "defence-orders", "defence-epsilon", "defence-seed", "seed-file"} {
		kinds := of[name]
		if !flags.Changed(name) || slices.Contains(kinds, defence.Kind(d.kind)) || slices.Contains(kinds, defence.Kind(d.over)) {
			continue
		}
		if len(kinds) > 1 {
			return fmt.Errorf("--%s needs --defence", name)
		}
		return fmt.Errorf("--%s needs --defence %s", name, kinds[0])
	}
	if d.kind == "" {
		return nil
	}
	for _, name := range []string{"certificate", "gap", "canonical", "time-limit"} {
		if flags.Changed(name) {
			return fmt.Errorf("--%s is of no use with --defence, which neither searches nor proves costs", name)
		}
	}
	r := &s.rules
	switch {
	case r.lpl != nil || r.upl != nil:
		return fmt.Errorf("--defence can promise the width of an interval, but not --lpl and --upl, distances from a value that no decision may depend on")
	case r.width != nil && r.width.Percent:
		return fmt.Errorf("--width %s%%: --defence needs a number, for a percentage depends on the value", r.width.Decimal)
	case d.quantised() && (r.below == 0 || r.width == nil):
		return fmt.Errorf("--defence quantised needs --below and --width")
	case flags.Changed("defence-base") && d.base < 1:
		return fmt.Errorf("--defence-base %d: want 1 or more", d.base)
	case flags.Changed("defence-step") && d.step < 1:
		return fmt.Errorf("--defence-step %d: want 1 or more", d.step)
	case flags.Changed("defence-orders") && d.orders < 1:
		return fmt.Errorf("--defence-orders %d: want 1 or more", d.orders)
	case flags.Changed("defence-epsilon") && !(d.epsilon > 0):
		return fmt.Errorf("--defence-epsilon %g: want more than 0", d.epsilon)
	}
	if d.kind != string(defence.Random) {
		return nil
	}
	if flags.Changed("seed") {
		d.secret.text = strconv.FormatUint(s.seed, 10)
	}
	return d.secret.check(append(inputs, s.output, s.proof)...)
}

// quantised reports whether classes of values are what is public.
func (d *defenceFlags) quantised() bool {
	return d.kind == string(defence.Quantised) || d.over == string(defence.Quantised)
}

// options puts the flags into the words of package defence.
func (d *defenceFlags) options(cmd *cobra.Command, s *suppression, t *table.Table) (*defence.Options, error) {
	o := &defence.Options{Kind: defence.Kind(d.kind), Over: defence.Kind(d.over), Below: s.rules.below, Base: d.base, Step: d.step,
		Orders: d.orders, Epsilon: d.epsilon, PublicSeed: d.seed, LP: s.engine.lp, Workers: s.engine.workers}
	if w := s.rules.width; w != nil {
		v, ok := w.At(t.Decimals)
		if !ok { // no sensitive cell asked for it yet
			if err := t.Rescale(w.Scale); err != nil {
				return nil, err
			}
			if v, ok = w.At(t.Decimals); !ok {
				return nil, table.ErrOutOfRange
			}
		}
		o.Width = v
	}
	if o.Kind == defence.Random {
		secret, err := d.secret.secret(cmd.ErrOrStderr())
		if err != nil {
			return nil, err
		}
		o.Seed = seed.Key("suppress", secret)
	}
	if d.weights == "" {
		return o, nil
	}
	in, err := s.inputs.read(cmd, d.weights, &s.rules)
	if err != nil {
		return nil, err
	}
	o.Weights, err = weights(t, in.Table)
	if err != nil {
		return nil, fmt.Errorf("--public-weights %s: %w", d.weights, err)
	}
	return o, nil
}

// decided reports now and then how far a defence has come.
func decided(w io.Writer, kind defence.Kind) func(done, total int) {
	what := "cells decided"
	if kind == defence.Random {
		what = "orders done"
	}
	next := time.Now().Add(progressEvery)
	return func(done, total int) {
		if now := time.Now(); now.After(next) {
			next = now.Add(progressEvery)
			fmt.Fprintf(w, "%d of %d %s\n", done, total, what)
		}
	}
}

// weights returns the values of the cells of t in an older table.
func weights(t, old *table.Table) ([]int64, error) {
	at := make(map[string]int, old.Len())
	for i := range old.Len() {
		at[old.CellName(i)] = i
	}
	w := make([]int64, t.Len())
	for i := range w {
		j, ok := at[t.CellName(i)]
		if !ok {
			return nil, fmt.Errorf("no cell %s, which table %s has", t.CellName(i), t.Name)
		}
		if !old.Known(j) {
			continue // withheld then: 0, released last
		}
		w[i] = old.Value[j]
	}
	return w, nil
}

// run protects t. A table that cannot be protected has a solution without pattern,
// and why.
func (d *defenceFlags) run(ctx context.Context, t *table.Table, o *defence.Options) (sol *solver.Solution, rep *document.Defence, why, err error) {
	ds, err := defence.Suppress(ctx, t, o)
	var impossible *defence.UnprotectableError
	switch {
	case errors.As(err, &impossible):
		return &solver.Solution{Status: solver.Unprotectable, LP: o.LP}, &document.Defence{Kind: string(o.Kind)}, err, nil
	case err != nil:
		return nil, nil, nil, err
	}
	rep = &document.Defence{Kind: string(ds.Kind), Protected: ds.Protected, Released: ds.Released, Tests: ds.Tests, Guarantee: ds.Guarantee,
		Base: ds.Base, Step: ds.Step}
	if ds.Kind == defence.Random {
		rep.Over, rep.Orders, rep.Epsilon, rep.Delta, rep.Seed = string(ds.Over), len(ds.Costs), o.Epsilon, ds.Delta, &o.PublicSeed
	}
	return &solver.Solution{Status: solver.Feasible, Pattern: ds.Pattern, Cost: ds.Cost, Seconds: ds.Seconds, LP: ds.LP, Engine: ds.Engine}, rep, nil, nil
}
