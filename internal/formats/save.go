package formats

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/private"
)

// Stdout is the path that stands for standard output; a file of that name is ./-.
const Stdout = "-"

// Save lets write fill a file beside path, which then takes the name path, so that path is either complete or
// untouched. The file is for the office: only its owner can read a new one. One that replaces another keeps its
// permissions, except that others than its owner and group cannot read it, and its owner if that is allowed. A
// symbolic link is kept, and the file that it points to is replaced. What a killed process left beside path is
// removed.
//
// Content is compressed if path ends in .gz. If path is not a regular file but, say, a device, it is written to
// directly; so is standard output, if path is Stdout.
func Save(path string, write func(io.Writer) error) error {
	return save(path, how{compress: isCompressed(path), durable: true}, write)
}

// SaveAs is Save for a kind of output. One that may be published keeps all permissions of the file it replaces,
// or gets those that the system gives to new files; until it is complete nobody else can read it.
func SaveAs(o *private.Output, path string, write func(io.Writer) error) error {
	return save(path, how{compress: isCompressed(path), durable: true, public: o.Public}, write)
}

func isCompressed(path string) bool { return strings.HasSuffix(strings.ToLower(path), ".gz") }

// SaveBytesAs is SaveAs for content that is written as it is, never compressed.
func SaveBytesAs(o *private.Output, path string, b []byte) error {
	return save(path, how{durable: true, public: o.Public}, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// how says how to save a file.
type how struct {
	compress bool
	durable  bool // wait until the file and its name are on disk
	public   bool
}

func save(path string, how how, write func(io.Writer) error) (err error) {
	if path == Stdout {
		return fill(os.Stdout, "standard output", how.compress, write)
	}
	given := path
	if path, err = target(path); err != nil {
		return OSError(given, err)
	}
	old, err := os.Stat(path)
	switch {
	case err == nil && old.IsDir():
		return &Error{File: path, Want: i18n.T("is a directory, want a file")}
	case err == nil && !old.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return OSError(path, err)
		}
		if err := fill(f, path, how.compress, write); err != nil {
			f.Close()
			return err
		}
		return f.Close()
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return OSError(path, err)
	case err != nil:
		old = nil
	}
	f, mode, err := create(path, old, how.public)
	if err != nil {
		return OSError(path, err)
	}
	defer func() {
		if err != nil {
			removeOpen(f, f.Name())
		}
	}()
	if err := fill(f, path, how.compress, write); err != nil {
		return err
	}
	if err := permit(f, old, mode); err != nil {
		return OSError(path, err)
	}
	if how.durable {
		if err := f.Sync(); err != nil {
			return OSError(path, err)
		}
	}
	if err := rename(f.Name(), path); err != nil { // while f is open, as closing it releases the lock
		if f.Close(); rename(f.Name(), path) != nil { // some systems do not rename open files
			return OSError(path, err)
		}
	} else if err := f.Close(); err != nil {
		return OSError(path, err)
	}
	if !how.durable {
		return nil
	}
	if d, err := os.Open(filepath.Dir(path)); err == nil { // the new name must reach the disk too
		d.Sync()
		d.Close()
	}
	return nil
}

// target follows symbolic links; the file at their end need not exist.
func target(path string) (string, error) {
	for range 40 {
		to, err := os.Readlink(path)
		if err != nil { // not a link
			return path, nil
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", i18n.New("too many symbolic links")
}

// create makes a new file beside path that only its owner can read and that is locked for as long as it is
// open. It also returns the permissions that the file will get: those of old, or those of a new file. Files
// named like it that nobody has locked were left by killed processes, and are removed.
func create(path string, old fs.FileInfo, public bool) (f *os.File, mode fs.FileMode, err error) {
	const exclusive = os.O_WRONLY | os.O_CREATE | os.O_EXCL
	part := func(k int) string {
		return beside(path, fmt.Sprintf(".%d.part", k))
	}
	var last error // the error for a name that another process holds
	for k := range 100 {
		name := part(k)
		if !removeStale(name) {
			continue
		}
		if old != nil {
			if mode = old.Mode().Perm(); !public {
				mode &^= 0o007
			}
		} else if !public {
			mode = 0o600
		} else if mode, err = modeOfNew(name); errors.Is(err, fs.ErrExist) {
			continue
		} else if err != nil {
			return nil, 0, err
		}
		if f, err = openPart(name, exclusive, 0o600); errors.Is(err, fs.ErrExist) {
			continue
		} else if busy(err) {
			last = err
			continue
		} else if err != nil {
			return nil, 0, err
		}
		if lock(f) && isAt(f, name) {
			for k++; k < 100; k++ {
				if _, err := os.Lstat(part(k)); err != nil || !removeStale(part(k)) {
					break
				}
			}
			return f, mode, nil
		}
		f.Close() // another process removed it as the remains of a killed one
	}
	if last != nil {
		return nil, 0, last
	}
	return nil, 0, i18n.Errorf("%d unfinished files beside it", 100)
}

// removeStale removes the file called name unless a process is writing it. It reports whether the name is free.
func removeStale(name string) bool {
	info, err := os.Lstat(name)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	if !info.Mode().IsRegular() {
		return false
	}
	f, err := openPart(name, os.O_WRONLY, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return lock(f) && isAt(f, name) && removeOpen(f, name) == nil
}

// removeOpen removes f, called name, and closes it. It removes before closing, so that nobody else takes the
// file once its lock is gone, or after closing on systems that cannot remove an open file.
func removeOpen(f *os.File, name string) error {
	err := os.Remove(name)
	f.Close()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		err = os.Remove(name)
	}
	return err
}

// isAt reports whether name is still the name of f.
func isAt(f *os.File, name string) bool {
	a, err := f.Stat()
	b, errB := os.Lstat(name)
	return err == nil && errB == nil && os.SameFile(a, b)
}

// permit gives f the permissions mode and, if allowed, the owner of old. If the group of old cannot be set, the
// file's group gets no more rights than everybody has.
func permit(f *os.File, old fs.FileInfo, mode fs.FileMode) error {
	if old != nil && !giveTo(f, old) {
		mode &^= 0o070 &^ (mode & 0o007 << 3)
	}
	return f.Chmod(mode)
}

// RemoveParts removes from dir and its subfolders the unfinished files of killed processes.
func RemoveParts(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasPrefix(d.Name(), ".") && strings.HasSuffix(d.Name(), ".part") {
			removeStale(path)
		}
		return err
	})
}

func fill(f *os.File, path string, compress bool, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(f, 1<<16)
	var w io.Writer = b
	var z *gzip.Writer
	if compress {
		z = gzip.NewWriter(b)
		w = z
	}
	if err := write(w); err != nil {
		return err
	}
	if z != nil {
		if err := z.Close(); err != nil {
			return OSError(path, err)
		}
	}
	if err := b.Flush(); err != nil {
		return OSError(path, err)
	}
	return nil
}

// Digest returns the SHA-256 hash of a file's bytes as they are, compressed or not. The error is an *Error.
func Digest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", OSError(path, err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", OSError(path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
