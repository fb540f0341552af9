package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/shared"
)

// TestFeatures runs what was false once where two features met, on the data that showed it. Where a line names OUT it is a
// file of the test's own.
func TestFeatures(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		name, args string
		code       int
		want       string // expression that what is printed satisfies
	}{
		{"a release narrows", "suppress si_new.csv --flat DA --flat DC --below 5 --width 8 --published si_release.csv -o OUT", 0, `si_new: protected together`},
		{"orders of a ledger", "ledger check led2.toml", 0, `N \(\S*r1.csv\)\s+12\s+14[^$]*S \(\S*r1.csv\)\s+16\s+18`},
		{"the other order", "ledger check led3.toml", 0, `N \(\S*r2.csv\)\s+12\s+14[^$]*S \(\S*r2.csv\)\s+16\s+18`},
		{"intervals apart", "audit r3.csv --published rel_interval.csv --flat region", 2, `cell N: in \[15, 20\] in \S*r3.csv and in \[10, 14\] in \S*rel_interval.csv`},
		{"seen below 0", "audit pneg3_pub.csv --width 100", 1, `N\s+-15\s+-9\s+100\s+UNPROTECTED`},
		{"and all of it", "audit pneg_pub.csv --width 2", 0, `N/b\s+-43\s+-37`},
		{"a flag takes nothing away", "audit pneg3_pub.csv --width 100 --lower -1000", 1, `N\s+-15\s+-9\s+100\s+UNPROTECTED`},
		{"decimals of withheld values", "fill fill_a.csv", 0, `N\s+~5\s+S\s+~6`},
		{"and of others", "fill fill_b.csv", 0, `N\s+~5\s+S\s+~6`},
		{"exact weights", "fill fill_w2.csv --json", 0, `"nearest":true.*"cell":"N","codes":\["N"\],"value":1000000,`},
		{"halves away from zero", "round conv4.csv --base 2 --kind conventional --flat region --below 3 --width 1", 1, `unprotected; 3 of 3 cells looked at are disclosed`},
		{"who waives counts nobody twice", `tabulate waiver.csv --table dims+region;response+v;holding+firm;top+3 --waivers waivers.txt --dominance 3,75`, 0, `(?m)^N,150,2,u,dominance,50,50,`},
		{"no level keeps a mark", "suppress ../../testdata/frequency.csv --below 5 --total 合計 --partial --seed 1 --json", 0, `"pattern":\["M2/P3","M2/P5","M3/P3","M3/P5"\].*"cell":"M2/P3"[^}]*"published":\[0,null\].*"cell":"M3/P5"[^}]*"published":\[0,null\]`},
		{"none only where proved", "suppress partial_none.jj --partial --max-width 10 --partial-cost absolute --ends plain", 0, `cost 27.72, 27.72 before .* bound 27.7\d*: protected`},
		{"and with ends drawn", "suppress partial_none.jj --partial --max-width 10 --partial-cost absolute --seed 1", 3, `27.72 before .* but of 1 sensitive cells who knows how ends are drawn may tell more`},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			code, text := onData(t, "features", x.args)
			if code != x.code || !regexp.MustCompile(x.want).MatchString(text) {
				t.Errorf("hitoku %s: exit code %d, want %d, and what it printed shows no %s:\n%s", x.args, code, x.code, x.want, text)
			}
		})
	}
}

// TestReleasesOfRecords does so with microdata.
func TestReleasesOfRecords(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ name, args, want string }{
		{"an empty field is no value", "risk columns emp.csv", `x +number +1 +0 +1 `},
		{"marks of the input agree with those written", "risk withhold star.csv --qi q0,q1 --min-k 2", `values withheld +2\n(?s:.*)than +2\nfewest +proved`},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			if code, text := onData(t, "releases", x.args); code != 0 || !regexp.MustCompile(x.want).MatchString(text) {
				t.Errorf("hitoku %s: exit code %d, and what it printed shows no %s:\n%s", x.args, code, x.want, text)
			}
		})
	}
}

// onData runs the command on files of a folder of the data beside the project. A plus in a word of args is a blank, OUT a file of
// the test's own.
func onData(t *testing.T, folder, args string) (int, string) {
	t.Helper()
	dir := shared.Path(t, "data", folder)
	out := t.TempDir()
	var words []string
	for _, w := range strings.Fields(args) {
		if path := filepath.Join(dir, w); filepath.Ext(w) != "" {
			if _, err := os.Stat(path); err == nil {
				w = path
			}
		}
		words = append(words, strings.NewReplacer("+", " ", "OUT", filepath.Join(out, "out.csv")).Replace(w))
	}
	var text bytes.Buffer
	code := run(words, strings.NewReader(""), &text, &text)
	return int(code), text.String()
}

// TestFirewall runs suppress on files whose flags, contributors and second columns were once published, each by what is right of it: a cell
// that the file calls confidential or that has one contributor has no value in what is written, or nothing is written.
func TestFirewall(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		file, flags string
		gone        []string // expressions that nothing written satisfies
		refused     string   // by an error that satisfies this, empty: it is written
	}{
		{"two.csv", "--width 8", []string{`(?m),x,p,2023,[0-9]`, `(?m),x,p,2024,[0-9]`, `,[0-9]+,[0-9]*,A,C`}, ""},
		{"rounded.csv", "--width 8", []string{`(?m),x,p,[0-9]`}, ""},
		{"p2.px", "--width 8", []string{`DATA=\s*10 `}, ""},
		{"p3.px", "--width 8", []string{`DATA=\s*10 `}, ""},
		{"mag.csv", "--below 3 --width 100 --tolerance 1", []string{`1043`, `(?m)^x,p,[0-9]`}, ""},
		{"mag2.csv", "--below 3 --width 100 --tolerance 1", []string{`1043`, `(?m)^x,p,[0-9]`}, ""},
		{"auto.csv", "--below 4000 --width 3000", nil, `in no table that is read`},
		{"auto.csv", "--below 4000 --width 3000 --leave-aside", []string{`Charlie;p;x;[0-9]`}, ""},
		{"statcan.csv", "--below 3 --width 3", nil, `in no table that is read`},
	} {
		t.Run(x.file+x.flags, func(t *testing.T) {
			t.Parallel()
			in := shared.Path(t, "data", "firewall", x.file)
			out := filepath.Join(t.TempDir(), x.file)
			var text bytes.Buffer
			code := run(append(append([]string{"suppress"}, strings.Fields(x.flags)...), "-o", out, in), strings.NewReader(""), &text, &text)
			written, err := os.ReadFile(out)
			if x.refused != "" {
				if code != 2 || err == nil || !regexp.MustCompile(x.refused).MatchString(text.String()) {
					t.Errorf("exit code %d, written: %v, want an error that says %s\n%s", code, err == nil, x.refused, &text)
				}
				return
			}
			if code != 0 || err != nil {
				t.Fatalf("exit code %d, %v\n%s", code, err, &text)
			}
			for _, gone := range x.gone {
				if regexp.MustCompile(gone).Match(written) {
					t.Errorf("what is written has %s:\n%s", gone, written)
				}
			}
		})
	}
}
