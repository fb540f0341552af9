package xlsx

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/ooxml"
)

// A fate is what is done with a part that contains no cells.
type fate byte

const (
	asItIs fate = iota
	cleaned
	leftOut // always removed: readers lose nothing that they see
	opaque  // cannot be searched
)

// A partKind is a kind of part.
type partKind struct {
	what  i18n.Text
	fate  fate
	clean func(c *copying, part string, root *ooxml.Node)
}

// partKinds gives the kind of a part by a piece of its content type; the first that occurs in it counts.
var partKinds = []struct {
	piece string
	partKind
}{
	{"relationships+xml", partKind{i18n.T("relations"), cleaned, (*copying).cleanRelations}},
	{"worksheet+xml", partKind{i18n.T("a sheet"), cleaned, (*copying).cleanSheet}},
	{"chartsheet+xml", partKind{i18n.T("a sheet of a chart"), cleaned, (*copying).cleanSheet}},
	{"dialogsheet+xml", partKind{i18n.T("a sheet of a dialog"), cleaned, (*copying).cleanSheet}},
	{"macrosheet+xml", partKind{i18n.T("a sheet of macros, which cannot be followed"), opaque, nil}},
	{"sheet.main+xml", partKind{i18n.T("the workbook"), cleaned, (*copying).cleanBook}},
	{"template.main+xml", partKind{i18n.T("the workbook"), cleaned, (*copying).cleanBook}},
	{"macroEnabled.main+xml", partKind{i18n.T("the workbook"), cleaned, (*copying).cleanBook}},
	{"sharedStrings+xml", partKind{i18n.Text{}, asItIs, nil}}, // cleaned with the sheets
	{"calcChain+xml", partKind{i18n.Text{}, asItIs, nil}},     // treated with the formulas
	{"styles+xml", partKind{i18n.T("styles"), cleaned, (*copying).cleanStyles}},
	{"theme", partKind{i18n.Text{}, asItIs, nil}},
	{"threadedcomments+xml", partKind{i18n.T("comments"), cleaned, (*copying).cleanThreads}},
	{"comments+xml", partKind{i18n.T("comments"), cleaned, (*copying).cleanComments}},
	{"vmlDrawing", partKind{i18n.T("a drawing"), cleaned, (*copying).cleanVML}},
	{"spreadsheetml.table+xml", partKind{i18n.T("a table"), cleaned, (*copying).cleanTable}},
	{"queryTable+xml", partKind{i18n.T("a query, which holds what it brought"), leftOut, nil}},
	{"connections+xml", partKind{i18n.T("connections to data"), leftOut, nil}},
	{"pivotTable+xml", partKind{i18n.T("a pivot table, whose cells stay"), leftOut, nil}},
	{"pivotCacheDefinition+xml", partKind{i18n.T("the values behind a pivot table"), leftOut, nil}},
	{"pivotCacheRecords+xml", partKind{i18n.T("the records behind a pivot table"), leftOut, nil}},
	{"slicer", partKind{i18n.T("a slicer"), leftOut, nil}},
	{"timeline", partKind{i18n.T("a timeline"), leftOut, nil}},
	{"volatileDependencies+xml", partKind{i18n.T("results of other programs"), leftOut, nil}},
	{"revision", partKind{i18n.T("the log of changes"), leftOut, nil}},
	{"userNames+xml", partKind{i18n.T("the log of changes"), leftOut, nil}},
	{"digital-signature", partKind{i18n.T("a signature, which the copy does not bear"), leftOut, nil}},
	{"webextension", partKind{i18n.T("an add-in"), leftOut, nil}},
	{"model+data", partKind{i18n.T("a data model"), leftOut, nil}},
	{"customProperty", partKind{i18n.T("a property of a sheet"), leftOut, nil}},
	{"externalLink+xml", partKind{i18n.T("values of another workbook"), cleaned, (*copying).cleanLink}},
	{"ctrlProps", partKind{i18n.T("a control"), cleaned, (*copying).cleanControl}},
	{"controlproperties+xml", partKind{i18n.T("a control"), cleaned, (*copying).cleanControl}},
	{"chartex+xml", partKind{i18n.T("a chart"), cleaned, (*copying).cleanChart}},
	{"drawingml.chart+xml", partKind{i18n.T("a chart"), cleaned, (*copying).cleanChart}},
	{"chartvalues", partKind{i18n.T("the values of cells that a chart remembers"), leftOut, nil}}, // from OpenDocument
	{"chartstyle+xml", partKind{i18n.Text{}, asItIs, nil}},
	{"chartcolorstyle+xml", partKind{i18n.Text{}, asItIs, nil}},
	{"drawing", partKind{i18n.T("a drawing"), cleaned, (*copying).cleanDrawing}},
	{"diagram", partKind{i18n.T("a diagram"), cleaned, (*copying).cleanDrawing}},
	{"core-properties+xml", partKind{i18n.T("properties"), cleaned, (*copying).cleanProperties}},
	{"extended-properties+xml", partKind{i18n.T("properties"), cleaned, (*copying).cleanProperties}},
	{"custom-properties+xml", partKind{i18n.T("properties"), cleaned, (*copying).cleanProperties}},
	{"printerSettings", partKind{i18n.Text{}, asItIs, nil}},
	{"activeX", partKind{i18n.T("a control that programs may fill"), opaque, nil}},
	{"vbaProject", partKind{i18n.T("macros"), opaque, nil}},
	{"oleObject", partKind{i18n.T("an embedded object"), opaque, nil}},
	{"image/", partKind{i18n.T("a picture"), opaque, nil}},
	{"audio/", partKind{i18n.T("sound"), opaque, nil}},
	{"video/", partKind{i18n.T("a film"), opaque, nil}},
	{"inkml+xml", partKind{i18n.T("ink"), opaque, nil}},
	{"+xml", partKind{i18n.Text{}, cleaned, (*copying).cleanXML}},
	{"/xml", partKind{i18n.Text{}, cleaned, (*copying).cleanXML}},
}

// sortOf returns the kind of a part.
func (c *copying) sortOf(part string, of []owner) (partKind, error) {
	kind, err := c.p.Type(part)
	if err != nil {
		return partKind{}, err
	}
	for _, o := range of {
		switch o.rel.Type {
		case "thumbnail":
			return partKind{i18n.T("a preview"), leftOut, nil}, nil
		case "attachedToolbars", "xlMacrosheet", "xlIntlMacrosheet":
			return partKind{i18n.T("a sheet of macros, which cannot be followed"), opaque, nil}, nil
		case "powerPivotData":
			return partKind{i18n.T("a data model"), leftOut, nil}, nil
		case "package", "oleObject", "embeddedPackage":
			return partKind{i18n.T("an embedded file"), opaque, nil}, nil
		}
	}
	if part == ooxml.TypesPart {
		return partKind{}, nil
	}
	folded := strings.ToLower(kind)
	if strings.Contains(folded, "worksheet+xml") && c.byPart[strings.ToLower(part)] == nil || strings.Contains(folded, "sharedstrings+xml") && !strings.EqualFold(part, c.words.part) {
		return partKind{i18n.T("cells of no sheet that the workbook lists"), leftOut, nil}, nil
	}
	ext := strings.ToLower(path.Ext(part))
	for _, s := range partKinds {
		if strings.Contains(folded, strings.ToLower(s.piece)) {
			return s.partKind, nil
		}
	}
	switch ext {
	case ".rels":
		return partKind{i18n.T("relations"), cleaned, (*copying).cleanRelations}, nil
	case ".xml":
		return partKind{i18n.Text{}, cleaned, (*copying).cleanXML}, nil
	case ".vml":
		return partKind{i18n.T("a drawing"), cleaned, (*copying).cleanVML}, nil
	}
	return partKind{i18n.T("something that is no XML"), opaque, nil}, nil
}

// parts cleans all parts except the cells.
func (c *copying) parts() error {
	owners, err := c.owners()
	if err != nil {
		return err
	}
	var refused []error
	kinds := map[string]partKind{}
	names := c.p.Names()
	for _, part := range names {
		if kinds[part], err = c.sortOf(part, owners[strings.ToLower(part)]); err != nil {
			return err
		}
	}
	for _, part := range names {
		s := kinds[part]
		of := owners[strings.ToLower(part)]
		if s.fate == cleaned && c.isMashup(part) {
			s = partKind{i18n.T("a query with its data"), leftOut, nil}
		}
		if s.fate == cleaned && s.what.String() != "relations" && part != c.main {
			if _, err := c.parse(part); err != nil && c.byPart[strings.ToLower(part)] == nil {
				s = partKind{i18n.T("XML that cannot be read"), opaque, nil}
			}
		}
		switch {
		case c.gone[strings.ToLower(part)]:
		case s.fate == leftOut:
			if err := c.remove(part, owners); err != nil {
				return err
			}
			c.say(part, i18n.T("left out"), s.what)
		case s.fate == opaque:
			onlyThemes := len(of) > 0 && !slices.ContainsFunc(of, func(o owner) bool { return kinds[o.part].fate != asItIs })
			switch {
			case onlyThemes: // a texture of a theme
			case slices.Contains(c.o.Keep, part):
				c.look(part, i18n.T("%s stays unsearched, as asked", s.what))
				kinds[part] = partKind{}
			case c.o.Drop || len(of) == 0:
				if err := c.remove(part, owners); err != nil {
					return err
				}
				c.say(part, i18n.T("left out"), i18n.T("%s cannot be searched", s.what))
			default:
				refused = append(refused, &refusedError{Part: part, Drop: true, What: i18n.T("%s, which cannot be searched for withheld numbers", s.what)})
			}
		}
	}
	if len(refused) > 0 {
		slices.SortStableFunc(refused, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
		return errors.Join(refused...)
	}
	for _, part := range names {
		if kinds[part].fate != cleaned || c.gone[strings.ToLower(part)] {
			continue
		}
		root, err := c.parse(part)
		if err != nil {
			return err
		}
		kinds[part].clean(c, part, root)
		c.cleanRemarks(part, root)
	}
	return c.chain(owners)
}

// isMashup reports whether a part contains a query of Power Query, which is compressed within text.
func (c *copying) isMashup(part string) bool {
	if !strings.HasPrefix(strings.ToLower(part), "customxml/") {
		return false
	}
	root, err := c.parse(part)
	return err == nil && root.Local() == "DataMashup"
}

// chain removes the calculation chain if formulas are removed; programs rebuild it.
func (c *copying) chain(owners map[string][]owner) error {
	goes := false
	for _, t := range c.tabs {
		for _, n := range t.formulas {
			s := &t.cells[n]
			id := t.id(s)
			goes = goes || c.masked[id] != nil || s.calc.touches || c.table[id]
		}
	}
	if !goes {
		return nil
	}
	for _, part := range c.p.Names() {
		if kind, _ := c.p.Type(part); strings.Contains(kind, "calcChain+xml") {
			c.say(part, i18n.T("left out"), i18n.T("it lists formulas that are values now"))
			if err := c.remove(part, owners); err != nil {
				return err
			}
		}
	}
	return nil
}

// attributes are the attributes that contain text.
var attributes = []string{"descr", "title", "name", "tooltip", "display", "caption", "prompt", "promptTitle", "error", "errorTitle", "comment", "description", "help", "statusBar",
	"alt", "alias", "text", "location", "uniqueName", "string", "totalsRowLabel", "headerRowCellStyle", "screenTip", "dataDxfName", "function", "publishItem"}

// spoken are those of them in which people write sentences; in the others a small number is only part of a
// name.
var spoken = []string{"descr", "title", "tooltip", "prompt", "error", "comment", "description", "help", "text", "alt"}

// cleanAttribute cleans an attribute that contains text.
func (c *copying) cleanAttribute(part, where string, a *ooxml.Attr, own ...int) {
	c.withoutSure(part, where, attrText(a), inOffice, slices.Contains(spoken, ooxml.Local(a.Name)), own...)
}

// attrText returns the value of an attribute as a text.
func attrText(a *ooxml.Attr) []ooxml.Text { return []ooxml.Text{{From: a.From, To: a.To, S: a.Value}} }

// cleanAttributes cleans the attributes with text of an element and of all elements below it.
func (c *copying) cleanAttributes(part string, root *ooxml.Node) {
	root.All(func(n *ooxml.Node) bool {
		for k := range n.Attrs {
			a := &n.Attrs[k]
			if slices.Contains(attributes, ooxml.Local(a.Name)) && !strings.HasPrefix(a.Name, "xmlns") {
				c.cleanAttribute(part, part, a)
			}
		}
		return true
	})
}

// cleanRemarks removes XML comments that contain a withheld number.
func (c *copying) cleanRemarks(part string, root *ooxml.Node) {
	root.All(func(n *ooxml.Node) bool {
		for _, r := range n.Remarks {
			if len(c.secrets.namings(r.S, inOffice)) > 0 {
				c.edit(part, ooxml.Edit{From: r.From, To: r.To})
				c.say(part, i18n.T("a comment of XML left out"), i18n.T("it has a withheld number"))
			}
		}
		return true
	})
}

// cleanXML cleans all texts and attributes of a part of unknown structure.
func (c *copying) cleanXML(part string, root *ooxml.Node) {
	var whole strings.Builder // all of its text, as the labels of a number may be in other attributes or elements
	root.All(func(n *ooxml.Node) bool {
		for k := range n.Attrs {
			whole.WriteString(n.Attrs[k].Value + "\n")
		}
		for _, t := range n.Texts {
			whole.WriteString(t.S + "\n")
		}
		return true
	})
	own := c.secrets.allTold(whole.String())
	root.All(func(n *ooxml.Node) bool {
		for k := range n.Attrs {
			if a := &n.Attrs[k]; !strings.HasPrefix(a.Name, "xmlns") {
				c.withoutNumbers(part, part, attrText(a), inOffice, own...)
			}
		}
		for _, t := range n.Texts {
			c.withoutNumbers(part, part, []ooxml.Text{t}, inOffice, own...)
		}
		return true
	})
}

// cleanRelations cleans links that lead out of the file.
func (c *copying) cleanRelations(part string, root *ooxml.Node) {
	for _, n := range root.Kids {
		if a := n.Attr("Target"); a != nil && n.Get("TargetMode") == "External" {
			c.withoutNumbers(part, part, attrText(a), inView)
		}
	}
}

// cleanBook cleans what the workbook part contains beside the list of sheets.
func (c *copying) cleanBook(part string, root *ooxml.Node) {
	for _, n := range root.Kids {
		switch n.Local() {
		case "definedNames":
			for _, d := range n.Kids { // names that slicers and timelines leave behind when they are removed
				if name := d.Get("name"); d.String() == "#N/A" && (strings.HasPrefix(name, "Slicer_") || strings.HasPrefix(name, "NativeTimeline_") || strings.HasPrefix(name, "Timeline_")) {
					c.cut(part, d)
				}
			}
		case "AlternateContent": // contains the path under which the office saved the workbook
			for _, p := range n.Find("absPath") {
				if len(c.masked) == 0 { // nothing is withheld, so the workbook keeps it
					break
				}
				c.cut(part, p)
				c.say(part, i18n.T("left out"), i18n.T("it names the folder in which the workbook was saved"))
			}
			c.cleanAttributes(part, n)
		case "sheets":
			for _, s := range n.Kids {
				for _, m := range c.secrets.namings(s.Get("name"), inView) {
					c.look(i18n.T("sheet %s", s.Get("name")), i18n.T("its name has the number of %s", c.where(c.secrets.cells[m.of].id)))
				}
			}
		default:
			c.cleanAttributes(part, n)
		}
	}
	for _, n := range root.Find("dataModel") {
		c.cut(part, n)
	}
}

// cleanStyles cleans names of styles and, in number formats, quoted text and conditions.
func (c *copying) cleanStyles(part string, root *ooxml.Node) {
	shown := c.formatsShown(root)
	root.All(func(n *ooxml.Node) bool {
		for _, name := range []string{"name", "defaultTableStyle", "defaultPivotStyle", "defaultSlicerStyle"} {
			if a := n.Attr(name); a != nil && strings.Contains(strings.ToLower(n.Local()), "style") {
				c.cleanAttribute(part, part+": a style", a)
			}
		}
		a := n.Attr("formatCode")
		if n.Local() != "numFmt" || a == nil {
			return n.Local() != "xf"
		}
		code := []byte(a.Value)
		conditions := false
		for k := 0; k < len(code); k++ {
			switch code[k] { // blank out everything except texts and conditions
			case '"':
				code[k] = ' '
				for k++; k < len(code) && code[k] != '"'; k++ {
				}
				if k < len(code) {
					code[k] = ' '
				}
			case '[':
				to := k + 1
				for to < len(code) && code[to] != ']' {
					to++
				}
				if k+1 < len(code) && strings.IndexByte("<>=", code[k+1]) >= 0 {
					conditions = conditions || c.isSecret(string(code[k:to]))
				}
				for ; k < to; k++ {
					code[k] = ' '
				}
			case '\\':
				code[k] = '\x01' // the next character is literal text
				k++
			default:
				code[k] = ' '
			}
		}
		sure := c.isSecret(strings.ReplaceAll(string(code), "\x01", ""))
		switch {
		case conditions || sure && strings.Contains(a.Value, `\`):
			c.edit(part, a.Set("General"))
			c.say(part, i18n.T("a number format became the general one"), i18n.T("it has a withheld number"))
		case sure:
			c.withoutNumbers(part, part+": a number format", attrText(a), inOffice)
		case hasDigit(string(code)) && len(c.masked) > 0 && !shown[n.Get("numFmtId")]:
			c.edit(part, a.Set("General"))
			c.say(part, i18n.T("a number format became the general one"), i18n.T("no cell that stays has it, and it has a number"))
		}
		return true
	})
}

// formatsShown returns the number formats of the cells whose values are kept. For other formats a copy does not
// show what they write beside a number.
func (c *copying) formatsShown(root *ooxml.Node) map[string]bool {
	xfs := root.Kid("cellXfs").Kids
	shown := map[string]bool{}
	for _, t := range c.tabs {
		for n := range t.cells {
			s := &t.cells[n]
			if k, err := strconv.Atoi(cmp.Or(s.style, "0")); err == nil && k >= 0 && k < len(xfs) && s.valued && c.masked[t.id(s)] == nil {
				shown[xfs[k].Get("numFmtId")] = true
			}
		}
	}
	return shown
}

// cleanTable cleans a table that Excel itself knows.
func (c *copying) cleanTable(part string, root *ooxml.Node) {
	root.All(func(n *ooxml.Node) bool {
		switch n.Local() {
		case "calculatedColumnFormula", "totalsRowFormula":
			f := ooxml.ParseFormula(n.String())
			if c.constant(f) {
				c.cut(part, n)
				c.say(part, i18n.T("a formula left out"), i18n.T("it has a withheld number"))
			} else if c.reaches(f, c.listOf(part)) {
				c.cut(part, n)
				c.say(part, i18n.T("a formula left out"), i18n.T("it computes from the table"))
			}
		case "filter", "customFilter":
			c.cleanFilter(part, n, nil)
		case "tableStyleInfo": // the name of a style is handled with the styles
			if a := n.Attr("name"); a != nil {
				c.cleanAttribute(part, part+": a style", a)
			}
		}
		for _, name := range []string{"tableType", "queryTableFieldId", "connectionId"} { // the query has been removed
			if a := n.Attr(name); a != nil && (name != "tableType" || a.Value == "queryTable") {
				c.edit(part, a.Delete())
			}
		}
		for _, name := range []string{"comment", "totalsRowLabel"} {
			if a := n.Attr(name); a != nil {
				c.withoutNumbers(part, part, attrText(a), inOffice)
			}
		}
		if a := n.Attr("name"); n.Local() == "tableColumn" && a != nil { // it equals the text of the header cell
			c.withoutNumbers(part, part, attrText(a), inLabels)
		}
		return true
	})
}

func (c *copying) listOf(part string) *tab {
	for _, l := range c.tables() {
		if l.part == part {
			return l.tab
		}
	}
	return c.tabs[0]
}

// reaches reports whether a formula refers to a cell that is masked or belongs to the table.
func (c *copying) reaches(f *ooxml.Formula, t *tab) bool {
	deps, dropped := c.depsOf(f, f.Refs, t, &spot{}, 0)
	for _, d := range deps {
		for id := range c.masked {
			if int(id.tab) == d.tab.number && d.area.Has(int(id.row), int(id.col)) {
				return true
			}
		}
	}
	return dropped
}

// cleanFilter removes a filter criterion that is a withheld number.
func (c *copying) cleanFilter(part string, n *ooxml.Node, own []int) {
	a := n.Attr("val")
	if a == nil {
		return
	}
	for _, m := range c.secrets.namings(a.Value, inOffice, own...) {
		if m.sure {
			c.edit(part, a.Set(c.o.Mark))
			c.say(part, i18n.T("a criterion of a filter became the mark"), i18n.T("it has a withheld number"))
			return
		}
	}
}

// cleanLink removes cached values of other workbooks that are withheld numbers.
func (c *copying) cleanLink(part string, root *ooxml.Node) {
	for _, n := range root.Find("cell") {
		canon := wholeNumber(n.String())
		if canon == "" {
			canon, _ = ooxml.Canon(n.String())
		}
		if len(c.secrets.of[canon]) > 0 {
			c.cut(part, n)
			c.say(part, i18n.T("a value of another workbook left out"), i18n.T("it is the number of %s", c.where(c.secrets.cells[c.secrets.of[canon][0]].id)))
			continue
		}
		for _, t := range n.AllTexts() {
			c.withoutNumbers(part, part, []ooxml.Text{t}, inOffice)
		}
	}
	for _, n := range root.Find("value") { // values of DDE links
		for _, t := range n.AllTexts() {
			c.withoutNumbers(part, part, []ooxml.Text{t}, inOffice)
		}
	}
}

// cleanControl cleans a form control, which contains the value of its cell.
func (c *copying) cleanControl(part string, root *ooxml.Node) {
	for _, name := range []string{"fmlaLink", "fmlaTxbx", "fmlaRange"} {
		if f := root.Get(name); f != "" && c.reachesMasked(f) {
			for _, v := range []string{"val", "sel"} {
				if a := root.Attr(v); a != nil {
					c.edit(part, a.Delete())
					c.say(part, i18n.T("the value of a control left out"), i18n.T("it is that of %s", f))
				}
			}
		}
	}
	for _, v := range []string{"val", "max", "min", "page"} {
		if a := root.Attr(v); a != nil {
			for _, m := range c.secrets.namings(a.Value, inOffice) {
				if m.sure {
					c.edit(part, a.Delete())
					c.say(part, i18n.T("a number of a control left out"), i18n.T("it is the number of %s", c.where(c.secrets.cells[m.of].id)))
					break
				}
			}
		}
	}
	for _, n := range root.Find("item") {
		for k := range n.Attrs {
			c.withoutNumbers(part, part, attrText(&n.Attrs[k]), inView)
		}
	}
}

// reachesMasked reports whether a formula outside a cell refers to a masked cell; a reference without a sheet
// may be to any sheet.
func (c *copying) reachesMasked(text string) bool {
	f := ooxml.ParseFormula(strings.TrimPrefix(text, "="))
	return slices.ContainsFunc(c.tabs, func(t *tab) bool { return c.reaches(f, t) })
}

// cleanProperties cleans the properties of the document.
func (c *copying) cleanProperties(part string, root *ooxml.Node) {
	for _, n := range root.Kids {
		switch n.Local() {
		case "created", "modified", "lastPrinted", "revision", "TotalTime", "Pages", "Words", "Characters", "CharactersWithSpaces", "Lines", "Paragraphs", "Slides", "Notes", "HiddenSlides", "MMClips",
			"DocSecurity", "AppVersion", "HeadingPairs":
			continue
		case "property":
			c.cleanProperty(part, n)
			continue
		case "TitlesOfParts":
			for _, s := range n.Find("lpstr") {
				for _, d := range c.names {
					if d.dropped && (s.String() == d.name || strings.HasSuffix(s.String(), "!"+d.name)) {
						for _, t := range s.Texts {
							c.edit(part, t.Set("-"))
						}
					}
				}
			}
			continue
		}
		for _, t := range n.AllTexts() {
			c.withoutNumbers(part, part+": "+n.Local(), []ooxml.Text{t}, inOffice)
		}
	}
}

// cleanProperty cleans a custom property.
func (c *copying) cleanProperty(part string, n *ooxml.Node) {
	where := part + ": " + n.Get("name")
	text := n.String()
	labels := foldLabel(n.Get("name"))
	if c.goes(n.Get("name") + text) {
		c.cut(part, n)
		c.say(where, i18n.T("left out"), i18n.T("--blank says so"))
		return
	}
	for _, m := range slices.Concat(c.secrets.namings(text, inOffice), c.secrets.namings(n.Get("name"), inOffice)) {
		if m.sure || c.secrets.told(m.of, labels) {
			c.cut(part, n)
			c.say(where, i18n.T("left out"), i18n.T("it has the number of %s", c.where(c.secrets.cells[m.of].id)))
			return
		}
		c.look(where, i18n.T("has the number of %s, or another that is the same", c.where(c.secrets.cells[m.of].id)))
	}
}
