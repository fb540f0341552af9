package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/i18n/catalogue"
	"github.com/hitoku/hitoku/internal/release"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/protect"
)

// Every sentence of help and manual, and every page of help, is there in Japanese, with the same word for the value of a flag, and the
// catalogue has no others.
func TestJapaneseHelp(t *testing.T) {
	texts := flags.Texts(newRoot(nil))
	fields := must.Get(catalogue.Of("ja", "fields"))(t)
	for _, o := range slices.Concat(new(protect.Policy).Fields(), new(release.Policy).Fields(), new(release.Column).Fields()) { // which the page says
		texts = append(texts, o.Text)
		if fields.Say(o.Text) == o.Text {
			t.Errorf("not in fields.toml: %.200q", o.Text)
		}
	}
	help := must.Get(catalogue.Of("ja", "help"))(t)
	prose, value := regexp.MustCompile(`[a-z]{2,} [a-z]`), regexp.MustCompile("`[^`]*`")
	said := 0
	for _, text := range texts {
		if !prose.MatchString(text) || strings.HasPrefix(text, "  hitoku ") || strings.Contains(text, "autocompletion") { // examples, and texts of cobra
			continue
		}
		ja := help.Say(text)
		if ja == text {
			t.Errorf("not in Japanese: %.200q", text)
			continue
		}
		if said++; value.FindString(ja) != value.FindString(text) {
			t.Errorf("%.100q has %s, in Japanese %s", text, value.FindString(text), value.FindString(ja))
		}
	}
	if said < 500 {
		t.Errorf("%d texts", said)
	}
	topics := help.Names("topic.")
	for _, topic := range topics {
		if strings.IndexFunc(help.Say("topic."+topic), func(r rune) bool { return unicode.Is(unicode.Hiragana, r) }) < 0 {
			t.Errorf("help %s is not in Japanese", topic)
		}
	}
	for _, name := range help.Own() {
		if topic, ok := strings.CutPrefix(name, "topic."); !slices.Contains(texts, name) && !(ok && slices.Contains(topics, topic)) {
			t.Errorf("no help says %.100q", name)
		}
	}
}
