package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// ParseRules reads primary rules as τ-ARGUS batch files write them, joined by "|":
//
//	NK(n,k)  P(p,n)  P(p,q,n)  FREQ(m,range)  ZERO(range)  REQ(p1,p2,m,margin)
//	MAN(margin)  MIS(0|1)  WGT(0|1)
//
// and three that τ-ARGUS lacks: RESP(m,range), which is FREQ of unweighted records, or of holdings if the table has
// them; LIN(w1,…,wm), a Measure; and ABS(1), which makes X the total of the absolute contributions.
//
// The first two NK and the first two P count records, the third and fourth holdings; the first FREQ and REQ count
// records, the second holdings. A rule whose numbers are all 0 only holds its place. FREQ(m) without a range sets no
// levels.
func ParseRules(s string) (*Rules, error) {
	p := ruleParser{r: &Rules{}}
	for _, part := range strings.Split(s, "|") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		name, args, err := splitRule(part)
		if err != nil {
			return nil, err
		}
		if want := p.add(name, args); want != "" {
			return nil, i18n.Errorf("rule %q: want %s", part, want)
		}
	}
	return p.r, p.r.Check()
}

// A ruleParser counts how often each repeatable rule has occurred.
type ruleParser struct {
	r                            *Rules
	dominance, pq, freq, request int
}

// add takes a rule; want says what was expected if it is malformed.
func (p *ruleParser) add(name string, args []Decimal) (want string) {
	r := p.r
	switch name {
	case "NK":
		return p.addDominance(args)
	case "P":
		return p.addPQ(args)
	case "FREQ", "RESP":
		return p.addMinFreq(name, args)
	case "REQ":
		return p.addRequest(args)
	case "LIN":
		r.Measure = append(r.Measure, Measure{W: args})
	case "ZERO":
		if len(args) != 1 || r.Zero != nil {
			return "one ZERO(range)"
		}
		r.Zero = &args[0]
	case "MAN":
		if len(args) != 1 || r.Manual != nil {
			return "one MAN(margin)"
		}
		r.Manual = &args[0]
	case "MIS", "WGT", "ABS":
		n, ok := args[0].At(0)
		if len(args) != 1 || !ok || n < 0 || n > 1 {
			return name + "(0) or " + name + "(1)"
		}
		*map[string]*bool{"MIS": &r.MissingSafe, "WGT": &r.Weighted, "ABS": &r.Absolute}[name] = n == 1
	default:
		return "NK, P, LIN, FREQ, RESP, ZERO, REQ, MAN, MIS, WGT or ABS"
	}
	return ""
}

func (p *ruleParser) addDominance(args []Decimal) (want string) {
	if p.dominance++; p.dominance > 4 {
		return "at most four rules NK: two by record, two by holding"
	}
	n, ok := wholeAt(args, 0, 2)
	if !ok {
		return "NK(n,k)"
	}
	if !zeros(args) {
		p.r.Dominance = append(p.r.Dominance, Dominance{int(min(n, 1<<20)), args[1], p.dominance > 2})
	}
	return ""
}

func (p *ruleParser) addPQ(args []Decimal) (want string) {
	if p.pq++; p.pq > 4 {
		return "at most four rules P: two by record, two by holding"
	}
	if len(args) < 1 || len(args) > 3 {
		return "P(p,n) or P(p,q,n)"
	}
	rule := PQ{args[0], Decimal{100, 0}, 1, p.pq > 2}
	if len(args) == 3 {
		rule.Q = args[1]
	}
	if len(args) > 1 {
		n, ok := args[len(args)-1].At(0)
		if !ok {
			return "P(p,n) or P(p,q,n)"
		}
		rule.N = int(min(n, 1<<20))
	}
	if !zeros(args) {
		p.r.PQ = append(p.r.PQ, rule)
	}
	return ""
}

func (p *ruleParser) addMinFreq(name string, args []Decimal) (want string) {
	f := MinFreq{Respondents: name == "RESP"}
	if !f.Respondents {
		if p.freq++; p.freq > 2 {
			return "at most two rules FREQ: by record, by holding"
		}
		f.Holding = p.freq > 1
	}
	if len(args) < 1 || len(args) > 2 {
		return name + "(m,range)"
	}
	var ok bool
	if f.M, ok = args[0].At(0); !ok {
		return name + "(m,range)"
	}
	if len(args) == 2 {
		f.Range = &args[1]
	}
	if !zeros(args) {
		p.r.MinFreq = append(p.r.MinFreq, f)
	}
	return ""
}

func (p *ruleParser) addRequest(args []Decimal) (want string) {
	if p.request++; p.request > 2 {
		return "at most two rules REQ: by record, by holding"
	}
	m, ok := wholeAt(args, 2, 4)
	if !ok {
		return "REQ(p1,p2,m,margin)"
	}
	if !zeros(args) {
		p.r.Request = append(p.r.Request, Request{[2]Decimal{args[0], args[1]}, m, args[3], p.request > 1})
	}
	return ""
}

// wholeAt returns the argument at place as a whole number; ok is false unless there are exactly all arguments.
func wholeAt(args []Decimal, place, all int) (n int64, ok bool) {
	if len(args) != all {
		return 0, false
	}
	return args[place].At(0)
}

// zeros reports whether a rule only holds its place: all its numbers are 0.
func zeros(args []Decimal) bool {
	return !slices.ContainsFunc(args, func(a Decimal) bool { return a.Unscaled != 0 })
}

// splitRule takes NAME(number,number,…) apart.
func splitRule(s string) (name string, args []Decimal, err error) {
	name, rest, ok := strings.Cut(s, "(")
	inner, ends := strings.CutSuffix(strings.TrimSpace(rest), ")")
	if !ok || !ends {
		return "", nil, i18n.Errorf("rule %q: want NAME(number,…), like P(10,1)", s)
	}
	args, err = parseDecimals(inner)
	if err != nil {
		return "", nil, i18n.Errorf("rule %q: %w", s, err)
	}
	return strings.ToUpper(strings.TrimSpace(name)), args, nil
}

func parseDecimals(s string) ([]Decimal, error) {
	var all []Decimal
	for _, p := range strings.Split(s, ",") {
		d, err := ParseDecimal(p)
		if err != nil {
			return nil, i18n.Errorf("%s: %w", strconv.Quote(strings.TrimSpace(p)), err)
		}
		all = append(all, d)
	}
	return all, nil
}

// String writes the rules in the form that ParseRules reads.
func (r *Rules) String() string {
	var parts []string
	place := func(none string, k int, holding, was *bool) {
		if *holding && !*was { // fill the places that belong to records
			for ; k < 2; k++ {
				parts = append(parts, none)
			}
			*was = true
		}
	}
	was := false
	for k, d := range r.Dominance {
		place("NK(0,0)", k, &d.Holding, &was)
		parts = append(parts, fmt.Sprintf("NK(%d,%s)", d.N, d.K))
	}
	was = false
	for k, p := range r.PQ {
		place("P(0,0)", k, &p.Holding, &was)
		if p.Q == (Decimal{100, 0}) {
			parts = append(parts, fmt.Sprintf("P(%s,%d)", p.P, p.N))
		} else {
			parts = append(parts, fmt.Sprintf("P(%s,%s,%d)", p.P, p.Q, p.N))
		}
	}
	for k := range r.Measure {
		parts = append(parts, r.Measure[k].String())
	}
	freq := 0
	for _, f := range r.MinFreq {
		name := "RESP"
		if !f.Respondents {
			name = "FREQ"
			if f.Holding && freq == 0 {
				parts = append(parts, "FREQ(0,0)")
			}
			freq++
		}
		if f.Range == nil {
			parts = append(parts, fmt.Sprintf("%s(%d)", name, f.M))
		} else {
			parts = append(parts, fmt.Sprintf("%s(%d,%s)", name, f.M, f.Range))
		}
	}
	for k, q := range r.Request {
		if q.Holding && k == 0 {
			parts = append(parts, "REQ(0,0,0,0)")
		}
		parts = append(parts, fmt.Sprintf("REQ(%s,%s,%d,%s)", q.P[0], q.P[1], q.M, q.Margin))
	}
	if r.Zero != nil {
		parts = append(parts, fmt.Sprintf("ZERO(%s)", r.Zero))
	}
	if r.Manual != nil {
		parts = append(parts, fmt.Sprintf("MAN(%s)", r.Manual))
	}
	if r.MissingSafe {
		parts = append(parts, "MIS(1)")
	}
	if r.Weighted {
		parts = append(parts, "WGT(1)")
	}
	if r.Absolute {
		parts = append(parts, "ABS(1)")
	}
	return strings.Join(parts, "|")
}
