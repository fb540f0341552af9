// Package memtest lets tests bound the memory that a reader takes.
package memtest

import (
	"bytes"
	"compress/gzip"
	"io"
	"runtime"
	"testing"
)

// Allocated returns how many bytes were allocated while f ran, those given back meanwhile
// included, so it bounds the memory taken from above. Nothing else may run.
func Allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// Bound fails the test where f, which reads size bytes, allocates more than free bytes and
// each of those for each byte read.
func Bound(t testing.TB, size, free, each int, f func()) {
	t.Helper()
	got, most := Allocated(f), int64(free)+int64(each)*int64(size)
	if got > most {
		t.Errorf("%d bytes of input: %d bytes allocated, want at most %d", size, got, most)
	}
}

// Gzip returns head and, times over, tail as a gzip file, which is as small as they are alike.
func Gzip(head, tail string, times int) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, head)
	for range times {
		io.WriteString(z, tail)
	}
	z.Close()
	return b.String()
}
