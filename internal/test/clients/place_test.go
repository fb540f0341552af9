package clients

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/test/must"
)

var keep = flag.String("keep", "", "folder in which the clients run and what they wrote stays (default: a temporary one)")

// place is where the clients run: the program under the names they start, and a
// library of R with the packages that Debian does not have.
type place struct {
	sources string
	bin     string
	library string
}

// sourcesOf returns the folder of the sources, and skips the test where it is not told
// or one of the packages is not in it.
func sourcesOf(t *testing.T, names ...string) string {
	t.Helper()
	dir := os.Getenv("HITOKU_CLIENTS")
	if dir == "" {
		t.Skip("needs the sources of the packages that call τ-ARGUS, in the folder HITOKU_CLIENTS")
	}
	dir = must.Get(filepath.Abs(dir))(t)
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Skipf("needs the sources of %s in %s", name, dir)
		}
	}
	return dir
}

// program builds the command once and gives it the names by which clients start τ-ARGUS.
var program = sync.OnceValues(func() (string, error) {
	bin, err := os.MkdirTemp("", "hitoku-clients")
	if err != nil {
		return "", err
	}
	exe := filepath.Join(bin, "hitoku")
	cmd := exec.Command("go", "build", "-o", exe, "./cmd/hitoku")
	cmd.Dir = filepath.Join("..", "..", "..")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", errors.New(string(out))
	}
	for _, name := range []string{"TauArgus.exe", "TauArgus"} {
		if err := os.Link(exe, filepath.Join(bin, name)); err != nil {
			return "", err
		}
	}
	return bin, nil
})

// TestMain removes the program that was built.
func TestMain(m *testing.M) {
	code := func() int {
		defer func() {
			if os.Getenv("HITOKU_CLIENTS") != "" {
				if bin, err := program(); err == nil {
					os.RemoveAll(bin)
				}
			}
		}()
		return m.Run()
	}()
	os.Exit(code)
}

// newPlace finds all that a client needs, or skips.
func newPlace(t *testing.T, interpreter string, names ...string) place {
	t.Helper()
	p := place{sources: sourcesOf(t, names...)}
	if _, err := exec.LookPath(interpreter); err != nil {
		t.Skipf("needs %s", interpreter)
	}
	bin := must.Get(program())(t)
	p.bin = bin
	return p
}

// folder is where one job runs, empty.
func folder(t *testing.T) string {
	t.Helper()
	if *keep == "" {
		return t.TempDir()
	}
	dir, err := filepath.Abs(filepath.Join(*keep, strings.ReplaceAll(t.Name(), "/", "_")))
	if err == nil {
		err = os.RemoveAll(dir)
	}
	if err == nil {
		err = os.MkdirAll(dir, 0o777)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// put gives a file of dir the name that a client starts, with the folders in it.
func (p place) put(t *testing.T, dir, name string) {
	t.Helper()
	to := filepath.Join(dir, name)
	must.Do(t, os.MkdirAll(filepath.Dir(to), 0o777))
	if err := os.Symlink(filepath.Join(p.bin, "TauArgus.exe"), to); err != nil && !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
}

// run runs a client in dir and returns what it printed; a client that fails fails the test.
func (p place) run(t *testing.T, dir string, limit time.Duration, name string, args ...string) string {
	t.Helper()
	out, err := p.try(t, dir, limit, name, args...)
	if err != nil {
		t.Errorf("%s %s: %v\n%s", name, strings.Join(args, " "), err, tail(out, 40))
	}
	return out
}

// try is run without the verdict.
func (p place) try(t *testing.T, dir string, limit time.Duration, name string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.WaitDelay = 5 * time.Second
	cmd.Env = append(os.Environ(), "R_LIBS="+p.library, "TAUARGUS_EXE="+filepath.Join(p.bin, "TauArgus.exe"),
		"PATH="+dir+string(os.PathListSeparator)+p.bin+string(os.PathListSeparator)+os.Getenv("PATH"), "PYTHONDONTWRITEBYTECODE=1",
		"PYTHONPATH="+filepath.Join(p.sources, "piargus", "src")+string(os.PathListSeparator)+
			filepath.Join(p.sources, "littletree", "src")+string(os.PathListSeparator)+filepath.Join(p.sources, "littletree"))
	timer := time.AfterFunc(limit, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// tail is the last lines of a text.
func tail(text string, n int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// ours is the path of a script of the tests.
func ours(t *testing.T, name string) string {
	t.Helper()
	return must.Get(filepath.Abs(filepath.Join("testdata", name)))(t)
}
