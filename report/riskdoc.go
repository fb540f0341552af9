package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// An object is a JSON object whose keys keep their order.
type object struct {
	keys   []string
	values map[string]json.RawMessage
}

// UnmarshalJSON reads an object; a key that comes twice is an error.
func (o *object) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.New("want an object")
	}
	o.keys, o.values = nil, map[string]json.RawMessage{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return err
		}
		key := t.(string) // the only token where a key is due
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return err
		}
		if o.values[key] != nil {
			return fmt.Errorf("key %s: comes twice", key)
		}
		o.keys = append(o.keys, key)
		o.values[key] = v
	}
	return nil
}

// has says that the key is there and not null.
func (o *object) has(key string) bool {
	v := o.values[key]
	return v != nil && string(v) != "null"
}

// text is the string that the key has, "" for none.
func (o *object) text(key string) string {
	var s string
	if json.Unmarshal(o.values[key], &s) != nil {
		return ""
	}
	return s
}

// texts are the strings of the list that the key has.
func (o *object) texts(key string) []string {
	var s []string
	if json.Unmarshal(o.values[key], &s) != nil {
		return nil
	}
	return s
}

// A RiskDocument is what a verb of hitoku risk printed as JSON.
type RiskDocument struct {
	Metric, Status string
	object
	place  string // for errors
	limits []riskLimit
}

// A riskLimit is a limit that was asked for, as the document has it.
type riskLimit struct {
	Limit     string
	Want, Got json.RawMessage
	Met       bool
}

// A RiskVerdict is what a document says of its limits.
type RiskVerdict int

// Verdicts. RiskOpen: there were no records, so nothing is known.
const (
	RiskUnjudged RiskVerdict = iota // nothing was asked for
	RiskKept
	RiskOpen
	RiskBroken
)

// ReadRisk reads a file of one document or of several, one after the other. Errors name
// the file and the number of the document.
func ReadRisk(path string, text []byte) ([]*RiskDocument, error) {
	var all []*RiskDocument
	d := json.NewDecoder(bytes.NewReader(text))
	for n := 1; ; n++ {
		doc := &RiskDocument{place: fmt.Sprintf("%s: document %d", path, n)}
		var raw json.RawMessage
		if err := d.Decode(&raw); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("%s: no JSON: %w", doc.place, err)
		}
		if err := doc.read(raw); err != nil {
			return nil, fmt.Errorf("%s: %w", doc.place, err)
		}
		all = append(all, doc)
	}
	if all == nil {
		return nil, fmt.Errorf("%s: no document", path)
	}
	return all, nil
}

func (r *RiskDocument) read(raw json.RawMessage) error {
	if err := json.Unmarshal(raw, &r.object); err != nil || r.text("metric") == "" || r.text("status") == "" {
		return errors.New("not what hitoku risk --json prints, which has the keys metric and status")
	}
	r.Metric, r.Status = r.text("metric"), r.text("status")
	if _, ok := riskMetrics[r.Metric]; !ok {
		return fmt.Errorf("unknown metric %q; known are %s", r.Metric, strings.Join(slices.Sorted(maps.Keys(riskMetrics)), ", "))
	}
	if !slices.Contains([]string{"ok", "infeasible", "empty"}, r.Status) {
		return fmt.Errorf("unknown status %q; known are ok, infeasible, empty", r.Status)
	}
	if r.has("limits") {
		if err := json.Unmarshal(r.values["limits"], &r.limits); err != nil {
			return errors.New("key limits: want a list of objects with limit, want, got and met")
		}
	}
	if m := r.text("model"); m != "" && riskMetrics[r.Metric].models[0] != "" && !slices.Contains(riskMetrics[r.Metric].models, m) {
		return fmt.Errorf("unknown model %q of %s; known are %s", m, r.Metric, strings.Join(riskMetrics[r.Metric].models, ", "))
	}
	return nil
}

// Verdict is that of the limits, of a target that was to be reached or of a test. None is
// good beside an identifier that was left in.
func (r *RiskDocument) Verdict() RiskVerdict {
	switch unsafe := string(r.values["unsafe"]); {
	case r.Status == "empty":
		return RiskOpen
	case r.Status == "infeasible" || unsafe == "true" || slices.ContainsFunc(r.limits, func(l riskLimit) bool { return !l.Met }):
		return RiskBroken
	case len(r.limits) > 0 || unsafe == "false" || r.has("target_k"):
		if r.identified() {
			return RiskBroken
		}
		return RiskKept
	}
	return RiskUnjudged
}

// identified says that a column was found that tells who the records are.
func (r *RiskDocument) identified() bool { return len(r.texts("identifiers")) > 0 }

// Files are those that the document names, with the part each has: data, population,
// aux, matrix or release.
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
	if path := r.text("output"); path != "" && string(r.values["written"]) == "true" {
		all = append(all, Source{Kind: "release", File: path})
	}
	return all
}

// data are the names of the data files, which documents about the same data share.
func (r *RiskDocument) data() string {
	var all []string
	for _, f := range r.Files() {
		if f.Kind == "data" {
			all = append(all, f.File)
		}
	}
	return strings.Join(all, ", ")
}
