//go:build !js

package page

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/test/must"
)

const key = "a-key-of-the-test"

// echo answers with what it is asked.
type echo struct{ calls int }

func (e *echo) Call(ctx context.Context, name string, body []byte, emit func(any)) (any, error) {
	e.calls++
	switch name {
	case "echo":
		emit("first")
		emit("second")
		return json.RawMessage(body), nil
	case "file":
		return &File{Name: "表.csv", Type: "text/csv", Content: []byte("a,b\n")}, nil
	case "fail":
		return nil, errors.New("it <failed>")
	case "wait":
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return nil, ErrNoCall
}

func (e *echo) Upload(name string, content io.Reader) (string, error) {
	e.calls++
	b, err := io.ReadAll(content)
	return fmt.Sprintf("%s:%d", name, len(b)), err
}

func ask(h http.Handler, method, path, host string, body string, head map[string]string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://"+host+path, strings.NewReader(body))
	for k, v := range head {
		r.Header.Set(k, v)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestHostile sends what other pages, other machines and other users may send. None of it may reach the engine.
func TestHostile(t *testing.T) {
	const here = "127.0.0.1:4000"
	token := func(more ...string) map[string]string {
		m := map[string]string{"X-Hitoku-Token": key}
		for k := 0; k < len(more); k += 2 {
			m[more[k]] = more[k+1]
		}
		return m
	}
	for _, c := range []struct {
		name, method, path, host string
		head                     map[string]string
		want                     int
	}{
		{"no token", "POST", "/api/echo", here, nil, 401},
		{"another token", "POST", "/api/echo", here, map[string]string{"X-Hitoku-Token": key + "x"}, 401},
		{"part of the token", "POST", "/api/echo", here, map[string]string{"X-Hitoku-Token": key[:4]}, 401},
		{"token in a cookie", "POST", "/api/echo", here, map[string]string{"Cookie": "token=" + key}, 401},
		{"token in the address", "POST", "/api/echo?token=" + key, here, nil, 400},
		{"token in the address of the page", "GET", "/?" + key, here, nil, 400},
		{"name that is rebound", "POST", "/api/echo", "evil.example:4000", token(), 421},
		{"name that ends like this machine", "POST", "/api/echo", "localhost.evil.example:4000", token(), 421},
		{"address that begins like it", "POST", "/api/echo", "127.0.0.1.evil.example:4000", token(), 421},
		{"address of the network", "POST", "/api/echo", "192.168.0.7:4000", token(), 421},
		{"no host", "POST", "/api/echo", "0.0.0.0:4000", token(), 421},
		{"another origin", "POST", "/api/echo", here, token("Origin", "http://evil.example"), 403},
		{"another port", "POST", "/api/echo", here, token("Origin", "http://127.0.0.1:4001"), 403},
		{"another scheme", "POST", "/api/echo", here, token("Origin", "https://127.0.0.1:4000"), 403},
		{"another name of this machine", "POST", "/api/echo", here, token("Origin", "http://localhost:4000"), 403},
		{"a file's origin", "POST", "/api/echo", here, token("Origin", "null"), 403},
		{"sent by another site", "POST", "/api/echo", here, token("Sec-Fetch-Site", "cross-site"), 403},
		{"sent by a neighbour", "POST", "/api/echo", here, token("Sec-Fetch-Site", "same-site"), 403},
		{"a picture of another site", "GET", "/icon.svg", here, map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403},
		{"a script of another site", "GET", "/app.js", here, map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403},
		{"call by GET", "GET", "/api/echo", here, token(), 405},
		{"preflight", "OPTIONS", "/api/echo", here, token("Access-Control-Request-Method", "POST"), 405},
		{"call by PUT", "PUT", "/api/echo", here, token(), 405},
		{"write to the page", "POST", "/index.html", here, token(), 405},
		{"no JSON", "POST", "/api/echo", here, token("X-Body", "{"), 400},
		{"path out of the page", "GET", "/../handler.go", here, nil, 404},
		{"path with dots", "GET", "/%2e%2e/%2e%2e/etc/passwd", here, nil, 404},
		{"hidden file", "GET", "/.git/config", here, nil, 404},
		{"upload without a name", "POST", "/api/upload", here, token(), 400},
		{"upload without a token", "POST", "/api/upload", here, map[string]string{"X-Hitoku-Name": "a"}, 401},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &echo{}
			body := "{}"
			if b, ok := c.head["X-Body"]; ok {
				body = b
			}
			w := ask(NewHandler(e, key, nil), c.method, c.path, c.host, body, c.head)
			if w.Code != c.want {
				t.Errorf("status %d, want %d: %s", w.Code, c.want, w.Body)
			}
			if e.calls > 0 {
				t.Error("it reached the engine")
			}
			for k := range w.Header() {
				if strings.HasPrefix(k, "Access-Control-") {
					t.Errorf("header %s", k)
				}
			}
		})
	}
}

func TestLargeBody(t *testing.T) {
	e := &echo{}
	w := ask(NewHandler(e, key, nil), "POST", "/api/echo", "127.0.0.1:1", `"`+strings.Repeat("x", maxBody)+`"`, map[string]string{"X-Hitoku-Token": key})
	if w.Code != http.StatusRequestEntityTooLarge || e.calls > 0 {
		t.Errorf("status %d, %d calls", w.Code, e.calls)
	}
}

// TestCalls asks as the page does, by both names of this machine and from IPv6.
func TestCalls(t *testing.T) {
	for _, host := range []string{"127.0.0.1:4000", "localhost:4000", "[::1]:4000"} {
		h := NewHandler(&echo{}, key, nil)
		head := map[string]string{"X-Hitoku-Token": key, "Origin": "http://" + host, "Sec-Fetch-Site": "same-origin"}
		if w := ask(h, "POST", "/api/echo", host, `{"a":1}`, head); w.Code != 200 || w.Body.String() != `{"a":1}` || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %s", host, w.Code, w.Body)
		}
		if w := ask(h, "POST", "/api/none", host, `{}`, head); w.Code != 404 {
			t.Errorf("none: %d", w.Code)
		}
		head["Accept-Language"] = "ja-JP,en;q=0.5"
		if w := ask(h, "POST", "/api/none", host, `{}`, head); !strings.Contains(w.Body.String(), "その呼出しはありません") {
			t.Errorf("none in Japanese: %s", w.Body)
		}
		delete(head, "Accept-Language")
		if w := ask(h, "POST", "/api/fail", host, `{}`, head); w.Code != 422 || !strings.Contains(w.Body.String(), "failed") {
			t.Errorf("fail: %d %s", w.Code, w.Body)
		}
		if w := ask(h, "POST", "/api/file", host, `{}`, head); w.Body.String() != "a,b\n" || !strings.Contains(w.Header().Get("Content-Disposition"), "attachment") {
			t.Errorf("file: %v %s", w.Header(), w.Body)
		}
		head["Accept"] = "text/event-stream"
		w := ask(h, "POST", "/api/echo", host, `{"a":1}`, head)
		if want := "event: event\ndata: \"first\"\n\nevent: event\ndata: \"second\"\n\nevent: answer\ndata: {\"a\":1}\n\n"; w.Body.String() != want {
			t.Errorf("events %q", w.Body)
		}
		delete(head, "Accept")
		head["X-Hitoku-Name"] = "%E8%A1%A8.csv"
		if w := ask(h, "POST", "/api/upload", host, "123", head); w.Body.String() != `{"file":"表.csv:3"}` {
			t.Errorf("upload: %s", w.Body)
		}
	}
}

// TestSlow ends bodies that do not come or come by drops, and takes one that comes in parts for longer than the first may be waited for.
func TestSlow(t *testing.T) {
	h := NewHandler(&echo{}, key, nil)
	h.wait = 500 * time.Millisecond
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	for _, c := range []struct {
		name, path string
		part       int           // bytes that come at once
		every      time.Duration // 0: after the first nothing comes
		parts      int
		ends       bool
	}{
		{"nothing", "/api/upload", 1, 0, 2, true},
		{"nothing of a call", "/api/echo", 1, 0, 2, true},
		{"drops", "/api/upload", 1, 20 * time.Millisecond, 1000, true},
		{"parts", "/api/upload", 64 << 10, 50 * time.Millisecond, 10, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			conn := must.Get(net.Dial("tcp", s.Listener.Addr().String()))(t)
			defer conn.Close()
			conn.SetDeadline(time.Now().Add(time.Minute))
			fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nX-Hitoku-Token: %s\r\nX-Hitoku-Name: t.csv\r\nContent-Length: %d\r\nConnection: close\r\n\r\n", c.path, key, c.part*c.parts)
			go func() {
				for range c.parts {
					if _, err := conn.Write(make([]byte, c.part)); err != nil || c.every == 0 {
						return
					}
					time.Sleep(c.every)
				}
			}()
			answer, _ := io.ReadAll(conn) // a connection that is cut in the midst may be an error
			if want := map[bool]string{true: "HTTP/1.1 408", false: "HTTP/1.1 200"}[c.ends]; !bytes.HasPrefix(answer, []byte(want)) {
				t.Errorf("%s", answer)
			}
		})
	}
}

// TestAssets wants every file that another names to be there, and nothing to be loaded from elsewhere or run inline.
func TestAssets(t *testing.T) {
	names := regexp.MustCompile(`(?:from |src=|href=)"(\./)?([a-z]+\.(?:js|css|svg))"`)
	entries := must.Get(embedded.ReadDir("assets"))(t)
	for _, e := range entries {
		path := e.Name()
		text := must.Get(Asset(path))(t)
		for _, m := range names.FindAllSubmatch(text, -1) {
			if _, err := Asset(string(m[2])); err != nil {
				t.Errorf("%s names %s: %v", path, m[2], err)
			}
		}
		for _, bad := range []string{"https://", "//cdn", "eval(", "innerHTML", "document.write", " style=\"", "onclick=\""} {
			if bytes.Contains(text, []byte(bad)) {
				t.Errorf("%s has %s", path, bad)
			}
		}
		w := ask(NewHandler(&echo{}, key, nil), "GET", "/"+path, "localhost", "", nil)
		if w.Code != 200 || w.Header().Get("Content-Type") == "" || w.Header().Get("Content-Security-Policy") != policy {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
}

// TestGone ends the server when its only page has gone, and not before.
func TestGone(t *testing.T) {
	var came []bool
	h := NewHandler(&echo{}, key, func(c bool) { came = append(came, c) })
	ctx, leave := context.WithCancel(context.Background())
	done := make(chan bool)
	go func() {
		defer close(done)
		r := httptest.NewRequest("POST", "http://localhost/api/alive", nil).WithContext(ctx)
		r.Header.Set("X-Hitoku-Token", key)
		h.ServeHTTP(httptest.NewRecorder(), r)
	}()
	for {
		h.mu.Lock()
		n := h.alive
		h.mu.Unlock()
		if n == 1 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	leave()
	<-done
	if len(came) != 2 || !came[0] || came[1] {
		t.Error(came)
	}
}

// TestDoorstep wants a file that nobody else can read, leading to the page.
func TestDoorstep(t *testing.T) {
	dir := t.TempDir()
	path := must.Get(Doorstep(dir, "http://127.0.0.1:1/", "k&y"))(t)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
	if text, _ := os.ReadFile(path); !strings.Contains(string(text), "http://127.0.0.1:1/#k&amp;y") {
		t.Errorf("%s", text)
	}
	if _, err := Doorstep(dir, "x", "y"); err == nil {
		t.Error("a file that is there is written over")
	}
}
