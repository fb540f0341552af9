// Package catalogue has the texts of the program: messages, pages of reports, help and the words of the page of
// hitoku open.
//
// Each language is a folder of files with pairs of an identifier and a text. The identifier is the English text
// itself, a format of package fmt as it is in the code; in the text {2} stands for its second argument.
// labels.toml has headings and names of figures. In some parts of the program the texts have identifiers of
// their own, and English has a file like other languages: en/PART.toml.
package catalogue

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"github.com/hitoku/hitoku/internal/i18n"
)

//go:embed en ja
var embedded embed.FS

// parts are the files that are read only when their part of the program first says something. What fields of
// policies do is needed by the page, which reads it whenever it begins, and by help.
var parts = map[string][]string{"fields": {"fields"}, "help": {"help", "fields"}, "page": {"page"}, "report": {"report"}}

var languages, parted sync.Map // tag → func() (*i18n.Language, error); folder and part → func() (*Part, error)

// For returns the language with a tag; it is English if there is no catalogue for the tag.
func For(tag string) (*i18n.Language, error) {
	if !slices.Contains(Languages()[1:], tag) {
		return i18n.English, nil
	}
	once, _ := languages.LoadOrStore(tag, sync.OnceValues(func() (*i18n.Language, error) { return read(embedded, tag) }))
	return once.(func() (*i18n.Language, error))()
}

// read reads the pairs of all files of a folder except those of parts.
func read(files fs.FS, folder string) (*i18n.Language, error) {
	entries, err := fs.ReadDir(files, folder)
	if err != nil {
		return nil, err
	}
	says, words := map[string]string{}, map[string]string{}
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".toml")
		to := says
		switch {
		case parts[name] != nil:
			continue
		case name == "labels":
			to = words
		}
		if err := decode(files, folder+"/"+name, to); err != nil {
			return nil, err
		}
	}
	return newLanguage(folder, says, words)
}

// decode adds the pairs of a file. The name of a pair in a table is prefixed with that of the table and a dot;
// that of an item of a list is its number.
func decode(files fs.FS, file string, to map[string]string) error {
	var tree map[string]any
	if _, err := toml.DecodeFS(files, file+".toml", &tree); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	var add func(name string, v any) error
	add = func(name string, v any) (err error) {
		switch v := v.(type) {
		case map[string]any:
			for key, of := range v {
				if name != "" {
					key = name + "." + key
				}
				if err = add(key, of); err != nil {
					return err
				}
			}
		case []any:
			for k, of := range v {
				if err = add(name+"."+strconv.Itoa(k), of); err != nil {
					return err
				}
			}
		case string:
			if _, twice := to[name]; twice {
				return fmt.Errorf("%s: %q twice", file, name)
			}
			to[name] = v
		default:
			return fmt.Errorf("%s: %q is no text", file, name)
		}
		return nil
	}
	return add("", tree)
}

// A book is the catalogue of a language.
type book struct {
	says   map[string]string // texts by identifier
	labels map[string]string
}

func newLanguage(tag string, says, words map[string]string) (*i18n.Language, error) {
	b := &book{says: map[string]string{}, labels: map[string]string{}}
	for format, text := range says {
		id := i18n.Identifier(format)
		if _, twice := b.says[id]; twice {
			return nil, fmt.Errorf("language %s: %q twice", tag, format)
		}
		b.says[id] = text
	}
	// Labels are also words of messages, unless the messages have other texts for them.
	messages := maps.Clone(b.says)
	for format, text := range words {
		b.labels[strings.ReplaceAll(format, "%%", "%")] = text
		id := i18n.Identifier(format)
		if _, said := messages[id]; said {
			continue
		}
		if _, twice := b.says[id]; twice {
			return nil, fmt.Errorf("language %s: label %q twice", tag, format)
		}
		b.says[id] = text
	}
	return &i18n.Language{Tag: tag, Catalogue: b, Comma: "、", Last: map[string]string{"and": "、", "or": "、"}}, nil
}

func (b *book) Message(id string) (string, bool) {
	says, ok := b.says[id]
	return says, ok
}

func (b *book) Label(english string) (string, bool) {
	says, ok := b.labels[english]
	return says, ok
}

// Languages returns the tags of all languages, English first.
func Languages() []string {
	entries, err := fs.ReadDir(embedded, ".")
	if err != nil {
		panic(err) // a programming error
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	english := slices.Index(all, i18n.English.Tag)
	return slices.Insert(slices.Delete(all, english, english+1), 0, i18n.English.Tag)
}
