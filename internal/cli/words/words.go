// Package words is where the command looks up what people read: an English text is the key, and a catalogue of another
// language (help/LANGUAGE.toml) has what is said instead. What a catalogue lacks is said in English. Nothing
// that programs read goes through here.
//
// Texts of help (Short, Long and Example of verbs, Text, More and Else of flags, titles) stand as English data where a verb or a
// flag is declared; help and manual look them up while they print. Pages of help stand in help/LANGUAGE. flags.Texts lists all that
// is looked up so.
package words

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/BurntSushi/toml"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/i18n/catalogue"
)

//go:embed help
var embedded embed.FS

// files holds help/LANGUAGE.toml, catalogues, and help/LANGUAGE/TOPIC.txt, pages.
var files fs.FS = embedded

// A translation is what is said in one language.
type translation struct {
	language string
	texts    map[string]string
	messages *i18n.Language
}

// now is the translation in use; nil: English.
var now atomic.Pointer[translation]

// Choose takes the first of languages, tags like ja_JP.UTF-8, that there is a catalogue of; English if there is none, or before one comes C, POSIX or
// a tag of English.
func Choose(languages ...string) error {
	now.Store(nil)
	for _, tag := range languages {
		language, _, _ := strings.Cut(strings.ToLower(tag), "_")
		language, _, _ = strings.Cut(language, "-")
		language, _, _ = strings.Cut(language, ".")
		if slices.Contains([]string{"en", "c", "posix"}, language) {
			return nil
		}
		text, err := fs.ReadFile(files, "help/"+language+".toml")
		if err != nil {
			continue
		}
		texts, err := read(language, string(text))
		if err != nil {
			return err
		}
		if texts.messages, err = catalogue.For(language); err != nil {
			return err
		}
		now.Store(texts)
		return nil
	}
	return nil
}

// Languages are the tags of those that there are texts in.
func Languages() []string {
	all := []string{"en"}
	found, err := fs.Glob(files, "help/*.toml")
	if err != nil {
		panic(err) // a mistake of this program
	}
	for _, f := range found {
		all = append(all, strings.TrimSuffix(path.Base(f), ".toml"))
	}
	return all
}

// read reads a catalogue: a list of texts, each with the key en and the key of the language.
func read(language, text string) (*translation, error) {
	var file struct{ Text []map[string]string }
	if _, err := toml.Decode(text, &file); err != nil {
		return nil, i18n.Errorf("catalogue %s: %w", language, err)
	}
	c := &translation{language: language, texts: map[string]string{}}
	for _, t := range file.Text {
		c.texts[t["en"]] = t[language]
	}
	return c, nil
}

// Language is that in use, a tag like en or ja.
func Language() string {
	if c := now.Load(); c != nil {
		return c.language
	}
	return "en"
}

// Text returns an English text in the language in use.
func Text(english string) string {
	if c := now.Load(); c != nil {
		if text := c.texts[english]; text != "" {
			return text
		}
	}
	return english
}

// Speaks is the language in use, for messages.
func Speaks() *i18n.Language {
	if c := now.Load(); c != nil {
		return c.messages
	}
	return i18n.English
}

// F formats its arguments by a format in the language in use, which may name them in another order: %[2]s.
func F(format string, args ...any) string { return fmt.Sprintf(Text(format), args...) }

// Topics are the names of all pages of help, in the order of the alphabet.
func Topics() []string {
	var names []string
	pages, err := fs.ReadDir(files, "help/en")
	if err != nil {
		panic(err) // a mistake of this program
	}
	for _, f := range pages {
		names = append(names, strings.TrimSuffix(f.Name(), ".txt"))
	}
	return names
}

// Page returns a page of help: its first line is the title, indented lines stand as they are, others are to be
// filled, and a line FLAGS or the like asks for what the command knows of itself.
func Page(topic string) string {
	for _, language := range []string{Language(), "en"} {
		if text, err := fs.ReadFile(files, "help/"+language+"/"+topic+".txt"); err == nil {
			return string(text)
		}
	}
	return ""
}
