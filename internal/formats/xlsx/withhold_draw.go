package xlsx

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/ooxml"
)

func itoa(n int) string { return strconv.Itoa(n) }

// cleanDrawing cleans the texts and descriptions of shapes. A shape that shows a masked cell shows the mark.
func (c *copying) cleanDrawing(part string, root *ooxml.Node) {
	root.All(func(n *ooxml.Node) bool {
		if c.cuts[n] {
			return false
		}
		switch n.Local() {
		case "slicer", "timeslicer": // their caches are removed
			if n.Parent != nil && n.Parent.Local() == "graphicData" {
				c.cut(part, c.around(root, n))
				return false
			}
		case "p":
			c.withoutNumbers(part, part+": text", runsOf(n), inView)
		}
		if link := n.Attr("textlink"); link != nil && link.Value != "" && c.reachesMasked(link.Value) {
			c.cleanShown(part, n)
		}
		return true
	})
	c.cleanAttributes(part, root)
}

// runsOf returns the texts of a paragraph.
func runsOf(n *ooxml.Node) (all []ooxml.Text) {
	for _, t := range n.Find("t") {
		all = append(all, t.Texts...)
	}
	return all
}

// cleanShown replaces the text of a shape by the mark.
func (c *copying) cleanShown(part string, n *ooxml.Node) {
	for k, t := range runsOf(n) {
		c.edit(part, t.Set(map[bool]string{true: c.o.Mark}[k == 0]))
	}
	c.say(part+": "+n.Get("textlink"), i18n.T("its text became the mark"), i18n.T("it shows a cell that is withheld"))
}

// cleanVML cleans the texts of legacy drawings, and the values of controls.
func (c *copying) cleanVML(part string, root *ooxml.Node) {
	for _, n := range root.Find("textbox") {
		c.withoutNumbers(part, part+": text", n.AllTexts(), inView)
	}
	for _, n := range root.Find("ClientData") {
		for _, name := range []string{"FmlaLink", "FmlaTxbx", "FmlaRange"} {
			if f := n.Kid(name); f != nil && c.reachesMasked(f.String()) {
				for _, v := range []string{"Val", "Sel"} {
					if k := n.Kid(v); k != nil {
						c.cut(part, k)
						c.say(part, i18n.T("the value of a control left out"), i18n.T("it is that of %s", f.String()))
					}
				}
			}
		}
		for _, v := range []string{"Val", "Max", "Min", "TextHAlign"} {
			if k := n.Kid(v); k != nil {
				if c.isSecret(k.String()) {
					c.cut(part, k)
					c.say(part, i18n.T("a number of a control left out"), i18n.T("it is a withheld number"))
				}
			}
		}
	}
	c.cleanAttributes(part, root)
}

// cleanChart cleans a chart: the points that it remembers of masked cells, constants, and texts.
func (c *copying) cleanChart(part string, root *ooxml.Node) {
	cut, unknown := 0, 0
	kept := slices.Contains(c.o.Keep, part)
	root.All(func(n *ooxml.Node) bool {
		switch n.Local() {
		case "pivotSource", "pivotFmts":
			c.cut(part, n)
			return false
		case "p":
			c.withoutNumbers(part, part+": text", runsOf(n), inView)
		case "max", "min":
			if a := n.Attr("val"); a != nil && c.isSecret(a.Value) {
				c.cut(part, n)
				c.say(part, i18n.T("an end of an axis left out"), i18n.T("it is a withheld number"))
			}
		case "val": // the constant length of error bars
			if a := n.Attr("val"); a != nil && n.Parent != nil && n.Parent.Local() == "errBars" && c.isSecret(a.Value) {
				c.cut(part, n.Parent)
				c.say(part, i18n.T("error bars left out"), i18n.T("it is a withheld number"))
				return false
			}
		case "intercept":
			if a := n.Attr("val"); a != nil && c.isSecret(a.Value) {
				c.cut(part, n)
				c.say(part, i18n.T("the start of a trend line left out"), i18n.T("it is a withheld number"))
			}
		case "name":
			if n.Parent != nil && n.Parent.Local() == "trendline" {
				c.withoutNumbers(part, part+": text", n.Texts, inView)
			}
		case "v":
			if n.Parent != nil && n.Parent.Local() == "tx" {
				c.withoutNumbers(part, part+": text", n.Texts, inView)
			}
		case "numLit", "strLit":
			if !kept {
				unknown += c.cutUnknown(part, n)
			}
			cut += c.cutConstants(part, n)
			return false
		}
		f := n.Kid("f")
		if f == nil {
			f = n.Kid("sqref")
		}
		if f != nil {
			if !kept && !c.leads(f.String()) {
				unknown += c.cutUnknown(part, n)
			}
			gone, old := c.cutPoints(part, n, f.String(), kept)
			cut, unknown = cut+gone, unknown+old
		}
		return true
	})
	if cut > 0 {
		c.say(part, plural(cut, "point left out", "%d points left out"), i18n.T("they repeat what is withheld"))
	}
	if unknown > 0 {
		c.say(part, plural(unknown, "point left out", "%d points left out"), i18n.T("they stand in no cell that the chart refers to, and may be computed from what is withheld; --keep-unsearched %s keeps them, if somebody has looked at them", part))
	}
	c.cleanAttributes(part, root)
}

// isSecret reports whether a text that readers do not see certainly contains a withheld number; own is as in
// namings.
func (c *copying) isSecret(text string, own ...int) bool {
	return slices.ContainsFunc(c.secrets.namings(text, inOffice, own...), func(m naming) bool { return m.sure })
}

// points returns the points below an element, except those of another reference.
func points(n *ooxml.Node) (all []*ooxml.Node) {
	n.All(func(k *ooxml.Node) bool {
		if k != n && (k.Kid("f") != nil || k.Kid("sqref") != nil) {
			return false
		}
		if k.Local() == "pt" {
			all = append(all, k)
			return false
		}
		return true
	})
	return all
}

// reference parses what a chart refers to; [0] is the workbook that contains it.
func (c *copying) reference(text string) (*ooxml.Formula, []dep) {
	f := ooxml.ParseFormula(strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(text), "="), "[0]!"))
	deps, _ := c.depsOf(f, f.Refs, c.tabs[0], &spot{row: 1, col: 1}, 0)
	return f, deps
}

// leads reports whether a reference leads to cells of the workbook.
func (c *copying) leads(text string) bool {
	_, deps := c.reference(text)
	return len(deps) > 0
}

// cutUnknown removes points whose origin nobody can tell: constants, and what a chart remembers of another
// workbook or of a sheet that no longer exists. It keeps names of points and lines of constant height.
func (c *copying) cutUnknown(part string, n *ooxml.Node) (cut int) {
	if n.Parent == nil || n.Parent.Local() == "cat" || n.Parent.Local() == "tx" || strings.HasPrefix(n.Local(), "str") || len(c.masked) == 0 {
		return 0
	}
	heights := map[string]bool{}
	var all []*ooxml.Node
	for _, p := range points(n) {
		if canon, _ := ooxml.Canon(shownBy(p)); canon != "" {
			heights[canon] = true
			all = append(all, p)
		}
	}
	if len(heights) < 2 {
		return 0
	}
	for _, p := range all {
		c.cut(part, p)
	}
	return len(all)
}

// shownBy returns the value of a point.
func shownBy(p *ooxml.Node) string {
	if v := p.Kid("v"); v != nil {
		return v.String()
	}
	return p.String()
}

// cutPoints removes the points that a chart remembers of masked cells and, unless kept is set, those whose
// number is no longer that of the cell.
func (c *copying) cutPoints(part string, n *ooxml.Node, text string, kept bool) (cut, old int) {
	f, deps := c.reference(text)
	size := 0
	masked := map[int]bool{}
	values := map[string]bool{}
	cell := func(idx int) (s *spot) { // returns the cell that a point shows
		for _, d := range deps {
			width := d.area.LastCol - d.area.Col + 1
			if n := (d.area.LastRow - d.area.Row + 1) * width; idx >= n {
				idx -= n
				continue
			}
			return d.tab.at(d.area.Row+idx/width, d.area.Col+idx%width)
		}
		return nil
	}
	for _, d := range deps {
		width := d.area.LastCol - d.area.Col + 1
		for _, id := range c.order {
			if int(id.tab) != d.tab.number || !d.area.Has(int(id.row), int(id.col)) {
				continue
			}
			if s := d.tab.at(int(id.row), int(id.col)); s != nil && s.text != "" {
				if values[s.text] = true; s.canon != "" {
					values[s.canon] = true
				}
			}
			if d.area.LastRow < ooxml.MaxRows && d.area.LastCol < ooxml.MaxColumns {
				masked[size+(int(id.row)-d.area.Row)*width+int(id.col)-d.area.Col] = true
			}
		}
		size += (d.area.LastRow - d.area.Row + 1) * width
	}
	all := points(n)
	byPlace := len(f.Names) == 0 && len(f.Tables) == 0 && ptCount(n) == size
	for _, p := range all {
		if c.cuts[p] {
			continue
		}
		idx, _ := strconv.Atoi(p.Get("idx"))
		shown := shownBy(p)
		canon, _ := ooxml.Canon(shown)
		digits, _ := ooxml.Digits(canon)
		strange := len(deps) == 0 && len(c.secrets.of[canon]) > 0 // its reference leads nowhere
		if masked[idx] && byPlace || !byPlace && len(values) > 0 && (values[shown] || values[canon]) || strange || digits >= 3 && len(c.secrets.of[canon]) > 0 && !isYear(canon) {
			c.cut(part, p)
			cut++
			continue
		}
		if byPlace && !kept && canon != "" && len(c.masked) > 0 && !cell(idx).shows(shown) {
			c.cut(part, p)
			old++
			continue
		}
		if texts := p.AllTexts(); canon == "" {
			c.withoutNumbers(part, part+": text", texts, inView)
		}
	}
	return cut, old
}

// shows reports whether a cell has the number that a chart remembers of it.
func (s *spot) shows(number string) bool {
	if s == nil {
		return false
	}
	was, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil {
		return s.text == number
	}
	is, err := strconv.ParseFloat(s.text, 64)
	return err == nil && math.Abs(is-was) <= 1e-9*math.Abs(was) || s.canon != "" && s.text == number
}

// ptCount returns how many points a cache says that it has.
func ptCount(n *ooxml.Node) int {
	for _, k := range n.Find("ptCount") {
		v, _ := strconv.Atoi(k.Get("val"))
		return v
	}
	for _, k := range n.Find("lvl") {
		v, _ := strconv.Atoi(k.Get("ptCount"))
		return v
	}
	return -1
}

// cutConstants removes points of constants that are withheld numbers: of three or more digits, or with the
// labels of the cell.
func (c *copying) cutConstants(part string, n *ooxml.Node) int {
	var series *ooxml.Node
	for k := n; k != nil; k = k.Parent {
		if k.Local() == "ser" {
			series = k
		}
	}
	cut := 0
	for _, p := range points(n) {
		if c.cuts[p] {
			continue
		}
		canon, _ := ooxml.Canon(p.String())
		if canon == "" {
			c.withoutNumbers(part, part+": text", p.AllTexts(), inView)
			continue
		}
		labels := ""
		if series != nil {
			labels = series.Kid("tx").String()
			for _, q := range series.Kid("cat").Find("pt") {
				if q.Get("idx") == p.Get("idx") {
					labels += q.String()
				}
			}
		}
		labels = foldLabel(labels)
		digits, _ := ooxml.Digits(canon)
		for _, k := range c.secrets.of[canon] {
			if digits >= 3 && !isYear(canon) || c.secrets.told(k, labels) {
				c.cut(part, p)
				cut++
				break
			}
		}
		if len(c.secrets.of[canon]) > 0 && !c.cuts[p] {
			c.look(part, i18n.T("a constant of a chart is the number of %s, or another that is the same", c.where(c.secrets.cells[c.secrets.of[canon][0]].id)))
		}
	}
	return cut
}
