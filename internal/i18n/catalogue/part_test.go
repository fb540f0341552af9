package catalogue

import (
	"regexp"
	"slices"
	"testing"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/test/must"
)

// TestParts asks that each text of a part is there in each language, with the same arguments, and stands in one place: neither under two
// parts nor as a message or label, too.
func TestParts(t *testing.T) {
	hole, verb := regexp.MustCompile(`\{[0-9]+\}`), regexp.MustCompile(`%(?:\[[0-9]\])?(?:\.[0-9])?[a-z]`)
	for _, tag := range Languages()[1:] {
		l := must.Get(For(tag))(t)
		homes := map[[2]string]string{} // English and what is said → part
		for part := range parts {
			if part == "fields" {
				continue // which help has, too
			}
			p := must.Get(Of(tag, part))(t)
			for name, english := range p.english {
				_, own := p.own[name]
				_, label := l.Catalogue.Label(english)
				_, message := l.Catalogue.Message(i18n.Identifier(english))
				if !own && !label && !message && !wordless(english) {
					t.Errorf("%s/%s: no %s", tag, part, name)
				}
			}
			for name, own := range p.own {
				english, named := p.english[name]
				if !named {
					english = name // so of flags and verbs: TestJapaneseHelp asks whether they say it
				}
				if !named && part != "help" {
					t.Errorf("%s/%s: no English of %s", tag, part, name)
				}
				if own == l.Label(english) && own != english {
					t.Errorf("%s/%s: %.60q is said so elsewhere, too", tag, part, name)
				}
				if at := homes[[2]string{english, own}]; at != "" && at != part {
					t.Errorf("%s: %s and %s both have %.60q, which labels.toml may have", tag, at, part, english)
				}
				homes[[2]string{english, own}] = part
				var verbs []string
				if verb.MatchString(english) {
					verbs = hole.FindAllString(holed(english), -1)
				}
				got := hole.FindAllString(own, -1)
				slices.Sort(verbs)
				slices.Sort(got)
				if !slices.Equal(slices.Compact(verbs), slices.Compact(got)) {
					t.Errorf("%s/%s: %s has %q, in English %q", tag, part, name, got, verbs)
				}
			}
		}
	}
}

// holed is an English format with holes in place of its arguments.
func holed(format string) string {
	var all []any
	for _, h := range []string{"{1}", "{2}", "{3}", "{4}", "{5}", "{6}"} {
		all = append(all, i18n.Term(h))
	}
	return i18n.T(format, all...).String()
}
