// Package flags is the command line: values that are checked while it is parsed, groups of flags that verbs share, the
// formats and sets of files that they read, checks of outputs, help and manual.
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

// The flag values below are checked while the command line is parsed, so that an error is reported with its flag.

// same returns a text as it is.
func same(s string) string { return s }

// Decimal returns a flag whose value is an exact number.
func Decimal(to *string) pflag.Value {
	return option.One(to, "number", func(s string) (string, error) {
		d, err := table.ParseDecimal(s)
		return d.String(), err
	}, same)
}

// Spelled is Decimal, and stores how many decimals were written, including zeros.
func Spelled(to *string, places *int) pflag.Value {
	return option.One(to, "number", func(s string) (string, error) {
		_, after, _ := strings.Cut(s, ".")
		*places = len(after)
		d, err := table.ParseDecimal(s)
		return d.String(), err
	}, same)
}

// choice returns a flag whose value is one of a few words, as read normalises them.
func choice(to *string, from []string, read func(string) string) pflag.Value {
	return option.One(to, strings.Join(from, "|"), func(s string) (string, error) {
		if s = read(s); !slices.Contains(from, s) {
			return "", i18n.Errorf("want %s%s", strings.Join(from, ", "), near.Hint(s, from, ""))
		}
		return s, nil
	}, same)
}

// int64Value and uint64Value are whole numbers that may have an exponent: 1e6 is 1000000.
func int64Value(to *int64) pflag.Value {
	return option.One(to, "int64", func(s string) (int64, error) { return strconv.ParseInt(writtenOut(s), 0, 64) }, func(n int64) string { return strconv.FormatInt(n, 10) })
}

func uint64Value(to *uint64) pflag.Value {
	return option.One(to, "uint64", func(s string) (uint64, error) { return strconv.ParseUint(writtenOut(s), 0, 64) }, func(n uint64) string { return strconv.FormatUint(n, 10) })
}

var exponent = lazy.Regexp(`^[+-]?[0-9]{1,20}(\.[0-9]{1,20})?[eE]\+?[0-9]{1,2}$`)

// writtenOut returns a whole number without its exponent, and any other text as it is.
func writtenOut(s string) string {
	if exponent().MatchString(s) {
		if x, ok := new(big.Rat).SetString(s); ok && x.IsInt() {
			return x.Num().String()
		}
	}
	return s
}

// Separator returns --separator for records.
func Separator(to *string) Flag {
	return Flag{Name: "separator", Rare: true, To: to, Text: "`character` between fields, or tab", Else: "of comma, semicolon and tab the most frequent in the header"}
}

// CheckSeparator accepts one character, or its name.
func CheckSeparator(s string) error {
	if len(s) > 1 && s != "tab" {
		return i18n.Errorf("--separator %q: want one character, or tab", s)
	}
	return nil
}

// SeparatorOf returns the character, 0 for none.
func SeparatorOf(s string) byte {
	switch {
	case s == "tab":
		return '\t'
	case s != "":
		return s[0]
	}
	return 0
}
