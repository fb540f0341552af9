// Package page is the window of hitoku open: a handler for one user of one machine, and the page that it
// serves. The page consists of plain modules, styles and SVG, all embedded, and loads nothing from elsewhere.
//
// The package computes nothing. The page asks an Engine by calls, each a name and a JSON text, over HTTP or, if
// the engine is compiled to WebAssembly, through a worker; both answer alike. Long calls report their progress
// by events.
//
// The handler answers only callers that use a loopback name (which keeps out a page of another site whose name
// resolves to this machine), that come from its own page (Origin), and that know a random token. The page has
// the token from the fragment of its address, so that it is in no request line and no log. Browsers cache no
// answer, and values are only in bodies, never in an address.
package page

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/i18n/catalogue"
)

//go:embed assets
var embedded embed.FS

// Asset returns a file of the page, such as index.html. The file of words begins with the words in all
// languages, the style with its tokens.
func Asset(name string) ([]byte, error) {
	text, err := fs.ReadFile(embedded, "assets/"+name)
	if err == nil && name == "style.css" {
		tokens, err := Asset("tokens.css")
		return append(tokens, text...), err
	}
	if err != nil || name != "words.js" {
		return text, err
	}
	said := map[string]map[string]string{}
	for _, tag := range catalogue.Languages() {
		part, err := catalogue.Of(tag, "page")
		if err != nil {
			return nil, err
		}
		said[tag] = map[string]string{}
		for _, word := range part.Names("") {
			said[tag][word] = part.Say(word)
		}
	}
	words, err := json.Marshal(said)
	return slices.Concat([]byte("const words = "), words, []byte(";\n"), text), err
}

// An Engine answers the calls of a page. Its methods may be called from several goroutines.
type Engine interface {
	// Call answers one call. body is JSON; the answer is marshalled as JSON unless it is a *File. Until Call
	// returns, emit may be called to send events, from one goroutine at a time. The error is shown to the user;
	// it is ErrNoCall for an unknown name. ctx ends when the caller is gone.
	Call(ctx context.Context, name string, body []byte, emit func(event any)) (any, error)
	// Upload takes a file of the user and returns the name by which calls refer to it.
	Upload(name string, content io.Reader) (id string, err error)
}

// ErrNoCall is returned for a call whose name an engine does not know.
var ErrNoCall = i18n.New("no such call")

// A File is an answer that the user saves.
type File struct {
	Name    string
	Type    string // media type
	Content []byte
}

// Told returns the text of an error in the language of a page; languages is what the browser asks for: "ja",
// "ja-JP,en;q=0.5".
func Told(languages string, err error) string {
	l := languageOf(languages)
	var own interface {
		Told(l *i18n.Language) string
	}
	if errors.As(err, &own) {
		return own.Told(l)
	}
	return l.Say(err)
}

func languageOf(languages string) *i18n.Language {
	tag, _, _ := strings.Cut(languages, ",")
	tag, _, _ = strings.Cut(tag, "-")
	if l, err := catalogue.For(tag); err == nil {
		return l
	}
	return i18n.English
}

type spoken struct{}

// Speaking returns a context that says in which language, given as for Told, a call is answered.
func Speaking(ctx context.Context, languages string) context.Context {
	return context.WithValue(ctx, spoken{}, languageOf(languages))
}

// Language returns the language in which a call is answered, English if nothing says so.
func Language(ctx context.Context) *i18n.Language {
	if l, ok := ctx.Value(spoken{}).(*i18n.Language); ok {
		return l
	}
	return i18n.English
}

// FieldOf returns the field of a form that an error is about, "" if it does not tell.
func FieldOf(err error) string {
	var at interface{ AtField() string }
	if errors.As(err, &at) {
		return at.AtField()
	}
	return ""
}
