package px

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// Write writes t as a PX file: the codes and values of all its cells, and trees that are not flat. Combinations
// of codes for which t has no cell are written as structural zeros. With style.Flag the values of withheld
// cells are written beside marks of their statuses, otherwise they are masked by the symbol.
//
// PX has no place for contributors, costs, levels, bounds and largest contributions.
func Write(w io.Writer, t *table.Table, style formats.Style) error {
	return writeTable(w, t, style, nil, false)
}

// lineLength is the longest line that old readers accept.
const lineLength = 240

func writeTable(w io.Writer, t *table.Table, style formats.Style, withheld []bool, uniform bool) error {
	if err := checkTexts(t); err != nil {
		return err
	}
	mark, symbol, err := dotsFor(style.Symbol)
	if err != nil {
		return err
	}
	g, err := newGrid(t)
	if err != nil {
		return err
	}
	var b strings.Builder
	g.writeKeywords(&b)
	if symbol != "" {
		fmt.Fprintf(&b, "DATASYMBOL%d=\"%s\";\n", len(mark), symbol)
	}
	b.WriteString("DATASYMBOLNIL=\"-\";\n")
	if style.Flag || style.Tell {
		g.writeFlags(&b, flags(t, &style, withheld, uniform, nil, t.Len()))
	}
	bw := bufio.NewWriter(w)
	if _, err := bw.WriteString(b.String()); err != nil {
		return err
	}
	g.writeData(bw, func(i int) string {
		out := withheld != nil && withheld[i] || !t.Known(i) || withheld == nil && (t.Status[i] == table.Sensitive || t.Status[i] == table.Withheld)
		if out && !(style.Flag && t.Known(i)) {
			return `"` + mark + `"`
		}
		return table.FormatDecimal(t.Value[i], t.Decimals)
	})
	return bw.Flush()
}

// checkTexts refuses tables without dimensions, and texts that PX cannot write within quotes.
func checkTexts(t *table.Table) error {
	if len(t.Dims) == 0 {
		return i18n.Errorf("table %s: no dimensions; a table of relations alone is written as JJ", t.Name)
	}
	for d := range t.Dims {
		for _, s := range append([]string{t.Dims[d].Name}, t.Dims[d].Codes...) {
			if strings.ContainsAny(s, "\"\r\n") || strings.TrimSpace(s) != s {
				return i18n.Errorf("table %s: %s: PX cannot write a quote, a line end or an outer blank in a text", t.Name, formats.Show(s))
			}
		}
	}
	return nil
}

// A grid holds all combinations of the codes that cells of t use, which PX lists in full: in rows over the last
// dimension, in order of the others.
type grid struct {
	t      *table.Table
	used   [][]int32  // for each dimension, its used codes in the order of its tree
	codes  [][]string // the texts of these codes
	cell   []int32    // for each place, 1 + the number of its cell; 0 if t has none
	width  int        // number of codes of the last dimension
	sparse bool       // empty rows are left out; the others begin with their codes
}

func newGrid(t *table.Table) (*grid, error) {
	k := len(t.Dims)
	g := &grid{t: t, used: make([][]int32, k), codes: make([][]string, k)}
	place := make([][]int32, k) // for each code, its place in used
	size := 1
	for d := range t.Dims {
		place[d] = make([]int32, len(t.Dims[d].Codes))
		for i := range t.Len() {
			place[d][t.Coord[i*k+d]] = 1
		}
		for c, u := range place[d] {
			if u == 1 {
				place[d][c] = int32(len(g.used[d]))
				g.used[d] = append(g.used[d], int32(c))
				g.codes[d] = append(g.codes[d], t.Dims[d].Codes[c])
			}
		}
		if size *= len(g.used[d]); budget.Cells.Passed(size) {
			return nil, i18n.Errorf("table %s: its dimensions span more than %d cells, which PX would all list", t.Name, budget.Cells.Max())
		}
	}
	g.width = len(g.used[k-1])
	g.cell = make([]int32, size)
	for i := range t.Len() {
		at := 0
		for d := range k {
			at = at*len(g.used[d]) + int(place[d][t.Coord[i*k+d]])
		}
		g.cell[at] = int32(i + 1)
	}
	rows, missing := 0, 0
	for row := range slices.Chunk(g.cell, g.width) {
		rows++
		if empty(row) {
			missing++
		}
	}
	g.sparse = k > 1 && 2*missing > rows
	return g, nil
}

// empty reports whether a row of a grid has no cells.
func empty(row []int32) bool {
	return !slices.ContainsFunc(row, func(c int32) bool { return c > 0 })
}

// writeKeywords writes the keywords up to the symbols and notes: the dimensions with their codes and trees.
func (g *grid) writeKeywords(b *strings.Builder) {
	t, k := g.t, len(g.t.Dims)
	title := strings.NewReplacer(`"`, "'", "\r", " ", "\n", " ").Replace(t.Name)
	units := "units"
	if t.Counts {
		units = "number"
	}
	fmt.Fprintf(b, "CHARSET=\"ANSI\";\nAXIS-VERSION=\"2013\";\nCODEPAGE=\"utf-8\";\nLANGUAGE=\"en\";\nDECIMALS=%d;\nSHOWDECIMALS=%d;\n", t.Decimals, min(t.Decimals, 6))
	fmt.Fprintf(b, "MATRIX=\"T\";\nSUBJECT-AREA=\"\";\nSUBJECT-CODE=\"\";\nTITLE=\"%s\";\nCONTENTS=\"%s\";\nUNITS=\"%s\";\n", title, title, units)
	names := sets.List(k, func(d int) string { return t.Dims[d].Name })
	if k > 1 {
		fmt.Fprintf(b, "STUB=%s;\n", quotedList(names[:k-1]))
	}
	fmt.Fprintf(b, "HEADING=%s;\n", quotedList(names[k-1:]))
	for d := range k {
		codes := quotedList(g.codes[d])
		fmt.Fprintf(b, "VALUES(\"%s\")=%s;\nCODES(\"%s\")=%s;\n", names[d], quotedList(texts(&t.Dims[d], g.codes[d])), names[d], codes)
		dim, total := &t.Dims[d], g.used[d][0] == 0
		if total && len(dim.Codes) > 1 {
			fmt.Fprintf(b, "ELIMINATION(\"%s\")=\"%s\";\n", names[d], dim.Total())
		}
		if (!dim.Flat() || !total) && len(dim.Codes) > 1 {
			fmt.Fprintf(b, "HIERARCHIES(\"%s\")=\"%s\"", names[d], dim.Total())
			for c := range dim.Parent[1:] {
				fmt.Fprintf(b, ",\n\"%s\":\"%s\"", dim.Codes[dim.Parent[c+1]], dim.Codes[c+1])
			}
			b.WriteString(";\n")
		}
		if g.sparse && d < k-1 {
			fmt.Fprintf(b, "KEYS(\"%s\")=CODES;\n", names[d])
		}
	}
}

// texts returns the labels of codes, or the codes themselves if two labels are the same or PX cannot write one
// of them.
func texts(d *table.Dimension, codes []string) []string {
	if d.Labels == nil {
		return codes
	}
	all, seen := make([]string, len(codes)), map[string]bool{}
	for n, c := range codes {
		all[n] = cmp.Or(d.Labels[c], c)
		if seen[all[n]] || strings.ContainsAny(all[n], "\"\r\n") {
			return codes
		}
		seen[all[n]] = true
	}
	return all
}

// quotedList joins quoted texts by commas, with line breaks so that old readers accept the lines.
func quotedList(s []string) string {
	var l strings.Builder
	line := 40 // space for the keyword on the first line
	for i, x := range s {
		if i > 0 {
			l.WriteByte(',')
			if line+utf8.RuneCountInString(x)+3 > lineLength {
				l.WriteByte('\n')
				line = 0
			}
		}
		l.WriteString(`"` + x + `"`)
		line += utf8.RuneCountInString(x) + 3
	}
	return l.String()
}

// writeFlags writes the marks of cells in the order of the data.
func (g *grid) writeFlags(b *strings.Builder, all []flag) {
	t := g.t
	at := make([]int, t.Len())
	for n, i := range g.cell {
		if i > 0 {
			at[i-1] = n
		}
	}
	slices.SortFunc(all, func(f, h flag) int { return at[f.cell] - at[h.cell] })
	writeNotes(b, all, t.CellCodes)
}

// writeData writes the values as show returns them, and a dash for structural zeros.
func (g *grid) writeData(bw *bufio.Writer, show func(i int) string) {
	t, k := g.t, len(g.t.Dims)
	bw.WriteString("DATA=\n")
	key := make([]string, k-1)
	n := -1
	for row := range slices.Chunk(g.cell, g.width) {
		n++
		if g.sparse {
			if empty(row) {
				continue
			}
			r := n
			for d := k - 2; d >= 0; d-- {
				key[d], r = g.codes[d][r%len(g.codes[d])], r/len(g.codes[d])
			}
			for _, s := range key {
				bw.WriteString(`"` + s + `",`)
			}
		}
		for c, i := range row {
			if c > 0 {
				bw.WriteByte(' ')
			}
			if i--; i < 0 || t.Status[i] == table.Published && t.Value[i] == 0 && t.Known(int(i)) {
				bw.WriteString(`"-"`)
			} else {
				bw.WriteString(show(int(i)))
			}
		}
		bw.WriteByte('\n')
	}
	bw.WriteString(";\n")
}
