// Package seed keeps the secret from which the randomness of a release is derived. Whoever knows it can undo
// the release.
package seed

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"sync"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Digits is the least number of hexadecimal digits of a secret in a file, for 128 bits.
const Digits = 32

// Short reports whether a seed given as text has too few characters for 128 bits, whatever they are.
func Short(text string) bool { return len(text) < Digits }

var drawing sync.Mutex

// File returns the secret in the file at path, a line of at least Digits hexadecimal digits. If there is no
// file, it draws 256 bits from the system and writes them to one that only its owner can read; drawn says so. A
// file that others can read is refused. Errors do not show the content.
func File(path string) (secret string, drawn bool, err error) {
	drawing.Lock() // several workers may use one file
	defer drawing.Unlock()
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		secret, err = draw(path)
		return secret, err == nil, err
	}
	if err != nil {
		return "", false, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return "", false, err
	case !info.Mode().IsRegular():
		return "", false, i18n.Errorf("%s: not a file", path)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return "", false, i18n.Errorf("%s: others may read or write this file, so its seed is no secret (mode %04o, want 0600); have a new one drawn by naming a file that does not exist", path, info.Mode().Perm())
	}
	const most = 1 << 12
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return "", false, err
	}
	text := strings.ToLower(strings.TrimRight(string(b), "\r\n"))
	if len(b) > most || len(text) < Digits || strings.Trim(text, "0123456789abcdef") != "" {
		return "", false, i18n.Errorf("%s: want one line of at least %d hexadecimal digits; have a seed drawn by naming a file that does not exist", path, Digits)
	}
	return text, false, nil
}

// Once returns a secret of 256 bits from the system that is stored nowhere, for what need not be repeatable,
// such as shuffling.
func Once() string {
	var bits [32]byte
	rand.Read(bits[:]) // never returns an error
	return hex.EncodeToString(bits[:])
}

// draw writes a new secret to a file that must not exist.
func draw(path string) (string, error) {
	text := Once()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text + "\n")
	if err == nil {
		err = f.Sync() // a release cannot be repeated without its seed
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(path)
		return "", err
	}
	return text, nil
}

// Key returns the key of a generator for a purpose: the SHA-256 hash of the purpose, the secret and what else
// the randomness is for. Keys that differ in one of these tell nothing about each other.
func Key(purpose, secret string, about ...string) [sha256.Size]byte {
	h := sha256.New()
	for _, s := range append([]string{purpose, secret}, about...) {
		fmt.Fprintf(h, "%d:%s", len(s), s) // the length separates the parts unambiguously
	}
	return [sha256.Size]byte(h.Sum(nil))
}
