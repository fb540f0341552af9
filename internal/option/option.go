// Package option has the record of an option: of what a verb, or the policy of an office, can be told. Parsing, checks, help, manual, what
// a shell completes, files of policies, their schema, the form of the page and the tables of docs come from it.
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

// An Option is one thing that can be told, as data.
//
// Other options are called by name, or NAME=VALUE where they must have that value.
type Option struct {
	Name  string
	Short string // one letter
	Title string // of the group in which help has it
	To    any    // *bool, *string, *int, *int64, *uint64, *float64, *time.Duration, *[]string or Value
	Text  string // what it does; a word in backquotes is that of its argument
	More  string // what only manual and docs say
	Else  string // what holds without it, where Default does not tell

	Default any      // of the type that To points to; nil: what is there
	Range   string   // of numbers and times, like [0, 1) or [2, ∞)
	Want    string   // what is wanted, in place of the range
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

	Wanted   bool     // it must be given,
	Unless   []string // or one of these
	Needs    []string // what must be given with it
	One      []string // one of which must be, as its text says
	Excludes []string // what must not
	Why      string   // it needs or excludes them, if that is not clear
	Clashes  []Clash  // what must not, each for a reason of its own
	Beside   []string // not nil: nothing but these goes with it
	Inputs   int      // 1: takes one input, 2: two or more
}

// A Clash is an option that does not go with another.
type Clash struct {
	With string
	Why  string // nothing where that is clear; options in it stand in braces
	If   string // the value for which it holds; "": any
}

// A Value is what an option is set to by a text, like a flag of package pflag.
type Value interface {
	String() string
	Set(text string) error
	Type() string
}

// Texts are what the option is set to, as it is written for a flag: a list has one for each element. Nothing: no more than holds without it.
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

// Check says what is wrong with the values given, or with what else is: holds tells it of an option by its name, or of NAME=VALUE. Options in the
// message stand in braces.
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

// checkValue says what is wrong with one value.
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

// within reports whether a number, or a time in nanoseconds, is in a range. What is neither is left to whoever reads it.
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

// Named is an option, or a condition NAME=VALUE, as a message has it: readers know options by names of their own.
func Named(condition string) i18n.Text {
	name, value, with := strings.Cut(condition, "=")
	if !with {
		return i18n.Term("{" + name + "}")
	}
	return i18n.T("%s %s", i18n.Term("{"+name+"}"), value)
}
