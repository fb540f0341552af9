package xlsx

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/ooxml"
)

// An annotation adds comments to a sheet: their texts, the shapes that show them, and the relationships to both
// parts.
type annotation struct {
	c        *copying
	t        *tab
	comments string // the part with the texts, "" if there is none yet
	vml      string // the part with the shapes, "" if there is none yet
	ids      map[string]bool
	rels     []string // new relationships
}

// annotate adds comments to a sheet, and the content types of new parts to adds.
func (c *copying) annotate(t *tab, cells []HighlightedCell, adds map[string]string) error {
	a, err := c.annotation(t)
	if err != nil {
		return err
	}
	fresh := cells
	if a.comments != "" {
		if fresh, err = a.addTexts(cells); err != nil {
			return err
		}
	} else {
		a.newTexts(cells)
		adds["/"+a.comments] = "application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml"
	}
	switch {
	case len(fresh) == 0:
	case a.vml != "":
		if err := a.addShapes(fresh); err != nil {
			return err
		}
	default:
		a.newShapes(fresh)
	}
	return a.writeRelations()
}

// annotation finds the comments that a sheet already has.
func (c *copying) annotation(t *tab) (*annotation, error) {
	rels, err := c.p.Relations(t.part)
	if err != nil {
		return nil, err
	}
	a := &annotation{c: c, t: t, ids: map[string]bool{}}
	drawing := t.root.Kid("legacyDrawing")
	for _, r := range rels {
		a.ids[r.ID] = true
		if r.Type == "comments" && c.p.Has(r.Target) {
			a.comments = r.Target
		}
		if drawing != nil && r.ID == drawing.Get("id") {
			a.vml = r.Target
		}
	}
	if !c.p.Has(a.vml) {
		a.vml = ""
	}
	return a, nil
}

// addTexts adds the texts to the part with texts, and returns the cells that had no comment.
func (a *annotation) addTexts(cells []HighlightedCell) (fresh []HighlightedCell, err error) {
	root, raw, err := a.c.source(a.comments)
	if err != nil {
		return nil, err
	}
	p := prefix(root.Name)
	has := map[string]*ooxml.Node{}
	for _, n := range root.Find("comment") {
		has[n.Get("ref")] = n
	}
	var list strings.Builder
	for _, h := range cells {
		if n := has[h.Ref]; n != nil && n.Kid("text") != nil {
			a.c.edit(a.comments, lengthened(n.Kid("text"), raw, p, h.Text))
			continue
		}
		fresh = append(fresh, h)
		list.WriteString(comment(p, h))
	}
	if l := root.Kid("commentList"); l != nil && list.Len() > 0 {
		a.c.edit(a.comments, l.Append(raw, list.String()))
	}
	return fresh, nil
}

// lengthened returns the edit that adds a line to the text of a comment.
func lengthened(text *ooxml.Node, raw []byte, p, line string) ooxml.Edit {
	if len(text.Kids) == 1 && text.Kids[0].Local() == "t" { // plain text, which cannot be followed by runs
		return ooxml.Edit{From: text.Body, To: text.Tail, New: run(p, text.String()) + run(p, "\n"+line)}
	}
	return text.Append(raw, run(p, "\n"+line))
}

// newTexts makes the part with the texts.
func (a *annotation) newTexts(cells []HighlightedCell) {
	var list strings.Builder
	for _, h := range cells {
		list.WriteString(comment("", h))
	}
	a.comments = a.c.unused("xl/comments%d.xml")
	a.c.p.Set(a.comments, []byte(xmlHead+`<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors><author>hitoku</author></authors><commentList>`+list.String()+`</commentList></comments>`))
	a.relate("comments", a.comments)
}

// addShapes adds shapes to the part with shapes.
func (a *annotation) addShapes(cells []HighlightedCell) error {
	root, raw, err := a.c.source(a.vml)
	if err != nil {
		return err
	}
	a.c.edit(a.vml, root.Append(raw, shapes(cells, lastShape(root), true)))
	return nil
}

// newShapes makes the part with the shapes.
func (a *annotation) newShapes(cells []HighlightedCell) {
	a.vml = a.c.unused("xl/drawings/vmlDrawing%d.vml")
	a.c.p.Set(a.vml, []byte(`<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/></o:shapelayout>`+
		shapes(cells, 1024, false)+`</xml>`))
	a.c.edit(a.t.part, legacy(a.t, a.relate("vmlDrawing", a.vml)))
}

// relate adds a relationship of the sheet to a part, and returns its identifier.
func (a *annotation) relate(kind, target string) string {
	id := ""
	for k := 1; id == "" || a.ids[id]; k++ {
		id = "rIdH" + strconv.Itoa(k)
	}
	a.ids[id] = true
	a.rels = append(a.rels, fmt.Sprintf(`<Relationship Id="%s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/%s" Target="/%s"/>`, id, kind, ooxml.Escape(target)))
	return id
}

// writeRelations writes the new relationships.
func (a *annotation) writeRelations() error {
	if len(a.rels) == 0 {
		return nil
	}
	xml := strings.Join(a.rels, "")
	part := ooxml.RelationsOf(a.t.part)
	if !a.c.p.Has(part) {
		a.c.p.Set(part, []byte(xmlHead+`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`+xml+`</Relationships>`))
		return nil
	}
	root, raw, err := a.c.source(part)
	if err != nil {
		return err
	}
	if p := prefix(root.Name); p != "" {
		xml = strings.ReplaceAll(xml, "<Relationship ", "<"+p+"Relationship ")
	}
	a.c.edit(part, root.Append(raw, xml))
	return nil
}

// xmlHead begins a new part.
const xmlHead = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"

// unused returns the first name in that format that no part of the workbook has.
func (c *copying) unused(format string) string {
	for k := 1; ; k++ {
		if name := fmt.Sprintf(format, k); !c.p.Has(name) {
			return name
		}
	}
}

func run(p, text string) string {
	return fmt.Sprintf(`<%[1]sr><%[1]st xml:space="preserve">%[2]s</%[1]st></%[1]sr>`, p, ooxml.Escape(text))
}

func comment(p string, h HighlightedCell) string {
	return fmt.Sprintf(`<%[1]scomment ref="%[2]s" authorId="0"><%[1]stext>%[3]s</%[1]stext></%[1]scomment>`, p, h.Ref, run(p, h.Text))
}

// behindLegacy are the elements of a sheet that come after its legacyDrawing.
var behindLegacy = []string{"legacyDrawingHF", "drawingHF", "picture", "oleObjects", "controls", "webPublishItems", "tableParts", "extLst"}

// legacy returns the edit that makes a sheet refer to its legacy drawing.
func legacy(t *tab, id string) ooxml.Edit {
	xml := fmt.Sprintf(`<%slegacyDrawing xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="%s"/>`, prefix(t.root.Name), id)
	if old := t.root.Kid("legacyDrawing"); old != nil { // it refers to no part
		return ooxml.Edit{From: old.From, To: old.To, New: xml}
	}
	at := t.root.Tail
	for _, n := range t.root.Kids {
		local := n.Local()
		if local == "AlternateContent" && len(n.Kids) > 0 && len(n.Kids[0].Kids) > 0 { // an element around controls
			local = n.Kids[0].Kids[0].Local()
		}
		if slices.Contains(behindLegacy, local) {
			at = n.From
			break
		}
	}
	return ooxml.Edit{From: at, To: at, New: xml}
}

var shapeNumber = lazy.Regexp(`^_x0000_s([0-9]+)$`)

// lastShape returns the largest number of a shape in a legacy drawing.
func lastShape(root *ooxml.Node) int {
	last := 1024
	root.All(func(n *ooxml.Node) bool {
		if m := shapeNumber().FindStringSubmatch(n.Get("id")); m != nil {
			if v, err := strconv.Atoi(m[1]); err == nil && v > last && v < 1<<30 {
				last = v
			}
		}
		return true
	})
	return last
}

// shapes returns the shapes of comments, numbered from last + 1.
func shapes(cells []HighlightedCell, last int, named bool) string {
	const kind = `<v:shapetype%s id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>`
	spaces := ""
	if named { // the namespaces are declared here, as the drawing may have other prefixes
		spaces = ` xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"`
	}
	var b strings.Builder
	if !named {
		fmt.Fprintf(&b, kind, "")
	}
	for k, h := range cells {
		row, col, _ := ooxml.Cell(strings.ReplaceAll(h.Ref, "$", ""))
		lines := 2 + len(h.Text)/24
		fmt.Fprintf(&b, `<v:shape%s id="_x0000_s%d" type="#_x0000_t202" style="position:absolute;margin-left:60pt;margin-top:2pt;width:150pt;height:60pt;z-index:%d;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto"><v:fill color2="#ffffe1"/><v:shadow color="black" obscured="t"/><v:path o:connecttype="none"/><v:textbox/><x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>%d, 15, %d, 4, %d, 40, %d, 4</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>%d</x:Row><x:Column>%d</x:Column></x:ClientData></v:shape>`,
			spaces, last+1+k, k+1, col, max(0, row-2), col+3, max(0, row-2)+min(lines, 12), row-1, col-1)
	}
	return b.String()
}
