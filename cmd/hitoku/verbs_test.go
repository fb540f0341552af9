package main

import (
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/cli/flags"
)

// TestVerbsAlone: a verb that is built without the others is the one that is built with them, and is found by its name.
func TestVerbsAlone(t *testing.T) {
	all := newRoot(nil)
	for _, name := range verbs() {
		root := newRoot([]string{name})
		alone, _, err := root.Find([]string{name})
		if err != nil || alone.Name() != name {
			t.Fatalf("%s: found %q: %v", name, alone.Name(), err)
		}
		beside, _, err := all.Find([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := flags.Texts(alone), flags.Texts(beside); !slices.Equal(got, want) {
			t.Errorf("%s says other things alone: %q, want %q", name, got, want)
		}
		if len(root.Commands()) > 3 { // help and completion are beside it
			t.Errorf("%s: %d verbs are built", name, len(root.Commands()))
		}
	}
}
