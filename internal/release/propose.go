package release

import (
	"context"
	"math"
	"math/big"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/compare"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// A Proposal is what a column seems to be, and why.
type Proposal struct {
	Column
	Why i18n.Text
}

// sampled is how many values of a column are examined for their form.
const sampled = 400

// Propose says what each column of a file seems to be, by its name, by the form of its values and by how many records
// have a value of their own. It is only a proposal, because no file says who knows what about whom. A column of which
// nothing is known is taken for a quasi-identifier if it has few values, else for sensitive, so that what is overlooked
// is protected rather than published.
func Propose(ctx context.Context, path string, l risk.Layout) (records int, list []Proposal, err error) {
	names, err := risk.Header(path, l)
	if err != nil {
		return 0, nil, err
	}
	records, columns, err := compare.Statistics(ctx, l, names, nil, path, sampled)
	if err != nil {
		return 0, nil, err
	}
	for k := range columns {
		list = append(list, propose(&columns[k], records))
	}
	return records, list, nil
}

// aloneShare is the share of records with unique values, among those with a value, from which on a column identifies
// people.
const aloneShare = 0.9

func propose(c *compare.Column, records int) Proposal {
	p := Proposal{Column: Column{Name: c.Name, Role: Quasi}}
	filled := records - c.Missing
	alone := float64(c.Alone) >= aloneShare*float64(filled) && filled > 1
	look := looksLike(c)
	m := told(c.Name)
	decide := func(r Role, why i18n.Text) { p.Role, p.Why = r, why }
	switch {
	case c.Distinct <= 1:
		decide(Plain, i18n.T("one value at most"))
	case look != nil && look.role == Identifier:
		decide(Identifier, i18n.T("the values look like %s", i18n.Word(look.what)))
	case m != nil && m.role == Identifier && (alone || look == nil && (c.Distinct*3 > filled || c.Distinct > 20 && c.Distinct*20 > filled)):
		decide(Identifier, i18n.T("the name says %s; %d different values in %d records", i18n.Word(m.what), c.Distinct, filled))
	case look != nil && look.role == Quasi && m == nil:
		decide(Quasi, i18n.T("the values look like %s", i18n.Word(look.what)))
	case m != nil && m.role != Identifier && !(alone && m.role == Quasi && !c.Number && look == nil): // there is no coarser form of such values
		decide(m.role, i18n.T("the name says %s; %d different values in %d records", i18n.Word(m.what), c.Distinct, filled))
	case alone && c.Number && c.Max != math.Trunc(c.Max):
		decide(Sensitive, i18n.T("a number with decimals, different on nearly every record"))
	case alone:
		decide(Identifier, i18n.T("%d of %d records are alone with their value", c.Alone, filled))
	case c.Number && c.Distinct > 100 && c.Distinct*20 > filled:
		decide(Sensitive, i18n.T("a number of %d different values, of which nothing is known", c.Distinct))
	default:
		decide(Quasi, i18n.T("%d different values that others may know", c.Distinct))
	}
	if p.Role == Quasi {
		steps(&p.Column, c, look, m)
	}
	return p
}

// A look is a form that values may have.
type look struct {
	role    Role
	what    string
	form    *regexp.Regexp
	lengths []int // lengths of prefixes to use as steps
}

// looks are compiled when first needed, because most commands propose nothing.
var looks = sync.OnceValue(func() []*look {
	return []*look{
		{Identifier, "e-mail addresses", regexp.MustCompile(`^[^@\s]+@[^@\s]+\.[A-Za-z]{2,}$`), nil},
		{Identifier, "addresses of pages or machines", regexp.MustCompile(`^(https?://\S+|(\d{1,3}\.){3}\d{1,3})$`), nil},
		{Identifier, "numbers of telephones", regexp.MustCompile(`^(\+\d[\d ()-]{7,16}|0\d{1,4}-\d{1,4}-\d{3,4}|\(\d{3}\) ?\d{3}-\d{4})$`), nil},
		{Identifier, "universal identifiers", regexp.MustCompile(`^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$`), nil},
		{Quasi, "days", regexp.MustCompile(`^(1[89]|20)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$`), []int{7, 4, 3}},
		{Quasi, "days", regexp.MustCompile(`^(0?[1-9]|[12]\d|3[01])[./](0?[1-9]|[12]\d|3[01])[./](1[89]|20)\d\d$`), nil},
		{Quasi, "months", regexp.MustCompile(`^(1[89]|20)\d\d-(0[1-9]|1[0-2])$`), []int{4, 3}},
		{Quasi, "postal codes", regexp.MustCompile(`^\d{3}-\d{4}$`), []int{3, 2, 1}},
	}
})

// looksLike returns the form that nearly all examined values have, nil if there is none.
func looksLike(c *compare.Column) *look {
	for _, l := range looks() {
		n := sets.Count(c.Top, func(v compare.Frequent) bool { return l.form.MatchString(v.Value) })
		if n > 0 && n*20 >= 19*len(c.Top) {
			return l
		}
	}
	return nil
}

// steps proposes how a quasi-identifier becomes coarser.
func steps(p *Column, c *compare.Column, l *look, m *meaning) {
	p.All = true
	coded := m != nil && m.coded
	switch length := codeLength(c); {
	case l != nil:
		p.Prefix = l.lengths
	case length > 6:
		p.Prefix = []int{5, 3, 2, 1}
	case length > 0 && (coded || c.Distinct > 30):
		for n := length - 1; n >= 1 && len(p.Prefix) < 4; n-- {
			p.Prefix = append(p.Prefix, n)
		}
	case c.Number && c.Distinct > 10 && !coded:
		w := width(c.Max-c.Min, c.Max == math.Trunc(c.Max) && c.Min == math.Trunc(c.Min))
		for _, f := range []float64{1, 2, 4} {
			var n Number
			if n.UnmarshalTOML(w*f) == nil && w*f < c.Max-c.Min {
				p.Band = append(p.Band, n)
			}
		}
	}
}

// codeLength returns the common length of all examined values if they are codes of four digits or more, like postal
// codes; else 0.
func codeLength(c *compare.Column) int {
	n := 0
	zero := false
	for _, v := range c.Top {
		k := utf8.RuneCountInString(v.Value)
		if n == 0 {
			n = k
		}
		if k != n || k < 4 || strings.Trim(v.Value, "0123456789") != "" {
			return 0
		}
		zero = zero || v.Value[0] == '0'
	}
	if n == 4 && !zero && c.Min >= 1850 && c.Max <= 2100 { // years
		return 0
	}
	return n
}

// width returns the width of about twenty intervals of a range: 1, 2 or 5 times a power of ten.
func width(span float64, whole bool) float64 {
	w := math.Pow(10, math.Floor(math.Log10(span/20)))
	for _, f := range []float64{1, 2, 5, 10} {
		if span/(w*f) <= 20 {
			w *= f
			break
		}
	}
	if whole {
		return max(w, 1)
	}
	return w
}

// Proposed returns the proposals as a policy, with reasons in a language, to be read, corrected and confirmed.
func Proposed(in *i18n.Language, list []Proposal) *Policy {
	p := &Policy{Limits: Limits{K: 5, Risk: Number{big.NewRat(1, 5)}}, Withhold: Withhold{Values: true}}
	for _, x := range list {
		c := x.Column
		c.Reason = in.Say(x.Why)
		p.Columns = append(p.Columns, c)
	}
	if len(p.Of(Sensitive)) > 0 {
		p.Limits.L = 2
	}
	return p
}
