package compare

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/lazy"
)

// maskLetters are letters that may mask a character, as signs and points may where no value has them.
const maskLetters = "xXｘＸ"

// separators separate the members of sets in braces.
const separators = ",;|、"

// A spelling is what the original values tell about reading released ones; each part is computed when first needed.
type spelling struct {
	signs  map[rune]int    // the longest run of each character in the values
	folded map[string]int  // places of values by their folded text; −1 if several share it
	fixed  map[string]bool // by shape of a code: whether every value begins with it

	dated    bool // moments has been computed
	moments  []moment
	american bool // in 03/04/2001 the month comes first
}

// free reports whether no value has a sign as often in a row.
func (d *domain) free(sign rune, row int) bool {
	if d.signs == nil {
		d.signs = map[rune]int{}
		for _, t := range d.texts {
			n, last := 0, rune(-1)
			for _, c := range t {
				if n++; c != last {
					n, last = 1, c
				}
				d.signs[c] = max(d.signs[c], n)
			}
		}
	}
	return d.signs[sign] < row
}

// fold returns a text without surrounding blanks, in lower case and half width.
func fold(text string) string { return strings.ToLower(strings.TrimSpace(halfWidth(text))) }

// long reports whether some value is as long as a text, so that each of its signs can stand for a character.
func (d *domain) long(text string) bool {
	n := utf8.RuneCountInString(text)
	return slices.ContainsFunc(d.texts, func(t string) bool { return utf8.RuneCountInString(t) == n })
}

// rewritten returns the original value that a text is another spelling of, in another case or with blanks around it; ok
// is false if there are several.
func (d *domain) rewritten(text string) (s set, ok bool) {
	if d.folded == nil {
		d.folded = map[string]int{}
		for n, t := range d.texts {
			if _, had := d.folded[fold(t)]; had {
				n = -1
			}
			d.folded[fold(t)] = n
		}
	}
	n, ok := d.folded[fold(text)]
	if !ok || n < 0 || d.texts[n] == "" {
		return s, false
	}
	return set{list: []uint32{d.ids[n]}}, true
}

// masked returns a text with marks in place of a sign at its end or beginning that no original value has (8476x, 8476#,
// 847__), or not as often in a row, as the points of A.... for A10.1. A letter counts as a sign only beside digits,
// alone, or two or more times.
func (d *domain) masked(text string) string {
	first, _ := utf8.DecodeRuneInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	for _, sign := range []rune{last, first} {
		one := string(sign)
		letter := strings.ContainsRune(maskLetters, sign)
		if !letter && !unicode.IsPunct(sign) && !unicode.IsSymbol(sign) || sign == '*' || strings.ContainsRune(")]}", sign) {
			continue
		}
		bare := strings.Trim(text, one)
		row := max(len(text)-len(strings.TrimRight(text, one)), len(text)-len(strings.TrimLeft(text, one))) / len(one)
		if d.numeric && strings.ContainsRune("+-<>=≤≥≦≧.,~～〜", sign) && (row < 2 || !d.long(text)) {
			continue // the sign makes it an interval
		}
		if letter && !d.free(sign, 1) || !d.free(sign, row) || letter && row < 2 && bare != "" && !strings.ContainsFunc(bare, unicode.IsDigit) || strings.Contains(bare, mark) {
			continue
		}
		at := strings.Index(text, bare)
		if bare == "" {
			at = len(text)
		}
		return strings.ReplaceAll(text[:at], one, mark) + bare + strings.ReplaceAll(text[at+len(bare):], one, mark)
	}
	return text
}

// braces returns the union of what stands in braces, as {1,2}, separated by a sign that no value has; ok is false if
// nothing in them is known.
func (d *domain) braces(text string, how *reading) (s set, ok bool) {
	if !strings.HasPrefix(text, "{") || !strings.HasSuffix(text, "}") || len(text) < 3 {
		return s, false
	}
	inner := text[1 : len(text)-1]
	at := strings.IndexAny(inner, separators)
	parts := []string{inner}
	if at >= 0 {
		sign, _ := utf8.DecodeRuneInString(inner[at:])
		if !d.free(sign, 1) {
			return s, false
		}
		parts = strings.Split(inner, string(sign))
	}
	seen := map[uint32]bool{}
	for _, part := range parts {
		part = strings.Trim(strings.TrimSpace(part), `"'`)
		if x, err := number(part); d.numeric && err == nil && part != "" {
			for _, id := range how.exact[x] {
				seen[id] = true
			}
			continue
		}
		if place, ok := slices.BinarySearch(d.texts, part); ok {
			seen[d.ids[place]] = true
			continue
		}
		for _, id := range d.names[part] {
			seen[id] = true
		}
	}
	for id := range seen {
		s.list = append(s.list, id)
	}
	slices.Sort(s.list)
	return s, len(s.list) > 0
}

// ofCodes matches a range: two codes with a sign or word between them.
var ofCodes = lazy.Regexp(`^([\pL\d.]+)\s*(?:-|–|—|~|〜|～|\.\.\.?|\bto\b)\s*([\pL\d.]+)$`)

// shape replaces each character of a code by its kind: a digit, a letter of either case, or itself.
func shape(code string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case unicode.IsDigit(c):
			return '0'
		case unicode.IsUpper(c):
			return 'A'
		case unicode.IsLetter(c):
			return 'a'
		}
		return c
	}, code)
}

// codes returns the set of the texts from one code to another, as A-C or E10-E14, including those that begin with the
// last. It is a range only if all texts begin with codes of the same shape, and digits continue after the code in all
// of them or in none: otherwise the order of texts is not that of codes.
func (d *domain) codes(text string) (s set, ok bool) {
	m := ofCodes().FindStringSubmatch(text)
	if m == nil || m[1] >= m[2] || shape(m[1]) != shape(m[2]) || !d.begun(shape(m[1])) {
		return s, false
	}
	s.text = true
	s.lo, _ = slices.BinarySearch(d.texts, m[1])
	s.hi = d.beginning(m[2]).hi
	return s, s.lo < s.hi
}

// begun reports whether all texts begin with codes of a shape.
func (d *domain) begun(of string) bool {
	if ok, looked := d.fixed[of]; looked {
		return ok
	}
	if d.fixed == nil {
		d.fixed = map[string]bool{}
	}
	more, fewer := 0, 0
	for _, t := range d.texts {
		if t == "" || anyOf(t) {
			continue
		}
		rest, ok := strings.CutPrefix(shape(t), of)
		switch {
		case !ok:
			d.fixed[of] = false
			return false
		case strings.HasSuffix(of, "0") && strings.HasPrefix(rest, "0"):
			more++
		default:
			fewer++
		}
	}
	d.fixed[of] = more == 0 || fewer == 0
	return d.fixed[of]
}

// divided reports whether ranges of codes can be meant: they contradict no record whose original is known. Without such
// records, they and the other values must partition the original values, because a pair with a hyphen can also be two
// values.
func (r *reader) divided(m *Meaning, how *reading) bool {
	f := r.fit(how)
	if f.broken > 0 {
		return false
	}
	for _, id := range r.domain.ids {
		sets := 0
		for _, v := range m.of(id) {
			if !m.any[v] && (m.size[v] > 1 || !r.numeric) { // plain numbers overlap with the classes into which others were recoded
				sets++
			}
		}
		if sets > 1 {
			return false
		}
	}
	return r.truth != nil || f.uncovered == 0 || f.any || r.partial()
}
