package protect

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/protect/guard"
	"github.com/hitoku/hitoku/table"
)

// Parsed are the texts of a policy as what they mean. Fields that are not given are nil.
type Parsed struct {
	LPL, UPL, Width *table.Level
	Lower, Upper    *table.Decimal
	MarginWeight    *table.Decimal // F of Margins weight:F
	Rules           *table.Rules   // primary rules but Below; never nil
	Words           *table.Rules   // those of the field Rules alone
	Ends            *Ends
	MaxWidth        *table.Level
	TimeLimit       time.Duration
	Seed            uint64 // DefenceSeed
	// CostColumn is the column that Cost names, "" where it is one of the words.
	CostColumn string

	// Groups is the rule of the field Groups.
	Groups *table.GroupRule

	cost       *table.CostKind
	distance   *distanceCost
	singletons *guard.SingletonRule
}

// Parse reads the texts of p. The error is a *FieldError.
func (p *Policy) Parse() (*Parsed, error) {
	x := &Parsed{CostColumn: p.costColumn()}
	for _, l := range []struct {
		field, text string
		to          **table.Level
	}{{"lpl", p.LPL, &x.LPL}, {"upl", p.UPL, &x.UPL}, {"width", p.Width, &x.Width}, {"max-width", p.MaxWidth, &x.MaxWidth}} {
		if l.text == "" {
			continue
		}
		v, err := table.ParseLevel(l.text)
		if err != nil {
			return nil, wrong(l.field, "%s %w", named(l.field), err)
		}
		*l.to = &v
	}
	for _, b := range []struct {
		field, text string
		to          **table.Decimal
	}{{"lower", p.Lower, &x.Lower}, {"upper", p.Upper, &x.Upper}} {
		if b.text == "" {
			continue
		}
		v, err := table.ParseDecimal(b.text)
		if err != nil {
			return nil, wrong(b.field, "%s %q: %w", named(b.field), b.text, err)
		}
		*b.to = &v
	}
	if err := x.parseCost(p); err != nil {
		return nil, err
	}
	var err error
	if x.MarginWeight, err = ParseMargins(p.Margins); err != nil {
		return nil, wrong("margins", "{margins} %q: %w", p.Margins, err)
	}
	if err := x.parseRules(p); err != nil {
		return nil, err
	}
	if p.TimeLimit != "" {
		if x.TimeLimit, err = time.ParseDuration(p.TimeLimit); err != nil {
			return nil, wrong("time-limit", "{time-limit} %q: want a time like 30s or 10m", p.TimeLimit)
		}
	}
	if p.DefenceSeed != "" {
		if x.Seed, err = strconv.ParseUint(p.DefenceSeed, 10, 64); err != nil {
			return nil, wrong("defence-seed", "{defence-seed} %q: want a number from 0 to 2^64 − 1", p.DefenceSeed)
		}
	}
	if p.Groups != "" {
		if x.Groups, err = table.ParseGroupRule(p.Groups); err != nil {
			return nil, wrong("groups", "{groups} %w", err)
		}
	}
	if err := x.parseEnds(p.Ends); err != nil {
		return nil, err
	}
	return x, x.parseSingletons(p)
}

// ParseMargins reads the field Margins; factor is F of weight:F, else nil.
func ParseMargins(s string) (factor *table.Decimal, err error) {
	text, weight := strings.CutPrefix(s, "weight:")
	if !weight {
		if !slices.Contains([]string{"", "withhold", "publish"}, s) {
			return nil, errMargins
		}
		return nil, nil
	}
	f, err := table.ParseDecimal(text)
	if err != nil || f.Unscaled <= 0 {
		return nil, errWeight
	}
	return &f, nil
}

// costColumn returns the column that Cost names, if it is none of the words.
func (p *Policy) costColumn() string {
	switch kind, _, _ := strings.Cut(p.Cost, ":"); kind {
	case "count", "value", "freq", "given", "power":
		return ""
	case "distance":
		if strings.Contains(p.Cost, ":") { // else a column may be called so
			return ""
		}
	}
	return p.Cost
}

func (x *Parsed) parseCost(p *Policy) error {
	if steps, ok := strings.CutPrefix(p.Cost, "distance:"); ok {
		var err error
		x.distance, err = parseDistance(steps)
		return err
	}
	if p.Cost == "" || x.CostColumn != "" {
		return nil
	}
	kind, err := table.ParseCost(p.Cost)
	if err != nil {
		return &FieldError{"cost", i18n.T("{cost}%s", i18n.T("%s", err).Without("cost")), err}
	}
	x.cost = &kind
	return nil
}

// singletonTests are the tests of the rule for singletons.
var singletonTests = []string{"single", "multiple", "minfreq"}

// Singletons returns the rule of the field Singletons, nil without one.
func (x *Parsed) Singletons() *guard.SingletonRule { return x.singletons }

func (x *Parsed) parseSingletons(p *Policy) error {
	if p.Singletons == "" || p.Singletons == "none" {
		return nil
	}
	kind, tests, some := strings.Cut(p.Singletons, ":")
	r := &guard.SingletonRule{Single: !some, Multiple: !some, Modular: kind == "tauargus-mod"}
	ok := kind == "tauargus-opt" || kind == "tauargus-mod"
	if !some {
		r.MinFreq = x.minFreq(p.Below)
	}
	for _, test := range strings.Split(tests, ",") {
		name, m, equals := strings.Cut(strings.TrimSpace(test), "=")
		switch {
		case !some:
		case name == "single" && !equals:
			r.Single = true
		case name == "multiple" && !equals:
			r.Multiple = true
		case name == "minfreq":
			r.MinFreq = x.minFreq(p.Below)
			if equals {
				var err error
				r.MinFreq, err = strconv.ParseInt(m, 10, 64)
				ok = ok && err == nil && r.MinFreq > 0
			}
		default:
			ok = false
		}
	}
	if !ok {
		return wrong("singletons", "{singletons} %q: want none, tauargus-opt or tauargus-mod, behind a colon some of %s", p.Singletons, strings.Join(singletonTests, ", "))
	}
	x.singletons = r
	return nil
}

// minFreq returns the m of the rule of minimum frequency, 0 without one.
func (x *Parsed) minFreq(below int64) int64 {
	m := below
	for _, r := range x.Rules.MinFreq {
		if !r.Holding {
			m = r.M
		}
	}
	return m
}
