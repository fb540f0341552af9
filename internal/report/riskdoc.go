package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
)

// An object is a struct of package document as its keys in order. The value of an Opt or a pointer is what it
// contains, nil for null. A key that the JSON leaves out is left out here, too.
type object struct {
	keys   []string
	values map[string]any
}

// objectOf lists the keys of a struct; those of embedded structs take the place of these.
func objectOf(v reflect.Value) *object {
	o := &object{values: map[string]any{}}
	o.add(v)
	return o
}

func (o *object) add(v reflect.Value) {
	for f, x := range v.Fields() {
		key, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && x.Kind() == reflect.Pointer:
			if !x.IsNil() {
				o.add(x.Elem())
			}
		case f.Anonymous && key == "":
			o.add(x)
		case strings.HasPrefix(option, "omit") && x.IsZero():
		default:
			o.keys = append(o.keys, key)
			o.values[key] = valueOf(x)
		}
	}
}

func valueOf(x reflect.Value) any {
	if x.Kind() == reflect.Pointer {
		if x.IsNil() {
			return nil
		}
		x = x.Elem()
	}
	v := x.Interface()
	if opt, ok := v.(interface{ Any() (any, bool) }); ok {
		if v, ok = opt.Any(); !ok {
			return nil
		}
	}
	return v
}

// is reports whether the key is present.
func (o *object) is(key string) bool {
	_, ok := o.values[key]
	return ok
}

// has reports whether the key is present and not null.
func (o *object) has(key string) bool { return o.values[key] != nil }

// text returns the string of a key, "" if there is none.
func (o *object) text(key string) string {
	s, _ := o.values[key].(string)
	return s
}

// texts returns the strings in the list of a key.
func (o *object) texts(key string) []string {
	s, _ := o.values[key].([]string)
	return s
}

// A RiskDocument is the JSON document that a verb of hitoku risk has printed.
type RiskDocument struct {
	Metric, Status string
	*object
	measured document.Measured
	place    string // file and number, for errors
}

func (r *RiskDocument) limits() []document.Limit { return r.measured.Asked() }

// A RiskVerdict is whether a document keeps its limits.
type RiskVerdict int

// The verdicts. RiskOpen means that there were no records, so nothing is known.
const (
	RiskUnjudged RiskVerdict = iota // no limit was given
	RiskKept
	RiskOpen
	RiskBroken
)

// ReadRisk reads a file with one document, or several after each other. Errors name the file and the number of
// the document.
func ReadRisk(path string, text []byte) ([]*RiskDocument, error) {
	var all []*RiskDocument
	d := json.NewDecoder(bytes.NewReader(text))
	for n := 1; ; n++ {
		doc := &RiskDocument{place: fmt.Sprintf("%s: document %d", path, n)}
		var raw json.RawMessage
		if err := d.Decode(&raw); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, i18n.Errorf("%s: no JSON: %w", doc.place, err)
		}
		if err := doc.read(raw); err != nil {
			return nil, i18n.Errorf("%s: %w", doc.place, err)
		}
		all = append(all, doc)
	}
	if all == nil {
		return nil, i18n.Errorf("%s: no document", path)
	}
	return all, nil
}

func (r *RiskDocument) read(raw json.RawMessage) error {
	var head struct{ Schema, Metric, Status, Model string }
	if json.Unmarshal(raw, &head) != nil || head.Metric == "" || head.Status == "" {
		return i18n.New("not what hitoku risk --json prints, which has the keys metric and status")
	}
	r.Metric, r.Status = head.Metric, head.Status
	if _, ok := riskMetrics[r.Metric]; !ok {
		return i18n.Errorf("unknown metric %q; known are %s", r.Metric, strings.Join(slices.Sorted(maps.Keys(riskMetrics)), ", "))
	}
	if !slices.Contains([]string{"ok", "infeasible", "empty"}, r.Status) {
		return i18n.Errorf("unknown status %q; known are ok, infeasible, empty", r.Status)
	}
	if m := head.Model; m != "" && riskMetrics[r.Metric].models != nil && !slices.Contains(riskMetrics[r.Metric].models, m) {
		return i18n.Errorf("unknown model %q of %s; known are %s", m, r.Metric, strings.Join(riskMetrics[r.Metric].models, ", "))
	}
	kind, err := r.kind(raw, head.Schema)
	if err != nil {
		return err
	}
	doc := document.New(kind)
	if err := document.Read(raw, doc); err != nil {
		return riskFault(raw, kind, err)
	}
	r.measured = doc.(document.Measured)
	r.object = objectOf(reflect.ValueOf(doc).Elem())
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		return err
	}
	r.keys = slices.DeleteFunc(r.keys, func(key string) bool { // keys that were added to this version of the kind later
		_, ok := given[key]
		if !ok {
			delete(r.values, key)
		}
		return !ok
	})
	return nil
}

// kind returns the kind that the key schema names. For a document from before there were versions it is the
// first kind with its metric all of whose keys it has.
func (r *RiskDocument) kind(raw json.RawMessage, schema string) (string, error) {
	kinds := riskMetrics[r.Metric].kinds
	if kinds == nil {
		kinds = []string{"risk-" + strings.ReplaceAll(r.Metric, "_", "-")}
	}
	if schema != "" {
		for _, kind := range kinds {
			if strings.HasPrefix(schema, "hitoku/"+kind+"/") {
				return kind, nil
			}
		}
		return "", i18n.Errorf("key schema: %q: no document of %s", schema, r.Metric)
	}
	for _, kind := range kinds {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		if err := d.Decode(document.New(kind)); err == nil || !strings.Contains(err.Error(), "unknown field") {
			return kind, nil
		}
	}
	return kinds[0], nil
}

// riskWants says what those keys must contain that other programs may well write.
var riskWants = map[string]string{
	"limits":          "a list of objects with limit, want, got and met",
	"histogram":       "a list of objects with numbers of classes and records",
	"delta_histogram": "a list of objects with numbers of classes and records",
	"worst":           "a list of objects",
	"attributes":      "a list of objects",
	"sizes":           "a list of objects",
	"qi":              "a list of texts",
	"files":           "a list of texts",
}

// riskFault returns an error that names the key because of which a document cannot be read.
func riskFault(raw json.RawMessage, kind string, err error) error {
	var keys map[string]json.RawMessage
	if json.Unmarshal(raw, &keys) != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		one, _ := json.Marshal(map[string]json.RawMessage{key: keys[key]})
		if json.Unmarshal(one, document.New(kind)) == nil {
			continue
		}
		if want := riskWants[key]; want != "" {
			return i18n.Errorf("key %s: want %s", key, i18n.Term(want))
		}
		return i18n.Errorf("key %s: not what hitoku risk --json prints there", key)
	}
	return err
}

// Verdict returns the verdict on the limits, on a target that was to be reached or on a test. It is never good
// if an identifier was left in.
func (r *RiskDocument) Verdict() RiskVerdict {
	switch unsafe := r.values["unsafe"]; {
	case r.Status == "empty":
		return RiskOpen
	case r.Status == "infeasible" || unsafe == document.Unsafe(true) || r.broken():
		return RiskBroken
	case len(r.limits()) > 0 || unsafe == document.Unsafe(false) || r.has("target_k"):
		switch {
		case r.identified():
			return RiskBroken
		case slices.ContainsFunc(r.limits(), func(l document.Limit) bool { return l.Open }):
			return RiskOpen
		}
		return RiskKept
	}
	return RiskUnjudged
}

// broken reports whether some limit is not kept.
func (r *RiskDocument) broken() bool {
	return slices.ContainsFunc(r.limits(), func(l document.Limit) bool { return !l.Met && !l.Open })
}

// identified reports whether a column was found that identifies the persons of the records.
func (r *RiskDocument) identified() bool { return len(r.texts("identifiers")) > 0 }

// Files returns the files that the document names, with the role of each: data, population, aux, matrix or
// release.
func (r *RiskDocument) Files() []Source {
	var all []Source
	for _, f := range []struct{ key, kind string }{{"files", "data"}, {"population_files", "population"}, {"aux_files", "aux"}} {
		for _, path := range r.texts(f.key) {
			all = append(all, Source{Kind: f.kind, File: path})
		}
	}
	if path := r.text("file"); path != "" {
		kind := "data"
		if r.Metric == "matrix" {
			kind = "matrix"
		}
		all = append(all, Source{Kind: kind, File: path})
	}
	for _, kind := range []string{"original", "release", "control", "known"} {
		if path := r.text(kind); path != "" {
			all = append(all, Source{Kind: kind, File: path})
		}
	}
	if path := r.text("output"); path != "" && r.values["written"] == true {
		all = append(all, Source{Kind: "release", File: path})
	}
	return all
}

// data returns the names of the data files, by which documents about the same data are recognised.
func (r *RiskDocument) data() string {
	var all []string
	for _, f := range r.Files() {
		if f.Kind == "data" {
			all = append(all, f.File)
		}
	}
	return strings.Join(all, ", ")
}
