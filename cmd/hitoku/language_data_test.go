package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/width"
	"pgregory.net/rapid"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/i18n/catalogue"
)

// pieces are what names are drawn of: what stands between the parts of messages, formats, and words of the catalogues.
var pieces = []string{": ", "; ", ", ", ":", ";", "'", `"`, "(", ")", "%", "%d", "%[2]s", "{1}", "{width}", "none", "protected", "value", "cell ", "Level: none",
	"protected; all cells", "not settled", "unknown flag: --x", "want a number", "安全", "セル", "、", "：", "。", "a", "Ω", "é", "7", "_"}

// A sheet is the names in a table: of its file, its columns, two rows and a column of cells.
type sheet [6]string

// neutral has names of the same length and width in the place of each, that no message has.
func (s sheet) neutral() (n sheet) {
	for k, name := range s {
		n[k] = strings.Map(func(r rune) rune {
			switch width.LookupRune(r).Kind() {
			case width.EastAsianWide, width.EastAsianFullwidth:
				return []rune("鴉鵺鷺鷽鸛鸚")[k]
			}
			return rune("qxzjvk"[k])
		}, name)
	}
	return n
}

// back puts the names of s where out has those of n.
func (s sheet) back(out string, n sheet) string {
	for k := range s {
		out = strings.ReplaceAll(out, n[k], s[k])
	}
	return out
}

// runs are commands on the table.
func (s sheet) runs() [][]string {
	file, cell := s[0]+".csv", s[3]+"/"+s[5]
	return [][]string{
		{"suppress", "--below", "3", "--width", "2", file},
		{"suppress", "--below", "3", "--publish", s[4] + "/" + s[0], file},
		{"suppress", "--below", "3", "--publish", cell, file},
		{"suppress", "--below", "3", "--hierarchy", s[0] + "=none.csv", file},
		{"suppress", "--cost", s[2] + "x", file},
		{"suppress", s[1] + ".csv"},
		{"suppress", "--" + s[4], file},
		{s[5], file},
		{"audit", "--below", "3", "--width", "2", "--withheld", "1", file},
		{"audit", "--knows", cell + "=1", "--withheld", "1", file},
		{"audit", "--published", s[2], file},
		{"inspect", "--from", "layout", file},
		{"explain", "--below", "3", "--width", "2", cell, file},
		{"explain", s[2], file},
		{"round", "--base", "5", "--below", "3", "--intervals", file},
		{"adjust", "--below", "3", "--lpl", "1", "--upl", "1", file},
		{"attack", "--below", "3", "--withheld", "1", "--knows", cell + "=2", file},
		{"convert", "--to", s[3], file},
		{"risk", "k-anonymity", "--qi", s[1], "--worst", "2", file},
		{"risk", "l-diversity", "--qi", s[1], "--sensitive", s[2], file},
		{"links", file},
	}
}

// said is what a command prints, with its quotes inside quotes as they are.
func (s sheet) said(t *rapid.T, tag string, args []string) string {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.WriteAll([][]string{{s[1], s[2], "freq"}, {s[3], s[5], "1"}, {s[3], "B", "6"}, {s[3], "Total", "7"}, {s[4], s[5], "5"}, {s[4], "B", "7"}, {s[4], "Total", "12"},
		{"Total", s[5], "6"}, {"Total", "B", "13"}, {"Total", "Total", "19"}})
	if err := os.WriteFile(s[0]+".csv", b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(s[0] + ".csv")
	var out bytes.Buffer
	run(append([]string{"--lang", tag}, args...), strings.NewReader(""), &out, &out)
	return strings.ReplaceAll(out.String(), `\"`, `"`)
}

// Names pass through every language unchanged, whatever they are: a table with other names is told of in the same words, where it is so in English.
func TestNamesUnchanged(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Cleanup(func() { cli.Speak() })
	alike, drawn := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		one := rapid.Custom(func(r *rapid.T) string {
			return strings.TrimSpace(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 4).Draw(r, "pieces"), ""))
		}).Filter(func(s string) bool { return len([]rune(s)) > 3 })
		var s sheet
		for k := range s {
			s[k] = one.Filter(func(name string) bool { return !slices.Contains(s[:k], name) }).Draw(r, "name")
		}
		n := s.neutral()
		k := rapid.IntRange(0, len(s.runs())-1).Draw(r, "run")
		drawn++
		if s.said(r, "en", s.runs()[k]) != s.back(n.said(r, "en", n.runs()[k]), n) {
			return // what is told depends on the names
		}
		alike++
		for _, tag := range catalogue.Languages()[1:] {
			if got, want := s.said(r, tag, s.runs()[k]), s.back(n.said(r, tag, n.runs()[k]), n); got != want {
				r.Fatalf("%q in %s:\n%s\nwant\n%s", s.runs()[k], tag, got, want)
			}
		}
	})
	if drawn >= 50 && alike < drawn/2 {
		t.Errorf("%d of %d draws are told of alike in English", alike, drawn)
	}
}
