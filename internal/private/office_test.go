package private

import (
	"os"
	"path/filepath"
	"testing"
)

func TestDirStandsBeside(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "job")
	if err := os.MkdirAll(filepath.Join(dir, "out"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for in, want := range map[string]string{
		"out": "out.office", "out/": "out.office", "./out": "out.office", "/x/out": "/x/out.office",
		".": "../job.office", "..": "../../a.office", "out/..": "../job.office", "../..": "../../../" + filepath.Base(filepath.Dir(filepath.Dir(dir))) + ".office",
	} {
		if got := filepath.ToSlash(Dir(in)); got != want {
			t.Errorf("%s: %s, wanted %s", in, got, want)
		}
	}
	if err := Make("x.office/sub"); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat("x.office"); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v: others may look into it", info.Mode(), err)
	}
}

// A folder that is there already, open to others, is closed.
func TestMakeCloses(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "x.office")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Make(dir); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v: others may look into it", info.Mode(), err)
	}
}
