package formats

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/table"
)

// numbers reads the numbers of one CSV file.
type numbers struct {
	s        *rows
	withheld []string
	null     []string // marks of structural zeros
	how      table.Notation
}

func newNumbers(s *rows, o *Options) *numbers {
	n := &numbers{s: s, withheld: o.Withheld, null: o.Nil, how: o.Numbers}
	n.how.Doubt = s.sep == ';'
	if n.null == nil {
		n.null = DefaultNil()
	}
	if n.withheld == nil {
		n.withheld = DefaultWithheld()
	}
	if !slices.Contains(n.withheld, "") && len(n.withheld) > 0 {
		s.dialect.Mark = n.withheld[0]
	}
	return n
}

// parse reads a number; for the mark of a withheld one the result is not Set.
func (n *numbers) parse(column, text string) (table.Number, error) {
	if text == "" && len(n.withheld) > 0 && n.withheld[0] == "" || slices.Contains(n.withheld, text) {
		return table.Number{}, nil
	}
	d, err := n.how.Parse(text, n.s.line, column)
	if err != nil {
		return table.Number{}, n.s.at(column, text, n.advise(text, err))
	}
	if n.s.sep == ',' && n.how.Decimal == 0 && n.how.Thousands != "," && strings.IndexByte(text, ',') >= 0 {
		return table.Number{}, n.s.at(column, text, i18n.T("want a number without thousands separators and with a decimal point; commas separate the columns of this file; --thousands , or --decimal , says what they are in numbers"))
	}
	n.s.dialect.DecimalComma = n.how.Comma
	return table.Number{Decimal: d, Set: true}, nil
}

// done returns an error about the first number whose mark may be a decimal point or separate thousands, if
// nothing in the file decides which.
func (n *numbers) done() error {
	line, column, text := n.how.Unsure()
	if line == 0 {
		return nil
	}
	return &Error{File: n.s.file, Line: line, Field: column, Value: Show(text), Want: records.Advice(text)}
}

// cell reads the value of a cell into rec, by parse. The mark of a structural zero gives 0; the cell then
// becomes Published if it is Safe.
func (n *numbers) cell(rec *table.Record, column, text string, parse func(column, text string) (table.Number, error)) (err error) {
	if slices.Contains(n.null, text) && !slices.Contains(n.withheld, text) {
		rec.Value = table.Num(0, 0)
		if rec.Status == table.Safe {
			rec.Status = table.Published
		}
		return nil
	}
	if n.interval(rec, column, text) {
		return nil
	}
	rec.Value, err = parse(column, text)
	return err
}

// optional reads a number from a field that may be empty, whatever the marks are.
func (n *numbers) optional(column, text string) (table.Number, error) {
	if text == "" {
		return table.Number{}, nil
	}
	return n.parse(column, text)
}

// positive reads an optional number ≥ 0.
func (n *numbers) positive(column, text string, want i18n.Text) (table.Number, error) {
	v, err := n.optional(column, text)
	if err == nil && v.Unscaled < 0 {
		err = n.s.at(column, text, want)
	}
	return v, err
}

// count reads a whole number ≥ 0.
func (n *numbers) count(column, text string, advice i18n.Text) (table.Number, error) {
	v, err := n.parse(column, text)
	switch {
	case err != nil:
	case v.Scale > 0 && n.how.Either(text):
		err = n.s.at(column, text, records.Advice(text))
	case v.Unscaled < 0:
		err = n.s.at(column, text, i18n.T("frequencies must be ≥ 0%s", advice))
	case v.Scale > 0:
		// An office's table may have computed numbers beside counts.
		err = unlaid(n.s.at(column, text, i18n.T("frequencies must be whole numbers%s", advice)))
	}
	return v, err
}

// bound reads an optional number or ±inf.
func (n *numbers) bound(column, text string) (table.Number, error) {
	switch strings.ToLower(text) {
	case "inf", "+inf":
		return table.Number{Set: true, Inf: 1}, nil
	case "-inf":
		return table.Number{Set: true, Inf: -1}, nil
	}
	return n.optional(column, text)
}

// advise says what was wanted in place of text, which is not a number.
func (n *numbers) advise(text string, err error) i18n.Text {
	if !errors.Is(err, table.ErrNotNumber) && !errors.Is(err, table.ErrThousands) {
		return i18n.T("%s", err)
	}
	digits, other := 0, map[rune]bool{}
	for i, r := range text {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r > 0x7f && unicode.IsDigit(r):
			return i18n.T("want a number in ASCII digits 0 to 9")
		case i > 0 || r != '-' && r != '+':
			other[r] = true
		}
	}
	grouped := digits > 0
	for r := range other {
		grouped = grouped && (unicode.IsSpace(r) || strings.ContainsRune(".,'’", r))
	}
	switch {
	case errors.Is(err, table.ErrThousands):
		return i18n.T("%s", err)
	case grouped && len(other) > 0:
		return i18n.T("want a number without thousands separators")
	case digits > 0 && strings.ContainsAny(text, "%％"):
		return i18n.T("want a number without a percent sign")
	case text == "":
		return i18n.T("empty, want a number or one of the marks for withheld values: %s", ShowList(n.withheld))
	case text == "-" || text == "–" || text == "…" || text == "***" || text == "...":
		return i18n.T("want a number or a mark for withheld values (%s); write 0 for an empty cell", ShowList(n.withheld))
	case digits > 0 && strings.ContainsAny(text, "▲△−"):
		return i18n.T("want a number; write negative numbers with -")
	case strings.EqualFold(text, "nan"), strings.Contains(strings.ToLower(text), "inf"):
		return i18n.T("want a finite decimal number")
	}
	return i18n.T("want a decimal number")
}
