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

// ErrLocked says that another open file has the lock.
var ErrLocked = i18n.New("another process has it")

// lock reports whether nobody else has a lock on f; a file system without locks has none that we could heed.
func lock(f *os.File) bool { return !errors.Is(Lock(f), ErrLocked) }

// Alone lets do read and replace the file called path while nobody else does so by Alone, in this process or another; it waits
// for them until ctx ends. What is locked is a file beside path, as Save replaces path itself; the file goes with the lock, or, where a process was
// killed, with the next. A file system that has no locks is an error.
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

// beside is a hidden file beside path that is called like it, with an end. A name that would be longer than file systems
// take, 255 bytes at most and 143 where names are encrypted, has a hash of it in place of what is too much.
func beside(path, end string) string {
	const most, kept = 100, 64
	name := filepath.Base(path)
	if len(name) > most {
		name = fmt.Sprintf("%s-%x", strings.ToValidUTF8(name[:kept], ""), sha256.Sum256([]byte(name)))[:most]
	}
	return filepath.Join(filepath.Dir(path), "."+name+end)
}
