package px

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
)

// A statement is KEYWORD[lang]("arg","arg")=value; in the head of a file.
type statement struct {
	key, lang string
	args      []string
	value     []token
	line      int
	at, end   int // range of its bytes in the text
	from      int // where its value begins
}

// A token is a quoted text, a bare word such as a number, or a punctuation mark. Adjacent quoted texts are one
// token.
type token struct {
	text   string
	quoted bool
	mark   bool
}

// name returns the statement's name as messages show it.
func (s *statement) name() string {
	key := s.key
	if s.lang != "" {
		key += "[" + s.lang + "]"
	}
	if len(s.args) == 0 {
		return key
	}
	return key + `("` + strings.Join(s.args, `","`) + `")`
}

// texts returns the items of a list of texts, without punctuation and TLIST(…).
func (s *statement) texts() []string {
	var list []string
	for _, t := range s.value {
		if !t.mark {
			list = append(list, t.text)
		}
	}
	return list
}

// left is returned for an item of a list that is empty; no text of a file contains this byte.
const left = "\x00"

// items returns the items of a list of texts, and left for an item that has nothing between its commas.
func (s *statement) items() []string {
	var list []string
	empty := true
	for _, t := range s.value {
		switch {
		case !t.mark:
			list, empty = append(list, t.text), false
		case t.text == ",":
			if empty {
				list = append(list, left)
			}
			empty = true
		}
	}
	if empty && len(list) > 0 {
		list = append(list, left)
	}
	return list
}

// text returns a single value.
func (s *statement) text() string {
	if len(s.value) == 0 {
		return ""
	}
	return s.value[0].text
}

// lexer reads through the text of a file.
type lexer struct {
	file, text string
	pos, line  int
	room       func(cells int) i18n.Text // the error if there are too many cells, else empty

	datumLine, token int // line and number of the last datum read
	broken           int // line of the first quoted text that is not closed on its line
}

func (l *lexer) fault(line int, value string, want i18n.Text) error {
	return &formats.Error{File: l.file, Line: line, Value: value, Want: want}
}

// blank skips blanks and line ends.
func (l *lexer) blank() {
	for l.pos < len(l.text) {
		switch l.text[l.pos] {
		case '\n':
			l.line++
		case ' ', '\t', '\r', '\x1a', '\f':
		default:
			return
		}
		l.pos++
	}
}

// quoted reads the text that begins with the quote at pos. PX has no escapes.
func (l *lexer) quoted() (string, error) {
	end := strings.IndexByte(l.text[l.pos+1:], '"')
	if end < 0 {
		want := i18n.T("the quote opened here is not closed")
		if l.broken > 0 {
			want = i18n.T("%s; the text that goes on over the end of line %d may have a quote too many or too few", want, l.broken)
		}
		return "", l.fault(l.line, formats.Show(firstLine(l.text[l.pos:])), want)
	}
	s := l.text[l.pos+1 : l.pos+1+end]
	if n := strings.Count(s, "\n"); n > 0 {
		l.broken = cmp.Or(l.broken, l.line)
		l.line += n
	}
	l.pos += end + 2
	return s, nil
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return strings.TrimRight(s, "\r")
}

// word reads up to a blank or punctuation.
func (l *lexer) word(stop string) string {
	start := l.pos
	for l.pos < len(l.text) && strings.IndexByte(stop, l.text[l.pos]) < 0 {
		l.pos++
	}
	return l.text[start:l.pos]
}

// statement reads the next statement. It reads DATA only up to its =, since its value can be read only once the
// variables are known. ok is false at the end of the file.
func (l *lexer) statement() (s *statement, ok bool, err error) {
	l.blank()
	if l.pos == len(l.text) {
		return nil, false, nil
	}
	s = &statement{line: l.line, at: l.pos}
	s.key = strings.ToUpper(strings.TrimSpace(l.word(" \t\r\n[(=;\"")))
	if s.key == "" {
		return nil, false, l.fault(l.line, formats.Show(firstLine(l.text[l.pos:])), i18n.T("want a keyword"))
	}
	l.blank()
	if l.peek('[') {
		l.pos++
		s.lang = strings.Trim(l.word("]\n"), `" `)
		if !l.peek(']') {
			return nil, false, l.fault(l.line, s.key, i18n.T("want ] behind the language"))
		}
		l.pos++
		l.blank()
	}
	if l.peek('(') {
		l.pos++
		if s.args, err = l.arguments(s); err != nil {
			return nil, false, err
		}
		l.blank()
	}
	if !l.peek('=') {
		return nil, false, l.fault(l.line, formats.Show(s.name()), i18n.T("want = behind the keyword"))
	}
	l.pos++
	s.from = l.pos
	if s.key == "DATA" {
		s.end = l.pos
		return s, true, nil
	}
	if err := l.values(s); err != nil {
		return nil, false, err
	}
	s.end = l.pos
	return s, true, nil
}

func (l *lexer) peek(c byte) bool { return l.pos < len(l.text) && l.text[l.pos] == c }

func (l *lexer) arguments(s *statement) ([]string, error) {
	var args []string
	for {
		l.blank()
		if !l.peek('"') {
			return nil, l.fault(l.line, s.key, i18n.T("want texts in quotes between ( and )"))
		}
		a, err := l.quoted()
		if err != nil {
			return nil, err
		}
		args = append(args, a)
		l.blank()
		switch {
		case l.peek(','):
			l.pos++
		case l.peek(')'):
			l.pos++
			return args, nil
		default:
			return nil, l.fault(l.line, s.key, i18n.T("want , or ) behind %s", formats.Show(a)))
		}
	}
}

// joined reads adjacent quoted texts, as one text that goes over several lines.
func (l *lexer) joined() (string, error) {
	text, err := l.quoted()
	if err != nil {
		return "", err
	}
	var all strings.Builder
	for {
		if l.blank(); !l.peek('"') {
			break
		}
		if all.Len() == 0 {
			all.WriteString(text)
		}
		more, err := l.quoted()
		if err != nil {
			return "", err
		}
		all.WriteString(more)
	}
	if all.Len() > 0 {
		text = all.String()
	}
	return text, nil
}

// tokensPerCell is how many tokens a list may have for each cell that a table may have; the pairs of a tree
// take four for each code.
const tokensPerCell = 4

// values reads up to the ; that ends the statement.
func (l *lexer) values(s *statement) error {
	for {
		if want := l.room(len(s.value) / tokensPerCell); !want.IsZero() {
			return l.fault(s.line, formats.Show(s.name()), want)
		}
		l.blank()
		if l.pos == len(l.text) {
			return l.fault(s.line, formats.Show(s.name()), i18n.T("the statement has no ; at its end"))
		}
		switch c := l.text[l.pos]; c {
		case ';':
			l.pos++
			return nil
		case ',', ':', '(', ')', '-':
			if c == '-' && l.pos+1 < len(l.text) && l.text[l.pos+1] >= '0' && l.text[l.pos+1] <= '9' {
				s.value = append(s.value, token{text: l.word(" \t\r\n,;:()\"")})
				continue
			}
			l.pos++
			s.value = append(s.value, token{text: string(c), mark: true})
		case '"':
			text, err := l.joined()
			if err != nil {
				return err
			}
			s.value = append(s.value, token{text: text, quoted: true})
		default:
			w := l.word(" \t\r\n,;:()\"")
			if w == "" {
				return l.fault(l.line, fmt.Sprintf("byte 0x%02X", l.text[l.pos]), i18n.T("want a text in quotes, a number or ;"))
			}
			s.value = append(s.value, token{text: w})
		}
	}
}

// datum is the data of one cell: a number, or a mark in quotes.
type datum struct {
	text     string
	line     int
	token    int // its number on its line, from 1
	at, end  int // range of its bytes, including quotes
	quoted   bool
	finished bool // not a datum, but the end of the data
}

// datum reads the next cell, or the key of a row. Commas, semicolons and tabs separate data as blanks do, so a
// ; ends the data only if nothing but blanks follows.
func (l *lexer) datum() (datum, error) {
	for l.pos < len(l.text) {
		switch l.text[l.pos] {
		case '\n':
			l.line++
		case ' ', '\t', '\r', ',', ';', '\x1a', '\f':
		default:
			if l.token++; l.line != l.datumLine {
				l.datumLine, l.token = l.line, 1
			}
			d := datum{line: l.line, token: l.token, at: l.pos}
			if l.text[l.pos] == '"' {
				var err error
				if d.text, err = l.quoted(); err != nil {
					return d, err
				}
				d.quoted = true
			} else {
				d.text = l.word(" \t\r\n,;\"\x1a\f")
			}
			d.end = l.pos
			return d, nil
		}
		l.pos++
	}
	return datum{line: l.line, finished: true}, nil
}
