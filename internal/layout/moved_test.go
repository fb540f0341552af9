package layout

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestMoved changes the sheets of the cases in ways that offices do and wants the same tables:
// codes, trees and values, wherever these stand now.
func TestMoved(t *testing.T) {
	changes := map[string]func(*Grid){
		"further down and right": func(g *Grid) {
			for r := range g.Rows {
				g.Rows[r] = append(make([]Field, 2), g.Rows[r]...)
			}
			g.Rows = append(make([][]Field, 3), g.Rows...)
			for i := range g.Merged {
				m := &g.Merged[i]
				m.Top, m.Bottom, m.Left, m.Right = m.Top+3, m.Bottom+3, m.Left+2, m.Right+2
			}
		},
		"without styles": func(g *Grid) {
			for r := range g.Rows {
				for c := range g.Rows[r] {
					g.Rows[r][c].Style = nil
				}
			}
		},
		"without merged fields": func(g *Grid) { g.Merged = nil },
		"without indentation": func(g *Grid) {
			for r := range g.Rows {
				for c := range g.Rows[r] {
					f := &g.Rows[r][c]
					f.Text, f.Style = strings.TrimLeftFunc(f.Text, isBlank), nil
				}
			}
		},
		"without blank rows below the header": func(g *Grid) {
			if len(g.Merged) > 0 {
				return
			}
			var rows [][]Field
			seen := false
			for _, row := range g.Rows {
				n := 0
				for c := range row {
					if row[c].Number {
						n++
					}
				}
				seen = seen || n > 2
				if len(row) > 0 || !seen {
					rows = append(rows, row)
				}
			}
			g.Rows = rows
		},
		"numbers as text": func(g *Grid) {
			for r := range g.Rows {
				for c := range g.Rows[r] {
					f := &g.Rows[r][c]
					if f.Number && len(f.Text) > 3 && !isYear(f.Text) && !strings.Contains(f.Text, ".") {
						f.Text = f.Text[:len(f.Text)-3] + "," + f.Text[len(f.Text)-3:]
					}
					f.Number = false
				}
			}
		},
		"full width": func(g *Grid) {
			for r := range g.Rows {
				for c := range g.Rows[r] {
					if f := &g.Rows[r][c]; f.Number && !isYear(f.Text) {
						f.Number = false
						f.Text = strings.Map(func(r rune) rune {
							if r >= '0' && r <= '9' {
								return r - '0' + '０'
							}
							return r
						}, f.Text)
					}
				}
			}
		},
	}
	not := map[string]string{
		"us-census-of-agriculture, without indentation": "what is above what in a table that does not add up is told by indentation alone",
	}
	for _, name := range []string{"pref-two-level-header", "pref-filldown-subtotals", "ministry-manufacturing", "ons-workbook", "us-census-of-agriculture", "insee-communes", "office-formulas"} {
		_, _, path := expected(t, name)
		open := func() *Book {
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			b, err := Workbook(f, filepath.Base(path))
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		want, err := find(open(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for how, change := range changes {
			if why, ok := not[name+", "+how]; ok {
				t.Logf("%s, %s: left out: %s", name, how, why)
				continue
			}
			t.Run(name+" "+how, func(t *testing.T) {
				b := open()
				for _, g := range b.Grids {
					change(g)
				}
				got, err := find(b, Options{})
				if err != nil {
					t.Fatal(err)
				}
				number := cmp.Transformer("number", func(d *Decimal) string {
					return fmt.Sprint(d != nil && *d != "") + strings.TrimSuffix(fmt.Sprint(valueOf(d)), ".0")
				})
				if d := cmp.Diff(want.Tables, got.Tables, cmpopts.IgnoreFields(Table{}, "Notes", "Relations", "Derived", "unsure", "refused", "unused"), cmp.AllowUnexported(Table{}, beside{}), cmpopts.IgnoreFields(Cell{}, "Ref", "Formula"), number); d != "" {
					t.Errorf("%s", d)
				}
			})
		}
	}
}

func valueOf(d *Decimal) string {
	if d == nil {
		return ""
	}
	return string(*d)
}
