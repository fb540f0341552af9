// Package page is the window of hitoku open: a handler for one user of one machine, and the page it serves, plain
// modules, styles and SVG that are embedded and load nothing from elsewhere.
//
// The package computes nothing. The page asks an Engine in calls of a name and a JSON text, over HTTP or, where the
// engine is compiled to WebAssembly, through a worker; both answer alike. What takes long tells of itself in events.
//
// Who may ask: the handler answers only those who call it by a loopback name (a page of another site that has its name
// resolved to this machine does not), who come from its own page (Origin), and who know a random token, which the page
// has from the fragment of its address and which therefore stands in no request line and no log. No answer is kept
// by the browser, and values stand in bodies alone, never in an address.
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

// Asset is a file of the page, as index.html. That of words has them before it, in all languages, and the style its tokens.
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
	// Call answers one call. body is JSON, the answer is marshalled as JSON unless it is a *File. emit, which
	// may be called from one goroutine at a time until Call returns, tells of events before. The error is shown to the user;
	// what the engine does not know by this name is ErrNoCall. Where ctx ends, the caller is gone.
	Call(ctx context.Context, name string, body []byte, emit func(event any)) (any, error)
	// Upload takes a file of the user's and returns what calls name it by.
	Upload(name string, content io.Reader) (id string, err error)
}

// ErrNoCall is returned for the name of a call that an engine does not know.
var ErrNoCall = i18n.New("no such call")

// A File is an answer that the user saves.
type File struct {
	Name    string
	Type    string // of media
	Content []byte
}

// Told is an error in the language of a page, which asks for it as a browser does: "ja", "ja-JP,en;q=0.5".
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

// Speaking says in what language, of those of Told, a call is answered.
func Speaking(ctx context.Context, languages string) context.Context {
	return context.WithValue(ctx, spoken{}, languageOf(languages))
}

// Language is that in which a call is answered, English if nobody says.
func Language(ctx context.Context) *i18n.Language {
	if l, ok := ctx.Value(spoken{}).(*i18n.Language); ok {
		return l
	}
	return i18n.English
}

// FieldOf is the field of a form that an error is about, "" if it tells none.
func FieldOf(err error) string {
	var at interface{ AtField() string }
	if errors.As(err, &at) {
		return at.AtField()
	}
	return ""
}
