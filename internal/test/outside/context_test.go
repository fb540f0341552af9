package outside_test

import (
	"go/ast"
	"go/token"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// short are functions of public packages that begin calls of their own, which no caller can end because nothing in them takes long, or because
// what they return is kept for all later callers.
var short = []string{
	"nullspace Fibre.next",                                    // one step of a walk
	"bench record", "bench searched", "bench questions.solve", // the cases of a benchmark, which are made once
}

// TestContext asks that what may take long takes a context, and takes it first: no exported function of a public package has one further behind or
// another name for its twin with one, and none begins a call without end.
func TestContext(t *testing.T) {
	t.Parallel()
	met := map[string]bool{}
	found := 0
	eachFile(t, os.DirFS("../../.."), func(file string, fset *token.FileSet, parsed *ast.File) {
		dir := path.Dir(file)
		if strings.Contains("/"+dir+"/", "/internal/") || within(dir, "cmd") || within(dir, "contrib") || within(dir, "tools") {
			return
		}
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			name := dir + " " + f.Name.Name
			if f.Recv != nil {
				of := f.Recv.List[0].Type
				if p, ok := of.(*ast.StarExpr); ok {
					of = p.X
				}
				if id, ok := of.(*ast.Ident); ok {
					name = dir + " " + id.Name + "." + f.Name.Name
				}
			}
			for k, p := range f.Type.Params.List {
				if is(p.Type, "Context") {
					found++
					if k > 0 && f.Name.IsExported() {
						t.Errorf("%s: %s takes a context, but not first", fset.Position(p.Pos()), name)
					}
				}
			}
			if strings.HasSuffix(f.Name.Name, "Context") && f.Name.IsExported() {
				t.Errorf("%s: %s is a twin; give the one function a context", fset.Position(f.Pos()), name)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok && (is(e, "Background") || is(e, "TODO")) {
					if met[name] = true; !slices.Contains(short, name) {
						t.Errorf("%s: %s begins a call that its caller cannot end", fset.Position(n.Pos()), name)
					}
				}
				return true
			})
		}
	})
	for _, name := range short {
		if !met[name] {
			t.Errorf("%s begins no call any more", name)
		}
	}
	if found < 100 {
		t.Errorf("%d contexts", found)
	}
}

// is reports whether e is that name of package context.
func is(e ast.Expr, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == "context"
}
