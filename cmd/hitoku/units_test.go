package main

import (
	"encoding/json"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
)

func TestExactJSON(t *testing.T) {
	for _, tc := range []struct {
		x    exact
		want string
	}{
		{decimal(1234, 2), "12.34"},
		{decimal(-5, 0), "-5"},
		{decimal(table.PosInf, 2), "null"},
		{decimal(table.NegInf, 0), "null"},
		{ratio(nil, 0), "null"},
		{ratio(big.NewRat(5, 2), 0), "2.5"},
		{ratio(big.NewRat(1, 3), 0), `"1/3"`},
	} {
		got, err := json.Marshal(tc.x)
		if err != nil || string(got) != tc.want {
			t.Errorf("Marshal(%q) = %s, %v; want %s", tc.x, got, err, tc.want)
		}
	}
}

// An input that could not be read outweighs a bad verdict, which outweighs a limit.
func TestWorst(t *testing.T) {
	order := []exitCode{exitDone, exitLimit, exitVerdict, exitUsage}
	for i, a := range order {
		for j, b := range order {
			if got := worst(a, b); got != order[max(i, j)] {
				t.Errorf("worst(%d, %d) = %d, want %d", a, b, got, order[max(i, j)])
			}
		}
	}
}

func TestTextWidth(t *testing.T) {
	for s, want := range map[string]int{"": 0, "abc": 3, "北海道": 6, "Ａ": 2, "ｱ": 1, "×": 1, "か\u3099": 2, "é": 1} {
		if got := textWidth(s); got != want {
			t.Errorf("textWidth(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestProgress(t *testing.T) {
	var b strings.Builder
	p := &progress{w: &b}
	p.show(solver.Progress{Round: 1, Lower: 118, Upper: math.Inf(1)})
	p.show(solver.Progress{Round: 2, Lower: 120, Upper: math.Inf(1), Elapsed: 10 * time.Millisecond}) // too soon
	p.show(solver.Progress{Round: 3, Nodes: 1, Lower: 118, Upper: 412, Cuts: 34, Elapsed: 200 * time.Millisecond})
	p.show(solver.Progress{Round: 9, Nodes: 15, Lower: 287.5, Upper: 301, Cuts: 211, Elapsed: 3100 * time.Millisecond})
	want := ` round   nodes      lower      upper     gap   cuts    time
     1       0     118.00          -       -      0    0.0s
     3       1     118.00     412.00   71.4%     34    0.2s
     9      15     287.50     301.00    4.5%    211    3.1s
`
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}

// A flag shows its value as it was given, so help and errors can repeat it.
func TestFlagValues(t *testing.T) {
	var level, number, word string
	for _, tc := range []struct {
		v interface {
			Set(string) error
			String() string
		}
		s string
	}{
		{levelValue{&level}, "12.5%"},
		{levelValue{&level}, "8"},
		{decimalValue{&number}, "-3.25"},
		{durationValue{&word}, "1m30s"},
		{seedValue{&word}, "18446744073709551615"},
		{marginsValue{&word}, "weight:2.5"},
		{choiceValue{&word, []string{"a", "b"}}, "b"},
	} {
		if err := tc.v.Set(tc.s); err != nil || tc.v.String() != tc.s {
			t.Errorf("Set(%q) = %v, then String() = %q", tc.s, err, tc.v.String())
		}
	}
}

func TestAuditProgress(t *testing.T) {
	var b strings.Builder
	p := &auditProgress{w: &b}
	p.show(3, 10)
	p.show(4, 10) // too soon
	if want := "3 of 10 cells audited\n"; b.String() != want {
		t.Errorf("printed %q, want %q", b.String(), want)
	}
}

func TestAttackProgress(t *testing.T) {
	var b strings.Builder
	p := &attackProgress{w: &b}
	p.show(attack.Progress{Open: 3, Decided: -1, Elapsed: 10 * time.Millisecond})
	p.show(attack.Progress{Open: 4, Decided: 0.2, Elapsed: 20 * time.Millisecond}) // too soon
	p.show(attack.Progress{Open: 12, Decided: 0.451, Matches: 123, Elapsed: 2 * time.Second})
	want := `  open  decided      matches    time
     3        -            0    0.0s
    12    45.1%          123    2.0s
`
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}

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
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
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
		got, err := outputPaths(tc.output, tc.inputs)
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
