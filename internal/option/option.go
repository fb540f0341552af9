// Package option describes options: all that a verb, or the policy of an office, can be told. Parsing, checks,
// help, the manual, completion in shells, policy files and their schema, the form of the page and the tables in
// docs are derived from these descriptions.
package option

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
)

// An Option describes one option.
//
// Other options are referred to by name, or as NAME=VALUE if they must have that value.
type Option struct {
	Name  string
	Short string // one letter
	Title string // heading of its group in the help
	To    any    // *bool, *string, *int, *int64, *uint64, *float64, *time.Duration, *[]string or Value
	Text  string // what it does; a word in backquotes names its argument
	More  string // further text for the manual and docs only
	Else  string // what happens without it, if Default does not tell

	Default any      // of the type that To points to; nil: the current value
	Range   string   // range of a number or time, such as [0, 1) or [2, ∞)
	Want    string   // what messages ask for in place of the range
	Split   bool     // for *[]string: one argument may be several, separated by commas
	From    []string // the only words allowed
	Offer   []string // words that a shell suggests
	Files   []string // extensions of files that a shell suggests
	Only    bool     // only file names with these extensions are allowed
	Writes  bool     // names a file that is written
	Stdout  bool     // without it, output goes to standard output
	Hidden  bool
	Rare    bool // few need it: listed last in the help
	Run     bool // about the run as a whole rather than about a table

	Wanted   bool     // it must be given,
	Unless   []string // or one of these
	Needs    []string // options that must also be given
	One      []string // options of which one must also be given; Text says so
	Excludes []string // options that must not also be given
	Why      string   // why it needs or excludes these, if that is not obvious
	Clashes  []Clash  // further excluded options, each with a reason of its own
	Beside   []string // if not nil, the only options allowed beside it
	Inputs   int      // 1: takes one input; 2: takes two or more
}

// A Clash is an option that must not be given together with another.
type Clash struct {
	With string
	Why  string // empty if obvious; names of options are in braces
	If   string // the value for which this holds; "": any
}

// A Value is set from a text, like a flag of package pflag.
type Value interface {
	String() string
	Set(text string) error
	Type() string
}

// Texts returns the current value as written for a flag, one text for each element of a list; nil if it is what
// holds without the option.
func (o *Option) Texts() []string {
	switch list := o.To.(type) {
	case *[]string:
		return slices.Clone(*list)
	case List:
		return list.Texts()
	}
	text, to := "", reflect.ValueOf(o.To)
	if v, ok := o.To.(Value); ok {
		text = v.String()
	} else if !to.Elem().IsZero() {
		text = fmt.Sprint(to.Elem())
	}
	if text == "" || o.Default != nil && text == fmt.Sprint(o.Default) {
		return nil
	}
	return []string{text}
}

// Check says what is wrong with the values given, or with their combination with other options: holds tells
// whether an option is given, or has the value of NAME=VALUE. Names of options are in braces in the message.
func (o *Option) Check(values []string, holds func(condition string) bool) (fault i18n.Text) {
	for _, v := range values {
		if fault = o.checkValue(v); !fault.IsZero() {
			return fault
		}
	}
	because := func(why string) i18n.Text {
		if why == "" {
			return i18n.Text{}
		}
		return i18n.T(": %s", i18n.Term(why))
	}
	for _, n := range o.Needs {
		if !holds(n) {
			return i18n.T("%s needs %s%s", Named(o.Name), Named(n), because(o.Why))
		}
	}
	if o.One != nil && !slices.ContainsFunc(o.One, holds) {
		list := i18n.List{And: "or"}
		for _, n := range o.One {
			list.Items = append(list.Items, Named(n))
		}
		return i18n.T("%s needs %s%s", Named(o.Name), list, because(o.Why))
	}
	for _, x := range o.Excludes {
		if holds(x) {
			return i18n.T("%s and %s do not go together%s", Named(o.Name), Named(x), because(o.Why))
		}
	}
	for _, x := range o.Clashes {
		own := o.Name
		if x.If != "" {
			own += "=" + x.If
		}
		if holds(own) && holds(x.With) {
			return i18n.T("%s and %s do not go together%s", Named(own), Named(x.With), because(x.Why))
		}
	}
	return i18n.Text{}
}

// checkValue says what is wrong with a value.
func (o *Option) checkValue(v string) i18n.Text {
	switch {
	case o.Range != "" && !within(o.Range, v):
		if o.Want != "" {
			return i18n.T("%s %s: want %s", Named(o.Name), v, i18n.Term(o.Want))
		}
		least, unbounded := strings.CutSuffix(o.Range, ", ∞)")
		switch {
		case !unbounded:
			return i18n.T("%s %s: want a value in %s", Named(o.Name), v, o.Range)
		case least[0] == '[':
			return i18n.T("%s %s: want %s or more", Named(o.Name), v, least[1:])
		}
		return i18n.T("%s %s: want more than %s", Named(o.Name), v, least[1:])
	case o.From != nil && !slices.Contains(o.From, v):
		return i18n.T("%s %q: want %s%s", Named(o.Name), v, strings.Join(o.From, ", "), near.Hint(v, o.From, ""))
	case o.Only && !slices.ContainsFunc(o.Files, func(end string) bool { return strings.HasSuffix(v, "."+end) }):
		list := i18n.List{And: "or"}
		for _, end := range o.Files {
			list.Items = append(list.Items, "."+end)
		}
		return i18n.T("%s %s: want a name that ends in %s", Named(o.Name), v, list)
	}
	return i18n.Text{}
}

// within reports whether a number, or a time in nanoseconds, is in a range. A text that is neither is left to
// the parser.
func within(of, text string) bool {
	x, err := strconv.ParseFloat(text, 64)
	if d, none := time.ParseDuration(text); none == nil {
		x, err = float64(d), nil
	} else if strings.Contains(text, "/") && err != nil {
		q, ok := new(big.Rat).SetString(text)
		if !ok {
			return true
		}
		x, _ = q.Float64()
	} else if errors.Is(err, strconv.ErrSyntax) {
		return true
	}
	low, high, _ := strings.Cut(of[1:len(of)-1], ", ")
	least, _ := strconv.ParseFloat(low, 64)
	most, bounded := strconv.ParseFloat(high, 64)
	if bounded != nil {
		most = math.Inf(1)
	}
	return (x > least || x == least && of[0] == '[') && (x < most || x == most && of[len(of)-1] == ']' || math.IsInf(most, 1))
}

// Named returns an option, or a condition NAME=VALUE, as it is in messages, where readers see it by the name
// that they know.
func Named(condition string) i18n.Text {
	name, value, with := strings.Cut(condition, "=")
	if !with {
		return i18n.Term("{" + name + "}")
	}
	return i18n.T("%s %s", i18n.Term("{"+name+"}"), value)
}
