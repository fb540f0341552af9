package outside_test

import (
	"os"
	"strings"
	"testing"
)

// unshown are public packages without an example: back ends, which are named to lp.Open.
var unshown = []string{"lp/all", "lp/clp", "lp/gonum", "lp/lpsolve", "lp/simplex"}

// TestShown asks that every public package has an example whose output is checked.
func TestShown(t *testing.T) {
	t.Parallel()
	shown := 0
	for name := range packages(t) {
		public := name != "" && !strings.Contains("/"+name+"/", "/internal/") && !within(name, "cmd") && !within(name, "contrib") && !within(name, "tools")
		for _, n := range unshown {
			public = public && name != n
		}
		if !public {
			continue
		}
		text, err := os.ReadFile("../../../" + name + "/example_test.go")
		if err != nil || !strings.Contains(string(text), "\n\t// Output:") {
			t.Errorf("%s has no example with output in example_test.go", name)
		}
		shown++
	}
	if shown < 23 {
		t.Errorf("%d packages", shown)
	}
}
