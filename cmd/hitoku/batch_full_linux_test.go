package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/hitoku/hitoku/internal/cli"

	"github.com/hitoku/hitoku/internal/test/filetest"
	"github.com/hitoku/hitoku/internal/test/must"
)

// A disk that is full while a batch runs stops it with exit code 2: no table is said to have failed. When there
// is room again the same command goes on, and what is there then is what a run on an empty disk leaves.
func TestBatchOnFullDisk(t *testing.T) {
	command := hitokuProcess(t)
	dir := t.TempDir()
	disk := filepath.Join(dir, "disk")
	must.Do(t, os.Mkdir(disk, 0o777))
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(disk, 0) })
	run := func(args ...string) (string, int) {
		t.Helper()
		out, err := command(disk, args...).CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		code := 0
		if exit != nil {
			code = exit.ExitCode()
		}
		return string(out), code
	}
	if out, code := run("generate", "--shape", "8x8", "--family", "fs", "--count", "12", "-o", filepath.Join(dir, "t.csv")); code != 0 {
		t.Fatal(out)
	}
	out, office := filepath.Join(disk, "out"), filepath.Join(disk, "out.office")
	write := func(name, text string) {
		t.Helper()
		must.Do(t, os.WriteFile(filepath.Join(disk, name), []byte(text), 0o666))
	}
	write("job.toml", "inputs = [\"../t*.csv\"]\noutput = \"out\"\n[options]\ncanonical = true\n")
	if words, code := run("batch", "job.toml"); code != 0 {
		t.Fatal(words)
	}
	want := filetest.Results(t, out, office)
	if len(want) != 14 {
		t.Fatalf("%d files", len(want))
	}
	os.RemoveAll(out)
	os.RemoveAll(office)

	// Room for a few tables; then none.
	ballast, err := os.Create(filepath.Join(disk, "ballast"))
	if err != nil {
		t.Fatal(err)
	}
	defer ballast.Close()
	page := make([]byte, 4096)
	for err == nil {
		_, err = ballast.Write(page)
	}
	info, err := ballast.Stat()
	if err == nil {
		err = ballast.Truncate(info.Size() - 9*4096)
	}
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		words, code := run("batch", "--workers", "2", "job.toml")
		if code != int(cli.Usage) || !strings.Contains(words, syscall.ENOSPC.Error()+"; the run has stopped, and the same command goes on from here") || strings.Contains(words, "failed") {
			t.Fatalf("full disk: exit code %d, %s", code, words)
		}
	}
	must.Do(t, os.Remove(ballast.Name()))
	ballast.Close()
	if words, code := run("batch", "job.toml"); code != 0 {
		t.Fatalf("with room again: exit code %d, %s", code, words)
	}
	filetest.Same(t, "after a full disk", filetest.Results(t, out, office), want)
}
