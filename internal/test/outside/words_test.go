package outside_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/filetest"
)

// coined are words that the project once made up for what has a name in the field
// (docs/glossary.md), alone or at the ends of identifiers.
var coined = regexp.MustCompile(`\b(?:[Ll]anes?|[Cc]alm|[Ll]ore|[Ss]hel(?:f|ves)|[Hh]unts?|[Kk]illers?|[Hh]alvers?|[Oo]utdo|[Hh]asty)(?:\b|[A-Z_])|[a-z0-9](?:Lanes?|Calm|Lore|Shelf|Hunt|Killers?|Halver|Outdo|Hasty)\b`)

// TestFieldTerms asks that neither code nor pages use them.
func TestFieldTerms(t *testing.T) {
	t.Parallel()
	filetest.Walk(t, os.DirFS("../../.."), func(file, text string) {
		if file == "internal/test/outside/words_test.go" {
			return
		}
		for n, line := range strings.Split(text, "\n") {
			if w := coined.FindString(line); w != "" {
				t.Errorf("%s:%d: %q: say it with the word of docs/glossary.md", file, n+1, w)
			}
		}
	}, ".go", ".md")
}
