package xlsx

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/ooxml"
)

// styles holds the formats of cells, to which new ones are added.
type styles struct {
	c      *copying
	part   string
	raw    []byte
	list   *ooxml.Node // the element cellXfs
	xfs    []*ooxml.Node
	format map[string]string // number formats by their identifiers
	made   map[string]string
	added  []string

	fillList   *ooxml.Node
	fills      map[string]int // new fills, by colour
	addedFills []string
}

func (c *copying) newStyles() (*styles, error) {
	s := &styles{c: c, format: map[string]string{}, made: map[string]string{}, fills: map[string]int{}}
	rels, err := c.p.Relations(c.main)
	if err != nil {
		return nil, err
	}
	for _, r := range rels {
		if r.Type == "styles" && c.p.Has(r.Target) {
			s.part = r.Target
		}
	}
	if s.part == "" {
		return s, nil
	}
	root, raw, err := c.source(s.part)
	if err != nil {
		return nil, err
	}
	s.raw = raw
	s.list, s.fillList = root.Kid("cellXfs"), root.Kid("fills")
	if s.list != nil {
		for _, n := range s.list.Kids {
			if n.Local() == "xf" {
				s.xfs = append(s.xfs, n)
			}
		}
	}
	for _, n := range root.Kid("numFmts").Find("numFmt") {
		s.format[n.Get("numFmtId")] = n.Get("formatCode")
	}
	return s, nil
}

// number returns the index of the style that a cell names, that of the first style if it names none. ok is
// false if there is no such style.
func (s *styles) number(style string) (n int, ok bool) {
	if style != "" {
		var err error
		if n, err = strconv.Atoi(style); err != nil {
			return 0, false
		}
	}
	return n, n >= 0 && n < len(s.xfs)
}

// right returns a style that shows texts where the given style shows numbers.
func (s *styles) right(style string) string {
	n, ok := s.number(style)
	if !ok {
		return style
	}
	if to, ok := s.made[strconv.Itoa(n)]; ok {
		return to
	}
	xf := s.xfs[n]
	set := map[string]string{}
	align := ""
	if a := xf.Kid("alignment"); a == nil || a.Get("horizontal") == "" || a.Get("horizontal") == "general" {
		align, set["applyAlignment"] = "right", "1"
	}
	if hidesText(s.format[xf.Get("numFmtId")]) {
		set["numFmtId"] = "0"
	}
	to := style
	if len(set) > 0 {
		to = s.derive(n, set, align)
	}
	s.made[strconv.Itoa(n)] = to
	return to
}

// filled returns the given style with a fill.
func (s *styles) filled(style, fill string) string {
	fill = cmp.Or(fill, primaryFill)
	n, ok := s.number(style)
	if !ok {
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

// derive makes a style from the n-th one, with other attributes and, unless align is empty, that alignment.
func (s *styles) derive(n int, attributes map[string]string, align string) string {
	xf := s.xfs[n]
	var edits []ooxml.Edit
	set := func(at *ooxml.Node, name, value string) {
		if a := at.Attr(name); a != nil {
			edits = append(edits, a.Set(value))
		} else {
			from := at.From + 1 + len(at.Name)
			edits = append(edits, ooxml.Edit{From: from, To: from, New: " " + name + `="` + value + `"`})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		set(xf, name, attributes[name])
	}
	if a := xf.Kid("alignment"); align != "" && a != nil {
		set(a, "horizontal", align)
	} else if align != "" {
		edits = append(edits, alignment(xf, s.raw, align))
	}
	for k := range edits {
		edits[k].From -= xf.From
		edits[k].To -= xf.From
	}
	s.added = append(s.added, string(ooxml.Apply(s.raw[xf.From:xf.To], edits)))
	return strconv.Itoa(len(s.xfs) + len(s.added) - 1)
}

// alignment returns the edit that adds an alignment as the first child of a style.
func alignment(xf *ooxml.Node, raw []byte, align string) ooxml.Edit {
	add := "<" + prefix(xf.Name) + `alignment horizontal="` + align + `"/>`
	if xf.Body == xf.To {
		return xf.Append(raw, add)
	}
	return ooxml.Edit{From: xf.Body, To: xf.Body, New: add}
}

// hidesText reports whether a number format has a section for text that does not show the text.
func hidesText(code string) bool {
	quoted, sections, last := false, 1, 0
	for k := 0; k < len(code); k++ {
		switch {
		case code[k] == '"':
			quoted = !quoted
		case code[k] == '\\' && !quoted:
			k++
		case code[k] == ';' && !quoted:
			sections++
			last = k + 1
		}
	}
	return sections > 3 && !strings.Contains(code[last:], "@")
}

// write adds the new styles.
func (s *styles) write() error {
	if len(s.added) == 0 {
		return nil
	}
	s.c.edit(s.part, s.list.Append(s.raw, strings.Join(s.added, "")))
	if a := s.list.Attr("count"); a != nil {
		s.c.edit(s.part, a.Set(strconv.Itoa(len(s.xfs)+len(s.added))))
	}
	if len(s.addedFills) > 0 {
		s.c.edit(s.part, s.fillList.Append(s.raw, strings.Join(s.addedFills, "")))
		if a := s.fillList.Attr("count"); a != nil {
			s.c.edit(s.part, a.Set(strconv.Itoa(len(s.fillList.Kids)+len(s.addedFills))))
		}
	}
	return nil
}
