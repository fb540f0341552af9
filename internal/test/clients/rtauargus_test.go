package clients

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"
)

// The paths at which rtauargus says the program is: in vignettes and help pages, and where nothing is said.
// It is there, so that not even this line need be changed.
var insee = []string{"Y:/Logiciels/TauArgus/TauArgus4.2.3/TauArgus.exe", "Y:/Logiciels/TauArgus/TauArgus.exe"}

// page is a vignette or help page, as code, and what τ-ARGUS 4.2.3 gave in it: by number of the call and
// name of the table.
type page struct {
	kind, name string
	calls      int
	published  map[int]map[string]published
	own        map[int]string // calls that the package fails itself, before it starts the program, and how
	apart      map[int]bool   // calls that protect parts of a table one by one: the whole need not be protected
	slow       bool
}

var pages = []page{
	{kind: "vignette", name: "rtauargus", calls: 3, published: map[int]map[string]published{
		1: {"1": {2, 2, 80, true}},
		2: {"1": {77, 64, 49223640.15, true}},
	}},
	{kind: "vignette", name: "protect_multi_tables", calls: 2, published: map[int]map[string]published{
		1: {"act_size": {primary: 77, secondary: 83}, "act_cj": {primary: 60, secondary: 88}, "nuts_size": {primary: 72, secondary: 82}, "nuts_cj": {primary: 65, secondary: 101}},
	}},
	{kind: "vignette", name: "rtauargus_micro", calls: 3, published: map[int]map[string]published{
		1: {"1": {secondary: 1, few: true}}, 2: {"1": {secondary: 1, few: true}, "2": {secondary: 2, few: true}}, 3: {"1": {secondary: 1, few: true}},
	}},
	{kind: "vignette", name: "split_tab_fr", calls: 2, slow: true, apart: map[int]bool{1: true}, published: map[int]map[string]published{
		1: {"1": {primary: 79, secondary: 313}}, // at most: of the 35 cells that the vignette counts as B some are published
		2: {"1": {primary: 79, secondary: 291, few: true}},
	}},
	{kind: "help", name: "tab_rtauargus", calls: 2, apart: map[int]bool{2: true}},
	{kind: "help", name: "tab_rtauargus2", calls: 2, own: map[int]string{2: "argument is of length zero"}},
	{kind: "help", name: "tab_rtauargus4", calls: 2, slow: true, apart: map[int]bool{1: true, 2: true}},
	{kind: "help", name: "tab_multi_manager", calls: 2, apart: map[int]bool{2: true}},
	{kind: "help", name: "rtauargus_plus", calls: 1},
	{kind: "options", name: "options", calls: 9, published: map[int]map[string]published{
		1: {"1": {primary: 77}}, 2: {"1": {primary: 77}}, 3: {"1": {primary: 77}}, 4: {"1": {primary: 77}}, 5: {"1": {primary: 77}},
		6: {"1": {primary: 77}}, 7: {"1": {primary: 77}}, 8: {"1": {primary: 77}}, 9: {"1": {primary: 77}},
	}},
}

// TestRtauargus runs the vignettes and the examples of the help pages of rtauargus as they stand,
// and its options.
func TestRtauargus(t *testing.T) {
	p := withLibrary(t, newPlace(t, "Rscript", "rtauargus", "sdcTable", "sdcHierarchies"))
	for _, g := range pages {
		t.Run(g.kind+"/"+g.name, func(t *testing.T) {
			if g.slow && testing.Short() {
				t.Skip("takes minutes")
			}
			dir := folder(t)
			code := "code.R"
			for _, path := range insee {
				p.put(t, dir, path)
			}
			p.put(t, dir, "Z:/TauArgus.exe") // of which the vignette of microdata writes files
			switch g.kind {
			case "vignette":
				p.run(t, dir, time.Minute, "Rscript", "-e", fmt.Sprintf(`knitr::purl("%s", output="code.R", quiet=TRUE)`, filepath.Join(p.sources, "rtauargus", "vignettes", g.name+".Rmd.orig")))
			case "help":
				p.run(t, dir, time.Minute, "Rscript", "-e", fmt.Sprintf(`tools::Rd2ex("%s", out="code.R", commentDontrun=FALSE)`, filepath.Join(p.sources, "rtauargus", "man", g.name+".Rd")))
			default:
				code = ours(t, g.name+".R")
			}
			out := p.run(t, dir, 45*time.Minute, "Rscript", ours(t, "calls.R"), code, "results")
			all := calls(t, filepath.Join(dir, "results"))
			if len(all) != g.calls {
				t.Errorf("%d calls, want %d\n%s", len(all), g.calls, tail(out, 40))
			}
			for i, c := range all {
				example := fmt.Sprintf("%s %s, %s (%d)", g.kind, g.name, c.name, i+1)
				if c.failed != "" && c.failed == g.own[i+1] && c.without == c.failed {
					t.Logf("| %s | the package's own error: %s | – | – | – |", example, c.failed)
					continue
				}
				if c.failed != "" {
					t.Errorf("%s: %s\n%s", example, c.failed, tail(out, 40))
					continue
				}
				for _, r := range c.tables {
					var theirs *published
					if w, ok := g.published[i+1][r.name]; ok {
						theirs = &w
					}
					r.part = g.apart[i+1]
					p.check(t, r, theirs)
				}
				row(t, "rtauargus: "+example, c, g.published[i+1])
			}
		})
	}
}
