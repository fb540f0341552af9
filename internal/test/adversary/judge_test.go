package adversary

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/hitoku/hitoku/lp/simplex"

	"github.com/hitoku/hitoku/lp"
)

// What follows judges files, by themselves: it knows what every number of a file tells of the cells, looks which numbers the copy
// still shows, and computes between which ends a reader can place a sensitive cell.

// A spot is where something stands in a file: of a text file line:field, of a workbook an address, or what a comment is on.
type spot struct{ sheet, ref string }

// A tale is what a number of a file tells: lo ≤ Σ coef·cell ≤ up. Where at is zero everybody knows it.
type tale struct {
	at     spot
	cells  []int
	coef   []float64
	lo, up float64
}

// A truth is what stands behind a file.
type truth struct {
	value     []float64
	sensitive []int
	tales     []tale
}

// isValue tells the value of a cell, give or take half of unit.
func (t *truth) isValue(at spot, cell int, unit float64) {
	v := t.value[cell]
	t.tales = append(t.tales, tale{at, []int{cell}, []float64{1}, v - unit/2, v + unit/2})
}

// isRatio tells that f·a/b is shown, give or take d.
func (t *truth) isRatio(at spot, a, b int, f, shown, d float64) {
	if a == b {
		return
	}
	inf := math.Inf(1)
	t.tales = append(t.tales, tale{at, []int{a, b}, []float64{f, -(shown - d)}, 0, inf}, tale{at, []int{a, b}, []float64{f, -(shown + d)}, -inf, 0})
}

// isSum says that everybody knows that total is the sum of parts.
func (t *truth) isSum(total int, parts []int) {
	r := tale{cells: []int{total}, coef: []float64{-1}}
	for _, p := range parts {
		r.cells, r.coef = append(r.cells, p), append(r.coef, 1)
	}
	t.tales = append(t.tales, r)
}

// told is a sensitive cell that a reader places within less than width.
type told struct {
	cell   int
	lo, up float64
}

// judge returns the first sensitive cell that the copy tells too closely, nil for none. No cell is below zero.
func (t *truth) judge(before, after map[spot]string, width float64) (*told, error) {
	n := len(t.value)
	p := &lp.Problem{Cost: make([]float64, n), Lo: make([]float64, n), Up: make([]float64, n)}
	for j := range n {
		p.Up[j] = math.Inf(1)
	}
	for _, r := range t.tales {
		if r.at != (spot{}) && (before[r.at] == "" || after[r.at] != before[r.at]) {
			continue
		}
		const slack = 1e-9 // of numbers that are written in binary
		lo, up := r.lo-slack*math.Abs(r.lo), r.up+slack*math.Abs(r.up)
		if len(r.cells) == 1 && r.coef[0] == 1 {
			p.Lo[r.cells[0]], p.Up[r.cells[0]] = max(p.Lo[r.cells[0]], lo), min(p.Up[r.cells[0]], up)
			continue
		}
		row := lp.Row{Lo: lo, Up: up, Val: r.coef}
		for _, c := range r.cells {
			row.Idx = append(row.Idx, int32(c))
		}
		p.Rows = append(p.Rows, row)
	}
	s := simplex.New()
	defer s.Close()
	if err := s.Load(p); err != nil {
		return nil, err
	}
	for _, c := range t.sensitive {
		ends := [2]float64{p.Lo[c], p.Up[c]}
		if ends[1]-ends[0] >= width-1e-6 { // else it is told by itself
			for k, sign := range []float64{1, -1} {
				if err := s.SetCost(c, sign); err != nil {
					return nil, err
				}
				res, err := s.Solve(context.Background())
				if err != nil {
					return nil, err
				}
				switch res.Status {
				case lp.Optimal:
					ends[k] = sign * res.Value
				case lp.Unbounded:
					ends[k] = -sign * math.Inf(1)
				default:
					return nil, fmt.Errorf("cell %d: %v: the truth of the test contradicts itself", c, res.Status)
				}
			}
			if err := s.SetCost(c, 0); err != nil {
				return nil, err
			}
		}
		if ends[1]-ends[0] < width-1e-6 {
			return &told{c, ends[0], ends[1]}, nil
		}
	}
	return nil, nil
}

// spots are all texts of a file by where they stand.
func spots(path string, mark rune) (map[spot]string, error) {
	all := map[spot]string{}
	if filepath.Ext(path) == ".ods" {
		return spreadsheetSpots(path)
	}
	if filepath.Ext(path) != ".xlsx" {
		b, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for n, line := range strings.Split(string(b), "\n") {
			r := csv.NewReader(strings.NewReader(line))
			r.Comma, r.FieldsPerRecord, r.LazyQuotes = mark, -1, true
			row, err := r.Read()
			if err != nil {
				continue // an empty line
			}
			for c, text := range row {
				all[spot{"", fmt.Sprintf("%d:%d", n+1, c+1)}] = text
			}
		}
		return all, nil
	}
	f, err := excelize.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for _, sheet := range f.GetSheetList() {
		grid, err := f.GetRows(sheet, excelize.Options{RawCellValue: true})
		if err != nil {
			return nil, err
		}
		for r, row := range grid {
			for c, text := range row {
				ref, err := excelize.CoordinatesToCellName(c+1, r+1)
				if err != nil {
					return nil, err
				}
				all[spot{sheet, ref}] = text
			}
		}
		comments, err := f.GetComments(sheet)
		if err != nil {
			return nil, err
		}
		for _, c := range comments {
			text := c.Text
			for _, p := range c.Paragraph {
				text += p.Text
			}
			all[spot{sheet, "comment " + c.Cell}] = text
		}
	}
	for _, d := range f.GetDefinedName() {
		all[spot{"", d.Name}] = d.RefersTo
	}
	return all, nil
}

// TestJudge: the judge sees what is told by a value, a share and a difference.
func TestJudge(t *testing.T) {
	t.Parallel()
	at := func(k int) spot { return spot{"", fmt.Sprint("1:", k)} }
	shown := map[spot]string{at(1): "2", at(2): "50", at(3): "52", at(4): "3.8"}
	x := &truth{value: []float64{2, 50, 52, 5, 6}, sensitive: []int{0}}
	x.isSum(2, []int{0, 1})
	x.isValue(at(1), 0, 0)
	x.isValue(at(2), 1, 0)
	x.isValue(at(3), 2, 0)
	x.isRatio(at(4), 0, 2, 100, 3.8, 0.05)
	for hidden, want := range map[string]bool{"": true, "1": true, "12": true, "124": false, "14": true, "2": true, "134": false} {
		after := map[spot]string{}
		for k := range 4 {
			if !strings.Contains(hidden, fmt.Sprint(k+1)) {
				after[at(k+1)] = shown[at(k+1)]
			}
		}
		got, err := x.judge(shown, after, 3)
		if err != nil || (got != nil) != want {
			t.Errorf("without %s: %v %v", hidden, got, err)
		}
	}
}
