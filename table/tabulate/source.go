// Package tabulate makes tables from microdata: one pass over the records makes several tables at once, in memory
// proportional to the number of cells. docs/tabulate.md describes it.
//
// Its design rests on one fact: adding up and selecting the largest contributions do not depend on the order of
// records. Each worker adds up its own blocks of records, for cells without margins only; then the workers' cells are
// merged and margins are computed from the cells below them. A holding may have records in several cells, so it is kept
// separately until then. Amounts are exact, and the result is the same for any number of workers.
package tabulate

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// maxDims is the largest number of dimensions of a table.
const maxDims = 6

// A Variable is a column of the microdata.
type Variable struct {
	Name string
	// Start and Length give a fixed-width field in bytes, Start counted from 1. In a UTF-8 record with more bytes than
	// the fields need but exactly as many characters, they count characters.
	Start, Length int

	// Missing are the codes that mean "no answer". In a dimension they are leaves below the total, outside its
	// hierarchy. A missing amount counts as 0, as does a blank one if Missing is given.
	Missing []string
	// Total is the total code; empty: "Total".
	Total string
	// Tree is the hierarchy of the codes; records hold its leaves. nil: no hierarchy, or one given by Levels.
	Tree *table.Dimension
	// Levels are the numbers of digits that the levels of a hierarchy add to a code. nil: no such hierarchy.
	Levels []int

	// Decimals is the least number of decimals of an amount; the data may have more. Protection levels are at least one
	// unit of the last decimal.
	Decimals int

	Weight, Holding bool      // default for specs that do not name a weight or holding
	Request         [2]string // codes that ask for protection, in the first and in the second way
	Waiver          []string  // codes of records that consented to disclosure
}

// A Source describes how records are laid out in a file.
type Source struct {
	// Separator between fields, 0: fixed width, or found in the header.
	Separator byte
	// Header says that the first line names the columns; Variables need not be complete then, and their order does not
	// matter.
	Header bool
	// Encoding is utf-8, cp932 or cp1252. Empty: UTF-8, unless the first MiB is not UTF-8 and clearly CP932 or CP1252
	// (see Tabulator.Seen); western: UTF-8, else CP1252.
	Encoding string
	// Numbers is how amounts are written. The zero value accepts a decimal point or a decimal comma, the same
	// throughout, and refuses the ambiguous 1,234.
	Numbers   table.Notation
	Total     string // total code of variables that do not set their own; empty: "Total"
	Variables []Variable
	Waivers   map[string]bool // holdings that consented to disclosure
}

// A Spec describes one table to make.
type Spec struct {
	Name string
	Dims []string
	// Response is the variable to add up; empty: records are counted.
	Response string
	// Shadow is the variable whose contributions the rules examine; empty: the response.
	Shadow string
	// Cost is the variable to add up as the cost of withholding a cell, "-1" for the number of records or "-2" for 1.
	// Empty: no cost.
	Cost string
	// Weight, Holding, Request and Waiver name the variables; empty: not used.
	Weight, Holding, Request, Waiver string
	// Who keeps the names of the holdings behind the largest contributions.
	Who bool
	// Key names the variable of record keys for the cell key method, fractions of 1; cells get the sums of keys. With
	// KeySecret the variable holds identifiers, different in every record, and the keys are keyed hashes of them
	// (docs/cellkey.md). Cannot be combined with holdings.
	Key, KeySecret string
	// Recode maps names of dimensions to coarser codes than those of the records.
	Recode map[string]Recoding
	// Rules are applied to every cell; nil: none.
	Rules *table.Rules
	// Top is how many of the largest contributions to keep; more are kept if the rules need them.
	Top int
	// Least keeps the smallest absolute contribution to each cell.
	Least bool
	// Bare leaves out margins.
	Bare bool
}

// ParseSpec parses "dims A,B; response X; shadow Y; cost Z; weight [W]; holding [H]; request [R]; waiver [V]; who;
// rules P(10,1)|FREQ(3,30); top 3; name T". Only dims is required; without response records are counted. A weight,
// holding, request or waiver without a variable name takes that of the metadata.
func (s *Source) ParseSpec(text string) (Spec, error) {
	var p Spec
	seen := map[string]bool{}
	for _, part := range strings.Split(text, ";") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		word, rest, _ := strings.Cut(part, " ")
		word, rest = strings.ToLower(word), strings.TrimSpace(rest)
		if seen[word] {
			return p, i18n.Errorf("%q given twice", word)
		}
		seen[word] = true
		role := func(name, what string, is func(*Variable) bool) (string, error) {
			if name != "" {
				return name, nil
			}
			for i := range s.Variables {
				if is(&s.Variables[i]) {
					return s.Variables[i].Name, nil
				}
			}
			return "", i18n.Errorf("%q names no variable, and the metadata have no %s", part, what)
		}
		var err error
		switch word {
		case "dims":
			for _, d := range strings.Split(rest, ",") {
				if d = strings.TrimSpace(d); d != "" {
					p.Dims = append(p.Dims, d)
				}
			}
		case "response":
			if p.Response = rest; strings.EqualFold(rest, "<freq>") {
				p.Response = ""
			}
		case "shadow":
			p.Shadow = rest
		case "cost":
			p.Cost = rest
		case "name":
			p.Name = rest
		case "weight":
			p.Weight, err = role(rest, "weight", isWeight)
		case "holding":
			p.Holding, err = role(rest, "holding", isHolding)
		case "request":
			p.Request, err = role(rest, "request variable", isRequest)
		case "waiver":
			p.Waiver, err = role(rest, "waiver variable", isWaiver)
		case "who":
			if p.Who = true; rest != "" {
				return p, i18n.Errorf("%q: want who alone", part)
			}
		case "rules":
			p.Rules, err = table.ParseRules(rest)
		case "top":
			d, e := table.ParseDecimal(rest)
			n, ok := d.At(0)
			if e != nil || !ok || n < 0 || n > table.MaxTop {
				return p, i18n.Errorf("%q: want a number of contributions from 0 to %d", part, table.MaxTop)
			}
			p.Top = int(n)
		default:
			return p, i18n.Errorf("%q: want dims, response, shadow, cost, weight, holding, request, waiver, who, rules, top or name", part)
		}
		if err != nil {
			return p, err
		}
	}
	if len(p.Dims) == 0 {
		return p, i18n.Errorf("%q: no dims, want like \"dims A,B; response X\"", text)
	}
	return p, nil
}

func isWeight(v *Variable) bool  { return v.Weight }
func isHolding(v *Variable) bool { return v.Holding }
func isRequest(v *Variable) bool { return v.Request != [2]string{} }
func isWaiver(v *Variable) bool  { return v.Waiver != nil }

// complete adds the variables that the rules need and checks p.
func (p *Spec) complete(s *Source) error {
	if r := p.Rules; r != nil {
		if err := r.Check(); err != nil {
			return err
		}
		for _, role := range []struct {
			needed     bool
			to         *string
			rule, what string
			is         func(*Variable) bool
		}{
			{r.Weighted, &p.Weight, "WGT(1)", "weight", isWeight},
			{r.Holdings(), &p.Holding, "a rule by holding", "holding", isHolding},
			{len(r.Request) > 0, &p.Request, "REQ", "request variable", isRequest},
		} {
			if !role.needed || *role.to != "" {
				continue
			}
			k := slices.IndexFunc(s.Variables, func(v Variable) bool { return role.is(&v) })
			if k < 0 {
				return i18n.Errorf("%s needs a %s, but none is named", role.rule, role.what)
			}
			*role.to = s.Variables[k].Name
		}
		if p.Weight != "" && !r.Weighted {
			c := *r
			c.Weighted = true
			p.Rules = &c
		}
		if p.Holding != "" { // holdings are the respondents
			c := *p.Rules
			c.MinFreq, c.Measure = slices.Clone(c.MinFreq), slices.Clone(c.Measure)
			for i := range c.Measure {
				c.Measure[i].Holding = true
			}
			for i := range c.MinFreq {
				f := &c.MinFreq[i]
				f.Holding = f.Holding || f.Respondents
			}
			p.Rules = &c
		}
	}
	switch {
	case len(p.Dims) < 1 || len(p.Dims) > maxDims:
		return i18n.Errorf("%d dimensions, want 1 to %d", len(p.Dims), maxDims)
	case p.Key != "" && p.Holding != "":
		return i18n.Errorf("a record key and a holding: keys are of records, and the same cell would get other noise where a holding is one contributor")
	case p.Who && p.Holding == "":
		return i18n.Errorf("who tells holdings, but the table names none")
	case p.Who && p.Weight != "":
		return i18n.Errorf("who: with weights a contribution fills several places, and is nobody's")
	case p.Waiver != "" && p.Weight != "", s.Waivers != nil && p.Holding != "" && p.Weight != "":
		return i18n.Errorf("waivers: with weights a contribution fills several places, of contributors who are not in the file")
	case p.Top < 0 || p.Top > table.MaxTop:
		return i18n.Errorf("the %d largest contributions, want 0 to %d", p.Top, table.MaxTop)
	}
	for d, name := range p.Dims {
		if slices.Contains(p.Dims[:d], name) {
			return i18n.Errorf("dimension %q given twice", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Recode)) {
		if !slices.ContainsFunc(p.Dims, func(d string) bool { return strings.EqualFold(d, name) }) {
			return i18n.Errorf("recoding of %q: not a dimension of the table", name)
		}
	}
	p.Shadow = cmp.Or(p.Shadow, p.Response)
	if p.Rules != nil && p.Shadow == "" {
		if records, holdings := p.Rules.Top(); max(records, holdings) > 0 {
			return i18n.Errorf("the rules look at contributions, but records are counted; name a response or a shadow variable")
		}
	}
	return nil
}
