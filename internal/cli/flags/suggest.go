package flags

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
)

// FlagError adds the nearest flag names to the error about an unknown one, and what was wanted to that about a bad
// value.
func FlagError(cmd *cobra.Command, err error) error {
	if bad := ValueError(err, "--"); bad != nil {
		return bad
	}
	verb := Verb(cmd)
	var empty *pflag.ValueRequiredError
	if errors.As(err, &empty) && empty.GetSpecifiedShortnames() == "" {
		return i18n.Errorf("%s: flag needs an argument: --%s", verb, empty.GetSpecifiedName())
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return i18n.Errorf("%s: %w", verb, err)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if letters := unknown.GetSpecifiedShortnames(); letters != "" {
		name, _, _ := strings.Cut(letters, "=")
		var hint i18n.Text
		if slices.Contains(names, name) {
			hint = i18n.T(" (did you mean %s?)", "--"+name)
		}
		return i18n.Errorf("%s: unknown shorthand flag: %q in -%s%s; see %s --help", verb, []rune(unknown.GetSpecifiedName())[0], letters, hint, cmd.CommandPath())
	}
	return i18n.Errorf("%s: unknown flag: --%s%s; see %s --help", verb, unknown.GetSpecifiedName(), near.Hint(unknown.GetSpecifiedName(), names, "--"), cmd.CommandPath())
}

// Verb returns the name of a command without that of the program.
func Verb(cmd *cobra.Command) string { return strings.TrimPrefix(cmd.CommandPath(), "hitoku ") }

// kinds says what the types of pflag accept.
var kinds = map[string]string{
	"int": "a whole number, like 3", "int64": "a whole number, like 3", "uint": "a whole number, 0 or more", "uint64": "a whole number, 0 or more",
	"float64": "a number, like 0.05", "duration": "a time with its unit, like 30s, 10m or 1h30m", "bool": "true or false",
}

// ValueError returns an error that says which flag, with dashes, got which bad value and what was wanted; nil if err is
// about anything else.
func ValueError(err error, dashes string) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return nil
	}
	value := bad.GetValue()
	want := i18n.T("%s", bad.Unwrap()).Without(strconv.Quote(value))
	if kind, known := kinds[bad.GetFlag().Value.Type()]; known {
		want = i18n.T("want %s", i18n.Term(kind))
	}
	if value == "" || strings.ContainsAny(value, " \t\r\n\"") {
		value = strconv.Quote(value)
	}
	return i18n.Errorf("%s%s %s: %s", dashes, bad.GetFlag().Name, value, want)
}

// VerbNames returns the verbs below c that the help shows.
func VerbNames(c *cobra.Command) []string {
	var names []string
	for _, v := range c.Commands() {
		if v.IsAvailableCommand() {
			names = append(names, v.Name())
		}
	}
	return names
}
