// Package attest makes and reads statements about files: in-toto statements, version 1 (in-toto/attestation,
// spec/v1/statement.md), either unsigned or signed with Ed25519 in a DSSE envelope, version 1.0
// (secure-systems-lab/dsse). What is stated is up to the caller.
package attest

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/i18n"
)

const (
	statement = "https://in-toto.io/Statement/v1"
	payload   = "application/vnd.in-toto+json"
)

// A Subject is a file that a statement is about, or that it rests on.
type Subject struct {
	Name   string            `json:"name,omitempty"`
	URI    string            `json:"uri,omitempty"`
	Digest map[string]string `json:"digest"` // hexadecimal digest by algorithm
}

// A Statement states something about files.
type Statement struct {
	Type          string    `json:"_type"`
	Subject       []Subject `json:"subject"`
	PredicateType string    `json:"predicateType"`
	Predicate     any       `json:"predicate"`
}

// An envelope holds a signed statement.
type envelope struct {
	PayloadType string      `json:"payloadType"`
	Payload     []byte      `json:"payload"` // in base64
	Signatures  []signature `json:"signatures"`
}

type signature struct {
	KeyID string `json:"keyid"` // SHA-256 of the public key as SubjectPublicKeyInfo, in hexadecimal digits
	Sig   []byte `json:"sig"`
}

// Of returns the subject with that name and content.
func Of(name string, content io.Reader) (Subject, error) {
	h := sha256.New()
	if _, err := io.Copy(h, content); err != nil {
		return Subject{}, err
	}
	return Subject{Name: name, Digest: map[string]string{"sha256": hex.EncodeToString(h.Sum(nil))}}, nil
}

// Same reports whether both have a SHA-256 and these are equal.
func (s Subject) Same(other Subject) bool {
	a := s.Digest["sha256"]
	return a != "" && strings.EqualFold(a, other.Digest["sha256"])
}

// Encode returns the statement on one line, signed if there is a key.
func Encode(s Statement, key ed25519.PrivateKey) ([]byte, error) {
	s.Type = statement
	text, err := line(s)
	if err != nil || key == nil {
		return text, err
	}
	text = bytes.TrimSuffix(text, []byte("\n"))
	id, err := keyID(key.Public().(ed25519.PublicKey))
	if err != nil {
		return nil, err
	}
	return line(envelope{payload, text, []signature{{id, ed25519.Sign(key, encoded(payload, text))}}})
}

func line(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// encoded returns the bytes that are signed: DSSE's PAE of the text.
func encoded(kind string, text []byte) []byte {
	return fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(kind), kind, len(text), text)
}

func keyID(key ed25519.PublicKey) (string, error) {
	der, err := x509.MarshalPKIXPublicKey(key)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(der)
	return hex.EncodeToString(sum[:]), nil
}

// Signed is a statement as it was read.
type Signed struct {
	Statement
	text       []byte
	signatures []signature
}

// ErrOther is the error for a file that holds no statement at all.
var ErrOther = i18n.New("no in-toto statement")

// errDamaged leaves out the parser's own message, which is in English.
var errDamaged = i18n.New("damaged: want an in-toto statement, or a DSSE envelope with one, as one object of JSON")

// Decode reads a statement and stores its predicate in what predicate points to. The error is ErrOther where
// the text is no statement at all, another where it is a damaged one.
func Decode(text []byte, predicate any) (*Signed, error) {
	var head struct {
		Type        string `json:"_type"`
		PayloadType string `json:"payloadType"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, errDamaged
	}
	if head.Type == "" && head.PayloadType == "" {
		return nil, ErrOther
	}
	s := &Signed{text: text}
	if head.PayloadType != "" {
		var e envelope
		if err := json.Unmarshal(text, &e); err != nil {
			return nil, errDamaged
		}
		if e.PayloadType != payload {
			return nil, i18n.Errorf("payloadType %q: want %s", e.PayloadType, payload)
		}
		s.text, s.signatures = e.Payload, e.Signatures
	}
	s.Predicate = predicate
	if err := json.Unmarshal(s.text, &s.Statement); err != nil {
		return nil, errDamaged
	}
	switch {
	case s.Type != statement:
		return nil, i18n.Errorf("_type %q: want %s", s.Type, statement)
	case len(s.Subject) == 0:
		return nil, i18n.New("a statement about no file")
	}
	return s, nil
}

// HasSignature reports whether there is a signature, by whatever key.
func (s *Signed) HasSignature() bool { return len(s.signatures) > 0 }

// By reports whether the owner of the key signed exactly this statement.
func (s *Signed) By(key ed25519.PublicKey) bool {
	return slices.ContainsFunc(s.signatures, func(g signature) bool { return ed25519.Verify(key, encoded(payload, s.text), g.Sig) })
}

// PrivateKey reads an Ed25519 key in PKCS #8, as openssl genpkey -algorithm ed25519 writes it.
func PrivateKey(file string) (ed25519.PrivateKey, error) {
	k, ok, err := keyIn[ed25519.PrivateKey](file, "PRIVATE KEY", x509.ParsePKCS8PrivateKey)
	if err == nil && !ok {
		err = i18n.Errorf("%s: want a private key of Ed25519 in PEM", file)
	}
	return k, err
}

// PublicKey reads an Ed25519 key as openssl pkey -pubout writes it.
func PublicKey(file string) (ed25519.PublicKey, error) {
	k, ok, err := keyIn[ed25519.PublicKey](file, "PUBLIC KEY", x509.ParsePKIXPublicKey)
	if err == nil && !ok {
		err = i18n.Errorf("%s: want a public key of Ed25519 in PEM", file)
	}
	return k, err
}

// keyIn reads a key of type K; ok is false where the file has a key of another type.
func keyIn[K any](file, kind string, parse func([]byte) (any, error)) (key K, ok bool, err error) {
	der, err := block(file, kind)
	if err != nil {
		return key, false, err
	}
	k, _ := parse(der)
	key, ok = k.(K)
	return key, ok, nil
}

func block(file, kind string) ([]byte, error) {
	text, err := budget.ReadFile(file, budget.Settings)
	if at, ok := errors.AsType[*fs.PathError](err); ok { // the error names the file already
		err = at.Err
	}
	if err != nil {
		return nil, i18n.Errorf("%s: %w", file, err)
	}
	for {
		var b *pem.Block
		if b, text = pem.Decode(text); b == nil {
			return nil, i18n.Errorf("%s: no block %s in PEM", file, kind)
		}
		if b.Type == kind {
			return b.Bytes, nil
		}
	}
}

// SLSA is the predicate type of provenance statements.
const SLSA = "https://slsa.dev/provenance/v1"

// Provenance is the predicate of SLSA, with only those of its fields that a reproducible build needs.
type Provenance struct {
	BuildDefinition BuildDefinition `json:"buildDefinition"`
	RunDetails      RunDetails      `json:"runDetails"`
}

// A BuildDefinition says what was built from what.
type BuildDefinition struct {
	BuildType            string         `json:"buildType"`
	ExternalParameters   map[string]any `json:"externalParameters"`
	InternalParameters   map[string]any `json:"internalParameters,omitempty"`
	ResolvedDependencies []Subject      `json:"resolvedDependencies"`
}

// RunDetails say who built it.
type RunDetails struct {
	Builder Builder `json:"builder"`
}

// A Builder is identified by a URI.
type Builder struct {
	ID string `json:"id"`
}
