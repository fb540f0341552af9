// Package flags is the command line: values that are checked while it is parsed, groups of flags that verbs
// share, the formats and sets of files that they read, guards of outputs, help and manual.
package flags

import (
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
	"github.com/hitoku/hitoku/table"
	"github.com/spf13/pflag"
)

// The flag values below are checked while the command line is parsed, so that a
// wrong one is reported with its flag.

// decimalValue is an exact number.
type decimalValue struct{ to *string }

// Decimal is a flag whose value is an exact number.
func Decimal(to *string) pflag.Value { return decimalValue{to} }

func (v decimalValue) Type() string { return "number" }

func (v decimalValue) String() string { return textOf(v.to) }

func (v decimalValue) Set(s string) error {
	d, err := table.ParseDecimal(s)
	if err == nil {
		*v.to = d.String()
	}
	return err
}

// spelledValue is a decimalValue that counts the decimals written, zeros included.
type spelledValue struct {
	decimalValue
	places *int
}

// Spelled is Decimal, and how many decimals were written.
func Spelled(to *string, places *int) pflag.Value { return spelledValue{decimalValue{to}, places} }

func (v spelledValue) Set(s string) error {
	_, after, _ := strings.Cut(s, ".")
	*v.places = len(after)
	return v.decimalValue.Set(s)
}

// textOf is a text, none where there is no place for one.
func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// choiceValue is one of a few words.
type choiceValue struct {
	to   *string
	from []string
}

func (v choiceValue) Type() string { return strings.Join(v.from, "|") }

func (v choiceValue) String() string {
	if v.to == nil {
		return ""
	}
	return *v.to
}

func (v choiceValue) Set(s string) error {
	if !slices.Contains(v.from, s) {
		return i18n.Errorf("want %s%s", strings.Join(v.from, ", "), near.Hint(s, v.from, ""))
	}
	*v.to = s
	return nil
}
