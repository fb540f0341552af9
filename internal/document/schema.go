package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// documents are one of each kind, in the order in which they are listed.
var documents = []any{
	Suppression{}, Rounding{}, Adjustment{}, Filled{}, Audit{}, Ledger{}, Links{}, Explanation{}, Attack{}, Verification{}, Attested{}, Tabulation{}, BatchResult{}, Migration{},
	KAnonymity{}, EntityAnonymity{}, SpecialUniques{}, LDiversity{}, TCloseness{}, Likeness{}, Generalise{}, Withhold{}, Releasing{}, Roles{},
	KMap{}, KMapRelative{}, KMapThinning{}, KMapPoisson{}, DeltaPresence{}, DeltaRelative{}, DeltaThinning{}, Survey{}, Uniques{},
	Sampling{}, Retention{}, Matrix{}, Noise{}, NoiseTarget{}, Mixed{}, Hits{}, HitsTable{}, HitsClass{}, CellRules{},
	PRAM{}, Laplace{}, Sample{}, SampleTarget{}, Microaggregation{}, RankSwap{},
	Comparison{}, Mixture{}, Posterior{}, Reconstruction{}, Hitlist{}, Summary{}, ColumnStatistics{}, History{},
	Perturbation{},
	Inspection{},
	Bench{}, BenchComparison{}, BenchLP{}, BenchRisk{}, Experiment{},
	Version{}, Problem{},
}

// Kinds returns the names of the kinds, without versions.
func Kinds() []string {
	var names []string
	for _, d := range documents {
		name, _, _ := strings.Cut(kindOf(reflect.TypeOf(d)), "/")
		names = append(names, name)
	}
	return names
}

// About says what documents of a kind are about, "" if there is no such kind.
func About(kind string) string {
	k := slices.Index(Kinds(), kind)
	if k < 0 {
		return ""
	}
	for _, f := range reflect.VisibleFields(reflect.TypeOf(documents[k])) {
		if f.Tag.Get("kind") != "" {
			return f.Tag.Get("doc")
		}
	}
	return ""
}

// Schema returns the JSON Schema (draft 2020-12) of a kind, indented; nil if there is no such kind.
func Schema(kind string) []byte {
	k := slices.Index(Kinds(), kind)
	if k < 0 {
		return nil
	}
	t := reflect.TypeOf(documents[k])
	n := describe(t)
	id := kindOf(t)
	n.Dialect, n.ID = "https://json-schema.org/draft/2020-12/schema", "urn:hitoku:"+strings.ReplaceAll(id, "/", ":")
	n.Title, n.Doc = prefix+id, About(kind)
	n.Properties.of["schema"].Const = prefix + id
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(n); err != nil {
		panic(fmt.Sprintf("%s: %v", kind, err)) // cannot happen: a schema is strings and lists
	}
	return b.Bytes()
}

// A node is a JSON Schema.
type node struct {
	Dialect    string      `json:"$schema,omitempty"`
	ID         string      `json:"$id,omitempty"`
	Title      string      `json:"title,omitempty"`
	Doc        string      `json:"description,omitempty"`
	Type       types       `json:"type,omitempty"`
	Const      string      `json:"const,omitempty"`
	Enum       []any       `json:"enum,omitempty"` // texts, with nil for null
	Pattern    string      `json:"pattern,omitempty"`
	Properties *properties `json:"properties,omitempty"`
	Required   []string    `json:"required,omitempty"`
	Values     *node       `json:"additionalProperties,omitempty"`
	Items      *node       `json:"items,omitempty"`
	MinItems   int         `json:"minItems,omitempty"`
	MaxItems   int         `json:"maxItems,omitempty"`
}

// types are the names of JSON types; a single one is written without a list.
type types []string

func (t types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t[0])
	}
	return json.Marshal([]string(t))
}

func (t *types) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*t = types{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(t))
}

// properties are the keys of an object in order.
type properties struct {
	names []string
	of    map[string]*node
}

func (p *properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range p.names {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:", name)
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(p.of[name]); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func (p *properties) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &p.of) }

var exactType, rationalType = reflect.TypeFor[Exact](), reflect.TypeFor[Rational]()

// describe returns the schema of a type.
func describe(t reflect.Type) *node {
	switch t {
	case exactType:
		return &node{Type: types{"number", "string", "null"}, Pattern: fractionPattern}
	case rationalType:
		return &node{Type: types{"string"}, Pattern: `^-?[0-9]+(/[0-9]+)?$`}
	}
	zero := reflect.Zero(t).Interface()
	if o, ok := zero.(interface{ inner() any }); ok {
		return orNull(describe(reflect.TypeOf(o.inner())))
	}
	n := &node{}
	if e, ok := zero.(interface{ enum() []string }); ok {
		n.Enum = anyOf(e.enum())
	}
	switch t.Kind() {
	case reflect.Pointer:
		return orNull(describe(t.Elem()))
	case reflect.String:
		n.Type = types{"string"}
	case reflect.Bool:
		n.Type = types{"boolean"}
	case reflect.Int, reflect.Int64, reflect.Uint64:
		n.Type = types{"integer"}
	case reflect.Float64:
		n.Type = types{"number"}
	case reflect.Slice:
		of := t.Elem()
		if of.Kind() == reflect.Pointer { // an element is never null
			of = of.Elem()
		}
		n.Type, n.Items = types{"array"}, describe(of)
	case reflect.Array:
		n.Type, n.Items, n.MinItems, n.MaxItems = types{"array"}, describe(t.Elem()), t.Len(), t.Len()
	case reflect.Map:
		n.Type, n.Values = types{"object"}, describe(t.Elem())
	case reflect.Struct:
		n.Type, n.Properties = types{"object"}, &properties{of: map[string]*node{}}
		n.fields(t)
		if d, ok := zero.(interface{ drop(*node) }); ok {
			d.drop(n)
		}
	default:
		panic(fmt.Sprintf("no schema for %s", t)) // a programming error
	}
	return n
}

// orNull allows null in addition.
func orNull(n *node) *node {
	if !slices.Contains(n.Type, "null") {
		n.Type = append(n.Type, "null")
		if n.Enum != nil {
			n.Enum = append(n.Enum, nil)
		}
	}
	return n
}

func anyOf(words []string) []any {
	list := make([]any, len(words))
	for k, w := range words {
		list[k] = w
	}
	return list
}

// fields adds the fields of a struct; those of embedded structs take the place of these.
func (n *node) fields(t reflect.Type) {
	for f := range t.Fields() {
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			if f.Type.Kind() != reflect.Pointer {
				n.fields(f.Type)
				continue
			}
			required := slices.Clip(n.Required)
			n.fields(f.Type.Elem())
			n.Required = required // the keys of an optional struct may be absent
			continue
		case !f.IsExported() || name == "-":
			continue
		}
		p := describe(f.Type)
		left := strings.HasPrefix(option, "omit")
		if left && f.Type.Kind() == reflect.Pointer {
			p = describe(f.Type.Elem()) // the field is omitted rather than null
		}
		p.Doc = f.Tag.Get("doc")
		if words := f.Tag.Get("enum"); words != "" {
			null := slices.Contains(p.Type, "null")
			if p.Enum = anyOf(strings.Split(words, ",")); null {
				p.Enum = append(p.Enum, nil)
			}
		}
		if f.Tag.Get("null") != "" {
			orNull(p)
		}
		if n.Properties.of[name] != nil { // a field of an embedded struct, which this one hides
			n.Properties.names = slices.DeleteFunc(n.Properties.names, func(s string) bool { return s == name })
			n.Required = slices.DeleteFunc(n.Required, func(s string) bool { return s == name })
		}
		n.Properties.names = append(n.Properties.names, name)
		n.Properties.of[name] = p
		if !left {
			n.Required = append(n.Required, name)
		}
	}
}
