package private

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

func TestDirStandsBeside(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "job")
	must.Do(t, os.MkdirAll(filepath.Join(dir, "out"), 0o777))
	t.Chdir(dir)
	for in, want := range map[string]string{
		"out": "out.office", "out/": "out.office", "./out": "out.office", "/x/out": "/x/out.office",
		".": "../job.office", "..": "../../a.office", "out/..": "../job.office", "../..": "../../../" + filepath.Base(filepath.Dir(filepath.Dir(dir))) + ".office",
	} {
		if got := filepath.ToSlash(Dir(in)); got != want {
			t.Errorf("%s: %s, wanted %s", in, got, want)
		}
	}
	must.Do(t, Make("x.office/sub"))
	if info, err := os.Stat("x.office"); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v: others may look into it", info.Mode(), err)
	}
}

// A folder that is there already, open to others, is closed.
func TestMakeCloses(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "x.office")
	must.Do(t, os.Mkdir(dir, 0o755))
	must.Do(t, os.Chmod(dir, 0o755))
	must.Do(t, Make(dir))
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v: others may look into it", info.Mode(), err)
	}
}
