package px

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// layout writes a file back as it was: all of its text but the marks of cells.
type layout struct{ p *parser }

// Column implements tableio.Layout: messages name the cell.
func (l *layout) Column(record int, field string) string {
	if record < len(l.p.recs) {
		return strings.Join(l.p.recs[record].Codes, "/")
	}
	return field
}

// Write implements tableio.Layout. Of a file of which a part was selected only that
// part is written, as a new file: what was not looked at is not protected.
func (l *layout) Write(w io.Writer, in *tableio.Input, withheld []bool) error {
	p := l.p
	if len(p.o.Select) > 0 {
		return writeTable(w, in.Table, in.Style, withheld, in.Uniform)
	}
	style := in.Style
	if style.Symbol == "" {
		style.Symbol = p.mark
	}
	mark, symbol, err := dotsFor(style.Symbol)
	if err != nil {
		return err
	}
	if symbol != "" {
		key := fmt.Sprintf("DATASYMBOL%d", len(mark))
		if s := p.find(key); len(s) > 0 {
			if s[0].text() != symbol {
				return fmt.Errorf("table %s: %s is %s in the file, but the symbol wanted is %s", in.Table.Name, key, tableio.Show(s[0].text()), tableio.Show(symbol))
			}
			symbol = ""
		} else {
			symbol = key + `="` + symbol + "\";\n"
		}
	}
	var b strings.Builder
	pos := 0
	blank := p.repeating(in, withheld)
	changed := slices.Concat(p.notes, blank)
	slices.SortFunc(changed, func(a, b *statement) int { return a.at - b.at })
	for _, s := range changed {
		if len(blank) > 0 && s == blank[0] { // they are in the order of the file
			b.WriteString(p.text[pos:s.from] + `"";`)
			pos, blank = s.end, blank[1:]
			continue
		}
		b.WriteString(p.text[pos:s.at]) // statuses are written anew
		if pos = s.end; strings.HasPrefix(p.text[pos:], "\r\n") {
			pos += 2
		} else if strings.HasPrefix(p.text[pos:], "\n") {
			pos++
		}
	}
	b.WriteString(p.text[pos:p.data.at])
	var more strings.Builder
	more.WriteString(symbol)
	if style.Flag || style.Tell || withheld == nil && in.HasStatus {
		flags := flags(in.Table, &style, withheld, in.Uniform, p.found, len(p.recs))
		at := make([]int, len(p.vars))
		writeNotes(&more, flags, func(i int) []string {
			names := make([]string, len(p.vars))
			for n, v := range p.vars {
				if at[n] = max(v.only, 0); v.dim >= 0 {
					at[n] = v.index[p.recs[i].Codes[v.dim]]
				}
				names[n] = v.texts[at[n]]
				if j := v.byText[names[n]]; j != at[n] {
					names[n] = v.codes[at[n]]
				}
			}
			return names
		})
	}
	if ends := "\r\n"; strings.Contains(p.text, ends) {
		b.WriteString(strings.ReplaceAll(more.String(), "\n", ends))
	} else {
		b.WriteString(more.String())
	}
	pos = p.data.at
	for i, s := range p.span {
		if withheld != nil && withheld[i] && !style.Flag {
			b.WriteString(p.text[pos:s[0]])
			b.WriteString(`"` + mark + `"`)
			pos = s[1]
		}
	}
	b.WriteString(p.text[pos:])
	text := b.String()
	if p.enc != nil {
		if text, err = p.enc.NewEncoder().String(text); err != nil {
			return fmt.Errorf("table %s: the encoding of the file has no such character: %w", in.Table.Name, err)
		}
	}
	if p.bom {
		text = string(records.Mark) + text
	}
	_, err = io.WriteString(w, text)
	return err
}

// dotsFor returns the mark in the data for a symbol, and the symbol where
// DATASYMBOL has to give it.
func dotsFor(symbol string) (mark, shown string, err error) {
	switch {
	case symbol == "":
		return defaultSymbol, "", nil
	case slices.Contains(dots, symbol):
		return symbol, "", nil
	case strings.ContainsAny(symbol, "\"\r\n"):
		return "", "", fmt.Errorf("symbol %s: PX cannot write a quote or a line end in a text", tableio.Show(symbol))
	}
	return defaultSymbol, symbol, nil
}

// A flag is the code of CL_CONF_STATUS of a cell.
type flag struct {
	cell int
	code string
}

func flags(t *table.Table, style *tableio.Style, withheld []bool, uniform bool, found map[int]string, n int) []flag {
	var all []flag
	for i := range n {
		if code := style.Code(t.Status[i], t.ReasonOf(i), withheld != nil && withheld[i], uniform, found[i]); code != "F" {
			all = append(all, flag{i, code})
		}
	}
	return all
}

// writeNotes writes the marks beside cells and the note that says what they are.
func writeNotes(b *strings.Builder, flags []flag, names func(int) []string) {
	if len(flags) == 0 {
		return
	}
	b.WriteString("NOTE=\"Marks next to cells are codes of SDMX " + notesMean + ".\";\n")
	for _, f := range flags {
		b.WriteString("DATANOTECELL(")
		for n, s := range names(f.cell) {
			if n > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`"` + s + `"`)
		}
		b.WriteString(`)="` + f.code + "\";\n")
	}
}

// Write writes t as a PX file: codes and values of all its cells, and trees that are
// not flat. Cells of the grid that t lacks are structural zeros. With style.Flag the
// values of withheld cells are written beside marks for their statuses, else they
// are masked by the symbol.
//
// PX has no place for contributors, costs, levels, bounds and largest contributions.
func Write(w io.Writer, t *table.Table, style tableio.Style) error {
	return writeTable(w, t, style, nil, false)
}

// lineLength is what old readers take.
const lineLength = 240

func writeTable(w io.Writer, t *table.Table, style tableio.Style, withheld []bool, uniform bool) error {
	k := len(t.Dims)
	if k == 0 {
		return fmt.Errorf("table %s: no dimensions; a table of relations alone is written as JJ", t.Name)
	}
	for d := range t.Dims {
		for _, s := range append([]string{t.Dims[d].Name}, t.Dims[d].Codes...) {
			if strings.ContainsAny(s, "\"\r\n") || strings.TrimSpace(s) != s {
				return fmt.Errorf("table %s: %s: PX cannot write a quote, a line end or an outer blank in a text", t.Name, tableio.Show(s))
			}
		}
	}
	mark, symbol, err := dotsFor(style.Symbol)
	if err != nil {
		return err
	}
	// The codes that cells use, in the order of the tree.
	used := make([][]int32, k)
	place := make([][]int32, k) // code → its place in used
	for d := range t.Dims {
		place[d] = make([]int32, len(t.Dims[d].Codes))
		for i := range t.Len() {
			place[d][t.Coord[i*k+d]] = 1
		}
		for c, u := range place[d] {
			if u == 1 {
				place[d][c] = int32(len(used[d]))
				used[d] = append(used[d], int32(c))
			}
		}
	}
	size, width := 1, len(used[k-1])
	for d := range used {
		if size *= len(used[d]); size > maxCells {
			return fmt.Errorf("table %s: its dimensions span more than %d cells, which PX would all list", t.Name, maxCells)
		}
	}
	cell := make([]int32, size) // +1
	for i := range t.Len() {
		at := 0
		for d := range k {
			at = at*len(used[d]) + int(place[d][t.Coord[i*k+d]])
		}
		cell[at] = int32(i + 1)
	}
	rows := size / width
	empty := func(row int) bool {
		return !slices.ContainsFunc(cell[row*width:(row+1)*width], func(c int32) bool { return c > 0 })
	}
	missing := 0
	for row := range rows {
		if empty(row) {
			missing++
		}
	}
	sparse := k > 1 && 2*missing > rows

	var b strings.Builder
	list := func(s []string) string {
		var l strings.Builder
		line := 40
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
	title := strings.NewReplacer(`"`, "'", "\r", " ", "\n", " ").Replace(t.Name)
	units := "units"
	if t.Counts {
		units = "number"
	}
	fmt.Fprintf(&b, "CHARSET=\"ANSI\";\nAXIS-VERSION=\"2013\";\nCODEPAGE=\"utf-8\";\nLANGUAGE=\"en\";\nDECIMALS=%d;\nSHOWDECIMALS=%d;\n", t.Decimals, min(t.Decimals, 6))
	fmt.Fprintf(&b, "MATRIX=\"T\";\nSUBJECT-AREA=\"\";\nSUBJECT-CODE=\"\";\nTITLE=\"%s\";\nCONTENTS=\"%s\";\nUNITS=\"%s\";\n", title, title, units)
	names := make([]string, k)
	for d := range k {
		names[d] = t.Dims[d].Name
	}
	if k > 1 {
		fmt.Fprintf(&b, "STUB=%s;\n", list(names[:k-1]))
	}
	fmt.Fprintf(&b, "HEADING=%s;\n", list(names[k-1:]))
	codes := make([][]string, k)
	for d := range k {
		for _, c := range used[d] {
			codes[d] = append(codes[d], t.Dims[d].Codes[c])
		}
		fmt.Fprintf(&b, "VALUES(\"%s\")=%s;\nCODES(\"%s\")=%s;\n", names[d], list(codes[d]), names[d], list(codes[d]))
		dim := &t.Dims[d]
		if used[d][0] == 0 && len(dim.Codes) > 1 {
			fmt.Fprintf(&b, "ELIMINATION(\"%s\")=\"%s\";\n", names[d], dim.Total())
		}
		if (!dim.Flat() || used[d][0] != 0) && len(dim.Codes) > 1 {
			fmt.Fprintf(&b, "HIERARCHIES(\"%s\")=\"%s\"", names[d], dim.Total())
			for c := range dim.Parent[1:] {
				fmt.Fprintf(&b, ",\n\"%s\":\"%s\"", dim.Codes[dim.Parent[c+1]], dim.Codes[c+1])
			}
			b.WriteString(";\n")
		}
		if sparse && d < k-1 {
			fmt.Fprintf(&b, "KEYS(\"%s\")=CODES;\n", names[d])
		}
	}
	if symbol != "" {
		fmt.Fprintf(&b, "DATASYMBOL%d=\"%s\";\n", len(mark), symbol)
	}
	b.WriteString("DATASYMBOLNIL=\"-\";\n")
	out := func(i int) bool {
		return withheld != nil && withheld[i] || !t.Known(i) || withheld == nil && (t.Status[i] == table.Sensitive || t.Status[i] == table.Withheld)
	}
	if style.Flag || style.Tell {
		all := flags(t, &style, withheld, uniform, nil, t.Len())
		at := make([]int, t.Len()) // notes come in the order of the data
		for n, i := range cell {
			if i > 0 {
				at[i-1] = n
			}
		}
		slices.SortFunc(all, func(f, g flag) int { return at[f.cell] - at[g.cell] })
		writeNotes(&b, all, func(i int) []string {
			at := make([]string, k)
			for d := range k {
				at[d] = t.Dims[d].Codes[t.Coord[i*k+d]]
			}
			return at
		})
	}
	b.WriteString("DATA=\n")
	bw := bufio.NewWriter(w)
	if _, err := bw.WriteString(b.String()); err != nil {
		return err
	}
	for row := range rows {
		if sparse {
			if empty(row) {
				continue
			}
			r := row
			key := make([]string, k-1)
			for d := k - 2; d >= 0; d-- {
				key[d], r = codes[d][r%len(codes[d])], r/len(codes[d])
			}
			for _, s := range key {
				bw.WriteString(`"` + s + `",`)
			}
		}
		for c := range width {
			if c > 0 {
				bw.WriteByte(' ')
			}
			i := int(cell[row*width+c]) - 1
			switch {
			case i < 0, t.Status[i] == table.Published && t.Value[i] == 0 && t.Known(i):
				bw.WriteString(`"-"`)
			case out(i) && !(style.Flag && t.Known(i)):
				bw.WriteString(`"` + mark + `"`)
			default:
				bw.WriteString(table.FormatDecimal(t.Value[i], t.Decimals))
			}
		}
		bw.WriteByte('\n')
	}
	bw.WriteString(";\n")
	return bw.Flush()
}
