package layout

import (
	"fmt"
	"strings"
	"testing"
)

// TestSheetOfRates reads sheets of deaths and of persons, none of which is less, and of the deaths for each thousand: one table of two measures, of
// which the third sheet is computed.
func TestSheetOfRates(t *testing.T) {
	t.Parallel()
	deaths := [][]int{{12, 7, 31}, {25, 18, 44}, {9, 15, 23}}
	persons := [][]int{{1510, 930, 4017}, {2903, 2011, 5120}, {1204, 1777, 2650}}
	lines := func(cell func(r, c int) string) string {
		s := "Persons by area and class\nArea|low|middle|high|Total\n"
		for r := range 4 {
			s += []string{"North", "South", "West", "Total"}[r]
			for c := range 4 {
				s += "|" + cell(r, c)
			}
			s += "\n"
		}
		return s
	}
	sum := func(of [][]int, r, c int) (n int) {
		for i := range of {
			for j := range of[i] {
				if (r == 3 || r == i) && (c == 3 || c == j) {
					n += of[i][j]
				}
			}
		}
		return n
	}
	b := &Book{File: File{Name: "x.xlsx", Format: "xlsx"}}
	add := func(name string, cell func(r, c int) string) {
		g := sheetOf(lines(cell)).Grids[0]
		g.Sheet = name
		b.Grids = append(b.Grids, g)
	}
	add("Deaths", func(r, c int) string { return fmt.Sprint(sum(deaths, r, c)) })
	add("Persons", func(r, c int) string { return fmt.Sprint(sum(persons, r, c)) })
	add("per thousand", func(r, c int) string {
		return fmt.Sprintf("%.1f", 1000*float64(sum(deaths, r, c))/float64(sum(persons, r, c)))
	})
	r, err := find(b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Tables) != 1 || len(r.Tables[0].Cells) != 32 || len(r.Tables[0].Derived) != 16 {
		t.Errorf("%d tables, want one of 32 cells and 16 computed numbers: %v", len(r.Tables), r.Words())
	}
}

// TestManyDecimals: which rows of decimals are computed from others is looked up, not tried with every pair.
func TestManyDecimals(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	text.WriteString("Year,Week,Rate,Index\n")
	for i := range 4000 {
		fmt.Fprintf(&text, "%d,%d,%d.%03d,%d.%02d\n", 2000+i/52, i%52+1, i*7919%97+1, i*104729%997, i*31%89+90, i*193%97)
	}
	s := &surveyor{found: map[fieldAt]*computed{}}
	o, err := Open(strings.NewReader(text.String()), "f.csv", "", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := numbersOf(o.grids[0], &numberStyle{Decimal: '.'})
	n.found = s.found
	for _, p := range n.parts {
		s.lines(n, p.rowLines(), 3)
	}
	if most := 4000 * 1000; s.looked == 0 || s.looked > most { // of 4000 · 4000 · 6
		t.Errorf("%d lines and numbers looked at, want at most %d", s.looked, most)
	}
}
