package protect

import (
	"errors"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A FieldError reports an error in a field of a policy.
type FieldError struct {
	Field string
	Text  i18n.Text // names of fields are in braces
	Err   error     // nil, or the cause, which Text includes
}

func (e *FieldError) Error() string { return e.Text.String() }

// Message returns the text of e.
func (e *FieldError) Message() i18n.Text { return e.Text }

func (e *FieldError) Unwrap() error { return e.Err }

// wrong makes a FieldError about field, with the error that format wraps.
func wrong(field, format string, args ...any) *FieldError {
	err := i18n.Errorf(format, args...)
	return &FieldError{Field: field, Text: i18n.T(format, args...), Err: errors.Unwrap(err)}
}

// named returns the name of a field as readers know it.
func named(field string) i18n.Text { return i18n.Term("{" + field + "}") }

// is reports whether err is or wraps an E.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// A Remark is something that the office should know about a run.
type Remark struct {
	Table string    // name of the table
	Text  i18n.Text // fields of the policy stand in braces
}

// String returns the table's name and the text.
func (r Remark) String() string { return r.Table + ": " + r.Text.String() }

// say makes a remark.
func (o *Options) say(t *table.Table, format string, args ...any) {
	o.Say(Remark{t.Name, i18n.T(format, args...)})
}

// cells lists at most ten cells by name.
func cells(t *table.Table, list []int) i18n.Text {
	const most = 10
	names := sets.Each(list[:min(most, len(list))], t.CellName)
	if len(list) > most {
		return i18n.T("%s and %d more", i18n.Names("", names), len(list)-most)
	}
	return i18n.T("%s", i18n.Names("", names))
}
