package report

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/i18n/catalogue"
)

// words are the texts of one kind of page in a language.
type words struct {
	texts *catalogue.Part
	kind  string
}

func wordsOf(lang, kind string) (words, error) {
	if !slices.Contains(catalogue.Languages(), lang) {
		return words{}, i18n.Errorf("report: no language %q, want en or ja", lang)
	}
	texts, err := catalogue.Of(lang, "report")
	return words{texts, kind}, err
}

// T returns a text, with arguments if it has some; "" if there is none.
func (w words) T(key string, args ...any) string {
	if len(args) > 0 {
		return w.say(key, args...)
	}
	return w.text(w.kind + "." + key)
}

// Label returns a word of a document, such as a status, in the language.
func (w words) Label(english any) string { return w.texts.Say(fmt.Sprint(english)) }

func (w words) text(name string) string {
	if !w.texts.Has(name) {
		return ""
	}
	return w.texts.Say(name)
}

// say returns a text with arguments.
func (w words) say(key string, args ...any) string { return w.texts.Say(w.kind+"."+key, args...) }

// A riskText explains a metric: what it measures, by which formula of which source, against which attacker, and
// what the figure does not say. The text of a model, called METRIC.MODEL, adds to that of the metric.
type riskText struct {
	Title, What, Formula, Source, Attacker string
	Not                                    []string
}

// measure returns the text of a metric or a model; if it has no title, there is none.
func (w words) measure(name string) riskText {
	text := func(key string) string { return w.text("measures." + name + "." + key) }
	t := riskText{Title: text("title"), What: text("what"), Formula: text("formula"), Source: text("source"), Attacker: text("attacker")}
	for k := 0; ; k++ {
		not := text("not." + strconv.Itoa(k))
		if not == "" {
			return t
		}
		t.Not = append(t.Not, not)
	}
}
