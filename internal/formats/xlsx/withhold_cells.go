package xlsx

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/ooxml"
)

// sheets writes the marks, replaces formulas by values, and cleans the texts of cells.
func (c *copying) sheets() error {
	styles, err := c.newStyles()
	if err != nil {
		return err
	}
	c.sayMasked()
	r := &rewriting{c: c, styles: styles, mark: c.sharedMark(), uses: make([]use, len(c.words.text))}
	if r.mark >= 0 {
		r.uses[r.mark].kept = true
	}
	for _, t := range c.tabs {
		if t.part == "" {
			continue
		}
		if err := r.sheet(t); err != nil {
			return err
		}
	}
	c.cleanWords(r.uses)
	return styles.write()
}

// sayMasked lists the cells that do not keep their value, other than those that the caller withheld.
func (c *copying) sayMasked() {
	for _, id := range c.order {
		m := c.masked[id]
		if m.why.IsZero() {
			continue
		}
		what := i18n.T("became the mark")
		if m.empty {
			what = i18n.T("emptied")
		}
		c.say(c.where(id), what, m.why)
	}
}

// sharedMark returns the index of the shared string that is just the mark, −1 if there is none.
func (c *copying) sharedMark() int {
	return slices.IndexFunc(c.words.node, func(n *ooxml.Node) bool {
		return len(n.Kids) == 1 && n.Kids[0].Local() == "t" && n.String() == c.o.Mark
	})
}

// A rewriting goes through the cells of all sheets.
type rewriting struct {
	c      *copying
	styles *styles
	mark   int // index of the mark in the shared strings, −1 if it is not there
	uses   []use
}

// sheet writes the marks of a sheet, replaces its formulas by values, and cleans the texts of its cells.
func (r *rewriting) sheet(t *tab) error {
	c := r.c
	formulas, settingOf := c.freezing(t), c.settings(t)
	for n := range t.cells {
		s := &t.cells[n]
		id := t.id(s)
		if m := c.masked[id]; m != nil {
			if err := r.masked(t, s, m); err != nil {
				return err
			}
			continue
		}
		if s.calc != nil {
			formulas.rewrite(s)
		}
		in := settingOf(s)
		if s.word >= 0 {
			r.uses[s.word].by(id, in)
		}
		if len(s.texts) > 0 && s.canon == "" {
			c.withoutNumbers(t.part, c.where(id), s.texts, in)
		}
	}
	if ids := formulas.frozen; len(ids) > 0 {
		c.say(t.name+"!"+runs(ids), plural(len(ids), "formula became its value", "%d formulas became their values"), i18n.T("they depend on the table"))
	}
	c.withoutRemarks(t)
	return nil
}

// masked rewrites a cell that does not keep its value.
func (r *rewriting) masked(t *tab, s *spot, m *mask) error {
	if s.word >= 0 {
		r.uses[s.word].masked = true
	}
	if s.meta && s.canon != "" {
		return &refusedError{Part: r.c.where(t.id(s)), What: i18n.T("a linked data type, which holds more than the cell shows; turn it into text first")}
	}
	if s.calc != nil {
		r.c.frozen++
	}
	r.c.edit(t.part, r.c.marked(s, r.styles, r.mark, m))
	return nil
}

// settings returns a function that tells in which setting the text of a cell is: unseen, a label of the table
// (beside or above its cells), or in view. Blanked cells do not belong to the table.
func (c *copying) settings(t *tab) func(*spot) setting {
	rows, cols := map[int32]bool{}, map[int32]bool{}
	last := int32(-1)
	for id := range c.table {
		if int(id.tab) == t.number && !c.blanked[id] {
			rows[id.row], cols[id.col] = true, true
			last = max(last, id.row)
		}
	}
	return func(s *spot) setting {
		switch {
		case t.unseen(int(s.row), int(s.col)):
			return inOffice
		case rows[s.row] || cols[s.col] && s.row < last:
			return inLabels
		}
		return inView
	}
}

// withoutRemarks removes XML comments that contain a withheld number.
func (c *copying) withoutRemarks(t *tab) {
	for _, r := range t.remarks {
		if len(c.secrets.namings(r.S, inOffice)) > 0 {
			c.edit(t.part, ooxml.Edit{From: r.From, To: r.To})
			c.say(t.part, i18n.T("a comment of XML left out"), i18n.T("it has a withheld number"))
		}
	}
}

func plural(n int, one, many string) i18n.Text {
	if n == 1 {
		return i18n.T(one)
	}
	return i18n.T(many, n)
}

// A use says by which cells a shared string is used.
type use struct {
	kept, masked bool
	first        spotID
	in           setting // the strictest setting of these cells
}

func (u *use) by(id spotID, in setting) {
	if !u.kept {
		u.kept, u.first, u.in = true, id, in
		return
	}
	u.in = max(u.in, in)
}

// cleanWords cleans the shared strings, and empties those that no cell uses any more.
func (c *copying) cleanWords(uses []use) {
	w := c.words
	for k, n := range w.node {
		u := uses[k]
		sure := func() bool {
			return c.isSecret(w.text[k])
		}
		switch {
		case n.Body == n.To || u.kept && wholeNumber(w.text[k]) != "":
		case !u.kept && (u.masked || sure()):
			p := prefix(n.Name)
			c.edit(w.part, ooxml.Edit{From: n.Body, To: n.Tail, New: "<" + p + "t></" + p + "t>"})
			if !u.masked {
				c.say(w.part, i18n.T("a text of no cell emptied"), i18n.T("it has a withheld number"))
			}
		case u.kept:
			var shown, read []ooxml.Text
			n.All(func(k *ooxml.Node) bool {
				if k.Local() == "rPh" {
					read = append(read, k.AllTexts()...)
					return false
				}
				if k.Local() == "t" {
					shown = append(shown, k.Texts...)
				}
				return true
			})
			c.withoutNumbers(w.part, c.where(u.first), shown, u.in)
			c.withoutNumbers(w.part, c.where(u.first)+" (reading)", read, inOffice)
		}
	}
}

// marked returns the edit that rewrites a cell with the mark, or with its own one.
func (c *copying) marked(s *spot, styles *styles, mark int, m *mask) ooxml.Edit {
	text := c.o.Mark
	if m.mark != "" {
		text, mark = m.mark, -1
	}
	p := prefix(s.name)
	var b strings.Builder
	b.WriteString("<" + s.name)
	if s.placed {
		b.WriteString(` r="` + ooxml.CellName(int(s.row), int(s.col)) + `"`)
	}
	if style := styles.right(s.style); style != "" {
		b.WriteString(` s="` + ooxml.Escape(style) + `"`)
	}
	switch {
	case m.empty || text == "":
		b.WriteString("/>")
		return ooxml.Edit{From: s.from, To: s.to, New: b.String()}
	case mark >= 0:
		b.WriteString(` t="s"><` + p + "v>" + strconv.Itoa(mark) + "</" + p + "v>")
	default:
		space := ""
		if strings.TrimSpace(text) != text {
			space = ` xml:space="preserve"`
		}
		b.WriteString(` t="inlineStr"><` + p + "is><" + p + "t" + space + ">" + ooxml.Escape(text) + "</" + p + "t></" + p + "is>")
	}
	b.WriteString("</" + s.name + ">")
	return ooxml.Edit{From: s.from, To: s.to, New: b.String()}
}

// runs lists cells of one sheet in short: adjacent ones of a column as A1:A9.
func runs(ids []spotID) string {
	ids = slices.Clone(ids)
	slices.SortFunc(ids, func(a, b spotID) int { return cmp.Or(int(a.col-b.col), int(a.row-b.row)) })
	var all []string
	for k := 0; k < len(ids); {
		n := k + 1
		for n < len(ids) && ids[n].col == ids[k].col && ids[n].row == ids[n-1].row+1 {
			n++
		}
		s := ooxml.CellName(int(ids[k].row), int(ids[k].col))
		if n > k+1 {
			s += ":" + ooxml.CellName(int(ids[n-1].row), int(ids[n-1].col))
		}
		all = append(all, s)
		k = n
	}
	if len(all) > 20 {
		all = append(all[:20], fmt.Sprintf("and %d more", len(all)-20))
	}
	return strings.Join(all, " ")
}
