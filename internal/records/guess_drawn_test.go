package records

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// named are the names of countries and languages in a language.
func named(tag string) []string {
	in := language.MustParse(tag)
	var out []string
	regions, languages := display.Regions(in), display.Languages(in)
	for _, r := range display.Supported.Regions() {
		out = append(out, regions.Name(r))
	}
	for _, l := range display.Supported.BaseLanguages() {
		out = append(out, languages.Name(l))
	}
	return out
}

// Files of names drawn in twelve languages, with at least five letters beyond ASCII, are read as they were written: none in
// another encoding, and all but one in a thousand are read.
func TestGuessDrawn(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(36, 2))
	for _, tag := range strings.Fields("fr de es pt it nl sv da no fi is ca ja") {
		names := named(tag)
		for _, enc := range []string{CP1252, CP932, EUCJP} {
			if (tag == "ja") == (enc == CP1252) {
				continue
			}
			drawn, unsure := 0, 0
			for drawn < 500 {
				var text strings.Builder
				beyond, want := 0, 5+rng.IntN(30)
				upper := rng.IntN(3) == 0
				for lines := 0; beyond < want && lines < 2000; lines++ {
					s := names[rng.IntN(len(names))]
					if upper {
						s = strings.ToUpper(s)
					}
					if _, ok := Encode([]byte(s), enc); !ok {
						continue
					}
					for _, r := range s {
						if r >= utf8.RuneSelf {
							beyond++
						}
					}
					text.WriteString(s + []string{",x,70\n", ";12.5\r\n", "   3\n", "\t4\t5\n", "\n"}[rng.IntN(5)])
				}
				raw, ok := Encode([]byte(text.String()), enc)
				if !ok || utf8.Valid(raw) {
					continue
				}
				drawn++
				switch got, sure := Guess(raw); {
				case !sure:
					unsure++
				case got != enc:
					t.Fatalf("%q in %s is read as %s", text.String(), enc, got)
				}
			}
			if unsure > drawn/1000+1 {
				t.Errorf("%s in %s: %d of %d are not read", tag, enc, unsure, drawn)
			}
		}
	}
}

// A file in EUC-JP is refused with what to do; it was read as CP1252 or CP932.
func TestEUC(t *testing.T) {
	raw, _ := japanese.EUCJP.NewEncoder().String("地域,V\n東京,1\n大阪,2\n")
	if _, _, err := Sniff([]byte(raw), true, ""); err == nil || !strings.Contains(err.Error(), "EUC-JP") {
		t.Error(err)
	}
}
