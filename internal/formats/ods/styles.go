package ods

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/ooxml"
)

// styles holds the styles of cells, numbered in the order of their use.
type styles struct {
	cells, tables, data map[string]*ooxml.Node // styles of cells and of tables, and formats of numbers, by name
	number              map[string]int         // number in the book of each style, by name
	made                map[look]int
	looks               []look
}

// A look is the formatting of a cell, as far as it tells what part of a table the cell is.
type look struct {
	format string // the number format in Excel's notation, "" for the general format
	bold   bool
	indent int
	align  string
}

const maxChain = 16 // styles that inherit from one another

func newStyles(roots ...*ooxml.Node) *styles {
	s := &styles{cells: map[string]*ooxml.Node{}, tables: map[string]*ooxml.Node{}, data: map[string]*ooxml.Node{}, number: map[string]int{}, made: map[look]int{{}: 0}, looks: []look{{}}}
	for _, root := range roots { // content.xml comes last, as its automatic styles take precedence
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

// of returns the number of a cell style in the book.
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

// perIndent is the width of one step of Excel's indent in millimetres.
const perIndent = 3.53

// indent converts a margin to steps of indent.
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

// code returns a number format in Excel's notation, "" for the general format.
func (s *styles) code(name string, depth int) string {
	n := s.data[name]
	if n == nil || depth > 1 {
		return ""
	}
	for _, k := range n.Kids { // a format for negative numbers refers to that for the others
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

// digits returns the part of a format that stands for the digits of a number.
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

// sheet returns the part of the book with its styles.
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
