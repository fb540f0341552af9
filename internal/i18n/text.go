// Package i18n separates what the program says to people from the language in which it says it.
//
// A message begins as a Text: an English format of package fmt, by which the catalogues of the languages know
// it, and its arguments. It is rendered when it is printed. Arguments that are messages themselves, Texts and
// errors, are rendered in the same language; all others are data of the user and stay as they are. English
// needs no catalogue: its texts are their own identifiers.
package i18n

import (
	"fmt"
	"slices"
	"strings"
)

// A Text is a message that has not been rendered yet. The zero Text says nothing.
type Text struct {
	id     string
	own    string // if set, the text to use instead of what catalogues have
	args   []any  // messages, and data converted to text
	word   bool   // this is the Word that a reader looks for first
	fields func(field string) string
	less   any // what to leave out at the beginning, see Without
}

// T returns the message of a format of package fmt and its arguments. Data are converted to text at once, so
// they may change afterwards.
func T(format string, args ...any) Text {
	t := Text{id: format, args: slices.Clone(args)}
	for _, p := range parse(format) {
		if p.verb == 0 || p.arg >= len(args) {
			continue
		}
		switch args[p.arg].(type) {
		case Text, List, error:
		default:
			t.args[p.arg] = fmt.Sprintf(p.format, args[p.arg])
		}
	}
	return t
}

// Word returns a word of the program, such as a status or a verdict, that Cut can find in a message.
func Word(english string) Text {
	t := Term(english)
	t.word = true
	return t
}

// Term returns a word or a text of the program without arguments.
func Term(english string) Text { return Text{id: strings.ReplaceAll(english, "%", "%%")} }

// As returns t with the text own, in which {2} stands for the second argument, in place of what catalogues have
// for its English.
func (t Text) As(own string) Text {
	t.own = own
	return t
}

// Plus returns t directly followed by another message.
func (t Text) Plus(format string, args ...any) Text {
	return Text{id: "%s%s", args: []any{t, T(format, args...)}}
}

// Named returns t in which fields in braces, also in messages within it, have the names that name returns.
func (t Text) Named(name func(field string) string) Text {
	t.fields = name
	return t
}

// Changed returns t with change applied to its data and to those of the messages in it.
func (t Text) Changed(change func(data string) string) Text {
	t.args = slices.Clone(t.args)
	for k, a := range t.args {
		switch a := a.(type) {
		case string:
			t.args[k] = change(a)
		case Text:
			t.args[k] = a.Changed(change)
		}
	}
	return t
}

// Without returns t without what precedes its colon, if that is before, which is data or a message.
func (t Text) Without(before any) Text {
	t.less = before
	return t
}

// String returns the message in English.
func (t Text) String() string { return English.Say(t) }

// Equal reports whether t and u say the same in English.
func (t Text) Equal(u Text) bool { return t.String() == u.String() }

// MarshalText returns the message in English, as documents contain it.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// IsZero reports whether t says nothing.
func (t Text) IsZero() bool { return t.id == "" }

// A Messager is an error that has a Text.
type Messager interface{ Message() Text }

// A failure is an error whose message is a Text.
type failure struct{ text Text }

func (f *failure) Error() string { return f.text.String() }
func (f *failure) Message() Text { return f.text }

// A wrapper wraps one error, wrappers wraps several, as the errors of fmt.Errorf do.
type wrapper struct {
	failure
	err error
}

func (w *wrapper) Unwrap() error { return w.err }

type wrappers struct {
	failure
	errs []error
}

func (w *wrappers) Unwrap() []error { return w.errs }

// Errorf is fmt.Errorf for errors that can be rendered in other languages.
func Errorf(format string, args ...any) error {
	f := failure{text: T(format, args...)}
	var wrapped []error
	for _, p := range parse(format) {
		if p.verb == 'w' && p.arg < len(args) {
			if err, ok := args[p.arg].(error); ok {
				wrapped = append(wrapped, err)
			}
		}
	}
	switch len(wrapped) {
	case 0:
		return &f
	case 1:
		return &wrapper{f, wrapped[0]}
	}
	return &wrappers{f, wrapped}
}

// New is errors.New for errors that can be rendered in other languages.
func New(text string) error { return &failure{Term(text)} }

// A List is rendered as the language joins lists: a, b and c.
type List struct {
	Items []any
	And   string // the English word before the last item: "and", "or", or "" for just a comma
}

// Names returns a list of data.
func Names(and string, names []string) List {
	l := List{And: and}
	for _, s := range names {
		l.Items = append(l.Items, s)
	}
	return l
}

func (l List) String() string { return English.Say(l) }

var _ fmt.Stringer = List{}
