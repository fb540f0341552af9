package outside_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

// TestRegexps compiles every regular expression that a run compiles at its first use alone, where a mistake would be
// met by a user, and refuses those of packages that every run would compile at its start.
func TestRegexps(t *testing.T) {
	list := must.Get(exec.Command("go", "list", "-f", `{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}`, "../../../...").Output())(t)
	found := 0
	for _, file := range strings.Fields(string(list)) {
		tree := must.Get(parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution))(t)
		for _, d := range tree.Decls {
			vars, ok := d.(*ast.GenDecl)
			for k := 0; ok && k < len(vars.Specs) && tree.Name.Name != "main"; k++ {
				spec, _ := vars.Specs[k].(*ast.ValueSpec)
				for v := 0; spec != nil && v < len(spec.Values); v++ {
					call, _ := spec.Values[v].(*ast.CallExpr)
					if call == nil {
						continue
					}
					if name, ok := call.Fun.(*ast.SelectorExpr); ok && name.Sel.Name == "MustCompile" {
						t.Errorf("%s: %s is compiled whenever the program starts, want lazy.Regexp", file, spec.Names[v].Name)
					}
				}
			}
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || name.Sel.Name != "Regexp" {
				return true
			}
			if of, ok := name.X.(*ast.Ident); !ok || of.Name != "lazy" {
				return true
			}
			text, ok := call.Args[0].(*ast.BasicLit)
			if !ok {
				t.Errorf("%s: lazy.Regexp of what is no literal", file)
				return true
			}
			s, err := strconv.Unquote(text.Value)
			if err == nil {
				_, err = regexp.Compile(s)
			}
			if err != nil {
				t.Errorf("%s: %v", file, err)
			}
			found++
			return true
		})
	}
	if found < 50 {
		t.Errorf("%d regular expressions found, want those of layouts at least", found)
	}
}
