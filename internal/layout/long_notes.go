package layout

import (
	"strings"

	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/sets"
)

// legends reads what the rows from … to, the last one excluded, say of marks.
func (g *Grid) legends(m *marks, from, to int) {
	for r := from; r < to && r < len(g.Rows); r++ {
		row := g.Rows[r]
		if len(row) > 1 && m.learnPair(row[0].Text, row[1].Text) {
			continue
		}
		for _, f := range row {
			if f.Text != "" && !f.Number {
				m.learn(f.Text)
			}
		}
	}
}

// footer reports whether a row below a long table is empty or a note: a single text, not in the column of values.
func (g *Grid) footer(r int, l *longForm) bool {
	full := sets.Count(g.Rows[r], func(f Field) bool { return strings.TrimSpace(f.Text) != "" })
	return full == 0 || full == 1 && len(l.dims) > 1 && strings.TrimSpace(g.At(r, l.value).Text) == ""
}

var titleWords = lazy.Regexp(`^(?:表題|表名|統計表名|title|titel|titre)`)

// longNotes takes the titles, notes and sources above and below a long table.
func (g *Grid) longNotes(t *Table, l *longForm, last int) {
	note := func(r int) {
		row := g.Rows[r]
		var at []int
		for c := range row {
			if strings.TrimSpace(row[c].Text) != "" {
				at = append(at, c)
			}
		}
		if len(at) == 0 {
			return
		}
		c, what := at[0], "note"
		if len(at) == 2 { // a keyword and its text
			if c = at[1]; titleWords().MatchString(wordOf(row[at[0]].Text)) {
				what = "title"
			}
			if isMarkLike(row[c].Text) {
				return
			}
		}
		text := strings.TrimSpace(row[c].Text)
		if sourceLine().MatchString(text) {
			what = "source"
		}
		if what == "title" && (t.Title == "" || len(at) == 2) {
			t.Title = text
		}
		t.Notes = append(t.Notes, Note{What: what, Text: text, Sheet: g.sheet(), Ref: g.ref(r, c)})
	}
	for r := range l.header {
		note(r)
	}
	for r := last; r < len(g.Rows); r++ {
		note(r)
	}
}

var sourceLine = lazy.Regexp(`(?i)^(?:source|sources|quelle|bron|lähde|källa|fuente|資料|出典|©)[\s:：]?`)
