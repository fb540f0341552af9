package risk

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/japanese"
	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/test/memtest"
	"github.com/hitoku/hitoku/internal/test/must"
)

// scanText counts the records of a text by all columns of its header, with blocks of a
// size.
func scanText(text []byte, l Layout, size int, names ...string) (*Classes, int64, error) {
	columns, err := NewColumns(names...)
	if err != nil {
		return nil, 0, err
	}
	s, err := NewScanner(l, columns, nil, func() *Classes { return NewClasses(columns, len(names)) })
	if err != nil {
		return nil, 0, err
	}
	s.size = size
	if err := s.Read(context.Background(), bytes.NewReader(text), "x.csv"); err != nil {
		return nil, 0, err
	}
	c, err := s.Result()
	return c, s.Records(), err
}

func contents(c *Classes) map[string]uint64 {
	m := map[string]uint64{}
	for g := range c.Len() {
		m[key(c.Tuple(g))] = c.Size(g)
	}
	return m
}

// The reader agrees with encoding/csv, whatever the workers and wherever blocks end.
func TestScanAgainstCSV(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(
			rapid.SampledFrom([]string{"", "a", "abcdefgh", "abcdefghi", "a longer value than that", "12345678901234567", " a ", "日本", `q"uote`, `""`, "two\nlines", "a,b", "\r", "x\r"}),
			rapid.StringMatching(`[a-c,"\n ;]{0,9}`))
		n := rapid.IntRange(2, 4).Draw(t, "columns")
		var text bytes.Buffer
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
		line := func(row []string) {
			for k, v := range row {
				if k > 0 {
					text.WriteByte(',')
				}
				if strings.ContainsAny(v, ",\"\r\n") || rapid.IntRange(0, 5).Draw(t, "quote") == 0 {
					v = `"` + strings.ReplaceAll(v, `"`, `""`) + `"`
				}
				text.WriteString(v)
			}
			text.WriteString(end)
		}
		names := []string{"c0", "c 1", "c2", "c3"}[:n]
		line(names)
		want := map[string]uint64{}
		records := int64(0)
		used := names[:rapid.IntRange(1, n).Draw(t, "used")]
		for range rapid.IntRange(0, 40).Draw(t, "records") {
			var row []string
			for range n {
				row = append(row, value.Draw(t, "value"))
			}
			line(row)
			records++
			want[key(row[:len(used)])]++
			if rapid.IntRange(0, 9).Draw(t, "blank") == 0 {
				text.WriteString(end)
			}
		}
		b := text.Bytes()
		if rapid.Bool().Draw(t, "open end") && len(b) > len(end) && !bytes.HasSuffix(b, []byte(end+end)) {
			b = b[:len(b)-len(end)]
		}
		for _, workers := range []int{1, 3} {
			size := rapid.IntRange(1, 200).Draw(t, "block")
			c, got, err := scanText(b, Layout{Workers: workers, Separator: ','}, size, used...)
			if err != nil {
				t.Fatalf("%q: %v", b, err)
			}
			if got != records || !maps.Equal(contents(c), want) {
				t.Fatalf("%q in blocks of %d: %d records %v, want %d %v", b, size, got, contents(c), records, want)
			}
		}
	})
}

func TestScanFormats(t *testing.T) {
	const text = "県,年齢\r\n東京,30\r\n大阪,\r\n東京,30"
	sjis := must.Get(japanese.ShiftJIS.NewEncoder().String(text))(t)
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write([]byte(text))
	z.Close()
	want := map[string]uint64{key([]string{"東京", "30"}): 2, key([]string{"大阪", ""}): 1}
	for name, in := range map[string]string{
		"utf-8": text, "mark": "\ufeff" + text, "cp932": sjis, "gzip": zipped.String(), "semicolons": strings.ReplaceAll(text, ",", ";"),
		"tabs": strings.ReplaceAll(text, ",", "\t"), "end mark": text + "\r\n\x1a", "blank lines": "\r\n\n" + strings.ReplaceAll(text, "\r\n", "\r\n\r\n"),
	} {
		c, n, err := scanText([]byte(in), Layout{}, blockSize, "県", "年齢")
		if err != nil || n != 3 || !maps.Equal(contents(c), want) {
			t.Errorf("%s: %d records, %v, want %v", name, n, err, want)
		}
	}
}

// A carriage return belongs to the line end only where it stands before it.
func TestScanReturns(t *testing.T) {
	for _, text := range []string{"a,b\r\nx\r,y\r\nx\r,y\n", "a,b\nx\r,y\n\"x\r\",y\r\n"} {
		c, _, err := scanText([]byte(text), Layout{}, blockSize, "a", "b")
		if want := map[string]uint64{key([]string{"x\r", "y"}): 2}; err != nil || !maps.Equal(contents(c), want) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
}

// A fault is named with its line, the first one whatever the workers.
func TestScanFaults(t *testing.T) {
	long := strings.Repeat("1,2\n", 1000)
	for _, tc := range []struct{ text, want string }{
		{"", "no header"},
		{"\n\n", "no header"},
		{"a,c\n1,2\n", `x.csv:1: b: no such column; the columns are a, c`},
		{"a,b,a\n1,2,3\n", "several columns have this name"},
		{"a,b\n1\n", "x.csv:2: 1 fields: want 2"},
		{"a,b\n" + long + "1,2,3\n" + long + "1\n", "x.csv:1002: 3 fields: want 2"},
		{"a,b\n" + long + "\"1\n\n\",2\n1,2\"\n", `x.csv:1005: a quote " inside a field`},
		{"a,b\n1,\"2\n", `x.csv:2: a quote " that is not closed`},
		{"a,b\n\"1\"x,2\n", `x.csv:2: want a separator`},
		{"a,b\n\"1\"\r,2\n", `x.csv:2: want a separator`},
		{"a,b\nx\x81\xff,2\n", "not UTF-8"},
		{"\xff\xfea\x00,\x00b\x00\n\x00\x00\xd8,\x001\x00\n\x00", "half a character; not UTF-16"},
		{"\x1f\x8bxxxxxxxxxxxx", "damaged"},
	} {
		for _, workers := range []int{1, 2} {
			for _, size := range []int{7, blockSize} {
				_, _, err := scanText([]byte(tc.text), Layout{Workers: workers}, size, "a", "b")
				var e *formats.Error
				if !errors.As(err, &e) || !strings.Contains(err.Error(), tc.want) {
					t.Errorf("%.20q, %d workers, blocks of %d: %v, want %s", tc.text, workers, size, err, tc.want)
				}
			}
		}
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write([]byte("a,b\n" + long))
	w.Close()
	if _, _, err := scanText(z.Bytes()[:z.Len()-12], Layout{}, blockSize, "a", "b"); err == nil || !strings.Contains(err.Error(), "cut short") {
		t.Errorf("a compressed file cut off: %v", err)
	}
}

// readAmount is parseAmount with an error.
func readAmount(s string) (Amount, error) {
	a, want := parseAmount([]byte(s))
	if !want.IsZero() {
		return a, errors.New(want.String())
	}
	return a, nil
}

func TestParseAmount(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "12": "12", "0.5": "0.5", "+1.50": "1.5", "1e3": "1000", "2.5E-3": "0.0025", ".5": "0.5", "5.": "5",
		"0.000000000000000001": "0.000000000000000001", "340282366920938463464": "",
		"1e20": "100000000000000000000", "1e21": "", "0e99999": "0", "": "", ".": "", "-1": "", "1e": "", "1x": "", "0x1": "",
		"0.0000000000000000001": "", "0.10000000000000000000000": "0.1", "NaN": "", "1.2.3": "",
		"2,5": "2.5", "0,125": "0.125", "1234,567": "1234.567", "12,50": "12.5", "1,234": "", "999,999": "", "1,2,3": "", "1,2.3": "", "1.2,3": "", "2,": "", ",5": "", ",": "",
	} {
		a, err := readAmount(text)
		if (err == nil) != (want != "") || err == nil && a.String() != want {
			t.Errorf("%q: %v, %v, want %q", text, a, err, want)
		}
	}
}

// FuzzScan compares plain and quoted parsing, and both with encoding/csv where that
// reads the same dialect.
func FuzzScan(f *testing.F) {
	f.Add([]byte("a,b\n1,2\n"), 5)
	f.Add([]byte("a,b\r\n\"x\"\"y\",2\r\n\r\n3,\"a\nb\""), 3)
	f.Add([]byte("a;b\n\xe6\x9d\xb1;2"), 100)
	f.Fuzz(func(t *testing.T, text []byte, size int) {
		if size < 1 || size > 1<<12 || len(text) > 1<<12 {
			t.Skip()
		}
		l := Layout{Separator: ',', Encoding: "utf-8", Workers: 2}
		got, n, err := scanText(text, l, size, "a", "b")
		var again *Classes
		var m int64
		var err2 error
		memtest.Bound(t, len(text), 64<<20, 4000, func() { again, m, err2 = scanText(text, l, blockSize, "a", "b") })
		if (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() {
			t.Fatalf("blocks of %d: %v; one block: %v", size, err, err2)
		}
		if err != nil {
			return
		}
		if n != m || !maps.Equal(contents(got), contents(again)) {
			t.Fatalf("blocks of %d: %v; one block: %v", size, contents(got), contents(again))
		}
		if bytes.ContainsAny(text, "\r\x1a") || bytes.HasPrefix(text, []byte("\ufeff")) || bytes.HasPrefix(text, []byte("\x1f\x8b")) {
			return // encoding/csv differs in these
		}
		r := csv.NewReader(bytes.NewReader(text))
		head, err := r.Read()
		if err != nil {
			t.Fatalf("encoding/csv: %v", err)
		}
		want := map[string]uint64{}
		for {
			row, err := r.Read()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("encoding/csv: %v", err)
			}
			want[key([]string{row[slices.Index(head, "a")], row[slices.Index(head, "b")]})]++
		}
		if !maps.Equal(contents(got), want) {
			t.Fatalf("%v, want %v", contents(got), want)
		}
	})
}

// FuzzDecode must refuse what is no encoding without a panic.
func FuzzDecode(f *testing.F) {
	columns, _ := NewColumns("a", "b")
	s := NewSensitive(columns, 1)
	s.Add(1, "x", "y")
	text, _ := s.MarshalBinary()
	f.Add(text)
	f.Add([]byte(encodeMark + "weighted"))
	f.Fuzz(func(t *testing.T, b []byte) {
		new(Classes).UnmarshalBinary(b)
		new(Entities).UnmarshalBinary(b)
		new(Weighted).UnmarshalBinary(b)
		s := new(Sensitive)
		if s.UnmarshalBinary(b) != nil {
			return
		}
		if _, err := s.LDiversity(t.Context(), Missing{}, true, []uint64{2}, 1); err != nil {
			t.Skip()
		}
	})
}

// An accumulator's error is told with the line of its record.
func TestScanCount(t *testing.T) {
	columns := must.Get(NewColumns("a"))(t)
	data := NewClasses(columns, 1)
	must.Do(t, data.Add(1, "x"))
	p := NewPopulation(data, nil)
	s := must.Get(NewScanner(Layout{}, columns, []string{"n"}, p.Fresh))(t)
	s.Known = true
	err := s.Read(context.Background(), strings.NewReader("a,n\nx,1\n\n\"x\ny\",2\nx,1.5\nx,bad\n"), "x.csv")
	if err == nil || err.Error() != "x.csv:6: a count of 1.5, want a whole number" {
		t.Errorf("%v", err)
	}
	if p.Add(1<<63, "x") != nil || p.Add(1<<63, "x") == nil {
		t.Error("counts that wrap around are accepted, or others not")
	}
}
