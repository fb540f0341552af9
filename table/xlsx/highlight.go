package xlsx

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/ooxml"
)

// A HighlightedCell is a cell that a copy shows in a colour, with a comment.
type HighlightedCell struct {
	Place
	Text string // of the comment; "" for none
	Fill string // RRGGBB; "" is the colour of sensitive cells
}

// Highlight writes a copy of the workbook src in which cells have a colour and a comment; all else is as it was, parts without such cells byte for
// byte. A cell that has a comment keeps it and the text is added. Such a copy is for the office: nothing in it is withheld.
func Highlight(dst io.Writer, src []byte, cells []HighlightedCell) error {
	c, err := newCopying(src, CopyOptions{})
	if err != nil {
		return err
	}
	styles, err := c.newStyles()
	if err != nil {
		return err
	}
	bySheet := map[*tab][]HighlightedCell{}
	var order []*tab
	seen := map[spotID]bool{}
	for _, h := range cells {
		id, s, err := c.find(h.Place)
		if err != nil {
			return err
		}
		if seen[id] {
			return fmt.Errorf("%s is highlighted twice", h.Place)
		}
		seen[id] = true
		t := c.tabs[id.tab]
		if s != nil {
			if style := styles.filled(s.style, h.Fill); style != s.style {
				c.edit(t.part, restyle(t, s, style))
			}
		}
		if h.Text == "" {
			continue
		}
		if bySheet[t] == nil {
			order = append(order, t)
		}
		bySheet[t] = append(bySheet[t], h)
	}
	if err := styles.write(); err != nil {
		return err
	}
	adds := map[string]string{} // content types
	vml := false
	for _, t := range order {
		if err := c.annotate(t, bySheet[t], adds); err != nil {
			return err
		}
		vml = true
	}
	if err := c.addTypes(adds, vml); err != nil {
		return err
	}
	if err := c.finish(); err != nil {
		return err
	}
	return c.p.Write(dst)
}

// filled returns the style with a fill.
func (s *styles) filled(style, fill string) string {
	if fill == "" {
		fill = primaryFill
	}
	n := 0
	if style != "" {
		var err error
		if n, err = strconv.Atoi(style); err != nil {
			return style
		}
	}
	if n < 0 || n >= len(s.xfs) {
		return style
	}
	key := strconv.Itoa(n) + " " + fill
	if to, ok := s.made[key]; ok {
		return to
	}
	id, ok := s.fills[fill]
	if !ok {
		if s.fillList == nil {
			return style
		}
		id = len(s.fillList.Kids) + len(s.fills)
		s.fills[fill] = id
		p := prefix(s.fillList.Name)
		s.addedFills = append(s.addedFills, fmt.Sprintf(`<%[1]sfill><%[1]spatternFill patternType="solid"><%[1]sfgColor rgb="FF%[2]s"/><%[1]sbgColor indexed="64"/></%[1]spatternFill></%[1]sfill>`, p, ooxml.Escape(fill)))
	}
	to := s.derive(n, map[string]string{"fillId": strconv.Itoa(id), "applyFill": "1"}, "")
	s.made[key] = to
	return to
}

// restyle gives a cell another style.
func restyle(t *tab, s *spot, style string) ooxml.Edit {
	if s.styleAt != nil {
		return s.styleAt.Set(style)
	}
	at := s.from + 1 + len(s.name)
	return ooxml.Edit{From: at, To: at, New: ` s="` + style + `"`}
}

// annotate adds comments to a sheet.
func (c *copying) annotate(t *tab, cells []HighlightedCell, adds map[string]string) error {
	rels, err := c.p.Relations(t.part)
	if err != nil {
		return err
	}
	comments, vml, ids := "", "", map[string]bool{}
	byID := map[string]ooxml.Relation{}
	for _, r := range rels {
		ids[r.ID] = true
		byID[r.ID] = r
		if r.Type == "comments" && c.p.Has(r.Target) {
			comments = r.Target
		}
	}
	if l := t.root.Kid("legacyDrawing"); l != nil {
		if r, ok := byID[l.Get("id")]; ok && c.p.Has(r.Target) {
			vml = r.Target
		}
	}
	var newRels []string
	relate := func(kind, target string) string {
		id := ""
		for k := 1; id == "" || ids[id]; k++ {
			id = "rIdH" + strconv.Itoa(k)
		}
		ids[id] = true
		newRels = append(newRels, fmt.Sprintf(`<Relationship Id="%s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/%s" Target="/%s"/>`, id, kind, ooxml.Escape(target)))
		return id
	}
	var fresh []HighlightedCell // without a comment by now
	var list strings.Builder
	if comments != "" {
		root, err := c.parse(comments)
		if err != nil {
			return err
		}
		raw, err := c.p.Read(comments)
		if err != nil {
			return err
		}
		p := prefix(root.Name)
		has := map[string]*ooxml.Node{}
		for _, n := range root.Find("comment") {
			has[n.Get("ref")] = n
		}
		for _, h := range cells {
			if n := has[h.Ref]; n != nil && n.Kid("text") != nil {
				text := n.Kid("text")
				if len(text.Kids) == 1 && text.Kids[0].Local() == "t" { // runs follow no plain text
					c.edit(comments, ooxml.Edit{From: text.Body, To: text.Tail, New: run(p, text.String()) + run(p, "\n"+h.Text)})
				} else {
					c.edit(comments, text.Append(raw, run(p, "\n"+h.Text)))
				}
				continue
			}
			fresh = append(fresh, h)
			list.WriteString(comment(p, h))
		}
		if l := root.Kid("commentList"); l != nil && list.Len() > 0 {
			c.edit(comments, l.Append(raw, list.String()))
		}
	} else {
		comments = c.unused("xl/comments%d.xml")
		for _, h := range cells {
			list.WriteString(comment("", h))
		}
		fresh = cells
		c.p.Set(comments, []byte(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`+"\n"+`<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors><author>hitoku</author></authors><commentList>`+list.String()+`</commentList></comments>`))
		relate("comments", comments)
		adds["/"+comments] = "application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml"
	}
	if len(fresh) > 0 && vml != "" {
		root, err := c.parse(vml)
		if err != nil {
			return err
		}
		raw, err := c.p.Read(vml)
		if err != nil {
			return err
		}
		c.edit(vml, root.Append(raw, shapes(fresh, lastShape(root), true)))
	} else if len(fresh) > 0 {
		vml = c.unused("xl/drawings/vmlDrawing%d.vml")
		c.p.Set(vml, []byte(`<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="1"/></o:shapelayout>`+
			shapes(fresh, 1024, false)+`</xml>`))
		id := relate("vmlDrawing", vml)
		c.edit(t.part, legacy(t, id))
	}
	if len(newRels) == 0 {
		return nil
	}
	part := ooxml.RelationsOf(t.part)
	if !c.p.Has(part) {
		c.p.Set(part, []byte(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`+"\n"+`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`+strings.Join(newRels, "")+`</Relationships>`))
		return nil
	}
	root, err := c.parse(part)
	if err != nil {
		return err
	}
	raw, err := c.p.Read(part)
	if err != nil {
		return err
	}
	xml := strings.Join(newRels, "")
	if p := prefix(root.Name); p != "" {
		xml = strings.ReplaceAll(xml, "<Relationship ", "<"+p+"Relationship ")
	}
	c.edit(part, root.Append(raw, xml))
	return nil
}

// unused is the first name of a part that the workbook does not have.
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

// behindLegacy are the elements of a sheet that stand behind its old drawing.
var behindLegacy = []string{"legacyDrawingHF", "drawingHF", "picture", "oleObjects", "controls", "webPublishItems", "tableParts", "extLst"}

// legacy names the old drawing in a sheet.
func legacy(t *tab, id string) ooxml.Edit {
	xml := fmt.Sprintf(`<%slegacyDrawing xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="%s"/>`, prefix(t.root.Name), id)
	if old := t.root.Kid("legacyDrawing"); old != nil { // it names nothing
		return ooxml.Edit{From: old.From, To: old.To, New: xml}
	}
	at := t.root.Tail
	for _, n := range t.root.Kids {
		local := n.Local()
		if local == "AlternateContent" && len(n.Kids) > 0 && len(n.Kids[0].Kids) > 0 { // around controls
			local = n.Kids[0].Kids[0].Local()
		}
		if slices.Contains(behindLegacy, local) {
			at = n.From
			break
		}
	}
	return ooxml.Edit{From: at, To: at, New: xml}
}

var shapeNumber = regexp.MustCompile(`^_x0000_s([0-9]+)$`)

// lastShape is the largest number of a shape in an old drawing.
func lastShape(root *ooxml.Node) int {
	last := 1024
	root.All(func(n *ooxml.Node) bool {
		if m := shapeNumber.FindStringSubmatch(n.Get("id")); m != nil {
			if v, err := strconv.Atoi(m[1]); err == nil && v > last && v < 1<<30 {
				last = v
			}
		}
		return true
	})
	return last
}

// shapes are those of comments, numbered from after last.
func shapes(cells []HighlightedCell, last int, named bool) string {
	const kind = `<v:shapetype%s id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>`
	spaces := ""
	if named { // whatever the drawing calls them
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

// addTypes tells the content types of new parts.
func (c *copying) addTypes(adds map[string]string, vml bool) error {
	root, err := c.parse(ooxml.TypesPart)
	if err != nil {
		return err
	}
	raw, err := c.p.Read(ooxml.TypesPart)
	if err != nil {
		return err
	}
	p := prefix(root.Name)
	var xml strings.Builder
	for _, n := range root.Kids {
		if n.Local() == "Default" && strings.EqualFold(n.Get("Extension"), "vml") {
			vml = false
		}
	}
	if vml {
		fmt.Fprintf(&xml, `<%sDefault Extension="vml" ContentType="application/vnd.openxmlformats-officedocument.vmlDrawing"/>`, p)
	}
	var parts []string
	for part := range adds {
		parts = append(parts, part)
	}
	slices.Sort(parts)
	for _, part := range parts {
		fmt.Fprintf(&xml, `<%sOverride PartName="%s" ContentType="%s"/>`, p, ooxml.Escape(part), adds[part])
	}
	if xml.Len() > 0 {
		c.edit(ooxml.TypesPart, root.Append(raw, xml.String()))
	}
	return nil
}
