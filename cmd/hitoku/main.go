//go:build !js

// Command hitoku protects statistical tables before publication by cell
// suppression and audits protected tables.
//
// Results go to standard output, words and progress to standard error. The
// exit code is 0 when done, 1 when the verdict is bad (a cell is unprotected or
// cannot be protected), 2 for wrong usage or input, and 3 when a limit or an
// interrupt stopped the work with a partial but valid result.
package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

func main() {
	collectLate()
	os.Exit(int(perform()))
}

// collectLate has the first collection of garbage wait for 16 MB in place of 4, unless GOGC says when: most tables are done before, and
// two collections take longer than a small table. After it all is as usual.
func collectLate() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(400)
	runtime.SetFinalizer(new([1]*int), func(*[1]*int) { debug.SetGCPercent(100) })
}
