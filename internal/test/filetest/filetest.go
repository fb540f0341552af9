// Package filetest walks through files for tests: those of the project, and those that runs of a job leave in
// folders.
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

// Results reads all files below the folders except journals, which contain times.
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

// Same checks that the files got are the wanted ones, byte for byte.
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

// Walk calls do with every file below root that has one of the extensions, and its text; it leaves out hidden
// folders.
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
