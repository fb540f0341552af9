package flags

import (
	"encoding/csv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/option"
)

// A listValue is a flag that may be repeated; where split, one value may hold several with commas between, as a line of CSV.
// pflag's own make a writer of CSV at every start to spell a list of nothing.
type listValue struct {
	to    *[]string
	split bool
	given bool // the command line gives the list in place of the default
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

// CheckList refuses several values of a flag that takes one, where a file lists them: on the command line a later one replaces those
// before it, of a list nobody says which holds.
func CheckList(f *pflag.Flag, values []string) error {
	if of := Of(f); len(values) > 1 && !of.Repeats() && !of.Split {
		return i18n.Errorf("%s takes one value, not %d", Plain(f.Name), len(values))
	}
	return nil
}
