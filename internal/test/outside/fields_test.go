package outside_test

import (
	"go/ast"
	"go/token"
	"os"
	"testing"
)

// mostFields is how many fields a struct may have: what has more knows several things.
const mostFields = 20

// records are the structs that have more fields, by file and name, with the reason: each is a list of independent values
// that the reader looks up by name.
var records = map[string]string{
	"protect/policy.go Policy":                       "options, one for each field of a policy file",
	"solver/techniques.go techniques":                "switches, one for each part of the search",
	"internal/document/bench.go Bench":               "document",
	"internal/document/bench.go BenchLPCase":         "document",
	"internal/document/compare.go Comparison":        "document",
	"internal/document/experiment.go ExperimentSize": "document",
	"internal/document/risk.go Uniques":              "document",
	"internal/document/tables.go Suppression":        "document",
	"internal/report/protection.go Protection":       "what a page is written from",
	"internal/report/protection.go protectionPage":   "what a template is given",
	"internal/option/option.go Option":               "record of an option",
	"internal/cli/flags/input.go Input":              "options, one for each flag of input",
	"internal/cli/tables/tabulate.go tabulation":     "options, one for each flag of a verb",
	"internal/cli/tables/cellkey.go perturbing":      "options, one for each flag of a verb",
	"internal/cli/risk/compare.go comparing":         "options, one for each flag of a verb",
	"internal/arb/run.go job":                        "state of a batch file, one value for each of its commands",
	"lp/internal/clpdl/library.go library":           "functions of a C library",
	"risk/specials.go Specials":                      "result of a measure",
	"risk/survey.go SurveyRisk":                      "result of a measure",
	"internal/formats/argus/metadata.go Variable":    "record of a metadata file",
	"table/table.go Table":                           "record of a table, one slice for each property of a cell",
	"internal/formats/formats.go Input":              "result of reading a table",
	"internal/formats/formats.go Options":            "options",
}

// TestFields asks that no struct but the records above has more than twenty fields.
func TestFields(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	eachFile(t, os.DirFS("../../.."), func(file string, _ *token.FileSet, parsed *ast.File) {
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if s, ok := spec.Type.(*ast.StructType); ok && s.Fields.NumFields() > mostFields {
				name := file + " " + spec.Name.Name
				seen[name] = true
				if records[name] == "" {
					t.Errorf("%s has %d fields, want at most %d: divide it by what its parts know", name, s.Fields.NumFields(), mostFields)
				}
			}
			return true
		})
	})
	for name := range records {
		if !seen[name] {
			t.Errorf("%s has no more than %d fields: take it off the list", name, mostFields)
		}
	}
}
