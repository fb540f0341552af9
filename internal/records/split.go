package records

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Separator returns the one of comma, semicolon and tab that occurs most often in a header outside quotes, in a
// tie the first of them.
func Separator[T string | []byte](header T) byte { return Commonest(header, ",;\t") }

// Commonest returns the ASCII character of set that occurs most often in text outside quotes, in a tie the
// first of them.
func Commonest[T string | []byte](text T, set string) byte {
	var count [utf8.RuneSelf]int
	quoted := false
	for i := range len(text) {
		if text[i] == '"' {
			quoted = !quoted
		} else if !quoted && strings.IndexByte(set, text[i]) >= 0 {
			count[text[i]]++
		}
	}
	best := set[0]
	for k := range len(set) {
		if count[set[k]] > count[best] {
			best = set[k]
		}
	}
	return best
}

// Unquote reads the quoted text that begins at i; two quotes inside stand for one. end is after the closing
// quote; ok is false if there is none.
func Unquote[T string | []byte](text T, i int) (inside T, end int, ok bool) {
	i++
	start, doubled := i, false
	for ; i < len(text); i++ {
		if text[i] != '"' {
			continue
		}
		if i+1 < len(text) && text[i+1] == '"' {
			doubled = true
			i++
			continue
		}
		inside = text[start:i]
		if doubled {
			inside = T(strings.ReplaceAll(string(inside), `""`, `"`))
		}
		return inside, i + 1, true
	}
	return inside, i, false
}

// A Splitter splits records into fields.
type Splitter struct {
	Sep    byte
	Fields [][]byte // fields of the last record; valid until the next one
}

// Split splits the record that begins at a place in text, and returns where the next record begins; want says
// what is wrong. A field that begins with a quote must end with one, perhaps on a later line; two quotes inside
// stand for one. The text must end with a line end.
func (s *Splitter) Split(text []byte, at int) (next int, want i18n.Text) {
	s.Fields = s.Fields[:0]
	for {
		if text[at] != '"' {
			from := at
			for text[at] != s.Sep && text[at] != '\n' {
				if text[at] == '"' {
					return at, i18n.T(`a quote " inside a field that does not begin with one`)
				}
				at++
			}
			to := at
			if text[at] == '\n' && to > from && text[to-1] == '\r' {
				to--
			}
			s.Fields = append(s.Fields, text[from:to])
		} else {
			field, end, ok := Unquote(text, at)
			if !ok {
				return end, i18n.T(`a quote " that is not closed`)
			}
			s.Fields = append(s.Fields, field)
			if at = end; at < len(text) && text[at] == '\r' {
				at++
			}
			if at == len(text) || text[at] != s.Sep && text[at] != '\n' || text[at-1] == '\r' && text[at] != '\n' {
				return at, i18n.T(`want a separator or the end of the record behind a closing quote "`)
			}
		}
		at++
		if text[at-1] == '\n' {
			return at, i18n.Text{}
		}
	}
}

// Line splits a line without its end; ok is false if a quote is not closed on it. A field that begins with a
// quote must end with one; there may be blanks around it.
func (s *Splitter) Line(line []byte) (ok bool) {
	s.Fields = s.Fields[:0]
	quotes := bytes.IndexByte(line, '"') >= 0
	for {
		if quotes {
			if x := bytes.TrimLeft(line, " "); len(x) > 0 && x[0] == '"' {
				field, end, ok := Unquote(x, 0)
				if !ok {
					return false
				}
				s.Fields = append(s.Fields, field)
				if x = bytes.TrimLeft(x[end:], " "); len(x) == 0 {
					return true
				} else if x[0] != s.Sep {
					return false
				}
				line = x[1:]
				continue
			}
		}
		end := bytes.IndexByte(line, s.Sep)
		if end < 0 {
			s.Fields = append(s.Fields, line)
			return true
		}
		s.Fields = append(s.Fields, line[:end])
		line = line[end+1:]
	}
}
