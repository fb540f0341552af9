// Package stranger reads the copy of an office's file like somebody who was not told how it is laid out, and
// looks for what reveals a withheld number. It knows no tables, titles or codes, only rows and columns of
// numbers.
//
// A formula that holds wherever it can be checked along a row or column is taken for no coincidence: a line
// equals another, the sum or difference of two, the sum of neighbouring lines, the quotient of two (a share, an
// index, an average, a change), or is proportional to another. Lines are compared within a sheet and across
// sheets, matched by their labels. Reported is what these formulas reveal about a withheld number from the
// numbers that are left.
//
// The evidence for a formula is counted in bits: those that chance would have had to guess, less those needed to
// name its lines, near ones being cheaper than far ones (Rissanen, Modeling by shortest data description,
// Automatica 14, 1978). The search ends after a fixed number of steps, and says so.
package stranger

// A Place is a field: its sheet, row and column, counted from 0.
type Place struct{ Sheet, Row, Col int }

// A Sheet has the texts of its fields by row.
type Sheet [][]string

// A Fact is a sum that holds wherever it can be checked: Σ Coef·number = 0 over the places, which lie in
// different columns if Down, else in different rows.
type Fact struct {
	Place []Place
	Coef  []int32
	Down  bool
}

// A Ratio is a withheld number that follows from By divided or multiplied by Of, in columns if Down, else in
// rows. Of equals By if the two lines are proportional.
type Ratio struct {
	Secret, By, Of Place
	Down           bool
}

// A book is a file with its numbers.
type book struct {
	sheets []Sheet
	number [][][]number
	left   [][][]bool // whether the number is still in the copy
	secret map[Place]bool
	chance func(secret, other Place) bool // nil: never true
	steps  int
}

// isChance reports whether a number is independent of a withheld one, however similar their lines look.
func (b *book) isChance(secret, other Place) bool { return b.chance != nil && b.chance(secret, other) }

// newBook reads all numbers. The fields of the copy are at the same places as those of the file.
func newBook(file, copied []Sheet, secret map[Place]bool) *book {
	b := &book{sheets: file, secret: secret, steps: 50_000_000}
	for s, sheet := range file {
		var numbers [][]number
		var left [][]bool
		for r, row := range sheet {
			n, l := make([]number, len(row)), make([]bool, len(row))
			for c, text := range row {
				n[c] = read(text)
				if l[c] = n[c].ok && !secret[Place{s, r, c}]; l[c] && s < len(copied) && r < len(copied[s]) && c < len(copied[s][r]) {
					l[c] = read(copied[s][r][c]).ok
				}
			}
			numbers, left = append(numbers, n), append(left, l)
		}
		b.number, b.left = append(b.number, numbers), append(b.left, left)
	}
	return b
}

// at returns the number at a place.
func (b *book) at(p Place) number {
	if p.Row < len(b.number[p.Sheet]) && p.Col < len(b.number[p.Sheet][p.Row]) {
		return b.number[p.Sheet][p.Row][p.Col]
	}
	return number{}
}

// text returns the text at a place.
func (b *book) text(r, c, s int) string {
	if r < len(b.sheets[s]) && c < len(b.sheets[s][r]) {
		return b.sheets[s][r][c]
	}
	return ""
}

// IsNumber reports whether a number stands at a place.
func IsNumber(sheets []Sheet, p Place) bool {
	s := sheets[p.Sheet]
	return p.Row < len(s) && p.Col < len(s[p.Row]) && read(s[p.Row][p.Col]).ok
}
