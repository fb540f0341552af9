// Package filetest goes through files, for tests: those of the project, and what runs of a job
// leave in folders.
package filetest

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// Results reads all files below the folders but journals, which tell times.
func Results(t testing.TB, dirs ...string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, dir := range dirs {
		must.Do(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), "journal") {
				return err
			}
			files[path], err = os.ReadFile(path)
			return err
		}))
	}
	return files
}

// Same asks that the files got are those wanted, byte for byte.
func Same(t testing.TB, what string, got, want map[string][]byte) {
	t.Helper()
	for path, b := range want {
		if !bytes.Equal(got[path], b) {
			t.Errorf("%s: %s differs:\n%s\nwanted\n%s", what, path, got[path], b)
		}
	}
	for path := range got {
		if _, ok := want[path]; !ok {
			t.Errorf("%s: %s is not of the job", what, path)
		}
	}
}

// Walk gives do every file below root with one of the extensions, outside hidden folders, and its text.
func Walk(t testing.TB, root fs.FS, do func(file, text string), ext ...string) {
	t.Helper()
	must.Do(t, fs.WalkDir(root, ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir() || !slices.Contains(ext, path.Ext(file)):
			return nil
		}
		text, err := fs.ReadFile(root, file)
		if err == nil {
			do(file, string(text))
		}
		return err
	}))
}
