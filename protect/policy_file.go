package protect

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
)

// Read reads a policy in JSON where the name of its file ends in .json, else in TOML. Errors begin with the name.
func Read(r io.Reader, file string) (Policy, error) {
	read := ReadTOML
	if strings.EqualFold(filepath.Ext(file), ".json") {
		read = readJSON
	}
	p, err := read(r)
	var at *syntaxError
	switch {
	case errors.As(err, &at):
		return Policy{}, i18n.Errorf("%s:%w", file, err)
	case err != nil:
		return Policy{}, i18n.Errorf("%s: %w", file, err)
	}
	return p, nil
}

// Write writes p for a file of that name.
func (p Policy) Write(w io.Writer, file string) error {
	if strings.EqualFold(filepath.Ext(file), ".json") {
		return p.writeJSON(w)
	}
	return p.WriteTOML(w)
}

// syntaxError is about a line that is no TOML.
type syntaxError struct {
	line int
	what string
}

func (e *syntaxError) Error() string { return e.Message().String() }

// Message is the text of e.
func (e *syntaxError) Message() i18n.Text {
	return i18n.T("%d: %s", e.line, e.what)
}

// ReadTOML reads a policy. What is no field, or has another type, is an error that names it; a text
// may be written as a number, and a list of one as its element.
func ReadTOML(r io.Reader) (Policy, error) {
	keys := map[string]any{}
	if _, err := toml.NewDecoder(r).Decode(&keys); err != nil {
		var fault toml.ParseError
		if errors.As(err, &fault) {
			return Policy{}, &syntaxError{fault.Position.Line, fault.Message}
		}
		return Policy{}, errors.New(strings.TrimPrefix(err.Error(), "toml: "))
	}
	return fromKeys(keys)
}

// readJSON is ReadTOML of one JSON object.
func readJSON(r io.Reader) (Policy, error) {
	keys := map[string]any{}
	d := json.NewDecoder(r)
	d.UseNumber()
	if err := d.Decode(&keys); err != nil {
		return Policy{}, err
	}
	if _, err := d.Token(); err != io.EOF {
		return Policy{}, i18n.New("want one JSON object and nothing behind it")
	}
	return fromKeys(keys)
}

// WriteTOML writes the fields of p that are not zero, in their order.
func (p Policy) WriteTOML(w io.Writer) error { return toml.NewEncoder(w).Encode(p) }

// writeJSON does it as one JSON object.
func (p Policy) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(p)
}

// fromKeys makes a policy of what was read.
func fromKeys(keys map[string]any) (Policy, error) {
	var p Policy
	v := reflect.ValueOf(&p).Elem()
	at := map[string]reflect.Value{}
	for k, name := range Fields() {
		at[name] = v.Field(k)
	}
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		field, ok := at[name]
		if !ok {
			return Policy{}, &FieldError{Field: name, Text: i18n.T("%s: no field of a policy%s; the fields are %s", name, near.Hint(name, Fields(), ""), i18n.Names("", Fields()))}
		}
		x := keys[name]
		switch field.Kind() {
		case reflect.String:
			x = text(x)
		case reflect.Slice:
			list, ok := x.([]any)
			if !ok {
				list = []any{x}
			}
			texts := make([]any, len(list))
			for n, e := range list {
				texts[n] = text(e)
			}
			x = texts
		}
		line, err := json.Marshal(x)
		if err == nil {
			d := json.NewDecoder(bytes.NewReader(line))
			err = d.Decode(field.Addr().Interface())
		}
		if err != nil || x == nil {
			want := map[reflect.Kind]string{reflect.String: "a text or number", reflect.Bool: "true or false", reflect.Slice: "a list of texts",
				reflect.Float64: "a number"}[field.Kind()]
			if want == "" {
				want = "a whole number"
			}
			return Policy{}, &FieldError{Field: name, Text: i18n.T("%s: want %s", name, i18n.Term(want))}
		}
	}
	return p, nil
}

// text returns a number as text, and anything else as it is.
func text(x any) any {
	switch x := x.(type) {
	case int64:
		return strconv.FormatInt(x, 10)
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case json.Number:
		return x.String()
	}
	return x
}
