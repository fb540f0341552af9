package formats

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// SameFile reports whether two paths name one file: by its identity where there is one, so that links
// count, else by where Save would put it, so that spellings of a path do.
func SameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	switch {
	case errA == nil && errB == nil:
		return os.SameFile(x, y)
	case errA == nil || errB == nil:
		return false
	}
	return place(a) == place(b)
}

// place is where Save puts a file that does not exist yet: links are followed, also those to nothing, and in
// the folders above.
func place(path string) string {
	if to, err := target(path); err == nil {
		path = to
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	below := ""
	for dir := path; ; dir = filepath.Dir(dir) { // the first folder that exists
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			path = filepath.Join(real, below)
			break
		}
		if dir == filepath.Dir(dir) {
			break
		}
		below = filepath.Join(filepath.Base(dir), below)
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" { // where letters of both cases name one file
		path = strings.ToLower(path)
	}
	return path
}
