package protect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// ReadTOML reads a policy. What is no field, or has another type, is an error that names it; a text
// may be written as a number, and a list of one as its element.
func ReadTOML(r io.Reader) (Policy, error) {
	keys := map[string]any{}
	if _, err := toml.NewDecoder(r).Decode(&keys); err != nil {
		var fault toml.ParseError
		if errors.As(err, &fault) {
			return Policy{}, fmt.Errorf("%d:%d: %s", fault.Position.Line, max(1, fault.Position.Col), strings.TrimPrefix(fault.Message, "toml: "))
		}
		return Policy{}, err
	}
	return fromKeys(keys)
}

// ReadJSON is ReadTOML of one JSON object.
func ReadJSON(r io.Reader) (Policy, error) {
	keys := map[string]any{}
	d := json.NewDecoder(r)
	d.UseNumber()
	if err := d.Decode(&keys); err != nil {
		return Policy{}, err
	}
	if _, err := d.Token(); err != io.EOF {
		return Policy{}, errors.New("want one JSON object and nothing behind it")
	}
	return fromKeys(keys)
}

// WriteTOML writes the fields of p that are not zero, in their order.
func (p Policy) WriteTOML(w io.Writer) error { return toml.NewEncoder(w).Encode(p) }

// WriteJSON does it as one JSON object.
func (p Policy) WriteJSON(w io.Writer) error {
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
			return Policy{}, &FieldError{Field: name, Text: name + ": no field of a policy; the fields are " + strings.Join(Fields(), ", ")}
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
			return Policy{}, &FieldError{Field: name, Text: fmt.Sprintf("%s: want %s", name, want)}
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
