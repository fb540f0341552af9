package flags

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A Flag is one flag of a verb as data. From it come parsing, the check of what goes together, the help, the
// manual, what a shell completes, and the tables of docs.
//
// Other flags are called by name, or NAME=VALUE where they must have that value.
type Flag struct {
	Name  string
	Short string // one letter
	To    any    // *bool, *string, *int, *int64, *uint64, *float64, *time.Duration, *[]string or pflag.Value
	Text  string // what it does; a word in backquotes is that of its argument
	More  string // what only manual and docs say
	Else  string // what holds without it, where Default does not tell

	Default any      // of the type that To points to; nil: what is there
	Split   bool     // an argument of a *[]string may be several with commas between them
	From    []string // the only words that it may be
	Offer   []string // words that a shell offers
	Files   []string // extensions of files that a shell offers
	Only    bool     // no names but with these extensions
	Writes  bool     // it names a file that is written
	Stdout  bool     // and without it standard output is
	Hidden  bool
	Rare    bool // few need it: the help has it last
	Run     bool // it is about the run as a whole, not about a table

	Min      *int     // the least value
	Wanted   bool     // it must be given,
	Unless   []string // or one of these
	Needs    []string // what must be given with it
	Excludes []string // what must not
	Why      string   // it needs or excludes them, if that is not clear
	Beside   []string // not nil: nothing but these goes with it
	Inputs   int      // 1: takes one input, 2: two or more
}

// A Title is that of a group of flags in help, manual and docs.
type Title string

// The groups, in the order in which help has them.
const (
	InputGroup        Title = "Input"
	LayoutGroup       Title = "Layout"
	RecordsGroup      Title = "Records"
	RulesGroup        Title = "Rules"
	LevelsGroup       Title = "Levels and bounds"
	CostsGroup        Title = "Costs and margins"
	LedgerGroup       Title = "Published before"
	ContributorsGroup Title = "Contributors"
	DefenceGroup      Title = "Defence"
	IntruderGroup     Title = "Intruder"
	ReleaseGroup      Title = "Release"
	DrawnGroup        Title = "What is drawn"
	MeasureGroup      Title = "Measure"
	LimitsGroup       Title = "Limits"
	SearchGroup       Title = "Search"
	PageGroup         Title = "Page"
	OutputGroup       Title = "Output"
)

var titles = []Title{InputGroup, LayoutGroup, RecordsGroup, RulesGroup, LevelsGroup, CostsGroup, LedgerGroup, ContributorsGroup, DefenceGroup, IntruderGroup, ReleaseGroup, DrawnGroup, MeasureGroup, LimitsGroup, SearchGroup, PageGroup, OutputGroup}

// A Group are flags under one title.
type Group struct {
	title Title
	flags []Flag
}

// In puts flags under a title.
func In(title Title, flags []Flag) Group { return Group{title, flags} }

// Names are those of the flags.
func (g Group) Names() []string {
	var names []string
	for i := range g.flags {
		names = append(names, g.flags[i].Name)
	}
	return names
}

// Declare gives a verb its flags. The verb, whose RunE is set, runs if what is given goes together.
func Declare(cmd *cobra.Command, groups ...Group) {
	fs := cmd.Flags()
	fs.SortFlags = false
	for _, g := range groups {
		for i := range g.flags {
			f := &g.flags[i]
			f.register(fs)
			f.annotate(fs.Lookup(f.Name), g.title)
			f.complete(cmd)
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

// register makes the flag known to the parser.
func (f *Flag) register(fs *pflag.FlagSet) {
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
			fs.VarP(choiceValue{to, f.From}, f.Name, f.Short, text)
		} else {
			fs.StringVarP(to, f.Name, f.Short, *to, text)
		}
	case *int:
		fs.IntVarP(to, f.Name, f.Short, *to, text)
	case *int64:
		fs.VarP(int64Value{to}, f.Name, f.Short, text)
	case *uint64:
		fs.VarP(uint64Value{to}, f.Name, f.Short, text)
	case *float64:
		fs.Float64VarP(to, f.Name, f.Short, *to, text)
	case *time.Duration:
		fs.DurationVarP(to, f.Name, f.Short, *to, text)
	case *[]string:
		if f.Split {
			fs.StringSliceVarP(to, f.Name, f.Short, *to, text)
		} else {
			fs.StringArrayVarP(to, f.Name, f.Short, *to, text)
		}
	case pflag.Value:
		fs.VarP(to, f.Name, f.Short, text)
	default:
		panic(fmt.Sprintf("--%s: %T holds no value of a flag", f.Name, to)) // a mistake of this program
	}
	fs.Lookup(f.Name).Hidden = f.Hidden
}

// complete tells shells what to offer.
func (f *Flag) complete(cmd *cobra.Command) {
	var err error
	if words := slices.Concat(f.From, f.Offer); words != nil {
		err = cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	} else if f.Files != nil {
		err = cmd.MarkFlagFilename(f.Name, f.Files...)
	}
	if err != nil {
		panic(err) // the flag does not exist: a mistake of this program
	}
}

// annotate lets the parser's flag carry what it does not know of itself.
func (f *Flag) annotate(to *pflag.Flag, title Title) {
	a := to.Annotations
	if a == nil {
		a = map[string][]string{}
		to.Annotations = a
	}
	a["title"] = []string{string(title)}
	for key, text := range map[string]string{"more": f.More, "else": f.Else, "why": f.Why} {
		if text != "" {
			a[key] = []string{text}
		}
	}
	for key, list := range map[string][]string{"unless": f.Unless, "needs": f.Needs, "excludes": f.Excludes, "beside": f.Beside} {
		if list != nil {
			a[key] = list
		}
	}
	for key, on := range map[string]bool{"wanted": f.Wanted, "writes": f.Writes, "stdout": f.Stdout, "run": f.Run, "rare": f.Rare} {
		if on {
			a[key] = []string{}
		}
	}
	if _, list := f.To.(*[]string); list {
		if f.From != nil {
			a["from"] = f.From
		}
		if !f.Split {
			a["repeatable"] = []string{}
		}
	}
	if f.Only {
		a["only"] = f.Files
	}
	if f.Min != nil {
		a["min"] = []string{strconv.Itoa(*f.Min)}
	}
	if f.Inputs > 0 {
		a["inputs"] = []string{strconv.Itoa(f.Inputs)}
	}
}

// note returns what an annotation of one text says.
func note(f *pflag.Flag, key string) string { return strings.Join(f.Annotations[key], "") }

// has reports whether a flag is annotated.
func has(f *pflag.Flag, key string) bool { return f.Annotations[key] != nil }

// OfRun reports whether a flag belongs to a run as a whole, so that no task of a job may have it: it is about what is printed, names
// a file that is written or sets the policy, or takes several inputs.
func OfRun(f *pflag.Flag) bool { return has(f, "run") || has(f, "writes") || note(f, "inputs") == "2" }
