package formats

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hitoku/hitoku/internal/i18n"
)

// ErrLocked says that the lock is held through another open file.
var ErrLocked = i18n.New("another process has it")

// lock reports whether nobody else holds a lock on f. On a file system without locks nobody does.
func lock(f *os.File) bool { return !errors.Is(Lock(f), ErrLocked) }

// Alone runs do, which reads and replaces the file called path, while no other caller of Alone does so for that
// file, in this process or another. It waits for the others until ctx ends. The lock is on a file beside path,
// since Save replaces path itself; that file is removed with the lock or, after a killed process, with the next
// one. A file system without locks is an error.
func Alone(ctx context.Context, path string, do func() error) error {
	at, err := target(path)
	if err != nil {
		return OSError(path, err)
	}
	name := beside(at, ".lock")
	const longest = 50 * time.Millisecond
	for wait := time.Millisecond; ; wait = min(2*wait, longest) {
		f, err := openPart(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			f, err = openPart(name, os.O_WRONLY, 0)
		}
		if err == nil {
			if err = Lock(f); err == nil && isAt(f, name) {
				defer removeOpen(f, name)
				return do()
			}
			f.Close()
		}
		if err != nil && !errors.Is(err, ErrLocked) && !errors.Is(err, fs.ErrNotExist) && !busy(err) || !isFolder(filepath.Dir(name)) {
			return OSError(path, err)
		}
		select {
		case <-ctx.Done():
			return i18n.Errorf("%s: %w; it was waited for until %w", path, ErrLocked, context.Cause(ctx))
		case <-time.After(wait):
		}
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// beside returns the name of a hidden file beside path: its name with a dot before and end behind. File systems
// allow names of up to 255 bytes, or 143 if names are encrypted; a hash replaces the excess of a longer one.
func beside(path, end string) string {
	const most, kept = 100, 64
	name := filepath.Base(path)
	if len(name) > most {
		name = fmt.Sprintf("%s-%x", strings.ToValidUTF8(name[:kept], ""), sha256.Sum256([]byte(name)))[:most]
	}
	return filepath.Join(filepath.Dir(path), "."+name+end)
}
