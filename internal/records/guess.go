package records

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Guess tells by the kinds of characters whether text that is not UTF-8 is CP932, CP1252 or EUC-JP. enc is the
// likeliest of those in which all its bytes are valid, UTF8 if there is none. sure is false if another one is
// not far less likely.
//
// Accented letters of Western Europe mostly occur singly among ASCII letters. Read as CP932 they become rare
// kanji or half-width kana in the middle of Latin words; in EUC-JP, where all bytes come in pairs, they are
// invalid. Japanese text read as CP1252 is full of symbols and adjacent accented letters; EUC-JP read as CP932
// is full of rare kanji and half-width kana.
func Guess(text []byte) (enc string, sure bool) {
	if utf8.Valid(text) {
		return UTF8, true
	}
	const none = math.MaxInt
	best, next := none, none
	enc = UTF8
	for _, kind := range []struct {
		enc  string
		cost func([]byte) int
	}{{CP932, japaneseCost}, {CP1252, westernCost}, {EUCJP, eucCost}} {
		if _, ok := Decode(text, kind.enc); !ok || kind.enc == CP1252 && FindWestern(text) != CP1252 {
			continue
		}
		cost := kind.cost(text)
		if cost < best {
			enc, best, cost = kind.enc, cost, best
		}
		next = min(next, cost)
	}
	return enc, best < none && next-best >= far
}

// FindWestern returns the encoding of text as defined for Western. It is CP1252 if text is not UTF-8, unless it
// looks like damaged UTF-8: if more of its non-ASCII bytes are in valid UTF-8 characters than are not.
func FindWestern(text []byte) string {
	good, bad := 0, 0
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case n > 1:
			good += n
		case r == utf8.RuneError:
			bad++
		}
		text = text[n:]
	}
	if bad > good {
		return CP1252
	}
	return UTF8
}

// far is how many bits make one reading far likelier than another. The costs below are about the number of bits
// that a character takes in text of that kind; TestGuess checks them.
const far = 6

// westernCost returns how unlikely text is as CP1252.
func westernCost(text []byte) int {
	cost, run := 0, 0 // run: number of adjacent non-ASCII letters so far
	for i, c := range text {
		if c < utf8.RuneSelf {
			run = 0
			continue
		}
		before, after := around(text, i, i+1)
		beside := before >= utf8.RuneSelf || after >= utf8.RuneSelf
		letter, z := true, c == 0x8a || c == 0x8c || c == 0x8e || c == 0x9a || c == 0x9c || c == 0x9e || c == 0x9f
		switch {
		case c >= 0xc0 && c != 0xd7 && c != 0xf7:
			cost += 4
		case z: // Š Œ Ž š œ ž Ÿ
			cost += 9
		case c == 0x92 && lower(before|0x20): // an apostrophe after a letter
			cost, letter = cost+5, false
		case c == 0xa0, c == 0xab, c == 0xbb, c == 0xb0, c == 0xa7, c == 0xba, c == 0xaa, c == 0xb2, c == 0xb3:
			cost, letter = cost+6, false
		default:
			cost, letter = cost+9, false
		}
		switch {
		case !letter && beside:
			cost += 6
		case letter && run > 1:
			cost += 10
		case letter && run == 1:
			cost += 4
		case letter && c >= 0xc0 && c < 0xdf && lower(before): // a capital in the middle of a word
			cost += 6
		}
		if run++; !letter {
			run = 0
		}
	}
	return cost
}

// japaneseCost returns how unlikely text is as CP932, in which all its bytes are valid.
func japaneseCost(text []byte) int {
	cost, half := 0, false // half: the previous character is half-width kana
	ends := 0              // where the previous two-byte character ends; its second byte may look like an ASCII letter
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c < utf8.RuneSelf {
			half = false
			continue
		}
		from := i
		switch {
		case c >= 0xa1 && c <= 0xdf:
			if cost += 7; !half {
				cost++
			}
			half = true
		// One-byte control characters, which nobody writes.
		case c == 0x80 || c == 0xa0 || c >= 0xfd || i+1 == len(text):
			half = false
			cost += 20
		default:
			i++
			half = false
			cost += kanjiCost(c, text[i])
		}
		cost += beside(text[ends:], from-ends, i+1-ends)
		if i > from {
			ends = i + 1
		}
	}
	return cost
}

// kanjiCost returns the cost of a two-byte character.
func kanjiCost(lead, trail byte) int {
	switch {
	case lead == 0x82 && trail >= 0x9f, lead == 0x83 && trail <= 0x96: // kana
		return 5
	// Symbols, full-width letters, common kanji.
	case lead <= 0x82, lead >= 0x88 && lead <= 0x97, lead == 0x98 && trail <= 0x72:
		return 7
	case lead <= 0x87:
		return 10
	case lead <= 0xea: // rare kanji
		return 16
	}
	return 25
}

// eucCost returns how unlikely text is as EUC-JP, in which all its bytes are valid. If it has only bytes that
// are half-width kana in CP932, these may come in pairs by chance: then it is as unlikely as CP932.
func eucCost(text []byte) int {
	if !slices.ContainsFunc(text, func(c byte) bool { return c > 0xdf }) {
		return japaneseCost(text)
	}
	cost := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c < utf8.RuneSelf {
			continue
		}
		from := i
		switch i++; {
		case c == 0x8e: // half-width kana
			cost += 12
		case c == 0x8f: // kanji even rarer than those of CP932
			i++
			cost += 25
		case c == 0xa4 || c == 0xa5: // kana
			cost += 5
		case c <= 0xa3 || c >= 0xb0 && c <= 0xcf: // symbols, full-width letters, common kanji
			cost += 7
		case c < 0xb0:
			cost += 10
		case c <= 0xf4: // rare kanji
			cost += 16
		default:
			cost += 25
		}
		cost += beside(text, from, i+1)
	}
	return cost
}

// beside returns the additional cost if ASCII letters are beside the Japanese character text[from:to].
func beside(text []byte, from, to int) (cost int) {
	before, after := around(text, from, to)
	for _, x := range []byte{before, after} {
		switch {
		case lower(x):
			cost += 7
		case lower(x | 0x20):
			cost += 2
		}
	}
	return cost
}

// around returns the bytes before and after text[from:to], 0 at the ends of the text.
func around(text []byte, from, to int) (before, after byte) {
	if from > 0 {
		before = text[from-1]
	}
	if to < len(text) {
		after = text[to]
	}
	return before, after
}

func lower(c byte) bool { return c >= 'a' && c <= 'z' }

// Advice says how to resolve a number of which the mark may be a decimal mark or separate thousands.
func Advice(text string) i18n.Text {
	s := strings.TrimSpace(text)
	m := s[strings.IndexAny(s, ".,")]
	whole := strings.ReplaceAll(s, string(m), "")
	return i18n.T("%s, or %s? No number of the file tells; say --thousands %c or --decimal %c", whole, strings.Replace(s, ",", ".", 1), m, m)
}
