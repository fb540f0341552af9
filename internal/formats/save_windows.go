package formats

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

// openPart opens an unfinished file in such a way that it can be renamed and removed while it is open, which
// package os does not allow. Otherwise another process that opens the file to see whether it is being written
// would keep its writer from renaming it.
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

// Lock locks f until it is closed, however this process ends. The lock is on a byte far beyond the end of the
// file, since others cannot read the bytes that a lock covers. If another handle holds it, the error is
// ErrLocked.
func Lock(f *os.File) error {
	at := windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return ErrLocked
	}
	return err
}

// busy reports whether err means that somebody else has the file open exclusively, or has removed it but not
// yet closed it.
func busy(err error) bool {
	return errors.Is(err, syscall.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_DELETE_PENDING)
}

// rename retries for some time, as another process may be renaming a file to the same name, or a virus scanner
// may have it open.
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

// modeOfNew returns the permissions of new files; on Windows only folders have rights.
func modeOfNew(string) (fs.FileMode, error) { return 0o666, nil }

func giveTo(*os.File, fs.FileInfo) bool { return true }
