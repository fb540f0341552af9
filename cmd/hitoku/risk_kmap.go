package main

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/risk"
)

// kMap is hitoku risk k-map and delta-presence, which differ in what they put first.
type kMap struct {
	microFlags
	metric    string
	files     []string // of the population
	count     string
	wildcards []string
	aux       []string
	frequency string
	size      uint64
	model     string
	level     *big.Rat

	minK              uint64
	maxDelta, maxRisk *big.Rat
}

func newRiskKMap() *cobra.Command {
	return newPopulationRisk("k-map", &cobra.Command{
		Use:   "k-map FILE... --qi COLUMNS (--population FILE | --aux FILE... --population-size N | --population-size N --model M)",
		Short: "The smallest number of people in the population who match a record",
		Long: `For every tuple of quasi-identifiers in the data set, f records have it there and F
people in the population match it; k is the smallest F.

  --population FILE      F is counted in the population, one row a person or with a --count.
                         A --wildcard in the data set matches anything there.
  --aux FILE...          F is estimated: N times the product of relative frequencies, one
                         table for each group of independent quasi-identifiers.
  --model thinning       F is estimated from f alone: the data set is a simple random
                         sample of N people.
  --model poisson        no F, but a test: classes of at least a threshold are accepted as
                         F ≥ k, with k of --min-k and an error --level.`,
		Example: `  hitoku risk k-map sample.csv --qi zip,age --population register.csv --wildcard '**' --min-k 10
  hitoku risk k-map sample.csv --qi pref,sex,age --aux pref.csv --aux sex-age.csv --population-size 127000000
  hitoku risk k-map sample.csv --qi zip,age --population-size 1000000 --model thinning`,
	})
}

func newRiskDelta() *cobra.Command {
	return newPopulationRisk("delta-presence", &cobra.Command{
		Use:   "delta-presence FILE... --qi COLUMNS (--population FILE | --aux FILE... --population-size N | --population-size N --model thinning)",
		Short: "How sure one can be that somebody in the population is in the data set",
		Long: `For every tuple of quasi-identifiers in the data set, f records have it there and F
people in the population match it; δ is the largest f/F, at most 1. F is counted or
estimated as for hitoku risk k-map.`,
		Example: `  hitoku risk delta-presence sample.csv --qi zip,age --population register.csv --count people --max-delta 0.2`,
	})
}

func newPopulationRisk(metric string, cmd *cobra.Command) *cobra.Command {
	k := &kMap{metric: metric}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := k.run(cmd, args); err != nil {
			return inRisk(metric, err)
		}
		return nil
	}
	k.add(cmd)
	k.beside.addSensitive(cmd)
	models := []string{"thinning", "poisson"}
	if metric != "k-map" {
		models = models[:1]
	}
	f := cmd.Flags()
	f.StringArrayVar(&k.files, "population", nil, "`file` of the population, with the quasi-identifiers; repeatable")
	f.StringVar(&k.count, "count", "", "`column` of the population that tells how many people a row stands for (default: one)")
	f.StringArrayVar(&k.wildcards, "wildcard", nil, "`value` of the data set that matches anything in the population; repeatable")
	f.StringArrayVar(&k.aux, "aux", nil, "`file` with relative frequencies of some quasi-identifiers; repeatable")
	f.StringVar(&k.frequency, "frequency", "", "`column` of --aux files with the frequency (default: the one that is no quasi-identifier)")
	f.Uint64Var(&k.size, "population-size", 0, "`number` of people in the population")
	f.Var(choiceValue{&k.model, models}, "model", "how F is estimated without a population and tables")
	f.Uint64Var(&k.minK, "min-k", 0, "exit with code 1 unless k is at least this `number`")
	f.Var(ratValue{&k.maxDelta}, "max-delta", "exit with code 1 unless δ is at most this `number`")
	f.Var(ratValue{&k.maxRisk}, "max-risk", "exit with code 1 unless the largest risk, 1/k or with thinning E[1/F|f], is at most this `number`")
	if metric == "k-map" {
		f.Var(ratValue{&k.level}, "level", "error level of --model poisson (default 0.05)")
	}
	complete(cmd, "model", models...)
	completeFiles(cmd, "population", "csv", "csv.gz")
	completeFiles(cmd, "aux", "csv", "csv.gz")
	return cmd
}

func (k *kMap) checkFlags(args []string) error {
	given := 0
	for _, g := range []bool{len(k.files) > 0, len(k.aux) > 0, k.model != ""} {
		if g {
			given++
		}
	}
	switch err := k.check(args); {
	case err != nil:
		return err
	case given != 1:
		return errors.New("want one of --population, --aux and --model")
	case len(k.files) > 0 && k.size > 0:
		return errors.New("--population-size: --population tells the size")
	case len(k.files) == 0 && k.size == 0:
		return errors.New("no --population-size")
	case len(k.files) == 0 && (k.count != "" || len(k.wildcards) > 0):
		return errors.New("--count and --wildcard go with --population")
	case len(k.aux) == 0 && k.frequency != "":
		return errors.New("--frequency goes with --aux")
	case k.level != nil && k.model != "poisson":
		return errors.New("--level goes with --model poisson")
	case k.model == "poisson" && k.minK == 0:
		return errors.New("--model poisson: no --min-k to test")
	case k.model == "poisson" && (k.maxDelta != nil || k.maxRisk != nil):
		return errors.New("--model poisson tests --min-k only")
	}
	return nil
}

func (k *kMap) run(cmd *cobra.Command, args []string) error {
	if err := k.checkFlags(args); err != nil {
		return err
	}
	s, err := scanner(&k.microFlags, k.qi, nil, func(c *risk.Columns) *risk.Classes { return risk.NewClasses(c, len(k.qi)) })
	if err != nil {
		return err
	}
	data, err := scanFiles(cmd, s, args)
	if err != nil {
		return err
	}
	if err := k.beside.look(cmd, args, k.layout(), s.Wanted()); err != nil {
		return err
	}
	d := k.doc(strings.ReplaceAll(k.metric, "-", "_"), args)
	switch {
	case len(k.files) > 0:
		err = k.counted(cmd, d, data)
	case len(k.aux) > 0:
		err = k.relative(cmd, d, data)
	default:
		err = k.modelled(d, data)
	}
	if err != nil {
		return err
	}
	return d.print(cmd, &k.out)
}

// lead adds k and δ, the one that was asked for first.
func (k *kMap) lead(d *microDoc, smallest func(), delta func()) {
	if k.metric == "k-map" {
		smallest()
		delta()
	} else {
		delta()
		smallest()
	}
}

// counted compares with a population file.
func (k *kMap) counted(cmd *cobra.Command, d *microDoc, data *risk.Classes) error {
	p := risk.NewPopulation(data, k.wildcards)
	var amounts []string
	if k.count != "" {
		amounts = []string{k.count}
	}
	s, err := risk.NewScanner(k.layout(), data.Columns(), amounts, p.Fresh)
	if err != nil {
		return err
	}
	s.Known = true
	if p, err = scanFiles(cmd, s, k.files); err != nil {
		return err
	}
	r := p.KMap(k.worst)
	d.records = r.Records
	d.add("model", "F", choice{"attack_table", "counted in the population"})
	d.add("population_files", "", k.files)
	d.add("wildcards", "", append([]string{}, k.wildcards...))
	var most *big.Rat
	k.lead(d, func() {
		if r.Records > 0 {
			d.add("k_map", "k", r.K)
		} else {
			d.add("k_map", "", nil)
		}
	}, func() {
		if r.Presence != nil {
			most = r.Presence.Max
			d.add("delta_max", "δ", most)
			d.add("delta_min", "smallest f/F in the population", r.Presence.Min)
		} else {
			d.add("delta_max", "", nil)
			d.add("delta_min", "", nil)
		}
	})
	d.add("records", "records", r.Records)
	d.add("tuples", "different records", r.Classes)
	d.add("population", "people in the population", r.Population)
	d.add("population_unmatched", "that no record matches", r.Unmatched)
	d.add("suppressed", "records with nothing but wildcards", counted(r.Suppressed))
	d.add("tuples_absent_from_population", "different records without a match", counted(r.Absent))
	d.add("tuples_with_population_below_sample", "different records with fewer people than records", counted(r.Below))
	if j := r.Journalist; j != nil {
		d.add("journalist_max_risk", "largest risk, journalist", j.Max)
		d.add("journalist_avg_risk", "average risk, journalist", j.Average)
		d.add("marketer_risk", "share re-identified, marketer", j.Marketer)
	} else {
		for _, n := range []string{"journalist_max_risk", "journalist_avg_risk", "marketer_risk"} {
			d.add(n, "", nil)
		}
	}
	d.add("histogram", "", r.Histogram)
	if k.metric == "k-map" {
		d.buckets("people who match", "different records", "records", r.Histogram)
	} else if r.Presence == nil {
		d.add("delta_histogram", "", nil)
	} else {
		d.add("delta_histogram", "", r.Presence.Histogram)
		d.shares("f/F", r.Presence.Histogram)
	}
	if k.worst > 0 {
		d.add("worst", "", r.Worst)
		t := newColumns(1, "most exposed", "f", "F", "f/F")
		for _, x := range r.Worst {
			t.add(shown(x.Tuple), fmt.Sprint(x.Sample), fmt.Sprint(x.Population), optional(x.Delta))
		}
		d.list(t)
	}
	d.atLeast("min-k", k.minK, r.K)
	d.atMost("max-delta", k.maxDelta, most)
	var largest *big.Rat
	if r.K > 0 {
		largest = new(big.Rat).Inv(new(big.Rat).SetUint64(r.K))
	}
	d.atMost("max-risk", k.maxRisk, largest)
	return nil
}

func optional(x *float64) string {
	if x == nil {
		return "-"
	}
	return readable(*x)
}

// relative estimates by relative frequencies.
func (k *kMap) relative(cmd *cobra.Command, d *microDoc, data *risk.Classes) error {
	var tables []*risk.Weighted
	for _, path := range k.aux {
		names, err := risk.Header(path, k.layout())
		if err != nil {
			return err
		}
		var columns, others []string
		for _, n := range names {
			if slices.Contains(k.qi, n) {
				columns = append(columns, n)
			} else {
				others = append(others, n)
			}
		}
		frequency := k.frequency
		if frequency == "" {
			if len(others) != 1 {
				return fmt.Errorf("%s: columns %s are no quasi-identifiers; name the one with the frequency by --frequency", path, strings.Join(others, ", "))
			}
			frequency = others[0]
		}
		if len(columns) == 0 {
			return fmt.Errorf("%s: no quasi-identifier among its columns %s", path, strings.Join(names, ", "))
		}
		s, err := scanner(&k.microFlags, columns, []string{frequency}, func(c *risk.Columns) *risk.Weighted { return risk.NewWeighted(c, len(columns)) })
		if err != nil {
			return err
		}
		s.ZeroBlank = true
		w, err := scanFiles(cmd, s, []string{path})
		if err != nil {
			return err
		}
		tables = append(tables, w)
	}
	e, err := risk.NewRelativeFrequencies(data, k.size, tables)
	if err != nil {
		return err
	}
	r := e.KMap(k.worst)
	d.records = r.Records
	d.add("model", "F", choice{"relative_frequency", "estimated: people times relative frequencies, tables independent"})
	d.add("aux_files", "", k.aux)
	k.lead(d, func() { d.add("k_map_estimate", "k, estimated", r.K) }, func() { d.add("delta_estimate", "δ, estimated", r.Delta) })
	d.add("records", "records", r.Records)
	d.add("tuples", "different records", r.Classes)
	d.add("population_size", "people in the population", r.Population)
	d.add("tuples_absent_from_population", "different records of frequency 0", counted(r.Absent))
	d.add("tuples_with_population_below_sample", "different records with fewer people than records", counted(r.Below))
	d.add("delta_histogram", "", r.Histogram)
	d.shares("f/F", r.Histogram)
	if k.worst > 0 {
		d.add("worst", "", r.Worst)
		t := newColumns(1, "most exposed", "f", "F", "f/F")
		for _, x := range r.Worst {
			t.add(shown(x.Tuple), fmt.Sprint(x.Sample), readable(x.Population), optional(x.Delta))
		}
		d.list(t)
	}
	k.estimated(d, r.K, r.Delta)
	var largest *big.Rat
	if r.K != nil && r.K.Sign() > 0 {
		if largest = new(big.Rat).Inv(r.K); largest.Cmp(big.NewRat(1, 1)) > 0 {
			largest = big.NewRat(1, 1)
		}
	}
	d.atMost("max-risk", k.maxRisk, largest)
	return nil
}

// estimated compares limits with an estimated k.
func (k *kMap) estimated(d *microDoc, smallest, delta *big.Rat) {
	if smallest == nil {
		return
	}
	if k.minK > 0 {
		want := new(big.Rat).SetUint64(k.minK)
		d.limit("min-k", ratio(want, 0), ratio(smallest, 0), smallest.Cmp(want) >= 0)
	}
	d.atMost("max-delta", k.maxDelta, delta)
}

// modelled estimates from the class sizes alone.
func (k *kMap) modelled(d *microDoc, data *risk.Classes) error {
	c, err := data.KAnonymity(risk.Missing{}, k.worst)
	if err != nil {
		return err
	}
	d.records = c.Records
	if c.Records == 0 {
		d.add("model", "F", k.model)
		return nil
	}
	if k.model == "poisson" {
		return k.poisson(d, c)
	}
	t, err := risk.NewThinning(c.Records, k.size)
	if err != nil {
		return err
	}
	ks := []uint64{2, 5, 10}
	if k.minK > 0 && !slices.Contains(ks, k.minK) {
		ks = append(ks, k.minK)
	}
	list, reidentified := t.Classes(c.Histogram, ks)
	p := new(big.Rat).SetFrac(new(big.Int).SetUint64(c.Records), new(big.Int).SetUint64(k.size))
	smallest := new(big.Rat).SetUint64(c.K)
	smallest.Quo(smallest, p)
	d.add("model", "F", choice{"thinning", "estimated: f/p, the data set a simple random sample"})
	k.lead(d, func() { d.add("k_map_estimate", "k, estimated", smallest) }, func() { d.add("delta_estimate", "δ, estimated", p) })
	d.add("records", "records", c.Records)
	d.add("tuples", "different records", c.Classes)
	d.add("population_size", "people in the population", k.size)
	d.add("sampling_fraction", "sampling fraction p", p)
	d.add("max_risk", "largest risk E[1/F|f]", list[0].Risk)
	d.add("expected_reidentifications", "expected re-identifications", reidentified)
	type size struct {
		Size     uint64             `json:"size"`
		Classes  uint64             `json:"classes"`
		Estimate float64            `json:"population_estimate"`
		Risk     float64            `json:"risk_exact"`
		Approx   float64            `json:"risk_approx"`
		AtLeast  map[string]float64 `json:"prob_F_at_least"`
	}
	sizes := []size{}
	header := []string{"f", "classes", "F", "risk"}
	for _, k := range ks {
		header = append(header, fmt.Sprintf("F ≥ %d", k))
	}
	table := newColumns(1, header...)
	for i, x := range list {
		s := size{x.Size, x.Classes, x.Estimate, x.Risk, x.Approx, map[string]float64{}}
		row := []string{fmt.Sprint(x.Size), fmt.Sprint(x.Classes), fmt.Sprintf("%.6g", x.Estimate), fmt.Sprintf("%.6g", x.Risk)}
		for i, k := range ks {
			s.AtLeast[fmt.Sprint(k)] = x.AtLeast[i]
			row = append(row, fmt.Sprintf("%.6g", x.AtLeast[i]))
		}
		sizes = append(sizes, s)
		if i < 10 {
			table.add(row...)
		}
	}
	d.add("sizes", "", sizes)
	d.list(table)
	k.worstClasses(d, c)
	k.estimated(d, smallest, p)
	d.floatAtMost("max-risk", k.maxRisk, list[0].Risk) // above 1/k, as 1/F is convex
	return nil
}

// worstClasses lists the smallest classes where asked for.
func (k *kMap) worstClasses(d *microDoc, c *risk.KAnonymity) {
	if k.worst == 0 {
		return
	}
	d.add("worst", "", c.Worst)
	t := newColumns(1, "smallest classes", "f")
	for _, x := range c.Worst {
		t.add(shown(x.Tuple), fmt.Sprint(x.Records))
	}
	d.list(t)
}

// poisson tests the class sizes.
func (k *kMap) poisson(d *microDoc, c *risk.KAnonymity) error {
	level := 0.05
	if k.level != nil {
		level, _ = k.level.Float64()
	}
	t, err := risk.NewPoissonThreshold(k.minK, c.Records, k.size, level)
	if err != nil {
		return err
	}
	below := uint64(0)
	for _, s := range c.Histogram {
		if s.Size < t.Threshold {
			below += s.Records
		}
	}
	d.add("model", "F", choice{"poisson", "Poisson test: classes of at least the threshold are accepted as F ≥ k"})
	d.add("k", "k to test", k.minK)
	d.add("level", "error level", level)
	d.add("lambda", "λ = k n/N", t.Lambda)
	d.add("threshold", "threshold", t.Threshold)
	d.add("uncapped", "", t.Uncapped)
	d.add("records", "records", c.Records)
	d.add("tuples", "different records", c.Classes)
	d.add("population_size", "people in the population", k.size)
	d.add("min_class", "smallest class", c.K)
	d.add("records_below_threshold", "records below the threshold", below)
	k.worstClasses(d, c)
	known := min(c.K, k.minK) // F ≥ f in any case
	if c.K >= t.Threshold {
		known = k.minK
	}
	d.atLeast("min-k", k.minK, known)
	return nil
}
