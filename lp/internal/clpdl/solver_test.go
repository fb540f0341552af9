//go:build clpdl && (linux || darwin)

package clpdl

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/lp"
	"github.com/hitoku/hitoku/lp/internal/lptest"
)

// installed is Clp, or skips the test where it is not installed.
func installed(t testing.TB) *library {
	c, err := open()
	if err != nil {
		t.Skip(err)
	}
	return c
}

func TestConformance(t *testing.T) {
	installed(t)
	lptest.Run(t, Open, lptest.Config{Tol: 1e-6})
}

// TestSlices stops and goes on so often that most programs of the suite take
// several slices.
func TestSlices(t *testing.T) {
	c := installed(t)
	open := func() (lp.Solver, error) { return newSolver(c, 7), nil }
	lptest.Run(t, open, lptest.Config{Tol: 1e-6, Cases: 30, Seed: 1})
}

// TestAbsent runs Open in a process of its own, as a library is opened once.
func TestAbsent(t *testing.T) {
	if os.Getenv(pathEnv) == "libNoClp.so" {
		_, err := Open()
		var fault *LibraryError
		if !errors.As(err, &fault) || len(fault.Tried) != 1 || fault.Tried[0] != "libNoClp.so" {
			t.Errorf("error %v, wanted a LibraryError that names libNoClp.so", err)
		}
		return
	}
	run := exec.Command(os.Args[0], "-test.run", "^TestAbsent$", "-test.v")
	run.Env = append(os.Environ(), pathEnv+"=libNoClp.so")
	out, err := run.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestAbsent") {
		t.Errorf("%v\n%s", err, out)
	}
}
