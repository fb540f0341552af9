package clients

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSdcTable runs the batch functions of sdcTable, and the example of their help page.
func TestSdcTable(t *testing.T) {
	p := withLibrary(t, newPlace(t, "Rscript", "rtauargus", "sdcTable", "sdcHierarchies"))
	dir := folder(t)
	example := filepath.Join(dir, "example.R")
	source, err := os.ReadFile(filepath.Join(p.sources, "sdcTable", "R", "createArgusInput.R"))
	if err == nil {
		err = os.WriteFile(example, []byte(helpExample(string(source))), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	out := p.run(t, dir, 10*time.Minute, "Rscript", ours(t, "sdctable.R"), example, "results")
	all := calls(t, filepath.Join(dir, "results"))
	if want := 3*10 + 3; len(all) != want {
		t.Errorf("%d calls, want %d\n%s", len(all), want, tail(out, 40))
	}
	for _, c := range all {
		if c.failed != "" {
			t.Errorf("%s: %s", c.name, c.failed)
			continue
		}
		for _, r := range c.tables {
			r.name = c.name
			p.check(t, r, nil)
		}
		row(t, "sdcTable: "+c.name, c, nil)
	}
}

// helpExample is the code of the first example in the source of a function, whose help page is
// made of comments.
func helpExample(source string) string {
	_, rest, _ := strings.Cut(source, "@examples")
	var code strings.Builder
	for line := range strings.Lines(rest) {
		text, ok := strings.CutPrefix(line, "#'")
		if !ok && strings.TrimSpace(line) != "" {
			break
		}
		if text = strings.TrimSpace(text); text != `\dontrun{` {
			code.WriteString(text + "\n")
		}
	}
	return strings.TrimSuffix(strings.TrimSpace(code.String()), "}")
}
