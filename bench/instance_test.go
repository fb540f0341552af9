package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/table"
)

// names returns the names of instances.
func names(in []Instance) []string {
	var s []string
	for k := range in {
		s = append(s, in[k].Name)
	}
	return s
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/x.jj", "a/y.jj.gz", "b/x.jj", "a/notes.txt"} {
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o777)
		must.Do(t, os.WriteFile(path, nil, 0o666))
	}
	os.Mkdir(filepath.Join(dir, "empty"), 0o777)
	at := func(name string) string { return filepath.Join(dir, name) }
	prepared := 0
	source := &Source{
		Read:    func(path string) (*table.Table, error) { return &table.Table{Name: path}, nil },
		Prepare: func(*table.Table) error { prepared++; return nil },
	}
	for _, tc := range []struct {
		args []string
		want []string
		err  string
	}{
		{[]string{"4x4-fs-2", "4x4-fs-1..3"}, []string{"4x4-fs-2", "4x4-fs-1", "4x4-fs-3"}, ""},
		{[]string{"n1510"}, []string{"4x4-n1510-1", "5x5-n1510-1", "6x6-n1510-1", "7x7-n1510-1", "10x10-n1510-1", "20x20-n1510-1", "50x50-n1510-1"}, ""},
		{[]string{"batch6", "8x8x8-mag0.02-1"}, []string{"batch6", "8x8x8-mag0.02-1"}, ""},
		{[]string{dir}, []string{"a/x", "a/y", "b/x"}, ""},
		{[]string{at("a"), at("a/x.jj")}, []string{"x", "y"}, ""},
		{[]string{at("a/x.jj"), at("b/x.jj")}, nil, "are both called x; give a directory above both"},
		{[]string{at("empty")}, nil, "no JJ files"},
		{[]string{"cauchy"}, nil, "cauchy: no file or directory, no family (fs, mag, n1510, drawn, batch6) and no table like 20x20-fs-7"},
		{[]string{"4x4-fs-3..2"}, nil, `4x4-fs-3..2: seed "3..2", want a whole number ≥ 0, or a range`},
		{[]string{"4x0-fs-1"}, nil, `shape "4x0"`},
		{[]string{"4x4x4-n1510-1"}, nil, "family n1510 has two variables"},
	} {
		got, err := source.Find(tc.args)
		switch {
		case tc.err != "":
			if err == nil || !strings.Contains(err.Error(), tc.err) {
				t.Errorf("Find(%q): error %v, want %q", tc.args, err, tc.err)
			}
		case err != nil:
			t.Errorf("Find(%q): %v", tc.args, err)
		default:
			if d := cmp.Diff(tc.want, names(got)); d != "" {
				t.Errorf("Find(%q) (-want +got):\n%s", tc.args, d)
			}
		}
	}

	in := must.Get(source.Find([]string{at("a"), "4x4-fs-1", "batch6"}))(t)
	for k := range in {
		if _, err := in[k].Load(0); err != nil {
			t.Errorf("%s: %v", in[k].Name, err)
		}
	}
	if prepared != 2 {
		t.Errorf("%d tables prepared, want the 2 drawn ones", prepared)
	}
	if n := in[len(in)-1].Tables; n != 10_000 {
		t.Errorf("batch6 has %d tables", n)
	}
}

// Every family can be drawn, under the names it says.
func TestLadder(t *testing.T) {
	for _, f := range ladder {
		in := must.Get((&Source{}).Find([]string{f.family}))(t)
		var want []string
		for _, x := range f.tables {
			spec, several := strings.CutSuffix(x, "-1001..1020")
			if !several {
				want = append(want, x)
				continue
			}
			for seed := 1001; seed <= 1020; seed++ {
				want = append(want, fmt.Sprint(spec, "-", seed))
			}
		}
		if d := cmp.Diff(want, names(in)); d != "" {
			t.Errorf("%s (-ladder +found):\n%s", f.family, d)
		}
		for k := range in {
			got, err := in[k].Load(0)
			if err != nil || got.Name != in[k].Name {
				t.Errorf("%s: %v", in[k].Name, err)
			}
		}
	}
}

// parseSpecs reads what Name writes, and leaves other words alone.
func TestParseSpecs(t *testing.T) {
	for _, s := range []Spec{
		{Family: "fs", Shape: shape(t, "20x20"), Seed: 7},
		{Family: "mag", Shape: shape(t, "10x4.4"), Seed: 0},
		{Family: "mag", Shape: shape(t, "8x8x8"), Share: 0.025, Seed: 1},
		{Family: "n1510", Shape: shape(t, "6x6"), Seed: 1 << 40},
	} {
		got, err := parseSpecs(s.Name())
		if d := cmp.Diff([]Spec{s}, got); d != "" || err != nil {
			t.Errorf("ParseSpecs(%q), %v (-want +got):\n%s", s.Name(), err, d)
		}
	}
	for _, s := range []string{"", "fs", "table-2024-1", "a/b-c.jj", "4x4-magx-1", "4x4-fs"} {
		if got, err := parseSpecs(s); got != nil || err != nil {
			t.Errorf("ParseSpecs(%q) = %v, %v; want nothing", s, got, err)
		}
	}
}
