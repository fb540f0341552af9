package risk

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/riskdoc"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// kMap is hitoku risk k-map or delta-presence, which differ in what they report first.
type kMap struct {
	microFlags
	metric    string
	files     []string // the files of the population
	count     string
	wildcards []string
	aux       []string
	frequency string
	size      uint64
	model     string
	level     *big.Rat
	census    censusFlags

	minK              uint64
	maxDelta, maxRisk *big.Rat
	accept            bool
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
                         sample of N people. Limits that it keeps are open, as it supposes
                         classes of the population to be spread like 1/F (--accept-model).
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
	cmd.RunE = named(k.run)
	models := []string{"thinning", "poisson"}
	limits := []flags.Flag{
		{Name: "min-k", To: &k.minK, Text: "exit with code 1 unless k is at least this `number`"},
		{Name: "max-delta", To: ratValue{&k.maxDelta}, Excludes: []string{"model=poisson"}, Why: "the test is about --min-k only", Text: "exit with code 1 unless δ is at most this `number`"},
		{Name: "max-risk", To: ratValue{&k.maxRisk}, Excludes: []string{"model=poisson"}, Why: "the test is about --min-k only", Text: "exit with code 1 unless the largest risk, 1/k or with thinning E[1/F|f], is at most this `number`"},
	}
	limits = append(limits, acceptModel(&k.accept, "model=thinning"))
	if metric == "k-map" {
		limits = append(limits, flags.Flag{Name: "level", To: ratValue{&k.level}, Needs: []string{"model=poisson"}, Text: "error level", Else: "0.05"})
	} else {
		models = models[:1]
	}
	flags.Declare(cmd,
		k.records(nil, k.beside.sensitive()),
		flags.In(flags.MeasureGroup, append([]flags.Flag{
			{Name: "population", To: &k.files, Files: []string{"csv", "csv.gz", "px"}, Wanted: true, Unless: []string{"aux", "model"}, Excludes: []string{"aux", "model"}, Text: "`file` of the population, with the quasi-identifiers"},
			{Name: "count", To: &k.count, Needs: []string{"population"}, Text: "`column` of the population that tells how many people a row stands for", Else: "one"},
			{Name: "wildcard", Rare: true, To: &k.wildcards, Needs: []string{"population"}, Text: "`value` of the data set that matches anything in the population"},
			{Name: "aux", To: &k.aux, Files: []string{"csv", "csv.gz"}, Excludes: []string{"model"}, Text: "`file` with relative frequencies of some quasi-identifiers"},
			{Name: "frequency", To: &k.frequency, Needs: []string{"aux"}, Text: "`column` of these files with the frequency", Else: "the one that is no quasi-identifier"},
			{Name: "population-size", To: &k.size, Wanted: true, Unless: []string{"population"}, Excludes: []string{"population"}, Why: "the population tells its size", Text: "`number` of people in the population"},
			{Name: "model", To: &k.model, From: models, Text: "how F is estimated without a population and tables"},
		}, k.census.flags()...)),
		flags.In(flags.LimitsGroup, limits),
		k.output(),
	)
	flags.Common(cmd, "--qi region,age,sex", "--population census.csv", "--count people", "--population-size 125000000", "--worst 3")
	return cmd
}

func (k *kMap) run(cmd *cobra.Command, args []string) error {
	if k.model == "poisson" && k.minK == 0 {
		return i18n.New("--model poisson: no --min-k to test")
	}
	data, err := k.readClasses(cmd, args)
	if err != nil {
		return err
	}
	var d *microMeasure
	switch {
	case len(k.files) > 0:
		d, err = k.counted(cmd, args, data)
	case len(k.aux) > 0:
		d, err = k.relative(cmd, args, data)
	default:
		d, err = k.modelled(cmd.Context(), args, data)
	}
	if err != nil {
		return err
	}
	return d.print(cmd, &k.out)
}

// begin starts the document; words say what stands for the population.
func (k *kMap) begin(doc document.Measured, data *document.Microdata, args []string, records uint64, words string) *microMeasure {
	d := k.start(doc, data, strings.ReplaceAll(k.metric, "-", "_"), args, records)
	d.words["model"] = words
	return d
}

// counted measures by a population file.
func (k *kMap) counted(cmd *cobra.Command, args []string, data *risk.Classes) (*microMeasure, error) {
	p, err := k.of(cmd, data)
	if err != nil {
		return nil, err
	}
	r := p.KMap(k.worst)
	register := document.Register{Model: document.Model{Model: "attack_table"}, Population: k.files, Wildcards: append([]string{}, k.wildcards...), Tags: k.census.tags}
	smallest, presence := document.Smallest{K: document.SomeIf(r.Records > 0, r.K)}, riskdoc.Presence(r.Presence)
	matched, worst := riskdoc.Matched(r), riskdoc.Populations(k.worst, r.Worst)
	var d *microMeasure
	begin := func(doc document.Measured, micro *document.Microdata) {
		d = k.begin(doc, micro, args, r.Records, "counted in the population")
	}
	if k.metric == "k-map" {
		doc := &document.KMap{Register: register, Smallest: smallest, Presence: presence, Matched: matched, Worst: worst}
		begin(doc, &doc.Microdata)
		d.buckets("people who match", "different records", "records", r.Histogram)
	} else {
		doc := &document.DeltaPresence{Register: register, Presence: presence, Smallest: smallest, Matched: matched, Shares: riskdoc.PresenceShares(r.Presence), Worst: worst}
		begin(doc, &doc.Microdata)
		if r.Presence != nil {
			d.shares("f/F", r.Presence.Histogram)
		}
	}
	d.list(filled(render.NewColumns(1, "most exposed", "f", "F", "f/F"), r.Worst, func(x risk.ClassPopulation) []any { return []any{shown(x.Tuple), x.Sample, x.Population, x.Delta} }))
	d.atLeast("min-k", k.minK, r.K)
	var most *big.Rat
	if r.Presence != nil {
		most = r.Presence.Max
	}
	d.atMost("max-delta", k.maxDelta, most)
	var largest *big.Rat
	if r.K > 0 {
		largest = new(big.Rat).Inv(new(big.Rat).SetUint64(r.K))
	}
	d.atMost("max-risk", k.maxRisk, largest)
	return d, nil
}

// of counts the people of the population files.
func (k *kMap) of(cmd *cobra.Command, data *risk.Classes) (*risk.Population, error) {
	if k.census.asked(k.files) {
		return k.table(cmd, data)
	}
	return k.people(cmd, data)
}

// people counts rows of files as people.
func (k *kMap) people(cmd *cobra.Command, data *risk.Classes) (*risk.Population, error) {
	p := risk.NewPopulation(data, k.wildcards)
	var amounts []string
	if k.count != "" {
		amounts = []string{k.count}
	}
	s, err := risk.NewScanner(k.layout(), data.Columns(), amounts, p.Fresh)
	if err != nil {
		return nil, err
	}
	s.Known = true
	return scanFiles(cmd, s, k.files)
}

// relative estimates by relative frequencies.
func (k *kMap) relative(cmd *cobra.Command, args []string, data *risk.Classes) (*microMeasure, error) {
	var tables []*risk.Weighted
	for _, path := range k.aux {
		names, err := risk.Header(path, k.layout())
		if err != nil {
			return nil, err
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
				return nil, i18n.Errorf("%s: columns %s are no quasi-identifiers; name the one with the frequency by --frequency", path, strings.Join(others, ", "))
			}
			frequency = others[0]
		}
		if len(columns) == 0 {
			return nil, i18n.Errorf("%s: no quasi-identifier among its columns %s", path, strings.Join(names, ", "))
		}
		s, err := scanner(&k.microFlags, columns, []string{frequency}, func(c *risk.Columns) *risk.Weighted { return risk.NewWeighted(c, len(columns)) })
		if err != nil {
			return nil, err
		}
		s.ZeroBlank = true
		w, err := scanFiles(cmd, s, []string{path})
		if err != nil {
			return nil, err
		}
		tables = append(tables, w)
	}
	r, err := data.EstimatedKMap(k.size, tables, k.worst)
	if err != nil {
		return nil, err
	}
	aux := document.Auxiliary{Model: document.Model{Model: "relative_frequency"}, Files: k.aux}
	smallest, presence := k.estimates(r.K, r.Delta)
	rest := document.Estimated{Records: r.Records, Tuples: r.Classes, Population: r.Population, Absent: r.Absent, Below: r.Below, Shares: riskdoc.Shares(r.Histogram)}
	if k.worst > 0 {
		rest.Worst = document.Some(sets.Each(r.Worst, func(x risk.ClassEstimate) document.ClassEstimate { return document.ClassEstimate(x) }))
	}
	var d *microMeasure
	begin := func(doc document.Measured, micro *document.Microdata) {
		d = k.begin(doc, micro, args, r.Records, "estimated: people times relative frequencies, tables independent")
	}
	if k.metric == "k-map" {
		doc := &document.KMapRelative{Auxiliary: aux, SmallestEstimate: smallest, PresenceEstimate: presence, Estimated: rest}
		begin(doc, &doc.Microdata)
	} else {
		doc := &document.DeltaRelative{Auxiliary: aux, PresenceEstimate: presence, SmallestEstimate: smallest, Estimated: rest}
		begin(doc, &doc.Microdata)
	}
	d.shares("f/F", r.Histogram)
	d.list(filled(render.NewColumns(1, "most exposed", "f", "F", "f/F"), r.Worst, func(x risk.ClassEstimate) []any { return []any{shown(x.Tuple), x.Sample, x.Population, x.Delta} }))
	k.estimated(d, r.K, r.Delta)
	var largest *big.Rat
	if r.K != nil && r.K.Sign() > 0 {
		if largest = new(big.Rat).Inv(r.K); largest.Cmp(big.NewRat(1, 1)) > 0 {
			largest = big.NewRat(1, 1)
		}
	}
	d.atMost("max-risk", k.maxRisk, largest)
	return d, nil
}

// estimates returns the estimates of k and δ.
func (k *kMap) estimates(smallest, delta *big.Rat) (s document.SmallestEstimate, p document.PresenceEstimate) {
	s.K, s.KFloat = document.Ratio(smallest)
	p.Delta, p.DeltaFloat = document.Ratio(delta)
	return s, p
}

// estimated compares limits with an estimated k.
func (k *kMap) estimated(d *microMeasure, smallest, delta *big.Rat) {
	if smallest == nil {
		return
	}
	if k.minK > 0 {
		want := new(big.Rat).SetUint64(k.minK)
		d.limit("min-k", render.Ratio(want, 0), render.Ratio(smallest, 0), smallest.Cmp(want) >= 0)
	}
	d.atMost("max-delta", k.maxDelta, delta)
}

// modelled estimates from the class sizes alone.
func (k *kMap) modelled(ctx context.Context, args []string, data *risk.Classes) (*microMeasure, error) {
	c, err := data.KAnonymity(ctx, risk.Missing{}, k.worst)
	if err != nil {
		return nil, err
	}
	if k.model == "poisson" {
		return k.poisson(args, c)
	}
	return k.thinned(args, c)
}

// thinned measures on the assumption that the data are a simple random sample.
func (k *kMap) thinned(args []string, c *risk.KAnonymity) (*microMeasure, error) {
	var d *microMeasure
	begin := func(s document.SmallestEstimate, p document.PresenceEstimate, rest *document.Thinned, words string) {
		model := document.Model{Model: "thinning"}
		if k.metric == "k-map" {
			doc := &document.KMapThinning{Model: model}
			if rest != nil {
				doc.KThinned = &document.KThinned{SmallestEstimate: s, PresenceEstimate: p, Thinned: *rest}
			}
			d = k.begin(doc, &doc.Microdata, args, c.Records, words)
			return
		}
		doc := &document.DeltaThinning{Model: model}
		if rest != nil {
			doc.DeltaThinned = &document.DeltaThinned{PresenceEstimate: p, SmallestEstimate: s, Thinned: *rest}
		}
		d = k.begin(doc, &doc.Microdata, args, c.Records, words)
	}
	if c.Records == 0 {
		begin(document.SmallestEstimate{}, document.PresenceEstimate{}, nil, "thinning")
		return d, nil
	}
	ks := []uint64{2, 5, 10}
	if k.minK > 0 && !slices.Contains(ks, k.minK) {
		ks = append(ks, k.minK)
	}
	list, reidentified, err := risk.Thinned(c.Records, k.size, c.Histogram, ks)
	if err != nil {
		return nil, err
	}
	p := new(big.Rat).SetFrac(new(big.Int).SetUint64(c.Records), new(big.Int).SetUint64(k.size))
	smallest := new(big.Rat).SetUint64(c.K)
	smallest.Quo(smallest, p)
	rest := &document.Thinned{Records: c.Records, Tuples: c.Classes, Population: k.size, MaxRisk: list[0].Risk, Reidentified: reidentified,
		Sizes: []document.ThinnedSize{}, Worst: riskdoc.Frequencies(k.worst, c.Worst)}
	rest.Fraction, rest.FractionFloat = document.Ratio(p)
	header := []string{"f", "classes", "F", "risk"}
	for _, k := range ks {
		header = append(header, fmt.Sprintf("F ≥ %d", k))
	}
	table := render.NewColumns(1, header...)
	for i, x := range list {
		s := document.ThinnedSize{Size: x.Size, Classes: x.Classes, Estimate: x.Estimate, Risk: x.Risk, Approx: x.Approx, AtLeast: map[string]float64{}}
		row := []string{fmt.Sprint(x.Size), fmt.Sprint(x.Classes), fmt.Sprintf("%.6g", x.Estimate), fmt.Sprintf("%.6g", x.Risk)}
		for i, k := range ks {
			s.AtLeast[fmt.Sprint(k)] = x.AtLeast[i]
			row = append(row, fmt.Sprintf("%.6g", x.AtLeast[i]))
		}
		rest.Sizes = append(rest.Sizes, s)
		if i < 10 {
			table.Add(row...)
		}
	}
	s, e := k.estimates(smallest, p)
	begin(s, e, rest, "estimated: f/p, the data set a simple random sample")
	d.list(table)
	k.worstClasses(d, c)
	k.estimated(d, smallest, p)
	d.floatAtMost("max-risk", k.maxRisk, list[0].Risk) // larger than 1/k, because 1/F is convex
	d.under(k.accept, "min-k", "max-risk")
	return d, nil
}

// worstClasses lists the smallest classes.
func (k *kMap) worstClasses(d *microMeasure, c *risk.KAnonymity) {
	d.list(filled(render.NewColumns(1, "smallest classes", "f"), c.Worst, func(x risk.ClassFrequency) []any { return []any{shown(x.Tuple), x.Records} }))
}

// poisson tests the class sizes.
func (k *kMap) poisson(args []string, c *risk.KAnonymity) (*microMeasure, error) {
	doc := &document.KMapPoisson{Model: document.Model{Model: "poisson"}}
	if c.Records == 0 {
		return k.begin(doc, &doc.Microdata, args, 0, "poisson"), nil
	}
	level := 0.05
	if k.level != nil {
		level, _ = k.level.Float64()
	}
	t, err := risk.NewPoissonThreshold(k.minK, c.Records, k.size, level)
	if err != nil {
		return nil, err
	}
	below := uint64(0)
	for _, s := range c.Histogram {
		if s.Size < t.Threshold {
			below += s.Records
		}
	}
	doc.Tested = &document.Tested{
		K: k.minK, Level: level, Lambda: t.Lambda, Threshold: t.Threshold, Uncapped: t.Uncapped, Records: c.Records, Tuples: c.Classes, Population: k.size,
		MinClass: c.K, Below: below, Worst: riskdoc.Frequencies(k.worst, c.Worst),
	}
	d := k.begin(doc, &doc.Microdata, args, c.Records, "Poisson test: classes of at least the threshold are accepted as F ≥ k")
	k.worstClasses(d, c)
	known := min(c.K, k.minK) // F ≥ f in any case
	if c.K >= t.Threshold {
		known = k.minK
	}
	d.atLeast("min-k", k.minK, known)
	return d, nil
}
