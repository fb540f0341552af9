package layout

import (
	"slices"
	"strconv"
	"strings"
)

// numbers are the numbers of a sheet, and the chunks in which they stand.
type numbers struct {
	g      *Grid
	v      *view
	at     [][]figureOf // by row and column
	chunks []chunk
	tables []chunk // the chunks, with the pages of one table joined
	parts  []chunk // the pieces of chunks that stand side by side, with their pages joined
	found  map[fieldAt]*computed
	words  map[string]spoken // what texts left of numbers say, as long tables repeat these
	heads  map[[2]int]heading
}

// A heading is what the texts above a field say of its column: that its numbers are changes (word), derived (said), per
// thousand (many) or per unit of something (each).
type heading struct{ word, said, many, each bool }

// heading returns what the texts above a field say. It looks at them only once.
func (n *numbers) heading(r, c int) heading {
	h, ok := n.heads[[2]int{r, c}]
	if !ok {
		h = heading{n.called(changeWords().MatchString, r, c), n.called(derivedWords().MatchString, r, c), n.called(thousandWords().MatchString, r, c), n.called(eachWords().MatchString, r, c)}
		n.heads[[2]int{r, c}] = h
	}
	return h
}

// A spoken is what a text says of the numbers in its row: that they are changes (word) or derived (said).
type spoken struct{ word, said bool }

// spoken returns what a text says. It keeps the answers for the first few thousand texts.
func (n *numbers) spoken(text string) spoken {
	s, ok := n.words[text]
	if !ok {
		s = spoken{changeWords().MatchString(text), derivedWords().MatchString(text) || derivedRow(text)}
		if len(n.words) < 1<<12 {
			n.words[text] = s
		}
	}
	return s
}

func (n *numbers) figure(r, c int) figureOf {
	if r >= len(n.at) || c >= len(n.at[r]) {
		return figureOf{}
	}
	return n.at[r][c]
}

// open reports whether a field holds a number that is not known to be computed.
func (n *numbers) open(r, c int) bool {
	return n.figure(r, c).ok && n.found[fieldAt{n.g.Sheet, r, c}] == nil
}

// numbersOf reads the numbers of a grid.
func numbersOf(g *Grid, style *numberStyle) *numbers {
	n := &numbers{g: g, v: newView(g, style), at: make([][]figureOf, len(g.Rows)), words: map[string]spoken{}, heads: map[[2]int]heading{}}
	for r := range n.v.rows {
		row := &n.v.rows[r]
		n.at[r] = make([]figureOf, len(g.Rows[r]))
		for i, k := range row.kinds {
			if k != number && k != mark {
				continue
			}
			c := int(row.at[i])
			if w := n.v.value(r, c); w.Value != nil { // a mark that stands for nothing has the value 0
				if v, err := strconv.ParseFloat(string(*w.Value), 64); err == nil {
					n.at[r][c] = figureOf{v, w.Value.places(), true}
				}
			}
		}
	}
	blocks := n.v.blocks()
	var tables, parts pages
	for i, b := range blocks {
		k := chunk{n: n, rows: b.data, above: slices.Concat(b.above, b.header), header: b.header, stub: b.stub, first: i == 0}
		seen := map[int]bool{}
		for _, r := range b.data {
			for c := range n.at[r] {
				if n.at[r][c].ok && !seen[c] && !slices.Contains(b.stub, c) {
					seen[c] = true
					k.cols = append(k.cols, c)
				}
			}
		}
		slices.Sort(k.cols)
		n.chunks = append(n.chunks, k)
		tables.add(k)
		for _, p := range k.pieces() {
			parts.add(p)
		}
	}
	n.tables, n.parts = tables.all, parts.all
	return n
}

// labels notes in at where labels stand that no table has: those of chunks in which all numbers are computed, and those
// in columns that are needed no longer.
func (n *numbers) labels(at map[address]bool) {
	for _, k := range n.chunks {
		for _, c := range k.labelsAgain() {
			for _, r := range slices.Concat(k.header, k.rows) {
				at[address{n.g.Sheet, n.g.ref(r, c)}] = true
			}
		}
		if slices.ContainsFunc(k.rows, func(r int) bool {
			return slices.ContainsFunc(k.cols, func(c int) bool { return n.open(r, c) })
		}) {
			continue
		}
		for _, r := range k.header {
			for c := range n.g.Rows[r] {
				at[address{n.g.Sheet, n.g.ref(r, c)}] = true
			}
		}
		for _, r := range k.rows {
			for _, c := range k.stub {
				at[address{n.g.Sheet, n.g.ref(r, c)}] = true
			}
		}
	}
}

// without returns the grid without its computed numbers, and without the labels and headers of rows and columns that
// hold no others.
func (n *numbers) without(found map[fieldAt]*computed) *Grid {
	g := *n.g
	g.Rows = slices.Clone(g.Rows)
	own := make([]bool, len(g.Rows))
	clear := func(r, c int) {
		if c < len(g.Rows[r]) {
			if !own[r] {
				g.Rows[r], own[r] = slices.Clone(g.Rows[r]), true
			}
			g.Rows[r][c] = Field{}
		}
	}
	for r := range n.at {
		gone, rest := false, false
		for c, f := range n.at[r] {
			switch {
			case found[fieldAt{n.g.Sheet, r, c}] != nil:
				gone = true
				clear(r, c)
			case f.ok:
				rest = true
			}
		}
		if gone && !rest {
			g.Rows[r], own[r] = nil, true
		}
	}
	for _, p := range n.parts { // tables that stand side by side have labels of their own
		for _, r := range p.rows {
			told := slices.ContainsFunc(n.parts, func(q chunk) bool { // the same labels still name another number
				return slices.Equal(q.stub, p.stub) && slices.ContainsFunc(q.cols, func(c int) bool { return n.open(r, c) })
			})
			for _, c := range p.stub {
				if !told && slices.ContainsFunc(p.cols, func(c int) bool { return found[fieldAt{n.g.Sheet, r, c}] != nil }) {
					clear(r, c)
				}
			}
		}
	}
	for _, k := range n.chunks {
		for _, r := range k.unmade(found) {
			g.Rows[r], own[r] = nil, true
		}
		left := 0
		for _, c := range k.cols {
			here := slices.ContainsFunc(k.rows, func(r int) bool { return n.open(r, c) })
			if here {
				left++
			}
			for _, r := range k.header {
				if i, merged := n.v.merged[[2]int{r, c}]; !here && (!merged || g.Merged[i].Left == g.Merged[i].Right) {
					clear(r, c)
				}
			}
		}
		for _, r := range k.above {
			if left == 0 && !k.first {
				g.Rows[r], own[r] = nil, true
			}
		}
		for _, c := range k.labelsAgain() {
			for _, r := range slices.Concat(k.header, k.rows) {
				clear(r, c)
			}
		}
	}
	return &g
}

// unmade returns the rows without a number that stand among rows of computed ones only, up to an empty row or a heading:
// their marks stand for what could not be computed.
func (k chunk) unmade(found map[fieldAt]*computed) (all []int) {
	for from := 0; from < len(k.rows); {
		to := from + 1
		for to < len(k.rows) && k.rows[to] == k.rows[to-1]+1 {
			to++
		}
		var marks []int
		numbers, made := 0, 0
		for _, r := range k.rows[from:to] {
			before := numbers
			for c, f := range k.n.at[r] {
				if f.ok {
					numbers++
					if found[fieldAt{k.n.g.Sheet, r, c}] != nil {
						made++
					}
				}
			}
			if numbers == before {
				marks = append(marks, r)
			}
		}
		if made > 0 && made == numbers {
			all = append(all, marks...)
		}
		from = to
	}
	return all
}

// labelsAgain returns columns that are needed no longer: those between numbers that label nothing but computed ones,
// and columns of numbers with the header of a column of codes before them that repeat these codes in every row.
func (k chunk) labelsAgain() (all []int) {
	gone := func(c int) bool {
		return !slices.ContainsFunc(k.rows, func(r int) bool { return k.n.open(r, c) })
	}
	for i := 1; i < len(k.cols); i++ {
		for c := k.cols[i-1] + 1; c < k.cols[i]; c++ {
			j := i
			for j < len(k.cols) && gone(k.cols[j]) && (j == i || k.cols[j] == k.cols[j-1]+1) {
				j++
			}
			if j > i && (j == len(k.cols) || k.cols[j] > k.cols[j-1]+1) {
				all = append(all, c)
			}
		}
	}
	for _, c := range k.cols {
		if slices.ContainsFunc(k.stub, func(s int) bool {
			return s < c && k.n.v.codesAgain(k.rows, s, c) && k.n.v.text(k.rows[0]-1, s) == k.n.v.text(k.rows[0]-1, c)
		}) {
			all = append(all, c)
		}
	}
	return all
}

// codesAgain reports whether two columns say the same in each of two or more rows, and something else in each row.
func (v *view) codesAgain(rows []int, a, b int) bool {
	seen := map[string]bool{}
	for _, r := range rows {
		s := strings.TrimFunc(v.text(r, a), isBlank)
		if s == "" || seen[s] || s != strings.TrimFunc(v.text(r, b), isBlank) {
			return false
		}
		seen[s] = true
	}
	return len(rows) > 1
}

// column returns all numbers of a column of the sheet, and where they stand.
func (n *numbers) column(c int) (at []fieldAt, v []figureOf) {
	for r := range n.at {
		if f := n.figure(r, c); f.ok {
			at, v = append(at, fieldAt{n.g.Sheet, r, c}), append(v, f)
		}
	}
	return at, v
}

// called reports whether is holds for the name of the sheet or a text above a field, in the eight rows before it: in
// its own column or, above empty fields, further left.
func (n *numbers) called(is func(string) bool, r, c int) bool {
	for up := r - 1; up >= 0 && up >= r-8; up-- {
		at := c
		for at > 0 && at > c-12 && n.v.text(up, at) == "" {
			at--
		}
		if s := n.v.text(up, at); s != "" && (at == c || !n.ofOne(up, s) && at > 0 && len(n.v.rows[up].at) > 0 && n.v.rows[up].at[0] < int32(at)) && n.v.kind(up, at) != number && is(s) {
			return true
		}
	}
	return is(n.g.Sheet)
}

// ofOne reports whether a text stands in a row directly before another one: then it is the header of one column, and no
// empty field behind it elsewhere belongs to it.
func (n *numbers) ofOne(r int, text string) bool {
	for _, c := range n.v.rows[r].at {
		if n.v.text(r, int(c)) == text && n.v.text(r, int(c)+1) != "" {
			return true
		}
	}
	return false
}
