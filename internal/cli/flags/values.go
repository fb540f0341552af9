// Package flags is the command line: values that are checked while it is parsed, groups of flags that verbs
// share, the formats and sets of files that they read, guards of outputs, help and manual.
package flags

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table"
	"github.com/spf13/pflag"
)

// The flag values below are checked while the command line is parsed, so that a
// wrong one is reported with its flag.

// levelValue is a protection level, absolute or a percentage.
type levelValue struct{ to *string }

func (v levelValue) Type() string { return "level" }

func (v levelValue) String() string { return textOf(v.to) }

func (v levelValue) Set(s string) error {
	l, err := table.ParseLevel(s)
	if err != nil {
		return err
	}
	if *v.to = l.Decimal.String(); l.Percent {
		*v.to += "%"
	}
	return nil
}

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

// durationValue is a time like 10m.
type durationValue struct{ to *string }

// Duration is a flag whose value is a time like 10m.
func Duration(to *string) pflag.Value { return durationValue{to} }

func (v durationValue) Type() string { return "duration" }

func (v durationValue) String() string { return textOf(v.to) }

func (v durationValue) Set(s string) error {
	d, err := time.ParseDuration(s)
	if err == nil {
		*v.to = d.String()
	}
	return err
}

// wholeValue is a whole number of 64 bits.
type wholeValue struct{ to *string }

// Whole is a flag whose value is a whole number of 64 bits.
func Whole(to *string) pflag.Value { return wholeValue{to} }

func (v wholeValue) Type() string { return "uint64" }

func (v wholeValue) String() string { return textOf(v.to) }

func (v wholeValue) Set(s string) error {
	n, err := strconv.ParseUint(s, 0, 64)
	if err == nil {
		*v.to = strconv.FormatUint(n, 10)
	}
	return err
}

// marginsValue is withhold, publish or weight:F.
type marginsValue struct{ to *string }

func (v marginsValue) Type() string { return "withhold|publish|weight:F" }

func (v marginsValue) String() string { return textOf(v.to) }

func (v marginsValue) Set(s string) error {
	f, err := protect.ParseMargins(s)
	switch {
	case err != nil:
		return err
	case s == "":
		return i18n.New("want withhold, publish or weight:F")
	case f != nil:
		s = "weight:" + f.String()
	}
	*v.to = s
	return nil
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

// Choice is a flag whose value is one of from.
func Choice(to *string, from []string) pflag.Value { return choiceValue{to, from} }

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
