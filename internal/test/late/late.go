// Package late has the tests of a package that imports it collect garbage late: draws by the thousand each leave a little, and a third of
// the time would go to collecting it. GOGC in the environment goes before.
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
