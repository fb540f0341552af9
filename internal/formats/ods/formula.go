package ods

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// unknown replaces a formula in a language that is not read: it may refer to any cell.
const unknown = "INDIRECT(unknown)"

// a1 translates a formula of the file (OpenDocument 1.3, part 4: OpenFormula) into Excel's notation, without
// its =.
func a1(s string) string {
	language, body, ok := strings.Cut(s, "=")
	switch {
	case !ok || language == "" && strings.HasPrefix(s, "="):
		return translate(strings.TrimPrefix(s, "="))
	case language == "of:" || language == "oooc:":
		return translate(body)
	case language == "msoxl:":
		return body
	case !strings.HasSuffix(language, ":"): // not a language but an expression that contains a comparison
		return translate(s)
	}
	return unknown
}

// vendors are prefixes of functions that OpenFormula does not define.
var vendors = []string{"COM.MICROSOFT.", "ORG.OPENOFFICE.", "ORG.LIBREOFFICE.", "LEGACY."}

// translate replaces references, separators and names of functions by those of Excel.
func translate(s string) string {
	var b strings.Builder
	arrays := 0
	for i := 0; i < len(s); {
		switch c := s[i]; c {
		case '"', '\'':
			to := closing(s, i)
			b.WriteString(s[i:to])
			i = to
			continue
		case '[':
			to := i + 1
			for to < len(s) && s[to] != ']' {
				if s[to] == '\'' {
					to = closing(s, to)
					continue
				}
				to++
			}
			ref, ok := reference(s[i+1 : min(to, len(s))])
			if !ok || to >= len(s) {
				ref = unknown
			}
			b.WriteString(ref)
			i = min(to+1, len(s))
			continue
		case '{', '}':
			arrays += map[byte]int{'{': 1, '}': -1}[c]
			b.WriteByte(c)
		case ';', '~':
			b.WriteByte(',')
		case '|':
			b.WriteByte(map[bool]byte{true: ';', false: '|'}[arrays > 0])
		case '!':
			b.WriteByte(' ')
		default:
			if r, _ := utf8.DecodeRuneInString(s[i:]); !unicode.IsLetter(r) {
				b.WriteByte(c)
				break
			}
			to := i
			for to < len(s) {
				r, n := utf8.DecodeRuneInString(s[to:])
				if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != '_' {
					break
				}
				to += n
			}
			word := s[i:to]
			for _, v := range vendors {
				word = strings.TrimPrefix(word, v)
			}
			b.WriteString(word)
			i = to
			continue
		}
		i++
	}
	return b.String()
}

// closing returns where the quoted text that begins at i ends; quotes inside are doubled.
func closing(s string, i int) int {
	for q, k := s[i], i+1; k < len(s); k++ {
		if s[k] != q {
			continue
		}
		if k+1 < len(s) && s[k+1] == q {
			k++
			continue
		}
		return k + 1
	}
	return len(s)
}

// reference translates .A1, $Sheet.A1:.B2 and 'file'#$Sheet.A1, which formulas have in brackets, into A1,
// 'Sheet'!A1:B2 and a reference to another workbook.
func reference(s string) (string, bool) {
	if strings.HasSuffix(s, "#REF!") {
		return "#REF!", true
	}
	first, rest, ok := cell(s)
	if !ok {
		return "", false
	}
	text := first.cell
	lastSheet := ""
	if rest != "" {
		last, more, ok := cell(strings.TrimPrefix(rest, ":"))
		if !ok || more != "" || rest[0] != ':' {
			return "", false
		}
		text += ":" + last.cell
		if last.sheet != first.sheet {
			lastSheet = last.sheet
		}
	}
	switch {
	case first.outside:
		return "[1]x!" + text, true
	case lastSheet != "":
		return "'" + strings.ReplaceAll(first.sheet+":"+lastSheet, "'", "''") + "'!" + text, true
	case first.sheet != "":
		return "'" + strings.ReplaceAll(first.sheet, "'", "''") + "'!" + text, true
	}
	return text, true
}

// A corner is one end of a reference.
type corner struct {
	outside     bool
	sheet, cell string
}

func cell(s string) (c corner, rest string, ok bool) {
	for {
		s = strings.TrimPrefix(s, "$")
		if strings.HasPrefix(s, "'") {
			to := closing(s, 0)
			c.sheet = strings.ReplaceAll(strings.Trim(s[:to], "'"), "''", "'")
			s = s[to:]
		} else {
			k := strings.IndexAny(s, ".#:")
			if k < 0 {
				return c, "", false
			}
			c.sheet, s = s[:k], s[k:]
		}
		if !strings.HasPrefix(s, "#") {
			break
		}
		c.outside, s = true, s[1:]
	}
	if !strings.HasPrefix(s, ".") {
		return c, "", false
	}
	c.cell, rest, _ = strings.Cut(s[1:], ":")
	if rest != "" {
		rest = ":" + rest
	}
	for _, r := range c.cell {
		if r != '$' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') {
			return c, "", false
		}
	}
	return c, rest, c.cell != ""
}

// areas translates the addresses of an attribute, separated by blanks, into addresses in one sheet, without its
// name.
func areas(s string) string {
	var all []string
	for len(s) > 0 {
		k, quoted := 0, false
		for k < len(s) && (quoted || s[k] != ' ') {
			if s[k] == '\'' {
				quoted = !quoted
			}
			k++
		}
		if ref, ok := reference(s[:k]); ok {
			all = append(all, strings.ReplaceAll(ref[strings.LastIndexByte(ref, '!')+1:], "$", ""))
		}
		s = strings.TrimLeft(s[k:], " ")
	}
	return strings.Join(all, " ")
}
