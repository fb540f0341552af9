// Package cmem keeps bindings that free their C memory in finalizers from
// piling it up: the garbage collector sees only the small Go objects in front
// of it and has no reason to run.
package cmem

import (
	"runtime"
	"sync/atomic"
)

// most is the number of bytes that may wait for a finalizer.
const most = 64 << 20

var waiting atomic.Int64

// Release counts about n bytes of C memory behind an object that has just
// become garbage, and collects garbage once 64 MB may be waiting. It is safe for
// concurrent use.
func Release(n int64) {
	if waiting.Add(n) > most {
		waiting.Store(0)
		runtime.GC()
	}
}
