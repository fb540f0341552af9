package second

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// A text that is no problem is refused, though the certificate is about it: package certificate makes these texts itself and never sees one
// that others wrote.
func TestProblems(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs python3")
	}
	const one = "hitoku problem 1\ncells 3 decimals 0 costdecimals 0 strict 0\nu 3 1 0 inf 0 1 2\ns 4 1 0 9\nz 7 1 -inf inf\nrelations 1\n0 0:1 1:1 2:-1\n"
	const two = "hitoku problem 1\ncells 4 decimals 0 costdecimals 0 strict 1\nlayers 2\nu 3 1 0 inf 0 1 2\ns 4 1 0 9\nm 3 1 0 inf\ns 4 1 0 9\nrelations 2\n7 0:1 1:1\n7 2:1 3:1\n"
	type change struct{ of, old, new string }
	changes := []change{
		{one, "", ""}, {two, "", ""}, // as they are
		{one, "problem 1", "problem 2"}, {one, "decimals", "places"}, {one, "strict 0", "strict 2"}, {one, "strict 0", "strict"}, {one, "cells 3", "cells 4"}, {one, "cells 3", "cells 2"},
		{one, "u 3 1 0 inf 0 1 2", "u 3 1 0 inf"}, {one, "s 4 1 0 9", "s 4 1 0 9 0 0 0"}, {one, "s 4 1 0 9", "x 4 1 0 9"}, {one, "s 4 1 0 9", "s 4.0 1 0 9"},
		{one, "s 4 1 0 9", "s 4 1 5 9"}, {one, "s 4 1 0 9", "s 4 1 0 3"}, {one, "s 4 1 0 9", "s 4 -1 0 9"}, {one, "s 4 1 0 9", "s 4 4611686018427387904 0 9"}, {one, "0 1 2\n", "0 -1 2\n"},
		{one, "relations 1", "relations 2"}, {one, "relations 1", "rows 1"}, {one, "1:1", "0:1"}, {one, "1:1", "3:1"}, {one, "1:1", "-1:1"}, {one, "1:1", "1:0"}, {one, "1:1", "1"},
		{one, "2:-1\n", "2:-1"}, {one, "2:-1\n", "2:-1\n\n"}, {two, "layers 2", "layers 0"}, {two, "layers 2", "layers 3"}, {two, "m 3 1 0 inf", "s 3 1 0 inf"}, {two, "m 3 1 0 inf", "z 3 1 0 inf"},
		{two, "2:1 3:1", "2:1 3:2"}, {two, "2:1 3:1", "2:1"}, {two, "0:1 1:1", "0:1 1:1 2:1"}, {two, "relations 2\n7 0:1 1:1\n", "relations 1\n"},
	}
	var in bytes.Buffer
	for _, c := range changes {
		if !strings.Contains(c.of, c.old) {
			t.Fatalf("no %q", c.old)
		}
		text := strings.Replace(c.of, c.old, c.new, 1)
		file := fmt.Sprintf(`{"is":"certificate","version":1,"digest":"%x","bound":0}`+"\n"+`{"is":"leaf"}`+"\n"+`{"is":"end","lines":3}`+"\n", sha256.Sum256([]byte(text)))
		put(&in, "problem", []byte(text))
		put(&in, "certificate", []byte(file))
	}
	answers := answers(t, python, &in, len(changes))
	if answers == nil {
		return
	}
	for s, c := range changes {
		if strings.HasPrefix(answers[s], "confirmed") != (c.old == "") {
			t.Errorf("%q in place of %q: %s", c.new, c.old, answers[s])
		}
	}
}
