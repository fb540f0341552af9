package report

import (
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// concentration puts into words the rules about the largest contributions.
func (p *protectionPage) concentration(r *table.Rules, add func(key string, args ...any)) {
	for _, d := range r.Dominance {
		if d.N == 1 {
			add("ruledom1", d.K.String())
		} else {
			add("ruledom", d.N, d.K.String())
		}
	}
	for _, q := range r.PQ {
		if q.Q.String() == "100" && q.N == 1 {
			add("rulepq1", q.P.String())
		} else if q.Q.String() == "100" {
			add("rulepq", q.N, q.P.String())
		} else {
			add("rulepqq", q.N, q.P.String(), q.Q.String())
		}
	}
	for k := range r.Measure {
		w := sets.Each(r.Measure[k].W, func(x table.Decimal) string { return x.String() })
		add("rulelin", strings.Join(w, ", "))
	}
	if r.Absolute {
		add("ruleabs")
	}
}

// Rules returns the rules and options in words.
func (p *protectionPage) Rules() []string {
	var all []string
	add := func(key string, args ...any) { all = append(all, p.say(key, args...)) }
	if p.Below > 0 {
		key := "below"
		if p.Zeros {
			key = "belowzero"
		}
		add(key, strconv.FormatInt(p.Below, 10))
	}
	if r := p.Protection.Rules; r != nil {
		p.concentration(r, add)
		for range r.Request {
			add("rulereq")
		}
		for _, f := range r.MinFreq {
			add("rulefreq", f.M)
		}
		if r.Zero != nil {
			add("rulezero")
		}
	}
	switch {
	case len(all) > 0:
	case p.Told:
		add("rulenone")
	default:
		add("ruleuntold")
	}
	level := func(l *table.Level) string {
		if l.Percent {
			return p.say("percentof", l.Decimal.String())
		}
		return p.say("absolute", grouped(l.Decimal.String()))
	}
	if p.Width != nil {
		key := "levelwidth"
		if p.Strict {
			key = "levelstrict"
		}
		add(key, level(p.Width))
	}
	if p.LPL != nil {
		add("levellpl", level(p.LPL))
	}
	if p.UPL != nil {
		add("levelupl", level(p.UPL))
	}
	own := p.Width == nil && p.LPL == nil && p.UPL == nil
	if own && p.Table.Strict {
		add("exactonly")
	} else if own {
		add("levelsinput")
	}
	switch {
	case len(p.Table.Dims) == 0: // it is not known which cells are margins
	case p.MarginsKept:
		add("marginsno")
	case p.MarginWeight != nil:
		add("marginsweight", p.MarginWeight.String())
	default:
		add("marginsyes")
	}
	switch kind, power, _ := strings.Cut(p.Cost, ":"); kind {
	case "":
	case "count", "value", "freq", "given":
		add("cost" + kind)
	case "power":
		add("costpower", power)
	default:
		add("costcolumn", p.Cost)
	}
	lower, upper, same := p.bounds()
	if same && upper == p.T("infinite") {
		add("boundslow", lower)
	} else if same {
		add("bounds", lower, upper)
	} else {
		add("boundsin")
	}
	return all
}

// bounds returns the bounds of cells, if they are the same for all.
func (p *protectionPage) bounds() (lower, upper string, same bool) {
	t := p.Table
	from, to := t.Lower, t.Upper
	if p.Intervals != nil {
		from, to = p.Intervals.Lower, p.Intervals.Upper
	}
	for i := range t.Len() {
		if from[i] != from[0] || to[i] != to[0] {
			return "", "", false
		}
	}
	if t.Len() == 0 {
		return "", "", false
	}
	end := func(v int64) string {
		switch v {
		case table.PosInf:
			return p.T("infinite")
		case table.NegInf:
			return "−" + p.T("infinite")
		}
		return p.number(v)
	}
	return end(from[0]), end(to[0]), true
}
