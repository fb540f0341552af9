package flags

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/near"
)

// FlagError adds the nearest flag names to the error about an unknown one, and says of a value that
// does not fit what was wanted.
func FlagError(cmd *cobra.Command, err error) error {
	if bad := ValueError(err, "--"); bad != nil {
		return bad
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return fmt.Errorf("%s: %w", cmd.Name(), err)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return fmt.Errorf("%s: %w%s; see %s --help", cmd.Name(), err, near.Hint(unknown.GetSpecifiedName(), names, "--"), cmd.CommandPath())
}

// kinds says what values of the types of pflag want.
var kinds = map[string]string{
	"int": "a whole number, like 3", "int64": "a whole number, like 3", "uint": "a whole number, 0 or more", "uint64": "a whole number, 0 or more",
	"float64": "a number, like 0.05", "duration": "a time with its unit, like 30s, 10m or 1h30m", "bool": "true or false",
}

// ValueError says of a value that does not fit its flag what was wanted: dashes, name, value and that; nil if
// err is about anything else.
func ValueError(err error, dashes string) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return nil
	}
	value := bad.GetValue()
	want, known := kinds[bad.GetFlag().Value.Type()]
	if known {
		want = "want " + want
	} else {
		want = strings.TrimPrefix(bad.Unwrap().Error(), strconv.Quote(value)+": ")
	}
	if value == "" || strings.ContainsAny(value, " \t\r\n\"") {
		value = strconv.Quote(value)
	}
	return fmt.Errorf("%s%s %s: %s", dashes, bad.GetFlag().Name, value, want)
}

// VerbNames are the verbs below c that the help shows.
func VerbNames(c *cobra.Command) []string {
	var names []string
	for _, v := range c.Commands() {
		if v.IsAvailableCommand() {
			names = append(names, v.Name())
		}
	}
	return names
}
