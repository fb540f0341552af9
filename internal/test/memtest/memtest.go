// Package memtest lets tests bound the memory that a reader uses.
package memtest

import (
	"bytes"
	"compress/gzip"
	"io"
	"runtime"
	"testing"
)

// Allocated returns how many bytes were allocated while f ran, including those freed meanwhile; it is therefore
// an upper bound on the memory used. Nothing else may run at the same time.
func Allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// Bound fails the test if f, which reads size bytes, allocates more than free bytes plus each bytes for each
// byte read.
func Bound(t testing.TB, size, free, each int, f func()) {
	t.Helper()
	got, most := Allocated(f), int64(free)+int64(each)*int64(size)
	if got > most {
		t.Errorf("%d bytes of input: %d bytes allocated, want at most %d", size, got, most)
	}
}

// Gzip returns head and times copies of tail as a gzip file, which is small because the copies are alike.
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
