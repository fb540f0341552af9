package page

import (
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n/catalogue"
	"github.com/hitoku/hitoku/internal/release"
	_ "github.com/hitoku/hitoku/internal/test/late"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/protect"
)

// TestWords asks for every word that the page names, and names every word that there is.
func TestWords(t *testing.T) {
	part := must.Get(catalogue.Of("en", "page"))(t)
	entries := must.Get(embedded.ReadDir("assets"))(t)
	named := map[string]bool{}
	status, _ := reflect.TypeFor[document.Suppression]().FieldByName("Status")
	for s := range strings.SplitSeq(status.Tag.Get("enum"), ",") {
		named[s] = true
		if !part.Has(s) {
			t.Errorf("no word for the status %s", s)
		}
	}
	for _, v := range []document.Verdict{document.Protected, document.Unprotected, document.Unsettled, document.Nothing} {
		named[string(v)] = true
		if !part.Has(string(v)) {
			t.Errorf("no word for the verdict %s", v)
		}
	}
	column := new(release.Column).Fields()
	for _, o := range slices.Concat(column, new(release.Policy).Fields()) {
		named["p_"+o.Name] = true
		if !part.Has("p_" + o.Name) {
			t.Errorf("no word for the field %s", o.Name)
		}
	}
	for _, r := range release.Roles {
		named["v_"+string(r)] = true
	}
	for _, o := range append(new(protect.Policy).Fields(), column...) {
		for _, v := range append(slices.Clone(o.From), o.Offer...) {
			named["v_"+v] = true
		}
	}
	literal, key := regexp.MustCompile(`"([^"\n]*)"`), regexp.MustCompile(`\b(\w+):`)
	asked := regexp.MustCompile(`\bt\("([^"]*)"\)|\bt\([^()"]*\? "([^"]*)" : "([^"]*)"\)`)
	for _, e := range entries {
		if path.Ext(e.Name()) != ".js" {
			continue
		}
		text := must.Get(Asset(e.Name()))(t)
		if _, after, ok := strings.Cut(string(text), "};\n"); ok && e.Name() == "words.js" {
			text = []byte(after)
		}
		for _, of := range []*regexp.Regexp{literal, key} {
			for _, m := range of.FindAllSubmatch(text, -1) {
				named[string(m[1])] = true
			}
		}
		for _, m := range asked.FindAllSubmatch(text, -1) {
			for _, word := range m[1:] {
				if len(word) > 0 && string(word) != "–" && !part.Has(string(word)) {
					t.Errorf("%s: no word %q", e.Name(), word)
				}
			}
		}
	}
	for _, name := range part.Names("") {
		before, after, found := strings.Cut(name, "_")
		if !named[name] && !(found && named[before+"_"] && named[after]) {
			t.Errorf("the page says no %s", name)
		}
	}
}
