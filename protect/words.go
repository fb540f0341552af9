package protect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/option"
	"github.com/hitoku/hitoku/table"
)

func rulesField(to **table.Rules) option.Value {
	return option.One(to, "string", table.ParseRules, func(r *table.Rules) string {
		if r == nil {
			return ""
		}
		return r.String()
	})
}

// oneRule parses least to most arguments as those of one rule of table.ParseRules; nil if all are 0.
func oneRule(rule, args, want string, least, most int) (*table.Rules, error) {
	if n := strings.Count(args, ",") + 1; strings.TrimSpace(args) == "" || n < least || n > most {
		return &table.Rules{}, i18n.Errorf("want %s", want)
	}
	r, err := table.ParseRules(rule + "(" + args + ")")
	if err != nil {
		return &table.Rules{}, err
	}
	return r, nil
}

func dominanceField(to *[]table.Dominance) option.List {
	return option.Many(to, func(s string) ([]table.Dominance, error) {
		r, err := oneRule("NK", s, "n,k", 2, 2)
		return r.Dominance, err
	}, func(d table.Dominance) string { return fmt.Sprintf("%d,%s", d.N, d.K) })
}

func pField(to *[]table.PQ) option.List {
	return option.Many(to, func(s string) ([]table.PQ, error) {
		r, err := oneRule("P", s, "p or p,n", 1, 2)
		return r.PQ, err
	}, func(p table.PQ) string { return p.P.String() + intruders(p) })
}

func pqField(to *[]table.PQ) option.List {
	return option.Many(to, func(s string) ([]table.PQ, error) {
		if strings.Count(s, ",") == 1 {
			s += ",1"
		}
		r, err := oneRule("P", s, "p,q or p,q,n", 3, 3)
		return r.PQ, err
	}, func(p table.PQ) string { return p.P.String() + "," + p.Q.String() + intruders(p) })
}

// intruders returns the n of a rule as text, unless it is 1.
func intruders(p table.PQ) string {
	if p.N == 1 {
		return ""
	}
	return fmt.Sprintf(",%d", p.N)
}

func measureField(to *[]table.Measure) option.List {
	return option.Many(to, func(s string) ([]table.Measure, error) {
		r, err := oneRule("LIN", s, "weights w1,...,wm", 2, table.MaxTop+1)
		return r.Measure, err
	}, func(m table.Measure) string { return strings.TrimSuffix(strings.TrimPrefix(m.String(), "LIN("), ")") })
}

func freqField(to **table.MinFreq, rule string) option.Value {
	return option.One(to, "string", func(s string) (*table.MinFreq, error) {
		if s == "" {
			return nil, nil
		}
		r, err := oneRule(rule, s, "m or m,range", 1, 2)
		if err != nil || r.MinFreq == nil {
			return nil, err
		}
		return &r.MinFreq[0], nil
	}, func(f *table.MinFreq) string {
		switch {
		case f == nil:
			return ""
		case f.Range == nil:
			return fmt.Sprint(f.M)
		}
		return fmt.Sprintf("%d,%s", f.M, f.Range)
	})
}

// ruleNumber is the option value for the number of the rule ZERO or MAN.
func ruleNumber(to **table.Decimal, rule string) option.Value {
	return option.One(to, "string", func(s string) (*table.Decimal, error) {
		if s == "" {
			return nil, nil
		}
		r, err := oneRule(rule, s, "a number", 1, 1)
		if rule == "MAN" {
			return r.Manual, err
		}
		return r.Zero, err
	}, func(d *table.Decimal) string {
		if d == nil {
			return ""
		}
		return d.String()
	})
}

// Primary returns all primary rules of p except Below: those of Rules, then those of single fields.
func (p *Policy) Primary() *table.Rules {
	var r table.Rules
	if p.Rules != nil {
		r = *p.Rules
	}
	r.Dominance = slices.Concat(r.Dominance, p.Dominance)
	r.PQ = slices.Concat(r.PQ, p.PPercent, p.PQ)
	r.Measure = slices.Concat(r.Measure, p.Measure)
	r.Absolute = r.Absolute || p.Absolute
	r.MinFreq = slices.Clip(r.MinFreq)
	if p.MinFreq != nil {
		r.MinFreq = append(r.MinFreq, *p.MinFreq)
	}
	if p.MinRespondents != nil {
		r.MinFreq = append(r.MinFreq, *p.MinRespondents)
		r.MinFreq[len(r.MinFreq)-1].Respondents = true
	}
	r.Zero, r.Manual = cmp.Or(p.Zero, r.Zero), cmp.Or(p.Manual, r.Manual)
	return &r
}
