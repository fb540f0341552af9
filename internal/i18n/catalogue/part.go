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

// A Part has the texts of one part of the program in a language, by name. A name without an English text is
// itself the English text. If the language has no text for a name, the English text is said as elsewhere in
// that language.
type Part struct {
	language func() *i18n.Language
	english  map[string]string // English texts by name
	own      map[string]string // texts of the language by name
}

// Of returns a part of the program in a language; it is English if there is no catalogue for the tag.
func Of(tag, part string) (*Part, error) {
	once, _ := parted.LoadOrStore(tag+"/"+part, sync.OnceValues(func() (*Part, error) { return readPart(embedded, tag, part) }))
	return once.(func() (*Part, error))()
}

func readPart(files fs.FS, tag, part string) (*Part, error) {
	p := &Part{language: func() *i18n.Language { return i18n.English }, english: map[string]string{}, own: map[string]string{}}
	for _, file := range parts[part] {
		// There need be no English file, as all texts may be their own names.
		if err := decode(files, i18n.English.Tag+"/"+file, p.english); err != nil && !errors.Is(err, fs.ErrNotExist) {
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
	p.language = func() *i18n.Language { // read only when a text is missing from the part
		l, err := For(tag)
		if err != nil {
			panic(err) // a programming error
		}
		return l
	}
	return p, nil
}

// Names returns, sorted and without the prefix, the names of texts that begin with a prefix. Texts that are
// their own names are not included.
func (p *Part) Names(prefix string) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(p.english)) {
		if name, ok := strings.CutPrefix(name, prefix); ok {
			names = append(names, name)
		}
	}
	return names
}

// Own returns, sorted, the names of the texts that the language itself has.
func (p *Part) Own() []string { return slices.Sorted(maps.Keys(p.own)) }

// Has reports whether a name has a text other than itself.
func (p *Part) Has(name string) bool { return p.english[name] != "" }

// Say returns the text of a name; with arguments it is a format of package fmt.
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
