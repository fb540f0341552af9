package protect

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/option"
	"github.com/hitoku/hitoku/protect/guard"
	"github.com/hitoku/hitoku/protect/ledger"
	"github.com/hitoku/hitoku/table"
)

// maybe is the option value for a pointer field, nil if not given.
func maybe[T any](to **T, kind string, parse func(string) (T, error), show func(*T) string) option.Value {
	return option.One(to, kind, func(s string) (*T, error) {
		x, err := parse(s)
		if err != nil {
			return nil, err
		}
		return &x, nil
	}, func(x *T) string {
		if x == nil {
			return ""
		}
		return show(x)
	})
}

func levelField(to **table.Level) option.Value {
	return maybe(to, "level", table.ParseLevel, func(l *table.Level) string {
		if l.Percent {
			return l.Decimal.String() + "%"
		}
		return l.Decimal.String()
	})
}

func numberField(to **table.Decimal) option.Value {
	return maybe(to, "number", table.ParseDecimal, func(d *table.Decimal) string { return d.String() })
}

func changeField(to *[]ledger.Change) option.List {
	return option.Many(to, func(s string) ([]ledger.Change, error) {
		c, err := ledger.ParseChange(s)
		return []ledger.Change{c}, err
	}, ledger.Change.String)
}

// atField is the option value for a list of DIM=CODE.
func atField(to *[]string) option.List {
	return option.Many(to, func(s string) ([]string, error) {
		if d, c, ok := strings.Cut(s, "="); !ok || d == "" || c == "" {
			return nil, i18n.New("want DIM=CODE")
		}
		return []string{s}, nil
	}, func(s string) string { return s })
}

func groupsField(to **table.GroupRule) option.Value {
	return option.One(to, "string", func(s string) (*table.GroupRule, error) {
		if s == "" {
			return nil, nil
		}
		return table.ParseGroupRule(s)
	}, func(r *table.GroupRule) string {
		switch {
		case r == nil:
			return ""
		case r.D == 1:
			return strconv.FormatInt(r.K, 10)
		}
		return fmt.Sprintf("%d,%d", r.K, r.D)
	})
}

func timeField(to *time.Duration) option.Value {
	return option.One(to, "duration", func(s string) (time.Duration, error) {
		d, err := time.ParseDuration(s)
		if err != nil {
			return 0, i18n.Errorf("want %s", i18n.Term("a time with its unit, like 30s, 10m or 1h30m"))
		}
		return d, nil
	}, func(d time.Duration) string {
		if d == 0 {
			return ""
		}
		return d.String()
	})
}

func seedField(to *uint64) option.Value {
	return option.One(to, "uint64", func(s string) (uint64, error) {
		n, err := strconv.ParseUint(s, 0, 64)
		if err != nil {
			return 0, i18n.Errorf("want %s", i18n.Term("a whole number, 0 or more"))
		}
		return n, nil
	}, func(n uint64) string {
		if n == 0 {
			return ""
		}
		return strconv.FormatUint(n, 10)
	})
}

// costField reads a word of table.ParseCost, distance:1,3,5 or distance:A=1,3,5;B=2,4, or the name of a column.
func costField(to *Cost) option.Value {
	return option.One(to, "string", parseCost, func(c Cost) string {
		switch c.Kind {
		case "power":
			return "power:" + strconv.FormatFloat(c.Power, 'g', -1, 64)
		case "column":
			return c.Column
		case "distance":
			var parts []string
			for _, name := range slices.Sorted(maps.Keys(c.Distance)) {
				steps := strings.Trim(strings.ReplaceAll(fmt.Sprint(c.Distance[name]), " ", ","), "[]")
				if name != "" {
					steps = name + "=" + steps
				}
				parts = append(parts, steps)
			}
			return "distance:" + strings.Join(parts, ";")
		}
		return c.Kind
	})
}

func parseCost(s string) (Cost, error) {
	kind, rest, colon := strings.Cut(s, ":")
	switch {
	case s == "":
		return Cost{}, i18n.New("want count, value, freq, power:λ or a column")
	case kind == "distance" && colon: // otherwise it may be the name of a column
		steps, ok := parseDistance(rest)
		if !ok {
			return Cost{}, i18n.New("want distance:1,3,5, or distance:A=1,3,5;B=2,4 with a list for each dimension")
		}
		return Cost{Kind: kind, Distance: steps}, nil
	case !slices.Contains([]string{"count", "value", "freq", "given", "power"}, kind):
		return Cost{Kind: "column", Column: s}, nil
	}
	c, err := table.ParseCost(s)
	if err != nil {
		return Cost{}, i18n.Errorf("%s", i18n.T("%s", err).Without(fmt.Sprintf("cost %q", s)))
	}
	return Cost{Kind: c.Kind, Power: c.Power}, nil
}

func marginsField(to *Margins) option.Value {
	return option.One(to, "withhold|publish|weight:F", func(s string) (Margins, error) {
		text, weight := strings.CutPrefix(s, "weight:")
		switch {
		case !weight && s != "withhold" && s != "publish":
			return Margins{}, i18n.New("want withhold, publish or weight:F")
		case !weight:
			return Margins{Kind: s}, nil
		}
		f, err := table.ParseDecimal(text)
		if err != nil || f.Unscaled <= 0 {
			return Margins{}, i18n.New("want weight:F with a number F above 0")
		}
		return Margins{"weight", f}, nil
	}, func(m Margins) string {
		if m.Kind == "weight" {
			return "weight:" + m.Weight.String()
		}
		return m.Kind
	})
}

// endsField reads "10", "2 digits", and "plain" alone or before either.
func endsField(to *Ends) option.Value {
	return option.One(to, "string", func(s string) (e Ends, err error) {
		s, e.Plain = strings.CutPrefix(strings.TrimSpace(s), "plain")
		if s = strings.TrimSpace(s); s == "" {
			return e, nil
		}
		digits, ok := strings.CutSuffix(s, " digits")
		if !ok {
			digits, ok = strings.CutSuffix(s, " digit")
		}
		if ok {
			if e.Digits, err = strconv.Atoi(strings.TrimSpace(digits)); err != nil || e.Digits < 1 || e.Digits > 18 {
				return e, i18n.New("want a number of digits from 1 to 18")
			}
			return e, nil
		}
		d, err := table.ParseDecimal(s)
		if err != nil || d.Unscaled <= 0 {
			return e, i18n.New("want a number above 0, of which ends are multiples, 2 digits, or plain before either or alone")
		}
		e.Base = &d
		return e, nil
	}, func(e Ends) string {
		var parts []string
		if e.Plain {
			parts = append(parts, "plain")
		}
		if e.Digits > 0 {
			parts = append(parts, strconv.Itoa(e.Digits), "digits")
		} else if e.Base != nil {
			parts = append(parts, e.Base.String())
		}
		return strings.Join(parts, " ")
	})
}

// Words of the field singletons: the rules, and the tests that may follow a colon.
const optRule, modRule = "tauargus-opt", "tauargus-mod"

func singletonsField(to **guard.SingletonRule) option.Value {
	return option.One(to, "none|"+optRule+"|"+modRule, parseSingletons, showSingletons)
}

func parseSingletons(s string) (*guard.SingletonRule, error) {
	if s == "" || s == "none" {
		return nil, nil
	}
	kind, tests, some := strings.Cut(s, ":")
	r := &guard.SingletonRule{Modular: kind == modRule}
	ok := kind == optRule || kind == modRule
	if !some {
		r.Single, r.Multiple, r.MinFreq = true, true, -1
		tests = "minfreq"
	}
	for _, test := range strings.Split(tests, ",") {
		name, m, equals := strings.Cut(strings.TrimSpace(test), "=")
		switch {
		case name == "single" && !equals:
			r.Single = true
		case name == "multiple" && !equals:
			r.Multiple = true
		case name == "minfreq" && !equals:
			r.MinFreq = -1
		case name == "minfreq":
			var err error
			r.MinFreq, err = strconv.ParseInt(m, 10, 64)
			ok = ok && err == nil && r.MinFreq > 0
		default:
			ok = false
		}
	}
	if !ok {
		return nil, i18n.New("want none, tauargus-opt or tauargus-mod, behind a colon some of single, multiple, minfreq")
	}
	return r, nil
}

func showSingletons(r *guard.SingletonRule) string {
	if r == nil {
		return ""
	}
	text := optRule
	if r.Modular {
		text = modRule
	}
	if r.Single && r.Multiple && r.MinFreq < 0 {
		return text
	}
	var tests []string
	if r.Single {
		tests = append(tests, "single")
	}
	if r.Multiple {
		tests = append(tests, "multiple")
	}
	switch {
	case r.MinFreq < 0:
		tests = append(tests, "minfreq")
	case r.MinFreq > 0:
		tests = append(tests, fmt.Sprintf("minfreq=%d", r.MinFreq))
	}
	return text + ":" + strings.Join(tests, ",")
}

// singletonRule returns the rule Singletons with its MinFreq −1 replaced by the m of the rules; nil without one.
func (p *Policy) singletonRule() *guard.SingletonRule {
	if p.Singletons == nil {
		return nil
	}
	r := *p.Singletons
	if r.MinFreq < 0 {
		r.MinFreq = p.Below
		for _, f := range p.Primary().MinFreq {
			if !f.Holding {
				r.MinFreq = f.M
			}
		}
	}
	return &r
}

func (p *Policy) levels() table.Levels {
	return table.Levels{LPL: p.LPL, UPL: p.UPL, Width: p.Width}
}
