package seed

import "math/rand/v2"

// Rand returns the randomness of a mechanism: ChaCha8, its key the SHA-256 hash of the
// name of the mechanism, a secret of 128 random bits or more and what the release is made
// from. Who knows or guesses the secret can undo the release.
//
// about should tell apart all releases that may be made with one secret: the digest of the
// file and the parameters. Noise drawn twice from the same numbers cancels: x + σ·z and x +
// 2σ·z tell x, and so do two versions of a file what changed in it.
func Rand(mechanism, secret string, about ...string) *rand.Rand {
	return rand.New(rand.NewChaCha8(Key(mechanism, secret, about...)))
}
