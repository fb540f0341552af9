package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/test/must"
)

// What docs/prefecture.md says of standard error is said, its pictures are there and small, and
// the workbook written differs from the original in the withheld cells alone.
func TestPrefecture(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/prefecture.md"))(t)
	const input = "../../testdata/prefecture.xlsx"
	output := filepath.Join(t.TempDir(), "published.xlsx")
	var stdout, stderr bytes.Buffer
	if code := run([]string{"suppress", "--below", "3", "--width", "4", "-o", output, input}, strings.NewReader(""), &stdout, &stderr); code != cli.Done {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	_, block, ok := strings.Cut(string(page), "```text\n")
	block, _, closed := strings.Cut(block, "```")
	if !ok || !closed || !strings.HasSuffix(stderr.String(), block) {
		t.Errorf("standard error is\n%s\nwhich ends otherwise than\n%s", stderr.String(), block)
	}
	before, after := inspected(t, input), inspected(t, output)
	withheld := 0
	for at, c := range before {
		d := after[at]
		switch {
		case d.Mark != nil && *d.Mark == "x":
			withheld++
		case c.Value != d.Value:
			t.Errorf("%s: %v became %v", at, c.Value, d.Value)
		}
	}
	if withheld != 12 || len(before) != 77 || len(after) != 77 {
		t.Errorf("%d cells withheld of %d, %d written", withheld, len(before), len(after))
	}
	for _, name := range []string{"before", "after"} {
		path := "img/prefecture-" + name + ".png"
		if info, err := os.Stat("../../docs/" + path); err != nil || info.Size() > 60<<10 || !strings.Contains(string(page), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
