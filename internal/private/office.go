// Package private says where files are kept that are for the office only, and how they are marked: files with
// costs, bounds, widest intervals or values of withheld cells. A cost is mostly a sum over withheld cells, so
// beside the protected table it gives a value away if the relations leave one degree of freedom.
package private

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Only is the mark of such a file.
const Only = "for the office only"

// Dir returns the folder for the office's files about what is published in the folder dir. It is beside dir, so
// that nobody who copies dir copies any of them.
func Dir(dir string) string {
	dir = filepath.Clean(dir)
	if filepath.Base(dir) == "." || filepath.Base(dir) == ".." { // the path does not contain the folder's name
		if abs, err := filepath.Abs(dir); err == nil {
			return filepath.Join(dir, "..", filepath.Base(abs)+".office")
		}
	}
	return dir + ".office"
}

// Make makes the folder dir, accessible to its owner alone, if it does not exist. An existing folder is closed
// to all others; if that fails, because somebody else owns it, the error says so.
func Make(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm()&0o077 == 0 || runtime.GOOS == "windows" { // Windows has no such permissions
		return err
	}
	if err := os.Chmod(dir, info.Mode().Perm()&^0o077); err != nil {
		return i18n.Errorf("%s: others may look into this folder, whose files are %s, and it cannot be closed (%w); remove it, or close it to all but its owner", dir, Only, err)
	}
	return nil
}
