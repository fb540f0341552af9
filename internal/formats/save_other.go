//go:build !unix && !windows

package formats

import (
	"io/fs"
	"os"
)

// Lock always succeeds: the system has no locks, and does not remove a file that another process has open.
func Lock(*os.File) error { return nil }

func giveTo(*os.File, fs.FileInfo) bool { return true }

func openPart(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}

func busy(error) bool { return false }

func rename(from, to string) error { return os.Rename(from, to) }
