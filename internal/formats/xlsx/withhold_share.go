package xlsx

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/hitoku/hitoku/internal/ooxml"
)

// Running text may tell a share of a withheld cell, or another number computed from it: "Celle, men: 12.5 %".
// The number alone does not show that. So in a text with all labels of the cell all numbers are removed that
// look like shares, with decimals or followed by a percent sign.

// inHundreds are the signs and words that follow a share.
var inHundreds = []string{"%", "％", "‰", "per cent", "percent", "prozent", "v.h.", "v. h.", "pour cent", "p. c.", "por ciento", "por cento", "per cento", "procent", "パーセント", "ポイント", "割"}

// isShare reports whether a number of a text looks like a share: it is followed by a percent sign, or it has
// decimals, but not three, which may be thousands.
func isShare(text string, n ooxml.Number) (is, signed bool) {
	behind := strings.ToLower(strings.TrimLeftFunc(text[n.To:min(len(text), n.To+40)], unicode.IsSpace))
	for _, sign := range inHundreds {
		if strings.HasPrefix(behind, sign) {
			return true, true
		}
	}
	_, decimals, ok := strings.Cut(n.Canon, ".")
	return ok && len(decimals) != 3, false
}

// inWords folds a text or label as foldLabel does, but keeps its words separate.
func inWords(s string) string {
	return strings.Join(strings.Fields(strings.ToLower(norm.NFKC.String(s))), " ")
}

// withoutCode returns a label without the code that precedes its words.
func withoutCode(label string) string {
	code, rest, _ := strings.Cut(label, " ")
	r, _ := utf8.DecodeRuneInString(rest)
	if (unicode.IsLetter(r) || unicode.IsDigit(r) && (strings.ContainsFunc(rest, unicode.IsLetter) || strings.ContainsAny(rest, "-–～〜"))) && strings.Trim(code, "0123456789.-)") == "" {
		return rest
	}
	return label
}

// toldOf returns the first withheld cell that a text, in words, is about, −1 if there is none.
func (s *secrets) toldOf(words string) int {
	return slices.IndexFunc(s.cells, func(x secret) bool { return x.isIn(words) })
}

// allTold returns the withheld cells of which a text has all labels.
func (s *secrets) allTold(text string) (all []int) {
	folded, words := foldLabel(text), inWords(text)
	for k := range s.cells {
		if s.told(k, folded) || s.cells[k].isIn(words) {
			all = append(all, k)
		}
	}
	return all
}

// isIn reports whether a text, in words, has all labels of the cell other than totals and the name of its
// sheet.
func (x *secret) isIn(words string) bool {
	return len(x.words) > 0 && !slices.ContainsFunc(x.words, func(l string) bool { return !stands(words, l) })
}

// stands reports whether a label occurs in a text as whole words.
func stands(text, label string) bool {
	for from := 0; ; {
		k := strings.Index(text[from:], label)
		if k < 0 {
			return false
		}
		k += from
		before, _ := utf8.DecodeLastRuneInString(text[:k])
		behind, _ := utf8.DecodeRuneInString(text[k+len(label):])
		if !joins(before, label) && !joins(behind, label) && !(unicode.IsDigit(before) && isDigitAt(label, 0)) && !(unicode.IsDigit(behind) && isDigitAt(label, len(label)-1)) {
			return true
		}
		from = k + 1
	}
}

func isDigitAt(s string, k int) bool { return s[k] >= '0' && s[k] <= '9' }
