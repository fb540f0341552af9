package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/shared"
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
		{"a flag takes nothing away", "audit pneg3_pub.csv --width 100 --lower -1000", 1, `N\s+-15\s+-9\s+100\s+UNPROTECTED`},
		{"decimals of withheld values", "fill fill_a.csv", 0, `N\s+~5\s+S\s+~6`},
		{"and of others", "fill fill_b.csv", 0, `N\s+~5\s+S\s+~6`},
		{"exact weights", "fill fill_w2.csv --json", 0, `"nearest":true.*"cell":"N","codes":\["N"\],"value":1000000,`},
		{"halves away from zero", "round conv4.csv --base 2 --kind conventional --flat region --below 3 --width 1", 1, `unprotected; 3 of 3 cells looked at are disclosed`},
		{"who waives counts nobody twice", `tabulate waiver.csv --table dims+region;response+v;holding+firm;top+3 --waivers waivers.txt --dominance 3,75`, 0, `(?m)^N,150,2,u,dominance,50,50,`},
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
