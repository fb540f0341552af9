package release

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/option"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// Fields returns the limits of a policy and what it may withhold: the fields by which a policy is checked and written,
// and of which the form on the page consists. Their titles are the TOML tables that contain them.
func (p *Policy) Fields() []option.Option {
	l, w := &p.Limits, &p.Withhold
	const limits, recoding, withhold, share = "limits", "recoding", "withhold", "[0, 1]"
	return []option.Option{
		{Name: "k", To: whole(&l.K), Title: limits, Range: "[0, ∞)", Text: "records alike in the quasi-identifiers, at least"},
		{Name: "l", To: whole(&l.L), Title: limits, Range: "[0, ∞)", Text: "different values of each sensitive column among them, at least"},
		{Name: "t", To: number(&l.T), Title: limits, Range: share, Text: "how far the distribution of a sensitive column among them may be from that of all records"},
		{Name: "risk", To: number(&l.Risk), Title: limits, Range: "(0, 1]", Text: "the largest chance to pick the record of a person"},
		{Name: "singling_out", To: number(&l.SinglingOut), Title: limits, Range: share, Text: "the largest risk of singling out"},
		{Name: "linkability", To: number(&l.Linkability), Title: limits, Range: share, Text: "the largest risk of linking records of two files"},
		{Name: "inference", To: number(&l.Inference), Title: limits, Range: share, Text: "the largest risk of inferring a sensitive value"},
		{Name: "population", To: whole(&l.Population), Title: limits, Range: "[0, ∞)", Text: "of how many people the file is a simple random sample"},
		{Name: "reidentified", To: number(&l.Reidentified), Title: limits, Range: share, Text: "the largest share of the records that one who knows the whole population is right about, by all models"},
		{Name: "uniques", To: number(&l.Uniques), Title: limits, Range: share, Text: "the largest share of the population that is unique there, by all models"},
		{Name: "local", To: &p.Recoding.Local, Title: recoding, Text: "coarser values in those records only that need them, not in all"},
		{Name: "values", To: &w.Values, Title: withhold, Text: "withhold single values of quasi-identifiers, as *, after recoding"},
		{Name: "leave_out", To: number(&w.LeaveOut), Title: withhold, Range: share, Text: "the share of the records that may be left out for k and l"},
	}
}

// Fields returns the steps by which a column becomes coarser, and how its t is measured. Their titles are the roles
// that they apply to.
func (c *Column) Fields() []option.Option {
	quasi := string(Quasi)
	return []option.Option{
		{Name: "band", To: list(&c.Band, parsed, Number.text), Title: quasi, Text: "widths of intervals, each a multiple of the one before"},
		{Name: "bottom", To: number(&c.Bottom), Title: quasi, Text: "values below it are one"},
		{Name: "top", To: number(&c.Top), Title: quasi, Text: "values from it on are one"},
		{Name: "prefix", To: list(&c.Prefix, strconv.Atoi, strconv.Itoa), Title: quasi, Text: "numbers of first characters that are kept, from many to few"},
		{Name: "recode", To: &c.Recode, Title: quasi, Text: "file of a hierarchy of values"},
		{Name: "all", To: &c.All, Title: quasi, Text: "the last step withholds the column"},
		{Name: "distance", To: &c.Distance, Title: string(Sensitive), From: []string{string(risk.Equal), string(risk.Ordered)}, Text: "for t: whether values are in an order, as numbers are"},
	}
}

// names returns all names that a policy may have, to suggest one for a misspelt one.
func names() []string {
	all := []string{"confirmed", "limits", "recoding", "withhold", "column", "name", "role", "reason"}
	for _, o := range slices.Concat(new(Policy).Fields(), new(Column).Fields()) {
		all = append(all, o.Name)
	}
	return all
}

// checked returns an error if a value is out of its range.
func checked(fields []option.Option) error {
	for _, o := range fields {
		if fault := o.Check(o.Texts(), func(string) bool { return false }); !fault.IsZero() {
			return i18n.Errorf("%s", fault)
		}
	}
	return nil
}

func whole(to *uint64) option.Value {
	return option.One(to, "whole", func(text string) (uint64, error) {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return 0, i18n.New("want a whole number, 0 or more")
		}
		return n, nil
	}, func(n uint64) string {
		if n == 0 {
			return ""
		}
		return strconv.FormatUint(n, 10)
	})
}

func number(to *Number) option.Value { return option.One(to, "exact", parsed, Number.text) }

func parsed(text string) (Number, error) {
	x, err := num.ParseNumber(text)
	return Number{x}, err
}

// text returns a number as a decimal if it terminates, else as a fraction.
func (n Number) text() string {
	if n.Rat == nil {
		return ""
	}
	if digits, ends := n.FloatPrec(); ends {
		return n.FloatString(digits)
	}
	return n.RatString()
}

// list returns the option of a list with commas between its elements.
func list[T any](to *[]T, parse func(string) (T, error), show func(T) string) option.Value {
	return option.One(to, "list", func(text string) ([]T, error) {
		var all []T
		for part := range strings.SplitSeq(text, ",") {
			x, err := parse(strings.TrimSpace(part))
			if err != nil {
				return nil, i18n.New("want numbers with commas between them")
			}
			all = append(all, x)
		}
		return all, nil
	}, func(all []T) string {
		texts := sets.Each(all, show)
		return strings.Join(texts, ", ")
	})
}

// Set sets a field of a policy or column from a text; an empty text clears it.
func Set(fields []option.Option, name, text string) error {
	k := slices.IndexFunc(fields, func(o option.Option) bool { return o.Name == name })
	if k < 0 {
		return i18n.Errorf("%s: no field of a policy for a release", name)
	}
	o := &fields[k]
	var err error
	switch to := o.To.(type) {
	case *bool:
		*to = text == "true"
	case *string:
		*to = text
	default:
		if text == "" {
			err = o.Put()
		} else {
			err = o.Put(text)
		}
	}
	if err != nil {
		return i18n.Errorf("%s %s: %w", name, text, err)
	}
	return checked(fields[k : k+1])
}

// Write writes a policy as TOML, below comment lines about it; with hints also the fields that are not set.
func (p *Policy) Write(w io.Writer, about []string, hints bool) error {
	var b strings.Builder
	for _, line := range about {
		fmt.Fprintf(&b, "# %s\n", line)
	}
	fmt.Fprintf(&b, "confirmed = %t\n", p.Confirmed)
	title := ""
	for _, o := range p.Fields() {
		if o.Title != title {
			title = o.Title
			fmt.Fprintf(&b, "\n[%s]\n", title)
		}
		line := ""
		if o.Texts() != nil {
			line = o.Name + " = " + written(&o)
		} else if hints {
			line = "# " + o.Name + " ="
		}
		if hints {
			line = fmt.Sprintf("%-18s # %s", line, o.Text)
		}
		if line != "" {
			fmt.Fprintln(&b, line)
		}
	}
	for _, c := range p.Columns {
		fmt.Fprintf(&b, "\n[[column]]\nname = %s\nrole = %q\nreason = %s\n", quoted(c.Name), c.Role, quoted(c.Reason))
		for _, o := range c.Fields() {
			if o.Texts() != nil {
				fmt.Fprintf(&b, "%s = %s\n", o.Name, written(&o))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// written returns the value of a field in TOML.
func written(o *option.Option) string {
	text := o.Texts()[0]
	switch v := o.To.(type) {
	case *bool:
		return text
	case *string:
		return quoted(text)
	case option.Value:
		if v.Type() == "list" {
			return "[" + text + "]"
		}
	}
	if strings.Contains(text, "/") || len(text) > 15 { // a floating-point number of TOML would round it
		return quoted(text)
	}
	return text
}

// quoted returns s as a basic string of TOML.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
