package argus

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hitoku/hitoku/internal/formats/tabletest"
	"github.com/hitoku/hitoku/internal/test/memtest"
	"github.com/hitoku/hitoku/internal/test/must"
)

// What a reader may allocate: the buffers that it begins with, and so much for each byte.
const fuzzFree, fuzzEach = 32 << 20, 2000

// FuzzTable reads any table with any metadata; what is read can be written, and read
// again as it was, unless codes or names hold what τ-ARGUS cannot read.
func FuzzTable(f *testing.F) {
	f.Add(sampleRDA, sampleTab, uint8(0))
	f.Add(sampleRDA, sampleTab, uint8(2))
	f.Add(smallRDA, "Total,3\n a,1\n99,2\n", uint8(0))
	f.Add(smallRDA, "Total,4\na,1\nb,2\n", uint8(3))
	f.Add("<SEPARATOR> ;\nR\n<RECODEABLE>\n<HIERARCHICAL>\n<HIERLEVELS> 1 1\nN\n<FREQUENCY>\n", "11;1\n12;4\n2;-\n", uint8(1))
	f.Fuzz(func(t *testing.T, rda, text string, mode uint8) {
		if strings.Contains(strings.ToUpper(rda), "HIERCODELIST") {
			return // files of the machine
		}
		m, err := ReadMetadataFrom(strings.NewReader(rda), "t.rda", Tabular, "")
		if err != nil {
			return
		}
		var tab *Table
		memtest.Bound(t, len(rda)+len(text), fuzzFree, fuzzEach, func() {
			tab, err = ReadTableFrom(strings.NewReader(text), "t.tab", m, Options{Mode: Mode(mode % 4)})
		})
		if err != nil {
			return
		}
		path := filepath.Join(t.TempDir(), "t.tab")
		if err := WriteTable(path, tab.Table, nil, tab.WriteOptions()); err != nil {
			if strings.Contains(err.Error(), "τ-ARGUS") || strings.Contains(err.Error(), "blank at an end") || strings.Contains(err.Error(), "codes begin with every") {
				return
			}
			t.Fatal(err)
		}
		again, err := ReadTable(path, Options{Mode: Mode(mode % 4)})
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, content(t, path), content(t, MetadataOf(path)))
		}
		if d := cmp.Diff(tabletest.Cells(tab.Table, true), tabletest.Cells(again.Table, true)); d != "" {
			t.Fatalf("%s\n%s", d, content(t, path))
		}
	})
}

func FuzzApriori(f *testing.F) {
	f.Add(hst, uint8(2))
	f.Add("r1;U\nr1;PL;3;0.5\nr3;S\n", uint8(1))
	f.Add("r2;AB;1e17;1e18\nR;C;0.000001\n", uint8(1))
	f.Fuzz(func(t *testing.T, text string, dims uint8) {
		var h *Apriori
		var err error
		memtest.Bound(t, len(text), fuzzFree, fuzzEach, func() { h, err = readSound(strings.NewReader(text), "a.hst", ";", int(dims%4)) })
		if err != nil {
			return
		}
		tab := aprioriTable(&testing.T{})
		if _, _, err := h.Apply(tab, AprioriOptions{Ignore: true, Expand: true}); err != nil {
			t.Fatal(err)
		}
		must.Do(t, tab.Validate())
	})
}

func FuzzRecoding(f *testing.F) {
	f.Add("1:1-5\n2:6,7-9\n3:-0,10-\n", "7")
	f.Add("<TREERECODE>\nA\n\"B\"\n", "A")
	f.Add("<MISSING> 9 8\n\"a\": \"b,c\"-\n", "é")
	f.Fuzz(func(t *testing.T, text, code string) {
		var r *Recoding
		var err error
		memtest.Bound(t, len(text), fuzzFree, fuzzEach, func() { r, err = ReadRecodingFrom(strings.NewReader(text), "x.grc", "") })
		if err != nil {
			return
		}
		if to, err := r.Apply([]string{code}); err == nil && to[code] == "" && code != "" {
			t.Fatal("a code without a new one")
		}
	})
}
