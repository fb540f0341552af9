package catalogue

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/hitoku/hitoku/internal/i18n"
)

// A Part is what one part of the program says in a language, by names. What a name has no English of is English itself, and what a
// language has no text of under a name is said as the language says the English elsewhere.
type Part struct {
	language func() *i18n.Language
	english  map[string]string // by name
	own      map[string]string // of the language, by name
}

// Of is a part of the program in a language, English where there is no catalogue of it.
func Of(tag, part string) (*Part, error) {
	once, _ := parted.LoadOrStore(tag+"/"+part, sync.OnceValues(func() (*Part, error) { return readPart(embedded, tag, part) }))
	return once.(func() (*Part, error))()
}

func readPart(files fs.FS, tag, part string) (*Part, error) {
	p := &Part{language: func() *i18n.Language { return i18n.English }, english: map[string]string{}, own: map[string]string{}}
	for _, file := range parts[part] {
		if err := decode(files, i18n.English.Tag+"/"+file, p.english); err != nil && !errors.Is(err, fs.ErrNotExist) { // texts may all be their own names
			return nil, err
		}
	}
	if !slices.Contains(Languages()[1:], tag) {
		return p, nil
	}
	for _, file := range parts[part] {
		if err := decode(files, tag+"/"+file, p.own); err != nil {
			return nil, err
		}
	}
	p.language = func() *i18n.Language { // read when it is first asked for what the part has not
		l, err := For(tag)
		if err != nil {
			panic(err) // a mistake of this program
		}
		return l
	}
	return p, nil
}

// Names are those of the texts that begin with a prefix, in the order of the alphabet, without it. Texts that are their own names are
// not among them.
func (p *Part) Names(prefix string) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(p.english)) {
		if name, ok := strings.CutPrefix(name, prefix); ok {
			names = append(names, name)
		}
	}
	return names
}

// Own are the names of the texts that the language has of its own, in the order of the alphabet.
func (p *Part) Own() []string { return slices.Sorted(maps.Keys(p.own)) }

// Has reports whether there is a text under a name that is not the text itself.
func (p *Part) Has(name string) bool { return p.english[name] != "" }

// Say is the text under a name; with arguments it is a format of package fmt.
func (p *Part) Say(name string, args ...any) string {
	english, named := p.english[name]
	if !named {
		english = name
	}
	own, known := p.own[name]
	switch {
	case len(args) > 0:
		return p.language().Say(i18n.T(english, args...).As(own))
	case known:
		return own
	}
	if l := p.language(); l != i18n.English {
		return l.Label(english)
	}
	return english
}
