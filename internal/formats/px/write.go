package px

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/table"
)

// layout writes a file back as it was, except for the marks of cells.
type layout struct{ p *parser }

// Column implements formats.Layout: messages name the cell itself.
func (l *layout) Column(record int, field string) string {
	if record < len(l.p.recs) {
		return strings.Join(l.p.recs[record].Codes, "/")
	}
	return field
}

// Write implements formats.Layout. If only a part of the file was selected, it writes that part as a new file,
// as the rest was not protected.
func (l *layout) Write(w io.Writer, in *formats.Input, withheld []bool) error {
	p := l.p
	if len(p.o.Select) > 0 {
		return writeTable(w, in.Table, in.Style, withheld, in.Uniform)
	}
	style := in.Style
	style.Symbol = cmp.Or(style.Symbol, p.mark)
	mark, symbol, err := dotsFor(style.Symbol)
	if err != nil {
		return err
	}
	if symbol != "" {
		key := fmt.Sprintf("DATASYMBOL%d", len(mark))
		if s := p.find(key); len(s) > 0 {
			if s[0].text() != symbol {
				return i18n.Errorf("table %s: %s is %s in the file, but the symbol wanted is %s", in.Table.Name, key, formats.Show(s[0].text()), formats.Show(symbol))
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
		if len(blank) > 0 && s == blank[0] { // blank is in the order of the file
			b.WriteString(p.text[pos:s.from] + `"";`)
			pos, blank = s.end, blank[1:]
			continue
		}
		b.WriteString(p.text[pos:s.at]) // the old statuses are dropped, and new ones written
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
		writeNotes(&more, flags, p.names)
	}
	if in.Intervals && withheld != nil {
		p.writeIntervals(&more, in, withheld)
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
			return i18n.Errorf("table %s: the encoding of the file has no such character: %w", in.Table.Name, err)
		}
	}
	if p.bom {
		text = string(records.Mark) + text
	}
	_, err = io.WriteString(w, text)
	return err
}

// names returns the values of cell i by which notes refer to it.
func (p *parser) names(i int) []string {
	names := make([]string, len(p.vars))
	for n, v := range p.vars {
		at := max(v.only, 0)
		if v.dim >= 0 {
			at = v.index[p.recs[i].Codes[v.dim]]
		}
		names[n] = v.texts[at]
		if j := v.byText[names[n]]; j != at {
			names[n] = v.codes[at]
		}
	}
	return names
}

// dotsFor returns the mark that is written in the data for a symbol, and the text that DATASYMBOL has to give
// for it, if any.
func dotsFor(symbol string) (mark, shown string, err error) {
	switch {
	case symbol == "":
		return defaultSymbol, "", nil
	case slices.Contains(dots, symbol):
		return symbol, "", nil
	case strings.ContainsAny(symbol, "\"\r\n"):
		return "", "", i18n.Errorf("symbol %s: PX cannot write a quote or a line end in a text", formats.Show(symbol))
	}
	return defaultSymbol, symbol, nil
}

// A flag is the code of CL_CONF_STATUS of a cell.
type flag struct {
	cell int
	code string
}

func flags(t *table.Table, style *formats.Style, withheld []bool, uniform bool, found map[int]string, n int) []flag {
	var all []flag
	for i := range n {
		if code := formats.Code(style, t.Status[i], t.ReasonOf(i), withheld != nil && withheld[i], uniform, found[i]); code != "F" {
			all = append(all, flag{i, code})
		}
	}
	return all
}

// writeNotes writes the marks beside cells, and the note that says what they mean.
func writeNotes(b *strings.Builder, flags []flag, names func(int) []string) {
	if len(flags) == 0 {
		return
	}
	b.WriteString("NOTE=\"Marks next to cells are codes of SDMX " + notesMean + ".\";\n")
	for _, f := range flags {
		writeNote(b, "DATANOTECELL", names(f.cell), f.code)
	}
}

// writeNote writes a statement about one cell.
func writeNote(b *strings.Builder, key string, names []string, text string) {
	b.WriteString(key + "(")
	for n, s := range names {
		if n > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + s + `"`)
	}
	b.WriteString(`)="` + text + "\";\n")
}
