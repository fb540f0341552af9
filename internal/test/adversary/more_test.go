//go:build slow

package adversary

// How much is drawn.
const (
	manyFiles = 600
	manyLeaks = 1600
)
