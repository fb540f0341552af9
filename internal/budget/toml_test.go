package budget

import (
	"errors"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/memtest"
)

// A file of settings of some KB is refused before its parser takes gigabytes, and nothing that it may
// hold is taken for depth.
func TestDepth(t *testing.T) {
	deep := func(s string) string { return strings.Repeat(s, 30_000) }
	for _, tc := range []struct{ name, text, want string }{
		{"dotted key", "inputs = []\na" + deep(".a") + " = 1\n", "f.toml:2: a key of more than 64 parts"},
		{"quoted parts", `"a"` + deep(`."a"`) + " = 1\n", "f.toml:1: a key of more than 64 parts"},
		{"header", "# [\n[a" + deep(".a") + "]\n", "f.toml:2: a key of more than 64 parts"},
		{"arrays", "a = " + deep("["), "f.toml:1: more than 64 brackets within each other"},
		{"tables", "a = \"\"\nb = '''\n[[\n'''\nc = " + deep("{a="), "f.toml:5: more than 64 brackets within each other"},
		{"strings", "a = \"" + deep(".[{") + "\"\nb = '" + deep("[.") + "'\nc = \"\"\"\n" + deep("\\\"\"[.\n") + "\"\"\"\nd = ''\ne='''" + deep("['\n") + "'''\nf=1#" + deep("[."), ""},
		{"numbers", "a = [" + deep("1.5, ") + "]\n", ""},
		{"large", strings.Repeat(" ", int(Settings)+1), "f.toml: more than 16 MiB"},
	} {
		if tc.want == "" { // only whether it is refused
			if line, want := tooDeep([]byte(tc.text)); !want.IsZero() {
				t.Errorf("%s: line %d: %s", tc.name, line, want)
			}
			continue
		}
		memtest.Bound(t, len(tc.text), 1<<20, 12, func() {
			keys := map[string]any{}
			_, err := DecodeTOML(strings.NewReader(tc.text), &keys)
			if fault, ok := errors.AsType[*TOMLError](err); !ok || fault.In("f.toml").Error() != tc.want+"; --read-limit 2 raises the limits of input" {
				t.Errorf("%s: %v, want %s", tc.name, err, tc.want)
			}
		})
	}
}

// A value of another kind than is wanted is named, also where the decoder passes over it.
func TestMisfit(t *testing.T) {
	for text, want := range map[string]string{
		"keys = 3": "f: keys: want keys with values below it", "[[below]]\nkeys = [1]": "f: below.keys: want keys with values below it",
		"below = 1": "f: below: want a list in brackets", "[below]\nname = 1": "f: below: want a list in brackets", "[[below]]\nname = 1": "f: below.name: want a text in quotes",
		"yes = \"no\"": "f: yes: want true or false", "names = [1]": "f: names: want a text in quotes",
		"yes = true\nany = 3\nnames = [\"a\"]\n[keys]\na = 1\n[[below]]\nname = \"b\"": "",
	} {
		var to struct {
			Yes   *bool
			Any   any
			Names []string
			Keys  map[string]int
			Below []struct {
				Called string `toml:"name"`
				Keys   map[string]any
			}
		}
		_, err := DecodeTOML(strings.NewReader(text), &to)
		if fault, ok := errors.AsType[*TOMLError](err); (want != "") != ok || ok && fault.In("f").Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// What FuzzTOML accepts costs a multiple of its size.
func FuzzTOML(f *testing.F) {
	f.Add("a.b.\"c\" = 1.5 # x\nb = '''\n'''\n")
	f.Add("a = [[[[{b = [1, 2.5, 2020-01-01]}]]]]\n[[t]]\nx.y = \"z\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		memtest.Bound(t, len(text), 8<<20, 20_000, func() {
			keys := map[string]any{}
			DecodeTOML(strings.NewReader(text), &keys)
		})
	})
}
