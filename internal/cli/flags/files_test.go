package flags

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

func TestOutputPaths(t *testing.T) {
	dir := t.TempDir()
	at := func(names ...string) []string {
		for i := range names {
			names[i] = filepath.Join(dir, names[i])
		}
		return names
	}
	for _, name := range []string{"a.csv", "x/a.csv", "b.csv"} {
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o777)
		must.Do(t, os.WriteFile(path, nil, 0o666))
	}
	for _, tc := range []struct {
		name, output string
		inputs, want []string
		err          string
	}{
		{"none", "", at("a.csv"), []string{""}, ""},
		{"file", at("out.csv")[0], at("a.csv"), at("out.csv"), ""},
		{"existing directory", at("x")[0], at("b.csv"), at("x/b.csv"), ""},
		{"new directory", at("new")[0], at("a.csv", "b.csv"), at("new/a.csv", "new/b.csv"), ""},
		{"slash makes a directory", at("slash")[0] + "/", at("a.csv"), at("slash/a.csv"), ""},
		{"two inputs, one file", at("b.csv")[0], at("a.csv", "x/a.csv"), nil, "need a directory"},
		{"same name twice", at("new")[0], at("a.csv", "x/a.csv"), nil, "would both be written"},
		{"onto itself", at("a.csv")[0], at("a.csv"), nil, "would overwrite the input"},
		{"onto itself by directory", dir, at("a.csv"), nil, "would overwrite the input"},
		{"standard input in a directory", dir, []string{"-"}, nil, "has no name"},
	} {
		got, err := OutputPaths(tc.output, tc.inputs)
		switch {
		case tc.err != "":
			if err == nil || !strings.Contains(err.Error(), tc.err) {
				t.Errorf("%s: error %v, want %q", tc.name, err, tc.err)
			}
		case err != nil || !slices.Equal(got, tc.want):
			t.Errorf("%s: %v, %v; want %v", tc.name, got, err, tc.want)
		}
	}
}
