package seed

import "math/rand/v2"

// Rand returns the source of randomness for a mechanism: ChaCha8, with a key that is the SHA-256 hash of the
// name of the mechanism, a secret of 128 random bits or more, and what the release is made from. Whoever knows
// or guesses the secret can undo the release.
//
// about must differ between all releases that may be made with one secret: it should contain the digest of the
// file and the parameters. Two releases with the same random numbers reveal the data: x + σ·z and x + 2σ·z tell
// x, and two versions of a file tell what changed between them.
func Rand(mechanism, secret string, about ...string) *rand.Rand {
	return rand.New(rand.NewChaCha8(Key(mechanism, secret, about...)))
}
