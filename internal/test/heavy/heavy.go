// Package heavy tells tests how much to draw: a part of it by default, so that the whole run stays within minutes, and all of it where the
// environment has HITOKU_HEAVY, as in make heavy.
package heavy

import "os"

// On says that all is wanted.
func On() bool { return os.Getenv("HITOKU_HEAVY") != "" }

// Draws is how many of n to draw: a third by default.
func Draws[N int | uint64](n N) N {
	if On() {
		return n
	}
	return (n + 2) / 3
}
