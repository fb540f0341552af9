//go:build !js

package page

import (
	"cmp"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"sync"
	"time"
)

// Limits on requests: on the body of a call, and on an uploaded file, which may be as large as the readers of
// tables allow.
const (
	maxBody   = 64 << 20
	maxUpload = 2 << 30
)

// A body must arrive without delay: the time by which the next part must come depends on how much has come.
const (
	bodyWait = 30 * time.Second
	bodyRate = 16 << 10 // bytes per second, far below what a loopback connection or a slow disk delivers

	late = "the request has not come in time"
)

// A Handler serves the page and the calls of its engine.
type Handler struct {
	engine Engine
	token  string
	wait   time.Duration // bodyWait, except in tests

	mu    sync.Mutex
	alive int
	// left is called with true when a page has opened, and with false when the last one has gone.
	left func(came bool)
}

// NewHandler returns a handler of the page and of calls to its engine. Callers must know the token, which
// should have 128 random bits or more.
func NewHandler(engine Engine, token string, left func(came bool)) *Handler {
	return &Handler{engine: engine, token: token, wait: bodyWait, left: left}
}

// policy allows what the page consists of, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// ServeHTTP answers one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	head.Set("Content-Security-Policy", policy)
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Referrer-Policy", "no-referrer")
	head.Set("Cross-Origin-Resource-Policy", "same-origin")
	head.Set("Cross-Origin-Opener-Policy", "same-origin")
	head.Set("Cache-Control", "no-store")
	switch {
	case !loopback(r.Host):
		refuse(w, http.StatusMisdirectedRequest, "this server is for this machine alone")
	case !sameOrigin(r):
		refuse(w, http.StatusForbidden, "this server answers its own page alone")
	case r.URL.RawQuery != "":
		refuse(w, http.StatusBadRequest, "no request has a query")
	case strings.HasPrefix(r.URL.Path, "/api/"):
		h.api(w, r)
	default:
		h.asset(w, r)
	}
}

// loopback reports whether a request was sent to a name that only this machine can have.
func loopback(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = strings.Trim(host, "[]")
	}
	if name == "localhost" {
		return true
	}
	ip := net.ParseIP(name)
	return ip != nil && ip.IsLoopback()
}

// sameOrigin reports whether the request does not come from a page of another site. Browsers tell where a
// request comes from in Origin or, without that, in Sec-Fetch-Site.
func sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" && site != "none" {
		// A link on another site may lead here; it shows the page, but without a token.
		return site == "cross-site" && r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.URL.Path == "/"
	}
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	u, err := url.Parse(origins[0])
	return err == nil && len(origins) == 1 && u.Scheme == "http" && u.Host == r.Host
}

func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintln(w, why)
}

// asset serves a file of the page.
func (h *Handler) asset(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, "want GET")
		return
	}
	name := cmp.Or(strings.TrimPrefix(path.Clean(r.URL.Path), "/"), "index.html")
	content, err := Asset(name)
	if err != nil {
		refuse(w, http.StatusNotFound, "no such file")
		return
	}
	w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	if r.Method == http.MethodGet {
		w.Write(content)
	}
}

// api answers a call.
func (h *Handler) api(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		refuse(w, http.StatusMethodNotAllowed, "want POST")
		return
	}
	if subtle.ConstantTimeCompare([]byte(r.Header.Get("X-Hitoku-Token")), []byte(h.token)) != 1 {
		refuse(w, http.StatusUnauthorized, "this page has lost its key; open it again by hitoku open")
		return
	}
	switch name := strings.TrimPrefix(r.URL.Path, "/api/"); name {
	case "upload":
		h.upload(w, r)
	case "alive":
		h.stay(w, r)
	default:
		h.call(w, r, name)
	}
}

// A body is the body of a request; reading it fails if it does not arrive, or arrives too slowly.
type body struct {
	io.ReadCloser
	control *http.ResponseController
	until   time.Time
}

// body bounds the body of a request in size and time.
func (h *Handler) body(w http.ResponseWriter, r *http.Request, most int64) io.Reader {
	return &body{http.MaxBytesReader(w, r.Body, most), http.NewResponseController(w), time.Now().Add(h.wait)}
}

func (b *body) Read(p []byte) (int, error) {
	b.control.SetReadDeadline(b.until) // fails for recorders in tests, which have no deadline
	n, err := b.ReadCloser.Read(p)
	b.until = b.until.Add(time.Duration(n) * time.Second / bodyRate)
	if err == io.EOF { // the time to answer is not limited
		b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

// upload takes a file. Its name is in a header, since no data of the user may be in an address.
func (h *Handler) upload(w http.ResponseWriter, r *http.Request) {
	name, err := url.PathUnescape(r.Header.Get("X-Hitoku-Name"))
	if err != nil || name == "" {
		refuse(w, http.StatusBadRequest, "want the name of the file in X-Hitoku-Name")
		return
	}
	id, err := h.engine.Upload(name, h.body(w, r, maxUpload))
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		refuse(w, http.StatusRequestTimeout, late)
	case err != nil:
		fail(w, r, err)
	default:
		answer(w, r, map[string]string{"file": id})
	}
}

// call asks the engine. A caller that accepts events receives them as server-sent events, with the answer as
// the last one.
func (h *Handler) call(w http.ResponseWriter, r *http.Request, name string) {
	body, err := io.ReadAll(h.body(w, r, maxBody))
	if err != nil {
		var much *http.MaxBytesError
		if errors.As(err, &much) {
			refuse(w, http.StatusRequestEntityTooLarge, "the request is too large")
		} else if errors.Is(err, os.ErrDeadlineExceeded) {
			refuse(w, http.StatusRequestTimeout, late)
		}
		return
	}
	if !json.Valid(body) {
		refuse(w, http.StatusBadRequest, "want JSON")
		return
	}
	if strings.Contains(r.Header.Get("Accept"), "text/event-stream") {
		h.stream(w, r, name, body)
		return
	}
	switch a, err := h.engine.Call(Speaking(r.Context(), r.Header.Get("Accept-Language")), name, body, func(any) {}); a := a.(type) {
	case *File:
		if err != nil {
			fail(w, r, err)
			return
		}
		w.Header().Set("Content-Type", a.Type)
		w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": a.Name}))
		w.Write(a.Content)
	default:
		if err != nil {
			fail(w, r, err)
			return
		}
		answer(w, r, a)
	}
}

// A Fault is the answer to a call that failed.
type Fault struct {
	Error string `json:"error"`
	Field string `json:"field,omitempty"` // the field of a form that it is about
}

func fail(w http.ResponseWriter, r *http.Request, err error) {
	w.Header().Set("Content-Type", "application/json")
	switch {
	case errors.Is(err, ErrNoCall):
		w.WriteHeader(http.StatusNotFound)
	default:
		w.WriteHeader(http.StatusUnprocessableEntity)
	}
	json.NewEncoder(w).Encode(Fault{Told(r.Header.Get("Accept-Language"), err), FieldOf(err)})
}

func answer(w http.ResponseWriter, r *http.Request, a any) {
	text, err := json.Marshal(a)
	if err != nil {
		fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(text)
}

// stream answers with events: any number called event, then one called answer or error.
func (h *Handler) stream(w http.ResponseWriter, r *http.Request, name string, body []byte) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(kind string, what any) {
		text, err := json.Marshal(what)
		if err != nil {
			kind, text = "error", []byte(`{"error":"an answer could not be written"}`)
		}
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, text) // text is JSON without line ends
		http.NewResponseController(w).Flush()
	}
	a, err := h.engine.Call(Speaking(r.Context(), r.Header.Get("Accept-Language")), name, body, func(e any) { send("event", e) })
	if err != nil {
		send("error", Fault{Told(r.Header.Get("Accept-Language"), err), FieldOf(err)})
		return
	}
	send("answer", a)
}

// stay keeps a request open for as long as the page is open, so that the server knows when it has gone.
func (h *Handler) stay(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(w, ": here\n\n")
	http.NewResponseController(w).Flush()
	h.count(1)
	<-r.Context().Done()
	h.count(-1)
}

func (h *Handler) count(n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.alive += n
	if h.left != nil && (h.alive == 0 || n > 0) {
		h.left(n > 0)
	}
}
