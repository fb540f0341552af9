package records

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Guess tells by what its characters are whether text that is not UTF-8 is CP932, CP1252 or EUC-JP: enc is the likeliest of
// those that have all its bytes, UTF8 where none has. sure is false where another is not far less likely.
//
// Letters of Western Europe stand alone among ASCII letters; read as CP932 they are rare kanji, or kana of half width,
// in the midst of a Latin word, and in EUC-JP, where all bytes go in pairs, nothing. Japanese read as CP1252 is full of symbols
// and of letters side by side, EUC-JP read as CP932 of rare kanji and of kana of half width.
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

// FindWestern is the encoding of text as Western says: CP1252 where it is not UTF-8, and was not before some bytes were
// damaged, as where more bytes beyond ASCII are in characters of UTF-8 than are not.
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

// far is how many bits make a reading far likelier. The costs below are bits, roughly, that a character takes in text of
// such a kind; TestGuess is what they are held by.
const far = 6

// westernCost is how unlikely text is as CP1252.
func westernCost(text []byte) int {
	cost, run := 0, 0 // letters beyond ASCII side by side
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
		case c == 0x92 && lower(before|0x20): // an apostrophe
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
		case letter && c >= 0xc0 && c < 0xdf && lower(before): // a capital in the midst of a word
			cost += 6
		}
		if run++; !letter {
			run = 0
		}
	}
	return cost
}

// japaneseCost is how unlikely text is as CP932, which has all its bytes.
func japaneseCost(text []byte) int {
	cost, half := 0, false // the character before is kana of half width
	ends := 0              // where the character before ends, if it is of two bytes: the second may be that of an ASCII letter
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
		case c == 0x80 || c == 0xa0 || c >= 0xfd || i+1 == len(text): // control characters of one byte, which nobody writes
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

// kanjiCost is the part of a character of two bytes.
func kanjiCost(lead, trail byte) int {
	switch {
	case lead == 0x82 && trail >= 0x9f, lead == 0x83 && trail <= 0x96: // kana
		return 5
	case lead <= 0x82, lead >= 0x88 && lead <= 0x97, lead == 0x98 && trail <= 0x72: // signs, letters of full width, common kanji
		return 7
	case lead <= 0x87:
		return 10
	case lead <= 0xea: // rare kanji
		return 16
	}
	return 25
}

// eucCost is how unlikely text is as EUC-JP, which has all its bytes. Where none is beyond those of kana of half width in CP932,
// these may go in pairs by chance: it is as unlikely as CP932.
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
		case c == 0x8e: // kana of half width
			cost += 12
		case c == 0x8f: // kanji rarer than those of CP932
			i++
			cost += 25
		case c == 0xa4 || c == 0xa5: // kana
			cost += 5
		case c <= 0xa3 || c >= 0xb0 && c <= 0xcf: // signs, letters of full width, common kanji
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

// beside is the part of the ASCII letters beside the Japanese character text[from:to].
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

// around are the bytes before and behind text[from:to], 0 at its ends.
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

// Advice says how to resolve a number that may be decimal or whole.
func Advice(text string) i18n.Text {
	s := strings.TrimSpace(text)
	m := s[strings.IndexAny(s, ".,")]
	whole := strings.ReplaceAll(s, string(m), "")
	return i18n.T("%s, or %s? No number of the file tells; say --thousands %c or --decimal %c", whole, strings.Replace(s, ",", ".", 1), m, m)
}
