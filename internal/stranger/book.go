// Package stranger reads the copy of an office's file as somebody does who was not told how the file is laid out, and looks for what tells a withheld
// number: it knows no tables, titles or codes, only rows and columns of numbers.
//
// What holds in all places of a row or column where it can be tried is no chance: a line that is another one, the sum or the difference of two, the sum of
// lines that stand together, a line divided by another (a share, an index, an average, a change) or proportional to it. Lines are tried within a sheet and
// across sheets, by the labels they share. What then follows for a withheld number from numbers that are left is told.
//
// The evidence of a formula is counted in bits: those that chance would have to guess, less those it takes to name the lines, near ones before far ones
// (Rissanen, Modeling by shortest data description, Automatica 14, 1978). The search ends after a fixed number of steps, and says so.
package stranger

// A Place is a field: its sheet, row and column, counted from 0.
type Place struct{ Sheet, Row, Col int }

// A Sheet is the texts of its fields by row.
type Sheet [][]string

// A Fact is a sum that holds wherever it can be tried: Σ Coef·number = 0 over the places, of columns or, else, of rows.
type Fact struct {
	Place []Place
	Coef  []int32
	Down  bool
}

// A Ratio is a withheld number that By, divided or multiplied by Of, tells, in columns or, else, in rows; Of is By where the two lines are proportional.
type Ratio struct {
	Secret, By, Of Place
	Down           bool
}

// A book is a file with its numbers.
type book struct {
	sheets []Sheet
	number [][][]number
	left   [][][]bool // in the copy
	secret map[Place]bool
	chance func(secret, other Place) bool // nil: never
	steps  int
}

// isChance reports whether a number has nothing to do with a withheld one, whatever the two lines look like.
func (b *book) isChance(secret, other Place) bool { return b.chance != nil && b.chance(secret, other) }

// newBook reads all numbers. The copy has the fields of the file at their places.
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

// at is the number at a place.
func (b *book) at(p Place) number {
	if p.Row < len(b.number[p.Sheet]) && p.Col < len(b.number[p.Sheet][p.Row]) {
		return b.number[p.Sheet][p.Row][p.Col]
	}
	return number{}
}

// text is what stands at a place.
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
