// Package flags is the command line: values that are checked while it is parsed, groups of flags that verbs
// share, the formats and sets of files that they read, guards of outputs, help and manual.
package flags

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/near"
	"github.com/hitoku/hitoku/internal/option"
	"github.com/hitoku/hitoku/table"
)

// The flag values below are checked while the command line is parsed, so that a
// wrong one is reported with its flag.

// same writes a text as it is.
func same(s string) string { return s }

// Decimal is a flag whose value is an exact number.
func Decimal(to *string) pflag.Value {
	return option.One(to, "number", func(s string) (string, error) {
		d, err := table.ParseDecimal(s)
		return d.String(), err
	}, same)
}

// Spelled is Decimal, and how many decimals were written, zeros included.
func Spelled(to *string, places *int) pflag.Value {
	return option.One(to, "number", func(s string) (string, error) {
		_, after, _ := strings.Cut(s, ".")
		*places = len(after)
		d, err := table.ParseDecimal(s)
		return d.String(), err
	}, same)
}

// choice is one of a few words, as read has them.
func choice(to *string, from []string, read func(string) string) pflag.Value {
	return option.One(to, strings.Join(from, "|"), func(s string) (string, error) {
		if s = read(s); !slices.Contains(from, s) {
			return "", i18n.Errorf("want %s%s", strings.Join(from, ", "), near.Hint(s, from, ""))
		}
		return s, nil
	}, same)
}

// int64Value and uint64Value are whole numbers, also with an exponent: 1e6 is 1000000.
func int64Value(to *int64) pflag.Value {
	return option.One(to, "int64", func(s string) (int64, error) { return strconv.ParseInt(writtenOut(s), 0, 64) }, func(n int64) string { return strconv.FormatInt(n, 10) })
}

func uint64Value(to *uint64) pflag.Value {
	return option.One(to, "uint64", func(s string) (uint64, error) { return strconv.ParseUint(writtenOut(s), 0, 64) }, func(n uint64) string { return strconv.FormatUint(n, 10) })
}

var exponent = lazy.Regexp(`^[+-]?[0-9]{1,20}(\.[0-9]{1,20})?[eE]\+?[0-9]{1,2}$`)

// writtenOut is a whole number with an exponent without it, and any other text as it is.
func writtenOut(s string) string {
	if exponent().MatchString(s) {
		if x, ok := new(big.Rat).SetString(s); ok && x.IsInt() {
			return x.Num().String()
		}
	}
	return s
}

// Separator is --separator of records.
func Separator(to *string) Flag {
	return Flag{Name: "separator", Rare: true, To: to, Text: "`character` between fields, or tab", Else: "of comma, semicolon and tab the most frequent in the header"}
}

// CheckSeparator wants one character, or its name.
func CheckSeparator(s string) error {
	if len(s) > 1 && s != "tab" {
		return i18n.Errorf("--separator %q: want one character, or tab", s)
	}
	return nil
}

// SeparatorOf is the character, 0 for none.
func SeparatorOf(s string) byte {
	switch {
	case s == "tab":
		return '\t'
	case s != "":
		return s[0]
	}
	return 0
}
