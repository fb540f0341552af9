package risk

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/seed"
	"github.com/hitoku/hitoku/internal/test/must"
)

// Columns are left out of header and records; the others stay byte by byte.
func TestReleaseDrop(t *testing.T) {
	t.Parallel()
	release := func(text string, drop ...string) (string, error) {
		file := written(t, text)
		n := must.Get(Count(t.Context(), file, Layout{}))(t)
		var b bytes.Buffer
		err := Sample(t.Context(), &b, file, Layout{}, Release{N: n, M: n, KeepOrder: true, Drop: drop}, seed.Rand("", ""))
		return b.String(), err
	}
	records := func(text string) [][]string {
		return must.Get(csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\xef\xbb\xbf"))).ReadAll())(t)
	}
	names := []string{"id", "sex", "no,te"}
	for mask := 1; mask < 7; mask++ {
		var drop []string
		for k, n := range names {
			if mask>>k&1 == 1 {
				drop = append(drop, n)
			}
		}
		got, err := release(odd, drop...)
		if err != nil || !strings.HasPrefix(got, "\xef\xbb\xbf") || strings.Count(got, "\r\n") != strings.Count(odd, "\r\n")-1 {
			t.Fatalf("%v: %q, %v", drop, got, err)
		}
		want := records(odd)
		for i, r := range want {
			want[i] = slices.Collect(func(yield func(string) bool) {
				for k, v := range r {
					if mask>>k&1 == 0 && !yield(v) {
						return
					}
				}
			})
		}
		if !slices.EqualFunc(records(got), want, slices.Equal) {
			t.Errorf("%v: %q, want %q", drop, records(got), want)
		}
	}
	// Names and values with a sign that would be taken for the separator of what stays are quoted.
	for text, want := range map[string]string{
		"a\tx,y\tb\n1\t2\t3,5\n": "\"x,y\"\tb\n2\t\"3,5\"\n",
		"a;b\n1;2,5\n":           "b\n\"2,5\"\n",
		"a;b;c,d;e\n1;2;3,5;4\n": "b;c,d;e\n2;3,5;4\n",
	} {
		if got, err := release(text, "a"); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
	if got, err := release("a,b\n1,\n2,x\n", "a"); err != nil || got != "b\n\"\"\nx\n" {
		t.Errorf("an empty field alone: %q, %v", got, err)
	}
	if _, err := release("a,b\n1,2\n", "c"); err == nil || !strings.Contains(err.Error(), "no column c") {
		t.Errorf("no such column: %v", err)
	}
	if _, err := release("a,b\n1,2\n", "a", "b"); err == nil {
		t.Error("nothing is left, and that is written")
	}
}
