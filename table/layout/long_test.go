package layout

import (
	"os"
	"testing"

	"github.com/hitoku/hitoku/table/px"
	"github.com/hitoku/hitoku/table/tableio"
)

func TestPXLayout(t *testing.T) {
	t.Parallel()
	file, want, path := expected(t, "statfin-px")
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := px.ReadCube(f, file.File.Name, tableio.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := PX(c, file.File.Name, Options{})
	if err != nil {
		t.Fatal(err)
	}
	compareExpected(t, want, got)
	if got.File != file.File {
		t.Errorf("file: %+v, want %+v", got.File, file.File)
	}
}

func openText(t *testing.T, path string) *Text {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	x, err := OpenText(f, path, "", "")
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestLongLayouts reads the long tables of the cases cell by cell. Titles and units that stand
// in no file are not compared.
func TestLongLayouts(t *testing.T) {
	t.Parallel()
	for name, loose := range map[string][]string{
		"statcan-long":       {"title", "unit"},
		"eurostat-tsv-flags": {"title", "unit"},
		"eurostat-sdmx-both": {"title", "unit"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, want, path := expected(t, name)
			x := openText(t, path)
			got, err := long(x.Grid, x.File, Options{})
			if err != nil || got == nil {
				t.Fatal(got, err)
			}
			compareExpected(t, want, got, loose...)
			got.File.Name = file.File.Name
			if got.File != file.File {
				t.Errorf("file: %+v, want %+v", got.File, file.File)
			}
		})
	}
}
