package outside_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/hitoku/hitoku/"

// floors are the floors of the house (ARCHITECTURE.md), from the ground up. A package
// imports packages of lower floors only.
var floors = []string{
	"internal/heap internal/num internal/parallel internal/sets internal/seed internal/unpack internal/office internal/near internal/cli/said internal/memtest internal/shared internal/filetest internal/outside internal/adversary internal/clients document lp lp/internal/cmem",
	"internal/cli/words internal/recordkey table internal/answer internal/records internal/ooxml internal/rational internal/flow internal/series lp/simplex lp/internal/certify lp/internal/model",
	"internal/integer internal/protection internal/tabletest lp/internal/coin certificate internal/nullspace table/tableio lp/gonum lp/lpsolve lp/internal/lptest",
	"internal/intruder lp/clp lp/clpdl table/argus table/px table/sdmx table/xlsx table/internal/tabletest internal/insee risk",
	"lp/all interval tabulate risk/risksql risk/compare risk/census internal/riskdoc internal/stargroups table/layout",
	"solver rounding cellkey fill",
	"adjust solver/modular solver/partial attack defence ledger",
	"protect",
	"explain internal/bench internal/batch",
	"report page",
	"internal/arb internal/cli internal/cli/render",
	"internal/cli/flags",
	"internal/cli/tables internal/cli/risk internal/cli/bench internal/cli/arb",
	"cmd/hitoku page/site",
}

// strangers are packages that know nothing of others, however far down these are: what
// begins with the first path has nothing behind it that begins with one of the others. The command knows all.
var strangers = map[string][]string{
	"document":            {""},
	"lp":                  {"table", "interval", "solver"},
	"table":               {"lp", "interval", "solver", "risk"},
	"internal/nullspace":  {"lp", "solver", "table/"},
	"internal/":           {"solver", "protect", "internal/cli"},
	"internal/intruder":   {"table/"},
	"internal/protection": {"table/"},
	"interval":            {"table/", "solver"},
	"solver":              {"table/", "protect", "attack"},
	"rounding":            {"table/", "solver", "protect"},
	"adjust":              {"table/", "solver", "protect"},
	"attack":              {"table/", "protect"},
	"defence":             {"table/", "protect", "attack"},
	"certificate":         {"lp", "solver", "interval", "table/"},
	"risk":                {"lp", "solver", "interval"},
	"tabulate":            {"lp", "solver", "interval"},
	"protect":             {"report", "document"},
	"ledger":              {"table/", "solver", "protect"},
	"page":                {"table", "lp", "document", "report", "internal/cli"},
	"internal/records":    {"table"},
}

// parts are those of the command, which may know all below them.
var parts = []string{"internal/cli", "internal/arb", "internal/batch", "internal/bench"}

// TestArrows asks that arrows between packages point down, and that packages stay strangers
// that have no business with each other.
func TestArrows(t *testing.T) {
	t.Parallel()
	floor := map[string]int{}
	for n, names := range floors {
		for _, name := range strings.Fields(names) {
			floor[name] = n
		}
	}
	cmd := exec.Command("go", "list", "-f", "{{.ImportPath}}|{{join .Imports \" \"}}|{{join .Deps \" \"}}", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for line := range strings.Lines(string(out)) {
		part := strings.Split(strings.TrimSpace(line), "|")
		name := strings.TrimPrefix(part[0], module)
		own, ok := floor[name]
		if !ok {
			t.Errorf("%s has no floor: give it one here and a line in ARCHITECTURE.md", name)
			continue
		}
		seen++
		for _, to := range ours(part[1]) {
			if f, ok := floor[to]; ok && f >= own {
				t.Errorf("%s (floor %d) imports %s (floor %d)", name, own, to, f)
			}
		}
		for start, not := range strangers {
			if !strings.HasPrefix(name, start) || slices.ContainsFunc(parts, func(p string) bool { return strings.HasPrefix(name, p) }) {
				continue
			}
			for _, to := range ours(part[2]) {
				if slices.ContainsFunc(not, func(s string) bool { return strings.HasPrefix(to, s) }) {
					t.Errorf("%s has %s behind it", name, to)
				}
			}
		}
	}
	if seen != len(floor) {
		t.Errorf("%d packages have a floor, %d are there", len(floor), seen)
	}
}

// ours are the packages of the module among paths, without its name.
func ours(paths string) []string {
	var names []string
	for _, p := range strings.Fields(paths) {
		if name, ok := strings.CutPrefix(p, module); ok {
			names = append(names, name)
		}
	}
	return names
}
