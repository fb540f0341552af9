package formats

import (
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/test/must"
)

// Records come without the byte order mark of the file, until one asks for no more; a line that cannot be split is named.
func TestEachRecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pairs.csv")
	two := func(r *csv.Reader) { r.FieldsPerRecord = 2 }
	for text, want := range map[string]string{"\ufeffa,b\nend,\nc\n": "", "a,b\nc\n": path + ":2: wrong number of fields"} {
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		var got []string
		err := EachRecord(path, i18n.Text{}, two, func(_ int, rec []string) error {
			if rec[0] == "end" {
				return io.EOF
			}
			got = append(got, rec...)
			return nil
		})
		if err == nil && want != "" || err != nil && err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
		if !slices.Equal(got, []string{"a", "b"}) {
			t.Errorf("%q: %q", text, got)
		}
	}
	if err := EachRecord(path, i18n.T("want a pair"), two, func(int, []string) error { return nil }); err == nil || err.Error() != path+":2: want a pair" {
		t.Error(err)
	}
}
