package main

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/contrib/beam"
	"github.com/hitoku/hitoku/risk"
)

// parse makes flags of arguments behind the name of a measure.
func parse(t *testing.T, metric beam.Metric, args ...string) (*flags, error) {
	t.Helper()
	set := flag.NewFlagSet("hitoku-beam", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	f := newFlags(set)
	f.job.Metric = metric
	if err := set.Parse(args); err != nil {
		return f, err
	}
	return f, f.prepare(t.Context(), set.Args())
}

func TestFlags(t *testing.T) {
	file := filepath.Join(t.TempDir(), "persons.csv")
	if err := os.WriteFile(file, []byte("a,\"b,c\",s,n\n1,2,x,5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := parse(t, beam.TCloseness, "--input", filepath.Join(filepath.Dir(file), "*.csv"), "--qi", `a,"b,c"`, "--sensitive", "s,n",
		"--distance", "n=ordered", "--missing", "drop", "--missing-marker", "NA", "--missing-marker", "?", "--missing-sensitive", "own", "--separator", "tab")
	if err != nil {
		t.Fatal(err)
	}
	j := f.job
	if !slices.Equal(j.Files, []string{file}) || !slices.Equal(j.QI, []string{"a", "b,c"}) || !slices.Equal(j.Distances, []risk.Distance{risk.Equal, risk.Ordered}) ||
		j.Missing.Mode != risk.Drop || !slices.Equal(j.Missing.Markers, []string{"NA", "?"}) || !j.OwnSensitive || j.Separator != '\t' || j.Parts != 1000 {
		t.Errorf("%+v", j)
	}
	for _, tc := range []struct {
		metric beam.Metric
		args   []string
		want   string
	}{
		{"", nil, "which measure"},
		{"k", nil, "no measure"},
		{beam.KAnonymity, []string{"x.csv"}, "named by --input"},
		{beam.KAnonymity, []string{"--qi", "a"}, "no input"},
		{beam.KAnonymity, []string{"--missing", "wildcard"}, "want own or drop"},
		{beam.KAnonymity, []string{"--distance", "equal"}, "k-anonymity has none"},
		{beam.KAnonymity, []string{"--separator", "ab"}, "one character"},
		{beam.KAnonymity, []string{"--input", file + "x"}, "no such file"},
		{beam.LDiversity, []string{"--missing-sensitive", "drop"}, "want ignore or own"},
		{beam.TCloseness, []string{"--sensitive", "s", "--distance", "x=ordered"}, "not among --sensitive"},
		{beam.TCloseness, []string{"--sensitive", "s", "--distance", "far"}, "want equal, ordered"},
	} {
		if _, err := parse(t, tc.metric, tc.args...); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s %q: %v, want %s", tc.metric, tc.args, err, tc.want)
		}
	}
	var out bytes.Buffer
	if code, err := f.run(t.Context(), nil, "flink", &out); code != exitInput || err == nil || !strings.Contains(err.Error(), "no --result") {
		t.Errorf("elsewhere without --result: %d, %v", code, err)
	}
}
