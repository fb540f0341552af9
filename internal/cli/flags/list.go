package flags

import (
	"encoding/csv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/option"
)

// A listValue is a flag that may be repeated; if split, one value may hold several separated by commas, as in a line of
// CSV. pflag's own values create a CSV writer at every start just to format an empty list.
type listValue struct {
	to    *[]string
	split bool
	given bool // the command line has replaced the default
}

func (v *listValue) Type() string {
	if v.split {
		return "stringSlice"
	}
	return "stringArray"
}

func (v *listValue) String() string {
	if v.to == nil {
		return "[]"
	}
	return option.Spell(*v.to)
}

func (v *listValue) Set(s string) error {
	list := []string{s}
	if v.split {
		if list = nil; s != "" {
			var err error
			if list, err = csv.NewReader(strings.NewReader(s)).Read(); err != nil {
				return err
			}
		}
	}
	if !v.given {
		*v.to = nil
	}
	v.given, *v.to = true, append(*v.to, list...)
	return nil
}

// CheckList returns an error if a file lists several values for a flag that takes one: on the command line a later
// value replaces earlier ones, but in a list it is not clear which counts.
func CheckList(f *pflag.Flag, values []string) error {
	if of := Of(f); len(values) > 1 && !of.Repeats() && !of.Split {
		return i18n.Errorf("%s takes one value, not %d", Plain(f.Name), len(values))
	}
	return nil
}
