// Package heavy tells tests how much to draw: by default a part, so that all tests together take minutes; more
// if HITOKU_HEAVY is set in the environment, as .ci/run does; and everything with HITOKU_HEAVY=all, as in make
// heavy.
package heavy

import (
	"flag"
	"os"

	_ "pgregory.net/rapid" // defines its flags
)

// On reports whether HITOKU_HEAVY is set, so that all is to be drawn.
func On() bool { return os.Getenv("HITOKU_HEAVY") != "" }

// Draws returns how many of n to draw: a third by default.
func Draws[N int | uint64](n N) N {
	if On() {
		return n
	}
	return (n + 2) / 3
}

// Large returns how many of n to draw if n take many minutes: few by default, n with HITOKU_HEAVY=all, and a
// quarter with any other HITOKU_HEAVY.
func Large[N int | uint64](few, n N) N {
	switch os.Getenv("HITOKU_HEAVY") {
	case "":
		return few
	case "all":
		return n
	}
	return n / 4
}

// Properties makes rapid check the properties of a package with a third of the draws by default; -rapid.checks
// takes precedence.
func Properties() bool { return On() || flag.Set("rapid.checks", "34") == nil }
