// Package catalogue has what the program says in other languages than English.
package catalogue

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/message/catalog"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Of each language a folder of files with pairs: a format as it stands in the code, and what is said instead, where {2} is the second
// argument. labels.toml has headings and names of figures.
//
//go:embed ja
var embedded embed.FS

var languages sync.Map // tag → func() (*i18n.Language, error)

// For is a language by its tag, English where there is no catalogue of it.
func For(tag string) (*i18n.Language, error) {
	if tag == "" || tag == i18n.English.Tag || !fs.ValidPath(tag) {
		return i18n.English, nil
	}
	once, _ := languages.LoadOrStore(tag, sync.OnceValues(func() (*i18n.Language, error) { return read(embedded, tag) }))
	return once.(func() (*i18n.Language, error))()
}

// read takes the pairs of all files of a folder.
func read(files fs.FS, folder string) (*i18n.Language, error) {
	entries, err := fs.ReadDir(files, folder)
	if err != nil {
		return i18n.English, nil // a language without a catalogue
	}
	says, labels, words := map[string]string{}, map[string]string{}, map[string]string{}
	for _, e := range entries {
		text, err := fs.ReadFile(files, folder+"/"+e.Name())
		if err != nil {
			return nil, err
		}
		to := says
		if e.Name() == "labels.toml" {
			to = words
		}
		if _, err := toml.Decode(string(text), &to); err != nil {
			return nil, fmt.Errorf("%s/%s: %w", folder, e.Name(), err)
		}
	}
	// Labels are words that messages use, too, unless they say something else there.
	ids := map[string]bool{}
	for format := range says {
		id, _, _ := i18n.Identifier(format)
		ids[id] = true
	}
	for format, text := range words {
		labels[strings.ReplaceAll(format, "%%", "%")] = text
		if id, _, _ := i18n.Identifier(format); !ids[id] {
			says[format] = text
		}
	}
	return newLanguage(folder, says, labels)
}

// A book is the catalogue of a language.
type book struct {
	printer *message.Printer
	known   map[string]bool // the messages that it has, by identifier
	labels  map[string]string
}

func newLanguage(tag string, says, labels map[string]string) (*i18n.Language, error) {
	to, err := language.Parse(tag)
	if err != nil {
		return nil, fmt.Errorf("language %q: %w", tag, err)
	}
	known := map[string]bool{}
	b := catalog.NewBuilder(catalog.Fallback(language.English))
	for format, text := range says {
		id, args, fields := i18n.Identifier(format)
		if known[id] {
			return nil, fmt.Errorf("language %s: %q twice", tag, format)
		}
		known[id] = true
		if err := b.SetString(to, id, holes(text, args, fields)); err != nil {
			return nil, fmt.Errorf("language %s: %q: %w", tag, format, err)
		}
	}
	return &i18n.Language{
		Tag: tag, Catalogue: &book{message.NewPrinter(to, message.Catalog(b)), known, labels},
		Comma: "、", Last: map[string]string{"and": "、", "or": "、"},
	}, nil
}

// holes makes a text a format of package message.
func holes(text string, args int, fields []string) string {
	pairs := []string{"%", "%%"}
	for n := range args {
		pairs = append(pairs, fmt.Sprintf("{%d}", n+1), fmt.Sprintf("%%[%d]s", n+1))
	}
	for n, f := range fields {
		pairs = append(pairs, f, fmt.Sprintf("%%[%d]s", args+n+1))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

func (b *book) Message(id string, args ...any) (string, bool) {
	if !b.known[id] {
		return "", false
	}
	return b.printer.Sprintf(id, args...), true
}

func (b *book) Label(english string) (string, bool) {
	says, ok := b.labels[english]
	return says, ok
}

// Languages are the tags of all, English first.
func Languages() []string {
	all := []string{i18n.English.Tag}
	entries, err := fs.ReadDir(embedded, ".")
	if err != nil {
		panic(err) // a mistake of this program
	}
	for _, e := range entries {
		all = append(all, strings.TrimSuffix(e.Name(), "/"))
	}
	slices.Sort(all[1:])
	return all
}
