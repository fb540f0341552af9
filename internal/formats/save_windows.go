package formats

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

// openPart opens an unfinished file so that it can be renamed and removed while it is open, which package os does not: else the look of
// another process at it, whether somebody writes it, would keep its writer from giving it its name.
func openPart(name string, flag int, _ fs.FileMode) (*os.File, error) {
	path, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	how := uint32(windows.OPEN_EXISTING)
	if flag&os.O_CREATE != 0 {
		how = windows.CREATE_NEW
	}
	h, err := windows.CreateFile(path, windows.GENERIC_READ|windows.GENERIC_WRITE|windows.DELETE,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, nil, how, windows.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(h), name), nil
}

// Lock gives f a lock until it is closed, however this process ends: of a byte far behind its end, as a lock keeps others from what it
// covers. Where another handle has one the error is ErrLocked.
func Lock(f *os.File) error {
	at := windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrLocked
	}
	return err
}

// busy says that somebody has the file open in a way that lets no other have it, or has removed it and not closed it.
func busy(err error) bool {
	return errors.Is(err, syscall.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_DELETE_PENDING)
}

// rename tries again for as long as another that gives the same name, or looks at the file for viruses, may take.
func rename(from, to string) error {
	const tries, longest = 40, 50 * time.Millisecond
	wait := time.Millisecond
	for n := 1; ; n++ {
		err := os.Rename(from, to)
		if !busy(err) || n == tries {
			return err
		}
		time.Sleep(wait)
		wait = min(2*wait, longest)
	}
}

// modeOfNew is that of new files, for which folders alone have rights.
func modeOfNew(string) (fs.FileMode, error) { return 0o666, nil }

func giveTo(*os.File, fs.FileInfo) bool { return true }
