package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/table"
)

// primaryFlags are the primary rules that look at contributions, beside --below.
type primaryFlags struct {
	rules     string
	dominance []string
	percent   []string
	pq        []string
	minFreq   string
	unweigh   string // --min-respondents
	zero      string
	manual    string

	parsed *table.Rules
	words  *table.Rules // of --rules alone
}

func (p *primaryFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&p.dominance, "dominance", nil, "`n,k`: a cell is sensitive if its n largest contributions are more than k % of it; repeatable")
	f.StringArrayVar(&p.percent, "p-percent", nil, "`p` or p,n: if n contributors together can estimate the largest more closely than p %; repeatable")
	f.StringArrayVar(&p.pq, "pq", nil, "`p,q` or p,q,n: the same with p/q in place of p %; repeatable")
	f.StringVar(&p.minFreq, "min-freq", "", "`m` or m,range: if 0 < contributors < m, protected by range % of the value")
	f.StringVar(&p.unweigh, "min-respondents", "", "`m` or m,range: the same with contributors counted once each, whatever their weights")
	f.StringVar(&p.zero, "zero", "", "`range`: if its contributions are all 0, protected by range")
	f.StringVar(&p.manual, "manual", "", "`margin`: protect the sensitive cells of the input that have no level by margin % of the value")
	f.StringVar(&p.rules, "rules", "", "the rules as τ-ARGUS writes them, like `P(10,1)|FREQ(3,30)`, beside those of the other flags")
}

// parse reads the flags.
func (p *primaryFlags) parse() error {
	r, err := table.ParseRules(p.rules)
	if err != nil {
		return fmt.Errorf("--rules: %w", err)
	}
	words := *r
	p.words = &words
	one := func(flag, rule, args, want string, least, most int) (*table.Rules, error) {
		n := strings.Count(args, ",") + 1
		if strings.TrimSpace(args) == "" || n < least || n > most {
			return nil, fmt.Errorf("--%s %q: want %s", flag, args, want)
		}
		if rule == "P" && flag == "pq" && n == 2 {
			args += ",1"
		}
		x, err := table.ParseRules(rule + "(" + args + ")")
		if err != nil {
			return nil, fmt.Errorf("--%s %s: %w", flag, args, err)
		}
		return x, nil
	}
	for _, s := range p.dominance {
		x, err := one("dominance", "NK", s, "n,k", 2, 2)
		if err != nil {
			return err
		}
		r.Dominance = append(r.Dominance, x.Dominance...)
	}
	for _, s := range p.percent {
		x, err := one("p-percent", "P", s, "p or p,n", 1, 2)
		if err != nil {
			return err
		}
		r.PQ = append(r.PQ, x.PQ...)
	}
	for _, s := range p.pq {
		x, err := one("pq", "P", s, "p,q or p,q,n", 2, 3)
		if err != nil {
			return err
		}
		r.PQ = append(r.PQ, x.PQ...)
	}
	for _, s := range []struct{ flag, rule, text string }{{"min-freq", "FREQ", p.minFreq}, {"min-respondents", "RESP", p.unweigh}} {
		if s.text == "" {
			continue
		}
		x, err := one(s.flag, s.rule, s.text, "m or m,range", 1, 2)
		if err != nil {
			return err
		}
		r.MinFreq = append(r.MinFreq, x.MinFreq...)
	}
	for _, s := range []struct {
		flag, rule, text string
		to               **table.Decimal
		from             func(*table.Rules) *table.Decimal
	}{
		{"zero", "ZERO", p.zero, &r.Zero, func(x *table.Rules) *table.Decimal { return x.Zero }},
		{"manual", "MAN", p.manual, &r.Manual, func(x *table.Rules) *table.Decimal { return x.Manual }},
	} {
		if s.text == "" {
			continue
		}
		if *s.to != nil {
			return fmt.Errorf("--%s and %s of --rules: want one of them", s.flag, s.rule)
		}
		x, err := one(s.flag, s.rule, s.text, "a number", 1, 1)
		if err != nil {
			return err
		}
		*s.to = s.from(x)
	}
	p.parsed = r
	return nil
}

// byHolding returns the rules for a table that names holdings: those of single flags count
// them, and those of --rules do, too, unless its places say which count what.
func (p *primaryFlags) byHolding() *table.Rules {
	r := p.parsed.ByHolding()
	if w := p.words; w.Holdings() {
		copy(r.Dominance, w.Dominance)
		copy(r.PQ, w.PQ)
		copy(r.Request, w.Request)
		copy(r.MinFreq, w.MinFreq)
	}
	return r
}

// given reports whether there is anything to apply.
func (p *primaryFlags) given() bool {
	return p.parsed != nil && (!p.parsed.Empty() || p.parsed.Manual != nil)
}

// apply marks the sensitive cells of a table.
func (p *primaryFlags) apply(t *table.Table, words io.Writer) error {
	if !p.given() {
		return nil
	}
	if p.parsed.Weighted || p.parsed.MissingSafe || p.parsed.Holdings() {
		return fmt.Errorf("WGT, MIS and rules by holding need microdata; apply them with hitoku tabulate")
	}
	m, err := t.ApplyRules(p.parsed)
	if err != nil {
		return err
	}
	if len(m.Skipped) > 0 {
		say(words, t, "sensitive by the rules but published, as margins and cells of status z are: %s", someCells(t, m.Skipped))
	}
	return nil
}
