// Package late makes the tests of a package that imports it collect garbage late: thousands of draws each leave
// a little, and collecting it would take a third of the time. GOGC in the environment takes precedence.
package late

import (
	"os"
	"runtime/debug"
)

func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
