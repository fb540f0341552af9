//go:build unix

package formats

import (
	"io/fs"
	"os"
	"syscall"
)

// lock reports whether no other open file has a lock on f; f has one then until it is closed.
func lock(f *os.File) bool {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return err != syscall.EWOULDBLOCK // a file system without locks has none that we could heed
}

// giveTo gives f the owner and group of old and reports whether it has that group.
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
