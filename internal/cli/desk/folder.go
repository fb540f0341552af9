package desk

import (
	"os"
	"path/filepath"

	"github.com/hitoku/hitoku/internal/formats"
)

// folders is the beginning of the names of pages' folders. A folder that is not locked yet has another name, so that
// nobody takes it for an abandoned one.
const folders = "hitoku-open-"

// openFolder makes a folder that only the user can read, in memory if the system has such a place, and removes the
// folders of pages whose program was killed before it could do so.
func openFolder() (dir string, held *os.File, err error) {
	base := os.TempDir()
	if own := os.Getenv("XDG_RUNTIME_DIR"); own != "" {
		if info, err := os.Stat(own); err == nil && info.IsDir() {
			base = own
		}
	}
	left, _ := filepath.Glob(filepath.Join(base, folders+"*"))
	for _, old := range left {
		removeLeft(old)
	}
	if dir, err = os.MkdirTemp(base, "hitoku-new-"); err != nil { // 0700
		if dir, err = os.MkdirTemp("", "hitoku-new-"); err != nil {
			return "", nil, err
		}
	}
	if held, err = os.OpenFile(filepath.Join(dir, lockName), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err != nil {
		os.RemoveAll(dir)
		return "", nil, err
	}
	if formats.Lock(held) != nil { // without locks in the file system, the folder keeps its name, and only this program removes it
		return dir, held, nil
	}
	named := filepath.Join(filepath.Dir(dir), folders+filepath.Base(dir)[len("hitoku-new-"):])
	if os.Rename(dir, named) == nil { // not on Windows, where an open file holds its folder
		dir = named
	}
	return dir, held, nil
}

const lockName = "in-use"

// removeLeft removes a folder that no program has locked any more.
func removeLeft(dir string) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_WRONLY, 0)
	if err != nil {
		return // the folder belongs to somebody else
	}
	defer f.Close()
	if formats.Lock(f) == nil {
		os.RemoveAll(dir)
	}
}
