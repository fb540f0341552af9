package beam

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/risk"
)

// A document has the keys of hitoku risk … --json, in their order. A test compares the
// two byte by byte.
type document struct{ b bytes.Buffer }

// add adds a result. A *big.Rat is a string like "1/4" with a second key for its
// float, both null for a nil one.
func (d *document) add(key string, value any) error {
	r, rational := value.(*big.Rat)
	if rational {
		if value = nil; r != nil {
			value = r.RatString()
		}
	}
	if d.b.Len() > 0 {
		d.b.WriteByte(',')
	}
	fmt.Fprintf(&d.b, "%q:", key)
	e := json.NewEncoder(&d.b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return err
	}
	d.b.Truncate(d.b.Len() - 1) // the encoder's newline
	if rational {
		return d.add(key+"_float", number(r))
	}
	return nil
}

// pairs adds keys with their values.
func (d *document) pairs(list ...any) error {
	for k := 0; k < len(list); k += 2 {
		if err := d.add(list[k].(string), list[k+1]); err != nil {
			return err
		}
	}
	return nil
}

// orNull is null where no record defines a number.
func orNull[T any](defined bool, x T) any {
	if !defined {
		return nil
	}
	return x
}

// Document is the JSON document of a result without fault, on one line.
func (j *Job) Document(r Result) ([]byte, error) {
	d := &document{}
	metric := strings.ReplaceAll(string(j.Metric), "-", "_")
	fill := func() error { return j.sensitiveDocument(d, r) }
	switch {
	case r.Entities != nil:
		metric = "k_anonymity_entity"
		fill = func() error { return j.entityDocument(d, r.Entities) }
	case j.Metric == KAnonymity:
		fill = func() error { return j.classDocument(d, r.KAnonymity) }
	case r.KMap != nil:
		fill = func() error { return j.populationDocument(d, r.KMap) }
	}
	status := "ok"
	if r.Empty() {
		status = "empty"
	}
	if err := d.pairs("metric", metric, "status", status, "files", j.Files, "qi", j.QI); err != nil {
		return nil, err
	}
	if err := fill(); err != nil {
		return nil, err
	}
	return slices.Concat([]byte{'{'}, d.b.Bytes(), []byte("}\n")), nil
}

// missing are what was missing and how that was understood.
func (j *Job) missing(d *document, k *risk.KAnonymity) error {
	return d.pairs("missing", k.Missing, "missing_markers", j.Missing.Markers,
		"excluded", k.Excluded, "with_missing", k.WithMissing, "all_missing", k.AllMissing)
}

func (j *Job) classDocument(d *document, k *risk.KAnonymity) error {
	some := k.Records > 0
	if err := d.pairs("k", orNull(some, k.K), "records", k.Records, "classes", k.Classes,
		"max_class", orNull(some, k.MaxClass), "sample_uniques", k.Uniques); err != nil {
		return err
	}
	if err := j.missing(d, k); err != nil {
		return err
	}
	if err := d.pairs("prosecutor_max_risk", orNull(some, k.MaxRisk), "average_risk", orNull(some, k.AverageRisk),
		"expected_reidentifications", k.Reidentified, "histogram", k.Histogram); err != nil || j.Worst == 0 {
		return err
	}
	return d.add("worst", k.Worst)
}

func (j *Job) entityDocument(d *document, e *Entities) error {
	k, rows := e.Sets, e.Rows
	some := k.Records > 0
	if err := d.pairs("entity", j.Entity, "k", orNull(some, k.K), "entities", k.Records, "rows", rows.Records, "classes", k.Classes,
		"max_class", orNull(some, k.MaxClass), "uniques", k.Uniques, "without_id", e.WithoutID); err != nil {
		return err
	}
	if err := j.missing(d, rows); err != nil {
		return err
	}
	type bar struct {
		Size     uint64 `json:"size"`
		Classes  uint64 `json:"classes"`
		Entities uint64 `json:"entities"`
	}
	bars := []bar{}
	for _, s := range k.Histogram {
		bars = append(bars, bar{s.Size, s.Classes, s.Records})
	}
	return d.pairs("row_level_k", orNull(some, rows.K), "distinct_entities_per_tuple_min", orNull(some, e.Shared.K), "histogram", bars)
}

func (j *Job) sensitiveDocument(d *document, r Result) error {
	k := r.KAnonymity
	some := k.Records > 0
	if err := d.pairs("records", k.Records, "classes", k.Classes, "k", orNull(some, k.K)); err != nil {
		return err
	}
	if err := j.missing(d, k); err != nil {
		return err
	}
	how := "ignore"
	if j.OwnSensitive {
		how = "own"
	}
	if err := d.add("missing_sensitive", how); err != nil {
		return err
	}
	if j.Metric == TCloseness {
		return closenessDocument(d, r.TCloseness)
	}
	return diversityDocument(d, some, r.LDiversity)
}

// text and number are a rational number as such and rounded, nil for none.
func text(x *big.Rat) any {
	if x == nil {
		return nil
	}
	return x.RatString()
}

func number(x *big.Rat) any {
	if x == nil {
		return nil
	}
	f, _ := x.Float64()
	return f
}

// greater returns the greater one; nil is less than any.
func greater(x, y *big.Rat) *big.Rat {
	if x == nil || y != nil && x.Cmp(y) < 0 {
		return y
	}
	return x
}

func diversityDocument(d *document, some bool, all []*risk.LDiversity) error {
	type recursive struct {
		L       uint64 `json:"l"`
		Infimum any    `json:"c_infimum"`
	}
	type attribute struct {
		Attribute     string                `json:"attribute"`
		Distinct      any                   `json:"distinct_l"`
		Entropy       any                   `json:"entropy_l"`
		Alpha         any                   `json:"alpha"`
		AlphaFloat    any                   `json:"alpha_float"`
		Recursive     []recursive           `json:"recursive"`
		Histogram     map[string]uint64     `json:"distinct_l_histogram"`
		MissingValues uint64                `json:"missing_values"`
		Worst         []risk.ClassDiversity `json:"worst,omitempty"`
	}
	var list []attribute
	distinct, entropy := all[0].Distinct, all[0].Entropy
	var alpha *big.Rat
	for _, r := range all {
		x := attribute{r.Attribute, orNull(r.Classes > 0, r.Distinct), orNull(r.Classes > 0, r.Entropy), text(r.Alpha), number(r.Alpha), nil, map[string]uint64{}, r.MissingValues, r.Worst}
		for n, classes := range r.Histogram {
			x.Histogram[strconv.FormatUint(n, 10)] = classes
		}
		for _, c := range r.Recursive {
			x.Recursive = append(x.Recursive, recursive{c.L, text(c.Infimum)})
		}
		list = append(list, x)
		distinct, entropy, alpha = min(distinct, r.Distinct), min(entropy, r.Entropy), greater(alpha, r.Alpha)
	}
	return d.pairs("distinct_l", orNull(some, distinct), "entropy_l", orNull(some, entropy), "alpha", alpha, "attributes", list)
}

func closenessDocument(d *document, all []*risk.TCloseness) error {
	type attribute struct {
		Attribute     string               `json:"attribute"`
		Distance      risk.Distance        `json:"distance"`
		T             any                  `json:"t"`
		TFloat        any                  `json:"t_float"`
		Values        uint64               `json:"distinct_values"`
		MissingValues uint64               `json:"missing_values"`
		Worst         []risk.ClassDistance `json:"worst,omitempty"`
	}
	var list []attribute
	var t *big.Rat
	for _, r := range all {
		list = append(list, attribute{r.Attribute, r.Distance, text(r.T), number(r.T), r.Values, r.MissingValues, r.Worst})
		t = greater(t, r.T)
	}
	return d.pairs("t", t, "attributes", list)
}

func (j *Job) populationDocument(d *document, r *risk.KMap) error {
	if err := d.pairs("model", "attack_table", "population_files", j.Population, "wildcards", []string{}); err != nil {
		return err
	}
	k := []any{"k_map", orNull(r.Records > 0, r.K)}
	delta := []any{"delta_max", nil, "delta_min", nil}
	if p := r.Presence; p != nil {
		delta[1], delta[3] = p.Max, p.Min
	}
	lead := slices.Concat(k, delta)
	if j.Metric == DeltaPresence {
		lead = slices.Concat(delta, k)
	}
	if err := d.pairs(lead...); err != nil {
		return err
	}
	if err := d.pairs("records", r.Records, "tuples", r.Classes, "population", r.Population, "population_unmatched", r.Unmatched, "suppressed", r.Suppressed,
		"tuples_absent_from_population", r.Absent, "tuples_with_population_below_sample", r.Below); err != nil {
		return err
	}
	risks := []any{"journalist_max_risk", nil, "journalist_avg_risk", nil, "marketer_risk", nil}
	if x := r.Journalist; x != nil {
		risks[1], risks[3], risks[5] = x.Max, x.Average, x.Marketer
	}
	if err := d.pairs(slices.Concat(risks, []any{"histogram", r.Histogram})...); err != nil {
		return err
	}
	if j.Metric == DeltaPresence {
		var bars any
		if p := r.Presence; p != nil {
			bars = p.Histogram
		}
		if err := d.add("delta_histogram", bars); err != nil {
			return err
		}
	}
	if j.Worst == 0 {
		return nil
	}
	return d.add("worst", r.Worst)
}
