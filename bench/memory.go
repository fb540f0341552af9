package bench

import (
	"bytes"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"time"
)

// sampleEvery is the time between two samples of the heap.
const sampleEvery = 5 * time.Millisecond

// A memoryWatch tracks the memory of the process between its start and its stop.
type memoryWatch struct {
	done   chan struct{}
	peak   chan int64
	ofOnly bool // the high-water mark was reset at the start
}

// watchMemory starts with a heap free of garbage.
func watchMemory() *memoryWatch {
	debug.FreeOSMemory()
	w := &memoryWatch{done: make(chan struct{}), peak: make(chan int64)}
	// Linux: writing 5 resets VmHWM to the current resident size.
	w.ofOnly = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil
	go func() {
		tick := time.NewTicker(sampleEvery)
		defer tick.Stop()
		peak := heapObjects()
		for {
			select {
			case <-tick.C:
				peak = max(peak, heapObjects())
			case <-w.done:
				w.peak <- max(peak, heapObjects())
				return
			}
		}
	}()
	return w
}

// stop ends the watch and writes its results to r.
func (w *memoryWatch) stop(r *Result) {
	close(w.done)
	r.HeapPeak = <-w.peak
	if peak, ok := memoryLine("/proc/self/status", "VmHWM:"); ok {
		r.RSSPeak, r.RSSScope = &peak, "process"
		if w.ofOnly {
			r.RSSScope = "instance"
		}
	}
}

// heapObjects returns the bytes in objects that are live or not yet swept.
func heapObjects() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}

// resident returns the resident memory of the process in bytes; ok is false if the system does not tell.
func resident() (int64, bool) { return memoryLine("/proc/self/smaps_rollup", "Rss:") }

// memoryLine returns the bytes from a line "name number kB".
func memoryLine(file, name string) (int64, bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	for line := range bytes.Lines(text) {
		f := bytes.Fields(line)
		if len(f) == 3 && string(f[0]) == name && string(f[2]) == "kB" {
			kb, err := strconv.ParseInt(string(f[1]), 10, 64)
			return kb << 10, err == nil
		}
	}
	return 0, false
}
