package risk

import (
	"math/big"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/risk"
)

// counted collects sensitive values, any weights, and how records follow each other, in one pass.
type counted struct {
	*risk.Sensitive
	weights *risk.Weighted
	order   *sequence
}

func (c counted) AddBatch(b *risk.Batch) error {
	if err := c.Sensitive.AddBatch(b); err != nil {
		return err
	}
	if c.weights != nil {
		if err := c.weights.AddBatch(b); err != nil {
			return err
		}
	}
	return c.order.AddBatch(b)
}

func (c counted) Merge(o counted) error {
	if err := c.Sensitive.Merge(o.Sensitive); err != nil {
		return err
	}
	if c.weights != nil {
		if err := c.weights.Merge(o.weights); err != nil {
			return err
		}
	}
	return c.order.Merge(o.order)
}

// read reads the files, with weights if there are any.
func (e *everything) read(cmd *cobra.Command, args []string) (counted, error) {
	file, files := 0, 0
	e.begins = func(path string) { nextFile(&file, &files, path) }
	var amounts []string
	if e.weight != "" {
		amounts = []string{e.weight}
	}
	return scan(cmd, &e.microFlags, args, append(slices.Clone(e.qi), e.sensitive...), amounts, func(c *risk.Columns) counted {
		all := counted{Sensitive: risk.NewSensitive(c, len(e.qi)), order: newSequence(c, &file)}
		if e.weight != "" {
			all.weights = risk.NewWeighted(c, len(e.qi))
		}
		return all
	})
}

// populationFlags returns the flags of weights and of a population file.
func (e *everything) populationFlags() []flags.Flag {
	return append([]flags.Flag{
		{Name: "weight", To: &e.weight, Text: "`column` with the number of people a record stands for"},
		{Name: "population", To: &e.register.files, Files: []string{"csv", "csv.gz", "px"}, Text: "`file` of the population, with the quasi-identifiers"},
		{Name: "count", To: &e.register.count, Needs: []string{"population"}, Text: "`column` of the population that tells how many people a row stands for", Else: "one"},
	}, e.register.census.flags()...)
}

// populationLimits returns the flags of limits on figures that need them.
func (e *everything) populationLimits() []flags.Flag {
	return append(e.modelLimits.flags("exit with code 1 unless the largest risk by the weights is at most this `number`", []string{"weight"}, []string{"population-size", "weight"}), []flags.Flag{
		{Name: "min-k-map", To: &e.minMap, Needs: []string{"population"}, Text: "exit with code 1 unless at least this `number` of people in the population match each record"},
		{Name: "max-delta", To: ratValue{&e.maxDelta}, Needs: []string{"population"}, Text: "exit with code 1 unless δ is at most this `number`"},
	}...)
}

// weights adds the individual risks of a survey.
func (a *all) weights(w *risk.Weighted) error {
	r, err := w.Risk(a.cmd.Context(), a.mode(), 0)
	if err != nil {
		return err
	}
	sayLight(a.cmd.ErrOrStderr(), r, a.qi)
	models, err := risk.Models(a.cmd.Context(), &w.Classes, w, a.mode(), 0, float(a.maxRisk))
	if err != nil {
		return err
	}
	a.plain("largest risk, by the weights", "", r.MaxRisk)
	a.d.atMostRisk(a.maxRisk, r.MaxRisk, a.accept, models, r.K)
	a.limited(a.maxRisk)
	a.plain("average risk, by the weights", "", r.AverageRisk)
	a.plain("expected re-identifications, by the weights", "", r.Reidentified)
	a.sideBySide(models, r.AverageRisk)
	return nil
}

// limited attaches the limit judged last, if there is one, to the last figure.
func (a *all) limited(limit *big.Rat) {
	if limit == nil {
		return
	}
	f, l := &a.doc.Figures[len(a.doc.Figures)-1], a.d.limits[len(a.d.limits)-1]
	f.Limit, f.Verdict = document.Some(float(limit)), "broken"
	switch {
	case l.Open:
		f.Verdict = "open"
	case l.Met:
		f.Verdict = "kept"
	}
}

// sideBySide keeps models of the population to be shown, and compares the share of records that are expected to be
// re-identified with its limit; average is that share by the model of Benedetti and Franconi.
func (a *all) sideBySide(models []risk.Model, average float64) {
	a.models = models
	if a.maxAverage == nil {
		return
	}
	a.plain("expected re-identifications, share of the records", "", average)
	a.d.judged("max-average-risk", a.maxAverage, average, judgeReidentified(models, float(a.maxAverage), a.k.Records, a.k.Classes))
	a.limited(a.maxAverage)
}

// people adds the comparison with a population file.
func (a *all) people() error {
	c, err := risk.NewColumns(a.qi...)
	if err != nil {
		return err
	}
	data := risk.NewClasses(c, len(a.qi))
	f, err := a.s.Frequencies(a.cmd.Context(), a.mode())
	if err != nil {
		return err
	}
	for g, n := range f {
		if err := data.Add(n, a.s.Tuple(g)...); err != nil {
			return err
		}
	}
	a.register.microFlags = a.microFlags
	p, err := a.register.of(a.cmd, data)
	if err != nil {
		return err
	}
	r := p.KMap(0)
	var limit *big.Rat
	if a.minMap > 0 {
		limit = new(big.Rat).SetUint64(a.minMap)
	}
	a.figure("k-map: k", "", new(big.Rat).SetUint64(r.K), "min-k-map", limit, false)
	var delta *big.Rat
	if r.Presence != nil {
		delta = r.Presence.Max
	}
	a.figure("δ-presence: δ", "", delta, "max-delta", a.maxDelta, true)
	a.plain("different records that nobody in the population matches", "", float64(r.Absent))
	return nil
}
