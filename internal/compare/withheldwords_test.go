package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/risk"
)

// A word for what was taken out stands for any value where no value of the original is that word and the other released values are the original's, and it is said so. Else it is a value, or
// refused.
func TestWithheldWords(t *testing.T) {
	t.Parallel()
	var numbers, texts []string
	for i := range 300 {
		numbers = append(numbers, fmt.Sprint(i*7%90+10))
		texts = append(texts, []string{"red", "green", "blue"}[i%3])
	}
	some := func(word string) func(n int, v string) string {
		return func(n int, v string) string {
			if n%4 == 1 {
				return word
			}
			return v
		}
	}
	read := func(original []string, code func(n int, v string) string) (m *Meaning, files []*Records, err error) {
		dir := t.TempDir()
		var release []string
		for n, v := range original {
			release = append(release, code(n, v))
		}
		files, err = Read(t.Context(), risk.Layout{}, []string{"c0", "c1"}, nil, column(t, dir, "a.csv", original), column(t, dir, "b.csv", release))
		if err != nil {
			t.Fatal(err)
		}
		m, err = Understand(files[0], files[1], nil, 0, nil, Reading{})
		return m, files, err
	}
	for _, word := range []string{"-", "N/A", "null", "不詳", "missing", "unbekannt", "inconnu"} {
		for _, original := range [][]string{numbers, texts} {
			m, files, err := read(original, some(word))
			if err != nil {
				t.Errorf("%s: %v", word, err)
				continue
			}
			said := fmt.Sprint(m.Forms)
			if m.Kind != Sets || !strings.Contains(said, "any value, marked") || !strings.Contains(said, word) {
				t.Errorf("%s: %s, %s", word, m.Kind, said)
			}
			for i := range original {
				if !m.holds(files[0].ID[0][i], files[1].ID[0][1]) || m.holds(files[0].ID[0][i], files[1].ID[0][0]) != (original[i] == original[0]) {
					t.Errorf("%s: value %s", word, original[i])
				}
			}
		}
		own := slices.Clone(texts)
		own[7] = word // one of the original's
		m, files, err := read(own, func(_ int, v string) string { return v })
		if err != nil || m.Kind != Values || !m.holds(files[0].ID[0][7], files[1].ID[0][7]) || m.holds(files[0].ID[0][0], files[1].ID[0][7]) {
			t.Errorf("%s is a value of the original: %v", word, err)
		}
		if m, files, err = read(own, some(word)); err == nil && m.holds(files[0].ID[0][0], files[1].ID[0][1]) {
			t.Errorf("%s is a value of the original, and read as any", word)
		}
		if _, _, err = read(texts, func(n int, v string) string {
			if v == "red" {
				return "warm" // a class that is not known, so that the word may be one, too
			}
			return some(word)(n, v)
		}); err == nil {
			t.Errorf("%s beside another class is read", word)
		}
		if m, files, err = read(texts, func(_ int, v string) string { return strings.ReplaceAll(v, "red", word) }); err != nil || !m.holds(files[0].ID[0][0], files[1].ID[0][0]) || m.holds(files[0].ID[0][1], files[1].ID[0][0]) {
			t.Errorf("%s in place of one value is not read as that: %v", word, err)
		}
		if m, _, err = read(texts, func(int, string) string { return word }); err != nil || m.Kind != Sets {
			t.Errorf("%s for all values: %v", word, err)
		}
	}
}

// A text that nothing is known of, beside values and sets that are, stands for any value where these have fewer records than the original, and for what none of them stands for where that has as
// many records. Two such texts are refused, and so is one where the others have more records than the original.
func TestRest(t *testing.T) {
	t.Parallel()
	var original []string
	for i := range 400 {
		original = append(original, fmt.Sprint(10+i*7%80))
	}
	band := func(v string) string { return v[:1] + "0-" + v[:1] + "9" }
	for name, c := range map[string]struct {
		code func(n int, v string) string
		rows int
		want string
	}{
		"withheld": {func(n int, v string) string {
			if n%5 == 1 {
				return "[redacted]"
			}
			return band(v)
		}, 400, "any value, marked [redacted], intervals"},
		"withheld in a sample": {func(n int, v string) string {
			if n%5 == 1 {
				return "[redacted]"
			}
			return band(v)
		}, 200, "any value, marked [redacted], intervals"},
		"withheld beside all of a value": {func(n int, v string) string {
			if n%5 == 1 || v < "20" {
				return "[redacted]"
			}
			return band(v)
		}, 400, "any value, marked [redacted], intervals"},
		"the rest": {func(_ int, v string) string {
			if v < "30" {
				return "young"
			}
			return band(v)
		}, 400, "intervals, what no other value stands for"},
		"the rest of a sample": {func(_ int, v string) string {
			if v < "30" {
				return "young"
			}
			return band(v)
		}, 200, "intervals, what no other value stands for"},
		"two of them": {func(_ int, v string) string {
			switch {
			case v < "20":
				return "child"
			case v < "30":
				return "young"
			}
			return band(v)
		}, 400, "refused"},
		"more than there are": {func(n int, v string) string {
			if n%20 == 1 {
				return "[redacted]"
			}
			return []string{"50-89", "10-49"}[min(1, n%4)]
		}, 400, "refused"},
	} {
		dir := t.TempDir()
		var release []string
		for n, v := range original[:c.rows] {
			release = append(release, c.code(n, v))
		}
		files, err := Read(t.Context(), risk.Layout{}, []string{"c0", "c1"}, nil, column(t, dir, "a.csv", original), column(t, dir, "b.csv", release))
		if err != nil {
			t.Fatal(err)
		}
		m, err := Understand(files[0], files[1], nil, 0, nil, Reading{})
		got := "refused"
		if err == nil {
			var list []string
			for _, f := range m.Forms {
				list = append(list, f.String())
			}
			slices.Sort(list)
			got = strings.Join(list, ", ")
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
