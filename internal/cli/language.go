package cli

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/i18n/catalogue"
)

var spoken atomic.Pointer[i18n.Language]

// Speaks returns the language of messages and help.
func Speaks() *i18n.Language {
	if l := spoken.Load(); l != nil {
		return l
	}
	return i18n.English
}

// Speak chooses the first of languages, tags like ja_JP.UTF-8, for which there is a catalogue. It chooses English if
// there is none, or if C or POSIX comes before.
func Speak(languages ...string) error {
	spoken.Store(nil)
	for _, tag := range languages {
		tag = strings.ToLower(tag)
		if end := strings.IndexAny(tag, "_-."); end >= 0 {
			tag = tag[:end]
		}
		if tag == "c" || tag == "posix" {
			return nil
		}
		if slices.Contains(catalogue.Languages(), tag) {
			l, err := catalogue.For(tag)
			spoken.Store(l)
			return err
		}
	}
	return nil
}
