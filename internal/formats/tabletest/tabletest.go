// Package tabletest draws random tables to test that formats read what they write, and compares them.
package tabletest

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/internal/test/tabletest"
	"github.com/hitoku/hitoku/table"
)

// Table draws a table of one to three dimensions. A random part of its inner cells has values, and statuses if
// asked; all margins are computed.
func Table(t *rapid.T, codes []string, statuses bool) *table.Table {
	var dims []table.Dimension
	for d := range rapid.IntRange(1, 3).Draw(t, "dimensions") {
		dims = append(dims, tabletest.Dimension(t, "D"+strconv.Itoa(d), codes))
	}
	counts := rapid.Bool().Draw(t, "counts")
	scale := 0
	if !counts {
		scale = rapid.IntRange(1, 3).Draw(t, "decimals")
	}
	drop := rapid.IntRange(0, 9).Draw(t, "share left out")
	var recs []table.Record
	tabletest.Cells(dims, func(c []string) {
		if len(recs) > 0 && rapid.IntRange(1, 10).Draw(t, "empty") <= drop {
			return
		}
		v := rapid.Int64Range(0, 50000).Draw(t, "value")
		if !counts && v%10 == 0 {
			v++ // so that decimals occur
		}
		rec := table.Record{Line: len(recs) + 2, Codes: c, Value: table.Num(v, scale)}
		if statuses {
			rec.Status = rapid.SampledFrom([]table.Status{table.Safe, table.Sensitive, table.Withheld}).Draw(t, "status")
		}
		recs = append(recs, rec)
	})
	tab, err := table.Build("t", dims, recs, counts)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// Trees writes the hierarchies of a table into a directory and returns the options that read them.
func Trees(t *rapid.T, dir string, tab *table.Table) formats.Options {
	o := formats.Options{Hierarchies: map[string]string{}}
	for d := range tab.Dims {
		path := filepath.Join(dir, "tree"+strconv.Itoa(d)+".csv")
		var b bytes.Buffer
		if err := formats.WriteHierarchy(&b, &tab.Dims[d]); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		o.Hierarchies[tab.Dims[d].Name] = path
	}
	return o
}

// Cells describes the cells of a table that are not 0, with their statuses if asked, and its trees as far as
// cells use them.
func Cells(t *table.Table, statuses bool) map[string]string {
	m := map[string]string{"counts": fmt.Sprint(t.Counts)}
	for i := range t.Len() {
		s := "withheld"
		if t.Known(i) {
			if t.Value[i] == 0 && (!statuses || t.Status[i] == table.Safe || t.Status[i] == table.Published) {
				continue // a format may list empty cells or leave them out
			}
			s = table.FormatDecimal(t.Value[i], t.Decimals)
		}
		if statuses {
			s += " " + t.Status[i].String()
		}
		m[t.CellName(i)] = s
	}
	for d := range t.Dims {
		used := sets.List(t.Len(), func(i int) string { return t.Dims[d].Codes[t.Coord[i*len(t.Dims)+d]] })
		dim := formats.Prune(t.Dims[d], used)
		for c, p := range dim.Parent {
			if p >= 0 {
				m["parent of "+strings.Join([]string{dim.Name, dim.Codes[c]}, "/")] = dim.Codes[p]
			}
		}
	}
	return m
}

// Office writes a table for the office and reads it back, which must give the same cells, and writes it again,
// which must give the same text. It returns what was read.
func Office(t *rapid.T, tab *table.Table, write func(io.Writer) error, read func(io.Reader) (*formats.Input, error)) *formats.Input {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	in, err := read(&b)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if d := cmp.Diff(Cells(tab, true), Cells(in.Table, true)); d != "" {
		t.Fatalf("table changed (-written +read)\n%s\n%s", d, text)
	}
	b.Reset()
	if err := formats.Write(&b, in, nil); err != nil {
		t.Fatal(err)
	}
	if b.String() != text {
		t.Fatalf("written again\n%s\nfirst\n%s", b.String(), text)
	}
	return in
}

// Publish publishes a table with a pattern that withholds its sensitive cells, and reads it back. No withheld
// value may be known, and which cells are sensitive must be told only if the style says so. tells says that the
// format tells it, unless Uniform is set.
func Publish(t *rapid.T, in *formats.Input, tells bool, read func(io.Reader) (*formats.Input, error)) {
	pattern := make([]bool, in.Table.Len())
	for i, st := range in.Table.Status {
		pattern[i] = st == table.Sensitive || st == table.Withheld || st == table.Safe && rapid.Bool().Draw(t, "withheld")
	}
	in.Uniform = rapid.Bool().Draw(t, "uniform")
	var b bytes.Buffer
	if err := formats.Write(&b, in, pattern); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	pub, err := read(&b)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for i, x := range pattern {
		if pub.Table.Known(i) == x {
			t.Fatalf("cell %s: withheld %v, read back %v\n%s", in.Table.CellName(i), x, pub.Table.Known(i), text)
		}
		told := x && in.Table.Status[i] == table.Sensitive && !in.Uniform && tells
		if (pub.Table.Status[i] == table.Sensitive) != told {
			t.Fatalf("cell %s: status %s\n%s", in.Table.CellName(i), pub.Table.Status[i], text)
		}
	}
}
