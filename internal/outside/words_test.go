package outside_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// coined are words that the project once made up for what has a name in the field
// (docs/glossary.md), alone or at the ends of identifiers.
var coined = regexp.MustCompile(`\b(?:[Ll]anes?|[Cc]alm|[Ll]ore|[Ss]hel(?:f|ves)|[Hh]unts?|[Kk]illers?|[Hh]alvers?|[Oo]utdo|[Hh]asty)(?:\b|[A-Z_])|[a-z0-9](?:Lanes?|Calm|Lore|Shelf|Hunt|Killers?|Halver|Outdo|Hasty)\b`)

// TestFieldTerms asks that neither code nor pages use them.
func TestFieldTerms(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../..")
	err := fs.WalkDir(root, ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir() || file == "internal/outside/words_test.go" || path.Ext(file) != ".go" && path.Ext(file) != ".md":
			return nil
		}
		text, err := fs.ReadFile(root, file)
		for n, line := range strings.Split(string(text), "\n") {
			if w := coined.FindString(line); w != "" {
				t.Errorf("%s:%d: %q: say it with the word of docs/glossary.md", file, n+1, w)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
