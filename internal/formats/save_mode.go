//go:build !windows

package formats

import (
	"io/fs"
	"os"
)

// modeOfNew returns the permissions of new files called name, as the umask and the folder
// have them. It makes one, which stays empty, and removes it, unless another process took it for what a killed one
// left: then that one does, and what is called name afterwards is its own.
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
