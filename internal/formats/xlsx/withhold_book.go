package xlsx

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/budget"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/ooxml"
)

// A tab is a sheet of the workbook that is being copied.
type tab struct {
	name, part string // part is empty if it is not a worksheet
	number     int
	hidden     bool
	root       *ooxml.Node // the sheet without its cells
	cells      []spot      // by row and column
	formulas   []int32     // indices of cells with a formula
	tables     []*listTable
	hiddenRows map[int]bool
	hiddenCols []ooxml.Area
	remarks    []ooxml.Text // XML comments between cells
	groups     map[int]master
	spreads    []spreading
	columns    map[int32][]int32    // for each column, indices of the cells that are not empty
	over       map[int][]ooxml.Area // for each column, the merged cells that span several columns
	found      *labelled
}

// A master is a formula that other cells share, and its place.
type master struct {
	f        *calc
	row, col int
}

// A spot is a cell and its place in the part.
type spot struct {
	row, col int32
	from, to int
	name     string // name of the XML element
	kind     string // attribute t
	style    string // attribute s, as written
	styleAt  *ooxml.Attr
	placed   bool // the element has an address
	meta     bool // the value has metadata
	word     int  // index into the shared strings, −1 if it has none
	text     string
	canon    string // canonical form of its number, even if written as text; "" if it is no number
	number   bool   // a number that is not written as text
	valued   bool   // the element has a value
	texts    []ooxml.Text
	calc     *calc
	cm       *ooxml.Edit // removes the metadata of the formula
}

// id returns the identifier of a cell of the sheet.
func (t *tab) id(s *spot) spotID { return spotID{int32(t.number), s.row, s.col} }

// A calc is the formula of a cell.
type calc struct {
	from, to int
	text     string // the formula as it would be written in this cell alone; "" if that is not known
	shared   bool
	follows  bool // the formula is written in another cell
	group    int  // group of cells that share the formula
	formula  *ooxml.Formula
	refs     []ooxml.Ref
	opaque   bool
	state    byte // how far it has been followed
	touches  bool // it depends on a cell of the table
	tells    bool // it depends on a masked cell
	direct   bool // all its references can be followed
}

// A listTable is a table that Excel itself knows.
type listTable struct {
	part    string
	name    string
	tab     *tab
	area    ooxml.Area
	heads   int
	totals  int
	columns []string
	root    *ooxml.Node
}

// A copyName is a defined name.
type copyName struct {
	name, text string
	scope      int // number of the tab in which it is valid, −1 for all
	node       *ooxml.Node
	formula    *ooxml.Formula
	dropped    bool
}

// words holds the shared strings.
type words struct {
	part string
	text []string
	node []*ooxml.Node
}

// foldSheet returns the same text for all spellings of the name of a sheet, or of a defined name.
func foldSheet(s string) string { return strings.ToLower(s) }

// at returns a cell, nil if it is empty.
func (t *tab) at(row, col int) *spot {
	if k := t.index(row, col); k >= 0 {
		return &t.cells[k]
	}
	return nil
}

// index returns the index of a cell, −1 if it is empty.
func (t *tab) index(row, col int) int {
	k, ok := slices.BinarySearchFunc(t.cells, [2]int32{int32(row), int32(col)}, func(s spot, at [2]int32) int {
		return cmp.Or(cmp.Compare(s.row, at[0]), cmp.Compare(s.col, at[1]))
	})
	if !ok {
		return -1
	}
	return k
}

// within returns all cells in the rows of an area.
func (t *tab) within(a ooxml.Area) []spot {
	first, _ := slices.BinarySearchFunc(t.cells, int32(a.Row), func(s spot, row int32) int { return cmp.Compare(s.row, row) })
	last, _ := slices.BinarySearchFunc(t.cells, int32(a.LastRow+1), func(s spot, row int32) int { return cmp.Compare(s.row, row) })
	return t.cells[first:last]
}

// unseen reports whether readers do not see a cell.
func (t *tab) unseen(row, col int) bool {
	if t.hidden || t.hiddenRows[row] {
		return true
	}
	return slices.ContainsFunc(t.hiddenCols, func(a ooxml.Area) bool { return col >= a.Col && col <= a.LastCol })
}

// newCopying opens a workbook.
func newCopying(src []byte, o CopyOptions) (*copying, error) {
	if budget.Whole.Passed(len(src)) {
		return nil, &budget.TooLargeError{Limit: budget.Whole}
	}
	p, err := ooxml.Open(src)
	if err != nil {
		return nil, err
	}
	c := &copying{p: p, o: o, tabOf: map[string]*tab{}, byPart: map[string]*tab{}, nameOf: map[string][]*copyName{},
		copyCells: copyCells{published: map[spotID]bool{}, table: map[spotID]bool{}, masked: map[spotID]*mask{}, blanked: map[spotID]bool{}},
		copyParts: copyParts{edits: map[string][]ooxml.Edit{}, gone: map[string]bool{}, roots: map[string]*ooxml.Node{}, cuts: map[*ooxml.Node]bool{}, cutIn: map[string][]*ooxml.Node{}},
		steps:     200_000_000, words: &words{}}
	c.secrets.of, c.secrets.by, c.secrets.sums = map[string][]int{}, map[string][]int{}, map[string][]int{}
	top, err := p.Relations("")
	if err != nil {
		return nil, err
	}
	for _, r := range top {
		if r.Type == "officeDocument" {
			c.main = r.Target
		}
	}
	if c.main == "" {
		return nil, i18n.New("it names no workbook")
	}
	if c.book, err = p.Parse(c.main); err != nil {
		return nil, err
	}
	rels, err := p.Relations(c.main)
	if err != nil {
		return nil, err
	}
	target := map[string]ooxml.Relation{}
	for _, r := range rels {
		target[r.ID] = r
		if r.Type == "sharedStrings" && p.Has(r.Target) {
			if err := c.readShared(r.Target); err != nil {
				return nil, err
			}
		}
	}
	for _, s := range c.book.Kid("sheets").Find("sheet") {
		t := &tab{name: s.Get("name"), number: len(c.tabs), hidden: s.Get("state") != "" && s.Get("state") != "visible"}
		id := s.Attr("r:id")
		if id == nil {
			id = s.Attr("id")
		}
		if id != nil && target[id.Value].Type == "worksheet" {
			t.part = target[id.Value].Target
			if c.byPart[strings.ToLower(t.part)] != nil {
				return nil, i18n.Errorf("part %s: two sheets in one", t.part)
			}
			c.byPart[strings.ToLower(t.part)] = t
			if err := c.readTab(t); err != nil {
				return nil, i18n.Errorf("sheet %s: %w", t.name, err)
			}
		}
		c.tabs = append(c.tabs, t)
		c.tabOf[foldSheet(t.name)] = t
	}
	if len(c.tabs) == 0 {
		return nil, i18n.New("it has no sheets")
	}
	for _, d := range c.book.Kid("definedNames").Find("definedName") {
		n := &copyName{name: d.Get("name"), text: strings.TrimSpace(d.String()), scope: -1, node: d}
		if s := d.Get("localSheetId"); s != "" {
			if n.scope, err = strconv.Atoi(s); err != nil || n.scope < 0 || n.scope >= len(c.tabs) {
				return nil, i18n.Errorf("defined name %s: a sheet that does not exist", n.name)
			}
		}
		n.formula = ooxml.ParseFormula(n.text)
		c.names = append(c.names, n)
		c.nameOf[foldSheet(n.name)] = append(c.nameOf[foldSheet(n.name)], n)
	}
	return c, nil
}

// readShared reads the shared strings.
func (c *copying) readShared(part string) error {
	root, err := c.p.Parse(part)
	if err != nil {
		return err
	}
	c.words.part = part
	for _, n := range root.Kids {
		if n.Local() == "si" {
			c.words.node = append(c.words.node, n)
			c.words.text = append(c.words.text, unescape(shownText(n)))
		}
	}
	return nil
}

// shownText returns the text of a shared string without pronunciation notes.
func shownText(n *ooxml.Node) string {
	var b strings.Builder
	raised := false
	n.All(func(k *ooxml.Node) bool {
		switch k.Local() {
		case "r":
			raised = false
		case "vertAlign":
			raised = k.Get("val") == "superscript"
		case "t":
			for _, t := range k.Texts {
				b.WriteString(shownAs(t.S, raised))
			}
		}
		return k.Local() != "rPh"
	})
	return b.String()
}

// readTab reads the cells of a sheet.
func (c *copying) readTab(t *tab) error {
	t.hiddenRows, t.groups, t.columns = map[int]bool{}, map[int]master{}, map[int32][]int32{}
	t.over = map[int][]ooxml.Area{}
	root, err := c.p.ParseWith(t.part, map[string]func(*ooxml.Lexer, ooxml.Token) error{"sheetData": func(l *ooxml.Lexer, start ooxml.Token) error { return c.readCells(t, l) }})
	if err != nil {
		return err
	}
	t.root = root
	for _, n := range t.root.Find("mergeCell") {
		if a, ok := ooxml.ParseArea(n.Get("ref")); ok {
			for k := a.Col; a.Col < a.LastCol && k <= min(a.LastCol, a.Col+1000); k++ {
				t.over[k] = append(t.over[k], a)
			}
		}
	}
	for _, n := range t.root.Kid("cols").Find("col") {
		if isTrue(n.Get("hidden")) || n.Get("width") == "0" {
			first, _ := strconv.Atoi(n.Get("min"))
			last, _ := strconv.Atoi(n.Get("max"))
			t.hiddenCols = append(t.hiddenCols, ooxml.Area{Col: first, LastCol: last})
		}
	}
	rels, err := c.p.Relations(t.part)
	if err != nil {
		return err
	}
	for _, r := range rels {
		if r.Type != "table" || !c.p.Has(r.Target) {
			continue
		}
		root, err := c.p.Parse(r.Target)
		if err != nil {
			return err
		}
		area, ok := ooxml.ParseArea(root.Get("ref"))
		if !ok {
			return i18n.Errorf("part %s: a table without a place", r.Target)
		}
		l := &listTable{part: r.Target, name: root.Get("displayName"), tab: t, area: area, heads: 1, root: root}
		if root.Get("headerRowCount") == "0" {
			l.heads = 0
		}
		l.totals, _ = strconv.Atoi(root.Get("totalsRowCount"))
		for _, n := range root.Kid("tableColumns").Find("tableColumn") {
			l.columns = append(l.columns, n.Get("name"))
		}
		t.tables = append(t.tables, l)
	}
	return nil
}

// readCells reads the content of sheetData.
func (c *copying) readCells(t *tab, l *ooxml.Lexer) error {
	row, col, depth := 0, 0, 1
	for depth > 0 {
		tok, err := l.Next()
		if err != nil {
			return err
		}
		switch tok.Kind {
		case ooxml.End:
			depth--
		case ooxml.Comment:
			t.remarks = append(t.remarks, ooxml.Text{From: tok.From, To: tok.To, S: tok.Text})
		case ooxml.Start:
			switch ooxml.Local(tok.Name) {
			case "row":
				next := row + 1
				for _, a := range tok.Attrs {
					switch a.Name {
					case "r":
						if next, err = strconv.Atoi(a.Value); err != nil || next <= row || next > maxRows {
							return errOrder
						}
					case "hidden", "zeroHeight":
						if isTrue(a.Value) {
							t.hiddenRows[next] = true
						}
					case "ht":
						if a.Value == "0" {
							t.hiddenRows[next] = true
						}
					}
				}
				row, col = next, 0
			case "c":
				if row == 0 || depth != 2 {
					return errOrder
				}
				if tok.Empty && nowhere(attributeOf(tok, "r")) {
					break
				}
				s := spot{row: int32(row), from: tok.From, to: tok.To, name: tok.Name, word: -1}
				next := col + 1
				for _, a := range tok.Attrs {
					switch a.Name {
					case "r":
						r, k, ok := ooxml.Cell(a.Value)
						if !ok || r != row || k <= col {
							return errOrder
						}
						next, s.placed = k, true
					case "t":
						s.kind = a.Value
					case "s":
						at := a
						s.style, s.styleAt = a.Value, &at
					case "cm":
						e := a.Delete()
						s.cm = &e
					case "vm":
						s.meta = true
					}
				}
				if col = next; col > maxColumns {
					return errOrder
				}
				s.col = int32(col)
				if !tok.Empty {
					if err := c.readCell(t, l, &s); err != nil {
						return err
					}
				}
				if budget.Cells.Passed(len(t.cells)) {
					return i18n.New("too many cells")
				}
				if s.calc != nil {
					t.formulas = append(t.formulas, int32(len(t.cells)))
				}
				if s.text != "" || s.calc != nil {
					t.columns[s.col] = append(t.columns[s.col], int32(len(t.cells)))
				}
				t.cells = append(t.cells, s)
				continue
			}
			if !tok.Empty {
				depth++
			}
		}
	}
	return nil
}

// readCell reads the content of a cell.
func (c *copying) readCell(t *tab, l *ooxml.Lexer, s *spot) error {
	var path []string
	var value, inline strings.Builder
	raised := false
	for {
		tok, err := l.Next()
		if err != nil {
			return err
		}
		in := func(name string) bool { return slices.Contains(path, name) }
		switch tok.Kind {
		case ooxml.Comment:
			t.remarks = append(t.remarks, ooxml.Text{From: tok.From, To: tok.To, S: tok.Text})
		case ooxml.Start:
			local := ooxml.Local(tok.Name)
			if local == "f" && len(path) == 0 {
				if s.calc != nil {
					return errOrder
				}
				s.calc = &calc{from: tok.From, to: tok.To}
				if err := c.readFormula(t, s, tok.Attrs); err != nil {
					return err
				}
			}
			if local == "v" && len(path) == 0 {
				s.valued = true
			}
			switch local {
			case "r":
				raised = false
			case "vertAlign":
				raised = slices.ContainsFunc(tok.Attrs, func(a ooxml.Attr) bool { return a.Name == "val" && a.Value == "superscript" })
			}
			if !tok.Empty {
				path = append(path, local)
			}
		case ooxml.Chars:
			switch {
			case len(path) == 1 && path[0] == "v":
				value.WriteString(tok.Text)
			case len(path) == 1 && path[0] == "f":
				s.calc.text += tok.Text
			case in("is") && in("t"):
				s.valued = true
				s.texts = append(s.texts, ooxml.Text{From: tok.From, To: tok.To, S: tok.Text})
				if !in("rPh") {
					inline.WriteString(shownAs(tok.Text, raised))
				}
			}
		case ooxml.End:
			if len(path) > 0 {
				if len(path) == 1 && path[0] == "f" {
					s.calc.to = tok.To
				}
				path = path[:len(path)-1]
				continue
			}
			s.to = tok.To
			return c.readValue(t, s, value.String(), inline.String())
		}
	}
}

// readValue sets the text and number of a cell.
func (c *copying) readValue(t *tab, s *spot, value, inline string) error {
	switch s.kind {
	case "s":
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < 0 || n >= len(c.words.text) {
			return errDamaged
		}
		s.word, s.text = n, c.words.text[n]
	case "inlineStr":
		s.text = unescape(inline)
	case "str":
		s.text = unescape(value)
	case "", "n":
		s.text, s.number = strings.TrimSpace(value), value != ""
		s.canon, _ = ooxml.Canon(s.text)
	default:
		s.text = value
	}
	if !s.number && s.text != "" && len(s.text) < 64 {
		s.canon = wholeNumber(s.text)
	}
	if s.calc != nil {
		c.finishFormula(t, s)
	}
	return nil
}

// wholeNumber returns the canonical form of a text that is just a number, else "".
func wholeNumber(text string) string {
	trimmed := strings.Trim(text, " \u3000\u00a0+-−▲△()（）\"'\t\r\n")
	if trimmed == "" {
		return ""
	}
	canon := ""
	ooxml.Numbers(trimmed, func(n ooxml.Number) {
		if canon == "" && n.From == 0 && n.To == len(trimmed) {
			canon = n.Canon
		}
	})
	return canon
}

// readFormula reads the attributes of a formula.
func (c *copying) readFormula(t *tab, s *spot, attrs []ooxml.Attr) error {
	f := s.calc
	kind, group, ref := "", -1, ""
	var inputs []string
	for _, a := range attrs {
		switch a.Name {
		case "t":
			kind = a.Value
		case "si":
			var err error
			if group, err = strconv.Atoi(a.Value); err != nil {
				return errOrder
			}
		case "ref":
			ref = a.Value
		case "r1", "r2":
			inputs = append(inputs, a.Value)
		}
	}
	switch kind {
	case "shared":
		f.shared, f.group = true, group
		if f.follows = ref == ""; !f.follows {
			t.groups[group] = master{f, int(s.row), int(s.col)}
		}
	case "dataTable":
		for _, r := range inputs {
			if a, ok := ooxml.ParseArea(r); ok {
				f.refs = append(f.refs, ooxml.Ref{Area: a})
			}
		}
		if a, ok := ooxml.ParseArea(ref); ok { // a data table also uses the formulas beside and above it
			f.refs = append(f.refs, ooxml.Ref{Area: ooxml.Area{Row: max(1, a.Row-1), Col: max(1, a.Col-1), LastRow: max(1, a.Row-1), LastCol: a.LastCol}},
				ooxml.Ref{Area: ooxml.Area{Row: a.Row, Col: max(1, a.Col-1), LastRow: a.LastRow, LastCol: max(1, a.Col-1)}})
		}
		f.spread(t, s, ref)
	case "array":
		f.spread(t, s, ref)
	}
	return nil
}

// spread records that a formula also fills other cells.
func (f *calc) spread(t *tab, s *spot, ref string) {
	if a, ok := ooxml.ParseArea(ref); ok && (a.Row != a.LastRow || a.Col != a.LastCol) {
		t.spreads = append(t.spreads, spreading{a, int(s.row), int(s.col)})
	}
}

// A spreading is an area that the formula of one cell fills.
type spreading struct {
	area     ooxml.Area
	row, col int
}

// finishFormula parses the text of a formula.
func (c *copying) finishFormula(t *tab, s *spot) {
	f := s.calc
	if first := t.groups[f.group]; f.follows && first.f != nil && first.f.formula != nil {
		f.formula = first.f.formula
		refs, ok := f.formula.Shift(int(s.row)-first.row, int(s.col)-first.col)
		f.refs, f.opaque = refs, !ok || f.formula.Opaque
		return
	}
	f.formula = ooxml.ParseFormula(f.text)
	f.refs = append(f.refs, f.formula.Refs...)
	f.opaque = f.opaque || f.formula.Opaque || f.follows
}

// prefix returns the namespace prefix of an element's name, with its colon.
func prefix(name string) string { return name[:len(name)-len(ooxml.Local(name))] }
