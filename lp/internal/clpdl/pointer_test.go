//go:build clpdl && (linux || darwin)

package clpdl

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hitoku/hitoku/lp"
)

// TestPointers asks for the arrays of many models at once, while garbage is collected
// all the time: a pointer that Clp returns to one goroutine must not reach another.
// purego up to v0.10.0 read it from memory that a concurrent call might have taken.
func TestPointers(t *testing.T) {
	t.Parallel()
	c := installed(t)
	const models, calls = 16, 20_000
	var done atomic.Bool
	var wg, collector sync.WaitGroup
	collector.Go(func() {
		for !done.Load() {
			runtime.GC()
		}
	})
	for range models {
		wg.Go(func() {
			l := loaded{c: c}
			l.load(&lp.Problem{Cost: []float64{1}, Lo: []float64{0}, Up: []float64{1}, Rows: []lp.Row{{Up: 1, Idx: []int32{0}, Val: []float64{1}}}})
			defer l.drop()
			columns, duals := c.columns(l.m), c.rowDuals(l.m)
			for range calls {
				if c.columns(l.m) != columns || c.rowDuals(l.m) != duals {
					t.Error("an array of another model")
					return
				}
			}
		})
	}
	wg.Wait()
	done.Store(true)
	collector.Wait()
}
