//go:build !js

// Command hitoku protects statistical tables before publication by cell
// suppression and audits protected tables.
//
// Results go to standard output, words and progress to standard error. The
// exit code is 0 when done, 1 when the verdict is bad (a cell is unprotected or
// cannot be protected), 2 for wrong usage or input, and 3 when a limit or an
// interrupt stopped the work with a partial but valid result.
package main

import "os"

func main() { os.Exit(int(perform())) }
