package formats

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hitoku/hitoku/internal/test/memtest"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// The fuzz targets check that a reader never panics, that what it accepts can be
// published without its withheld cells, and that the published file reads back.

// What a reader may allocate: the buffers that it begins with, and so much for each byte, most
// where a comma makes a cell. Of JJ text out of gzip a byte may be many.
const fuzzFree, fuzzEach = 32 << 20, 4000

// fuzzOptions are chosen by a byte, to reach what the zero Options do not.
func fuzzOptions(choice uint8) Options {
	o := Options{}
	if choice&1 != 0 {
		o.Total = "計"
	}
	if choice&2 != 0 {
		o.Magnitude = true
	}
	if choice&4 != 0 {
		o.Encoding = "cp932"
	}
	if choice&8 != 0 {
		o.Withheld = []string{"*"}
	}
	if choice&16 != 0 {
		o.Encoding = "cp1252"
	}
	if choice&32 != 0 {
		o.Responses, o.Response = []string{"value", "freq"}, "value"
	}
	return o
}

// publish withholds what must be and every third cell, and reads the result back.
func publish(t *testing.T, in *Input, o Options) {
	t.Helper()
	pattern := make([]bool, in.Table.Len())
	for i, st := range in.Table.Status {
		pattern[i] = st.String() != "z" && (st.String() != "s" || i%3 == 0)
	}
	var b bytes.Buffer
	if err := Write(&b, in, pattern); err != nil {
		if _, ok := err.(*Error); ok && (in.Dialect.CP932 || in.Dialect.CP1252) { // a total code that the encoding lacks
			return
		}
		t.Fatal(err)
	}
	text := b.String()
	o.From = string(in.Format)
	switch d := in.Dialect; { // whoever guesses it of other text may be less sure
	case d.CP932:
		o.Encoding = "cp932"
	case d.CP1252:
		o.Encoding = "cp1252"
	}
	pub, err := ReadFrom(&b, in.File, o)
	if err != nil {
		if in.Format == Tidy && (strings.Contains(err.Error(), "bound") || strings.Contains(err.Error(), "does not fit")) {
			return // bounds that were blanked, fewer decimals beside large numbers
		}
		t.Fatalf("%v\n%q", err, text)
	}
	if pub.Table.Len() != in.Table.Len() {
		t.Fatalf("%d cells became %d\n%q", in.Table.Len(), pub.Table.Len(), text)
	}
	if in.Format == JJ {
		return
	}
	known := map[string]int{} // codes may hold slashes, so names may be equal
	for i := range pattern {
		if pub.Table.Known(i) {
			known[pub.Table.CellName(i)]++
		}
		if !pattern[i] {
			known[in.Table.CellName(i)]--
		}
	}
	for name, n := range known {
		if n != 0 {
			t.Fatalf("cell %s: published %d times too often\n%q", name, n, text)
		}
	}
}

func fuzzCSV(f *testing.F, from string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s), uint8(0))
		f.Add([]byte(s), uint8(32))
		f.Add([]byte(s), uint8(3))
		f.Add([]byte(strings.NewReplacer(",", ";", "\n", "\r\n", ".", ",").Replace(s)), uint8(8))
	}
	files, _ := filepath.Glob("../../testdata/*.csv")
	for _, path := range files {
		b := must.Get(os.ReadFile(path))(f)
		f.Add(b, uint8(1))
	}
	f.Fuzz(func(t *testing.T, text []byte, choice uint8) {
		o := fuzzOptions(choice)
		o.From = from
		var in *Input
		var err error
		memtest.Bound(t, len(text), fuzzFree, fuzzEach, func() { in, err = ReadFrom(bytes.NewReader(text), "t.csv", o) })
		if err != nil {
			if err.Error() == "" || in != nil {
				t.Fatal("an error without message or with an input")
			}
			return
		}
		must.Do(t, in.Table.Validate())
		publish(t, in, o)
	})
}

func FuzzTidy(f *testing.F) {
	fuzzCSV(f, "tidy", tidyOK, "\ufeff\"R\",value,freq,cost,status,lpl,upl,spl,lower,upper,max1,max2\n a ,1.5,2,3,u,1,1,1,-inf,9,1,0.5\nb,,,,m,,,,,,,\nTotal,9,,,,,,,,,,\n",
		"R,C,freq\nr,a,NA\nr,b,2\nr,Total,4\nTotal,a,1\nTotal,b,3\nTotal,Total,4\n", "R,OBS_VALUE,CONF_STATUS\na,1,A\nb,1e2,F\n",
		"\x92n\x88\xe6,value\n\x91\xe5\x8d\xe3,1\n", "R\tvalue\nx\t..\nTotal\t0001\n")
}

func FuzzCrosstab(f *testing.F) {
	fuzzCSV(f, "crosstab", "R\\C,a,b\nr,1,2\ns,3,4\n", ",a,b,Total\nr,,x,3\ns,1,2,3\nTotal,3,3,6\n", "\"\",\"a\"\"\"\nr, 1 \n")
}

func FuzzJJ(f *testing.F) {
	f.Add([]byte(jjOK))
	f.Add([]byte(strings.ReplaceAll(jjOK, " ", "\t\r\n")))
	f.Add([]byte("0\n1\n0 -1.50 1.5 z -inf 1e30 0 0 0\n1\n-1.5 1 : 0 (1)\n"))
	f.Add(zippedJJ())
	f.Fuzz(func(t *testing.T, text []byte) {
		var in *Input
		var err error
		memtest.Bound(t, len(text), fuzzFree, fuzzEach, func() { in, err = ReadFrom(bytes.NewReader(text), "t.jj", Options{}) })
		if err != nil {
			return
		}
		var b bytes.Buffer
		must.Do(t, Write(&b, in, nil))
		again, err := ReadFrom(bytes.NewReader(b.Bytes()), "t.jj", Options{})
		if err != nil {
			t.Fatalf("%v\n%s", err, b.Bytes())
		}
		if d := cmp.Diff(in.Table, again.Table); d != "" {
			t.Fatalf("(-first +again)\n%s", d)
		}
		publish(t, in, Options{})
	})
}

func fuzzHierarchy(f *testing.F, file string) {
	f.Fuzz(func(t *testing.T, text []byte, lead string) {
		dir := t.TempDir()
		path := filepath.Join(dir, file)
		put(t, path, string(text))
		var d table.Dimension
		var err error
		memtest.Bound(t, len(text), fuzzFree, fuzzEach, func() { d, err = ReadHierarchy(path, "R", "", lead, "") })
		if err != nil {
			return
		}
		var b bytes.Buffer
		must.Do(t, WriteHierarchy(&b, &d))
		if len(d.Codes) == 1 {
			return // a header without codes
		}
		again := filepath.Join(dir, "again.csv")
		put(t, again, b.String())
		e, err := ReadHierarchy(again, "R", d.Total(), "", "")
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		if diff := cmp.Diff(d, e); diff != "" {
			t.Fatalf("(-first +again)\n%s", diff)
		}
	})
}

func FuzzHRC(f *testing.F) {
	f.Add([]byte("a\n@b\n@@c\n@d\ne\n"), "")
	f.Add([]byte("Os \r\r\n. 4\r\r\n"), ".")
	f.Add([]byte("Total\n--a"), "--")
	fuzzHierarchy(f, "h.hrc")
}

func FuzzParentCSV(f *testing.F) {
	f.Add([]byte("code,parent\na,Total\nb,a\n"), "")
	f.Add([]byte("label;Parent;CODE\nx;;a\ny;a;\"b;c\"\n"), "")
	f.Add([]byte("code,parent\na,b\nb,a\n"), "")
	fuzzHierarchy(f, "h.csv")
}
