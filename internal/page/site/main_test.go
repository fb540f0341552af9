package main

import (
	"crypto/ed25519"
	"testing"

	"github.com/hitoku/hitoku/internal/attest"
	"github.com/hitoku/hitoku/internal/test/must"
)

// TestManifest wants every file of the site in its manifest, with its SHA-256, signed by the key that is given.
func TestManifest(t *testing.T) {
	public, private := must.Two(ed25519.GenerateKey(nil))(t)
	files := map[string][]byte{"b": []byte("2"), "a": []byte("1")}
	for _, key := range []ed25519.PrivateKey{nil, private} {
		text := must.Get(manifestOf(files, key))(t)
		var from attest.Provenance
		s := must.Get(attest.Decode(text, &from))(t)
		if len(s.Subject) != 2 || s.Subject[0].Name != "a" || s.Subject[0].Digest["sha256"] != "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b" {
			t.Errorf("%+v", s.Subject)
		}
		if s.By(public) != (key != nil) {
			t.Error("signed", s.By(public))
		}
	}
}
