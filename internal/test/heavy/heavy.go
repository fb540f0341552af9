// Package heavy tells tests how much to draw: a part of it by default, so that the whole run stays within minutes, more where the environment has
// HITOKU_HEAVY, as .ci/run has it, and with HITOKU_HEAVY=all, as in make heavy, all of it.
package heavy

import (
	"flag"
	"os"

	_ "pgregory.net/rapid" // whose flags are there then
)

// On says that all is wanted.
func On() bool { return os.Getenv("HITOKU_HEAVY") != "" }

// Draws is how many of n to draw: a third by default.
func Draws[N int | uint64](n N) N {
	if On() {
		return n
	}
	return (n + 2) / 3
}

// Large is how many of n to draw where n take many minutes: few by default, and a quarter with any HITOKU_HEAVY but all.
func Large[N int | uint64](few, n N) N {
	switch os.Getenv("HITOKU_HEAVY") {
	case "":
		return few
	case "all":
		return n
	}
	return n / 4
}

// Properties has rapid check the properties of a package with a third of the draws by default, too; -rapid.checks goes before.
func Properties() bool { return On() || flag.Set("rapid.checks", "34") == nil }
