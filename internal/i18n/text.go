// Package i18n keeps what the program says to people apart from the language it says it in.
//
// A message arises as a Text: an English format of package fmt, by which the catalogues of the languages know it, and its arguments. It is rendered
// where it is printed. Arguments that are messages themselves, Texts and errors, are rendered in the same language; all others are data
// of the user and pass unchanged. English is the language without a catalogue: its texts are their own identifiers.
package i18n

import (
	"fmt"
	"slices"
	"strings"
)

// A Text is a message that has not been said yet. The zero Text says nothing.
type Text struct {
	id     string
	own    string // what is said whatever catalogues say, "" mostly
	args   []any  // messages, and data as text
	word   bool   // the word that a reader looks for first
	fields func(field string) string
	less   any // what it is said without, where it begins with that
}

// T is the message of a format of package fmt and its arguments. Data become text at once, so that they may change afterwards.
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

// Word is a word of the program, such as a status or a verdict, by which Cut finds it in a message.
func Word(english string) Text {
	t := Term(english)
	t.word = true
	return t
}

// Term is a word or a text of the program without arguments.
func Term(english string) Text { return Text{id: strings.ReplaceAll(english, "%", "%%")} }

// As is t said so, with {2} in the place of the second argument, whatever catalogues say for its English.
func (t Text) As(own string) Text {
	t.own = own
	return t
}

// Plus is t with a further message right behind it.
func (t Text) Plus(format string, args ...any) Text {
	return Text{id: "%s%s", args: []any{t, T(format, args...)}}
}

// Named is t, and the messages in it, with the fields that stand in braces called as name says.
func (t Text) Named(name func(field string) string) Text {
	t.fields = name
	return t
}

// Changed is t with its data, and those of the messages in it, changed.
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

// Without is t without what stands before a colon, where that is before: data or a message.
func (t Text) Without(before any) Text {
	t.less = before
	return t
}

// String is the message in English.
func (t Text) String() string { return English.Say(t) }

// Equal reports whether t and u say the same in English.
func (t Text) Equal(u Text) bool { return t.String() == u.String() }

// MarshalText is the message in English, as documents have it.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// IsZero reports whether t says nothing.
func (t Text) IsZero() bool { return t.id == "" }

// A Messager is an error that has a Text.
type Messager interface{ Message() Text }

// A failure is an error whose message is a Text.
type failure struct{ text Text }

func (f *failure) Error() string { return f.text.String() }
func (f *failure) Message() Text { return f.text }

// A wrapper wraps one error, wrappers several, as those of fmt.Errorf.
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

// Errorf is fmt.Errorf, but what it returns can be said in other languages.
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

// New is errors.New, but what it returns can be said in other languages.
func New(text string) error { return &failure{Term(text)} }

// A List is joined as the language joins lists: a, b and c.
type List struct {
	Items []any
	And   string // the English word before the last: "and", "or", or "" for a comma alone
}

// Names is a list of data.
func Names(and string, names []string) List {
	l := List{And: and}
	for _, s := range names {
		l.Items = append(l.Items, s)
	}
	return l
}

func (l List) String() string { return English.Say(l) }

var _ fmt.Stringer = List{}
