package main

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/risk"
)

// surveyRisk is hitoku risk survey.
type surveyRisk struct {
	microFlags
	weight  string
	maxRisk *big.Rat
}

func newRiskSurvey() *cobra.Command {
	s := &surveyRisk{}
	cmd := &cobra.Command{
		Use:   "survey FILE... --qi COLUMNS --weight COLUMN",
		Short: "Individual risk in a sample survey, from its weights",
		Long: `A class of f records whose weights sum to F̂ stands for about F̂ people: its sampling
fraction is p = f/F̂, and the risk of its records the expectation of 1/F given f under a
negative binomial law (Benedetti and Franconi). Shown are the exact value and the
approximation in use elsewhere.`,
		Example: `  hitoku risk survey survey.csv --qi region,age,sex --weight w --max-risk 0.1`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.run(cmd, args); err != nil {
				return inRisk("survey", err)
			}
			return nil
		},
	}
	s.add(cmd, "own", "drop", "wildcard")
	s.beside.addSensitive(cmd)
	f := cmd.Flags()
	f.StringVar(&s.weight, "weight", "", "`column` with the number of people a record stands for")
	f.Var(ratValue{&s.maxRisk}, "max-risk", "exit with code 1 unless the largest risk is at most this `number`; records above it are counted")
	return cmd
}

func (s *surveyRisk) run(cmd *cobra.Command, args []string) error {
	if err := s.check(args); err != nil {
		return err
	}
	if s.weight == "" {
		return errors.New("no weights; name their column by --weight")
	}
	x, err := scanner(&s.microFlags, s.qi, []string{s.weight}, func(c *risk.Columns) *risk.Weighted { return risk.NewWeighted(c, len(s.qi)) })
	if err != nil {
		return err
	}
	w, err := scanFiles(cmd, x, args)
	if err != nil {
		return err
	}
	r, err := w.Risk(s.mode(), s.worst)
	if err != nil {
		return err
	}
	if err := s.beside.look(cmd, args, s.layout(), x.Wanted()); err != nil {
		return err
	}
	d := s.doc("survey", args)
	d.records = r.Records
	d.add("model", "model", choice{"benedetti_franconi", "negative binomial, p = f/sum of weights"})
	d.add("records", "records", r.Records)
	d.add("classes", "different records", r.Classes)
	d.add("population_estimate", "people, by the weights", exact(r.Population.String()))
	d.add("k", "k in the sample", defined(r.K))
	d.add("sample_uniques", "records alone in the sample", r.Uniques)
	d.missing(s.missing, s.markers, r.Excluded, r.WithMissing, r.AllMissing)
	names := []struct {
		key, label string
		v          float64
	}{
		{"max_risk", "largest risk", r.MaxRisk},
		{"max_risk_approx", "", r.MaxApprox},
		{"average_risk", "average risk", r.AverageRisk},
		{"average_risk_approx", "", r.AverageApprox},
		{"expected_reidentifications", "expected re-identifications", r.Reidentified},
		{"expected_reidentifications_approx", "approximated", r.ReidentifiedApprox},
	}
	for _, n := range names {
		if d.records == 0 {
			d.add(n.key, "", nil)
		} else {
			d.add(n.key, n.label, n.v)
		}
	}
	if s.maxRisk != nil {
		limit, _ := s.maxRisk.Float64()
		d.add("records_above_limit", "records above the limit", r.Above(&w.Classes, limit))
	}
	d.add("histogram", "", r.Histogram)
	d.shares("risk", r.Histogram)
	if s.worst > 0 {
		d.add("worst", "", r.Worst)
		t := newColumns(1, "worst classes", "records", "frequency", "weights", "risk", "approximated")
		for _, x := range r.Worst {
			t.add(shown(x.Tuple), fmt.Sprint(x.Records), fmt.Sprint(x.Frequency), x.Weights, readable(x.Risk), readable(x.Approx))
		}
		d.list(t)
	}
	d.floatAtMost("max-risk", s.maxRisk, r.MaxRisk)
	return d.print(cmd, &s.out)
}

// uniquesRisk is hitoku risk uniques.
type uniquesRisk struct {
	microFlags
	population uint64
	maxShare   *big.Rat
}

func newRiskUniques() *cobra.Command {
	u := &uniquesRisk{}
	cmd := &cobra.Command{
		Use:   "uniques FILE... --qi COLUMNS --population-size N",
		Short: "How many people are unique in the population, estimated from a sample",
		Long: `The file is taken as a simple random sample of N people. Estimates after Zayatz and by
the Pitman model are shown, and which one the rule of Dankar and others chooses: up to
a sampling fraction of 0.1 Pitman, else Zayatz, also where the Pitman model does not fit.`,
		Example: `  hitoku risk uniques sample.csv --qi region,age,sex,occupation --population-size 127000000`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := u.run(cmd, args); err != nil {
				return inRisk("uniques", err)
			}
			return nil
		},
	}
	u.add(cmd, "own", "drop")
	u.beside.addSensitive(cmd)
	f := cmd.Flags()
	f.Uint64Var(&u.population, "population-size", 0, "`number` of people in the population")
	f.Var(ratValue{&u.maxShare}, "max-share", "exit with code 1 unless the estimate, as a share of the population, is at most this `number`")
	return cmd
}

func (u *uniquesRisk) run(cmd *cobra.Command, args []string) error {
	if err := u.check(args); err != nil {
		return err
	}
	if u.population == 0 {
		return errors.New("no population; say --population-size")
	}
	s, err := scanner(&u.microFlags, u.qi, nil, func(c *risk.Columns) *risk.Classes { return risk.NewClasses(c, len(u.qi)) })
	if err != nil {
		return err
	}
	c, err := scanFiles(cmd, s, args)
	if err != nil {
		return err
	}
	k, err := c.KAnonymity(u.mode(), u.worst)
	if err != nil {
		return err
	}
	if err := u.beside.look(cmd, args, u.layout(), s.Wanted()); err != nil {
		return err
	}
	d := u.doc("population_uniques", args)
	d.records = k.Records
	d.add("population_size", "population", u.population)
	d.add("records", "records", k.Records)
	d.add("classes", "classes", k.Classes)
	d.add("sample_uniques", "records alone", k.Uniques)
	d.missing(u.missing, u.markers, k.Excluded, k.WithMissing, k.AllMissing)
	if k.Records == 0 {
		for _, key := range []string{"sampling_fraction", "zayatz_prob", "zayatz_uniques", "pitman_theta", "pitman_alpha", "pitman_uniques", "chosen", "reason", "population_uniques", "share"} {
			d.add(key, "", nil)
		}
		d.add("histogram", "", k.Histogram)
		return d.print(cmd, &u.out)
	}
	r, err := risk.NewUniques(k.Histogram, u.population)
	if err != nil {
		return err
	}
	N := float64(u.population)
	d.add("sampling_fraction", "sampling fraction", float64(k.Records)/N)
	d.add("zayatz_prob", "a record alone is unique, Zayatz", r.Zayatz.Prob)
	d.add("zayatz_uniques", "population uniques, Zayatz", r.Zayatz.Uniques)
	if p := r.Pitman; p != nil {
		d.add("pitman_theta", "", p.Theta)
		d.add("pitman_alpha", "", p.Alpha)
		d.add("pitman_uniques", "population uniques, Pitman", p.Uniques)
	} else {
		d.add("pitman_theta", "", nil)
		d.add("pitman_alpha", "", nil)
		d.add("pitman_uniques", "", nil)
	}
	d.add("chosen", "chosen", r.Chosen)
	d.add("reason", "because", r.Reason)
	d.add("population_uniques", "population uniques", r.Estimate)
	d.add("share", "share of the population", r.Estimate/N)
	d.add("histogram", "", k.Histogram)
	if u.worst > 0 {
		d.add("worst", "", k.Worst)
		t := newColumns(1, "worst classes", "records")
		for _, x := range k.Worst {
			t.add(shown(x.Tuple), fmt.Sprint(x.Records))
		}
		d.list(t)
	}
	d.floatAtMost("max-share", u.maxShare, r.Estimate/N)
	return d.print(cmd, &u.out)
}
