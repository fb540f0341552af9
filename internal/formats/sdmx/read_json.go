package sdmx

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// A message holds what a data message of SDMX-JSON 1.0 or 2.0 says about a table.
type message struct {
	structures []structure
	sets       []dataSet
}

// A structure describes the components of data sets.
type structure struct {
	Dimensions struct{ DataSet, Series, Observation []component }
	Measures   struct{ Observation []component }
	Attributes struct{ DataSet, Series, DimensionGroup, Observation []component }
}

// A component is a dimension, measure or attribute with the codes that occur in it.
type component struct {
	ID          string
	KeyPosition *int
	Values      []value
}

// A value of a component is a code, perhaps with its parent's code, or a text.
type value struct {
	ID, Parent string
	Value      json.RawMessage
}

// A dataSet has series of observations; observations without series are in one with an empty key.
type dataSet struct {
	structure  int
	action     string
	attributes []json.RawMessage
	series     []series
}

type series struct {
	key        string
	attributes []json.RawMessage
	obs        []observation
}

type observation struct {
	key    string
	line   int
	values []json.RawMessage
}

// RecognisesJSON reports whether text begins like a JSON object.
func RecognisesJSON(head []byte) bool {
	head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))
	return len(head) > 0 && head[0] == '{'
}

// ReadJSONFrom reads a data message of SDMX-JSON 1.0 or 2.0 from r, with flat observations, time series or
// cross-sections; name stands for it in messages. Options are those of ReadFrom. Codes that name their parents
// make the tree of a dimension.
func ReadJSONFrom(r io.Reader, name string, o formats.Options) (*formats.Input, error) {
	text, err := formats.OpenText(r, name)
	if err != nil {
		return nil, err
	}
	b, err := budget.ReadAll(text, budget.Whole)
	if err != nil {
		return nil, formats.InFile(name, err)
	}
	s := newReader(name, &o)
	s.comma, s.parents = ',', map[string]map[string]string{}
	m, err := s.message(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")))
	if err != nil {
		return nil, err
	}
	layout := &jsonLayout{reader: s}
	if err := layout.fill(m, text); err != nil {
		return nil, err
	}
	return s.build(JSON, layout)
}

// A jsonLayout writes a message again.
type jsonLayout struct{ *reader }

// Write implements formats.Layout: it writes a message of SDMX-JSON 2.0 in which the dimensions with a single
// code belong to the data set.
func (l *jsonLayout) Write(w io.Writer, in *formats.Input, withheld []bool) error {
	t := *in.Table
	if withheld != nil {
		t.Status = slices.Clone(t.Status)
		for i, out := range withheld {
			switch closed := t.Status[i] == table.Sensitive || t.Status[i] == table.Withheld; {
			case out && (!closed || in.Uniform):
				t.Status[i] = table.Withheld
			case !out && closed:
				t.Status[i] = table.Safe
			}
		}
	}
	style := in.Style
	style.Flag = style.Flag || withheld == nil
	fixed := []jsonDimension{}
	for _, n := range l.dims {
		if slices.Contains(l.free, n) {
			continue
		}
		d := jsonDimension{ID: l.name[n], Name: l.name[n], Values: []jsonCode{{Value: l.rows[0][n]}}}
		if codeID().MatchString(l.rows[0][n]) {
			d.Values = []jsonCode{{ID: l.rows[0][n], Name: l.rows[0][n]}}
		}
		fixed = append(fixed, d)
	}
	var ends [][2]string
	if in.Intervals && withheld != nil {
		ends = make([][2]string, t.Len())
		for i, out := range withheld {
			if out {
				ends[i][0], ends[i][1] = formats.Interval(in, i)
			}
		}
	}
	return writeJSON(w, &t, style, fixed, ends)
}

// fill turns the observations into rows: dimensions, measures, attributes.
func (l *jsonLayout) fill(m *message, text *formats.Text) error {
	s := l.reader
	if len(m.sets) == 0 {
		return s.fault(0, "", "", i18n.T("no data sets, want a data message of SDMX-JSON"))
	}
	at := m.sets[0].structure
	if at < 0 || at >= len(m.structures) {
		return s.fault(0, "", "", i18n.T("no structure for the data set, want a data message of SDMX-JSON"))
	}
	x := &m.structures[at]
	var columns []component
	columns = append(columns, x.Dimensions.DataSet...)
	columns = append(columns, x.Dimensions.Series...)
	columns = append(columns, x.Dimensions.Observation...)
	dims := len(columns)
	order := sets.Upto(dims) // order of the columns: of the dimensions as their keys give it
	if !slices.ContainsFunc(columns, func(c component) bool { return c.KeyPosition == nil }) {
		slices.SortStableFunc(order, func(a, b int) int { return *columns[a].KeyPosition - *columns[b].KeyPosition })
	}
	measures := x.Measures.Observation
	if len(measures) == 0 {
		measures = []component{{}}
	}
	if !slices.ContainsFunc(measures, func(c component) bool { return c.ID == "OBS_VALUE" }) {
		measures = slices.Clone(measures)
		measures[0].ID = "OBS_VALUE"
	}
	for _, g := range x.Attributes.DimensionGroup {
		if g.ID == "CONF_STATUS" || g.ID == "OBS_STATUS" {
			return s.fault(0, g.ID, "", i18n.T("an attribute of groups of dimensions, which is not read; convert the message to SDMX-CSV"))
		}
	}
	attributes := slices.Concat(x.Attributes.Observation, x.Attributes.Series, x.Attributes.DataSet)
	for _, n := range order {
		s.header = append(s.header, columns[n].ID)
		s.parentsOf(&columns[n])
	}
	for _, c := range slices.Concat(measures, attributes) {
		s.header = append(s.header, c.ID)
	}
	if err := s.layout(); err != nil {
		return err
	}
	pick, err := s.picks()
	if err != nil {
		return err
	}
	for i := range m.sets {
		set := &m.sets[i]
		switch {
		case set.structure != at:
			return s.fault(0, "", "", i18n.T("data sets of several structures; want one table a file"))
		case strings.EqualFold(set.action, "Delete"):
			return s.fault(0, "", "Delete", i18n.T("a data set that deletes observations is no table"))
		}
		for k := range set.series {
			for _, obs := range set.series[k].obs {
				row, err := s.row(x, columns[:dims], order, len(measures), set, &set.series[k], &obs)
				if err != nil {
					return err
				}
				if slices.ContainsFunc(s.dims, func(n int) bool { return pick[n] != "" && pick[n] != row[n] }) {
					continue
				}
				if want := text.Room(len(s.rows) + 1); !want.IsZero() {
					return s.fault(obs.line, "", "", want)
				}
				s.rows, s.line = append(s.rows, row), append(s.line, obs.line)
			}
		}
	}
	if len(s.rows) == 0 {
		if len(s.o.Select) > 0 {
			return s.fault(0, "", "", i18n.T("no observation has the codes that --select names"))
		}
		return s.fault(0, "", "", i18n.T("no observations"))
	}
	return nil
}

// parentsOf records the parents of codes.
func (s *reader) parentsOf(c *component) {
	up := map[string]string{}
	for _, v := range c.Values {
		if v.Parent != "" {
			up[v.text()] = v.Parent
		}
	}
	if len(up) > 0 {
		s.parents[c.ID] = up
	}
}

// row returns the fields of one observation.
func (s *reader) row(x *structure, dims []component, order []int, measures int, set *dataSet, of *series, obs *observation) ([]string, error) {
	row := make([]string, len(s.header))
	codes := make([]string, len(dims))
	for n := range x.Dimensions.DataSet {
		if len(dims[n].Values) != 1 {
			return nil, s.fault(obs.line, dims[n].ID, "", i18n.T("a dimension of the data set; want its one code"))
		}
		codes[n] = dims[n].Values[0].text()
	}
	at := len(x.Dimensions.DataSet)
	for _, part := range []struct {
		key string
		n   int
	}{{of.key, len(x.Dimensions.Series)}, {obs.key, len(x.Dimensions.Observation)}} {
		if part.n == 0 {
			continue
		}
		places := strings.Split(part.key, ":")
		if len(places) != part.n {
			return nil, s.fault(obs.line, "", formats.Show(part.key), i18n.T("want a key of %d places, as the structure has", part.n))
		}
		for k, place := range places {
			i, err := strconv.Atoi(place)
			if err != nil || i < 0 || i >= len(dims[at+k].Values) {
				return nil, s.fault(obs.line, dims[at+k].ID, formats.Show(place), i18n.T("want the place of one of its %d codes", len(dims[at+k].Values)))
			}
			codes[at+k] = dims[at+k].Values[i].text()
		}
		at += part.n
	}
	for k, n := range order {
		if row[k] = strings.TrimSpace(codes[n]); row[k] == "" {
			return nil, s.fault(obs.line, dims[n].ID, "", i18n.T("a code without id and value"))
		}
	}
	at = len(dims)
	for k := range measures {
		if k < len(obs.values) {
			row[at+k] = plain(obs.values[k])
		}
	}
	at += measures
	for _, part := range []struct {
		of     []component
		places []json.RawMessage
	}{{x.Attributes.Observation, obs.values[min(measures, len(obs.values)):]}, {x.Attributes.Series, of.attributes}, {x.Attributes.DataSet, set.attributes}} {
		for k := range part.of {
			if k < len(part.places) {
				text, ok := part.of[k].attribute(part.places[k])
				if !ok {
					return nil, s.fault(obs.line, part.of[k].ID, formats.Show(text), i18n.T("want the place of one of its %d values", len(part.of[k].Values)))
				}
				row[at+k] = text
			}
		}
		at += len(part.of)
	}
	return row, nil
}

// attribute returns a value of an attribute, which is given by its index or as it is.
func (c *component) attribute(raw json.RawMessage) (string, bool) {
	text := plain(raw)
	if len(c.Values) == 0 || text == "" || raw[0] == '"' {
		return text, true
	}
	i, err := strconv.Atoi(text)
	if err != nil || i < 0 || i >= len(c.Values) {
		return text, false
	}
	return c.Values[i].text(), true
}

func (v *value) text() string {
	if v.ID != "" {
		return v.ID
	}
	return plain(v.Value)
}

// plain returns a number as written, or a text, or nothing for null and anything else.
func plain(raw json.RawMessage) string {
	var text string
	switch {
	case len(raw) == 0 || raw[0] == 'n' || raw[0] == '{' || raw[0] == '[':
		return ""
	case raw[0] == '"' && json.Unmarshal(raw, &text) == nil:
		return strings.TrimSpace(text)
	}
	return string(raw)
}

// A walk reads through a message, and counts lines to know those of its observations.
type walk struct {
	text []byte
	dec  *json.Decoder
	m    message
	line int
	at   int64 // position up to which lines have been counted
}

// message reads those parts of the text that belong to a table.
func (s *reader) message(text []byte) (*message, error) {
	w := &walk{text: text, dec: json.NewDecoder(bytes.NewReader(text)), line: 1}
	w.dec.UseNumber()
	err := w.object(w.top)
	if err == nil {
		if _, err = w.dec.Token(); err == io.EOF {
			return &w.m, nil
		} else if err == nil {
			err = i18n.New("text behind the message")
		}
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF {
		err = i18n.New("the message ends too early")
	}
	var odd *json.UnmarshalTypeError
	if errors.As(err, &odd) {
		err = i18n.Errorf("%s in place of what SDMX-JSON has there", odd.Value)
	}
	return nil, s.fault(w.here(), "", "", i18n.T("%s", err).Without("json"))
}

// here returns the line of the current position.
func (w *walk) here() int {
	to := min(w.dec.InputOffset(), int64(len(w.text)))
	w.line += bytes.Count(w.text[w.at:to], []byte{'\n'})
	w.at = to
	return w.line
}

var errShape = i18n.New("want a data message of SDMX-JSON")

// object calls f for each key of an object; f reads the value.
func (w *walk) object(f func(key string) error) error {
	return w.within('{', func() error {
		key, err := w.dec.Token()
		if err != nil {
			return err
		}
		return f(key.(string)) // a member of the object
	})
}

// within calls f for each element of an object or array.
func (w *walk) within(open json.Delim, f func() error) error {
	t, err := w.dec.Token()
	if err != nil {
		return err
	}
	if t == nil {
		return nil
	}
	if t != open {
		return errShape
	}
	for w.dec.More() {
		if err := f(); err != nil {
			return err
		}
	}
	_, err = w.dec.Token()
	return err
}

func (w *walk) skip() error {
	var raw json.RawMessage
	return w.dec.Decode(&raw)
}

func (w *walk) top(key string) error {
	switch key {
	case "data":
		return w.object(w.top)
	case "structure": // of version 1.0
		w.m.structures = append(w.m.structures, structure{})
		return w.dec.Decode(&w.m.structures[len(w.m.structures)-1])
	case "structures":
		return w.dec.Decode(&w.m.structures)
	case "dataSets":
		return w.within('[', w.dataSet)
	}
	return w.skip()
}

func (w *walk) dataSet() error {
	w.m.sets = append(w.m.sets, dataSet{})
	set := &w.m.sets[len(w.m.sets)-1]
	return w.object(func(key string) error {
		switch key {
		case "structure":
			return w.dec.Decode(&set.structure)
		case "action":
			return w.dec.Decode(&set.action)
		case "attributes":
			return w.dec.Decode(&set.attributes)
		case "observations":
			set.series = append(set.series, series{})
			return w.observations(&set.series[len(set.series)-1])
		case "series":
			return w.object(func(key string) error {
				set.series = append(set.series, series{key: key})
				of := &set.series[len(set.series)-1]
				return w.object(func(key string) error {
					switch key {
					case "attributes":
						return w.dec.Decode(&of.attributes)
					case "observations":
						return w.observations(of)
					}
					return w.skip()
				})
			})
		}
		return w.skip()
	})
}

func (w *walk) observations(of *series) error {
	return w.object(func(key string) error {
		obs := observation{key: key, line: w.here()}
		err := w.dec.Decode(&obs.values)
		of.obs = append(of.obs, obs)
		return err
	})
}
