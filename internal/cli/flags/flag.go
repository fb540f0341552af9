package flags

import (
	"fmt"
	"reflect"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hitoku/hitoku/internal/option"
	"github.com/hitoku/hitoku/internal/sets"
)

// A Flag is one flag of a verb as data.
type Flag = option.Option

// The titles of groups of flags in help, manual and docs, in the order of the help.
const (
	InputGroup        = "Input"
	LayoutGroup       = "Layout"
	RecordsGroup      = "Records"
	RulesGroup        = "Rules"
	LevelsGroup       = "Levels and bounds"
	CostsGroup        = "Costs and margins"
	LedgerGroup       = "Published before"
	ContributorsGroup = "Contributors"
	DefenceGroup      = "Defence"
	IntruderGroup     = "Intruder"
	ReleaseGroup      = "Release"
	DrawnGroup        = "What is drawn"
	MeasureGroup      = "Measure"
	LimitsGroup       = "Limits"
	SearchGroup       = "Search"
	PageGroup         = "Page"
	OutputGroup       = "Output"
)

var Titles = []string{InputGroup, LayoutGroup, RecordsGroup, RulesGroup, LevelsGroup, CostsGroup, LedgerGroup, ContributorsGroup, DefenceGroup, IntruderGroup, ReleaseGroup, DrawnGroup, MeasureGroup, LimitsGroup, SearchGroup, PageGroup, OutputGroup}

// A Group holds flags of a verb that are declared together.
type Group []Flag

// In gives flags a title.
func In(title string, flags []Flag) Group {
	for i := range flags {
		flags[i].Title = title
	}
	return flags
}

// Names returns the names of the flags.
func (g Group) Names() []string {
	return sets.List(len(g), func(i int) string { return g[i].Name })
}

// Declare gives a verb its flags. The verb, whose RunE must be set, runs only if the given flags go together.
func Declare(cmd *cobra.Command, groups ...Group) {
	fs := cmd.Flags()
	fs.SortFlags = false
	for _, g := range groups {
		for i := range g {
			register(fs, &g[i])
			files(cmd, &g[i])
		}
	}
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := Check(cmd, args); err != nil {
			return err
		}
		return run(cmd, args)
	}
}

// A declared is the value of a flag with what the parser does not know about it.
type declared struct {
	pflag.Value
	as *Flag
}

// Of returns the declaration of a flag, which is empty for one that was not declared, like --help.
func Of(f *pflag.Flag) *Flag {
	if d, ok := f.Value.(declared); ok {
		return d.as
	}
	return &Flag{}
}

// register makes the flag known to the parser.
func register(fs *pflag.FlagSet, f *Flag) {
	if f.Default != nil {
		to := reflect.ValueOf(f.To).Elem()
		to.Set(reflect.ValueOf(f.Default).Convert(to.Type()))
	}
	text := f.Text
	switch to := f.To.(type) {
	case *bool:
		fs.BoolVarP(to, f.Name, f.Short, *to, text)
	case *string:
		if f.From != nil {
			fs.VarP(choice(to, f.From, same), f.Name, f.Short, text)
		} else {
			fs.StringVarP(to, f.Name, f.Short, *to, text)
		}
	case *int:
		fs.IntVarP(to, f.Name, f.Short, *to, text)
	case *int64:
		fs.VarP(int64Value(to), f.Name, f.Short, text)
	case *uint64:
		fs.VarP(uint64Value(to), f.Name, f.Short, text)
	case *float64:
		fs.Float64VarP(to, f.Name, f.Short, *to, text)
	case *time.Duration:
		fs.DurationVarP(to, f.Name, f.Short, *to, text)
	case *[]string:
		fs.VarP(&listValue{to: to, split: f.Split}, f.Name, f.Short, text)
	case pflag.Value:
		fs.VarP(to, f.Name, f.Short, text)
	default:
		panic(fmt.Sprintf("--%s: %T holds no value of a flag", f.Name, to)) // a bug in this program
	}
	known := fs.Lookup(f.Name)
	known.Hidden, known.Value = f.Hidden, declared{known.Value, f}
}

// files tells shells the extensions of the files that a flag takes.
func files(cmd *cobra.Command, f *Flag) {
	if f.Files == nil {
		return
	}
	if err := cmd.MarkFlagFilename(f.Name, f.Files...); err != nil {
		panic(err) // the flag does not exist: a bug in this program
	}
}

// OfRun reports whether a flag belongs to a run as a whole, so that no task of a job may have it: it is about what is
// printed, names a file to write, sets the policy, or takes several inputs.
func OfRun(f *pflag.Flag) bool { return Of(f).Run || Of(f).Writes || Of(f).Inputs == 2 }
