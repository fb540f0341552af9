package stranger

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A number is what a field says, with what is known about its rounding.
type number struct {
	ok    bool
	v     float64
	slack float64 // the true value may differ from v by this: half a unit of the last digit
	exact int64   // v in units of 10^−places, if whole
	// v has no more than places decimals, so that exact is set
	whole bool
}

// places is the number of decimals up to which sums are exact.
const places = 4

// read returns the number in a field. Signs, separators of thousands, units and marks of footnotes may stand
// around it. A field with more than one number, such as the label of a class, is none.
func read(s string) (n number) {
	var b strings.Builder
	rest := strings.TrimLeft(s, " \u00a0　(（+")
	negative := rest != strings.TrimLeft(s, " \u00a0　+")
	for _, sign := range []string{"-", "−", "–", "▲", "△", "－"} {
		if after, ok := strings.CutPrefix(rest, sign); ok {
			rest, negative = strings.TrimLeft(after, " \u00a0"), true
			break
		}
	}
	begun, ended := false, false
	for i, r := range rest {
		d := digit(r)
		switch {
		case d >= 0 && !ended:
			b.WriteByte(byte('0' + d))
			begun = true
		case d >= 0 && !footnote(rest[:i]):
			return number{}
		case begun && !ended && within(rest[i+utf8.RuneLen(r):], r):
			if r == '.' || r == ',' || r == '．' || r == '，' {
				b.WriteRune(map[rune]rune{'.': '.', ',': ',', '．': '.', '，': ','}[r])
			}
		case begun:
			if ended = true; utf8.RuneCountInString(rest[i:]) > 4 { // more than a unit or a mark behind the digits
				return number{}
			}
		case d < 0 && utf8.RuneCountInString(rest[:i]) > 2: // more than a mark before the digits
			return number{}
		}
	}
	if !begun {
		return number{}
	}
	return valueOf(b.String(), negative)
}

// footnote reports whether the text before a second number says that this is the number of a note.
func footnote(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, "0123456789"))
	return strings.ContainsRune("注※*[( 参", r) && !strings.ContainsAny(before, "-–～〜~/:")
}

// within reports whether r may stand between digits, of which three must follow unless r is a point or comma.
func within(after string, r rune) bool {
	next, size := utf8.DecodeRuneInString(after)
	if strings.ContainsRune(".,．，", r) {
		return digit(next) >= 0
	}
	for range 3 {
		if digit(next) < 0 {
			return false
		}
		after = after[size:]
		next, size = utf8.DecodeRuneInString(after)
	}
	return digit(next) < 0 && strings.ContainsRune("'’ \u00a0\u202f\u2009", r)
}

func digit(r rune) int {
	switch {
	case '0' <= r && r <= '9':
		return int(r - '0')
	case '０' <= r && r <= '９':
		return int(r - '０')
	}
	return -1
}

// valueOf reads digits, points and commas. If there are two kinds of separators, the last is the decimal one; a
// single kind is decimal, too, unless all groups behind it have three digits.
func valueOf(s string, negative bool) number {
	last := strings.LastIndexAny(s, ".,")
	if last >= 0 {
		mark := s[last : last+1]
		other := "."
		if mark == "." {
			other = ","
		}
		thousands := mark == "," || strings.Count(s, mark) > 1
		for i, group := range strings.Split(s, mark) {
			thousands = thousands && (i == 0 && len(group) <= 3 && group != "0" || i > 0 && len(group) == 3)
		}
		s = strings.ReplaceAll(s, other, "")
		if thousands {
			s = strings.ReplaceAll(s, mark, "")
		} else {
			s = strings.ReplaceAll(s, mark, ".")
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || v > 1e15 {
		return number{}
	}
	s = strconv.FormatFloat(v, 'g', 15, 64) // 8.800000000000001 in a workbook is 8.8
	if v, err = strconv.ParseFloat(s, 64); err != nil {
		return number{}
	}
	if negative {
		v = -v
	}
	decimals := 0
	if _, after, ok := strings.Cut(s, "."); ok {
		decimals = len(after)
	}
	n := number{ok: true, v: v, slack: math.Pow(10, float64(-decimals)) / 2, whole: decimals <= places && math.Abs(v) < 1e11}
	if n.whole {
		n.exact = int64(math.Round(v * 1e4))
	}
	return n
}
