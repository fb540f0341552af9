package risk

import (
	"math/big"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/risk"
)

// weighed counts sensitive values, and adds up weights, in one pass.
type weighed struct {
	*risk.Sensitive
	weights *risk.Weighted
}

func (w weighed) AddBatch(b *risk.Batch) error {
	if err := w.Sensitive.AddBatch(b); err != nil {
		return err
	}
	return w.weights.AddBatch(b)
}

func (w weighed) Merge(o weighed) error {
	if err := w.Sensitive.Merge(o.Sensitive); err != nil {
		return err
	}
	return w.weights.Merge(o.weights)
}

// read reads the files, with weights where there are any.
func (e *everything) read(cmd *cobra.Command, args []string) (weighed, error) {
	if e.weight == "" {
		s, err := e.scan(cmd, args)
		return weighed{Sensitive: s}, err
	}
	columns := append(slices.Clone(e.qi), e.sensitive...)
	return scan(cmd, &e.microFlags, args, columns, []string{e.weight}, func(c *risk.Columns) weighed {
		return weighed{risk.NewSensitive(c, len(e.qi)), risk.NewWeighted(c, len(e.qi))}
	})
}

// populationFlags are those of weights and of a population file.
func (e *everything) populationFlags() []flags.Flag {
	return append([]flags.Flag{
		{Name: "weight", To: &e.weight, Text: "`column` with the number of people a record stands for"},
		{Name: "population", To: &e.register.files, Files: []string{"csv", "csv.gz", "px"}, Text: "`file` of the population, with the quasi-identifiers"},
		{Name: "count", To: &e.register.count, Needs: []string{"population"}, Text: "`column` of the population that tells how many people a row stands for", Else: "one"},
	}, e.register.census.flags()...)
}

// populationLimits are those of figures that need them.
func (e *everything) populationLimits() []flags.Flag {
	return []flags.Flag{
		{Name: "max-risk", To: ratValue{&e.maxRisk}, Needs: []string{"weight"}, Text: "exit with code 1 unless the largest risk by the weights is at most this `number`"},
		acceptModel(&e.accept, "max-risk"),
		{Name: "min-k-map", To: &e.minMap, Needs: []string{"population"}, Text: "exit with code 1 unless at least this `number` of people in the population match each record"},
		{Name: "max-delta", To: ratValue{&e.maxDelta}, Needs: []string{"population"}, Text: "exit with code 1 unless δ is at most this `number`"},
	}
}

// weights are the individual risks of a survey.
func (a *all) weights(w *risk.Weighted) error {
	r, err := w.Risk(a.cmd.Context(), a.mode(), 0)
	if err != nil {
		return err
	}
	a.figure("largest risk, by the weights", "", new(big.Rat).SetFloat64(r.MaxRisk), "max-risk", a.maxRisk, true)
	a.d.under(a.accept, "max-risk")
	if n := len(a.d.limits); a.maxRisk != nil && a.d.limits[n-1].Open {
		a.doc.Figures[len(a.doc.Figures)-1].Verdict = "open"
	}
	a.plain("average risk, by the weights", "", r.AverageRisk)
	a.plain("expected re-identifications, by the weights", "", r.Reidentified)
	return nil
}

// people compares with a population file.
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
