package tabletest

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hitoku/hitoku/internal/test/must"
)

// Golden checks that got is the content of a file; it writes the file instead if UPDATE is set.
func Golden(t testing.TB, path string, got []byte) {
	t.Helper()
	if os.Getenv("UPDATE") != "" {
		must.Do(t, os.WriteFile(path, got, 0o666))
	}
	want := must.Get(os.ReadFile(path))(t)
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-want +got)\n%s", path, d)
	}
}

// Refused checks that a text was refused with an error that says want.
func Refused(t testing.TB, name, text string, err error, want string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error\n%s", name, text)
	} else if got := err.Error(); got != want {
		t.Errorf("%s\ngot  %s\nwant %s", name, got, want)
	}
}
