package xlsx

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/hitoku/hitoku/internal/ooxml"
)

// Running text may tell a share of a withheld cell, or another number computed from it: "Celle, men: 12.5 %". Which ones do nobody can tell from the number, so that all numbers go
// that look like one, with decimals or a sign of per cent behind them, where the text has all labels of the cell.

// inHundreds are what stands behind shares.
var inHundreds = []string{"%", "％", "‰", "per cent", "percent", "prozent", "v.h.", "v. h.", "pour cent", "p. c.", "por ciento", "por cento", "per cento", "procent", "パーセント", "ポイント", "割"}

// isShare reports whether a number of a text looks like a share: a sign of per cent is behind it, or it has decimals, which the three digits behind a comma need not be.
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

// inWords folds a text or label as foldLabel does, with its words apart.
func inWords(s string) string {
	return strings.Join(strings.Fields(strings.ToLower(norm.NFKC.String(s))), " ")
}

// withoutCode is a label without the code before its words.
func withoutCode(label string) string {
	code, rest, _ := strings.Cut(label, " ")
	if r, _ := utf8.DecodeRuneInString(rest); unicode.IsLetter(r) && strings.Trim(code, "0123456789.-)") == "" {
		return rest
	}
	return label
}

// toldOf is the first withheld cell that a text, in words, is about, −1 for none.
func (s *secrets) toldOf(words string) int {
	return slices.IndexFunc(s.cells, func(x secret) bool { return x.isIn(words) })
}

// allTold are the withheld cells all labels of which a text has.
func (s *secrets) allTold(text string) (all []int) {
	folded, words := foldLabel(text), inWords(text)
	for k := range s.cells {
		if s.told(k, folded) || s.cells[k].isIn(words) {
			all = append(all, k)
		}
	}
	return all
}

// isIn reports whether a text, in words, has all labels of the cell but those of totals and the name of its sheet.
func (x *secret) isIn(words string) bool {
	return len(x.words) > 0 && !slices.ContainsFunc(x.words, func(l string) bool { return !stands(words, l) })
}

// stands reports whether a label stands in a text as words of its own.
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
