package xlsx

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/ooxml"
)

// parse parses a part, once.
func (c *copying) parse(part string) (*ooxml.Node, error) {
	if t := c.byPart[strings.ToLower(part)]; t != nil {
		return t.root, nil
	}
	if part == c.main {
		return c.book, nil
	}
	if n := c.roots[part]; n != nil {
		return n, nil
	}
	n, err := c.p.Parse(part)
	c.roots[part] = n
	return n, err
}

// source returns the root of a part, and the bytes to which edits of it apply.
func (c *copying) source(part string) (*ooxml.Node, []byte, error) {
	root, err := c.parse(part)
	if err != nil {
		return nil, nil, err
	}
	raw, err := c.p.Read(part)
	return root, raw, err
}

// cut marks an element of a part to be removed.
func (c *copying) cut(part string, n *ooxml.Node) {
	if !c.cuts[n] {
		c.cuts[n] = true
		c.cutIn[part] = append(c.cutIn[part], n)
	}
}

// needed are lists that a part must have even if they are empty.
var needed = []string{"commentList", "tableColumns", "definedNames", "cellXfs", "sheets", "txBody", "plotArea", "sheetData", "spTree", "dataModel"}

// cutEdits returns the edits that remove what was cut, remove lists that are empty without it, and correct the
// counts of other lists.
func (c *copying) cutEdits(part string) (edits []ooxml.Edit) {
	all := c.cutIn[part]
	for k := 0; k < len(all); k++ { // all grows in the loop
		p := all[k].Parent
		if p == nil || p.Parent == nil || c.cuts[p] || slices.Contains(needed, p.Local()) {
			continue
		}
		if !slices.ContainsFunc(p.Kids, func(n *ooxml.Node) bool { return !c.cuts[n] }) {
			c.cuts[p] = true
			all = append(all, p)
		}
	}
	counted := map[*ooxml.Node]bool{}
	for _, n := range all {
		edits = append(edits, n.Delete())
		p := n.Parent
		if p == nil || c.cuts[p] || counted[p] {
			continue
		}
		counted[p] = true
		if a := p.Attr("count"); a != nil {
			left := 0
			for _, k := range p.Kids {
				left += 1 - boolInt(c.cuts[k])
			}
			edits = append(edits, a.Set(strconv.Itoa(left)))
		}
	}
	return edits
}

// An owner is a part that refers to another.
type owner struct {
	part string // "" for the package itself
	rel  ooxml.Relation
}

// owners returns for each part, by its folded name, the parts that refer to it.
func (c *copying) owners() (map[string][]owner, error) {
	all := map[string][]owner{}
	for _, name := range c.p.Names() {
		part, ok := ooxml.OwnerOf(name)
		if !ok {
			continue
		}
		root, err := c.parse(name)
		if err != nil {
			return nil, err
		}
		for _, r := range c.p.RelationsIn(part, root) {
			if !r.External {
				all[strings.ToLower(r.Target)] = append(all[strings.ToLower(r.Target)], owner{part, r})
			}
		}
	}
	return all, nil
}

// remove removes a part, the elements that refer to it, and the parts to which nothing else refers.
func (c *copying) remove(part string, owners map[string][]owner) error {
	key := strings.ToLower(part)
	if c.gone[key] {
		return nil
	}
	c.gone[key] = true
	for _, o := range owners[key] {
		if c.gone[strings.ToLower(o.part)] {
			continue
		}
		c.cut(ooxml.RelationsOf(o.part), o.rel.Node)
		if o.part == "" || !c.p.Has(o.part) {
			continue
		}
		root, err := c.parse(o.part)
		if err != nil {
			return err
		}
		root.All(func(n *ooxml.Node) bool {
			for _, a := range n.Attrs {
				if a.Value == o.rel.ID && strings.Contains(a.Name, ":") && !strings.HasPrefix(a.Name, "xmlns") {
					c.cut(o.part, c.around(root, n))
				}
			}
			return true
		})
	}
	root, err := c.parseRelations(part)
	if err != nil || root == nil {
		return err
	}
	c.gone[strings.ToLower(ooxml.RelationsOf(part))] = true
	for _, r := range c.p.RelationsIn(part, root) {
		if r.External || !c.p.Has(r.Target) {
			continue
		}
		if !slices.ContainsFunc(owners[strings.ToLower(r.Target)], func(o owner) bool { return !c.gone[strings.ToLower(o.part)] || o.part == "" }) {
			if err := c.remove(r.Target, owners); err != nil {
				return err
			}
		}
	}
	return nil
}

// parseRelations parses the relationships of a part, nil if it has none.
func (c *copying) parseRelations(part string) (*ooxml.Node, error) {
	name := ooxml.RelationsOf(part)
	if !c.p.Has(name) {
		return nil, nil
	}
	return c.parse(name)
}

// lists are elements whose children can be removed one by one.
var lists = []string{"oleObjects", "controls", "hyperlinks", "tableParts", "extLst", "ext", "slicerList", "pivotCaches", "externalReferences", "slicerCaches", "timelineRefs", "timelineCacheRefs",
	"tableSlicerCaches", "webPublishItems", "customProperties", "customSheetViews"}

// around returns the element that is removed together with one that names a part: a picture, a shape, or an
// entry of a list.
func (c *copying) around(root, n *ooxml.Node) *ooxml.Node {
	switch root.Local() {
	case "wsDr", "userShapes", "xml": // drawings
		top := n
		for top.Parent != nil && top.Parent != root && top.Parent.Local() != "grpSp" && top.Parent.Local() != "group" {
			top = top.Parent
		}
		return top
	case "chartSpace":
		for k := n; k != nil; k = k.Parent {
			if k.Local() == "blipFill" {
				return k
			}
		}
		return n
	}
	for top := n; top.Parent != nil; top = top.Parent {
		if slices.Contains(lists, top.Parent.Local()) {
			return top
		}
	}
	return n
}

// finish applies the edits and removes parts.
func (c *copying) finish() error {
	types, err := c.parse(ooxml.TypesPart)
	if err != nil {
		return err
	}
	for _, n := range types.Kids {
		if n.Local() == "Override" && c.gone[strings.ToLower(strings.TrimPrefix(n.Get("PartName"), "/"))] {
			c.cut(ooxml.TypesPart, n)
		}
	}
	for _, part := range c.p.Names() {
		if c.gone[strings.ToLower(part)] {
			c.p.Drop(part)
			continue
		}
		if err := c.p.Edit(part, slices.Concat(c.cutEdits(part), c.edits[part])); err != nil {
			return err
		}
	}
	return nil
}
