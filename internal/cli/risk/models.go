package risk

import (
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/risk"
)

// modelNames are the names of models of the population.
var modelNames = map[string]string{"benedetti_franconi": "Benedetti and Franconi", "pitman": "Pitman", "zayatz": "Zayatz", "snb": "sliding negative binomial", "log_linear": "log-linear"}

// models adds models of the population to a document, and shows them side by side below its figures. limited says that
// the risk has a limit.
func (d *microMeasure) models(list []risk.Model, limited bool) []document.ModelRisk {
	var out []document.ModelRisk
	t := render.NewColumns(1, "model of the population", "re-identified", "from", "to", "largest risk", "unique people", "from", "to").Words(0)
	number := func(x float64) string { return fmt.Sprintf("%.4g", x) }
	for _, m := range list {
		x := document.ModelRisk{Model: m.Name, Reidentified: m.Reidentified.Estimate, ReidentifiedFrom: m.Reidentified.From, ReidentifiedTo: m.Reidentified.To, MaxRisk: m.MaxRisk,
			Uniques: document.Null[float64](), UniquesFrom: document.Null[float64](), UniquesTo: document.Null[float64](), Pairs: m.Pairs}
		row := []string{modelNames[m.Name], number(x.Reidentified), number(x.ReidentifiedFrom), number(x.ReidentifiedTo), number(x.MaxRisk), "-", "-", "-"}
		if limited {
			x.Above = document.Some(m.Above)
		}
		if u := m.Uniques; u != nil {
			x.Uniques, x.UniquesFrom, x.UniquesTo = document.Some(u.Estimate), document.Some(u.From), document.Some(u.To)
			row = append(row[:5], number(u.Estimate), number(u.From), number(u.To))
		}
		if b := m.Smoothing; b != nil {
			x.B1, x.B2 = document.Some(b[0]), document.Some(b[1])
		}
		t.Add(row...)
		out = append(out, x)
	}
	d.list(t)
	return out
}

// judged adds a limit on a figure that several models estimate; it is met, open or broken as they imply together.
func (d *microMeasure) judged(flag string, want *big.Rat, got float64, j judgement) {
	d.limits = append(d.limits, j.limit(flag, want, got))
}

// limit returns the limit of a judgement.
func (j *judgement) limit(name string, want *big.Rat, got float64) document.Limit {
	l := document.Limit{Limit: name, Want: render.Ratio(want, 0), Got: floatText(got), Met: j.verdict == "kept", Open: j.verdict == "open"}
	if l.Open {
		l.Models = &document.Spread{Why: j.why, Lowest: document.SomeIf(j.lowestBy != "", j.lowest), LowestBy: j.lowestBy, Highest: document.SomeIf(j.highestBy != "", j.highest), HighestBy: j.highestBy,
			UpTo: document.SomeIf(j.upToBy != "", j.upTo), UpToBy: j.upToBy}
	}
	return l
}

// atMostRisk adds the limit on the largest risk, which is got by the model of Benedetti and Franconi. It is met if the
// bound F ≥ f alone ensures that. It is open if other models would leave it open, even if that model is accepted.
func (d *microMeasure) atMostRisk(want *big.Rat, got float64, accepted bool, models []risk.Model, k uint64) {
	if want == nil {
		return
	}
	j := judgeRisk(models, float(want), k)
	d.judged("max-risk", want, got, j)
	l := &d.limits[len(d.limits)-1]
	if l.Met && float64(k)*float(want) >= 1 {
		return
	}
	if l.Under = negativeBinomial; l.Met && !accepted {
		l.Met, l.Open = false, true
	}
}

// float returns a limit as a floating-point number, 0 for none.
func float(x *big.Rat) float64 {
	if x == nil {
		return 0
	}
	f, _ := x.Float64()
	return f
}

// modelLimits are limits on figures from models of the population.
type modelLimits struct {
	maxRisk    *big.Rat
	accept     bool     // the model of weights is accepted
	maxAverage *big.Rat // limit on the expected re-identifications as a share of the records
}

// flags returns the flags of the limits. text is that of --max-risk, which requires the flags in needs, as the other
// requires one of those in one.
func (l *modelLimits) flags(text string, needs, one []string) []flags.Flag {
	return []flags.Flag{
		{Name: "max-risk", To: ratValue{&l.maxRisk}, Needs: needs, Text: text},
		acceptModel(&l.accept, "max-risk"),
		{Name: "max-average-risk", To: ratValue{&l.maxAverage}, One: one, Text: "exit with code 1 unless the expected re-identifications, by all models of the population, are at most this share of the records"},
	}
}

// saySpread says why models leave the limit called name open.
func saySpread(words io.Writer, name string, l document.Limit) {
	s := l.Models
	by := func(name string, x document.Opt[float64]) i18n.Text {
		v, _ := x.Get()
		return i18n.T("%.4g (%s)", v, i18n.Term(modelNames[name]))
	}
	var why i18n.Text
	switch s.Why {
	case "apart":
		why = i18n.T("models of the population differ by more than a factor of three, from %s to %s", by(s.LowestBy, s.Lowest), by(s.HighestBy, s.Highest))
	case "found":
		why = i18n.T("the expected re-identifications of models of the population differ by more than a factor of three, from %s to %s", by(s.LowestBy, s.Lowest), by(s.HighestBy, s.Highest))
	case "above":
		why = i18n.T("it may be up to %s", by(s.UpToBy, s.UpTo))
	case "few":
		why = i18n.T("so many classes are expected to have a larger one: %s", by(s.UpToBy, s.UpTo))
	default:
		why = i18n.T("there are no two models of the population to compare")
	}
	cli.Note(words, "%s %s is open: %s; hitoku risk k-map --population FILE counts F", name, l.Want, why)
}

// sayLight names a class with weights that are too small.
func sayLight(words io.Writer, r *risk.SurveyRisk, qi []string) {
	if x := r.Lightest; x != nil {
		cli.Note(words, "in %d classes the weights add up to less than the number of records, and as no class has fewer people than records their risk is 1/f; such is %s = %s: %d records, weights of %s", r.Light, strings.Join(qi, ", "), shown(x.Tuple), x.Frequency, x.Weights)
	}
}
