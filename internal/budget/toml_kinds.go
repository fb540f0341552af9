package budget

import (
	"encoding"
	"reflect"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/hitoku/hitoku/internal/i18n"
)

// misfit returns the first key of a decoded tree whose value is of another kind than the field for it, and what
// is wanted there. The decoder ignores any other value where a table is wanted, so that options = 3 would
// silently mean no options.
func misfit(t reflect.Type, v any, key string) (at string, want i18n.Text) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() == reflect.Interface || reads(t) {
		return "", want
	}
	fits := true
	switch t.Kind() {
	case reflect.String:
		_, fits = v.(string)
		want = i18n.T("want a text in quotes")
	case reflect.Bool:
		_, fits = v.(bool)
		want = i18n.T("want true or false")
	case reflect.Slice:
		var list []any
		switch v := v.(type) {
		case []any:
			list = v
		case []map[string]any:
			for _, x := range v {
				list = append(list, x)
			}
		default:
			fits = false
		}
		want = i18n.T("want a list in brackets")
		for _, x := range list {
			if at, want := misfit(t.Elem(), x, key); at != "" {
				return at, want
			}
		}
	case reflect.Map, reflect.Struct:
		var keys map[string]any
		keys, fits = v.(map[string]any)
		want = i18n.T("want keys with values below it")
		if t.Kind() == reflect.Map || !fits {
			break
		}
		for k := range t.NumField() {
			f := t.Field(k)
			name, _, _ := strings.Cut(f.Tag.Get("toml"), ",")
			for have, x := range keys {
				if have != name && (name != "" || !strings.EqualFold(have, f.Name)) {
					continue
				}
				if at, want := misfit(f.Type, x, strings.TrimPrefix(key+"."+have, ".")); at != "" {
					return at, want
				}
			}
		}
	}
	if fits {
		return "", i18n.Text{}
	}
	return key, want
}

// reads reports whether a type decodes its values itself.
func reads(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[toml.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}
