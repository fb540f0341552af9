package layout

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/table"
)

// A written is one field read as a number, a mark, or neither.
type written struct {
	Value *Decimal
	Mark  string // the text in the place of a number
	Means string
	Flag  string // what stands beside the value, before or behind it
	Unit  string // a unit written with the number, like % or 人
	Odd   bool   // it is a number only beside other numbers
	OK    bool   // it is a value or a mark; else it is a label
}

// A numberStyle says how a file writes numbers and marks.
type numberStyle struct {
	Decimal   byte   // '.' or ','
	Thousands string // empty: no separator between thousands
	Marks     *marks // nil: only those in general use
	Brackets  string // the meaning of a number in parentheses: "" negative, else the flag it gets
}

// read reads the text of a field. An empty text is neither a number nor, unless the format says so, a mark.
func (s *numberStyle) read(text string) written {
	if mark, means, ok := s.Marks.find(text); ok {
		w := written{Mark: mark, Means: means, OK: true}
		if means == isNil {
			zero := Decimal("0")
			w.Value = &zero
		}
		return w
	}
	n, ok := takeApart(text)
	if !ok {
		return written{}
	}
	how := table.Notation{Decimal: s.Decimal, Thousands: s.Thousands}
	if how.Decimal == 0 {
		how.Decimal = '.'
	}
	if n.brackets && s.Brackets == "" {
		if strings.HasPrefix(n.digits, "-") {
			return written{}
		}
		n.digits = "-" + n.digits
	} else if n.brackets {
		n.flag = strings.TrimSpace(s.Brackets + " " + n.flag)
	}
	d, err := how.Parse(n.digits, 0, "")
	if err != nil {
		n.digits = cutOff(n.digits, how.Decimal)
		d, err = how.Parse(n.digits, 0, "")
	}
	if err != nil {
		return written{}
	}
	value := plain(d, n.digits, how)
	return written{Value: &value, Flag: n.flag, Unit: n.unit, Odd: n.odd, OK: true}
}

// cutOff returns a number as a program may write it, with more decimals than a table.Decimal has, without those.
func cutOff(digits string, decimal byte) string {
	point := string(rune(decimal))
	if x, err := strconv.ParseFloat(strings.ReplaceAll(digits, point, "."), 64); err == nil && strings.ContainsAny(digits, "eE") {
		digits = strings.ReplaceAll(strconv.FormatFloat(x, 'f', -1, 64), ".", point)
	}
	if whole, after, _ := strings.Cut(digits, point); len(after) > maxDecimals && strings.Trim(after, "0123456789") == "" {
		return whole + point + after[:maxDecimals]
	}
	return digits
}

// plain writes d with as many decimals as it has in the file.
func plain(d table.Decimal, digits string, how table.Notation) Decimal {
	text := d.String()
	_, after, ok := strings.Cut(digits, string(rune(how.Decimal)))
	if !ok || strings.ContainsAny(digits, "eE") {
		return Decimal(text)
	}
	_, has, point := strings.Cut(text, ".")
	if !point && after != "" {
		text += "."
	}
	return Decimal(text + strings.Repeat("0", max(0, len(after)-len(has))))
}

// parseNumber reads a number of a workbook: decimal text as package xlsx gives it. A computed share may have more
// decimals than a table.Decimal; they are cut off after the 15th.
func parseNumber(text string) (Decimal, bool) {
	d, err := table.ParseDecimal(text)
	if whole, after, _ := strings.Cut(text, "."); err != nil && len(after) > maxDecimals {
		d, err = table.ParseDecimal(whole + "." + after[:maxDecimals])
	}
	if err != nil {
		return "", false
	}
	return Decimal(d.String()), true
}

// maxDecimals is the number of decimals of a table.Decimal.
const maxDecimals = 15

// A numeral is a number and what stands with it in its field.
type numeral struct {
	digits     string // ASCII: a minus, digits, separators, exponent
	flag, unit string
	brackets   bool // in parentheses
	odd        bool // it is a number only beside other numbers: p2, [2]
}

// units are written beside numbers, before or behind them.
var units = map[string]bool{}

func init() {
	for _, u := range strings.Fields(`% ‰ 人 世帯 戸 所 事業所 企業 社 件 円 千円 万円 百万円 億円 千人 万人 台 個 隻 頭 羽 経営体 kg t トン ha ａ a ㎡ m2 km2 ㎢
		€ EUR $ USD £ GBP ¥ JPY kr CHF pt pts ポイント Mio. Mill. Tsd. persons Personen personnes habitants`) {
		units[u] = true
	}
}

// superscripts are characters of references to notes behind a number.
const superscripts = "¹²³⁰⁴⁵⁶⁷⁸⁹⁽⁾"

// isBlank reports whether r is one of the blanks that offices write, such as the ideographic one.
func isBlank(r rune) bool {
	return unicode.IsSpace(r) || r == '\u00a0' || r == '\u202f' || r == '\u200b' || r == '\ufeff'
}

// fold returns text with ASCII letters, digits and signs in normal width, and one kind of blank.
func fold(text string) string {
	plain := true
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			plain = false
			break
		}
	}
	if plain {
		return strings.TrimSpace(text)
	}
	text = width.Fold.String(text)
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\u200b' || r == '\ufeff':
			return -1
		case isBlank(r):
			return ' '
		case r == '’' || r == '‘':
			return '\''
		case r == '−' || r == '‐' || r == '‑' || r == '‒' || r == '–' || r == '—' || r == '―':
			return '-'
		case r == '△' || r == '▲':
			return '-'
		}
		return r
	}, text))
}

// takeApart finds the number in the text of a field. ok is false if the text is anything but a number with at
// most a sign, a unit, and flags or references to notes around it.
func takeApart(text string) (n numeral, ok bool) {
	if len(text) > 80 {
		return n, false
	}
	s := fold(text)
	if inside, ok := strings.CutPrefix(s, "("); ok {
		if inside, ok = strings.CutSuffix(inside, ")"); ok && !strings.ContainsAny(inside, "()") {
			s, n.brackets = strings.TrimSpace(inside), true
		}
	}
	if inside, ok := strings.CutPrefix(s, "["); ok {
		if inside, ok = strings.CutSuffix(inside, "]"); ok && strings.Trim(inside, "0123456789., ") == "" && inside != "" {
			s, n.flag, n.odd = strings.TrimSpace(inside), "[]", true
		}
	}
	s = n.before(s)
	sign := ""
	if s != "" && (s[0] == '-' || s[0] == '+') {
		if s[0] == '-' {
			sign = "-"
		}
		s = strings.TrimLeft(s[1:], " ")
		if rest := n.before(s); rest != s && n.unit != "" {
			s = rest
		}
	}
	digits, rest := leading(s)
	if digits == "" {
		return n, false
	}
	n.digits = sign + digits
	return n, n.behind(rest)
}

// before removes a unit or flag that stands before a number.
func (n *numeral) before(s string) string {
	digit := func(t string) bool {
		t = strings.TrimLeft(t, " -+.")
		return t != "" && t[0] >= '0' && t[0] <= '9'
	}
	for _, u := range []string{"$", "€", "£", "¥", "US$"} {
		if t, ok := strings.CutPrefix(s, u); ok && digit(t) {
			n.unit = u
			return strings.TrimLeft(t, " ")
		}
	}
	// as in monthly tables: r 102.3
	for _, f := range []string{"p", "r", "e", "P", "R", "E", "(p)", "(r)", "*", "†", "#", "~", "≈", "≒", "約", "ca.", "env."} {
		if t, ok := strings.CutPrefix(s, f); ok && digit(t) && !exponent(t) {
			if len(f) == 1 && isNamed(f[0], t) {
				if f[0] < 'a' {
					continue
				}
				n.odd = true
			}
			n.flag = f
			return strings.TrimLeft(t, " ")
		}
	}
	// triangles may stand for a minus
	if r, size := utf8.DecodeRuneInString(s); unicode.Is(unicode.So, r) && r != '▽' && r != '▼' && digit(s[size:]) {
		n.flag = s[:size]
		return strings.TrimLeft(s[size:], " ")
	}
	return s
}

// isNamed reports whether a letter and the digits directly behind it are a name, as P1 and R6, rather than a flag
// before a number, as r102.3.
func isNamed(letter byte, t string) bool {
	if t[0] < '0' || t[0] > '9' || letter < 'A' || strings.ContainsAny(t, ".,") {
		return false
	}
	return letter <= 'Z' || len(t) < 3
}

// exponent reports whether t may be the end of a code like E12000004 rather than a number behind a flag: many
// digits and nothing else.
func exponent(t string) bool {
	return t != "" && t[0] != ' ' && len(t) > 4 && strings.Trim(t, "0123456789") == ""
}

// leading cuts the digits and the separators among them from the front of s.
func leading(s string) (digits, rest string) {
	isDigit := func(i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }
	i := 0
	for i < len(s) {
		switch {
		case isDigit(i):
			i++
		case (s[i] == '.' || s[i] == ',') && isDigit(i+1):
			i++
		case (s[i] == ' ' || s[i] == '\'') && i > 0 && isDigit(i-1) && isDigit(i+1) && isDigit(i+2) && isDigit(i+3) && !isDigit(i+4) && grouped(s[:i]):
			i++
		case (s[i] == 'e' || s[i] == 'E') && i > 0 && (isDigit(i+1) || i+1 < len(s) && (s[i+1] == '+' || s[i+1] == '-') && isDigit(i+2)):
			i += 2
			for isDigit(i) {
				i++
			}
			return s[:i], s[i:]
		default:
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// grouped reports whether another group of thousands may follow digits: behind its last separator it has three
// digits, or without a separator at most three.
func grouped(digits string) bool {
	k := strings.LastIndexAny(digits, " '")
	if strings.ContainsAny(digits, ".,") {
		return false
	}
	return k < 0 && len(digits) <= 3 || len(digits)-k-1 == 3 && k >= 0
}

// behind reads what stands behind a number: a unit, flags, references to notes. It reports whether rest is
// nothing else.
func (n *numeral) behind(rest string) bool {
	add := func(flag string) { n.flag = strings.TrimSpace(n.flag + " " + flag) }
	words := 0
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		word := rest
		if k := strings.IndexByte(rest, ' '); k >= 0 {
			word = rest[:k]
		}
		if units[word] && n.unit == "" {
			n.unit, rest = word, rest[len(word):]
			continue
		}
		if first, size := utf8.DecodeRuneInString(rest); strings.ContainsRune(superscripts, first) || strings.ContainsRune("*†‡#§^※", first) {
			if strings.HasPrefix(rest[size:], ")") && !n.brackets {
				size++
			}
			add(rest[:size])
			rest = rest[size:]
			continue
		}
		// what is counted, if other numbers are in the row
		if short := abbreviation().FindString(rest); short == rest && n.flag == "" && n.unit == "" {
			n.unit, n.odd = short, true
			return true
		}
		if note := noteBehind().FindString(rest); note != "" {
			add(note)
			rest = rest[len(note):]
			continue
		}
		size := flagged(rest)
		if size == 0 {
			return false
		}
		if lettersIn(rest[:size]) > 1 {
			if words++; words > 1 || lettersIn(n.flag) > 0 { // "10 or more" is a class, as is "10 e mais"
				return false
			}
		}
		add(rest[:size])
		rest = rest[size:]
	}
	return true
}

// noteBehind matches a reference to a note behind a number.
var noteBehind = lazy.Regexp(`^[(（]?注\s?[0-9]{0,2}[)）]?`)

// abbreviation matches an abbreviated word behind a number.
var abbreviation = lazy.Regexp(`^\pL{2,6}\.$`)

// lettersIn counts the letters of a text.
func lettersIn(s string) (n int) {
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// flagged returns the length of the flag at the beginning of s, or 0: up to four letters of one case, perhaps in
// brackets, or a reference to a note: 1) or 1/ or (1) or [1].
func flagged(s string) int {
	i, closing := 0, byte(0)
	switch s[0] {
	case '(':
		i, closing = 1, ')'
	case '[':
		i, closing = 1, ']'
	}
	from := i
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i > from { // a note
		switch {
		case i-from > 2 || i == len(s):
			return 0
		case closing != 0 && s[i] == closing, closing == 0 && (s[i] == ')' || s[i] == '/'):
			return i + 1
		}
		return 0
	}
	if from > 0 && strings.HasPrefix(s[i:], "note ") {
		if k := strings.IndexByte(s, closing); k > 0 && strings.Trim(s[i+5:k], "0123456789, ") == "" {
			return k + 1
		}
	}
	lower := i < len(s) && s[i] >= 'a' && s[i] <= 'z'
	for i < len(s) && (lower && s[i] >= 'a' && s[i] <= 'z' || !lower && s[i] >= 'A' && s[i] <= 'Z') {
		i++
	}
	switch {
	case i == from || i-from > 4:
		return 0
	case closing == 0 && i-from == 1 && i < len(s) && s[i] == ')': // a note with a letter
		return i + 1
	case closing != 0 && (i == len(s) || s[i] != closing):
		return 0
	case closing != 0:
		return i + 1
	case i < len(s) && s[i] != ' ':
		return 0
	}
	return i
}
