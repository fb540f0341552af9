package main

import (
	"bytes"
	"encoding/binary"
	"testing"

	"pgregory.net/rapid"
)

// unfold is what worker.js does.
func unfold(t *rapid.T, folded []byte) []byte {
	next := func() int {
		n, size := binary.Uvarint(folded)
		if size <= 0 {
			t.Fatal("no number")
		}
		folded = folded[size:]
		return int(n)
	}
	all := make([]byte, 0, next())
	size := next()
	fresh := folded[size:]
	for folded = folded[:size]; len(folded) > 0; {
		n, length, back := next(), next(), next()
		all, fresh = append(all, fresh[:n]...), fresh[n:]
		for range length {
			all = append(all, all[len(all)-back])
		}
	}
	return append(all, fresh...)
}

// What is folded unfolds to itself, and is shorter where texts repeat far apart.
func TestFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 1, 60), 1, 6).Draw(t, "pieces")
		var data []byte
		for _, k := range rapid.SliceOfN(rapid.IntRange(0, len(pieces)-1), 0, 40).Draw(t, "order") {
			data = append(data, pieces[k]...)
		}
		if got := unfold(t, fold(data)); !bytes.Equal(got, data) {
			t.Fatalf("%x is folded to %x", data, got)
		}
	})
	once := make([]byte, 100_000)
	for i := range once {
		once[i] = byte(i * i >> 3 * (i | 1) >> 5)
	}
	if n := len(fold(bytes.Repeat(once, 3))); n > len(once)+1000 {
		t.Errorf("300,000 bytes, each 100,000 alike, are folded to %d", n)
	}
}
