package desk

import (
	"os"
	"path/filepath"
	"testing"
)

// What a page had whose program was killed goes with the start of the next, and what one has that runs stays.
func TestFoldersLeft(t *testing.T) {
	base := t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", base)
	running, held, err := openFolder()
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	killed, lock, err := openFolder()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(killed, "upload"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(killed); err != nil || info.Mode().Perm() != 0o700 || filepath.Dir(killed) != base {
		t.Fatal(killed, err)
	}
	lock.Close() // as the system does for whoever is killed
	mine, own, err := openFolder()
	if err != nil {
		t.Fatal(err)
	}
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
