package solver

import (
	"go/ast"
	"go/build"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hitoku/hitoku/internal/test/must"
)

// tuned are the packages whose parameters are records.
var tuned = []string{".", "modular", "../internal/oracle"}

var recordForm = regexp.MustCompile(`^(\S+): (.+\.) Range (\S+) to (\S+); (measured|memory|time|numerics|judgement|[A-Z].*\d{4})\.$`)

// TestParams holds every constant that steers the search to the form of a record with its default within its range, and finds those that stand elsewhere
// than in params.go (or tolerances.go).
func TestParams(t *testing.T) {
	t.Parallel()
	for _, dir := range tuned {
		name := filepath.Base(dir)
		if dir == "." {
			name = "solver"
		}
		records(t, name, filepath.Join(dir, "params.go"))
		files := must.Get(filepath.Glob(filepath.Join(dir, "*.go")))(t)
		for _, file := range files {
			if base := filepath.Base(file); !strings.HasSuffix(base, "_test.go") && base != "params.go" && base != "tolerances.go" {
				strays(t, file)
			}
		}
	}
}

// records checks the records of a file.
func records(t *testing.T, name, file string) {
	set := token.NewFileSet()
	source := must.Get(os.ReadFile(file))(t)
	tree := must.Get(parser.ParseFile(set, file, source, parser.ParseComments))(t)
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if build.Default.GOROOT == "" { // built with -trimpath
		root := must.Get(exec.Command("go", "env", "GOROOT").Output())(t)
		build.Default.GOROOT = strings.TrimSpace(string(root))
	}
	conf := types.Config{Importer: importer.ForCompiler(set, "source", nil)}
	must.Get(conf.Check(name, set, []*ast.File{tree}, info))(t)
	for _, d := range tree.Decls {
		g, _ := d.(*ast.GenDecl)
		if g == nil || g.Tok == token.IMPORT {
			continue
		}
		for _, s := range g.Specs {
			v, _ := s.(*ast.ValueSpec)
			if v == nil || len(v.Names) != 1 || len(v.Values) != 1 {
				t.Errorf("%s: one name and value a record", set.Position(s.Pos()))
				continue
			}
			r := recordForm.FindStringSubmatch(strings.Join(strings.Fields(v.Doc.Text()), " "))
			if r == nil || r[1] != v.Names[0].Name {
				t.Errorf("%s: %s is no record of %s", set.Position(v.Pos()), v.Doc.Text(), v.Names[0].Name)
				continue
			}
			values := v.Values
			if list, ok := v.Values[0].(*ast.CompositeLit); ok {
				values = list.Elts
			}
			for _, e := range values {
				c := info.Types[e].Value
				if c == nil {
					t.Errorf("%s: no constant", set.Position(e.Pos()))
					continue
				}
				if x, _ := constant.Float64Val(constant.ToFloat(c)); x < number(t, r[3]) || x > number(t, r[4]) {
					t.Errorf("%s: %s = %g is outside %s to %s", set.Position(e.Pos()), r[1], x, r[3], r[4])
				}
			}
		}
	}
}

// number reads an end of a range, a number or a duration.
func number(t *testing.T, s string) float64 {
	if x, err := strconv.ParseFloat(s, 64); err == nil {
		return x
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		t.Errorf("%s: no end of a range", s)
	}
	return float64(d)
}

// strays finds constants of numbers in a file, other than enumerations.
func strays(t *testing.T, file string) {
	set := token.NewFileSet()
	tree := must.Get(parser.ParseFile(set, file, nil, 0))(t)
	ast.Inspect(tree, func(n ast.Node) bool {
		g, ok := n.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			return true
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			for k, e := range v.Values {
				ast.Inspect(e, func(n ast.Node) bool {
					if l, ok := n.(*ast.BasicLit); ok && (l.Kind == token.INT || l.Kind == token.FLOAT) {
						t.Errorf("%s: %s steers the search and is no record of params.go", set.Position(l.Pos()), v.Names[k].Name)
						return false
					}
					return true
				})
			}
		}
		return false
	})
}
