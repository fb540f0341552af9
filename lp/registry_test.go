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

// What is known and not registered is missing, each with its how; a back end that is
// registered is not. The examples of this package register some.
func TestMissing(t *testing.T) {
	have := Backends()
	var want []string
	for _, k := range known {
		if !slices.Contains(have, k.name) {
			want = append(want, k.name)
		}
	}
	m := Missing()
	if len(m) != len(want) || len(m) == 0 {
		t.Fatalf("%d missing, want %v", len(m), want)
	}
	for k, e := range m {
		var opened *BackendError
		if _, err := Open(e.Name); e.Name != want[k] || !errors.As(err, &opened) || e.Error() != opened.Error() || e.How == "" {
			t.Errorf("%v, want %v", e, opened)
		}
	}
}
