package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/test/must"
)

// onEmpty are verbs of risk as they read a file of records.
const onEmpty = `all empty.csv --qi a
k-anonymity empty.csv --qi a
l-diversity empty.csv --qi a --sensitive s
t-closeness empty.csv --qi a --sensitive s
beta-likeness empty.csv --qi a --sensitive s
special-uniques empty.csv --qi a
k-map empty.csv --qi a --population empty.csv
delta-presence empty.csv --qi a --population empty.csv
survey empty.csv --qi a --weight s
uniques empty.csv --qi a --population-size 9
generalise empty.csv --qi a --withhold a --min-k 2 -o out.csv
withhold empty.csv --qi a --min-k 2 -o out.csv
columns empty.csv
release empty.csv --propose out.csv
compare empty.csv empty.csv --qi a
reconstruct empty.csv --attribute a --rho 0.5
sample empty.csv --m 1 --seed x -o out.csv
pram empty.csv --attribute a --rho 0.5 --seed x -o out.csv
laplace empty.csv --attribute a --k 5 --seed x -o out.csv
mix empty.csv --attribute a --k 2 --seed x -o out.csv
microaggregate empty.csv --attribute a --k 2 -o out.csv
rank-swap empty.csv --attribute a --percent 5 --seed x -o out.csv`

// A file of a header alone is no fault, and nothing can be said of it: the same exit code and words, whatever the verb, and no file.
func TestRiskOfNobody(t *testing.T) {
	t.Chdir(t.TempDir())
	must.Do(t, os.WriteFile("empty.csv", []byte("a,s\n"), 0o600))
	for line := range strings.SplitSeq(onEmpty, "\n") {
		var stdout, stderr bytes.Buffer
		code := run(append([]string{"risk"}, strings.Fields(line)...), strings.NewReader(""), &stdout, &stderr)
		if code != cli.Limit || !strings.Contains(stderr.String(), "no records, so nothing can be said\n") {
			t.Errorf("%s: exit code %d: %s", line, code, stderr.String())
		}
	}
	if _, err := os.Stat("out.csv"); err == nil {
		t.Error("a file is written")
	}
}

// A verb that is misspelt is called by its name, also with flags behind it.
func TestMisspeltVerbs(t *testing.T) {
	for line, want := range map[string]string{
		"risk k-annonymity --qi a x.csv": `no measure "k-annonymity" (did you mean k-anonymity?)`,
		"ledger ad --period 3 x":         `no command "ad" (did you mean add?)`,
		"bench cps --seed 1":             `no benchmark "cps" (did you mean csp?)`,
		"supress --below 3 x":            `unknown command "supress" (did you mean suppress?)`,
	} {
		var stdout, stderr bytes.Buffer
		if code := run(strings.Fields(line), strings.NewReader(""), &stdout, &stderr); code != cli.Usage || !strings.Contains(stderr.String(), want) {
			t.Errorf("%s: exit code %d: %s", line, code, stderr.String())
		}
	}
}
