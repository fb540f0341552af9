package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/document"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// singletonFlags are suppress --singletons.
type singletonFlags struct {
	kind   string
	report *document.Singletons // of the last input
}

var singletonKinds = []string{"none", "tauargus-opt", "tauargus-mod"}

func (f *singletonFlags) add(cmd *cobra.Command) {
	f.kind = "none"
	cmd.Flags().Var(choiceValue{&f.kind, singletonKinds}, "singletons", "τ-ARGUS's row-wise rule for cells with one contributor, as its method OPT or MOD has it; --insiders solves for all relations together")
	complete(cmd, "singletons", singletonKinds...)
}

// check reports what --singletons does not go with.
func (f *singletonFlags) check(s *suppression) error {
	switch {
	case f.kind == "none":
	case s.insiders:
		return errors.New("--singletons and --insiders do not go together; --insiders asks for what a contributor learns from all relations")
	case s.proof != "":
		return errors.New("--singletons and --certificate: a certificate knows nothing of contributors")
	case s.defence.kind != "":
		return errors.New("--singletons and --defence do not go together")
	}
	return nil
}

// suppress searches by find under the rule.
func (f *singletonFlags) suppress(ctx context.Context, t *table.Table, opt *solver.Options,
	find func(context.Context, *table.Table, *solver.Options) (*solver.Solution, error), r *ruleFlags) (*solver.Solution, error) {
	f.report = nil
	if f.kind == "none" {
		return find(ctx, t, opt)
	}
	rule := attack.SingletonRule{Single: true, Multiple: true, MinFreq: r.below, Modular: f.kind == "tauargus-mod"}
	if p := r.primary.parsed; p != nil {
		for _, m := range p.MinFreq {
			if !m.Holding {
				rule.MinFreq = m.M
			}
		}
	}
	sol, sums, err := rule.Suppress(ctx, t, opt, find)
	if errors.Is(err, attack.ErrNoFreq) {
		return nil, fmt.Errorf("table %s: --singletons needs the numbers of contributors, as in a column freq", t.Name)
	}
	f.report = &document.Singletons{Rule: f.kind, Sums: sums}
	return sol, err
}
