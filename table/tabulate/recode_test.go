package tabulate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/test/must"
)

// grc reads a recoding.
func grc(t interface{ Fatal(...any) }, text string) Recoding {
	r, err := argus.ReadRecodingFrom(strings.NewReader(text), "s.grc", "")
	if err != nil {
		t.Fatal(err)
	}
	return Recoding{File: r}
}

const sized = `S,I,V,H
1,11,10,a
2,12,20,a
5,11,3,b
10,21,7,c
99,22,1,d
`

// sizes describes sized: S is flat with a missing code, I has digits.
func sizes() Source {
	return Source{Header: true, Variables: []Variable{{Name: "S", Missing: []string{"99"}, Length: 2}, {Name: "I", Levels: []int{1, 1, 1}}, {Name: "H", Holding: true}}}
}

// tableOf returns the CSV of the only table that p makes of text.
func tableOf(source Source, text string, p Spec) (string, error) {
	tab, err := New(source, []Spec{p}, 2)
	if err != nil {
		return "", err
	}
	if err := tab.Read(context.Background(), strings.NewReader(text), "x.csv"); err != nil {
		return "", err
	}
	out, err := tab.Tables()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	_, err = out[0].write(&b)
	return b.String(), err
}

func TestRecode(t *testing.T) {
	for _, tc := range []struct {
		name string
		dim  string
		by   Recoding
		want string // cells and values
	}{
		{"ranges pass over missing codes", "S", grc(t, "a:1-5\nb:6-\n"), "Total 41/5 a 33/3 b 7/1 99 1/1"},
		{"codes without a rule stay", "S", grc(t, "1:2,5\n"), "Total 41/5 1 33/3 10 7/1 99 1/1"},
		{"new missing codes", "S", grc(t, "<MISSING> 9\n7:10\n"), "Total 41/5 1 10/1 2 20/1 5 3/1 7 7/1 9 1/1"},
		{"a missing code by name", "S", grc(t, "<MISSING> x y\ny:99\n"), "Total 41/5 1 10/1 2 20/1 5 3/1 10 7/1 y 1/1"},
		{"levels", "I", Recoding{Levels: 1}, "Total 41/5 1 33/3 2 8/2"},
		{"more levels than there are", "I", Recoding{Levels: 4}, "Total 41/5 1 33/3 11 13/2 12 20/1 2 8/2 21 7/1 22 1/1"},
		{"a tree", "I", grc(t, "<TREERECODE>\n1\n"), "Total 41/5 1 33/3 2 8/2 21 7/1 22 1/1"},
		{"codes of a tree that no record has", "I", grc(t, "<TREERECODE>\n2\n3\n"), "Total 41/5 1 33/3 11 13/2 12 20/1 2 8/2"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text := must.Get(tableOf(sizes(), sized, Spec{Dims: []string{tc.dim}, Response: "V", Recode: map[string]Recoding{strings.ToLower(tc.dim): tc.by}}))(t)
			var got []string
			for _, line := range strings.Split(strings.TrimSpace(text), "\n")[1:] {
				f := strings.Split(line, ",")
				got = append(got, f[0]+" "+f[1]+"/"+f[2])
			}
			if d := cmp.Diff(tc.want, strings.Join(got, " ")); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestRecodeErrors(t *testing.T) {
	for _, tc := range []struct {
		dim, of string
		by      Recoding
		want    string
	}{
		{"S", "I", Recoding{Levels: 1}, `table S: recoding of "I": not a dimension of the table`},
		{"S", "S", Recoding{Levels: 1}, "table S: 1 levels: S has no hierarchy; want a .grc file"},
		{"S", "S", grc(t, "<TREERECODE>\n1\n"), "table S: s.grc: a tree recoding, for a variable with a hierarchy"},
		{"S", "S", grc(t, "1:2\n3:1-2\n"), "table S: s.grc:2: 2: the code has a new one on line 1 already"},
		{"S", "S", grc(t, "Total:1-5\n"), "table S: s.grc:1: Total: the total code cannot be a new one"},
		{"S", "S", grc(t, "5:99\n"), "table S: s.grc:1: 5: a missing code cannot become a valid one"},
		{"I", "I", grc(t, "1:2\n"), "table I: s.grc: no tree recoding, but the variable I has a hierarchy"},
		{"I", "I", grc(t, "<TREERECODE>\n4444\n"), "table I: s.grc:2: 4444: not a code of I"},
	} {
		_, err := tableOf(sizes(), sized, Spec{Dims: []string{tc.dim}, Response: "V", Recode: map[string]Recoding{tc.of: tc.by}})
		if err == nil || err.Error() != tc.want {
			t.Errorf("got  %v\nwant %s", err, tc.want)
		}
	}
	if _, err := ReadRecoding("0", ""); err == nil || err.Error() != "0 levels: want 1 or more, or a .grc file" {
		t.Error(err)
	}
	if _, err := ReadRecoding(filepath.Join("no", "s.grc"), ""); err == nil || !strings.Contains(err.Error(), "s.grc: no such file") {
		t.Error(err)
	}
	path := filepath.Join(t.TempDir(), "s.grc")
	must.Do(t, os.WriteFile(path, []byte("1:2\n"), 0o666))
	if r, err := ReadRecoding(path, ""); err != nil || len(r.File.Rules) != 1 {
		t.Error(r, err)
	}
}

// A recoded table is the table of records that hold the new codes: totals, contributors,
// largest contributions, holdings and verdicts.
func TestRecodedRecords(t *testing.T) {
	byRecord, byHolding := rules(t, "P(15,1)|FREQ(3,30)"), rules(t, "P(0,0)|P(0,0)|P(15,1)|FREQ(0,0)|FREQ(2,30)")
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "records")
		old, recoded := "S,R,V,H\n", "S,R,V,H\n"
		cut := rapid.IntRange(1, 8).Draw(t, "cut")
		for range n {
			s, v, h := rapid.IntRange(1, 8).Draw(t, "s"), rapid.IntRange(0, 50).Draw(t, "v"), rapid.IntRange(1, 6).Draw(t, "h")
			r := rapid.SampledFrom([]string{"x", "y"}).Draw(t, "r")
			old += fmt.Sprintf("%d,%s,%d,h%d\n", s, r, v, h)
			if s <= cut {
				s = 0
			}
			recoded += fmt.Sprintf("%d,%s,%d,h%d\n", s, r, v, h)
		}
		source := Source{Header: true, Variables: []Variable{{Name: "H", Holding: true}}}
		p := Spec{Name: "T", Dims: []string{"S", "R"}, Response: "V", Top: 3, Rules: byRecord}
		if rapid.Bool().Draw(t, "holdings") {
			p.Rules = byHolding
		}
		want, err := tableOf(source, recoded, p)
		if err != nil {
			t.Fatal(err)
		}
		p.Recode = map[string]Recoding{"S": grc(t, fmt.Sprintf("0:1-%d\n", cut))}
		got, err := tableOf(source, old, p)
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Fatal(err, d)
		}
	})
}

// No recoding makes totals other than those of the records.
func FuzzRecode(f *testing.F) {
	for _, s := range []string{"a:1-5\nb:6-\n", "<MISSING> x\nx:99\n1:-5\n", "<TREERECODE>\n1\n", "1:2\n2:1\n", "Total:1\n", "\"x-y\":1,\"2\"\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := argus.ReadRecodingFrom(strings.NewReader(text), "s.grc", "")
		if err != nil {
			return
		}
		for _, dim := range []string{"S", "I"} {
			out, err := tableOf(sizes(), sized, Spec{Dims: []string{dim}, Response: "V", Recode: map[string]Recoding{dim: {File: r}}})
			if err == nil && !strings.HasPrefix(out, dim+",value,freq\nTotal,41,5\n") {
				t.Errorf("%s", out)
			}
		}
	})
}
