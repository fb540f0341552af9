//go:build unix

package formats

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Lock locks f until it is closed, however this process ends. If another open file holds the lock, the error is
// ErrLocked.
func Lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}

// giveTo gives f the owner and group of old, and reports whether f then has that group.
func giveTo(f *os.File, old fs.FileInfo) bool {
	is, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return true
	}
	now, err := f.Stat()
	if err != nil {
		return false
	}
	me, ok := now.Sys().(*syscall.Stat_t)
	if !ok || me.Uid == is.Uid && me.Gid == is.Gid {
		return true
	}
	if f.Chown(int(is.Uid), int(is.Gid)) == nil {
		return true
	}
	return me.Gid == is.Gid || f.Chown(-1, int(is.Gid)) == nil
}

func openPart(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}

func busy(error) bool { return false }

func rename(from, to string) error { return os.Rename(from, to) }
