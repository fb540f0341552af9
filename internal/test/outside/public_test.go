package outside_test

import (
	"go/ast"
	"go/token"
	"os"
	"path"
	"strings"
	"testing"
)

// mostNames is how many names the public packages may export. Whoever adds one takes another back.
const mostNames = 900

// TestPublicNames counts exported functions, types, constants and variables of the public packages, and exported methods of their exported
// types, also of those that are other names for types inside.
func TestPublicNames(t *testing.T) {
	t.Parallel()
	names := 0
	methods := map[string]int{} // by folder and type
	var counted []string        // the types whose methods count
	eachFile(t, os.DirFS("../../.."), func(file string, _ *token.FileSet, parsed *ast.File) {
		dir := path.Dir(file)
		public := !strings.Contains("/"+dir+"/", "/internal/") && !within(dir, "cmd") && !within(dir, "contrib") && !within(dir, "tools")
		count := func(id *ast.Ident) bool {
			exported := public && id.IsExported()
			if exported {
				names++
			}
			return exported
		}
		for _, decl := range parsed.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					count(d.Name)
				} else if d.Name.IsExported() {
					methods[dir+" "+receiver(d.Recv.List[0].Type)]++
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.ValueSpec:
						for _, id := range s.Names {
							count(id)
						}
					case *ast.TypeSpec:
						if count(s.Name) {
							counted = append(counted, meant(dir, parsed, s))
						}
					}
				}
			}
		}
	})
	for _, name := range counted {
		names += methods[name]
	}
	if names > mostNames {
		t.Errorf("%d names, want at most %d: unexport what nobody outside needs", names, mostNames)
	}
	if names < mostNames-20 {
		t.Errorf("%d names: lower mostNames", names)
	}
}

// receiver is the name of the type of a receiver.
func receiver(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

// meant is folder and name of the type that s names: of another package where it is an alias.
func meant(dir string, parsed *ast.File, s *ast.TypeSpec) string {
	of, ok := s.Type.(*ast.SelectorExpr)
	if !ok || !s.Assign.IsValid() {
		return dir + " " + s.Name.Name
	}
	for _, i := range parsed.Imports {
		p := strings.Trim(i.Path.Value, `"`)
		if name, ours := strings.CutPrefix(p, module); ours && path.Base(p) == of.X.(*ast.Ident).Name {
			return name + " " + of.Sel.Name
		}
	}
	return ""
}
