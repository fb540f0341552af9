package seed

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

func TestFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "seed")
	s, drawn, err := File(path)
	if err != nil || !drawn || len(s) != 64 {
		t.Fatalf("%q, %v, %v, want 256 bits drawn", s, drawn, err)
	}
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v, want mode 0600", info.Mode(), err)
	}
	if again, drawn, err := File(path); err != nil || drawn || again != s {
		t.Errorf("%q, %v, %v, want %q again", again, drawn, err, s)
	}
	if other, _, err := File(filepath.Join(t.TempDir(), "seed")); err != nil || other == s {
		t.Errorf("%q, %v: drawn twice", other, err)
	}
}

func TestFileRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	long := strings.Repeat("0a", 16)
	for name, tc := range map[string]struct {
		text string
		mode os.FileMode
		want string // "": it is taken
	}{
		"own":       {long + "\n", 0o600, ""},
		"upper":     {strings.ToUpper(long), 0o400, ""},
		"short":     {long[1:], 0o600, "at least 32"},
		"words":     {"correct horse battery staple and so on", 0o600, "at least 32"},
		"two lines": {long + "\n" + long, 0o600, "at least 32"},
		"endless":   {strings.Repeat("0", 1<<13), 0o600, "at least 32"},
		"empty":     {"", 0o600, "at least 32"},
		"open":      {long, 0o640, "no secret"},
	} {
		if runtime.GOOS == "windows" && name == "open" {
			continue
		}
		path := filepath.Join(dir, name)
		must.Do(t, os.WriteFile(path, []byte(tc.text), 0o600))
		must.Do(t, os.Chmod(path, tc.mode))
		s, drawn, err := File(path)
		switch {
		case tc.want == "":
			if err != nil || drawn || s != long {
				t.Errorf("%s: %q, %v, %v", name, s, drawn, err)
			}
		case err == nil || !strings.Contains(err.Error(), tc.want) || tc.text != "" && strings.Contains(err.Error(), tc.text):
			t.Errorf("%s: %v, want %q and not the text", name, err, tc.want)
		}
		if b, _ := os.ReadFile(path); string(b) != tc.text {
			t.Errorf("%s: the file has changed", name)
		}
	}
	if _, _, err := File(dir); err == nil {
		t.Error("a folder is taken")
	}
	if _, _, err := File(filepath.Join(dir, "none", "seed")); err == nil {
		t.Error("a file in no folder is written")
	}
}

func TestKey(t *testing.T) {
	t.Parallel()
	seen := map[[32]byte]bool{}
	for _, parts := range [][]string{{"", ""}, {"a", ""}, {"", "a"}, {"", "", "a"}, {"a", "b"}, {"ab", ""}, {"", "", "a", "b"}, {"", "", "ab"}} {
		k := Key(parts[0], parts[1], parts[2:]...)
		if seen[k] || k != Key(parts[0], parts[1], parts[2:]...) {
			t.Errorf("%q has the key of another, or two", parts)
		}
		seen[k] = true
	}
}
