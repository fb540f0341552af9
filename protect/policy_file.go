package protect

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
	"github.com/hitoku/hitoku/internal/option"
)

// Read reads a policy and the Change beside it: JSON if the file's name ends in .json, else TOML. An unknown field, or
// a value that the field may not have, is an error that names it. A text may be written as a number, and a list with
// one element as that element. Errors begin with the file's name.
func Read(r io.Reader, file string) (Policy, Change, error) {
	var p Policy
	var c Change
	keys := map[string]any{}
	var err error
	if asJSON(file) {
		err = readJSON(budget.Reader(r, budget.Settings), &keys)
	} else if _, err = budget.DecodeTOML(r, &keys); err != nil {
		if fault, ok := errors.AsType[*budget.TOMLError](err); ok {
			return p, c, fault.In(file)
		}
	}
	if err == nil {
		err = fill(append(p.Fields(), c.Fields()...), keys)
	}
	if err != nil {
		return Policy{}, Change{}, i18n.Errorf("%s: %w", file, err)
	}
	return p, c, nil
}

// Write writes the fields of p and c that differ from their defaults, in order, in the format of the file's name.
func Write(w io.Writer, file string, p Policy, c Change) error {
	fields := append(p.Fields(), c.Fields()...)
	if asJSON(file) {
		text, err := inJSON(fields)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := json.Indent(&b, text, "", "  "); err != nil {
			return err
		}
		b.WriteByte('\n')
		_, err = w.Write(b.Bytes())
		return err
	}
	e := toml.NewEncoder(w)
	for k := range fields {
		if texts := fields[k].Texts(); texts != nil {
			if err := e.Encode(map[string]any{fields[k].Name: plain(&fields[k], texts)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// MarshalJSON returns the fields of p that Write would write, as a JSON object.
func (p Policy) MarshalJSON() ([]byte, error) { return inJSON(p.Fields()) }

// UnmarshalJSON reads such an object.
func (p *Policy) UnmarshalJSON(text []byte) error {
	keys := map[string]any{}
	if err := readJSON(bytes.NewReader(text), &keys); err != nil {
		return err
	}
	*p = Policy{}
	return fill(p.Fields(), keys)
}

func asJSON(file string) bool { return strings.EqualFold(filepath.Ext(file), ".json") }

// readJSON reads one JSON object into keys.
func readJSON(r io.Reader, keys *map[string]any) error {
	d := json.NewDecoder(r)
	d.UseNumber()
	if err := d.Decode(keys); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return i18n.New("want one JSON object and nothing behind it")
	}
	return nil
}

// inJSON returns the fields that differ from their defaults as one JSON object.
func inJSON(fields []option.Option) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for k := range fields {
		texts := fields[k].Texts()
		if texts == nil {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Quote(fields[k].Name) + ":")
		if err := e.Encode(plain(&fields[k], texts)); err != nil {
			return nil, err
		}
	}
	return []byte("{" + b.String() + "}"), nil
}

// plain returns the value of a field as files hold it.
func plain(f *option.Option, texts []string) any {
	switch to := f.To.(type) {
	case *bool:
		return *to
	case *int:
		return *to
	case *int64:
		return *to
	case *float64:
		return *to
	case *[]string, option.List:
		return texts
	}
	return texts[0]
}

// fill sets fields from keys.
func fill(fields []option.Option, keys map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		k := slices.IndexFunc(fields, func(f option.Option) bool { return f.Name == name })
		if k < 0 {
			return &FieldError{Field: name, Text: i18n.T("%s: no field of a policy%s; the fields are %s", name, near.Hint(name, fieldNames(fields), ""), i18n.Names("", fieldNames(fields)))}
		}
		if err := take(&fields[k], keys[name]); err != nil {
			return err
		}
	}
	return nil
}

// take sets a field from the value of a key.
func take(f *option.Option, x any) error {
	want := "a text or number"
	list, ok := texts(x)
	switch f.To.(type) {
	case *bool:
		want = "true or false"
	case *float64:
		want = "a number"
	case *int, *int64:
		want = "a whole number"
	case *[]string, option.List:
		want = "a list of texts"
	default:
		_, several := x.([]any)
		if ok = ok && !several; ok && list[0] == "" {
			list = nil
		}
	}
	var err error
	switch to := f.To.(type) {
	case *bool, *float64, *int, *int64:
		line, none := json.Marshal(x)
		ok = none == nil && x != nil && json.Unmarshal(line, to) == nil
	case *string:
		*to = strings.Join(list, "")
	case *[]string:
		*to = list
	default:
		if ok {
			err = f.Put(list...)
		}
	}
	switch {
	case !ok:
		return &FieldError{Field: f.Name, Text: i18n.T("%s: want %s", named(f.Name), i18n.Term(want))}
	case err == nil:
		return nil
	}
	value := strings.Join(list, " ")
	said := i18n.T("%s", err).Without(strconv.Quote(value))
	if strings.ContainsAny(value, " \t\r\n\"") || value == "" {
		value = strconv.Quote(value)
	}
	return &FieldError{Field: f.Name, Text: i18n.T("%s %s: %s", named(f.Name), value, said), Err: err}
}

// texts returns a text, a number or a list of these as a list of texts.
func texts(x any) ([]string, bool) {
	switch x := x.(type) {
	case string:
		return []string{x}, true
	case int64:
		return []string{strconv.FormatInt(x, 10)}, true
	case float64:
		return []string{strconv.FormatFloat(x, 'f', -1, 64)}, true
	case json.Number:
		return []string{x.String()}, true
	case []any:
		var all []string
		for _, e := range x {
			one, ok := texts(e)
			if !ok || len(one) != 1 {
				return nil, false
			}
			all = append(all, one[0])
		}
		return all, true
	}
	return nil, false
}
