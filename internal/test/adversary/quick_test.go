//go:build !slow

package adversary

// How much is drawn; the tag slow draws more.
const (
	manyFiles = 40
	manyLeaks = 16
)
