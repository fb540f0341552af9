package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/i18n/catalogue"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/interval"
)

// said are the words of a kind of page.
func said(t *testing.T, lang, kind string) words {
	t.Helper()
	return must.Get(wordsOf(lang, kind))(t)
}

// literals are the texts in the Go files of a folder and those below it, and the keys and values that tags of fields have.
func literals(t *testing.T, root string) map[string]bool {
	all := map[string]bool{}
	must.Do(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "contrib"):
			return fs.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		ast.Inspect(f, func(n ast.Node) bool {
			if x, ok := n.(*ast.BasicLit); ok && x.Kind == token.STRING {
				s, _ := strconv.Unquote(x.Value)
				all[s] = true
				for _, key := range []string{"json", "enum"} {
					for word := range strings.SplitSeq(reflect.StructTag(s).Get(key), ",") {
						all[word] = true
					}
				}
			}
			return true
		})
		return err
	}))
	return all
}

// The pages have every text that their templates ask for, say every text that they have, and explain every metric and model in full.
func TestWords(t *testing.T) {
	own, all := literals(t, "."), literals(t, "../..")
	for _, v := range []interval.Verdict{interval.Protected, interval.Unprotected, interval.Unsettled, interval.Nothing} {
		own[string(v)] = true
	}
	asked := regexp.MustCompile(`\.T "(\w+)"`)
	for file, kind := range map[string]string{"protection.html": "protection", "risk.html": "risk", "altered.html": "altered", "bench.html": "bench", "compare.html": "compare", "lp.html": "lp", "experiment.html": "experiment", "job.html": "job", "release.html": "release", "migration.html": "migration"} {
		src := must.Get(files.ReadFile(file))(t)
		for _, m := range asked.FindAllStringSubmatch(string(src), -1) {
			own[m[1]] = true
			if said(t, "en", kind).T(m[1]) == "" {
				t.Errorf("%s: no text %q", file, m[1])
			}
		}
	}
	for v, s := range riskSigns {
		for _, prefix := range []string{"", "one"} {
			if said(t, "en", "risk").T(prefix+s.word) == "" {
				t.Errorf("no text %q of %v", prefix+s.word, v)
			}
		}
	}
	metrics := map[string]bool{}
	for _, lang := range catalogue.Languages() {
		w := said(t, lang, "risk")
		for metric, m := range riskMetrics {
			metrics[metric] = true
			if x := w.measure(metric); x.Title == "" || x.What == "" || x.Formula == "" || x.Source == "" || x.Attacker == "" || len(x.Not) == 0 {
				t.Errorf("%s: %s is not explained in full", lang, metric)
			}
			for _, model := range m.models {
				metrics[metric+"."+model] = true
				if x := w.measure(metric + "." + model); x.Title == "" || x.What == "" || len(x.Not) == 0 {
					t.Errorf("%s: model %s of %s is not explained in full", lang, model, metric)
				}
			}
			for _, key := range m.main {
				if w.T("f."+key) == "" {
					t.Errorf("%s: no name of %s", lang, key)
				}
			}
		}
	}
	part := regexp.MustCompile(`\.(title|what|formula|source|attacker|not\.\d+)$`)
	// A text is said by its key, or by what stands in this package and a word of a document behind it.
	says := func(key string) bool {
		for at := 1; at < len(key); at++ {
			if before := key[:at]; (own[before] || strings.Contains(before, ".")) && all[key[at:]] {
				return true
			}
		}
		return own[key]
	}
	for _, name := range said(t, "en", "risk").texts.Names("") {
		kind, key, _ := strings.Cut(name, ".")
		if kind == "measures" {
			if !metrics[part.ReplaceAllString(key, "")] {
				t.Errorf("%s, which is of no metric", name)
			}
		} else if !says(key) {
			t.Errorf("no page says %s", name)
		}
	}
}
