package tableio

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
)

// Digest returns the SHA-256 hash of a file as it stands, compressed or not. The error
// is a *Error.
func Digest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", osError(path, err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", osError(path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
