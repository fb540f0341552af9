package arb

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/attack/insider"
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/protect/guard"
	"github.com/hitoku/hitoku/table"
)

// open says how many cells only contributors compute exactly, how many they lay open, and the cost, where cells have the
// statuses given by their codes, 11 for those withheld.
func open(t *testing.T, tab *table.Table, status map[string]string) (exact, all int, cost int64) {
	t.Helper()
	pattern := make([]bool, tab.Len())
	for i := range pattern {
		var codes []string
		for d := range tab.Dims {
			codes = append(codes, argus.Code(tab.Dims[d].Codes[tab.Coord[i*len(tab.Dims)+d]]))
		}
		st := status[strings.Join(codes, ",")]
		pattern[i] = st == "3" || st == "11"
		if st == "11" {
			cost += tab.Cost[i]
		}
	}
	rep := must.Get(insider.Run(t.Context(), tab, pattern, nil))(t)
	exact, all = (&guard.Result{Report: rep}).Open()
	return exact, all, cost
}

// statuses reads a code-value file: cell → status.
func statuses(t *testing.T, path string) map[string]string {
	t.Helper()
	text := must.Get(os.ReadFile(path))(t)
	all := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		f := strings.Split(strings.ReplaceAll(strings.TrimSpace(line), `"`, ""), ",")
		n := len(f)
		all[strings.TrimSpace(f[0])+","+strings.TrimSpace(f[1])] = f[n-1]
	}
	return all
}

// With singletons minded, patterns are neither dearer than the published one of τ-ARGUS's modular method nor more open to
// only contributors.
func TestNotWorseThanPublished(t *testing.T) {
	for _, method := range []string{"MOD(1,1,1,1,1)", "MOD(1,1,1,0,0)", "GH(1,100,0,1)"} {
		dir := copied(t, "simple2d")
		must.Do(t, os.WriteFile(filepath.Join(dir, "run.arb"), fmt.Appendf(nil, `<OPENMICRODATA> "tau_testW.asc"
<OPENMETADATA> "Tau_testW.rda"
<SPECIFYTABLE> "Size""Region"|"Var2"||
<SAFETYRULE> P(15,1)|MAN(20)
<READMICRODATA>
<SUPPRESS> %s
<WRITETABLE> (1,3,AS+,"out.txt")
<WRITETABLE> (1,5,SE+,"out.tab")
`, method), 0o666))
		must.Do(t, Run(t.Context(), filepath.Join(dir, "run.arb"), &Options{}))
		in := must.Get(argus.ReadTable(filepath.Join(dir, "out.tab"), argus.Options{}))(t)
		exact, all, cost := open(t, in.Table, statuses(t, filepath.Join(dir, "out.txt")))
		wasExact, wasAll, was := open(t, in.Table, statuses(t, filepath.Join(dir, "Simple2D.txt")))
		if exact > wasExact || all > wasAll || cost > was || all >= 4 || wasAll != 4 {
			t.Errorf("%s: %d exact, %d open, cost %d; τ-ARGUS %d, %d, %d", method, exact, all, cost, wasExact, wasAll, was)
		}
	}
}
