package desk

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// What a page had whose program was killed goes with the start of the next, and what one has that runs stays.
func TestFoldersLeft(t *testing.T) {
	base := t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", base)
	running, held := must.Two(openFolder())(t)
	defer held.Close()
	killed, lock := must.Two(openFolder())(t)
	must.Do(t, os.WriteFile(filepath.Join(killed, "upload"), []byte("secret"), 0o600))
	if info, err := os.Stat(killed); err != nil || info.Mode().Perm() != 0o700 || filepath.Dir(killed) != base {
		t.Fatal(killed, err)
	}
	lock.Close() // as the system does for whoever is killed
	mine, own := must.Two(openFolder())(t)
	defer own.Close()
	if _, err := os.Stat(killed); !os.IsNotExist(err) {
		t.Errorf("%s is left: %v", killed, err)
	}
	for _, dir := range []string{running, mine} {
		if _, err := os.Stat(dir); err != nil {
			t.Error(err)
		}
	}
}
