package batch

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"time"
)

// A content is what a file held when it was hashed.
type content struct {
	sum  string // SHA-256
	info os.FileInfo
	at   time.Time
}

// settled is how old the last change of a file must be before an unchanged modification time proves that the
// file has not changed since: file systems record that time in steps of up to two seconds.
const settled = 2 * time.Second

// read hashes the file path.
func read(path string) (content, error) {
	f, err := os.Open(path)
	if err != nil {
		return content{}, err
	}
	defer f.Close()
	c := content{at: time.Now()}
	if c.info, err = f.Stat(); err != nil {
		return content{}, err
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return content{}, err
	}
	c.sum = hex.EncodeToString(h.Sum(nil))
	return c, nil
}

// holds reports whether the file path has not changed since c was taken.
func (c content) holds(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !os.SameFile(info, c.info) || info.Size() != c.info.Size() || !info.ModTime().Equal(c.info.ModTime()) {
		return false
	}
	if c.at.Sub(info.ModTime()) > settled {
		return true
	}
	now, err := read(path)
	return err == nil && now.sum == c.sum
}

func hashFile(path string) (string, error) {
	c, err := read(path)
	return c.sum, err
}

// hashes remembers the content of files, since many tasks read the same ones.
type hashes map[string]content

// file returns the content of a file.
func (h hashes) file(path string) (content, error) {
	if c, ok := h[path]; ok {
		return c, nil
	}
	c, err := read(path)
	if err == nil {
		h[path] = c
	}
	return c, err
}
