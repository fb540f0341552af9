package lp

import (
	"errors"
	"slices"
	"testing"
)

// A solver lent is there until it is taken back, under a name of its own, and never
// among the back ends.
func TestLend(t *testing.T) {
	before := Backends()
	failure := errors.New("no solver")
	open := func() (Solver, error) { return nil, failure }
	a, endA := Lend("a", open)
	b, endB := Lend("a", open)
	defer endB()
	if a == b {
		t.Errorf("two solvers lent as %s", a)
	}
	if _, err := Open(a); err != failure {
		t.Errorf("Open(%q): %v", a, err)
	}
	if !slices.Equal(Backends(), before) {
		t.Errorf("back ends %v, before %v", Backends(), before)
	}
	endA()
	var e *BackendError
	if _, err := Open(a); !errors.As(err, &e) || e.How != "" {
		t.Errorf("Open(%q) after its end: %v", a, err)
	}
	if _, err := Open(b); err != failure {
		t.Errorf("Open(%q): %v", b, err)
	}
}

// This package registers nothing, so everything known is missing, each with its how.
func TestMissing(t *testing.T) {
	m := Missing()
	if len(m) != len(known) {
		t.Fatalf("%d missing of %d", len(m), len(known))
	}
	for k, e := range m {
		var want *BackendError
		if _, err := Open(e.Name); !errors.As(err, &want) || e.Error() != want.Error() || e.How != known[k].how {
			t.Errorf("%v, want %v", e, want)
		}
	}
}
