//go:build slow

package adversary

// How much is drawn.
const (
	manyFiles = 3000
	manyLeaks = 1600
)
