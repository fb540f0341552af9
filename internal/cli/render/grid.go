package render

import (
	"fmt"
	"io"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// Limits on what a person is shown: larger tables are listed, longer lists are cut.
const (
	maxGridCells   = 500
	maxGridColumns = 24
	MaxListRows    = 50
)

// FitsGrid reports whether a person would read t as cross-tabulations: not if most places would be empty, as in tables
// that are protected together.
func FitsGrid(t *table.Table) bool {
	places := 1
	for i := range t.Dims {
		places = min(places*len(t.Dims[i].Codes), maxGridCells*maxGridCells)
	}
	return (len(t.Dims) < 3 || places <= 4*t.Len()) && len(t.Dims) >= 2 && t.Len() <= maxGridCells && len(t.Dims[1].Codes) <= maxGridColumns
}

// Grid prints t as cross-tabulations of its first two variables, one for every combination of codes of the others; show
// returns the text of a cell.
func Grid(w io.Writer, t *table.Table, show func(i int) string) {
	k := len(t.Dims)
	at := make(map[[6]int32]int, t.Len())
	for i := range t.Len() {
		var key [6]int32
		copy(key[:], t.Coord[i*k:i*k+k])
		at[key] = i
	}
	var layer func(key [6]int32, d int, title string)
	layer = func(key [6]int32, d int, title string) {
		if d == k {
			if title != "" {
				fmt.Fprintf(w, "%s\n", title)
			}
			printLayer(w, t, at, key, show)
			fmt.Fprintln(w)
			return
		}
		codes, labels := t.Dims[d].Shown("")
		for n, c := range codes {
			key[d] = c
			sep := ""
			if title != "" {
				sep = ", "
			}
			layer(key, d+1, title+sep+t.Dims[d].Name+" = "+labels[n])
		}
	}
	layer([6]int32{}, 2, "")
}

// printLayer prints the cross-tabulation at the codes key of the variables from
// the third on. A cell that is not part of t is empty and shown as "-".
func printLayer(w io.Writer, t *table.Table, at map[[6]int32]int, key [6]int32, show func(i int) string) {
	rows, rowLabels := t.Dims[0].Shown("  ")
	cols, header := t.Dims[1].Shown("")
	grid := NewColumns(1, append([]string{t.Dims[0].Name + " \\ " + t.Dims[1].Name}, header...)...)
	grid.codes = true
	for n, r := range rows {
		line := []string{rowLabels[n]}
		for _, c := range cols {
			key[0], key[1] = r, c
			s := "-"
			if i, ok := at[key]; ok {
				s = show(i)
			}
			line = append(line, s)
		}
		grid.Add(line...)
	}
	grid.Print(w)
}

// CountSensitive returns the number of sensitive cells of t.
func CountSensitive(t *table.Table) int { return sets.Times(t.Status, table.Sensitive) }
