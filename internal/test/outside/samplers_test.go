package outside_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// releasing are the folders whose code draws what a release is made of. What an intruder draws, as in internal/compare, is not among it.
var releasing = []string{"risk/", "internal/cli/risk/", "attack/defence/", "methods/cellkey/", "methods/partial/", "methods/rounding/", "internal/recordkey/", "internal/seed/"}

// What a release is made of is drawn with whole numbers, by a generator with a key: floating point numbers have digits that tell what noise was
// added to, and chances that are not those of the formula ("Samplers" in docs/risk_release.md).
func TestSamplers(t *testing.T) {
	t.Parallel()
	drawing := 0
	for _, fault := range samplers(t, os.DirFS("../../.."), &drawing) {
		t.Error(fault)
	}
	if drawing < 10 {
		t.Errorf("%d files have a generator", drawing)
	}
	drawing = 0
	faults := samplers(t, fstest.MapFS{
		"risk/bad.go": {Data: []byte(`package risk
import ("math/rand/v2"; "math/big")
type noise struct { r *rand.Rand }
func (n noise) a() float64 { return n.r.NormFloat64() }
func (n noise) b() float64 { return n.r.Float64() }
func c() float64 { g := rand.New(rand.NewPCG(1, 2)); return g.Float64() }
func d(x *big.Rat) (float64, bool) { return x.Float64() }
func e() float64 { return rand.ExpFloat64() }
func f() int { return rand.IntN(3) }
`)},
		"internal/compare/good.go": {Data: []byte("package compare\nimport \"math/rand/v2\"\nfunc a(r *rand.Rand) float64 { return r.Float64() }\n")},
	}, &drawing)
	if want := []string{"risk/bad.go:4:37: NormFloat64", "risk/bad.go:5:37: Float64", "risk/bad.go:6:34: NewPCG", "risk/bad.go:6:61: Float64", "risk/bad.go:8:27: ExpFloat64", "risk/bad.go:9:23: IntN"}; drawing != 1 || !slices.Equal(faults, want) {
		t.Errorf("found %q, want %q", faults, want)
	}
}

// samplers lists what is drawn otherwise, and counts the files that have a generator.
func samplers(t *testing.T, root fs.FS, drawing *int) (faults []string) {
	t.Helper()
	eachFile(t, root, func(file string, fset *token.FileSet, parsed *ast.File) {
		within := func(dir string) bool { return strings.HasPrefix(file, dir) }
		if !slices.ContainsFunc(releasing, within) || file == "attack/defence/order.go" { // orders are public
			return
		}
		if !slices.ContainsFunc(parsed.Imports, func(i *ast.ImportSpec) bool { return strings.HasPrefix(i.Path.Value, `"math/rand`) }) {
			return
		}
		*drawing++
		generators := generatorsOf(parsed)
		ast.Inspect(parsed, func(n ast.Node) bool {
			x, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			on, bad := lastName(x.X), false
			switch x.Sel.Name {
			case "NormFloat64", "ExpFloat64":
				bad = true
			case "Float64", "Float32":
				bad = on == "rand" || slices.Contains(generators, on)
			case "New", "NewChaCha8", "Rand", "ChaCha8":
			default: // of the package itself: other generators, and the one without a key
				bad = on == "rand"
			}
			if bad {
				faults = append(faults, fmt.Sprintf("%s: %s", fset.Position(x.Pos()), x.Sel.Name))
			}
			return true
		})
	})
	return faults
}

// generatorsOf are the names that a file has for generators.
func generatorsOf(parsed *ast.File) (names []string) {
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			if p, ok := n.Type.(*ast.StarExpr); ok && strings.HasPrefix(lastName(p.X), "Rand") {
				for _, name := range n.Names {
					names = append(names, name.Name)
				}
			}
		case *ast.AssignStmt:
			for k, value := range n.Rhs {
				if call, ok := value.(*ast.CallExpr); ok && k < len(n.Lhs) && lastName(call.Fun) == "New" {
					names = append(names, lastName(n.Lhs[k]))
				}
			}
		}
		return true
	})
	return names
}

// lastName is c of c or of a.b.c.
func lastName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	}
	return ""
}
