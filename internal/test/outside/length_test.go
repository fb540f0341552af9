package outside_test

import (
	"go/ast"
	"go/token"
	"os"
	"testing"
)

// mostLines is how long a function may be: what does not fit a page is several ideas.
const mostLines = 100

// TestLength asks that no function has more than a hundred lines.
func TestLength(t *testing.T) {
	t.Parallel()
	eachFile(t, os.DirFS("../../.."), func(file string, fset *token.FileSet, parsed *ast.File) {
		for _, decl := range parsed.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			lines := fset.Position(f.End()).Line - fset.Position(f.Pos()).Line + 1
			if lines > mostLines {
				t.Errorf("%s: %s has %d lines, want at most %d: divide it by what its parts do", file, f.Name.Name, lines, mostLines)
			}
		}
	})
}
