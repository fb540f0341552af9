//go:build !unix && !windows

package formats

import (
	"io/fs"
	"os"
)

// lock reports that f is ours: a file that another process has open cannot be removed.
func lock(*os.File) bool { return true }

func giveTo(*os.File, fs.FileInfo) bool { return true }

func openPart(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}

func busy(error) bool { return false }

func rename(from, to string) error { return os.Rename(from, to) }
