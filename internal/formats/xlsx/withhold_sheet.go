package xlsx

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/ooxml"
)

// own returns the withheld cells for which masked cells in the areas stand, and whether the areas contain only
// masked cells.
func (c *copying) own(t *tab, areas []ooxml.Area) (own []int, alone bool) {
	alone = len(areas) > 0
	cells := 0
	for _, a := range areas {
		cells += (a.LastRow - a.Row + 1) * (a.LastCol - a.Col + 1)
	}
	masked := 0
	for _, id := range c.order {
		if int(id.tab) != t.number || !slices.ContainsFunc(areas, func(a ooxml.Area) bool { return a.Has(int(id.row), int(id.col)) }) {
			continue
		}
		masked++
		if k := c.masked[id].of; k >= 0 {
			own = append(own, k)
		}
	}
	return own, alone && masked >= cells
}

// cleanSheet cleans what a sheet contains beside its cells.
func (c *copying) cleanSheet(part string, root *ooxml.Node) {
	t := c.byPart[strings.ToLower(part)]
	sheet := part
	if t != nil {
		sheet = t.name
	} else {
		t = &tab{number: -1}
	}
	root.All(func(n *ooxml.Node) bool {
		if c.cuts[n] {
			return false
		}
		switch n.Local() {
		case "oddHeader", "evenHeader", "firstHeader", "oddFooter", "evenFooter", "firstFooter":
			c.withoutNumbers(part, sheet+": header or footer", withoutCodes(n.Texts), inView)
		case "hyperlink":
			own, _ := c.own(t, ooxml.ParseAreas(n.Get("ref")))
			for _, name := range []string{"display", "tooltip", "location"} {
				if a := n.Attr(name); a != nil {
					c.cleanAttribute(part, sheet+"!"+n.Get("ref")+": link", a, own...)
				}
			}
			return false
		case "dataValidation":
			c.cleanRule(part, sheet, t, n, "a check of input")
			return false
		case "cfRule":
			c.cleanRule(part, sheet, t, n, "a rule of format")
			return false
		case "inputCells":
			own, _ := c.own(t, ooxml.ParseAreas(n.Get("r")))
			if a := n.Attr("val"); a != nil {
				for _, m := range c.secrets.namings(a.Value, inOffice, own...) {
					if m.sure {
						c.edit(part, a.Set(c.o.Mark))
						c.say(sheet+": scenario", i18n.T("a value became the mark"), i18n.T("it is the number of %s", c.where(c.secrets.cells[m.of].id)))
						break
					}
				}
			}
			return false
		case "sparklineGroup":
			for _, of := range [][2]string{{"manualMin", "minAxisType"}, {"manualMax", "maxAxisType"}} {
				a := n.Attr(of[0])
				if a == nil || !c.isSecret(a.Value) {
					continue
				}
				c.edit(part, a.Delete())
				if kind := n.Attr(of[1]); kind != nil {
					c.edit(part, kind.Delete())
				}
				c.say(sheet+": sparklines", i18n.T("an end of an axis left out"), i18n.T("it is a withheld number"))
			}
		case "scenario":
			for _, name := range []string{"name", "comment"} {
				if a := n.Attr(name); a != nil {
					c.withoutNumbers(part, sheet+": scenario", attrText(a), inOffice)
				}
			}
		case "filterColumn":
			own := c.filterOwn(t, n)
			for _, k := range n.Find("filter") {
				c.cleanFilter(part, k, own)
			}
			for _, k := range n.Find("customFilter") {
				c.cleanFilter(part, k, own)
			}
			return false
		case "cellSmartTagPr":
			if a := n.Attr("val"); a != nil {
				c.withoutNumbers(part, sheet, attrText(a), inOffice)
			}
		default:
			for k := range n.Attrs {
				a := &n.Attrs[k]
				if slices.Contains(attributes, ooxml.Local(a.Name)) && !strings.HasPrefix(a.Name, "xmlns") {
					c.cleanAttribute(part, sheet, a)
				}
			}
		}
		return true
	})
}

// filterOwn returns the withheld cells in the column of a filter.
func (c *copying) filterOwn(t *tab, n *ooxml.Node) []int {
	if n.Parent == nil {
		return nil
	}
	area, ok := ooxml.ParseArea(n.Parent.Get("ref"))
	if !ok {
		return nil
	}
	id, err := strconv.Atoi(n.Get("colId"))
	if err != nil || id < 0 || id > area.LastCol-area.Col {
		id = 0
	}
	col := area.Col + id
	own, _ := c.own(t, []ooxml.Area{{Row: area.Row, Col: col, LastRow: area.LastRow, LastCol: col}})
	return own
}

// cleanRule removes a conditional format or validity check that contains a withheld number as a constant: one
// of three or more digits, or one of any length if its cell is among those that the rule is for and the rule
// singles it out, as an end of a scale does. A rule that compares with a short number is only listed. A rule
// for withheld cells alone is removed whatever its constants, because these tell where the values are.
func (c *copying) cleanRule(part, sheet string, t *tab, n *ooxml.Node, what string) {
	sqref := n.Get("sqref")
	if sqref == "" && n.Parent != nil {
		sqref = n.Parent.Get("sqref")
		for _, k := range n.Parent.Kids {
			if k.Local() == "sqref" {
				sqref = k.String()
			}
		}
	}
	if k := n.Kid("sqref"); k != nil {
		sqref = k.String()
	}
	format := n.Local() == "cfRule"
	among, alone := c.own(t, ooxml.ParseAreas(sqref))
	own := among
	if !alone && !format {
		own = nil
	}
	var constants []string
	compares := strings.Contains(n.Get("operator"), "Than") || strings.Contains(strings.ToLower(n.Get("operator")), "between")
	n.All(func(k *ooxml.Node) bool {
		switch k.Local() {
		case "formula", "formula1", "formula2", "f":
			f := ooxml.ParseFormula(k.String())
			compares = compares || k.Parent.Local() != "cfvo" && strings.ContainsAny(k.String(), "<>")
			constants = append(constants, f.Numbers...)
			for _, s := range f.Strings {
				constants = append(constants, strings.Split(s, ",")...)
			}
		case "cfvo":
			constants = append(constants, k.Get("val"))
		}
		if a := k.Attr("text"); a != nil {
			constants = append(constants, a.Value)
		}
		return true
	})
	for _, text := range constants {
		for _, m := range c.secrets.namings(text, inOffice, own...) {
			of := c.where(c.secrets.cells[m.of].id)
			digits, _ := ooxml.Digits(c.secrets.cells[m.of].canon)
			switch {
			// Most cells are at least 0, and scales begin there, so that a 0 tells nothing.
			case !m.sure || !alone && digits < 3 && c.secrets.cells[m.of].canon == "0":
			case !alone && digits < 3 && compares:
				c.look(sheet+"!"+sqref, i18n.T("names the number of %s, or another that is the same", of))
			default:
				c.cut(part, n)
				c.say(sheet+"!"+sqref, i18n.T("%s left out", i18n.Term(what)), i18n.T("it has the number of %s", of))
				return
			}
		}
	}
	if format && alone && len(among) > 0 && slices.ContainsFunc(constants, func(s string) bool { return strings.ContainsAny(s, "0123456789") }) {
		c.cut(part, n)
		c.say(sheet+"!"+sqref, i18n.T("%s left out", i18n.Term(what)), i18n.T("its thresholds are for the number of %s alone", c.where(c.secrets.cells[among[0]].id)))
		return
	}
	for _, name := range []string{"prompt", "promptTitle", "error", "errorTitle"} {
		if a := n.Attr(name); a != nil {
			attached, _ := c.own(t, ooxml.ParseAreas(sqref))
			if !alone {
				attached = nil
			}
			c.withoutNumbers(part, sheet+"!"+sqref+": "+what, attrText(a), inOffice, attached...)
		}
	}
}

// sheetsOf returns the sheets that refer to a part.
func (c *copying) sheetsOf(part string) (all []*tab) {
	for _, t := range c.tabs {
		if t.part == "" {
			continue
		}
		for _, r := range c.related(t) {
			if !r.External && strings.EqualFold(r.Target, part) {
				all = append(all, t)
			}
		}
	}
	return all
}

// related returns the relationships of a sheet, none if they cannot be read.
func (c *copying) related(t *tab) []ooxml.Relation {
	root, err := c.parseRelations(t.part)
	if err != nil || root == nil {
		return nil
	}
	return c.p.RelationsIn(t.part, root)
}

// partsOf returns the parts of a kind that a sheet refers to, as far as they can be read.
func (c *copying) partsOf(t *tab, kind string) map[string]*ooxml.Node {
	parts := map[string]*ooxml.Node{}
	for _, r := range c.related(t) {
		if r.Type == kind && c.p.Has(r.Target) {
			if root, err := c.parse(r.Target); err == nil {
				parts[r.Target] = root
			}
		}
	}
	return parts
}

// ownOf returns the withheld cell for which the cell at an address stands.
func (c *copying) ownOf(t *tab, ref string) (id spotID, own []int) {
	row, col, ok := ooxml.Cell(ref)
	if !ok {
		return spotID{}, nil
	}
	id = spotID{int32(t.number), int32(row), int32(col)}
	if m := c.masked[id]; m != nil && m.of >= 0 {
		own = []int{m.of}
	}
	return id, own
}

// cleanComments cleans the comments of a sheet. A comment on a withheld cell that names its number is removed.
func (c *copying) cleanComments(part string, root *ooxml.Node) {
	of := c.sheetsOf(part)
	for _, n := range root.Find("comment") {
		where := part + " " + n.Get("ref")
		var own []int
		var id spotID
		var t *tab
		if len(of) > 0 {
			t = of[0]
			where = t.name + "!" + n.Get("ref") + ": comment"
			id, own = c.ownOf(t, n.Get("ref"))
		}
		texts := n.Kid("text").AllTexts()
		sure := c.isSecret(n.Kid("text").String(), own...)
		if len(own) == 0 || !sure {
			c.withoutNumbers(part, where, texts, inOffice, own...)
			continue
		}
		c.say(where, i18n.T("left out"), i18n.T("it names the number of %s", c.where(id)))
		if c.threaded(t, n.Get("ref")) {
			for k, text := range texts {
				c.edit(part, text.Set(map[bool]string{true: c.o.Mark}[k == 0]))
			}
			continue
		}
		c.cut(part, n)
		c.cutNote(t, id)
	}
	for _, n := range root.Find("author") {
		c.withoutNumbers(part, part, n.Texts, inOffice)
	}
}

// threaded reports whether the comment on a cell only repeats a threaded comment for old programs.
func (c *copying) threaded(t *tab, ref string) bool {
	for _, thread := range c.partsOf(t, "threadedComment") {
		for _, n := range thread.Find("threadedComment") {
			if n.Get("ref") == ref {
				return true
			}
		}
	}
	return false
}

// cutNote removes the shape of a comment.
func (c *copying) cutNote(t *tab, id spotID) {
	for part, drawing := range c.partsOf(t, "vmlDrawing") {
		for _, n := range drawing.Find("ClientData") {
			if n.Get("ObjectType") == "Note" && strings.TrimSpace(n.Kid("Row").String()) == itoa(int(id.row)-1) && strings.TrimSpace(n.Kid("Column").String()) == itoa(int(id.col)-1) {
				c.cut(part, n.Parent)
			}
		}
	}
}

// cleanThreads cleans threaded comments: on a withheld cell, a text that names its number is replaced by the
// mark.
func (c *copying) cleanThreads(part string, root *ooxml.Node) {
	of := c.sheetsOf(part)
	for _, n := range root.Find("threadedComment") {
		where := part + " " + n.Get("ref")
		var own []int
		if len(of) > 0 {
			where = of[0].name + "!" + n.Get("ref") + ": comment"
			_, own = c.ownOf(of[0], n.Get("ref"))
		}
		text := n.Kid("text")
		sure := c.isSecret(text.String(), own...)
		if len(own) == 0 || !sure {
			c.withoutNumbers(part, where, text.AllTexts(), inOffice, own...)
			continue
		}
		c.say(where, i18n.T("became the mark"), i18n.T("it names the number of the cell"))
		for k, t := range text.AllTexts() {
			c.edit(part, t.Set(map[bool]string{true: c.o.Mark}[k == 0]))
		}
	}
}

// headerCode matches a code of a header or footer: &L, &"font,style", &12, &K000000.
var headerCode = lazy.Regexp(`&(?:"[^"]*"|K[0-9A-Fa-f]{6}|K[0-9]{2}[+-][0-9]{3}|[0-9]{1,3}|.)`)

// withoutCodes replaces the codes in a header or footer by characters that are neither numbers nor join them;
// when written back they are as before.
func withoutCodes(texts []ooxml.Text) []ooxml.Text {
	all := slices.Clone(texts)
	for k := range all {
		all[k].Plain = headerCode().ReplaceAllStringFunc(all[k].S, func(s string) string { return strings.Repeat("\x00", len(s)) })
	}
	return all
}
