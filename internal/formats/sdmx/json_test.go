package sdmx

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/tabletest"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// A message has the codes with those above them, values as they are, and null where they are
// masked.
func TestWriteJSON(t *testing.T) {
	ind := must.Get(table.NewDimension("IND", "_T", []table.Edge{{Code: "A", Parent: "_T"}, {Code: "A1", Parent: "A"}, {Code: "A 2", Parent: "A"}}))(t)
	rec := func(code string, v int64, st table.Status) table.Record {
		return table.Record{Codes: []string{code}, Value: table.Num(v, 2), Status: st}
	}
	tab := must.Get(table.Build("t", []table.Dimension{ind}, []table.Record{rec("A1", 150, table.Sensitive), rec("A 2", 1, table.Safe)}, false))(t)
	tab.Reason = make([]table.Reason, tab.Len())
	tab.Reason[0] = table.ByFrequency
	var b bytes.Buffer
	must.Do(t, WriteJSON(&b, tab, formats.Style{}))
	want := `{"data":{"structures":[{"dataSets":[0],"name":"t","dimensions":{"dataSet":[],"series":[],"observation":[{"id":"IND","name":"IND","keyPosition":0,"values":[` +
		`{"id":"_T","name":"_T"},{"id":"A","name":"A","parent":"_T"},{"id":"A1","name":"A1","parent":"A"},{"value":"A 2"}]}]},` +
		`"measures":{"observation":[{"id":"OBS_VALUE"}]},"attributes":{"dataSet":[],"dimensionGroup":[],"series":[],"observation":[` +
		`{"id":"OBS_STATUS","relationship":{"observation":{}},"values":[{"id":"Q","name":"Missing value; suppressed"},{"id":"A","name":"Normal value"}]},` +
		`{"id":"CONF_STATUS","relationship":{"observation":{}},"values":[{"id":"A","name":"Primary confidentiality due to small counts"},{"id":"F","name":"Free (free for publication)"}]}]}}],` +
		`"dataSets":[{"structure":0,"action":"Information","links":[],"observations":{
"2":[null,0,0],
"3":[0.01,1,1],
"1":[1.51,1,1],
"0":[1.51,1,1]
}}]}}
`
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
	b.Reset()
	if err := WriteJSON(&b, tab, formats.Style{Flag: true}); err != nil || !strings.Contains(b.String(), "\n\"2\":[1.5,0,0],\n") {
		t.Errorf("%v\n%s", err, b.String())
	}
	tab.Dims[0].Name = "OBS_VALUE"
	if err := WriteJSON(&b, tab, formats.Style{}); err == nil || err.Error() != "table t: the dimension OBS_VALUE cannot be told from other components of SDMX-JSON" {
		t.Error(err)
	}
	if err := WriteJSON(&b, &table.Table{Name: "r"}, formats.Style{}); err == nil || err.Error() != "table r: no dimensions; a table of relations alone is written as JJ" {
		t.Error(err)
	}
}

// SDMX-JSON says of each cell what SDMX-CSV does.
func TestJSONAgreesWithCSV(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab := tabletest.Table(t, []string{"a", "b", "C-1", "東", "x y", "1"}, true)
		style := formats.Style{Flag: rapid.Bool().Draw(t, "flag")}
		var b, csv bytes.Buffer
		if err := WriteJSON(&b, tab, style); err != nil {
			t.Fatal(err)
		}
		if err := Write(&csv, tab, style); err != nil {
			t.Fatal(err)
		}
		var m struct {
			Data struct {
				Structures []struct {
					Dimensions, Attributes struct {
						Observation []struct {
							Values []struct{ ID, Value string }
						}
					}
				}
				DataSets []struct {
					Observations map[string][]json.Number
				}
			}
		}
		if err := json.Unmarshal(b.Bytes(), &m); err != nil {
			t.Fatal(err)
		}
		s := m.Data.Structures[0]
		var got []string
		for _, key := range slices.Sorted(maps.Keys(m.Data.DataSets[0].Observations)) {
			var line []string
			for d, c := range strings.Split(key, ":") {
				var n int
				fmt.Sscan(c, &n)
				v := s.Dimensions.Observation[d].Values[n]
				line = append(line, v.ID+v.Value)
			}
			obs := m.Data.DataSets[0].Observations[key]
			line = append(line, obs[0].String())
			for a, c := range obs[1:] {
				n, _ := c.Int64()
				line = append(line, s.Attributes.Observation[a].Values[n].ID)
			}
			got = append(got, strings.Join(line, ","))
		}
		var want []string
		for _, line := range strings.Split(strings.TrimSpace(csv.String()), "\n")[1:] {
			want = append(want, strings.Join(strings.Split(line, ",")[3:], ","))
		}
		slices.Sort(got)
		slices.Sort(want)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}
