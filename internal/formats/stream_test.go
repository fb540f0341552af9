package formats

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/table"
)

// streamed reads path both ways and wants the part in play of the table that Read returns.
func streamed(t rapid.TB, path string, o Options) (plain, in *Input) {
	t.Helper()
	plain, err := Read(path, o)
	if err != nil {
		t.Fatal(err)
	}
	if in, err = ReadInPlay(path, o); err != nil {
		t.Fatal(err)
	}
	if in.Whole == nil {
		t.Fatal("not read as a stream")
	}
	if got, want := *in.Whole, (Whole{plain.Table.Len(), plain.Table.Rel.Len()}); got != want {
		t.Fatalf("%v cells and relations, want %v", got, want)
	}
	want, cells := plain.Table.InPlay()
	got := *in.Table
	if got.Freq == nil { // only published cells have it
		want.Freq = nil
	}
	if got.Max == nil {
		want.Max = nil
	}
	if d := cmp.Diff(want, &got, cmpopts.EquateEmpty()); d != "" {
		t.Fatal(d)
	}
	for s, i := range cells {
		if in.Line(s) != plain.Line(int(i)) {
			t.Fatalf("cell %d is on line %d, want %d", s, in.Line(s), plain.Line(int(i)))
		}
	}
	if bad := got.CheckAdditive(0); bad != nil {
		t.Fatal(bad[0])
	}
	return plain, in
}

// sameText withholds what must be withheld and cells drawn beside, in both, and wants the same bytes.
func sameText(t rapid.TB, plain, in *Input, more func() bool) {
	t.Helper()
	_, cells := plain.Table.InPlay()
	all, part := make([]bool, plain.Table.Len()), make([]bool, len(cells))
	for s, i := range cells {
		part[s] = plain.Table.Status[i] != table.Safe || more()
		all[i] = part[s]
	}
	var want, got bytes.Buffer
	if err := Write(&want, plain, all); err != nil {
		t.Fatal(err)
	}
	if err := Write(&got, in, part); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want.String(), got.String()); d != "" {
		t.Fatal(d)
	}
}

func TestStream(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		var dims []table.Dimension
		for d := range rapid.IntRange(1, 3).Draw(t, "dimensions") {
			dims = append(dims, drawDimension(t, "D"+strconv.Itoa(d)))
		}
		tab := drawTable(t, dims, rapid.Bool().Draw(t, "counts"))
		for i := range tab.Status {
			if rapid.IntRange(0, 2).Draw(t, "stays") > 0 {
				tab.Status[i] = table.Published
			}
		}
		var b bytes.Buffer
		if err := WriteTidy(&b, tab); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "t.csv")
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		// Named: of few lines with numbers as codes a stream cannot tell whether they are amounts (TestStreamFlat has others).
		o := trees(t, dir, dims)
		for _, d := range dims {
			o.Dims = append(o.Dims, d.Name)
		}
		plain, in := streamed(t, path, o)
		sameText(t, plain, in, func() bool { return rapid.Bool().Draw(t, "withheld") })
	})
}

// Codes of flat dimensions are numbered as they come, in any order of the lines; columns that are not read are written as
// they are from memory.
func TestStreamFlat(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 7))
		var dims []table.Dimension
		for d := range 1 + rng.IntN(3) {
			var codes []string
			for c := range 2 + rng.IntN(40>>(2*d)) {
				codes = append(codes, fmt.Sprintf("%c%d", 'a'+d, c))
			}
			dim := must.Get(table.FlatDimension(fmt.Sprintf("D%d", d), "Total", codes))(t)
			dims = append(dims, dim)
		}
		var recs []table.Record
		tabletest.Cells(dims, func(c []string) {
			rec := table.Record{Codes: c, Value: table.Num(rng.Int64N(2000), rng.IntN(3)), Status: table.Published}
			if rng.IntN(4) == 0 {
				rec.Status = table.Status(rng.IntN(4))
			}
			recs = append(recs, rec)
		})
		tab := must.Get(table.Build("t", dims, recs, false))(t)
		var b bytes.Buffer
		must.Do(t, WriteTidy(&b, tab))
		lines := strings.SplitAfter(strings.TrimSpace(b.String())+"\n", "\n")
		head, lines := lines[0], lines[1:len(lines)-1]
		rng.Shuffle(len(lines), func(a, b int) { lines[a], lines[b] = lines[b], lines[a] })
		text := strings.TrimSpace(head) + ",unit,label,note\n"
		for _, l := range lines {
			code, _, _ := strings.Cut(l, ",")
			text += strings.TrimSpace(l) + ",EUR,name of " + code + "," + strconv.Itoa(rng.IntN(100)) + "\n"
		}
		path := filepath.Join(dir, "t.csv")
		must.Do(t, os.WriteFile(path, []byte(text), 0o666))
		o := Options{}
		for d := range dims {
			o.Dims = append(o.Dims, dims[d].Name)
		}
		plain, in := streamed(t, path, o)
		sameText(t, plain, in, func() bool { return rng.IntN(3) == 0 })
	}
}

var streamFaults = []struct{ name, change, to string }{
	{"a cell twice", "B,y,3,z\n", "B,y,3,z\nB,y,3,z\n"},
	{"a sum", "B,y,3,z", "B,y,4,z"},
	{"a margin without its parts", "B,x,5,z\nB,y,3,z\n", ""},
	{"no lines of a margin", "Total,x,12,s\nTotal,y,12,u\nTotal,Total,24,z\n", ""},
	{"a value below the bound", "B,x,5,z\nB,y,3,z\nB,Total,8,z", "B,x,-5,z\nB,y,13,z\nB,Total,8,z"},
	{"no number", "B,y,3,z", "B,y,three,z"},
	{"no value", "B,y,3,z", "B,y,,z"},
	{"no status", "B,y,3,z", "B,y,3,q"},
	{"a code of no tree", "B,y,3,z", "C,y,3,z"},
	{"too few fields", "B,y,3,z", "B,y,3"},
}

const streamTable = "D,E,value,status\nA,x,7,u\nA,y,9,s\nA,Total,16,s\nB,x,5,z\nB,y,3,z\nB,Total,8,z\nTotal,x,12,s\nTotal,y,12,u\nTotal,Total,24,z\n"

// What Read refuses is refused in the same words, and what it does with margins left out is done.
func TestStreamFaults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, tree := filepath.Join(dir, "t.csv"), filepath.Join(dir, "tree.hrc")
	must.Do(t, os.WriteFile(tree, []byte("A\nB\n"), 0o666))
	o := Options{Hierarchies: map[string]string{"D": tree}}
	for _, f := range streamFaults {
		text := strings.Replace(streamTable, f.change, f.to, 1)
		if text == streamTable {
			t.Fatalf("%s: nothing changed", f.name)
		}
		must.Do(t, os.WriteFile(path, []byte(text), 0o666))
		plain, want := Read(path, o)
		in, got := ReadInPlay(path, o)
		if fmt.Sprint(want) != fmt.Sprint(got) || (plain == nil) != (in == nil) {
			t.Errorf("%s: %v, want %v", f.name, got, want)
		}
		if _, _, err := readInPlay(path, o); err == nil {
			t.Errorf("%s: taken by the stream itself", f.name)
		}
	}
}

// A file that changes before it is written is refused.
func TestStreamChanged(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "t.csv")
	for _, change := range [][2]string{{"A,y,9,s", "A,y,8,s"}, {"A,y,9,s\n", ""}, {"B,Total,8,z\n", "B,Total,8,z\nB,v,1,z\n"}} {
		must.Do(t, os.WriteFile(path, []byte(streamTable), 0o666))
		in := must.Get(ReadInPlay(path, Options{}))(t)
		must.Do(t, os.WriteFile(path, []byte(strings.Replace(streamTable, change[0], change[1], 1)), 0o666))
		var fault *Error
		err := Write(&bytes.Buffer{}, in, []bool{true, true, true, true, true})
		if !errors.As(err, &fault) || !strings.Contains(fault.Want.String(), "has changed") {
			t.Errorf("%v: %v, want that the file has changed", change, err)
		}
	}
}
