package risk

import (
	"math/big"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/risk"
)

// samplingRisk is hitoku risk sampling.
type samplingRisk struct {
	n, n0, m int64
	p, k     *big.Rat
	design   string
	printed  bool
	limit    minK
	out      riskOutput
}

func newRiskSampling() *cobra.Command {
	s := &samplingRisk{design: "fixed"}
	cmd := &cobra.Command{
		Use:   "sampling --n N --n0 N0 (--m M | --p P | --k K)",
		Short: "Risk of a sample whose attacker knows some records, or the largest sample for a target",
		Long: `m of n records are drawn without replacement and published. The attacker knows n0 of
the n exactly, the target among them, and takes the others to be distributed like
those. His chance of a right link is at most n0/(n−m+1), or 1 if n−n0 < m−1; k is
1/risk. With --k the largest m that keeps k is computed; exit code 1 if there is none.`,
		Example: `  hitoku risk sampling --n 1000 --n0 100 --p 0.29
  hitoku risk sampling --n 1000000 --n0 100000 --k 5`,
		Args: cli.NoArgs,
		RunE: named(s.run),
	}
	flags.Declare(cmd, released([]flags.Flag{
		{Name: "n", To: &s.n, Text: "`number` of records"},
		{Name: "n0", To: &s.n0, Text: "`number` of records the attacker knows"},
		{Name: "m", To: &s.m, Wanted: true, Unless: []string{"p", "k"}, Excludes: []string{"p", "k"}, Text: "`number` of records published"},
		{Name: "p", To: ratValue{&s.p}, Excludes: []string{"k"}, Text: "share published, exact: m = ⌊p·n⌋ (`number` like 0.29 or 1/3)"},
		{Name: "k", To: ratValue{&s.k}, Range: "[1, ∞)", Excludes: []string{"design=bernoulli"}, Why: "there the risk is 1 for every share", Text: "target k: find the largest m"},
		{Name: "design", To: &s.design, From: []string{"fixed", "bernoulli"}, Text: "fixed size, or each record by itself, whose worst case is risk 1"},
		{Name: "printed-bounds", Rare: true, To: &s.printed, Text: "show also the source's sum with its bounds as printed"},
	}, &s.limit, &s.out)...)
	flags.Common(cmd, "--n 1000", "--n0 100", "--m 200", "--k 5", "--design bernoulli")
	return cmd
}

func (s *samplingRisk) run(cmd *cobra.Command, _ []string) error {
	if s.p != nil {
		var err error
		if s.m, err = risk.SampleSize(s.n, s.p); err != nil {
			return i18n.Errorf("--p: %w", err)
		}
	}
	if s.k != nil {
		s.m = 1 // so that the other parameters can be checked
	}
	r := risk.Sampling{N: s.n, N0: s.n0, M: s.m}
	if err := r.Check(); err != nil {
		return err
	}
	doc := &document.Sampling{Design: s.design, N: s.n, N0: s.n0, Target: target(s.k)}
	m := newMeasure(doc, "sampling")
	if s.k != nil {
		largest, ok := risk.MaxSample(s.n, s.n0, s.k)
		if !ok {
			return m.infeasible(cmd, &s.out, i18n.T("no sample of %d records keeps k = %s against %d known ones, as k·n0 > n", s.n, s.k.RatString(), s.n0))
		}
		r.M = largest
	}
	doc.M = document.Some(r.M)
	bernoulli := s.design == "bernoulli"
	x, formula := r.Risk(), "n0/(n−m+1)"
	switch {
	case bernoulli:
		x, formula = big.NewRat(1, 1), "1: the sample may hold every record"
	case r.Unknown() < 0:
		formula = "1: every unknown record may be published"
	}
	if !bernoulli {
		doc.Unknown = document.Some(r.Unknown())
	}
	k := new(big.Rat).Inv(x)
	doc.Risk, doc.RiskFloat = document.Ratio(x)
	doc.K, doc.KFloat = document.Ratio(k)
	if s.printed && !bernoulli {
		p, ok := r.PrintedBounds()
		doc.Printed = document.SomeIf(ok, p)
	}
	doc.Reference = document.Reference{Formula: formula, Source: "Kikuchi, Claim 4.1"}
	m.limits = s.limit.exactly(k)
	return m.print(cmd, &s.out)
}
