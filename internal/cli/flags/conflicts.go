package flags

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/near"
)

// A condition is a flag by its name, or FLAG=VALUE.
type condition string

// plain is what to write on the command line for it, where the flag need not be known.
func (c condition) plain() string {
	name, value, ok := strings.Cut(string(c), "=")
	if name == "output" {
		return "-o"
	}
	if ok {
		name += " " + value
	}
	return "--" + name
}

// holds reports whether it is given in fs.
func (c condition) holds(fs *pflag.FlagSet) bool {
	name, value, one := strings.Cut(string(c), "=")
	f := fs.Lookup(name)
	return f != nil && given(f) && (!one || f.Value.String() == value)
}

// given reports whether a flag was given a value; false and nothing are none.
func given(f *pflag.Flag) bool {
	return f.Changed && !slices.Contains([]string{"", "false", "[]"}, f.Value.String())
}

// Check reports the first flag of cmd, as they are declared, that does not go with the others given or with the inputs.
func Check(cmd *cobra.Command, args []string) (err error) {
	fs := cmd.Flags()
	fs.VisitAll(func(f *pflag.Flag) {
		if err == nil && given(f) {
			err = checkOne(fs, f, args)
		}
	})
	fs.VisitAll(func(f *pflag.Flag) {
		if err != nil || !has(f, "wanted") || given(f) {
			return
		}
		arg, _ := pflag.UnquoteUsage(f)
		want := []string{strings.TrimSpace(flagName(f) + " " + strings.ToUpper(arg))}
		for _, or := range f.Annotations["unless"] {
			if condition(or).holds(fs) {
				return
			}
			want = append(want, condition(or).plain())
		}
		if len(want) > 1 {
			want[0] = flagName(f)
		}
		err = fmt.Errorf("%s: want %s", strings.TrimPrefix(cmd.CommandPath(), "hitoku "), listed(want, "or"))
	})
	return err
}

// checkOne checks a flag that is given.
func checkOne(fs *pflag.FlagSet, f *pflag.Flag, args []string) error {
	name := flagName(f)
	if has(f, "min") && below(f.Value.String(), note(f, "min")) {
		return fmt.Errorf("%s %s: want %s or more", name, f.Value, note(f, "min"))
	}
	if err := checkEnding(f); err != nil {
		return err
	}
	if from := f.Annotations["from"]; from != nil {
		for _, v := range valuesOf(f) {
			if !slices.Contains(from, v) {
				return fmt.Errorf("%s %q: want %s%s", name, v, strings.Join(from, ", "), near.Hint(v, from, ""))
			}
		}
	}
	for _, n := range f.Annotations["needs"] {
		if !condition(n).holds(fs) {
			return fmt.Errorf("%s needs %s%s", name, condition(n).plain(), because(f))
		}
	}
	for _, x := range f.Annotations["excludes"] {
		if !condition(x).holds(fs) {
			continue
		}
		return fmt.Errorf("%s and %s do not go together%s", name, condition(x).plain(), because(f))
	}
	switch inputs := note(f, "inputs"); {
	case inputs == "1" && len(args) > 1:
		return fmt.Errorf("%s takes one input, not %d", name, len(args))
	case inputs == "2" && len(args) < 2:
		return fmt.Errorf("%s takes two inputs or more", name)
	case !has(f, "beside"):
		return nil
	}
	var err error
	fs.Visit(func(other *pflag.Flag) {
		if err == nil && other != f && !slices.Contains(f.Annotations["beside"], other.Name) {
			err = fmt.Errorf("%s does not go with %s", flagName(other), name)
		}
	})
	return err
}

// because says why a flag needs or excludes others.
func because(f *pflag.Flag) string {
	if why := note(f, "why"); why != "" {
		return ": " + why
	}
	return ""
}

// checkEnding wants names with the extensions that a flag is declared with, if there are no others.
func checkEnding(f *pflag.Flag) error {
	only := f.Annotations["only"]
	if only == nil {
		return nil
	}
	for _, path := range valuesOf(f) {
		if !slices.ContainsFunc(only, func(end string) bool { return strings.HasSuffix(path, "."+end) }) {
			var ends []string
			for _, end := range only {
				ends = append(ends, "."+end)
			}
			return fmt.Errorf("%s %s: want a name that ends in %s", flagName(f), path, listed(ends, "or"))
		}
	}
	return nil
}

// below compares a number, or a time with 0.
func below(value, least string) bool {
	if d, err := time.ParseDuration(value); err == nil {
		value = strconv.FormatInt(int64(d), 10)
	}
	x, ok := new(big.Rat).SetString(value)
	y, _ := new(big.Rat).SetString(least)
	return ok && x.Cmp(y) < 0
}

// listed joins words: a, b or c.
func listed(words []string, last string) string {
	n := len(words) - 1
	if n < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}
