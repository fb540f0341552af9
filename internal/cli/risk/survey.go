package risk

import (
	"math/big"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/riskdoc"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// surveyRisk is hitoku risk survey.
type surveyRisk struct {
	microFlags
	weight    string
	household string
	perRecord perRecordFlag
	modelLimits
}

func newRiskSurvey() *cobra.Command {
	s := &surveyRisk{}
	cmd := &cobra.Command{
		Use:   "survey FILE... --qi COLUMNS --weight COLUMN",
		Short: "Individual risk in a sample survey, from its weights",
		Long: `A class of f records whose weights sum to F̂ stands for about F̂ people: its sampling
fraction is p = f/F̂, and the risk of its records the expectation of 1/F given f under a
negative binomial law (Benedetti and Franconi). Shown are the exact value and the
approximation in use elsewhere. The law supposes that sizes of classes in the population are spread
like 1/F: where most combinations are rare there, the risk is larger, and up to 1. So a --max-risk
that is kept is open, with exit code 3, unless --accept-model takes that for granted. Other models
of the population stand beside it: where they differ by more than a factor of three, or one has
more than a limit, the limit is open whatever is accepted.`,
		Example: `  hitoku risk survey survey.csv --qi region,age,sex --weight w --max-risk 0.1`,
		RunE:    named(s.run),
	}
	flags.Declare(cmd,
		s.records([]string{"own", "drop", "suppressed", "wildcard"}, s.beside.sensitive()),
		flags.In(flags.MeasureGroup, []flags.Flag{
			{Name: "weight", To: &s.weight, Wanted: true, Text: "`column` with the number of people a record stands for"},
			{Name: "household", To: &s.household, Text: "`column` with the id of the household: its risk is that of any of its records, 1 − Π(1−r)"},
		}),
		flags.In(flags.LimitsGroup, s.modelLimits.flags("exit with code 1 unless the largest risk is at most this `number`; records above it are counted", nil, nil)),
		s.output(s.perRecord.flag()),
	)
	flags.Common(cmd, "--qi region,age,sex", "--weight w", "--max-risk 0.1", "--worst 3", "--json")
	return cmd
}

// scan adds up weights, also of households if that was asked for.
func (s *surveyRisk) scan(cmd *cobra.Command, args []string) (*risk.Weighted, *risk.Households, error) {
	if s.household == "" {
		w, err := scan(cmd, &s.microFlags, args, s.qi, []string{s.weight}, func(c *risk.Columns) *risk.Weighted { return risk.NewWeighted(c, len(s.qi)) })
		return w, nil, err
	}
	h, err := scan(cmd, &s.microFlags, args, append(slices.Clone(s.qi), s.household), []string{s.weight}, risk.NewHouseholds)
	if err != nil {
		return nil, nil, err
	}
	return &h.Weighted, h, nil
}

// recordsOf writes the file of records.
func (s *surveyRisk) recordsOf(cmd *cobra.Command, args []string, w *risk.Weighted, r *risk.SurveyRisk, h *risk.Households, of *risk.HouseholdRisk) error {
	if s.perRecord.path == "" {
		return nil
	}
	f, err := w.Frequencies(cmd.Context(), s.mode())
	if err != nil {
		return err
	}
	counts := func(text func(x risk.ClassRisk) string) func(int, []string) string {
		return func(g int, _ []string) string {
			if f[g] == 0 {
				return ""
			}
			x, _ := r.Class(&w.Classes, g)
			return text(x)
		}
	}
	columns := []risk.RecordColumn{
		frequencyColumn(f),
		{Name: "F", Text: counts(func(x risk.ClassRisk) string { return x.Weights })},
		{Name: "risk", Text: counts(func(x risk.ClassRisk) string { return string(floatText(x.Risk)) })},
	}
	var more []string
	if h != nil {
		more = []string{s.household}
		columns = append(columns, risk.RecordColumn{Name: "household_risk", Text: func(g int, more []string) string {
			if f[g] == 0 {
				return ""
			}
			return string(floatText(h.Of(of, r, g, more[0])))
		}})
	}
	return s.perRecord.write(cmd, args, s.layout(), &w.Classes, more, columns...)
}

func (s *surveyRisk) run(cmd *cobra.Command, args []string) error {
	w, h, err := s.scan(cmd, args)
	if err != nil {
		return err
	}
	r, err := w.Risk(cmd.Context(), s.mode(), s.worst)
	if err != nil {
		return err
	}
	some := r.Records > 0
	doc := &document.Survey{
		PerRecord: s.perRecord.path,
		Model:     "benedetti_franconi", Records: r.Records, Classes: r.Classes, Population: render.Exact(r.Population.String()), K: riskdoc.Defined(r.K), Uniques: r.Uniques,
		MissingValues: riskdoc.Missing(s.mode(), r.Excluded, r.WithMissing, r.AllMissing),
		IndividualRisks: document.IndividualRisks{
			MaxRisk: document.SomeIf(some, r.MaxRisk), MaxApprox: document.SomeIf(some, r.MaxApprox),
			AverageRisk: document.SomeIf(some, r.AverageRisk), AverageApprox: document.SomeIf(some, r.AverageApprox),
			Reidentified: document.SomeIf(some, r.Reidentified), ReidentifiedApprox: document.SomeIf(some, r.ReidentifiedApprox)},
		Histogram: riskdoc.Shares(r.Histogram), Light: r.Light,
	}
	var of *risk.HouseholdRisk
	if h != nil {
		of = h.HouseholdRisk(r, s.mode())
		doc.HouseholdRisk = &document.HouseholdRisk{Household: s.household, Households: of.Households, WithoutID: of.WithoutID,
			MaxRisk: document.SomeIf(some, of.MaxRisk), AverageRisk: document.SomeIf(some, of.AverageRisk), Reidentified: document.SomeIf(some, of.Reidentified)}
	}
	if err := s.recordsOf(cmd, args, w, r, h, of); err != nil {
		return err
	}
	d := s.start(doc, &doc.Microdata, "survey", args, r.Records)
	d.words["model"] = "negative binomial, p = f/sum of weights"
	if s.maxRisk != nil {
		limit, _ := s.maxRisk.Float64()
		doc.Above = document.Some(r.Above(&w.Classes, limit))
	}
	d.shares("risk", r.Histogram)
	if s.worst > 0 {
		doc.Worst = document.Some(sets.Each(r.Worst, func(x risk.ClassRisk) document.ClassRisk { return document.ClassRisk(x) }))
		t := render.NewColumns(1, "worst classes", "records", "frequency", "weights", "risk", "approximated")
		d.list(filled(t, r.Worst, func(x risk.ClassRisk) []any {
			return []any{shown(x.Tuple), x.Records, x.Frequency, x.Weights, x.Risk, x.Approx}
		}))
	}
	sayLight(cmd.ErrOrStderr(), r, s.qi)
	if !some {
		return d.print(cmd, &s.out)
	}
	models, err := risk.Models(cmd.Context(), &w.Classes, w, s.mode(), 0, float(s.maxRisk))
	if err != nil {
		return err
	}
	doc.Models = d.models(models, s.maxRisk != nil)
	d.atMostRisk(s.maxRisk, r.MaxRisk, s.accept, models, r.K)
	if s.maxAverage != nil {
		d.judged("max-average-risk", s.maxAverage, r.AverageRisk, judgeReidentified(models, float(s.maxAverage), r.Records, r.Classes))
	}
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
		Long: `The file is taken as a simple random sample of N people. Estimates after Zayatz, by
the Pitman model and by the sliding negative binomial are shown, and which one the rule of Dankar
and others chooses: up to a sampling fraction of 0.1 Pitman, above it the smaller of the two
others, and Zayatz where a model does not fit.`,
		Example: `  hitoku risk uniques sample.csv --qi region,age,sex,occupation --population-size 127000000`,
		RunE:    named(u.run),
	}
	flags.Declare(cmd,
		u.records([]string{"own", "drop", "suppressed"}, u.beside.sensitive()),
		flags.In(flags.MeasureGroup, []flags.Flag{
			{Name: "population-size", To: &u.population, Range: "[1, ∞)", Wanted: true, Text: "`number` of people in the population"},
		}),
		flags.In(flags.LimitsGroup, []flags.Flag{
			{Name: "max-share", To: ratValue{&u.maxShare}, Text: "exit with code 1 unless the estimate, as a share of the population, is at most this `number`"},
		}),
		u.output(),
	)
	flags.Common(cmd, "--qi region,age,sex", "--population-size 125000000", "--max-share 0.01", "--worst 3", "--json")
	return cmd
}

func (u *uniquesRisk) run(cmd *cobra.Command, args []string) error {
	c, err := u.readClasses(cmd, args)
	if err != nil {
		return err
	}
	k, err := c.KAnonymity(cmd.Context(), u.mode(), u.worst)
	if err != nil {
		return err
	}
	doc := &document.Uniques{
		Population: u.population, Records: k.Records, Classes: k.Classes, Alone: k.Uniques,
		MissingValues: riskdoc.Missing(u.mode(), k.Excluded, k.WithMissing, k.AllMissing), Histogram: riskdoc.Sizes(k.Histogram),
	}
	d := u.start(doc, &doc.Microdata, "population_uniques", args, k.Records)
	if k.Records == 0 {
		return d.print(cmd, &u.out)
	}
	r, err := risk.NewUniques(k.Histogram, u.population)
	if err != nil {
		return err
	}
	N := float64(u.population)
	doc.Fraction, doc.ZayatzProb, doc.ZayatzUniques = document.Some(float64(k.Records)/N), document.Some(r.Zayatz.Prob), document.Some(r.Zayatz.Uniques)
	if p := r.Pitman; p != nil {
		doc.PitmanTheta, doc.PitmanAlpha, doc.PitmanUniques = document.Some(p.Theta), document.Some(p.Alpha), document.Some(p.Uniques)
	}
	if b := r.SlidingNB; b != nil {
		doc.SNBClasses, doc.SNBAlpha, doc.SNBBeta, doc.SNBUniques = document.Some(b.Classes), document.Some(b.Alpha), document.Some(b.Beta), document.Some(b.Uniques)
	}
	doc.Chosen, doc.Reason, doc.Uniques, doc.Share = document.Some(r.Chosen), document.Some(r.Reason), document.Some(r.Estimate), document.Some(r.Estimate/N)
	doc.Worst = riskdoc.Frequencies(u.worst, k.Worst)
	d.list(filled(render.NewColumns(1, "worst classes", "records"), k.Worst, func(x risk.ClassFrequency) []any { return []any{shown(x.Tuple), x.Records} }))
	d.floatAtMost("max-share", u.maxShare, r.Estimate/N)
	return d.print(cmd, &u.out)
}
