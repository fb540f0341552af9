//go:build !js

package page

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// grace is how long a server outlives its last page, so that a page can be reloaded.
const grace = 5 * time.Second

// NewToken returns 256 random bits as text.
func NewToken() string {
	b := make([]byte, 32)
	rand.Read(b) // never returns an error
	return base64.RawURLEncoding.EncodeToString(b)
}

// Serve answers on the listener until ctx ends or, unless stay is set, until no page has been open for a while.
// Calls under way are then ended.
func Serve(ctx context.Context, l net.Listener, engine Engine, token string, stay bool) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	var mu sync.Mutex
	var gone *time.Timer
	left := func(came bool) {
		mu.Lock()
		defer mu.Unlock()
		if gone != nil {
			gone.Stop()
		}
		if !came && !stay {
			gone = time.AfterFunc(grace, end)
		}
	}
	s := &http.Server{
		Handler:           NewHandler(engine, token, left),
		ReadHeaderTimeout: 10 * time.Second,
		MaxHeaderBytes:    1 << 16,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	context.AfterFunc(ctx, func() { s.Close() })
	if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Doorstep writes into dir a page that leads to the address and contains the token, and returns its path. That
// way the token need not be on the command line of a browser, which others on the machine can see. Only the
// user can read the file.
func Doorstep(dir, address, token string) (string, error) {
	to := html.EscapeString(address + "#" + token)
	path := filepath.Join(dir, "hitoku.html")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(f, "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>hitoku</title>\n<meta http-equiv=\"refresh\" content=\"0;url=%s\">\n<p><a href=\"%s\">hitoku</a></p>\n", to, to)
	return path, errors.Join(err, f.Close())
}
