// Package seed keeps the secret that the randomness of a release is derived from: who knows
// it can undo the release.
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

// Digits is the least number of hexadecimal digits of a secret in a file: 128 bits.
const Digits = 32

// Short tells whether a seed given as text has too few characters for 128 bits, whatever
// they are.
func Short(text string) bool { return len(text) < Digits }

var drawing sync.Mutex

// File returns the secret in the file at path: a line of at least Digits hexadecimal
// digits. Where there is no file it draws 256 bits from the system and writes them to one
// that its owner alone may read; drawn says so. A file that others may read is refused,
// and errors do not show what is in it.
func File(path string) (secret string, drawn bool, err error) {
	drawing.Lock() // workers may share a file
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

// Once is a secret of 256 bits drawn from the system that is kept nowhere, for what nobody has to do again, like shuffling.
func Once() string {
	var bits [32]byte
	rand.Read(bits[:]) // which never fails
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
		err = f.Sync() // a release without its seed cannot be made again
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

// Key returns the key of a generator for a purpose: the SHA-256 hash of that, the secret and
// what else the randomness is for. Keys that differ in one of them tell nothing of each
// other.
func Key(purpose, secret string, about ...string) [sha256.Size]byte {
	h := sha256.New()
	for _, s := range append([]string{purpose, secret}, about...) {
		fmt.Fprintf(h, "%d:%s", len(s), s) // the length keeps parts apart
	}
	return [sha256.Size]byte(h.Sum(nil))
}
