// Package private says where files stand that are for the office only, and how they are marked: those
// with costs, bounds, widest intervals or values of withheld cells. A cost is mostly a sum over
// withheld cells, so that beside the protected table it gives a value away where the relations
// leave one degree of freedom.
package private

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Only marks such a file.
const Only = "for the office only"

// Dir is the folder for the office's files on what is published in the folder dir: beside it, so that
// who copies dir copies none of them.
func Dir(dir string) string {
	dir = filepath.Clean(dir)
	if filepath.Base(dir) == "." || filepath.Base(dir) == ".." { // whose name is not in the path
		if abs, err := filepath.Abs(dir); err == nil {
			return filepath.Join(dir, "..", filepath.Base(abs)+".office")
		}
	}
	return dir + ".office"
}

// Make makes the folder dir, for its owner alone, where it does not exist. One that exists is closed to all others; where that cannot
// be done, as somebody else owns it, the error says so.
func Make(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm()&0o077 == 0 || runtime.GOOS == "windows" { // which has no such bits
		return err
	}
	if err := os.Chmod(dir, info.Mode().Perm()&^0o077); err != nil {
		return i18n.Errorf("%s: others may look into this folder, whose files are %s, and it cannot be closed (%w); remove it, or close it to all but its owner", dir, Only, err)
	}
	return nil
}
