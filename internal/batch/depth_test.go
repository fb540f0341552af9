package batch

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/memtest"
)

// A job file of some KB is refused before its parser takes gigabytes, and nothing that a job may
// hold is taken for depth.
func TestDepth(t *testing.T) {
	deep := func(s string) string { return strings.Repeat(s, 30_000) }
	for _, tc := range []struct{ name, text, want string }{
		{"dotted key", "inputs = []\na" + deep(".a") + " = 1\n", "j.toml:2: a key of more than 64 parts"},
		{"quoted parts", `"a"` + deep(`."a"`) + " = 1\n", "j.toml:1: a key of more than 64 parts"},
		{"header", "# [\n[a" + deep(".a") + "]\n", "j.toml:2: a key of more than 64 parts"},
		{"arrays", "a = " + deep("["), "j.toml:1: more than 64 brackets within each other"},
		{"tables", "a = \"\"\nb = '''\n[[\n'''\nc = " + deep("{a="), "j.toml:5: more than 64 brackets within each other"},
		{"strings", "a = \"" + deep(".[{") + "\"\nb = '" + deep("[.") + "'\nc = \"\"\"\n" + deep("\\\"\"[.\n") + "\"\"\"\nd = ''\ne='''" + deep("['\n") + "'''\nf=1#" + deep("[."), ""},
		{"numbers", "a = [" + deep("1.5, ") + "]\n", ""},
		{"large", strings.Repeat(" ", maxJob+1), "j.toml: more than 16 MiB"},
	} {
		if tc.want == "" { // only whether it is refused
			if line, want := tooDeep([]byte(tc.text)); !want.IsZero() {
				t.Errorf("%s: line %d: %s", tc.name, line, want)
			}
			continue
		}
		memtest.Bound(t, len(tc.text), 1<<20, 10, func() {
			if _, err := parseJob("j.toml", []byte(tc.text)); err == nil || err.Error() != tc.want {
				t.Errorf("%s: %v, want %s", tc.name, err, tc.want)
			}
		})
	}
}

func FuzzJob(f *testing.F) {
	f.Add("inputs = [\"a.csv\"]\noutput = \"o\"\noptions = { below = 5 }\n[[override]]\nmatch = \"a*\"\n[override.options]\nbelow = 3\n")
	f.Add("a.b.\"c\" = 1.5 # x\nb = '''\n'''\n")
	f.Fuzz(func(t *testing.T, text string) {
		memtest.Bound(t, len(text), 8<<20, 20_000, func() { parseJob("j.toml", []byte(text)) })
	})
}
