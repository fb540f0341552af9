package firewall

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
)

// flaggedMessage reads CONF_STATUS and EMBARGO_TIME of a data message of SDMX-JSON, whether they are attached to
// observations, series, groups of dimensions or the data set.
func (w *wall) flaggedMessage(in *document) error {
	secret := map[string]i18n.Text{} // and why
	for _, o := range observations(in.text) {
		if why := o.secret(); !why.IsZero() && digits(o.value) != "" {
			secret[o.key] = why
		}
	}
	if len(secret) == 0 {
		return nil
	}
	found := false
	for _, o := range observations(w.out.text) {
		why, ok := secret[o.key]
		if found = found || ok; ok && isNumber(o.value) {
			return &Leak{w.file, i18n.T("observation %s", o.key), nil, why}
		}
	}
	if !found {
		return i18n.Errorf("%s: cannot be read again beside its input, whose flags say what is confidential", w.file)
	}
	return nil
}

// An observed is an observation of a message: its value as written, and its flags.
type observed struct{ key, value, conf, embargo string }

func (o *observed) secret() i18n.Text {
	switch {
	case isConfidential(o.conf):
		return i18n.T("which the input calls confidential, has a value")
	case o.embargo != "":
		return keptBack(o.embargo)
	}
	return i18n.Text{}
}

// A jsonPart is a dimension or attribute of a message, with its codes.
type jsonPart struct {
	ID     string
	Values []struct {
		ID    string
		Value json.RawMessage
		Name  json.RawMessage
	}
}

// text returns the code that raw stands for: either an index into the codes or a text.
func (p *jsonPart) text(raw json.RawMessage) string {
	var k int
	if json.Unmarshal(raw, &k) == nil && k >= 0 && k < len(p.Values) {
		v := &p.Values[k]
		for _, s := range []string{v.ID, plainText(v.Value), plainText(v.Name)} {
			if s != "" {
				return s
			}
		}
	}
	return plainText(raw)
}

// plainText returns raw without quotes, and "" for null.
func plainText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return strings.Trim(string(raw), "\"")
}

type jsonStructure struct {
	Dimensions struct{ DataSet, Series, Observation []jsonPart }
	Measures   struct{ Observation []jsonPart }
	Attributes struct{ DataSet, Series, DimensionGroup, Observation []jsonPart }
}

type jsonSeries struct {
	Attributes   []json.RawMessage
	Observations map[string][]json.RawMessage
}

type jsonSet struct {
	Structure                int
	Attributes               []json.RawMessage
	DimensionGroupAttributes map[string][]json.RawMessage
	Series                   map[string]jsonSeries
	Observations             map[string][]json.RawMessage
}

type jsonData struct {
	Structure  *jsonStructure
	Structures []jsonStructure
	DataSets   []jsonSet
}

// observations returns those of a message of SDMX-JSON 1.0 or 2.0; none for any other text.
func observations(text string) (all []observed) {
	var m struct {
		jsonData
		Data *jsonData
	}
	if json.Unmarshal([]byte(text), &m) != nil {
		return nil
	}
	d := &m.jsonData
	if m.Data != nil {
		d = m.Data
	}
	if d.Structure != nil {
		d.Structures = append(d.Structures, *d.Structure)
	}
	for s := range d.DataSets {
		set := &d.DataSets[s]
		if set.Structure < 0 || set.Structure >= len(d.Structures) {
			continue
		}
		x := &d.Structures[set.Structure]
		series := set.Series
		if set.Observations != nil {
			series = map[string]jsonSeries{"": {Observations: set.Observations}}
		}
		for k := range series {
			one := series[k]
			for key, raw := range one.Observations {
				at := append(places(k), places(key)...)
				o := observed{key: x.key(at)}
				if len(raw) > 0 {
					o.value = plainText(raw[0])
				}
				n := max(1, len(x.Measures.Observation))
				o.say(x.Attributes.Observation, raw[min(n, len(raw)):])
				o.say(x.Attributes.Series, one.Attributes)
				o.say(x.Attributes.DataSet, set.Attributes)
				for group, said := range set.DimensionGroupAttributes {
					if matches(group, at) {
						o.say(x.Attributes.DimensionGroup, said)
					}
				}
				all = append(all, o)
			}
		}
	}
	return all
}

// say notes the flags among the attributes of an observation.
func (o *observed) say(parts []jsonPart, said []json.RawMessage) {
	for k := range parts[:min(len(parts), len(said))] {
		if string(said[k]) == "null" {
			continue
		}
		text := parts[k].text(said[k])
		switch name := strings.ToLower(parts[k].ID); {
		case name == "conf_status" && !isConfidential(o.conf):
			o.conf = text
		case strings.HasPrefix(name, "embargo") && text != "":
			o.embargo = text
		}
	}
}

// key identifies an observation by its codes, with dimensions in the order of their names.
func (x *jsonStructure) key(at []string) string {
	dims := slices.Concat(x.Dimensions.Series, x.Dimensions.Observation)
	var all []string
	for d := range x.Dimensions.DataSet {
		all = append(all, x.Dimensions.DataSet[d].ID+"="+x.Dimensions.DataSet[d].text(json.RawMessage("0")))
	}
	for d := range dims[:min(len(dims), len(at))] {
		all = append(all, dims[d].ID+"="+dims[d].text(json.RawMessage(at[d])))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// places splits a key like 0:3.
func places(key string) []string {
	if key == "" {
		return nil
	}
	return strings.Split(key, ":")
}

// matches reports whether the key of a group, in which an empty part stands for all codes, covers an observation.
func matches(group string, at []string) bool {
	parts := strings.Split(group, ":")
	for d, p := range parts {
		if _, err := strconv.Atoi(p); err == nil && (d >= len(at) || at[d] != p) {
			return false
		}
	}
	return true
}
