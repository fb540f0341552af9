package nats

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// ErrNoToken is returned for a server without a token.
var ErrNoToken = errors.New("a server needs a token that clients must show")

// tokenFile returns the file with the token of a server on a port of this machine that was given none. It is in
// the user's own folder, so that clients of the same user find it and nobody else can.
func tokenFile(port string) (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "hitoku", "fleet-"+port+".token"), nil
}

// OwnToken returns the token of a server on a port of this machine that was given none: the existing one, with
// which clients may connect again, else a new one of 192 bits. file is where it is stored, readable for its
// owner alone.
func OwnToken(port string) (token, file string, err error) {
	if file, err = tokenFile(port); err != nil {
		return "", "", err
	}
	if token, err = ReadToken(file); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return token, file, err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", "", err
	}
	b := make([]byte, 24)
	rand.Read(b)
	token = base64.RawURLEncoding.EncodeToString(b)
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", "", err
	}
	_, err = f.WriteString(token + "\n")
	return token, file, errors.Join(err, f.Close())
}

// FindToken returns the token that OwnToken has stored for the server at an address on this machine; "" if
// there is none.
func FindToken(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || !loopback(u.Hostname()) {
		return "", nil
	}
	port := u.Port()
	if port == "" {
		port = "4222"
	}
	file, err := tokenFile(port)
	if err != nil {
		return "", nil
	}
	token, err := ReadToken(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return token, err
}

// ReadToken reads a token from a file. A file that others can read is refused.
func ReadToken(file string) (string, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(file); err == nil && info.Mode().Perm()&0o007 != 0 && runtime.GOOS != "windows" {
		return "", fmt.Errorf("%s: everybody can read this token; chmod 600 it, or draw another if others could on this machine", file)
	}
	token := strings.TrimSpace(string(b))
	if token == "" {
		return "", fmt.Errorf("%s: no token", file)
	}
	return token, nil
}

// loopback reports whether a host is this machine.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
