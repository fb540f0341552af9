package flags

import (
	"github.com/hitoku/hitoku/internal/i18n"
)

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
