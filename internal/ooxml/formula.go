package ooxml

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Formula is what can be read from a formula without computing it, above all what it refers to.
type Formula struct {
	Text      string
	Refs      []Ref
	Names     []string    // defined names, and tables without brackets; sheet names in front are left out
	Tables    []Structure // such as Table1[Sales]
	Functions []string    // in upper case, without prefixes like _xlfn.
	Numbers   []string    // constants
	Strings   []string    // constants
	Outside   bool        // it refers to another workbook
	Factors   bool        // it multiplies, divides or raises to a power
	Opaque    bool        // it could not be read
}

// A Ref is a reference to cells of a sheet; "" is the sheet of the formula.
type Ref struct {
	Sheet, LastSheet string // LastSheet for Sheet1:Sheet3!A1
	Area
	fixed [4]bool // whether row, column, last row and last column have a $
	End   bool    // it begins a range whose other end is computed, like A1:INDEX(…)
}

// sums are functions that add, or pass on sums.
var sums = []string{"SUM", "SUBTOTAL", "AGGREGATE", "SUMIF", "SUMIFS", "SUMPRODUCT", "IF", "IFERROR", "IFNA", "ROUND", "ROUNDUP", "ROUNDDOWN", "INT", "N", "TRUNC"}

// Adds reports whether a formula only adds, subtracts and rounds.
func (f *Formula) Adds() bool {
	return !f.Factors && !f.Opaque && !slices.ContainsFunc(f.Functions, func(name string) bool { return !slices.Contains(sums, name) })
}

// Fixed reports whether the reference is the same in every cell the formula is copied to.
func (r Ref) Fixed() bool { return r.fixed == [4]bool{true, true, true, true} }

// A Structure is a structured reference; Table is "" within the table itself.
type Structure struct{ Table, Spec string }

// Shift returns the references of a shared formula in the cell that is so many rows and columns from its first:
// the relative ones are moved. ok is false if one leaves the sheet.
func (f *Formula) Shift(rows, cols int) (refs []Ref, ok bool) {
	refs = make([]Ref, len(f.Refs))
	for k, r := range f.Refs {
		if refs[k], ok = r.shift(rows, cols); !ok {
			return nil, false
		}
	}
	return refs, true
}

func (r Ref) shift(rows, cols int) (Ref, bool) {
	whole := r.Row == 1 && r.LastRow == MaxRows || r.Col == 1 && r.LastCol == MaxColumns
	for k, at := range []*int{&r.Row, &r.Col, &r.LastRow, &r.LastCol} {
		by, most := rows, MaxRows
		if k%2 == 1 {
			by, most = cols, MaxColumns
		}
		if whole && (k%2 == 0 && r.LastRow-r.Row == MaxRows-1 || k%2 == 1 && r.LastCol-r.Col == MaxColumns-1) {
			continue
		}
		if !r.fixed[k] {
			*at += by
		}
		if *at < 1 || *at > most {
			return r, false
		}
	}
	if r.Row > r.LastRow {
		r.Row, r.LastRow = r.LastRow, r.Row
	}
	if r.Col > r.LastCol {
		r.Col, r.LastCol = r.LastCol, r.Col
	}
	return r, true
}

// ShiftText rewrites the formula s, with or without its =, for the cell so many rows and columns from the one it
// was written for, as Excel does when a formula is filled down or to the right. A reference that would leave the
// sheet becomes #REF!, and ok is false.
func ShiftText(s string, rows, cols int) (string, bool) {
	var b strings.Builder
	p := formulaReader{s: s}
	good := true
	p.cells = func(from, to int) {
		b.WriteString(s[p.written:from])
		p.written = to
		var moved []string
		for part := range strings.SplitSeq(s[from:to], ":") {
			one, ok := shiftOne(part, rows, cols)
			if !ok {
				good, moved = false, []string{"#REF!"}
				break
			}
			moved = append(moved, one)
		}
		b.WriteString(strings.Join(moved, ":"))
	}
	f := p.read()
	b.WriteString(s[p.written:])
	return b.String(), good && !f.Opaque
}

// shiftOne moves $A1, A or $1.
func shiftOne(s string, rows, cols int) (string, bool) {
	colFixed := strings.HasPrefix(s, "$")
	t := strings.TrimPrefix(s, "$")
	k := 0
	for k < len(t) && (t[k] >= 'A' && t[k] <= 'Z' || t[k] >= 'a' && t[k] <= 'z') {
		k++
	}
	letters, number := t[:k], t[k:]
	rowFixed := strings.HasPrefix(number, "$") || letters == "" && colFixed
	number = strings.TrimPrefix(number, "$")
	var out strings.Builder
	if letters != "" {
		c := column(strings.ToUpper(letters))
		if colFixed {
			out.WriteByte('$')
		} else {
			c += cols
		}
		if c < 1 || c > MaxColumns {
			return "", false
		}
		out.WriteString(columnName(c))
	}
	if number != "" {
		r, ok := digits(number)
		if rowFixed {
			out.WriteByte('$')
		} else {
			r += rows
		}
		if !ok || r < 1 || r > MaxRows {
			return "", false
		}
		out.WriteString(strings.TrimPrefix(CellName(r, 1), "A"))
	}
	return out.String(), true
}

// ParseFormula reads a formula as it is stored in a file: in English, with A1 references.
func ParseFormula(s string) *Formula {
	p := formulaReader{s: s}
	p.f.Text = s
	return p.read()
}

// A formulaReader reads a formula from left to right.
type formulaReader struct {
	s       string
	i       int
	f       Formula
	cells   func(from, to int) // called with the places of A1 references
	written int
}

func (p *formulaReader) read() *Formula {
	for p.i < len(p.s) && !p.f.Opaque {
		p.token()
	}
	return &p.f
}

func isName(r rune) bool {
	return r == '_' || r == '.' || r == '\\' || r == '?' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) || r == 'ー' || r == '・' ||
		r > 0x7f && !unicode.IsSpace(r) && (unicode.IsSymbol(r) || unicode.IsPunct(r) || unicode.IsMark(r))
}

func (p *formulaReader) word() string {
	from := p.i
	p.i = p.wordEnd(from)
	return p.s[from:p.i]
}

// wordEnd returns where the word at k ends.
func (p *formulaReader) wordEnd(k int) int {
	for k < len(p.s) {
		r, n := utf8.DecodeRuneInString(p.s[k:])
		if !isName(r) {
			break
		}
		k += n
	}
	return k
}

func (p *formulaReader) token() {
	s := p.s
	switch c := s[p.i]; {
	case c == '"':
		text, ok := p.quoted('"')
		p.f.Opaque = p.f.Opaque || !ok
		p.f.Strings = append(p.f.Strings, text)
	case c == '\'':
		sheet, ok := p.quoted('\'')
		if !ok || p.i >= len(s) || s[p.i] != '!' {
			p.f.Opaque = true
			return
		}
		p.i++
		first, last, three := strings.Cut(sheet, ":")
		if !three {
			last = ""
		}
		p.behindSheet(first, last)
	case c == '[':
		spec, ok := p.brackets()
		if !ok {
			p.f.Opaque = true
			return
		}
		if _, ok := digits(spec); ok { // [1]Sheet1!A1, [1]!name
			p.word()
			for p.i < len(s) && s[p.i] == ':' { // [1]Sheet1:Sheet2!A1
				p.i++
				p.word()
			}
			if p.i < len(s) && s[p.i] == '!' {
				p.i++
				p.behindSheet("[", "")
				return
			}
			p.f.Opaque = true
			return
		}
		p.f.Tables = append(p.f.Tables, Structure{"", spec})
	case c == '#':
		for p.i++; p.i < len(s) && (s[p.i] >= 'A' && s[p.i] <= 'Z' || s[p.i] >= '0' && s[p.i] <= '9' || strings.IndexByte("/?!_", s[p.i]) >= 0); {
			p.i++
		}
	case c >= '0' && c <= '9' || c == '.' && p.i+1 < len(s) && s[p.i+1] >= '0' && s[p.i+1] <= '9':
		p.number()
	default:
		r, n := utf8.DecodeRuneInString(s[p.i:])
		if !isName(r) {
			p.f.Factors = p.f.Factors || strings.ContainsRune("*/^%", r)
			p.i += n
			return
		}
		p.operand()
	}
}

// quoted reads a text within quotes; a quote in it is doubled.
func (p *formulaReader) quoted(q byte) (string, bool) {
	var b strings.Builder
	for p.i++; p.i < len(p.s); p.i++ {
		if p.s[p.i] != q {
			b.WriteByte(p.s[p.i])
			continue
		}
		if p.i+1 < len(p.s) && p.s[p.i+1] == q {
			b.WriteByte(q)
			p.i++
			continue
		}
		p.i++
		return b.String(), true
	}
	return "", false
}

// brackets reads [ … ], which may be nested; ' escapes.
func (p *formulaReader) brackets() (string, bool) {
	from, depth := p.i+1, 0
	for ; p.i < len(p.s); p.i++ {
		switch p.s[p.i] {
		case '\'':
			p.i++
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				p.i++
				return p.s[from : p.i-1], true
			}
		}
	}
	return "", false
}

func (p *formulaReader) number() {
	from, s := p.i, p.s
	for p.i < len(s) && (s[p.i] >= '0' && s[p.i] <= '9' || s[p.i] == '.') {
		p.i++
	}
	if p.i < len(s) && s[p.i] == ':' { // 1:3
		if area, to, ok := p.rows(from); ok {
			p.ref("", "", area, from, to)
			return
		}
	}
	if p.i < len(s) && (s[p.i] == 'E' || s[p.i] == 'e') {
		k := p.i + 1
		if k < len(s) && (s[k] == '+' || s[k] == '-') {
			k++
		}
		if k < len(s) && s[k] >= '0' && s[k] <= '9' {
			for p.i = k; p.i < len(s) && s[p.i] >= '0' && s[p.i] <= '9'; {
				p.i++
			}
		}
	}
	p.f.Numbers = append(p.f.Numbers, s[from:p.i])
}

// rows reads 1:3 or $1:$3 at from, and returns where it ends.
func (p *formulaReader) rows(from int) (Area, int, bool) {
	k := from
	for k < len(p.s) && (p.s[k] == '$' || p.s[k] == ':' || p.s[k] >= '0' && p.s[k] <= '9') {
		k++
	}
	area, ok := ParseArea(p.s[from:k])
	return area, k, ok && area.LastCol == MaxColumns
}

// ref adds the reference that is [from, to) of the text.
func (p *formulaReader) ref(sheet, last string, area Area, from, to int) {
	r := Ref{Sheet: sheet, LastSheet: last, Area: area}
	first, second, two := strings.Cut(p.s[from:to], ":")
	if !two {
		second = first
	}
	for k, part := range []string{first, second} {
		t := strings.TrimPrefix(part, "$")
		only := len(t) > 0 && t[0] >= '0' && t[0] <= '9' // a row
		r.fixed[2*k] = strings.Contains(t, "$") || only && len(t) < len(part)
		r.fixed[2*k+1] = len(t) < len(part) && !only
	}
	p.i = to
	if sheet == "[" {
		p.f.Outside = true
	} else {
		p.f.Refs = append(p.f.Refs, r)
	}
	if p.cells != nil {
		p.cells(from, to)
	}
	if p.i < len(p.s) && p.s[p.i] == ':' { // up to something that is computed
		p.i++
		if k := len(p.f.Refs) - 1; k >= 0 && sheet != "[" {
			p.f.Refs[k].End = true
		}
	}
}

// behindSheet reads what follows Sheet1!.
func (p *formulaReader) behindSheet(sheet, last string) {
	if strings.HasPrefix(sheet, "[") {
		sheet = "["
		p.f.Outside = true
	}
	from := p.i
	if p.i < len(p.s) && p.s[p.i] == '#' { // #REF!
		return
	}
	if area, to, ok := p.rows(from); ok {
		p.ref(sheet, last, area, from, to)
		return
	}
	w := p.word()
	if w == "" {
		p.f.Opaque = true
		return
	}
	if area, to, ok := p.a1(from, w); ok {
		// Sheet1!A1:Sheet1!B2 is a range, too
		p.ref(sheet, last, area, from, to)
		return
	}
	if sheet != "[" {
		p.f.Names = append(p.f.Names, w)
	}
}

// a1 reads A1, A1:B2 or A:B, which begins with the word w.
func (p *formulaReader) a1(from int, w string) (Area, int, bool) {
	if p.i < len(p.s) && (p.s[p.i] == '(' || p.s[p.i] == '!' || p.s[p.i] == '[') {
		return Area{}, 0, false
	}
	if p.i < len(p.s) && p.s[p.i] == ':' {
		k := p.wordEnd(p.i + 1)
		if k >= len(p.s) || p.s[k] != '(' && p.s[k] != '!' && p.s[k] != '[' {
			if area, ok := ParseArea(strings.ToUpper(p.s[from:k])); ok {
				return area, k, true
			}
		}
	}
	area, ok := ParseArea(strings.ToUpper(w))
	return area, p.i, ok
}

func (p *formulaReader) operand() {
	from := p.i
	if p.s[p.i] == '$' {
		if area, to, ok := p.rows(from); ok {
			p.ref("", "", area, from, to)
			return
		}
	}
	w := p.word()
	if area, to, ok := p.a1(from, w); ok {
		p.ref("", "", area, from, to)
		return
	}
	next := byte(0)
	if p.i < len(p.s) {
		next = p.s[p.i]
	}
	switch {
	case next == '(':
		name := strings.ToUpper(w)
		for _, prefix := range []string{"_XLFN.", "_XLWS.", "_XLUDF."} {
			name = strings.TrimPrefix(name, prefix)
		}
		p.f.Functions = append(p.f.Functions, name)
	case next == '!':
		p.i++
		p.behindSheet(w, "")
	case next == '[':
		spec, ok := p.brackets()
		p.f.Opaque = p.f.Opaque || !ok
		p.f.Tables = append(p.f.Tables, Structure{w, spec})
	case next == ':':
		// Sheet1:Sheet3!A1, or a name that is one end of a range
		k := p.wordEnd(p.i + 1)
		if k < len(p.s) && p.s[k] == '!' {
			last := p.s[p.i+1 : k]
			p.i = k + 1
			p.behindSheet(w, last)
			return
		}
		p.f.Names = append(p.f.Names, w)
		p.i++
	case strings.EqualFold(w, "TRUE") || strings.EqualFold(w, "FALSE"):
	default:
		p.f.Names = append(p.f.Names, w)
	}
}
