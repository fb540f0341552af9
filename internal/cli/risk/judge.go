package risk

import (
	"math"

	"github.com/hitoku/hitoku/risk"
)

// A judgement says what several models together imply for a limit.
type judgement struct {
	// verdict is "broken" if all estimates are above the limit. It is "kept" if all intervals are within it and the
	// largest estimate is at most three times the smallest, or if it is certain because F ≥ f. Otherwise it is "open".
	verdict string
	// why says why it is open: "apart" if estimates differ by more than that; "found" if those of the expected
	// re-identifications do; "above" if an interval reaches beyond the limit; "few" if a model expects a class whose
	// 1/F does; "alone" if there are no two models.
	why string
	// lowest and highest are the estimates in the unit of the limit, and upTo is the largest upper end; the names are
	// those of the models that give them.
	lowest, highest, upTo       float64
	lowestBy, highestBy, upToBy string
}

const (
	// apart is the factor by which models may differ.
	apart = 3
	// expected is how many classes above a limit on 1/F a model may expect.
	expected = 0.05
)

// judge compares shares of a whole with a limit. Where models differ, less than one unit counts as one.
func judge(models []risk.Model, limit, whole float64, of func(m *risk.Model) *risk.Interval) judgement {
	j := judgement{verdict: "kept", lowest: math.Inf(1), highest: -1, upTo: -1}
	for k := range models {
		name, x := models[k].Name, of(&models[k])
		if x == nil {
			continue
		}
		if v := x.Estimate / whole; v < j.lowest {
			j.lowest, j.lowestBy = v, name
		}
		if v := x.Estimate / whole; v > j.highest {
			j.highest, j.highestBy = v, name
		}
		if v := x.To / whole; v > j.upTo {
			j.upTo, j.upToBy = v, name
		}
	}
	one := 1 / whole
	if whole == 1 {
		one = 0 // the figure is a risk, without units
	}
	switch {
	case j.lowestBy == "":
		return judgement{verdict: "open", why: "alone"}
	case j.lowest > limit:
		j.verdict = "broken"
	case math.Max(j.highest, one) > apart*math.Max(j.lowest, one):
		j.verdict, j.why = "open", "apart"
	case j.upTo > limit:
		j.verdict, j.why = "open", "above"
	}
	return j
}

// judgeUniques compares the share of a population that is unique there with a limit.
func judgeUniques(models []risk.Model, limit float64, population uint64) judgement {
	return judge(models, limit, float64(population), func(m *risk.Model) *risk.Interval { return m.Uniques })
}

// judgeReidentified compares the share of records that are expected to be re-identified with a limit. A prosecutor
// finds Σ 1/f of them, one per class.
func judgeReidentified(models []risk.Model, limit float64, records, classes uint64) judgement {
	j := judge(models, limit, float64(records), func(m *risk.Model) *risk.Interval { return &m.Reidentified })
	if float64(classes) <= limit*float64(records) && j.why != "alone" {
		j.verdict, j.why = "kept", ""
	}
	return j
}

// judgeRisk compares the largest risk with the limit that was given to risk.Models. k is the smallest f.
func judgeRisk(models []risk.Model, limit float64, k uint64) judgement {
	j := judge(models, limit, 1, func(m *risk.Model) *risk.Interval {
		return &risk.Interval{Estimate: m.MaxRisk, From: m.MaxRisk, To: m.MaxRisk}
	})
	if float64(k)*limit >= 1 {
		j.verdict, j.why = "kept", ""
	}
	if j.verdict != "kept" || float64(k)*limit >= 1 {
		return j
	}
	found := judge(models, math.Inf(1), 1, func(m *risk.Model) *risk.Interval {
		return &risk.Interval{Estimate: math.Max(1, m.Reidentified.Estimate)}
	})
	if found.why == "apart" {
		found.why = "found"
		return found
	}
	most := expected
	for _, m := range models {
		if m.Above > most {
			most = m.Above
			j.verdict, j.why, j.upTo, j.upToBy = "open", "few", m.Above, m.Name
		}
	}
	return j
}
