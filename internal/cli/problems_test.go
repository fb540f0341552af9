package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

// However much of an input an error repeats, each of its lines has 4 KB at most, in words and in the document.
func TestBrief(t *testing.T) {
	for _, text := range []string{"short", strings.Repeat("a", 4000), strings.Repeat("長", 1<<20), "a\n" + strings.Repeat("é", 5000) + "\nb"} {
		var words, doc bytes.Buffer
		Say(&words, errors.New(text))
		if len(text) <= 4000 && words.String() != "hitoku: "+text+"\n" {
			t.Errorf("%.20q is changed", text)
		}
		p := &Problems{}
		Say(p, errors.New(text))
		p.Print(&doc, Usage)
		for line := range strings.Lines(words.String()) {
			if len(line) > mostLine || !utf8.ValidString(line) {
				t.Errorf("a line of %d bytes: %.40q", len(line), line)
			}
		}
		if doc.Len() > 3*mostLine || !utf8.Valid(doc.Bytes()) {
			t.Errorf("a document of %d bytes", doc.Len())
		}
	}
}
