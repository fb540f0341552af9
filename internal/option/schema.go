package option

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Schema returns the JSON Schema (draft 2020-12) of a file of options. Every key may be left out, and 0, "" and
// false mean the same; a text may be written as a number, and a list of one as its element. What an option
// needs or excludes is only told in words, because an option that is spelled out with its default value needs
// and excludes nothing.
func Schema(kind, about string, options []Option) []byte {
	properties := object{}
	for k := range options {
		properties.add(options[k].Name, options[k].schema())
	}
	all := object{}
	all.add("$schema", "https://json-schema.org/draft/2020-12/schema")
	all.add("$id", "urn:hitoku:"+strings.ReplaceAll(kind, "/", ":"))
	all.add("title", "hitoku/"+kind)
	all.add("description", about)
	all.add("type", "object")
	all.add("properties", &properties)
	all.add("additionalProperties", false)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(&all); err != nil {
		panic(fmt.Sprintf("%s: %v", kind, err)) // cannot happen: a schema is strings and numbers
	}
	return b.Bytes()
}

// schema returns the schema of one option.
func (o *Option) schema() *object {
	s := &object{}
	s.add("description", o.told())
	texts := []string{"string", "number"}
	switch o.To.(type) {
	case *bool:
		s.add("type", "boolean")
	case *int, *int64:
		s.add("type", "integer")
		o.bounds(s)
	case *float64:
		s.add("type", "number")
		o.bounds(s)
	case *[]string, List:
		s.add("type", append(texts, "array"))
		s.add("items", map[string]any{"type": texts})
	default:
		if s.add("type", texts); o.From != nil {
			s.add("enum", append([]string{""}, o.From...))
		} else if o.Offer != nil {
			s.add("examples", o.Offer)
		}
	}
	if o.Default != nil {
		s.add("default", o.Default)
	}
	return s
}

// told says what the option does, needs and excludes.
func (o *Option) told() string {
	text := strings.ReplaceAll(o.Text, "`", "")
	if o.Else != "" {
		text += " (default: " + o.Else + ")"
	}
	add := func(words, between string, names []string) {
		if names != nil {
			text += "; " + words + " " + strings.ReplaceAll(strings.Join(names, between), "=", " ")
		}
	}
	add("with", " and ", o.Needs)
	add("with", " or ", o.One)
	add("not with", ", ", o.Excludes)
	for _, x := range o.Clashes {
		words := "not with"
		if x.If != "" {
			words = x.If + " not with"
		}
		add(words, "", []string{x.With})
	}
	return text
}

// bounds adds the range of a number to its schema.
func (o *Option) bounds(s *object) {
	if o.Range == "" {
		return
	}
	low, high, _ := strings.Cut(o.Range[1:len(o.Range)-1], ", ")
	inside := &object{}
	for _, end := range []struct {
		name, text string
		open       bool
	}{{"inimum", low, o.Range[0] == '('}, {"aximum", high, o.Range[len(o.Range)-1] == ')'}} {
		x, err := strconv.ParseFloat(end.text, 64)
		switch {
		case err != nil: // the end is ∞
		case end.open:
			inside.add("exclusiveM"+end.name, x)
		default:
			inside.add("m"+end.name, x)
		}
	}
	s.add("anyOf", []any{inside, map[string]any{"const": 0}})
}

// An object is a JSON object with its keys in order.
type object struct {
	keys   []string
	values []any
}

func (o *object) add(key string, value any) {
	o.keys, o.values = append(o.keys, key), append(o.values, value)
}

func (o *object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for k, key := range o.keys {
		b.WriteString(map[bool]string{true: "{", false: ","}[k == 0] + strconv.Quote(key) + ":")
		if err := e.Encode(o.values[k]); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
