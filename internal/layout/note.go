package layout

import (
	"strings"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/lazy"
)

var (
	noteHead   = lazy.Regexp(`(?i)^(?:[（(]?注|※|＊|\*|資料|出典|備考|凡例|出所|[（(]\s?[0-9０-９]+\s?[）)]|[0-9０-９]+\s?[)）/]\s|\[?notes?\b|sources?\b|quelle|bron\b|lähde|kilde|källa|fuente|zeichen|©|_{3,}|\(D\)|\(NA\)|\(Z\)|\[[a-z]\]|「|lecture\b|champ\b|hinweis|anmerkung|stand:|footnotes?\b|-\s*=|\.\s*=|x\s*=)`)
	sourceHead = lazy.Regexp(`(?i)^["“]?(?:資料|出典|出所|sources?\s*[:：]|quelle|bron\s*:|lähde|kilde|källa|fuente|©)`)
	titleHead  = lazy.Regexp(`(?i)^(?:第\s?[0-9０-９一二三四五六七八九十]+[-－ー‐の]?[0-9０-９]*\s?表|表\s?[0-9０-９]+|統計表|付表|参考表|table\s+[0-9a-z]+|tableau\s+[0-9]+|tabelle\s*:?\s*[0-9]+|tabell?\s+[0-9]+|taulukko\s+[0-9]+|図表)`)
	tableName  = lazy.Regexp(`(?i)^(?:(table\s+[0-9]+[a-z]?(?:[.-][0-9]+[a-z]?)*)|(第\s?[0-9０-９一二三四五六七八九十]+(?:[-－‐の][0-9０-９]+)?\s?表(?:[-－‐][0-9０-９]+)?)|(表\s?[0-9０-９]+(?:[-－‐][0-9０-９]+)?))`)
	sheetNote  = lazy.Regexp(`(?i)^this worksheet contains (?:one|two|three|four|five|six|seven|eight|nine|ten|[0-9]+) tables?.*`)
)

// isNoteText reports whether a text begins like a note or a source.
func isNoteText(s string) bool { return noteHead().MatchString(strings.TrimLeftFunc(s, isBlank)) }

// isContinued reports whether a text continues the note above: it is indented.
func isContinued(s string) bool {
	return s != "" && strings.TrimLeftFunc(s, isBlank) != s
}

// isTitleText reports whether a text is the title of a table.
func isTitleText(s string) bool {
	t := squeeze(s)
	return titleHead().MatchString(t) && utf8.RuneCountInString(t) > 3 || strings.Contains(t, "別") && utf8.RuneCountInString(t) > 12
}

// notesOf returns the title, unit and notes of a block.
func (b *block) notesOf() (notes []Note) {
	add := func(r, c int, what string) {
		f := b.v.g.At(r, c)
		if strings.TrimFunc(f.Text, isBlank) == "" {
			return
		}
		notes = append(notes, Note{What: what, Text: f.Text, Sheet: sheetName(b.v.g), Ref: b.v.g.ref(r, c)})
	}
	// the title is the text that is marked as one, else the first above
	title := [2]int{-1, -1}
	for _, r := range b.above {
		for _, c := range b.v.rows[r].at {
			s := b.v.g.At(r, int(c)).Text
			if isTitleText(s) && !tableNumber().MatchString(s) || titleField(b.v, r, int(c)) {
				title = [2]int{r, int(c)}
			}
		}
	}
	if title[0] < 0 {
		for _, r := range b.above {
			if row := &b.v.rows[r]; len(row.at) > 0 && title[0] < 0 {
				s := b.v.g.At(r, int(row.at[0])).Text
				if _, rest, ok := unitIn(s); (!ok || rest != "") && !isNoteText(s) && !strings.HasSuffix(squeeze(s), "：") && !tableNumber().MatchString(s) {
					title = [2]int{r, int(row.at[0])}
				}
			}
		}
	}
	for _, r := range b.above {
		for i, c := range b.v.rows[r].at {
			s := b.v.g.At(r, int(c)).Text
			_, rest, isUnitLine := unitIn(s)
			switch {
			case title == [2]int{r, int(c)}:
				add(r, int(c), "title")
			case isUnitLine && rest == "":
				add(r, int(c), "unit")
			case sourceHead().MatchString(strings.TrimSpace(s)):
				add(r, int(c), "source")
			case i == 0 && len(b.v.rows[r].at) > 1 && (legendKey(s) || labelled().MatchString(squeeze(s))):
				// it labels what stands in the next field
			case sheetNote().MatchString(s) && b.shares:
			default:
				add(r, int(c), "note")
			}
		}
	}
	for _, r := range b.after {
		if row := b.v.g.Rows[r]; b.v.g.Lines != nil && len(b.v.rows[r].at) > 1 && b.separator != "" && !row[0].Quoted && isNoteText(row[0].Text) {
			texts := make([]string, len(row)) // the note contained the separator of fields
			for c := range row {
				texts[c] = row[c].Text
			}
			notes = append(notes, Note{What: "note", Text: strings.Join(texts, b.separator), Sheet: sheetName(b.v.g), Ref: b.v.g.ref(r, 0)})
			continue
		}
		for _, c := range b.v.rows[r].at {
			if s := b.v.g.At(r, int(c)).Text; sourceHead().MatchString(strings.TrimSpace(s)) {
				add(r, int(c), "source")
			} else if _, rest, ok := unitIn(s); ok && rest == "" {
				add(r, int(c), "unit")
			} else {
				add(r, int(c), "note")
			}
		}
	}
	return notes
}

var (
	labelled    = lazy.Regexp(`[:：]$`)
	tableNumber = lazy.Regexp(`(?i)^tabelle\s*:`)
	titleLabel  = lazy.Regexp(`(?i)^(?:表題|表名|統計表名|title|titel|titre)\s*[:：]?$`)
)

// titleField reports whether the field before says that this one is the title.
func titleField(v *view, r, c int) bool {
	return c > 0 && titleLabel().MatchString(squeeze(v.text(r, c-1)))
}

// legendKey reports whether a text is a mark that the next field explains.
func legendKey(s string) bool { return isMarkLike(s) }

// sheetName returns the sheet name for the cells of a grid, nil for text files.
func sheetName(g *Grid) *string {
	if g.Lines != nil || g.Sheet == "" {
		return nil
	}
	return &g.Sheet
}
