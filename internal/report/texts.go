package report

import (
	"sync"

	"github.com/BurntSushi/toml"
)

// A texts is what the pages say in a language, read from texts/LANGUAGE.toml when a page is first written.
type texts struct {
	Protection, Altered, Noise, Risk map[string]string
	Measures                         map[string]riskText
}

// A riskText explains a metric: what is measured, by which formula of which source,
// against whom, and what the figure does not say. The text of a model, called
// METRIC.MODEL, adds to that of the metric.
type riskText struct {
	Title, What, Formula, Source, Attacker string
	Not                                    []string
}

var languages = map[string]func() *texts{"en": sync.OnceValue(func() *texts { return readTexts("en") }), "ja": sync.OnceValue(func() *texts { return readTexts("ja") })}

// textsOf returns the texts of a language; those of one that there is not are empty.
func textsOf(lang string) *texts {
	if read := languages[lang]; read != nil {
		return read()
	}
	return &texts{}
}

func readTexts(lang string) *texts {
	t := &texts{}
	if _, err := toml.DecodeFS(files, "texts/"+lang+".toml", t); err != nil {
		panic(err) // a file that is embedded
	}
	return t
}
