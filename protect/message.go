package protect

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hitoku/hitoku/table"
)

// A FieldError says what is wrong with a field of a policy.
type FieldError struct {
	Field string
	Text  string // fields that it names stand in braces
	Err   error  // nil, or what is told in Text
}

func (e *FieldError) Error() string { return e.Words(plain) }

func (e *FieldError) Unwrap() error { return e.Err }

// Words returns the text with the fields called as name says.
func (e *FieldError) Words(name func(field string) string) string { return words(e.Text, name) }

func plain(field string) string { return field }

// wrong makes a FieldError about field, with the error that format wraps.
func wrong(field, format string, args ...any) *FieldError {
	err := fmt.Errorf(format, args...)
	return &FieldError{Field: field, Text: err.Error(), Err: errors.Unwrap(err)}
}

// others are names in braces beside those of the fields.
var others = []string{"linked", "response", "certificate"}

// words calls the fields that stand in braces as name says.
func words(text string, name func(string) string) string {
	var pairs []string
	for _, f := range append(Fields(), others...) {
		pairs = append(pairs, "{"+f+"}", name(f))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// A Remark is something that an office should know of a run.
type Remark struct {
	Table string // its name
	Text  string // fields of the policy stand in braces
}

// String returns table and text.
func (r Remark) String() string { return r.Table + ": " + r.Words(plain) }

// Words returns the text with the fields called as name says.
func (r Remark) Words(name func(field string) string) string { return words(r.Text, name) }

// say makes a remark.
func (o *Options) say(t *table.Table, format string, args ...any) {
	r := Remark{t.Name, fmt.Sprintf(format, args...)}
	o.remarks = append(o.remarks, r)
	if o.Say != nil {
		o.Say(r)
	}
}

// cells lists cells by name, at most ten.
func cells(t *table.Table, list []int) string {
	const most = 10
	var names []string
	for _, i := range list[:min(most, len(list))] {
		names = append(names, t.CellName(i))
	}
	s := strings.Join(names, ", ")
	if len(list) > most {
		s += fmt.Sprintf(" and %d more", len(list)-most)
	}
	return s
}
