// Package census reads tables of a population, as statistical offices publish them, to compare them with
// records. It matches each value of a column to a category of the table, by what the column is (an age, a
// region code, a date of birth), and tells how many people a combination of categories has.
package census

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/px"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// A Variable is a variable of a table, with its categories.
type Variable struct {
	Name          string
	Codes, Labels []string
}

// A Table holds numbers of people by variables.
type Table struct {
	Variables []Variable
	Cells     []Cell
	Unknown   int // number of cells left out because they have a mark in place of a number
}

// A Cell is the number of people in one category of each variable.
type Cell struct {
	At []int
	N  uint64
}

// Wanted says which variables of a file are read.
type Wanted struct {
	Names  []string          // names of the variables, in the order of the result
	Select map[string]string // for a variable not among Names, its one category, by code or label
	Count  string            // column of a CSV file that holds the numbers; empty: value
	// Encoding of the file; empty: detected.
	Encoding string
}

// Read reads a table, as PX if it has that extension, else as CSV. CSV has a line of names, perhaps after other
// lines, a column for each variable and one for the number of people. A variable that is neither wanted nor
// selected must have a single category. Numbers are whole, "-" is 0, and commas between digits are ignored.
func Read(path string, w Wanted) (*Table, error) {
	if !strings.EqualFold(filepath.Ext(path), ".px") {
		return readCSV(path, w)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, formats.OSError(path, err)
	}
	defer f.Close()
	return readPX(f, path, w)
}

// total are names of the category of everybody, which a variable that is not wanted may have.
var total = []string{"総数", "計", "合計", "total", "all", "both sexes"}

// chosen returns the category to use of a variable that is not wanted: the selected one, the only one, or that
// of everybody.
func chosen(path string, v Variable, w Wanted) (int, error) {
	if want, ok := w.Select[v.Name]; ok {
		for i := range v.Codes {
			if v.Codes[i] == want || v.Labels[i] == want {
				return i, nil
			}
		}
		return 0, i18n.Errorf("%s: variable %s has no category %s", path, formats.Show(v.Name), formats.Show(want))
	}
	if len(v.Codes) == 1 {
		return 0, nil
	}
	for i, label := range v.Labels {
		if slices.Contains(total, strings.ToLower(strings.TrimSpace(label))) {
			return i, nil
		}
	}
	return 0, i18n.Errorf("%s: variable %s is no quasi-identifier and has %d categories, like %s; select one", path, formats.Show(v.Name), len(v.Codes), formats.Show(v.Labels[0]))
}

func readPX(f io.Reader, path string, w Wanted) (*Table, error) {
	c, err := px.ReadCube(f, path, formats.Options{Encoding: w.Encoding})
	if err != nil {
		return nil, err
	}
	var all []Variable
	for _, v := range c.Variables {
		x := Variable{Name: v.Name, Codes: v.Codes, Labels: v.Texts}
		if x.Labels == nil {
			x.Labels = x.Codes
		}
		if x.Codes == nil {
			x.Codes = x.Labels
		}
		all = append(all, x)
	}
	t, place, fixed, err := arrange(path, all, w)
	if err != nil {
		return nil, err
	}
cells:
	for _, x := range c.Cells {
		for k, at := range fixed {
			if at >= 0 && x.At[k] != at {
				continue cells
			}
		}
		n, ok := count(x.Text)
		switch {
		case ok:
		case x.Quoted:
			t.Unknown++
			continue
		default:
			return nil, &formats.Error{File: path, Line: x.Line, Value: formats.Show(x.Text), Want: i18n.T("want a whole number of people")}
		}
		cell := Cell{N: n}
		for _, k := range place {
			cell.At = append(cell.At, x.At[k])
		}
		t.Cells = append(t.Cells, cell)
	}
	return t, nil
}

// arrange finds the places of the variables wanted, and the one category of each other variable (−1 for those
// wanted).
func arrange(path string, all []Variable, w Wanted) (t *Table, place, fixed []int, err error) {
	t = &Table{}
	fixed = make([]int, len(all))
	for _, name := range w.Names {
		k := slices.IndexFunc(all, func(v Variable) bool { return v.Name == name })
		if k < 0 {
			names := sets.Each(all, func(v Variable) string { return v.Name })
			return nil, nil, nil, i18n.Errorf("%s: no variable %s; it has %s", path, formats.Show(name), strings.Join(names, ", "))
		}
		place = append(place, k)
		t.Variables = append(t.Variables, all[k])
	}
	for k, v := range all {
		fixed[k] = -1
		if slices.Contains(place, k) {
			continue
		}
		if fixed[k], err = chosen(path, v, w); err != nil {
			return nil, nil, nil, err
		}
	}
	return t, place, fixed, nil
}

// count reads a number of people.
func count(text string) (uint64, bool) {
	text = strings.TrimSpace(text)
	if text == "-" || text == "－" {
		return 0, true
	}
	n, err := strconv.ParseUint(strings.ReplaceAll(text, ",", ""), 10, 64)
	return n, err == nil
}

// marks stand for a number that is withheld or not known.
var marks = []string{"x", "X", "χ", "***", "…", "...", "..", ""}

// mostPreamble is how many lines may stand before the line of names.
const mostPreamble = 100

func readCSV(path string, w Wanted) (*Table, error) {
	number := cmp.Or(w.Count, "value")
	wanted := append(slices.Clone(w.Names), number)
	var names []string
	t := &Table{Variables: make([]Variable, len(w.Names))}
	index := make([]map[string]int, len(w.Names))
	var columns []int
	only := map[int]string{} // by column, the category that Select wants
	lines := 0
	err := formats.EachRecord(path, i18n.Text{}, func(r *csv.Reader) { r.FieldsPerRecord, r.LazyQuotes = -1, true }, func(line int, rec []string) error {
		if names == nil {
			for i := range rec {
				rec[i] = strings.TrimSpace(rec[i])
			}
			if lines++; lines > mostPreamble {
				return io.EOF
			}
			if columns = find(rec, wanted); columns == nil {
				return nil
			}
			names = slices.Clone(rec)
			for k, name := range w.Names {
				t.Variables[k].Name, index[k] = name, map[string]int{}
			}
			for name, value := range w.Select {
				at := slices.Index(names, name)
				if at < 0 {
					return i18n.Errorf("%s: no column %s to select by; it has %s", path, formats.Show(name), strings.Join(names, ", "))
				}
				only[at] = value
			}
			return nil
		}
		if len(rec) != len(names) {
			return &formats.Error{File: path, Line: line, Value: fmt.Sprintf("%d fields", len(rec)), Want: i18n.T("want %d", len(names))}
		}
		if left(rec, only) {
			return nil
		}
		n, ok := count(rec[columns[len(columns)-1]])
		if text := rec[columns[len(columns)-1]]; !ok && slices.Contains(marks, strings.TrimSpace(text)) {
			t.Unknown++
			return nil
		}
		if !ok {
			return &formats.Error{File: path, Line: line, Field: number, Value: formats.Show(rec[columns[len(columns)-1]]), Want: i18n.T("want a whole number of people")}
		}
		cell := Cell{N: n}
		for k := range w.Names {
			v := &t.Variables[k]
			text := strings.TrimSpace(rec[columns[k]])
			at, seen := index[k][text]
			if !seen {
				at = len(v.Codes)
				index[k][text] = at
				v.Codes, v.Labels = append(v.Codes, text), append(v.Labels, text)
			}
			cell.At = append(cell.At, at)
		}
		t.Cells = append(t.Cells, cell)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if names == nil {
		return nil, i18n.Errorf("%s: no line has the names %s", path, strings.Join(wanted, ", "))
	}
	return t, t.once(path)
}

// left reports whether a line is left out because it is not among the selected ones.
func left(rec []string, only map[int]string) bool {
	for at, value := range only {
		if strings.TrimSpace(rec[at]) != value {
			return true
		}
	}
	return false
}

// find returns the places of names in a line, nil if one is missing.
func find(rec, names []string) []int {
	var list []int
	for _, n := range names {
		at := slices.Index(rec, n)
		if at < 0 {
			return nil
		}
		list = append(list, at)
	}
	return list
}

// once checks that each combination of categories has one number only: otherwise people would be counted twice,
// by a variable that was not named.
func (t *Table) once(path string) error {
	seen := map[string]bool{}
	for _, c := range t.Cells {
		key := fmt.Sprint(c.At)
		if seen[key] {
			var names []string
			for k, at := range c.At {
				names = append(names, t.Variables[k].Labels[at])
			}
			return i18n.Errorf("%s: two numbers for %s: another column tells them apart; select one of its values", path, strings.Join(names, ", "))
		}
		seen[key] = true
	}
	return nil
}
