package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
)

// hitoku runs a command that has to end well.
func hitoku(t *testing.T, args ...string) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(args, strings.NewReader(""), &stdout, &stderr); code != cli.Done {
		t.Fatalf("hitoku %s: exit code %d\n%s", strings.Join(args, " "), code, stderr.String())
	}
	return stdout.Bytes()
}

// inspected are the cells of a file by address.
func inspected(t *testing.T, path string) map[string]document.InspectedCell {
	t.Helper()
	var d document.Inspection
	must.Do(t, document.Read(hitoku(t, "inspect", "--json", path), &d))
	if d.InspectedTable != nil {
		d.Tables = append(d.Tables, *d.InspectedTable)
	}
	cells := map[string]document.InspectedCell{}
	for _, x := range d.Tables {
		for _, c := range x.Cells {
			at := c.Ref
			if c.Sheet != nil {
				at = *c.Sheet + "!" + at
			}
			cells[at] = c
		}
	}
	return cells
}

// TestProtectLayouts does the job of an office in two commands, inspect and suppress, on every
// workbook of ../shared/data/layouts that has a rule: the cells that the rule makes sensitive
// are withheld in a copy of the workbook, cells that are not withheld read as before, and the
// withheld ones have the mark of the office.
func TestProtectLayouts(t *testing.T) {
	dir := shared.Path(t, "data", "layouts")
	folders, err := filepath.Glob(filepath.Join(dir, "*", "protect.json"))
	if err != nil || len(folders) < 6 {
		t.Fatalf("%d cases with a rule: %v", len(folders), err)
	}
	for _, file := range folders {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			text := must.Get(os.ReadFile(file))(t)
			var p struct {
				Flags              map[string]any
				Mark, Sheet, Input string
				Sensitive          []struct{ Sheet, Ref string } `json:"expected_sensitive"`
			}
			must.Do(t, json.Unmarshal(text, &p))
			input, output := filepath.Join(filepath.Dir(file), p.Input), filepath.Join(t.TempDir(), p.Input)
			args := []string{"suppress", "--json", "-o", output}
			responses := 1
			for _, name := range []string{"below", "width", "freq", "response", "lpl", "upl"} {
				switch v := p.Flags[name].(type) {
				case nil:
				case []any:
					var list []string
					for _, x := range v {
						list = append(list, fmt.Sprint(x))
					}
					responses = len(list)
					args = append(args, "--"+name, strings.Join(list, ","))
				default:
					args = append(args, "--"+name, fmt.Sprint(v))
				}
			}
			var sheet []string
			if p.Sheet != "" {
				sheet = []string{"--sheet", p.Sheet, "--leave-aside"}
			}
			var r document.Suppression
			must.Do(t, document.Read(hitoku(t, append(append(args, sheet...), input)...), &r))
			if r.Sensitive*responses != len(p.Sensitive) || r.Audit != "protected" {
				t.Errorf("%d sensitive cells, want %d in %d responses; audit: %s", r.Sensitive, len(p.Sensitive), responses, r.Audit)
			}
			before, after := inspected(t, input), inspected(t, output)
			var withheld []string
			for at, was := range before {
				is, ok := after[at]
				switch {
				case !ok:
					t.Errorf("%s: no cell any more", at)
				case was.Mark == nil && is.Mark != nil:
					withheld = append(withheld, at)
					if *is.Mark != p.Mark || is.Means != "suppressed" || is.Value != "" || is.Formula != "" {
						t.Errorf("%s: %s became %+v, want the mark %s", at, was.Value, is, p.Mark)
					}
				case was.Value != is.Value || fmt.Sprint(was.Codes) != fmt.Sprint(is.Codes):
					t.Errorf("%s: %s %v became %s %v", at, was.Value, was.Codes, is.Value, is.Codes)
				}
			}
			if len(withheld) != r.Suppressed*responses {
				t.Errorf("%d cells have a mark, want %d in %d responses", len(withheld), r.Suppressed, responses)
			}
			for _, c := range p.Sensitive {
				if at := c.Sheet + "!" + c.Ref; !slices.Contains(withheld, at) {
					t.Errorf("%s is sensitive, and published", at)
				}
			}
		})
	}
}
