package formats

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/table"
)

// drawDimension draws a tree of awkward codes.
func drawDimension(t *rapid.T, name string) table.Dimension {
	return tabletest.Dimension(t, name, []string{"a,b", `"q"`, "x;y", "01", "1e5", "NA", "製造業", "a b", "-", "ａ", "@at", "r/s", "\\", "é"})
}

// drawTable draws a table with a value for a random part of its inner cells and
// every margin computed.
func drawTable(t *rapid.T, dims []table.Dimension, counts bool) *table.Table {
	scale := 0
	if !counts {
		scale = rapid.IntRange(0, 3).Draw(t, "decimals")
	}
	var recs []table.Record
	optional := rapid.Uint8().Draw(t, "columns")
	tabletest.Cells(dims, func(c []string) {
		if len(recs) > 0 && rapid.IntRange(0, 4).Draw(t, "empty") == 0 {
			return
		}
		v := rapid.Int64Range(0, 5000).Draw(t, "value")
		rec := table.Record{Line: len(recs) + 2, Codes: c, Value: table.Num(v, scale)}
		num := func(bit int, to *table.Number, lo, hi int64, scale int) {
			if optional>>bit&1 == 1 {
				*to = table.Num(rapid.Int64Range(lo, hi).Draw(t, "number"), scale)
			}
		}
		if !counts {
			num(0, &rec.Freq, 0, 20, 0)
		}
		num(1, &rec.Cost, 0, 900, 1)
		num(2, &rec.LPL, 0, 9, scale)
		num(2, &rec.UPL, 0, 9, scale)
		num(3, &rec.Width, 0, 9, scale)
		num(4, &rec.Lower, -50, 0, scale)
		num(5, &rec.Upper, 5000, 6000, scale)
		if optional>>6&1 == 1 {
			a := rapid.Int64Range(0, v).Draw(t, "max1")
			rec.Max = []table.Number{table.Num(a, scale), table.Num(rapid.Int64Range(0, a).Draw(t, "max2"), scale)}
		}
		if optional>>7&1 == 1 {
			rec.Status = table.Status(rapid.IntRange(0, 3).Draw(t, "status"))
		}
		recs = append(recs, rec)
	})
	tab, err := table.Build("t", dims, recs, counts)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

func value(t *table.Table, i int) string { return table.FormatDecimal(t.Value[i], t.Decimals) }

// cells describes a table cell by cell and relation by relation, whatever their
// order.
func cells(t *table.Table) map[string]string {
	m := map[string]string{"counts": fmt.Sprint(t.Counts)}
	num := func(v int64) string { return table.FormatDecimal(v, t.Decimals) }
	for i := range t.Len() {
		s := fmt.Sprintf("%v %s cost %s levels %s %s %s bounds %s %s", t.Known(i), t.Status[i], table.FormatDecimal(t.Cost[i], t.CostDecimals),
			num(t.LPL[i]), num(t.UPL[i]), num(t.Width[i]), num(t.Lower[i]), num(t.Upper[i]))
		if t.Known(i) {
			s += " value " + num(t.Value[i])
		}
		if t.Freq != nil && t.Freq[i] >= 0 {
			s += fmt.Sprint(" freq ", t.Freq[i])
		}
		for _, x := range t.Max {
			s += " max " + num(x[i])
		}
		m[t.CellName(i)] = s
	}
	for j := range t.Rel.Len() {
		cell, coef := t.Rel.Row(j)
		terms := []string{}
		for k, i := range cell {
			terms = append(terms, fmt.Sprint(t.CellName(int(i)), coef[k]))
		}
		slices.Sort(terms)
		m["relation "+t.RelationName(j).String()] = strings.Join(terms, " ") + num(t.Rel.RHS[j])
	}
	return m
}

// trees writes the hierarchies of dims into a directory and returns the options
// that read them.
func trees(t *rapid.T, dir string, dims []table.Dimension) Options {
	o := Options{Hierarchies: map[string]string{}}
	for d := range dims {
		path := filepath.Join(dir, "tree"+strconv.Itoa(d)+".csv")
		var b bytes.Buffer
		if err := WriteHierarchy(&b, &dims[d]); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		o.Hierarchies[dims[d].Name] = path
	}
	return o
}

func TestRoundTripTidy(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		var dims []table.Dimension
		for d := range rapid.IntRange(1, 3).Draw(t, "dimensions") {
			dims = append(dims, drawDimension(t, "D"+strconv.Itoa(d)))
		}
		tab := drawTable(t, dims, rapid.Bool().Draw(t, "counts"))
		o := trees(t, dir, dims)
		var b bytes.Buffer
		if err := WriteTidy(&b, tab); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		in, err := ReadFrom(&b, "t.csv", o)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if d := cmp.Diff(cells(tab), cells(in.Table)); d != "" {
			t.Fatalf("table changed (-written +read)\n%s\n%s", d, text)
		}
	})
}

// What is published must not hold, in any column, what is withheld; and it must
// read back as the intruder's table.
func TestPublishedTidy(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		dims := []table.Dimension{drawDimension(t, "R"), drawDimension(t, "C")}
		o := trees(t, dir, dims)
		o.Dims = []string{"R", "C"}
		office := &bytes.Buffer{}
		w := csv.NewWriter(office)
		w.Write([]string{"label", "R", "C", "value", "freq", "cost", "status", "lpl", "upper", "max1", "note"})
		tab := drawTable(t, dims, true)
		for i := range tab.Len() {
			secret := fmt.Sprint(1_000_000 + i) // tells the cell
			v := strconv.FormatInt(tab.Value[i], 10)
			st := rapid.SampledFrom([]string{"u", "", "m", "S"}).Draw(t, "status")
			r, c := dims[0].Codes[tab.Coord[2*i]], dims[1].Codes[tab.Coord[2*i+1]]
			w.Write([]string{"label " + secret, r, c, v, secret, secret, st, secret, secret, secret, secret})
		}
		w.Flush()
		in, err := ReadFrom(office, "t.csv", o)
		if err != nil {
			t.Fatal(err)
		}
		pattern := make([]bool, in.Table.Len())
		for i, st := range in.Table.Status {
			pattern[i] = st == table.Sensitive || st == table.Withheld || rapid.Bool().Draw(t, "withheld")
		}
		in.Uniform = rapid.Bool().Draw(t, "uniform")
		var b bytes.Buffer
		if err := Write(&b, in, pattern); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		pub, err := ReadFrom(&b, "t.csv", o)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for i := range in.Table.Len() {
			if pub.Table.Known(i) == pattern[i] || pub.Table.Known(i) && value(pub.Table, i) != value(in.Table, i) {
				t.Fatalf("cell %s: withheld %v, read back %v\n%s", in.Table.CellName(i), pattern[i], pub.Table.Known(i), text)
			}
			if st := pub.Table.Status[i]; pattern[i] && (st == table.Sensitive) != (in.Table.Status[i] == table.Sensitive && !in.Uniform) {
				t.Fatalf("cell %s: status %s\n%s", in.Table.CellName(i), st, text)
			}
			// The number of contributors of published cells is the only use.
			most := 0
			if !pattern[i] {
				most = 1
			}
			if n := strings.Count(text, fmt.Sprint(1_000_000+i)); n != most {
				t.Fatalf("cell %s: its secret stands %d times in\n%s", in.Table.CellName(i), n, text)
			}
		}
		if d := cmp.Diff(in.Table.Rel.Cell, pub.Table.Rel.Cell); d != "" {
			t.Fatalf("relations changed: %s", d)
		}
	})
}

// A file that needs nothing computed is written back byte for byte.
func TestDialects(t *testing.T) {
	for _, sep := range []string{",", ";", "\t"} {
		for _, end := range []string{"\n", "\r\n"} {
			for _, enc := range []string{"utf-8", "utf-8 with BOM", "cp932"} {
				for _, mark := range []string{".", ","} {
					if sep == "," && mark == "," {
						continue
					}
					name := fmt.Sprintf("%q %q %s %s", sep, end, enc, mark)
					text := strings.NewReplacer(",", sep, "\n", end, "|", mark).Replace(
						"産業,規模,value,status\n" +
							"\"製造業 ①\", 小 ,1|50,s\n\"製造業 ①\",Total,1|50,u\nTotal,小,001|5,\nTotal,Total,1|5,Z\n")
					data := []byte(text)
					switch enc {
					case "utf-8 with BOM":
						data = append([]byte("\ufeff"), data...)
					case "cp932":
						data = toCP932(t, text)
					}
					in, err := ReadFrom(bytes.NewReader(data), "t.csv", Options{})
					if err != nil {
						t.Errorf("%s: %v", name, err)
						continue
					}
					want := Dialect{CP932: enc == "cp932", BOM: enc == "utf-8 with BOM", CRLF: end == "\r\n", Separator: sep[0], DecimalComma: mark == ","}
					if d := cmp.Diff(want, in.Dialect); d != "" {
						t.Errorf("%s: dialect (-want +got)\n%s", name, d)
					}
					var b bytes.Buffer
					if err := Write(&b, in, nil); err != nil {
						t.Errorf("%s: %v", name, err)
					}
					if !bytes.Equal(b.Bytes(), data) {
						t.Errorf("%s: written\n%q\nwant\n%q", name, b.Bytes(), data)
					}
				}
			}
		}
	}
}

func toCP932(t *testing.T, s string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := newTextWriter(&b, "", Dialect{CP932: true})
	w.buf = append(w.buf, s...)
	w.end()
	must.Do(t, w.close())
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func TestRoundTripCrossTab(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		dims := []table.Dimension{drawDimension(t, "R"), drawDimension(t, "C")}
		tab := drawTable(t, dims, rapid.Bool().Draw(t, "counts"))
		var b bytes.Buffer
		if err := WriteCrossTab(&b, tab); err != nil {
			t.Fatal(err)
		}
		o := trees(t, dir, dims)
		o.Magnitude = !tab.Counts
		text := b.String()
		in, err := ReadFrom(&b, "t.csv", o)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		values := func(t *table.Table) map[string]string {
			m := map[string]string{}
			for i := range t.Len() {
				if t.Value[i] != 0 { // empty cells are written as 0
					m[t.CellName(i)] = value(t, i)
				}
			}
			return m
		}
		if d := cmp.Diff(values(tab), values(in.Table)); d != "" {
			t.Fatalf("values changed (-written +read)\n%s\n%s", d, text)
		}
		// Publish it: blanks, and nothing else changed.
		pattern := make([]bool, in.Table.Len())
		for i := range pattern {
			pattern[i] = rapid.Bool().Draw(t, "withheld")
		}
		b.Reset()
		if err := Write(&b, in, pattern); err != nil {
			t.Fatal(err)
		}
		text = b.String()
		pub, err := ReadFrom(&b, "t.csv", o)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for i := range pattern {
			if pub.Table.Known(i) == pattern[i] || pub.Table.Known(i) && value(pub.Table, i) != value(in.Table, i) {
				t.Fatalf("cell %s: withheld %v\n%s", in.Table.CellName(i), pattern[i], text)
			}
		}
	})
}

func TestRoundTripJJ(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dims := []table.Dimension{drawDimension(t, "R"), drawDimension(t, "C")}
		tab := drawTable(t, dims, rapid.Bool().Draw(t, "counts"))
		var b bytes.Buffer
		if err := WriteJJ(&b, tab); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		in, err := ReadFrom(&b, "t.jj", Options{})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if d := cmp.Diff(tab.Rel.Cell, in.Table.Rel.Cell); d != "" {
			t.Fatalf("relations changed: %s", d)
		}
		b.Reset()
		if err := Write(&b, in, nil); err != nil {
			t.Fatal(err)
		}
		if b.String() != text {
			t.Fatalf("written again\n%s\nfirst\n%s", b.String(), text)
		}
		pattern := make([]bool, tab.Len())
		for i, st := range tab.Status {
			pattern[i] = st != table.Published
		}
		b.Reset()
		if err := Write(&b, in, pattern); err != nil {
			t.Fatal(err)
		}
		if in, err = ReadFrom(&b, "t.jj", Options{}); err != nil {
			t.Fatal(err)
		}
		for i, st := range in.Table.Status {
			if want := max(tab.Status[i], table.Sensitive); want != st && (tab.Status[i] != table.Safe || st != table.Withheld) {
				t.Fatalf("cell %d: status %s became %s", i, tab.Status[i], st)
			}
		}
	})
}
