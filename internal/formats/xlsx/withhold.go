package xlsx

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats/ods"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/ooxml"
)

// A Place is a cell of a workbook: the name of its sheet and its address, such as B7.
type Place struct{ Sheet, Ref string }

func (p Place) String() string { return p.Sheet + "!" + p.Ref }

// A WithheldCell is a cell whose value a copy must not tell.
type WithheldCell struct {
	Place
	// Value is the decimal number that was read; "" if the workbook tells none. Copy fails if the workbook has another
	// number.
	Value  string
	Text   string   // the text of the cell, if it is more than the number, as with a footnote mark
	Mark   string   // replaces the common mark in this cell; empty: the common mark
	Told   []string // other numbers that tell the value in texts with its labels, such as its sum with another
	Labels []string // the code or label of the cell in each dimension; empty: the texts beside and above it
}

// A DerivedCell is a cell outside the tables that tells about cells of them, as a share does.
type DerivedCell struct {
	Place
	Of []Place // if one of these is withheld, so is the cell
}

// CopyOptions say how a copy is made.
type CopyOptions struct {
	Mark string // is written to withheld cells; may be empty
	// Published are the other cells of the protected tables. Their values are published, whatever they are
	// computed from.
	Published []Place
	Derived   []DerivedCell
	Copies    []DerivedCell // cells that repeat one of their Of, where labels do not tell that
	Explained []Place       // cells whose numbers follow from published ones, so that they repeat no other cell
	// Drop says to remove what cannot be searched (pictures, embedded objects, macros) rather than refuse the workbook.
	Drop  bool
	Texts []string // texts outside the cells, as returned by Texts, whose numbers are all to be removed
	Keep  []string // parts that cannot be searched but are kept, because somebody has looked at them
}

// A change is something that the copy changed beyond the withheld cells, or that somebody has to look at.
type change struct {
	Where i18n.Text // 表１!B4, xl/charts/chart1.xml, a name
	What  i18n.Text // what was done there
	Why   i18n.Text
	Look  bool // nothing was done: a number there is a withheld one, or the same by coincidence
}

// Message describes the change.
func (c change) Message() i18n.Text {
	if c.Why.IsZero() {
		return i18n.T("%s: %s", c.Where, c.What)
	}
	return i18n.T("%s: %s: %s", c.Where, c.What, c.Why)
}

// A refusedError is returned for a workbook with something in it that cannot be made safe.
type refusedError struct {
	Part string
	What i18n.Text // what it is and what to do
	Drop bool      // CopyOptions.Drop would remove it
}

func (e *refusedError) Error() string { return e.Message().String() }

func (e *refusedError) Message() i18n.Text {
	return i18n.T("%s: %s", e.Part, e.What)
}

// withhold does what Copy describes. Its error is a *refusedError, several of these joined, or an error in
// reading src.
func withhold(dst io.Writer, src []byte, cells []WithheldCell, o CopyOptions) ([]change, error) {
	if ods.Is(src) {
		f, err := ods.Open(src)
		if err != nil {
			return nil, err
		}
		var book bytes.Buffer
		changes, err := withhold(&book, f.Book, cells, o)
		if err != nil {
			return nil, err
		}
		return changes, f.Copy(dst, book.Bytes())
	}
	c, err := newCopying(src, o)
	if err != nil {
		return nil, err
	}
	if err := c.withhold(cells); err != nil {
		return nil, err
	}
	slices.SortStableFunc(c.changes, func(a, b change) int { return boolInt(a.Look) - boolInt(b.Look) })
	return c.changes, c.p.Write(dst)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// A copying is the copy of a workbook that is being made.
type copying struct {
	p       *ooxml.Package
	o       CopyOptions
	main    string
	book    *ooxml.Node // root of the workbook part
	tabs    []*tab
	tabOf   map[string]*tab // by folded name of the sheet
	byPart  map[string]*tab // by folded name of the part
	words   *words
	names   []*copyName
	nameOf  map[string][]*copyName // by folded name
	lists   []*listTable           // tables of all sheets
	secrets secrets
	looks   int
	steps   int // steps through formulas that may still be taken

	copyCells
	copyParts
	changes []change
	frozen  int // number of formulas replaced by their values
}

// copyCells are the cells that the copy has to treat specially.
type copyCells struct {
	published map[spotID]bool
	table     map[spotID]bool // cells of the tables, published and withheld
	masked    map[spotID]*mask
	// blanked are masked cells of which the caller gives neither value nor labels, so that they belong to no table.
	blanked map[spotID]bool
	order   []spotID // the masked cells in the order of masking
}

// copyParts are the parts and their changes.
type copyParts struct {
	roots map[string]*ooxml.Node // parts that have been parsed
	edits map[string][]ooxml.Edit
	cuts  map[*ooxml.Node]bool
	cutIn map[string][]*ooxml.Node // nodes cut out of each part
	gone  map[string]bool          // parts to be removed, by folded name
}

// A spotID identifies a cell by the number of its tab, its row and its column.
type spotID struct{ tab, row, col int32 }

// A mask says that a cell does not keep its value, and why.
type mask struct {
	why   i18n.Text
	empty bool   // the cell is emptied instead of getting a mark
	of    int    // number of the withheld cell whose value it repeats, −1 if there is none
	mark  string // its own mark; empty: the common mark
}

var errOrder = i18n.New("cells that are not in order")

func (c *copying) edit(part string, e ...ooxml.Edit) { c.edits[part] = append(c.edits[part], e...) }

// say records what was done; where is data or a message.
func (c *copying) say(where any, what, why i18n.Text) {
	c.changes = append(c.changes, change{Where: i18n.T("%s", where).Changed(c.quiet), What: what, Why: why.Changed(c.quiet)})
}

// quiet removes withheld numbers from a message, which may contain names of sheets, defined names and
// properties.
func (c *copying) quiet(s string) string {
	all := slices.DeleteFunc(c.secrets.namings(s, inOffice), func(n naming) bool { return !n.sure })
	for k := len(all) - 1; k >= 0; k-- {
		s = s[:all[k].from] + "…" + s[all[k].to:]
	}
	return s
}

// maxLooks is the largest number of places listed that somebody has to look at.
const maxLooks = 50

func (c *copying) look(where any, what i18n.Text) {
	if c.looks++; c.looks <= maxLooks {
		c.changes = append(c.changes, change{Where: i18n.T("%s", where).Changed(c.quiet), What: what.Changed(c.quiet), Look: true})
	}
}

func (c *copying) where(id spotID) string {
	return c.tabs[id.tab].name + "!" + ooxml.CellName(int(id.row), int(id.col))
}

// find returns the cell at a place that the caller gives.
func (c *copying) find(p Place) (spotID, *spot, error) {
	t := c.tabOf[foldSheet(p.Sheet)]
	if t == nil || t.part == "" {
		return spotID{}, nil, i18n.Errorf("%s: the workbook has no such sheet of cells", p)
	}
	row, col, ok := ooxml.Cell(strings.ReplaceAll(p.Ref, "$", ""))
	if !ok {
		return spotID{}, nil, i18n.Errorf("%s: not the address of a cell", p)
	}
	return spotID{int32(t.number), int32(row), int32(col)}, t.at(row, col), nil
}

// withhold does everything except writing.
func (c *copying) withhold(cells []WithheldCell) error {
	for _, p := range c.o.Published {
		id, _, err := c.find(p)
		if err != nil {
			return err
		}
		c.published[id], c.table[id] = true, true
	}
	var ids []spotID
	for _, w := range cells {
		id, s, err := c.find(w.Place)
		if err != nil {
			return err
		}
		if c.published[id] {
			return i18n.Errorf("%s is both withheld and published", w.Place)
		}
		given, _ := ooxml.Canon(w.Value)
		held := ""
		if s != nil {
			held = s.canon
		}
		if s != nil && held == "" && w.Value == "" { // the number may be followed by a mark
			text := strings.TrimSpace(s.text)
			held, _ = ooxml.Canon(text[:len(text)-len(strings.TrimLeft(text, "0123456789.,"))])
		}
		switch {
		case given == "" && w.Value != "":
			return i18n.Errorf("%s: %s: not a number", w.Place, w.Value)
		case given != "" && held != given && s != nil && w.Text != "" && strings.TrimSpace(s.text) == strings.TrimSpace(w.Text):
			held = given
		case given != "" && held != given:
			return i18n.Errorf("%s does not hold the number that was read there: the file has changed, or the address is wrong", w.Place)
		}
		if _, twice := c.masked[id]; twice {
			return i18n.Errorf("%s is withheld twice", w.Place)
		}
		c.table[id] = true
		c.masked[id] = &mask{of: len(ids), mark: w.Mark}
		c.blanked[id] = w.Value == "" && w.Labels == nil
		ids = append(ids, id)
		c.order = append(c.order, id)
		c.secrets.add(c, id, held, w.Labels, w.Told...)
	}
	if len(cells) > 0 {
		if err := c.sources(ids); err != nil {
			return err
		}
		for _, d := range c.o.Derived {
			if err := c.derive(d); err != nil {
				return err
			}
		}
		explained := map[spotID]bool{}
		for _, p := range c.o.Explained {
			if id, _, err := c.find(p); err == nil {
				explained[id] = true
			}
		}
		c.mirrors(explained)
	}
	c.dropNames() // also without cells, as CopyOptions may name some
	if len(cells) > 0 {
		c.follow()
		for _, id := range c.order { // other places may repeat values that are computed from withheld ones
			if m := c.masked[id]; m.of < 0 && !m.empty {
				if s := c.tabs[id.tab].at(int(id.row), int(id.col)); s != nil && s.canon != "" {
					m.of = len(c.secrets.cells)
					c.secrets.add(c, id, s.canon, nil)
				}
			}
		}
	}
	if err := c.parts(); err != nil {
		return err
	}
	if err := c.sheets(); err != nil {
		return err
	}
	if len(cells) > 0 {
		c.lookAtHidden()
	}
	if c.looks > maxLooks {
		c.changes = append(c.changes, change{Where: i18n.T("the workbook"), What: i18n.T("%d more places name a number that is withheld somewhere", c.looks-maxLooks), Look: true})
	}
	return c.finish()
}

// lookAtHidden lists the hidden sheets that are kept: the data behind the cells may be there without a formula
// that shows it.
func (c *copying) lookAtHidden() {
	for _, t := range c.tabs {
		numbers := 0
		for n := range t.cells {
			if s := &t.cells[n]; s.number && c.masked[t.id(s)] == nil {
				numbers++
			}
		}
		if t.hidden && numbers > 0 {
			c.look(i18n.T("sheet %s", t.name), i18n.T("hidden, and stays with %s", plural(numbers, "one number", "%d numbers")))
		}
	}
}

// hide masks a cell that the caller has not withheld, unless it is published.
func (c *copying) hide(id spotID, m mask) {
	if c.published[id] || c.masked[id] != nil {
		return
	}
	c.masked[id] = &m
	c.order = append(c.order, id)
}

// derive masks a derived cell if one of its Of is masked.
func (c *copying) derive(d DerivedCell) error {
	id, s, err := c.find(d.Place)
	if err != nil || s == nil {
		return err
	}
	for _, p := range d.Of {
		of, _, err := c.find(p)
		if err != nil {
			return err
		}
		if c.masked[of] != nil {
			c.hide(id, mask{why: i18n.T("derived from %s", p), of: -1})
			return nil
		}
	}
	return nil
}
