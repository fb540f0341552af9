package records

import "unicode/utf8"

// Guess tells by what its characters are whether text that is not UTF-8 is CP932 or CP1252: enc is the likelier of those
// that have all its bytes, UTF8 where neither has. sure is false where the other is not far less likely.
//
// Letters of Western Europe stand alone among ASCII letters; read as CP932 they are rare kanji, or kana of half width,
// in the midst of a Latin word. Japanese read as CP1252 is full of symbols and of letters side by side.
func Guess(text []byte) (enc string, sure bool) {
	if utf8.Valid(text) {
		return UTF8, true
	}
	_, japanese := Decode(text, CP932)
	_, western := Decode(text, CP1252)
	western = western && FindWestern(text) == CP1252
	if !japanese || !western {
		switch {
		case japanese:
			return CP932, true
		case western:
			return CP1252, true
		}
		return UTF8, false
	}
	j, w := japaneseCost(text), westernCost(text)
	if j <= w {
		return CP932, w-j >= far
	}
	return CP1252, j-w >= far
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
		before, after := around(text, from, i+1)
		for _, x := range []byte{before, after} {
			switch {
			case lower(x):
				cost += 7
			case lower(x | 0x20):
				cost += 2
			}
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
