package main

import (
	"crypto/ed25519"
	"testing"

	"github.com/hitoku/hitoku/internal/attest"
)

// TestManifest wants every file of the site in its manifest, with its SHA-256, signed by the key that is given.
func TestManifest(t *testing.T) {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{"b": []byte("2"), "a": []byte("1")}
	for _, key := range []ed25519.PrivateKey{nil, private} {
		text, err := manifestOf(files, key)
		if err != nil {
			t.Fatal(err)
		}
		var from attest.Provenance
		s, err := attest.Decode(text, &from)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Subject) != 2 || s.Subject[0].Name != "a" || s.Subject[0].Digest["sha256"] != "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b" {
			t.Errorf("%+v", s.Subject)
		}
		if s.By(public) != (key != nil) {
			t.Error("signed", s.By(public))
		}
	}
}
