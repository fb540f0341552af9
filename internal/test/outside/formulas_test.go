package outside_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/filetest"
	"github.com/hitoku/hitoku/internal/test/must"
)

// formulas are those of Fischetti and Salazar (1999, 2001) and of the documents in Japanese that
// the project starts from, with their standard names there and the file that has them.
var formulas = []struct{ formula, name, japanese, file string }{
	{"min Σ w_i x_i over protected patterns", "cell suppression problem", "表セル秘匿問題", "solver/suppress.go"},
	{"max, min y_k : My = b, a_i − L_i x_i ≤ y_i ≤ a_i + U_i x_i", "attacker subproblem", "部分問題", "internal/oracle/system.go"},
	{"lo_k ≤ a_k − LPL_k, hi_k ≥ a_k + UPL_k, hi_k − lo_k ≥ SPL_k", "protection level", "保護水準", "internal/protection/level.go"},
	{"min Σ w_i x_i over the cuts found so far", "master problem", "主問題", "solver/master.go"},
	{"Σ (α_i U_i + β_i L_i) x_i ≥ UPL_k", "capacity constraints", "", "solver/separate_capacity.go"},
	{"the sum of two such rows ≥ SPL_k", "sliding protection level", "", "solver/separate_width.go"},
	{"x_h ≤ Σ_{i≠h, d_i≠0} x_i", "bridge-less inequalities", "", "solver/separate_bridgeless.go"},
	{"Σ_{j∉T} x_j ≥ 1", "cover inequality", "", "solver/separate_cover.go"},
	{"w = max x − min x", "feasibility interval", "秘匿インターバル", "interval/interval.go"},
	{"1 ≤ n < T", "minimum frequency rule", "最小度数ルール", "table/rules.go"},
	{"x_1 + … + x_n > k % of X", "dominance rule", "占有性ルール", "table/primary.go"},
	{"T − 1 contributors learn the last one's value", "collusion", "共謀", "internal/formulas/cellrule.go"},
	{"N(A) = {y ∈ Zⁿ : A y = 0}, S = {v + y : A v = b, y ∈ N(A)}", "null space", "零空間", "nullspace/doc.go"},
	{"candidates that lead to the published pattern", "matching attack", "マッチング攻撃", "attack/doc.go"},
	{"the risk of Claim 4.1 by n, n₀ and pn", "by sampling", "サンプリングを用いた際の個人識別リスク", "risk/sampling.go"},
	{"k ≥ 1 + (n − pn)·min A/A + (pn − 1)·min AA/AA", "PRAM", "サンプリングと PRAM", "risk/pram.go"},
	{"A_{v,v'} = ρ + (1 − ρ)/|V| for v = v', (1 − ρ)/|V| else", "retention–replacement", "維持-置換撹乱", "risk/randomise.go"},
	{"k = 1 + (|R| − 1)·exp(−2 sup‖u − v‖₁/σ)", "Laplace noise", "Laplase 分布", "risk/laplace.go"},
	{"k = 1 of unbounded attributes, uniform and normal noise", "impossibility", "実現不可能性", "risk/impossible.go"},
	{"u(p, n', s) = Σ_{k≥s} C(n', k) p^k < α", "safety test", "安全性の条件", "risk/pws.go"},
	{"min f_i", "k-anonymity", "k-匿名性", "risk/kanon.go"},
	{"multisets of tuples by person", "k-anonymity by entity", "エンティティ", "risk/entity.go"},
	{"distinct, entropy and recursive (c, l)", "l-diversity", "l-多様性", "risk/ldiv.go"},
	{"min F_i", "k-map", "k-マップ", "risk/kmap.go"},
	{"f ≤ δF in every class", "δ-presence", "δ-存在性", "risk/presence.go"},
}

// TestFormulas asks that whoever looks for a formula by its standard name finds the file that
// has it: the name stands in a doc comment there, and where a Japanese document has a name of its own that
// stands there and in the comments of no other file.
func TestFormulas(t *testing.T) {
	t.Parallel()
	docs := docComments(t, os.DirFS("../../.."))
	for _, f := range formulas {
		own, ok := docs[f.file]
		if !ok {
			t.Errorf("%s: %s is not there", f.name, f.file)
			continue
		}
		if !strings.Contains(strings.ToLower(own), strings.ToLower(f.name)) {
			t.Errorf("%s: no doc comment of %s names %q", f.formula, f.file, f.name)
		}
		if f.japanese == "" {
			continue
		}
		for file, doc := range docs {
			if has := strings.Contains(doc, f.japanese); has != (file == f.file) {
				t.Errorf("%s: %q in the doc comments of %s: %v; it leads to %s", f.formula, f.japanese, file, has, f.file)
			}
		}
	}
}

// docComments are the doc comments of the packages and declarations of every file, on one line a file.
func docComments(t *testing.T, root fs.FS) map[string]string {
	t.Helper()
	docs := map[string]string{}
	eachFile(t, root, func(file string, _ *token.FileSet, parsed *ast.File) {
		words := strings.Fields(parsed.Doc.Text())
		for _, decl := range parsed.Decls {
			switch decl := decl.(type) {
			case *ast.GenDecl:
				words = append(words, strings.Fields(decl.Doc.Text())...)
			case *ast.FuncDecl:
				words = append(words, strings.Fields(decl.Doc.Text())...)
			}
		}
		docs[file] = strings.Join(words, " ")
	})
	return docs
}

// eachFile gives do every Go file of the tree but tests.
func eachFile(t *testing.T, root fs.FS, do func(file string, fset *token.FileSet, parsed *ast.File)) {
	t.Helper()
	filetest.Walk(t, root, func(file, text string) {
		if strings.HasSuffix(file, "_test.go") {
			return
		}
		fset := token.NewFileSet()
		parsed := must.Get(parser.ParseFile(fset, file, text, parser.ParseComments|parser.SkipObjectResolution))(t)
		do(file, fset, parsed)
	}, ".go")
}
