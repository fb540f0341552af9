package table

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseRules reads primary rules as τ-ARGUS batch files write them, joined by "|":
//
//	NK(n,k)  P(p,n)  P(p,q,n)  FREQ(m,range)  ZERO(range)  REQ(p1,p2,m,margin)
//	MAN(margin)  MIS(0|1)  WGT(0|1)
//
// and RESP(m,range), which τ-ARGUS lacks: FREQ of unweighted records, or of holdings where
// a table has these.
//
// The first two NK and the first two P count records, the third and fourth holdings;
// of FREQ and REQ the first counts records, the second holdings. A rule whose numbers
// are all 0 holds its place without marking anything. FREQ(m) without range leaves
// the levels to others.
func ParseRules(s string) (*Rules, error) {
	r := &Rules{}
	var dominance, pq, freq, request int // places taken
	for _, part := range strings.Split(s, "|") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		name, args, err := splitRule(part)
		if err != nil {
			return nil, err
		}
		bad := func(want string) (*Rules, error) {
			return nil, fmt.Errorf("rule %q: want %s", part, want)
		}
		zero := true
		for _, a := range args {
			zero = zero && a.Unscaled == 0
		}
		var n int64
		integer := func(k int) (ok bool) { n, ok = args[k].At(0); return ok }
		switch name {
		case "NK":
			if dominance++; dominance > 4 {
				return bad("at most four rules NK: two by record, two by holding")
			}
			if len(args) != 2 || !integer(0) {
				return bad("NK(n,k)")
			}
			if !zero {
				r.Dominance = append(r.Dominance, Dominance{int(min(n, 1<<20)), args[1], dominance > 2})
			}
		case "P":
			if pq++; pq > 4 {
				return bad("at most four rules P: two by record, two by holding")
			}
			if len(args) < 1 || len(args) > 3 {
				return bad("P(p,n) or P(p,q,n)")
			}
			p := PQ{args[0], Decimal{100, 0}, 1, pq > 2}
			if len(args) == 3 {
				p.Q = args[1]
			}
			if len(args) > 1 {
				if !integer(len(args) - 1) {
					return bad("P(p,n) or P(p,q,n)")
				}
				p.N = int(min(n, 1<<20))
			}
			if !zero {
				r.PQ = append(r.PQ, p)
			}
		case "FREQ", "RESP":
			f := MinFreq{Respondents: name == "RESP"}
			if !f.Respondents {
				if freq++; freq > 2 {
					return bad("at most two rules FREQ: by record, by holding")
				}
				f.Holding = freq > 1
			}
			if len(args) < 1 || len(args) > 2 || !integer(0) {
				return bad(name + "(m,range)")
			}
			f.M = n
			if len(args) == 2 {
				f.Range = &args[1]
			}
			if !zero {
				r.MinFreq = append(r.MinFreq, f)
			}
		case "REQ":
			if request++; request > 2 {
				return bad("at most two rules REQ: by record, by holding")
			}
			if len(args) != 4 || !integer(2) {
				return bad("REQ(p1,p2,m,margin)")
			}
			if !zero {
				r.Request = append(r.Request, Request{[2]Decimal{args[0], args[1]}, n, args[3], request > 1})
			}
		case "ZERO":
			if len(args) != 1 || r.Zero != nil {
				return bad("one ZERO(range)")
			}
			r.Zero = &args[0]
		case "MAN":
			if len(args) != 1 || r.Manual != nil {
				return bad("one MAN(margin)")
			}
			r.Manual = &args[0]
		case "MIS", "WGT":
			if len(args) != 1 || !integer(0) || n < 0 || n > 1 {
				return bad(name + "(0) or " + name + "(1)")
			}
			if name == "MIS" {
				r.MissingSafe = n == 1
			} else {
				r.Weighted = n == 1
			}
		default:
			return bad("NK, P, FREQ, RESP, ZERO, REQ, MAN, MIS or WGT")
		}
	}
	return r, r.Check()
}

// splitRule takes NAME(number,number,…) apart.
func splitRule(s string) (name string, args []Decimal, err error) {
	name, rest, ok := strings.Cut(s, "(")
	inner, ends := strings.CutSuffix(strings.TrimSpace(rest), ")")
	if !ok || !ends {
		return "", nil, fmt.Errorf("rule %q: want NAME(number,…), like P(10,1)", s)
	}
	args, err = parseDecimals(inner)
	if err != nil {
		return "", nil, fmt.Errorf("rule %q: %w", s, err)
	}
	return strings.ToUpper(strings.TrimSpace(name)), args, nil
}

func parseDecimals(s string) ([]Decimal, error) {
	var all []Decimal
	for _, p := range strings.Split(s, ",") {
		d, err := ParseDecimal(p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", strconv.Quote(strings.TrimSpace(p)), err)
		}
		all = append(all, d)
	}
	return all, nil
}

// String writes the rules as ParseRules reads them.
func (r *Rules) String() string {
	var parts []string
	place := func(none string, k int, holding, was *bool) {
		if *holding && !*was { // fill the places of records
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
	return strings.Join(parts, "|")
}
