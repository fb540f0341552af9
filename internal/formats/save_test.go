package formats

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/hitoku/hitoku/internal/private"
	"github.com/hitoku/hitoku/internal/test/must"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// only fails where the folder holds other names than these.
func only(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	var have []string
	for _, e := range entries {
		have = append(have, e.Name())
	}
	if fmt.Sprint(have) != fmt.Sprint(names) {
		t.Errorf("the folder holds %v, want %v", have, names)
	}
}

func modeOf(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info := must.Get(os.Stat(path))(t)
	return info.Mode().Perm()
}

// An output has the permissions of the file it replaces, a new one those of any new file, and
// while it is written nobody else can read it.
func TestSaveModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions of another kind")
	}
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	must.Do(t, os.WriteFile(plain, nil, 0o666))
	usual := modeOf(t, plain)
	os.Remove(plain)
	public := &private.Output{Public: true}
	path := filepath.Join(dir, "out.csv")
	watched := func(w io.Writer) error {
		parts, _ := filepath.Glob(filepath.Join(dir, ".*.part"))
		if len(parts) != 1 {
			t.Fatalf("unfinished files %v", parts)
		}
		if m := modeOf(t, parts[0]); m != 0o600 {
			t.Errorf("mode %o of an unfinished file", m)
		}
		return text("x")(w)
	}
	must.Do(t, SaveAs(public, path, watched))
	if m := modeOf(t, path); m != usual {
		t.Errorf("mode %o of a new file, want %o", m, usual)
	}
	own := filepath.Join(dir, "own.csv")
	for _, was := range []fs.FileMode{0o600, 0o640, 0o644} { // a new one first
		must.Do(t, Save(own, text("x")))
		if m := modeOf(t, own); m != was&^0o007 {
			t.Errorf("mode %o of a file for the office", m)
		}
		os.Chmod(own, 0o640)
		if was == 0o640 {
			os.Chmod(own, 0o644)
		}
	}
	os.Remove(own)
	for _, mode := range []fs.FileMode{0o600, 0o640, 0o644, 0o666, 0o400} {
		must.Do(t, os.Chmod(path, mode))
		must.Do(t, SaveAs(public, path, watched))
		if m := modeOf(t, path); m != mode {
			t.Errorf("mode %o becomes %o", mode, m)
		}
	}
	only(t, dir, "out.csv")
}

// A symbolic link stays one, also to a file that does not exist yet.
func TestSaveThroughLinks(t *testing.T) {
	dir := t.TempDir()
	os.Mkdir(filepath.Join(dir, "far"), 0o777)
	link, second := filepath.Join(dir, "link"), filepath.Join(dir, "second")
	if err := os.Symlink(filepath.Join("far", "new"), link); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	os.Symlink("link", second)
	for _, want := range []string{"one", "two"} {
		must.Do(t, Save(second, text(want)))
		if got, err := os.ReadFile(filepath.Join(dir, "far", "new")); string(got) != want {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
	for _, l := range []string{link, second} {
		if info, err := os.Lstat(l); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more", l)
		}
	}
	round := filepath.Join(dir, "round")
	os.Symlink("round", round)
	if err := Save(round, text("x")); err == nil {
		t.Error("a link to itself was written")
	}
	only(t, filepath.Join(dir, "far"), "new")
}

// A failure leaves what was there and nothing else; what a killed process left goes with the
// next output of that name.
func TestSaveLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	must.Do(t, Save(path, text("old")))
	full := errors.New("disk full")
	if err := Save(path, func(w io.Writer) error { text(strings.Repeat("new", 1<<16))(w); return full }); !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("%q after a failure", got)
	}
	only(t, dir, "out.csv")
	for k := range 2 {
		must.Do(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf(".out.csv.%d.part", k)), []byte("secret"), 0o644))
	}
	for _, want := range []string{"new", "newer"} {
		must.Do(t, Save(path, text(want)))
		if got, _ := os.ReadFile(path); string(got) != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	only(t, dir, "out.csv")
}

// Whoever saves under one name at the same time, one of them wins with all it wrote.
func TestSaveAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "out")
	var all sync.WaitGroup
	for n := range 6 {
		all.Go(func() {
			for range 10 {
				if err := save(path, how{}, text(strings.Repeat(string(rune('a'+n)), 200_000))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	got, err := os.ReadFile(path)
	if err != nil || len(got) != 200_000 || strings.Trim(string(got), string(got[:1])) != "" {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	only(t, filepath.Dir(path), "out")
}
