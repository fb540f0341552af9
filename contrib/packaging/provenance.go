package main

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/hitoku/hitoku/internal/attest"
)

// publicKey is the file in the repository with the public half of the key that signs releases.
const publicKey = "contrib/packaging/release.pub"

// provenance states, in the form of SLSA (slsa.dev/provenance/v1), from which commit every file of the release
// was made, and how. It contains no time, so that making the release again gives the same bytes.
func (r *release) provenance(key ed25519.PrivateKey) error {
	files, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var subjects []attest.Subject
	for _, f := range files {
		content, err := os.ReadFile(filepath.Join(r.out, f.Name()))
		if err != nil {
			return err
		}
		s, err := attest.Of(f.Name(), bytes.NewReader(content))
		if err != nil {
			return err
		}
		subjects = append(subjects, s)
	}
	var targets []string
	for _, t := range r.targets {
		targets = append(targets, t.os+"/"+t.arch)
	}
	text, err := attest.Encode(attest.Statement{Subject: subjects, PredicateType: attest.SLSA, Predicate: attest.Provenance{
		BuildDefinition: attest.BuildDefinition{
			BuildType:            "https://github.com/hitoku/hitoku/release/v1",
			ExternalParameters:   map[string]any{"version": r.version, "url": r.url, "targets": targets},
			InternalParameters:   map[string]any{"go": runtime.Version()},
			ResolvedDependencies: []attest.Subject{{URI: "git+https://github.com/hitoku/hitoku", Digest: map[string]string{"gitCommit": r.commit}}},
		},
		RunDetails: attest.RunDetails{Builder: attest.Builder{ID: "https://github.com/hitoku/hitoku/contrib/packaging"}},
	}}, key)
	if err != nil {
		return err
	}
	return r.write("hitoku_"+r.number()+".intoto.jsonl", text)
}

// signer reads the signing key from a file. Its public half must be in the commit, so that everybody with the
// repository can verify signatures. It returns no key if no file is given.
func (r *release) signer(file string) (ed25519.PrivateKey, error) {
	if file == "" {
		return nil, nil
	}
	key, err := attest.PrivateKey(file)
	if err != nil {
		return nil, err
	}
	pub, err := attest.PublicKey(filepath.Join(r.repo, publicKey))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: the commit has no %s, its public half", file, publicKey)
	} else if err != nil {
		return nil, err
	}
	if !pub.Equal(key.Public()) {
		return nil, fmt.Errorf("%s: its public half is not the one in %s", file, publicKey)
	}
	return key, nil
}
