package layout

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats/xlsx"
	"github.com/hitoku/hitoku/internal/lazy"
)

// A half is a column of a grid in which columns of numbers that have their share in the same field, as 12 (34.5 %), are
// split in two.
type half struct {
	column int  // the column of the file
	share  bool // it has the shares of that column
}

// numberAndShare matches a field with a number or a mark, and another in brackets.
var numberAndShare = lazy.Regexp(`^[\s\p{Zs}]*([0-9０-９][0-9０-９.,．，'’\s\p{Zs}]*?|[^0-9０-９\s\p{Zs}(（]{1,3})[\s\p{Zs}]*[(（\[][\s\p{Zs}]*([0-9０-９][0-9０-９.,．，]*[\s\p{Zs}]*[%％‰]?|[^0-9０-９\s\p{Zs}(（]{1,3})[\s\p{Zs}]*[)）\]][\s\p{Zs}]*$`)

// halved returns the number and the share in a field, and where they stand in its text.
func halved(text string) (number, share string, at []int, ok bool) {
	if !strings.ContainsAny(text, "(（[") {
		return "", "", nil, false
	}
	at = numberAndShare().FindStringSubmatchIndex(text)
	if at == nil {
		return "", "", nil, false
	}
	number, share = text[at[2]:at[3]], text[at[4]:at[5]]
	for _, s := range []string{number, share} {
		if _, _, mark := (*marks)(nil).find(s); !hasDigit(s) && !mark {
			return "", "", nil, false
		}
	}
	return number, share, at, true
}

// inHalves returns the grids of a file with numbers and their shares in columns of their own, so that nothing that
// reads a table has to know of fields with both.
func inHalves(grids []*Grid) []*Grid {
	all := slices.Clone(grids)
	for i, g := range grids {
		if of := g.withShares(); len(of) > 0 {
			all[i] = g.inHalves(of)
		}
	}
	return all
}

// withShares returns the columns of numbers with their shares, and the first row of each.
func (g *Grid) withShares() map[int]int {
	type column struct{ first, n, percent, other int }
	all := map[int]*column{}
	for r, row := range g.Rows {
		labelled := false
		for c := range row {
			f := &row[c]
			text := strings.TrimSpace(f.Text)
			number, share, _, ok := halved(f.Text)
			if ok = ok && !f.Number && f.Formula == "" && hasDigit(number) && hasDigit(share); !ok || !labelled {
				labelled = labelled || text != "" && !ok
				if x := all[c]; x != nil && hasDigit(text) {
					x.other++
				}
				continue
			}
			if all[c] == nil {
				all[c] = &column{first: r}
			}
			all[c].n++
			if strings.ContainsAny(share, "%％‰") {
				all[c].percent++
			}
		}
	}
	of := map[int]int{}
	for c, x := range all {
		if x.n > 1 && x.n >= x.other && (x.percent > 0 || x.n > 2) {
			of[c] = x.first
		}
	}
	return of
}

// inHalves returns the grid with the numbers and shares of some columns in columns of their own. of tells the first row
// of each.
func (g *Grid) inHalves(of map[int]int) *Grid {
	n := *g
	n.file, n.halves, n.Rows, n.Merged, n.Tables = g, nil, make([][]Field, len(g.Rows)), slices.Clone(g.Merged), slices.Clone(g.Tables)
	width := 0
	for _, row := range g.Rows {
		width = max(width, len(row))
	}
	heads := map[int]string{} // by column: the last text above its first number
	for c, first := range of {
		for r := first - 1; r >= 0 && heads[c] == ""; r-- {
			if !g.anyShare(r) { // in a row with shares, this field is a mark, or a number without its share
				heads[c] = strings.TrimSpace(g.At(r, c).Text)
			}
		}
	}
	for c := range width {
		n.halves = append(n.halves, half{column: c})
		if _, ok := of[c]; ok {
			n.halves = append(n.halves, half{c, true})
		}
	}
	for r, row := range g.Rows {
		for _, h := range n.halves {
			if h.column >= len(row) {
				break
			}
			n.Rows[r] = append(n.Rows[r], g.half(r, h, of, heads[h.column]))
		}
	}
	for i := range n.Merged {
		n.Merged[i] = n.widened(n.Merged[i], true)
	}
	for i := range n.Tables {
		n.Tables[i].Rect = n.widened(n.Tables[i].Rect, true)
	}
	n.HiddenColumns = nil
	for c, h := range n.halves {
		if g.HiddenColumns[h.column] {
			if n.HiddenColumns == nil {
				n.HiddenColumns = map[int]bool{}
			}
			n.HiddenColumns[c] = true
		}
	}
	return &n
}

// anyShare reports whether a row has a number with its share.
func (g *Grid) anyShare(r int) bool {
	return slices.ContainsFunc(g.Rows[r], func(f Field) bool {
		_, _, _, ok := halved(f.Text)
		return ok
	})
}

// half returns one half of a field. The header of the shares is % beside that of the numbers.
func (g *Grid) half(r int, h half, of map[int]int, head string) Field {
	f := g.Rows[r][h.column]
	first, ok := of[h.column]
	if !ok {
		return f
	}
	text := strings.TrimSpace(f.Text)
	if number, share, _, ok := halved(f.Text); ok && r >= first && !f.Number && f.Formula == "" {
		if f.Text = number; h.share {
			f.Text = share
		}
	} else if h.share {
		if f = (Field{Style: f.Style}); text != "" && text == head && strings.TrimSpace(g.At(r+1, h.column).Text) != head {
			f.Text = "%"
		}
	}
	return f
}

// alsoHalved returns the grids of a copy with the same columns as those of the file.
func (s *Source) alsoHalved(grids []*Grid) []*Grid {
	for i, g := range s.grids {
		if g.file == nil || i >= len(grids) {
			continue
		}
		of := map[int]int{}
		for _, h := range g.halves {
			if h.share {
				of[h.column] = 0
			}
		}
		grids[i] = grids[i].inHalves(of)
	}
	return grids
}

// place returns the column in which the numbers of a column of the file stand.
func (g *Grid) place(column int) int {
	if i := slices.Index(g.halves, half{column: column}); i >= 0 {
		return i
	}
	if n := len(g.halves); n > 0 {
		return n + column - g.halves[n-1].column - 1
	}
	return column
}

// origin returns the column of the file that a column was made of, and whether it has the shares.
func (g *Grid) origin(c int) half {
	if n := len(g.halves); n > 0 && c >= n {
		return half{column: c - n + g.halves[n-1].column + 1}
	} else if n > 0 && c >= 0 {
		return g.halves[c]
	}
	return half{column: c}
}

// widened returns a rectangle of the file as one of g, with the shares of its last column if they are wanted.
func (g *Grid) widened(a Rect, shares bool) Rect {
	a.Left, a.Right = g.place(a.Left), g.place(a.Right)
	if shares && g.origin(a.Right+1).share {
		a.Right++
	}
	return a
}

// percent stands behind the address of a field where its share is meant.
const percent = "%"

// halfOf returns the text of a field with other texts in place of its share and, unless that is empty, of its number.
func halfOf(text, number, share string) string {
	_, _, at, ok := halved(text)
	if !ok {
		return number
	}
	if number == "" {
		number = text[at[2]:at[3]]
	}
	return text[:at[2]] + number + text[at[3]:at[4]] + share + text[at[5]:]
}

// inFile returns what the file has in the field of an address, "" where that is no number with its share.
func (s *Source) inFile(sheet, ref string) string {
	for _, g := range s.grids {
		if g.Sheet == sheet && g.file != nil {
			if at, ok := g.Area(strings.TrimSuffix(ref, percent)); ok && g.origin(at.Left+1).share {
				if text := g.file.At(at.Top, g.origin(at.Left).column).Text; strings.ContainsAny(text, "(（[") {
					return text
				}
			}
		}
	}
	return ""
}

// joined writes what goes in the place of shares into the fields that these share with their numbers.
func (s *Source) joined(texts map[string]string, symbol string) {
	for _, ref := range slices.Sorted(maps.Keys(texts)) {
		share := strings.HasSuffix(ref, percent)
		base := strings.TrimSuffix(ref, percent)
		whole := s.inFile("", base)
		switch _, gone := texts[base]; {
		case whole == "":
		case share && !gone:
			texts[base] = halfOf(whole, "", cmp.Or(texts[ref], symbol))
		case !share:
			texts[base] = halfOf(whole, cmp.Or(texts[base], symbol), symbol)
		}
		if share {
			delete(texts, ref)
		}
	}
}

// unshared returns what a copy has in place of a withheld cell: for a share, its field with the mark where the share
// was, or nothing if the number goes as well.
func (s *Source) unshared(one xlsx.WithheldCell, symbol string, gone map[xlsx.Place]bool) []xlsx.WithheldCell {
	base, share := strings.CutSuffix(one.Ref, percent)
	if !share {
		return []xlsx.WithheldCell{one}
	}
	if one.Ref = base; gone[one.Place] {
		return nil
	}
	text := s.inFile(one.Sheet, base)
	one.Text, one.Mark = text, halfOf(text, "", symbol)
	return []xlsx.WithheldCell{one}
}
