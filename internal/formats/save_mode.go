//go:build !windows

package formats

import (
	"io/fs"
	"os"
)

// modeOfNew returns the permissions that the umask and the folder give to a new file called name. It makes such
// a file, empty, and removes it, unless another process removed it first as the remains of a killed one; a file
// called name is then that process's own.
func modeOfNew(name string) (fs.FileMode, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if !lock(f) || !isAt(f, name) {
		f.Close()
	} else if gone := removeOpen(f, name); err == nil {
		err = gone
	}
	if err != nil {
		return 0, err
	}
	return info.Mode().Perm(), nil
}
