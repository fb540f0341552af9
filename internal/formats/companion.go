package formats

import (
	"slices"
	"strings"
	"unicode"
)

// A companion is a column whose texts go one-to-one with the codes of a dimension, as labels do.
type companion struct {
	dim int               // index into src.dims
	of  map[string]string // the text that goes with each code
}

// companions finds those of the columns whose texts go one-to-one with the codes of a dimension. Amounts may do
// so by chance, or because they are repeated on all lines of a code. So each code must be on two lines on
// average, and numbers must all have the same length and be in a column whose name has a word for codes.
func (src *tidySource) companions(columns []int) (map[int]companion, error) {
	found := map[int]companion{}
	for d := range src.dims {
		for _, c := range columns {
			if _, done := found[c]; done {
				continue
			}
			to, from := map[string]string{}, map[string]string{}
			ok := true
			err := src.each(func(_ int, row []field) bool {
				code, text := row[src.dims[d]].text, row[c].text
				x, known := to[code]
				y, taken := from[text]
				if ok = (!known || x == text) && (!taken || y == code); ok && !known {
					to[strings.Clone(code)], from[strings.Clone(text)] = strings.Clone(text), strings.Clone(code)
				}
				return ok
			})
			if err != nil {
				return nil, err
			}
			if ok && len(to) > 1 && src.lines() >= 2*len(to) && src.labels(c, from) {
				found[c] = companion{d, to}
			}
		}
	}
	return found, nil
}

// codeWords occur in the names of columns of codes.
var codeWords = []string{"code", "コード", "label", "name", "id", "nr"}

// labels reports whether the texts of column c cannot be amounts.
func (src *tidySource) labels(c int, texts map[string]string) bool {
	length, numbers, even := -1, false, true
	for text := range texts {
		if strings.ContainsAny(text, "0123456789０１２３４５６７８９") && !strings.ContainsFunc(text, unicode.IsLetter) {
			numbers = true
		}
		even = even && (length < 0 || length == len(text))
		length = len(text)
	}
	if !numbers {
		return true
	}
	words := strings.FieldsFunc(strings.ToLower(src.header[c].text), func(r rune) bool { return !unicode.IsLetter(r) && r != 'ー' })
	return even && slices.ContainsFunc(codeWords, func(w string) bool { return slices.Contains(words, w) })
}
