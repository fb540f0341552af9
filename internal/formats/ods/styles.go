package ods

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/ooxml"
)

// styles are the looks of cells, numbered as they come.
type styles struct {
	cells, tables, data map[string]*ooxml.Node // by name, of the family of cells, of tables, and formats of numbers
	number              map[string]int         // style of the book by name
	made                map[look]int
	looks               []look
}

// A look is what a style tells of the place of a cell in a table.
type look struct {
	format string // code of the number format as Excel writes it, "" for the general one
	bold   bool
	indent int
	align  string
}

const maxChain = 16 // styles that inherit from each other

func newStyles(roots ...*ooxml.Node) *styles {
	s := &styles{cells: map[string]*ooxml.Node{}, tables: map[string]*ooxml.Node{}, data: map[string]*ooxml.Node{}, number: map[string]int{}, made: map[look]int{{}: 0}, looks: []look{{}}}
	for _, root := range roots { // those of content.xml last: its automatic styles come first
		if root == nil {
			continue
		}
		for _, list := range root.Kids {
			if l := list.Local(); l != "styles" && l != "automatic-styles" {
				continue
			}
			for _, n := range list.Kids {
				name := n.Get("style:name")
				switch l := n.Local(); {
				case l == "style" && n.Get("family") == "table-cell":
					s.cells[name] = n
				case l == "style" && n.Get("family") == "table":
					s.tables[name] = n
				case strings.HasSuffix(l, "-style"):
					s.data[name] = n
				}
			}
		}
	}
	return s
}

// of is the number of the style of a cell.
func (s *styles) of(name string) int {
	if n, ok := s.number[name]; ok {
		return n
	}
	var l look
	bold, format := "", ""
	at := name
	for range maxChain {
		n := s.cells[at]
		if n == nil {
			break
		}
		if format == "" {
			format = n.Get("data-style-name")
		}
		if t := n.Kid("text-properties"); t != nil && bold == "" {
			bold = t.Get("fo:font-weight")
		}
		if p := n.Kid("paragraph-properties"); p != nil {
			if l.align == "" {
				l.align = map[string]string{"start": "left", "left": "left", "end": "right", "right": "right", "center": "center", "justify": "justify"}[p.Get("text-align")]
			}
			if l.indent == 0 {
				l.indent = indent(p.Get("margin-left"))
			}
		}
		at = n.Get("parent-style-name")
	}
	l.bold = bold == "bold" || len(bold) == 3 && bold >= "600"
	l.format = s.code(format, 0)
	k, ok := s.made[l]
	if !ok {
		k = len(s.looks)
		s.made[l], s.looks = k, append(s.looks, l)
	}
	s.number[name] = k
	return k
}

// perIndent are the millimetres of one step of Excel's indent.
const perIndent = 3.53

// indent turns a margin into steps of indent.
func indent(margin string) int {
	for unit, mm := range map[string]float64{"mm": 1, "cm": 10, "in": 25.4, "pt": 25.4 / 72, "pc": 25.4 / 6} {
		if v, ok := strings.CutSuffix(margin, unit); ok {
			x, err := strconv.ParseFloat(v, 64)
			if err != nil || !(x > 0) {
				return 0
			}
			return int(math.Min(250, math.Max(1, math.Round(x*mm/perIndent))))
		}
	}
	return 0
}

// hidden reports whether the style of a sheet hides it.
func (s *styles) hidden(name string) bool {
	n := s.tables[name]
	return n != nil && n.Kid("table-properties") != nil && n.Kid("table-properties").Get("display") == "false"
}

// code is the code of a number format, "" for the general one.
func (s *styles) code(name string, depth int) string {
	n := s.data[name]
	if n == nil || depth > 1 {
		return ""
	}
	for _, k := range n.Kids { // the format of negative numbers names that of the others
		if k.Local() == "map" && strings.HasPrefix(k.Get("condition"), "value()>") {
			return s.code(k.Get("apply-style-name"), depth+1)
		}
	}
	var b strings.Builder
	general := true
	for _, k := range n.Kids {
		long := k.Get("number:style") == "long"
		pick := func(short, other string) string { return map[bool]string{false: short, true: other}[long] }
		part := ""
		switch k.Local() {
		case "number":
			part = digits(k)
			general = general && k.Get("decimal-places") == "" && k.Get("grouping") == "" && len(part) == 1
		case "scientific-number":
			part = digits(k) + "E+00"
		case "fraction":
			part = "# ?/?"
		case "text-content":
			part = "@"
		case "year":
			part = pick("yy", "yyyy")
		case "month":
			if part = pick("m", "mm"); k.Get("textual") == "true" {
				part = pick("mmm", "mmmm")
			}
		case "day", "day-of-week", "era":
			part = map[string]string{"day": pick("d", "dd"), "day-of-week": pick("ddd", "dddd"), "era": "gg"}[k.Local()]
		case "hours", "minutes", "seconds":
			part = pick("h", "hh")
			part = strings.ReplaceAll(part, "h", k.Local()[:1])
		case "am-pm":
			part = "AM/PM"
		case "text", "currency-symbol":
			if part = k.String(); part != "" && part != "%" {
				part = `"` + strings.ReplaceAll(part, `"`, "") + `"`
			}
		default:
			continue
		}
		general = general && k.Local() == "number"
		b.WriteString(part)
	}
	if general {
		return ""
	}
	return b.String()
}

// digits is the code of the digits of a number.
func digits(n *ooxml.Node) string {
	least, _ := strconv.Atoi(n.Get("min-integer-digits"))
	code := strings.Repeat("0", min(max(least, 0), 20))
	if n.Get("grouping") == "true" {
		code = "#,##0"
	} else if code == "" {
		code = "#"
	}
	if d, _ := strconv.Atoi(n.Get("number:decimal-places")); d > 0 {
		code += "." + strings.Repeat("0", min(d, 20))
	}
	return code
}

// sheet is the styles of the book.
func (s *styles) sheet() string {
	var formats, cells strings.Builder
	ids := map[string]int{"": 0}
	for _, l := range s.looks {
		id, ok := ids[l.format]
		if !ok {
			id = 163 + len(ids)
			ids[l.format] = id
			fmt.Fprintf(&formats, `<numFmt numFmtId="%d" formatCode="%s"/>`, id, ooxml.Escape(l.format))
		}
		font := 0
		if l.bold {
			font = 1
		}
		fmt.Fprintf(&cells, `<xf numFmtId="%d" fontId="%d"><alignment`, id, font)
		if l.align != "" {
			fmt.Fprintf(&cells, ` horizontal="%s"`, l.align)
		}
		if l.indent > 0 {
			fmt.Fprintf(&cells, ` indent="%d"`, l.indent)
		}
		cells.WriteString(`/></xf>`)
	}
	return `<styleSheet><numFmts>` + formats.String() + `</numFmts><fonts><font/><font><b/></font></fonts><cellXfs>` + cells.String() + `</cellXfs></styleSheet>`
}
