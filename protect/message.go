package protect

import (
	"errors"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A FieldError says what is wrong with a field of a policy.
type FieldError struct {
	Field string
	Text  i18n.Text // fields that it names stand in braces
	Err   error     // nil, or what is told in Text
}

func (e *FieldError) Error() string { return e.Text.String() }

// Message is the text of e.
func (e *FieldError) Message() i18n.Text { return e.Text }

func (e *FieldError) Unwrap() error { return e.Err }

// wrong makes a FieldError about field, with the error that format wraps.
func wrong(field, format string, args ...any) *FieldError {
	err := i18n.Errorf(format, args...)
	return &FieldError{Field: field, Text: i18n.T(format, args...), Err: errors.Unwrap(err)}
}

// named is the name of a field as readers know it.
func named(field string) i18n.Text { return i18n.Term("{" + field + "}") }

// is says whether err is an E or wraps one.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// A Remark is something that an office should know of a run.
type Remark struct {
	Table string    // its name
	Text  i18n.Text // fields of the policy stand in braces
}

// String returns table and text.
func (r Remark) String() string { return r.Table + ": " + r.Text.String() }

// say makes a remark.
func (o *Options) say(t *table.Table, format string, args ...any) {
	o.Say(Remark{t.Name, i18n.T(format, args...)})
}

// cells lists cells by name, at most ten.
func cells(t *table.Table, list []int) i18n.Text {
	const most = 10
	names := sets.Each(list[:min(most, len(list))], t.CellName)
	if len(list) > most {
		return i18n.T("%s and %d more", i18n.Names("", names), len(list)-most)
	}
	return i18n.T("%s", i18n.Names("", names))
}
