package protect

import (
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

var (
	errMargins = i18n.New("want withhold, publish or weight:F")
	errWeight  = i18n.New("want weight:F with a number F above 0")
)

// parseRules reads the primary rules, each field of which holds the arguments of one of table.ParseRules.
func (x *Parsed) parseRules(p *Policy) error {
	r, err := table.ParseRules(p.Rules)
	if err != nil {
		return wrong("rules", "{rules}: %w", err)
	}
	words := *r
	x.Rules, x.Words = r, &words
	one := func(field, rule, args, want string, least, most int) (*table.Rules, error) {
		n := strings.Count(args, ",") + 1
		if strings.TrimSpace(args) == "" || n < least || n > most {
			return nil, wrong(field, "%s %q: want %s", named(field), args, want)
		}
		if field == "pq" && n == 2 {
			args += ",1"
		}
		one, err := table.ParseRules(rule + "(" + args + ")")
		if err != nil {
			return nil, wrong(field, "%s %s: %w", named(field), args, err)
		}
		return one, nil
	}
	for _, s := range p.Dominance {
		x, err := one("dominance", "NK", s, "n,k", 2, 2)
		if err != nil {
			return err
		}
		r.Dominance = append(r.Dominance, x.Dominance...)
	}
	for _, s := range p.PPercent {
		x, err := one("p-percent", "P", s, "p or p,n", 1, 2)
		if err != nil {
			return err
		}
		r.PQ = append(r.PQ, x.PQ...)
	}
	for _, s := range p.PQ {
		x, err := one("pq", "P", s, "p,q or p,q,n", 2, 3)
		if err != nil {
			return err
		}
		r.PQ = append(r.PQ, x.PQ...)
	}
	r.Absolute = r.Absolute || p.Absolute
	for _, s := range p.Measure {
		x, err := one("measure", "LIN", s, "weights w1,...,wm", 2, table.MaxTop+1)
		if err != nil {
			return err
		}
		r.Measure = append(r.Measure, x.Measure...)
	}
	for _, s := range []struct{ field, rule, text string }{{"min-freq", "FREQ", p.MinFreq}, {"min-respondents", "RESP", p.MinRespondents}} {
		if s.text == "" {
			continue
		}
		x, err := one(s.field, s.rule, s.text, "m or m,range", 1, 2)
		if err != nil {
			return err
		}
		r.MinFreq = append(r.MinFreq, x.MinFreq...)
	}
	for _, s := range []struct {
		field, rule, text string
		to                **table.Decimal
		from              func(*table.Rules) *table.Decimal
	}{
		{"zero", "ZERO", p.Zero, &r.Zero, func(x *table.Rules) *table.Decimal { return x.Zero }},
		{"manual", "MAN", p.Manual, &r.Manual, func(x *table.Rules) *table.Decimal { return x.Manual }},
	} {
		if s.text == "" {
			continue
		}
		if *s.to != nil {
			return wrong(s.field, "%s and %s of {rules}: want one of them", named(s.field), s.rule)
		}
		x, err := one(s.field, s.rule, s.text, "a number", 1, 1)
		if err != nil {
			return err
		}
		*s.to = s.from(x)
	}
	return nil
}

// Marks reports whether there is a primary rule, or a margin for the sensitive cells of the input, to apply.
func (x *Parsed) Marks() bool { return !x.Rules.Empty() || x.Rules.Manual != nil }

// Distance reports whether the costs depend on the distance from sensitive cells.
func (x *Parsed) Distance() bool { return x.distance != nil }

// ByHolding returns the rules for a table that names holdings: those of single fields count
// them, and those of Rules do, too, unless its places say which count what.
func (x *Parsed) ByHolding() *table.Rules {
	r := x.Rules.ByHolding()
	if w := x.Words; w.Holdings() {
		copy(r.Dominance, w.Dominance)
		copy(r.PQ, w.PQ)
		copy(r.Request, w.Request)
		copy(r.MinFreq, w.MinFreq)
	}
	return r
}
