package risk

import (
	"math/big"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/risk"
)

// goals are the limits that a release has to meet.
type goals struct {
	minK, minL uint64
	minE, maxT *big.Rat
}

// group returns their flags, with that of k in the words of the verb.
func (g *goals) group(k flags.Flag) flags.Group {
	k.Name, k.To = "min-k", &g.minK
	return flags.In(flags.LimitsGroup, []flags.Flag{
		k,
		{Name: "min-l", To: &g.minL, Needs: []string{"sensitive"}, Text: "the goal: distinct l of at least this `number`"},
		{Name: "min-entropy-l", To: ratValue{&g.minE}, Needs: []string{"sensitive"}, Text: "the goal: entropy l of at least this `number`"},
		{Name: "max-t", To: ratValue{&g.maxT}, Needs: []string{"sensitive"}, Text: "the goal: t of at most this `number`"},
	})
}

// diverse reports whether a limit is about sensitive columns.
func (g *goals) diverse() bool { return g.minL > 0 || g.minE != nil || g.maxT != nil }

func (g *goals) goal() risk.Goal {
	goal := risk.Goal{K: g.minK, L: g.minL, T: g.maxT}
	if g.minE != nil {
		goal.E, _ = g.minE.Float64()
	}
	return goal
}

// judge compares the smallest distinct and entropy l and the largest t of sensitive columns with the limits.
func (g *goals) judge(d *microMeasure, distinct uint64, entropy float64, t *big.Rat) {
	d.atLeast("min-l", g.minL, distinct)
	if g.minE != nil {
		d.limit("min-entropy-l", render.Ratio(g.minE, 0), floatText(entropy), risk.EntropyAtLeast(entropy, g.goal().E))
	}
	d.atMost("max-t", g.maxT, t)
}
