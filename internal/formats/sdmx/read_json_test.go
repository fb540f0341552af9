package sdmx

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/tabletest"
	"github.com/hitoku/hitoku/internal/test/memtest"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// One table as flat observations (1.0, 2.0), as series of one dimension, and with the flag of a series.
const flatMessage = `{"header":{"id":"x"},"dataSets":[{"action":"Information","observations":{
"0:0:0":[7,0],
"0:1:0":[null,1],
"1:0:0":[3.5e0,0],
"1:1:0":["2.25",0]}}],
"structure":{"dimensions":{"observation":[
 {"id":"AREA","keyPosition":1,"values":[{"id":"N"},{"id":"S"}]},
 {"id":"SEX","keyPosition":2,"values":[{"id":"F"},{"id":"M"}]},
 {"id":"FREQ","keyPosition":0,"values":[{"id":"A","name":"Annual"}]}]},
 "attributes":{"observation":[{"id":"CONF_STATUS","values":[{"id":"F"},{"id":"C"}]}]}}}`

const seriesMessage = `{"meta":{},"data":{"structures":[{"dimensions":{
 "dataSet":[{"id":"FREQ","keyPosition":0,"values":[{"id":"A"}]}],
 "series":[{"id":"SEX","keyPosition":2,"values":[{"id":"F"},{"id":"M"}]}],
 "observation":[{"id":"AREA","keyPosition":1,"values":[{"value":"N"},{"value":"S"}]}]},
 "measures":{"observation":[{"id":"TURNOVER"}]},
 "attributes":{"series":[{"id":"TITLE","values":[{"value":"a, b"}]}],"observation":[{"id":"CONF_STATUS","values":[]}]}}],
"dataSets":[{"structure":0,"series":{
 "0":{"attributes":[0],"observations":{"0":[7,"F"],"1":[3.5,"F"]}},
 "1":{"attributes":[null],"observations":{"0":[null,"C"],"1":[2.25,"F"]}}}}]}}`

func readJSON(t *testing.T, text string, o formats.Options) (*formats.Input, error) {
	t.Helper()
	return ReadJSONFrom(strings.NewReader(text), "t.json", o)
}

func TestReadJSON(t *testing.T) {
	t.Parallel()
	want := map[string]string{"N/F": "7 s", "N/M": "? u", "S/F": "3.5 s", "S/M": "2.25 s", "_T/F": "10.5 s", "_T/M": "8.25 s", "N/_T": "13 s", "S/_T": "5.75 s", "_T/_T": "18.75 s"}
	margins := func(text, close string) string {
		more := `,"2:0:0":[10.5,0],"2:1:0":[8.25,0],"0:2:0":[13,0],"1:2:0":[5.75,0],"2:2:0":[18.75,0]}}],`
		text = strings.Replace(text, close, more, 1)
		return strings.NewReplacer(`{"id":"S"}]`, `{"id":"S"},{"id":"_T"}]`, `{"id":"M"}]`, `{"id":"M"},{"id":"_T"}]`).Replace(text)
	}
	for _, tc := range []struct{ name, text string }{
		{"flat", margins(flatMessage, "}}],")},
		{"flat of 2.0", strings.Replace(margins(flatMessage, "}}],"), `"structure":{`, `"data":{"structures":[{`, 1) + "]}"},
	} {
		if tc.name == "flat of 2.0" { // the structures stand beside the data sets, in data
			tc.text = strings.TrimSuffix(tc.text, "}]}") + "]}}"
		}
		in, err := readJSON(t, tc.text, formats.Options{})
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		got := map[string]string{}
		for i := range in.Table.Len() {
			value := "?"
			if in.Table.Known(i) {
				value = table.FormatDecimal(in.Table.Value[i], in.Table.Decimals)
			}
			got[in.Table.CellName(i)] = value + " " + in.Table.Status[i].String()
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
	in, err := readJSON(t, seriesMessage, formats.Options{Dims: []string{"AREA", "SEX"}, Columns: map[string]string{}})
	if err == nil || !strings.Contains(err.Error(), `withheld, so the margin`) || !strings.Contains(err.Error(), "t.json:9") {
		t.Errorf("series without margins: %v, %v", in, err)
	}
	in, err = readJSON(t, strings.Replace(seriesMessage, `[null,"C"]`, `[1,"C"]`, 1), formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	pattern := make([]bool, in.Table.Len())
	for i, s := range in.Table.Status {
		pattern[i] = s == table.Sensitive
	}
	must.Do(t, formats.Write(&b, in, pattern))
	for _, want := range []string{`"dataSet":[{"id":"FREQ","name":"FREQ","keyPosition":2,"values":[{"id":"A","name":"A"}]}]`, `"1:2":[null,1,1]`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in\n%s", want, b.String())
		}
	}
}

// Where a message is wrong, and what was wanted.
func TestReadJSONFaults(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, old, new, want string }{
		{"a value", `[7,0]`, `["seven",0]`, `t.json:2: column "OBS_VALUE": seven: want a decimal number`},
		{"a key", `"1:0:0"`, `"1:0"`, `t.json:4: 1:0: want a key of 3 places, as the structure has`},
		{"a place", `"1:0:0"`, `"5:0:0"`, `t.json:4: column "AREA": 5: want the place of one of its 2 codes`},
		{"a flag", `[null,1]`, `[null,9]`, `t.json:3: column "CONF_STATUS": 9: want the place of one of its 2 values`},
		{"an end", `"2.25",0]}}],`, `"2.25",0]`, `t.json:6: invalid character`},
		{"no data sets", `"dataSets":[`, `"data_sets":[`, `t.json: no data sets, want a data message of SDMX-JSON`},
		{"no structure", `"structure":{`, `"struct":{`, `t.json: no structure for the data set`},
		{"deletes", `"Information"`, `"Delete"`, `t.json: Delete: a data set that deletes observations is no table`},
		{"another shape", `"observations":{`, `"observations":[`, `t.json`},
		{"periods", `"FREQ","keyPosition":0,"values":[`, `"FREQ","keyPosition":0,"values":[{"id":"M"},`, `TIME`},
		{"a group", `"attributes":{`, `"attributes":{"dimensionGroup":[{"id":"CONF_STATUS","values":[]}],`, `column "CONF_STATUS": an attribute of groups of dimensions, which is not read`},
	} {
		text := strings.Replace(flatMessage, tc.old, tc.new, 1)
		if text == flatMessage {
			t.Fatalf("%s: %s is not there", tc.name, tc.old)
		}
		if tc.name == "periods" {
			text = strings.Replace(text, `"1:1:0"`, `"1:1:1"`, 1)
			tc.want = `t.json:5: column "FREQ": A: one of 2 periods, which do not add up to a table; choose one with --select FREQ=CODE`
		}
		if _, err := readJSON(t, text, formats.Options{}); err == nil || !strings.HasPrefix(err.Error(), tc.want) && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %s", tc.name, err, tc.want)
		}
	}
	if _, err := readJSON(t, flatMessage, formats.Options{Select: map[string]string{"SEX": "M", "AREA": "S"}}); err != nil {
		t.Errorf("selected: %v", err)
	}
	if _, err := readJSON(t, flatMessage, formats.Options{Select: map[string]string{"MOAT": "M"}}); err == nil || !strings.Contains(err.Error(), "--select names no dimension of the file; they are FREQ, AREA, SEX") {
		t.Errorf("selected: %v", err)
	}
}

// What WriteJSON writes of a table with trees is read as the same table.
func TestJSONRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		want := tabletest.Table(rt, []string{"a", "b", "C-1", "1"}, true)
		var b bytes.Buffer
		if err := WriteJSON(&b, want, formats.Style{Flag: true}); err != nil {
			rt.Fatal(err)
		}
		in, err := ReadJSONFrom(&b, "t.json", formats.Options{})
		if err != nil {
			rt.Fatal(err)
		}
		written, read := tabletest.Cells(want, false), tabletest.Cells(in.Table, false)
		delete(written, "counts") // which no message tells
		delete(read, "counts")
		if diff := cmp.Diff(written, read); diff != "" {
			rt.Fatal(diff)
		}
	})
}

func FuzzReadJSON(f *testing.F) {
	f.Add([]byte(flatMessage))
	f.Add([]byte(seriesMessage))
	f.Add([]byte(`{"data":{"structures":[{"dimensions":{"observation":[{"id":"R","values":[{"id":"T"},{"id":"a","parent":"T"},{"id":"b","parent":"T"}]}]}}],"dataSets":[{"observations":{"0":[3],"1":[1],"2":[2]}}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var in *formats.Input
		var err error
		memtest.Bound(t, len(data), 32<<20, 4000, func() { in, err = ReadJSONFrom(bytes.NewReader(data), "t.json", formats.Options{}) })
		if err != nil {
			return
		}
		pattern := make([]bool, in.Table.Len())
		for i, st := range in.Table.Status {
			pattern[i] = st == table.Sensitive || st == table.Withheld || st == table.Safe && i%3 == 0
		}
		var b bytes.Buffer
		if err := formats.Write(&b, in, pattern); err != nil {
			return // a name or code that SDMX-JSON has no place for
		}
		pub, err := ReadJSONFrom(bytes.NewReader(b.Bytes()), "t.json", formats.Options{})
		if err != nil {
			t.Skip() // sums of which nothing is left cannot be told from codes
		}
		known := map[string]bool{}
		for i := range pub.Table.Len() {
			known[pub.Table.CellName(i)] = pub.Table.Known(i)
		}
		for i, x := range pattern {
			if k, there := known[in.Table.CellName(i)]; x && there && k {
				t.Fatalf("cell %s is withheld, but known\n%q\nfrom\n%q", in.Table.CellName(i), b.String(), data)
			}
		}
	})
}
