package arb

import (
	"context"
	"strings"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

// A search is solver.Suppress or one like it.
type search func(context.Context, *table.Table, *solver.Options) (*solver.Solution, error)

// modRule reads the options of MOD(table,minutes,single,multiple,minfreq,...), of which those left
// out are on. MinFreq is only on or off as yet: 1 or 0.
func modRule(f []string) *attack.SingletonRule {
	on := func(k int) bool { return k >= len(f) || strings.TrimSpace(f[k]) == "1" }
	r := &attack.SingletonRule{Single: on(2), Multiple: on(3), Modular: true}
	if on(4) {
		r.MinFreq = 1
	}
	return r
}

// withSingletons is find under rule, if there is one, with the m of the first of jobs that has a
// rule of minimum frequency. It leaves the rule alone where a table does not tell who contributes
// alone. OPT has no options for the rule in batches; in τ-ARGUS all its tests are on then.
func (b *batch) withSingletons(find search, rule *attack.SingletonRule, jobs []*job) search {
	if rule == nil || *rule == (attack.SingletonRule{Modular: rule.Modular}) {
		return find
	}
	m := int64(0)
	for _, j := range jobs {
		if j.rules != nil && m == 0 && rule.MinFreq > 0 {
			for _, r := range j.rules.MinFreq {
				if !r.Holding {
					m = r.M
					break
				}
			}
		}
	}
	own := *rule
	own.MinFreq = m
	return func(ctx context.Context, t *table.Table, o *solver.Options) (*solver.Solution, error) {
		if t.Freq == nil {
			b.say("Singletons are not looked for: the table has no numbers of contributors")
			return find(ctx, t, o)
		}
		s, sums, err := own.Suppress(ctx, t, o, find)
		b.say("Singletons: %d rows in which another cell must be withheld; hitoku suppress --insiders guards against insiders by all relations", sums)
		return s, err
	}
}
