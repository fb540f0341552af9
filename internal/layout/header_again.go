package layout

import (
	"slices"
	"strings"
)

// leastAgain is how many fields must agree before a row is taken to repeat a header.
const leastAgain = 3

// withHeaders returns the book with those repeated headers completed that are cut short, as on a further page: such a
// row agrees with the first header as far as it goes, and the numbers below it go on to the right.
func (b *Book) withHeaders(grids []*Grid) (*Book, []*Grid) {
	full := map[*Grid]*Grid{}
	for _, g := range b.Grids {
		if with := g.withHeaders(); with != g {
			full[g] = with
		}
	}
	if len(full) == 0 {
		return b, grids
	}
	of := *b
	of.Grids = nil
	for _, g := range b.Grids {
		if with := full[g]; with != nil {
			g = with
		}
		of.Grids = append(of.Grids, g)
	}
	grids = slices.Clone(grids)
	for i, g := range grids {
		if with := full[g]; with != nil {
			grids[i] = with
		}
	}
	return &of, grids
}

// withHeaders returns the grid with its repeated headers completed, or g itself if nothing is to be completed.
func (g *Grid) withHeaders() *Grid {
	type head struct {
		c           int
		first, next string
	}
	seen := map[head]int{} // the first row that begins like this
	with := g
	complete := func(r int, whole []Field) {
		if with == g {
			of := *g
			of.Rows = slices.Clone(g.Rows)
			with = &of
		}
		with.Rows[r] = whole
	}
	for r, row := range g.Rows {
		c := slices.IndexFunc(row, func(f Field) bool { return strings.TrimSpace(f.Text) != "" })
		if c < 0 || row[c].Number || c+1 >= len(row) || g.number(r, c+1) && !year().MatchString(strings.TrimSpace(row[c+1].Text)) {
			continue
		}
		k := head{c, strings.TrimSpace(row[c].Text), strings.TrimSpace(row[c+1].Text)}
		first, again := seen[k]
		if !again {
			seen[k] = r
			continue
		}
		if to := g.shorter(first, r); to > 0 {
			whole := slices.Clone(g.Rows[first])
			copy(whole, row[:min(to, len(row))])
			for c := to; c < len(whole); c++ {
				if !g.digitBelow(r, c) {
					whole[c] = Field{}
				}
			}
			complete(r, whole)
		}
	}
	for r := range with.Rows {
		if whole := with.halved(r); whole != nil {
			complete(r, whole)
		}
	}
	return with
}

// digitBelow reports whether a row below row r, up to an empty one, has a digit in column c.
func (g *Grid) digitBelow(r, c int) bool {
	for r++; r < len(g.Rows); r++ {
		if hasDigit(g.At(r, c).Text) {
			return true
		}
		if !slices.ContainsFunc(g.Rows[r], func(f Field) bool { return strings.TrimSpace(f.Text) != "" }) {
			return false
		}
	}
	return false
}

// halved returns row r completed, if it is a header that stands twice side by side, as rows go on at the right, and one
// of the two lacks one text of the other; else nil. A header has only texts and years, with numbers below and none
// above.
func (g *Grid) halved(r int) []Field {
	row := g.Rows[r]
	said := func(c int) string { return strings.TrimSpace(g.At(r, c).Text) }
	from := slices.IndexFunc(row, func(f Field) bool { return strings.TrimSpace(f.Text) != "" })
	if from < 0 || row[from].Number || hasDigit(said(from)) {
		return nil
	}
	again := from + 1
	for again < len(row) && said(again) != said(from) {
		again++
	}
	same, w := 0, again-from
	var whole []Field
	for c := from + 1; c < again && again < len(row); c++ {
		text, other := said(c), said(c+w)
		for _, at := range []int{c, c + w} {
			if said(at) != "" && g.number(r, at) && !year().MatchString(said(at)) || r > 0 && hasDigit(g.At(r-1, at).Text) {
				return nil
			}
		}
		switch into, of := c, c+w; {
		case text == other && text == "":
		case text == other:
			same++
		case text != "" && other != "" || whole != nil:
			return nil
		default:
			if other == "" {
				into, of = of, into
			}
			if !hasDigit(g.At(r+1, into).Text) || !hasDigit(g.At(r+1, of).Text) {
				return nil
			}
			whole = slices.Grow(slices.Clone(row), max(0, into+1-len(row)))
			whole = whole[:max(len(row), into+1)]
			whole[into] = row[of]
		}
	}
	if same == 0 || slices.ContainsFunc(row[min(len(row), again+w):], func(f Field) bool { return hasDigit(f.Text) }) {
		return nil
	}
	return whole
}

// shorter returns the column up to which row again repeats row first, if that one goes on and numbers below row again
// stand under some of the texts that it lacks; else 0.
func (g *Grid) shorter(first, again int) int {
	to, same := 0, 0
	for c := range g.Rows[again] {
		if text := strings.TrimSpace(g.At(again, c).Text); text != "" {
			if text != strings.TrimSpace(g.At(first, c).Text) {
				return 0
			}
			to, same = c+1, same+1
		}
	}
	more := 0
	for c := range g.Rows[first] {
		f := g.At(first, c)
		text := strings.TrimSpace(f.Text)
		switch {
		case c < to && text != strings.TrimSpace(g.At(again, c).Text):
			return 0
		case c < to || text == "":
		case f.Number:
			return 0
		case g.digitBelow(again, c):
			more++
		}
	}
	if same < leastAgain || more == 0 {
		return 0
	}
	// the last of its columns may have flags instead of numbers
	for c := to - 1; c > 0; c-- {
		if hasDigit(g.At(again+1, c).Text) {
			return to
		}
	}
	return 0
}
