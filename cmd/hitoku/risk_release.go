package main

import (
	"errors"
	"fmt"
	"io"
	"math/big"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/risk"
)

// ratValue is an exact number like 0.29 or 1/3.
type ratValue struct{ to **big.Rat }

func (v ratValue) Type() string { return "number" }

func (v ratValue) String() string {
	if v.to == nil || *v.to == nil {
		return ""
	}
	return (*v.to).RatString()
}

func (v ratValue) Set(s string) error {
	x, err := risk.ParseNumber(s)
	if err == nil {
		*v.to = x
	}
	return err
}

// minK is the limit --min-k of a release.
type minK struct{ want *big.Rat }

func (l *minK) add(cmd *cobra.Command) {
	cmd.Flags().Var(ratValue{&l.want}, "min-k", "exit with code 1 unless k is at least this `number`")
}

// exactly compares a k that is known exactly.
func (l *minK) exactly(k *big.Rat) []riskLimit {
	if l.want == nil {
		return nil
	}
	return []riskLimit{{"min-k", ratio(l.want, 0), ratio(k, 0), k.Cmp(l.want) >= 0}}
}

// both shows a rational number and its decimals.
func both(x *big.Rat) string {
	if x.IsInt() {
		return x.RatString()
	}
	f, _ := x.Float64()
	return fmt.Sprintf("%s = %.6g", x.RatString(), f)
}

// samplingRisk is hitoku risk sampling.
type samplingRisk struct {
	n, n0, m int64
	p, k     *big.Rat
	design   string
	printed  bool
	limit    minK
	out      riskOutput
}

// samplingDoc is its JSON document.
type samplingDoc struct {
	Metric  string      `json:"metric"`
	Status  string      `json:"status"`
	Design  string      `json:"design"`
	N       int64       `json:"n"`
	N0      int64       `json:"n0"`
	TargetK exact       `json:"target_k,omitempty"`
	M       *int64      `json:"m"`
	P       string      `json:"p,omitempty"`
	Unknown *int64      `json:"unknown_unsampled"`
	Risk    *string     `json:"risk"`
	RiskF   *float64    `json:"risk_float"`
	K       *string     `json:"k"`
	KF      *float64    `json:"k_float"`
	Printed *float64    `json:"risk_printed_bounds,omitempty"`
	Formula string      `json:"formula"`
	Limits  []riskLimit `json:"limits,omitempty"`
}

// newRiskSampling is hitoku risk sampling.
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
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.run(cmd) },
	}
	f := cmd.Flags()
	f.Int64Var(&s.n, "n", 0, "`number` of records")
	f.Int64Var(&s.n0, "n0", 0, "`number` of records the attacker knows")
	f.Int64Var(&s.m, "m", 0, "`number` of records published")
	f.Var(ratValue{&s.p}, "p", "share published, exact: m = ⌊p·n⌋ (`number` like 0.29 or 1/3)")
	f.Var(ratValue{&s.k}, "k", "target k: find the largest m")
	f.Var(choiceValue{&s.design, []string{"fixed", "bernoulli"}}, "design", "fixed size, or each record by itself, whose worst case is risk 1")
	f.BoolVar(&s.printed, "printed-bounds", false, "show also the source's sum with its bounds as printed")
	s.limit.add(cmd)
	s.out.add(cmd)
	cmd.MarkFlagsOneRequired("m", "p", "k")
	cmd.MarkFlagsMutuallyExclusive("m", "p", "k")
	cmd.MarkFlagsMutuallyExclusive("k", "min-k")
	complete(cmd, "design", "fixed", "bernoulli")
	return cmd
}

func (s *samplingRisk) run(cmd *cobra.Command) error {
	doc := samplingDoc{Metric: "sampling", Status: "ok", Design: s.design, N: s.n, N0: s.n0, Formula: "risk = n0/(n-m+1), 1 if n-n0-m+1 < 0; k = 1/risk"}
	if s.p != nil {
		doc.P = s.p.RatString()
		var err error
		if s.m, err = risk.SampleSize(s.n, s.p); err != nil {
			return fmt.Errorf("risk sampling: --p: %w", err)
		}
	}
	bernoulli := s.design == "bernoulli"
	if s.k != nil {
		if bernoulli {
			return errors.New("risk sampling: --k: with --design bernoulli the risk is 1 for every share")
		}
		if s.k.Cmp(big.NewRat(1, 1)) < 0 {
			return fmt.Errorf("risk sampling: --k %s: want at least 1", s.k.RatString())
		}
		doc.TargetK = ratio(s.k, 0)
		s.m = 1 // to check the others
	}
	r := risk.Sampling{N: s.n, N0: s.n0, M: s.m}
	if err := r.Check(); err != nil {
		return fmt.Errorf("risk sampling: %w", err)
	}
	if s.k != nil {
		m, ok := risk.MaxSample(s.n, s.n0, s.k)
		if !ok {
			doc.Status = "infeasible"
			return s.out.infeasible(cmd, doc, fmt.Sprintf("no sample of %d records keeps k = %s against %d known ones: k·n0 > n", s.n, s.k.RatString(), s.n0))
		}
		r.M = m
	}
	x, u := r.Risk(), r.Unknown()
	if bernoulli {
		x, doc.Formula = big.NewRat(1, 1), "risk = 1: the sample may hold every record"
	} else {
		doc.Unknown = &u
	}
	k := new(big.Rat).Inv(x)
	riskText, kText := x.RatString(), k.RatString()
	riskFloat, _ := x.Float64()
	kFloat, _ := k.Float64()
	doc.M, doc.Risk, doc.RiskF, doc.K, doc.KF = &r.M, &riskText, &riskFloat, &kText, &kFloat
	if p, ok := r.PrintedBounds(); ok && s.printed && !bernoulli {
		doc.Printed = &p
	}
	doc.Limits = s.limit.exactly(k)
	return s.out.print(cmd, doc, func(w io.Writer) {
		facts := []fact{{"records n", s.n}, {"known n0", s.n0}, {"published m", r.M}}
		if doc.Unknown != nil {
			facts = append(facts, fact{"neither, at worst", max(0, u)})
		}
		facts = append(facts, fact{"risk", both(x)}, fact{"k", both(k)}, fact{"formula", doc.Formula})
		if doc.Printed != nil {
			facts = append(facts, fact{"with the bounds as printed", *doc.Printed})
		}
		printFacts(w, facts)
	}, doc.Limits)
}
