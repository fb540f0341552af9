package main

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/words"
)

// Every sentence of help and manual, and every page of help, is there in Japanese, with the same word for the value of a flag.
func TestJapaneseHelp(t *testing.T) {
	texts := flags.Texts(newRoot(nil))
	t.Cleanup(func() { words.Choose() })
	if err := words.Choose("ja"); err != nil {
		t.Fatal(err)
	}
	prose, value := regexp.MustCompile(`[a-z]{2,} [a-z]`), regexp.MustCompile("`[^`]*`")
	said := 0
	for _, text := range texts {
		if !prose.MatchString(text) || strings.HasPrefix(text, "  hitoku ") || strings.Contains(text, "autocompletion") { // examples, and texts of cobra
			continue
		}
		ja := words.Text(text)
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
	for _, topic := range words.Topics() {
		if strings.IndexFunc(words.Page(topic), func(r rune) bool { return unicode.Is(unicode.Hiragana, r) }) < 0 {
			t.Errorf("help %s is not in Japanese", topic)
		}
	}
}
