package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
)

// The page about measures of several dates: a small line for each that changed, and a table of all.

// maxLines is the largest number of lines on a page.
const maxLines = 60

// A smallLine shows the values of a figure in the documents; a document without it interrupts the line.
type smallLine struct {
	frame
	Title, Label string   // the figure; and the same with all values, for those who cannot see it
	Parts        []string // points of each piece
	Marks        []point
	First, Last  string
}

// history draws the lines and makes the table.
func (m *riskMeasure) history() error {
	p := m.p
	doc, ok := m.doc.measured.(*document.History)
	if !ok {
		return i18n.New("key figures: want a list of figures")
	}
	t := &sheet{Title: p.T("t.history"), Head: slices.Concat([]string{p.T("measure")}, doc.Documents, []string{p.T("w.change")})}
	for k := range len(doc.Documents) + 1 {
		t.Numbers = append(t.Numbers, k+1)
	}
	same, left := 0, 0
	for k, f := range doc.Figures {
		if len(f.Values) != len(doc.Documents) {
			return i18n.New("key figures: want a value for each document, or null")
		}
		name := p.figure(f.Figure)
		if k < maxRiskRows {
			t.Rows = append(t.Rows, changeRow(name, f))
		}
		switch line, changed := lineOf(name, doc.Documents, f.Values); {
		case !changed:
			same++
		case len(m.Lines) == maxLines:
			left++
		default:
			m.Lines = append(m.Lines, line)
		}
	}
	if len(t.Rows) > 0 {
		m.Tables = append(m.Tables, t)
	}
	for _, note := range []struct {
		key string
		n   int
	}{{"linesleft", left}, {"unchanged", same}} {
		if note.n > 0 {
			m.Notes = append(m.Notes, p.say(note.key, count(int64(note.n))))
		}
	}
	m.more(t.Title, len(doc.Figures)-len(t.Rows))
	return nil
}

// changeRow returns the line of a table for a figure.
func changeRow(name string, f document.Changes) sheetRow {
	row := sheetRow{Texts: []string{name}}
	for _, v := range f.Values {
		row.Texts = append(row.Texts, known(v, floatText))
	}
	row.Texts = append(row.Texts, known(f.Change, func(x float64) string {
		if x > 0 {
			return "+" + floatText(x)
		}
		return floatText(x)
	}))
	return row
}

// lineOf draws the values of a figure; it returns false if fewer than two differ.
func lineOf(name string, documents []string, values []document.Opt[float64]) (smallLine, bool) {
	l := smallLine{frame: newFrame(240, 66, 8, 8, 8, 20), Title: name} // the first and last value are printed below
	var known []float64
	for _, v := range values {
		if x, ok := v.Get(); ok {
			known = append(known, x)
		}
	}
	if len(known) == 0 {
		return l, false
	}
	least := slices.Min(known)
	span := slices.Max(known)/2 - least/2 // halved, as the difference of two numbers may overflow
	if span == 0 {
		return l, false
	}
	var part []string
	words := []string{name}
	end := func() {
		if len(part) > 1 {
			l.Parts = append(l.Parts, strings.Join(part, " "))
		}
		part = nil
	}
	for k, v := range values {
		x, ok := v.Get()
		if !ok {
			end()
			continue
		}
		text := documents[k] + ": " + floatText(x)
		words = append(words, text)
		at := point{X: l.Left + (l.Right-l.Left)*float64(k)/float64(len(values)-1), Y: l.Bottom - float64((l.Bottom-l.Top)*((x/2-least/2)/span)), Title: text}
		part, l.Marks = append(part, fmt.Sprintf("%.1f,%.1f", at.X, at.Y)), append(l.Marks, at)
	}
	end()
	l.Label = strings.Join(words, "; ")
	l.First, l.Last = floatText(known[0]), floatText(known[len(known)-1])
	return l, true
}

// figure returns the name of a figure in the language of the page. The figure may be a measure of hitoku risk
// all, an attack, or a key of a metric with the attribute it is about.
func (p *riskPage) figure(name string) string {
	if attack, ok := strings.CutPrefix(name, "risk, "); ok {
		return p.T("w.risk") + ", " + p.word("attack")(attack)
	}
	for at := len(name); at >= 0; at = strings.LastIndex(name[:at], ", ") {
		if text := p.T("v.measure." + name[:at]); text != "" {
			return text + name[at:]
		}
	}
	metric, key, ok := strings.Cut(name, ": ")
	title := p.measure(metric).Title
	if !ok || title == "" {
		return name
	}
	key, of, about := strings.Cut(key, ", ")
	key = strings.TrimSuffix(key, "_float")
	word := cmp.Or(p.T("f."+metric+"."+key), p.T("f."+key), p.T("w."+key), key)
	if about {
		word += ", " + of
	}
	return title + p.T("colon") + word
}
