package sdmx

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/table"
)

// JSON is the name of the SDMX-JSON format.
const JSON formats.Format = "sdmx-json"

// What SDMX-JSON allows as identifiers of components and of codes.
var (
	componentID = lazy.Regexp(`^[A-Za-z][A-Za-z0-9_-]*$`)
	codeID      = lazy.Regexp(`^[A-Za-z0-9_@$-]+$`)
)

// codeNames are the names of those codes of CL_OBS_STATUS and CL_CONF_STATUS that are written by default.
var codeNames = map[string]map[string]string{
	"OBS_STATUS": {"A": "Normal value", "M": "Missing value; data cannot exist", "Q": "Missing value; suppressed"},
	"CONF_STATUS": {"F": "Free (free for publication)", "N": "Not for publication, restricted for internal use only", "C": "Confidential statistical information",
		"A": "Primary confidentiality due to small counts", "O": "Primary confidentiality due to dominance by one unit", "T": "Primary confidentiality due to dominance by two units",
		"G": "Primary confidentiality due to dominance by one or two units", "M": "Primary confidentiality due to data declared confidential based on other measures of concentration",
		"D": "Secondary confidentiality set by the sender, not for publication", "S": "Secondary confidentiality set and managed by the receiver, not for publication"},
}

// A jsonCode is a code of a component: an identifier with its name and its parent's identifier, or a mere text
// if the code cannot be an identifier.
type jsonCode struct {
	ID     string `json:"id,omitempty"`
	Name   string `json:"name,omitempty"`
	Parent string `json:"parent,omitempty"`
	Value  string `json:"value,omitempty"`
}

type jsonDimension struct {
	ID          string     `json:"id"`
	Name        string     `json:"name"`
	KeyPosition int        `json:"keyPosition"`
	Values      []jsonCode `json:"values"`
}

type jsonAttribute struct {
	ID           string              `json:"id"`
	Relationship map[string]struct{} `json:"relationship"`
	Values       []jsonCode          `json:"values,omitempty"`
}

// WriteJSON writes t as a data message of SDMX-JSON 2.0 with flat observations: a value, null if it is masked,
// and the indices of its OBS_STATUS and CONF_STATUS, which are those of Write. The codes contain the trees of
// the dimensions. There is no meta object, because the time of preparation that it must contain would make
// every file different.
func WriteJSON(w io.Writer, t *table.Table, style formats.Style) error {
	return writeJSON(w, t, style, []jsonDimension{}, nil)
}

// writeJSON is WriteJSON with additional dimensions of a single code, which say what the table is about, and
// with the ends of the intervals that are published in place of values, for each cell; nil for none.
func writeJSON(w io.Writer, t *table.Table, style formats.Style, fixed []jsonDimension, ends [][2]string) error {
	k := len(t.Dims)
	if k == 0 {
		return i18n.Errorf("table %s: no dimensions; a table of relations alone is written as JJ", t.Name)
	}
	b := bufio.NewWriter(w)
	var fault error
	put := func(v any) {
		text, err := json.Marshal(v)
		if err != nil && fault == nil {
			fault = err
		}
		b.Write(text)
	}
	dims, err := jsonDimensions(t, fixed)
	if err != nil {
		return err
	}
	status := make([][2]int, t.Len()) // for each cell, indices into used
	used := [2][]string{}
	for i := range status {
		obs, conf := jsonStatus(t, i, style)
		for a, code := range [2]string{obs, conf} {
			at := slices.Index(used[a], code)
			if at < 0 {
				at = len(used[a])
				used[a] = append(used[a], code)
			}
			status[i][a] = at
		}
	}
	var attributes []jsonAttribute
	for a, id := range [2]string{"OBS_STATUS", "CONF_STATUS"} {
		x := jsonAttribute{ID: id, Relationship: map[string]struct{}{"observation": {}}}
		for _, code := range used[a] {
			name := cmp.Or(codeNames[id][code], code)
			x.Values = append(x.Values, jsonCode{ID: code, Name: name})
		}
		attributes = append(attributes, x)
	}
	shown := newJSONEnds(ends)
	attributes = append(attributes, shown.attributes()...)
	b.WriteString(`{"data":{"structures":[{"dataSets":[0],"name":`)
	put(t.Name)
	b.WriteString(`,"dimensions":{"dataSet":`)
	put(fixed)
	b.WriteString(`,"series":[],"observation":`)
	put(dims)
	b.WriteString(`},"measures":{"observation":[{"id":"OBS_VALUE"}]},"attributes":{"dataSet":[],"dimensionGroup":[],"series":[],"observation":`)
	put(attributes)
	b.WriteString(`}}],"dataSets":[{"structure":0,"action":"Information","links":[],"observations":{`)
	for i := range t.Len() {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n\"")
		for d := range k {
			if d > 0 {
				b.WriteByte(':')
			}
			b.WriteString(strconv.Itoa(int(t.Coord[i*k+d])))
		}
		value := "null"
		if obs := used[0][status[i][0]]; obs == "A" {
			value = table.FormatDecimal(t.Value[i], t.Decimals)
		}
		fmt.Fprintf(b, `":[%s,%d,%d%s]`, value, status[i][0], status[i][1], shown.of(i))
	}
	b.WriteString("\n}}]}}\n")
	if fault != nil {
		return fault
	}
	return b.Flush()
}

// jsonStatus returns the statuses that Write has in its columns; OBS_STATUS is A if the value is shown.
func jsonStatus(t *table.Table, i int, style formats.Style) (obs, conf string) {
	out := t.Status[i] == table.Sensitive || t.Status[i] == table.Withheld
	obs = "A"
	if !t.Known(i) || out && !style.Flag {
		obs = "Q"
	} else if t.Status[i] == table.Published && t.Value[i] == 0 {
		obs = "M" // for a structural zero
	}
	return obs, formats.Code(&style, t.Status[i], t.ReasonOf(i), false, false, "")
}

// jsonDimensions describes the dimensions. A name that cannot be an identifier is replaced by D1, D2, …
func jsonDimensions(t *table.Table, fixed []jsonDimension) ([]jsonDimension, error) {
	var all []jsonDimension
	taken := map[string]bool{"OBS_VALUE": true, "OBS_STATUS": true, "CONF_STATUS": true}
	for n := range fixed {
		fixed[n].KeyPosition = len(t.Dims) + n
		taken[fixed[n].ID] = true
	}
	for d := range t.Dims {
		dim := &t.Dims[d]
		x := jsonDimension{ID: dim.Name, Name: dim.Name, KeyPosition: d}
		if !componentID().MatchString(x.ID) {
			x.ID = fmt.Sprintf("D%d", d+1)
		}
		if taken[x.ID] {
			return nil, i18n.Errorf("table %s: the dimension %s cannot be told from other components of SDMX-JSON", t.Name, formats.Show(dim.Name))
		}
		taken[x.ID] = true
		for c, code := range dim.Codes {
			if !codeID().MatchString(code) {
				x.Values = append(x.Values, jsonCode{Value: code})
				continue
			}
			v := jsonCode{ID: code, Name: code}
			if p := dim.Parent[c]; p >= 0 && codeID().MatchString(dim.Codes[p]) {
				v.Parent = dim.Codes[p]
			}
			x.Values = append(x.Values, v)
		}
		all = append(all, x)
	}
	return all, nil
}
