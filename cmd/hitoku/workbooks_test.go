package main

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/test/must"
	"github.com/hitoku/hitoku/internal/test/shared"
)

// The workbooks that say how to be protected, by the command: every sensitive cell is withheld, all of them have the mark,
// nothing that stands for one is left, and in the parts of the file nothing else has changed.
func TestWorkbooks(t *testing.T) {
	t.Parallel()
	type place struct{ Sheet, Ref string }
	for dir, args := range map[string][]string{
		"ministry-manufacturing":   {"--freq", "事業所数", "--response", "現金給与総額,製造品出荷額等,付加価値額", "--lpl", "20%", "--upl", "20%"},
		"office-formulas":          {"--width", "4"},
		"ons-workbook":             {"--width", "4", "--sheet", "1", "--leave-aside"},
		"pref-filldown-subtotals":  {"--width", "4"},
		"pref-two-level-header":    {"--width", "4"},
		"us-census-of-agriculture": {"--freq", "farms", "--lpl", "20%", "--upl", "20%", "--sheet", "Table 8", "--leave-aside"},
	} {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			var p struct {
				Mark, Input string
				Sensitive   []place `json:"expected_sensitive"`
				Mirrors     []struct {
					place
					Of place
				}
				Formulas []place
				Leaks    []struct{ Name, Literal string }
				Survive  struct {
					Notes []struct {
						place
						Text string
					}
				} `json:"must_survive"`
			}
			raw := must.Get(os.ReadFile(shared.Path(t, "data", "layouts", dir, "protect.json")))(t)
			must.Do(t, json.Unmarshal(raw, &p))
			src := shared.Path(t, "data", "layouts", dir, p.Input)
			out, statuses := filepath.Join(t.TempDir(), "out.xlsx"), filepath.Join(t.TempDir(), "statuses.csv")
			var stdout, stderr bytes.Buffer
			if code := run(append([]string{"suppress", "--below", "3", "-o", out, "--status-file", statuses, src}, args...), nil, &stdout, &stderr); code != cli.Done {
				t.Fatalf("%d: %s", code, &stderr)
			}
			if info, err := os.Stat(statuses); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("others may read the statuses: %v %v", info, err)
			}
			withheld := map[place]bool{}
			status := map[place]string{}
			for _, row := range rows(t, statuses) {
				for name, address := range row { // of each response
					if sheet, ref, ok := strings.Cut(address, "!"); ok && strings.HasSuffix(name, "address") && (row["status"] == "u" || row["status"] == "m") {
						withheld[place{sheet, ref}] = true
						status[place{sheet, ref}] = row["status"]
					}
				}
			}
			before, after := openBook(t, src), openBook(t, out)
			value := func(f *excelize.File, at place) string {
				s := must.Get(f.GetCellValue(at.Sheet, at.Ref))(t)
				return strings.TrimSpace(s) // a format may pad texts
			}
			for _, at := range p.Sensitive {
				if got := value(after, at); got != p.Mark {
					t.Errorf("%v: %q, want %s", at, got, p.Mark)
				}
			}
			marks := 0
			for at := range withheld {
				if got := value(after, at); got != p.Mark {
					t.Errorf("%v, status %s: %q, want %s", at, status[at], got, p.Mark)
				}
				marks++
			}
			if marks < len(p.Sensitive) {
				t.Errorf("%d cells are withheld, %d are sensitive", marks, len(p.Sensitive))
			}
			gone := map[place]bool{}
			for _, m := range p.Mirrors {
				if !withheld[m.Of] || m.Sheet == "" {
					continue
				}
				gone[m.place] = true
				if got := value(after, m.place); got != p.Mark && got != "" {
					t.Errorf("%v is %q, though %v is withheld", m.place, got, m.Of)
				}
			}
			for _, f := range p.Formulas {
				if got, _ := after.GetCellFormula(f.Sheet, f.Ref); got != "" {
					t.Errorf("%v still has its formula %s", f, got)
				}
			}
			for _, n := range p.Survive.Notes {
				if got := value(after, n.place); got != strings.TrimSpace(n.Text) {
					t.Errorf("%v: %q, want %q", n.place, got, n.Text)
				}
			}
			was, is := unzip(t, src), unzip(t, out)
			for name, text := range is {
				for _, l := range p.Leaks {
					if l.Name != "" && strings.Contains(text, l.Name) || l.Name == "" && strings.Contains(text, l.Literal) {
						t.Errorf("%s still has %s%s", name, l.Name, l.Literal)
					}
				}
				if strings.HasPrefix(name, "xl/worksheets/sheet") && cellsOf.ReplaceAllString(text, "") != cellsOf.ReplaceAllString(was[name], "") {
					t.Errorf("%s has changed beside its cells", name)
				}
			}
			for _, sheet := range before.GetSheetList() { // cell by cell
				grid := must.Get(before.GetRows(sheet))(t)
				for r := range grid {
					for k := range grid[r] {
						ref, _ := excelize.CoordinatesToCellName(k+1, r+1)
						at := place{sheet, ref}
						old := value(before, at)
						formula, _ := before.GetCellFormula(sheet, ref)
						if got := value(after, at); got != old && !withheld[at] && !gone[at] && !(formula != "" && got == p.Mark) {
							t.Errorf("%v: %q became %q", at, old, got)
						}
					}
				}
			}
		})
	}
}

var cellsOf = regexp.MustCompile(`<c r="[A-Z]+[0-9]+"[^>]*(/>|>.*?</c>)`)

func openBook(t *testing.T, path string) *excelize.File {
	t.Helper()
	f := must.Get(excelize.OpenFile(path))(t)
	t.Cleanup(func() { f.Close() })
	return f
}

// rows reads a CSV file behind its first line.
func rows(t *testing.T, path string) (all []map[string]string) {
	t.Helper()
	raw := must.Get(os.ReadFile(path))(t)
	mark, text, _ := strings.Cut(string(raw), "\n")
	if mark != "# for the office only" {
		t.Errorf("%s begins with %s", path, mark)
	}
	lines := must.Get(csv.NewReader(strings.NewReader(text)).ReadAll())(t)
	for _, line := range lines[1:] {
		row := map[string]string{}
		for k, name := range lines[0] {
			row[name] = line[k]
		}
		all = append(all, row)
	}
	return all
}

func unzip(t *testing.T, path string) map[string]string {
	t.Helper()
	z := must.Get(zip.OpenReader(path))(t)
	defer z.Close()
	all := map[string]string{}
	for _, f := range z.File {
		r := must.Get(f.Open())(t)
		b := must.Get(io.ReadAll(r))(t)
		all[f.Name] = string(b)
	}
	return all
}

// TestFootnotedNumbers: numbers with the marks of footnotes are numbers, and a withheld one loses both.
func TestFootnotedNumbers(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"%s", "%se", "%s *", "%s e", "r %s", "%s 1)"} {
		f := excelize.NewFile()
		defer f.Close()
		for r, row := range [][]string{{"Persons by area and status"}, {"Area", "Single", "Married", "Widowed", "Total"}, {"Adair", "2", "30", "8", "40"}, {"Boone", "14", "25", "9", "48"}, {"Clay", "11", "1", "7", "19"}, {"Total", "27", "56", "24", "107"}} {
			for c, text := range row {
				ref, _ := excelize.CoordinatesToCellName(c+1, r+1)
				var err error
				if n, bad := strconv.Atoi(text); bad != nil {
					err = f.SetCellValue("Sheet1", ref, text)
				} else if (r+c)%2 == 1 { // also the sensitive one
					err = f.SetCellStr("Sheet1", ref, fmt.Sprintf(form, text))
				} else {
					err = f.SetCellValue("Sheet1", ref, n)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		dir := t.TempDir()
		src, out := filepath.Join(dir, "a.xlsx"), filepath.Join(dir, "b.xlsx")
		must.Do(t, f.SaveAs(src))
		var text bytes.Buffer
		if code := run([]string{"suppress", "--below", "3", "--width", "3", "-o", out, src}, nil, &text, &text); code != cli.Done {
			t.Errorf("%s: exit code %d\n%s", form, code, &text)
			continue
		}
		before, after := openBook(t, src), openBook(t, out)
		marks := 0
		for _, ref := range []string{"B3", "C3", "D3", "B4", "C4", "D4", "B5", "C5", "D5", "E5"} {
			was, _ := before.GetCellValue("Sheet1", ref)
			is, _ := after.GetCellValue("Sheet1", ref)
			if is != was {
				if marks++; strings.ContainsAny(is, "0123456789e*)") {
					t.Errorf("%s: %s was %q and is %q", form, ref, was, is)
				}
			} else if ref == "B3" || ref == "C5" {
				t.Errorf("%s: %s is %q", form, ref, is)
			}
		}
		if marks < 4 {
			t.Errorf("%s: %d marks", form, marks)
		}
	}
}
