package cellkey

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/recordkey"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tabulate"
)

// tree has 1 (11, 12) and 2 (21, 22).
var tree = table.Dimension{Name: "a", Codes: []string{"Total", "1", "11", "12", "2", "21", "22"}, Parent: []int32{-1, 0, 1, 1, 0, 4, 4}}

// count makes tables of records a,b,id, each text one file.
func count(t *testing.T, workers int, specs []tabulate.Spec, files ...string) []*Counts {
	t.Helper()
	tab := must.Get(tabulate.New(tabulate.Source{Header: true, Variables: []tabulate.Variable{{Name: "a", Tree: &tree}}}, specs, workers))(t)
	for k, f := range files {
		must.Do(t, tab.Read(context.Background(), strings.NewReader("a,b,id,key\n"+f), fmt.Sprint(k)))
	}
	results := must.Get(tab.Tables())(t)
	var out []*Counts
	for _, r := range results {
		c := must.Get(FromTabulate(r, ""))(t)
		out = append(out, c)
	}
	return out
}

// people are n records, some codes rare.
func people(n int, seed uint64) []string {
	r := rand.New(rand.NewPCG(seed, 1))
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("%s,%s,%d,%.8f\n", []string{"11", "12", "21", "22"}[min(r.IntN(4), r.IntN(4))], string("xyz"[min(r.IntN(3), r.IntN(3))]), i, r.Float64()))
	}
	return all
}

func smallTable(t testing.TB) *Table {
	t.Helper()
	return must.Get((&Design{D: 2, V: 1.2, JS: 1}).Table())(t)
}

// TestSameRecords: the order of records, their division into files and the number of workers change nothing, and the same records
// have the same noise in every table, whatever their codes.
func TestSameRecords(t *testing.T) {
	t.Parallel()
	p := smallTable(t)
	for _, secret := range []string{"", "a secret"} {
		spec := func(name string, dims ...string) tabulate.Spec {
			s := tabulate.Spec{Name: name, Dims: dims, Key: "key", KeySecret: secret}
			if secret != "" {
				s.Key = "id"
			}
			return s
		}
		specs := []tabulate.Spec{spec("ab", "a", "b"), spec("ba", "b", "a"), spec("a", "a")}
		all := people(300, 1)
		want := count(t, 1, specs, strings.Join(all, ""))
		rand.New(rand.NewPCG(2, 2)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		got := count(t, 3, specs, strings.Join(all[:100], ""), strings.Join(all[100:], ""))
		if !reflect.DeepEqual(got, want) {
			t.Fatal("the order of the records counts")
		}
		published := map[string]int64{}
		for _, c := range got {
			c.Perturb(p)
			changed := 0
			for n := range c.Cells {
				codes := map[string]string{"a": "Total", "b": "Total"}
				for d, code := range c.Codes(n) {
					codes[c.Dims[d].Name] = code
				}
				name := codes["a"] + "/" + codes["b"]
				if x, ok := published[name]; ok && x != c.Cells[n].Published {
					t.Errorf("%s: %s is published as %d and %d", c.Name, name, x, c.Cells[n].Published)
				}
				published[name] = c.Cells[n].Published
				if c.Cells[n].Published != c.Cells[n].N {
					changed++
				}
			}
			if changed == 0 {
				t.Errorf("%s: no noise", c.Name)
			}
		}
	}
}

// TestKeysInFile: keys are those of the file, and one that is none is refused without being shown.
func TestKeysInFile(t *testing.T) {
	t.Parallel()
	c := count(t, 1, []tabulate.Spec{{Name: "a", Dims: []string{"a"}, Key: "key"}}, "11,x,1,0.75\n11,x,2,0.5\n12,x,3,0.125\n")[0]
	want := map[string]recordkey.Key{"Total": 375e15, "1": 375e15, "11": 250e15, "12": 125e15}
	for n := range c.Cells {
		if c.Cells[n].Key != want[c.cellName(n)] {
			t.Errorf("%s has key %s, want %s", c.cellName(n), c.Cells[n].Key, want[c.cellName(n)])
		}
	}
	for key, say := range map[string]string{"1.25": "want a record key", "": "needs a key", "x1y": "want a record key"} {
		tab := must.Get(tabulate.New(tabulate.Source{Header: true}, []tabulate.Spec{{Dims: []string{"a"}, Key: "key"}}, 1))(t)
		err := tab.Read(context.Background(), strings.NewReader("a,key\nx,"+key+"\n"), "f.csv")
		if err == nil || !strings.Contains(err.Error(), say) || !strings.Contains(err.Error(), "f.csv:2") || key != "" && strings.Contains(err.Error(), key) {
			t.Errorf("%q: %v, want %q", key, err, say)
		}
	}
	if _, err := tabulate.New(tabulate.Source{Header: true}, []tabulate.Spec{{Dims: []string{"a"}, Key: "key", Holding: "h"}}, 1); err == nil {
		t.Error("a holding beside a record key is taken")
	}
}

// TestNoiseIsDrawn: drawn keys give each outcome its chance.
func TestNoiseIsDrawn(t *testing.T) {
	t.Parallel()
	p := smallTable(t)
	keyed := recordkey.NewKeyed("x")
	const n = 20000
	for _, r := range p.Rows[1:] {
		got := map[int64]float64{}
		for i := range n {
			got[r.noise(keyed.Of(fmt.Appendf(nil, "%d/%d", r.I, i)))]++
		}
		chi := 0.0
		for k, v := range r.V {
			want := n * float64(r.p(k)) / one
			chi += math.Pow(got[v]-want, 2) / want
		}
		if chi > 25 { // up to 4 degrees of freedom, and the hash is fixed
			t.Errorf("row %d: χ² = %g", r.I, chi)
		}
	}
}

// TestAdd: added up, margins are sums and cells without others below them stay.
func TestAdd(t *testing.T) {
	t.Parallel()
	c := count(t, 1, []tabulate.Spec{{Name: "ab", Dims: []string{"a", "b"}, Key: "key"}}, strings.Join(people(80, 3), ""))[0]
	c.Perturb(smallTable(t))
	before := map[string]int64{}
	for n := range c.Cells {
		before[c.cellName(n)] = c.Cells[n].Published
	}
	c.Add()
	after := map[string]int64{}
	for n := range c.Cells {
		after[c.cellName(n)] = c.Cells[n].Published
	}
	for _, a := range []string{"11", "12", "21", "22"} {
		for _, b := range []string{"x", "y", "z"} {
			if after[a+"/"+b] != before[a+"/"+b] {
				t.Errorf("%s/%s has changed", a, b)
			}
		}
		if after[a+"/Total"] != after[a+"/x"]+after[a+"/y"]+after[a+"/z"] {
			t.Errorf("%s does not add up", a)
		}
	}
	for _, b := range []string{"x", "y", "z", "Total"} {
		if after["Total/"+b] != after["1/"+b]+after["2/"+b] || after["1/"+b] != after["11/"+b]+after["12/"+b] {
			t.Errorf("%s does not add up", b)
		}
	}
}

// TestPublishedZero: cells published as 0 have no line, so that nothing tells them from empty ones.
func TestPublishedZero(t *testing.T) {
	t.Parallel()
	c := count(t, 1, []tabulate.Spec{{Name: "ab", Dims: []string{"a", "b"}, Key: "key"}}, strings.Join(people(60, 4), ""))[0]
	c.Perturb(smallTable(t))
	var b bytes.Buffer
	must.Do(t, c.WriteCSV(&b))
	zeros := c.Measure().FalseZeros
	if lines := strings.Count(b.String(), "\n") - 1; zeros == 0 || lines != len(c.Cells)-zeros || strings.Contains(b.String(), ",0\n") {
		t.Errorf("%d lines of %d cells, %d published as 0:\n%s", lines, len(c.Cells), zeros, b.String())
	}
}
