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

// A Place is a cell of a workbook: the name of its sheet and its address, as B7.
type Place struct{ Sheet, Ref string }

func (p Place) String() string { return p.Sheet + "!" + p.Ref }

// A WithheldCell is a cell whose value a copy must not tell.
type WithheldCell struct {
	Place
	Value  string   // a decimal number, as it was read; "" where the workbook tells none. Copy reports where the workbook holds another
	Text   string   // as which it stands there, if more than the number, like one with the mark of a footnote
	Mark   string   // stands in the cell instead of the mark of all; empty: that
	Told   []string // other numbers that tell it in texts with its labels, like a sum with another
	Labels []string // what the table calls the cell, a code or label for each dimension; empty: the texts beside and above it
}

// A DerivedCell is a cell in no table that tells about others, as a share does.
type DerivedCell struct {
	Place
	Of []Place // where one of these is withheld, it is, too
}

// CopyOptions say how a copy is made.
type CopyOptions struct {
	Mark      string  // stands in withheld cells; may be empty
	Published []Place // the other cells of the tables protected: their values are published, whatever they are computed from
	Derived   []DerivedCell
	Copies    []DerivedCell // cells that repeat one of others, as far as labels do not tell it
	Drop      bool          // leave out what cannot be searched, rather than refuse the workbook: pictures, embedded objects, macros
	Texts     []string      // outside the cells, as Texts has them, whose numbers go, too
	Keep      []string      // parts that cannot be searched and stay, because somebody has looked at them
}

// A Change is what a copy changed beyond the cells withheld, or what somebody has to look at.
type change struct {
	Where i18n.Text // 表１!B4, xl/charts/chart1.xml, a name
	What  i18n.Text // what was done with it
	Why   i18n.Text
	Look  bool // nothing was done: a number there may be a withheld one, or a coincidence
}

// Message says so.
func (c change) Message() i18n.Text {
	if c.Why.IsZero() {
		return i18n.T("%s: %s", c.Where, c.What)
	}
	return i18n.T("%s: %s: %s", c.Where, c.What, c.Why)
}

// A refusedError is a workbook with something in it that cannot be made safe.
type refusedError struct {
	Part string
	What i18n.Text // what it is, and what to do
	Drop bool      // CopyOptions.Drop leaves it out
}

func (e *refusedError) Error() string { return e.Message().String() }

func (e *refusedError) Message() i18n.Text {
	return i18n.T("%s: %s", e.Part, e.What)
}

// withhold does what Copy says. Its error is a *refusedError, several joined, or about reading src.
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

// A copying is a workbook of which a copy is made.
type copying struct {
	p       *ooxml.Package
	o       CopyOptions
	main    string
	book    *ooxml.Node // root of the main part
	tabs    []*tab
	tabOf   map[string]*tab // keyed by the folded name of the sheet
	byPart  map[string]*tab // keyed by the folded name of the part
	words   *words
	names   []*copyName
	nameOf  map[string][]*copyName // keyed by the folded name
	lists   []*listTable           // lists of all sheets
	secrets secrets
	looks   int
	steps   int // steps through formulas that may still be taken

	copyCells
	copyParts
	changes []change
	frozen  int // formulas that became values
}

// copyCells are the cells that the copy is about.
type copyCells struct {
	published map[spotID]bool
	table     map[spotID]bool // published and withheld cells
	masked    map[spotID]*mask
	blanked   map[spotID]bool // masked, but no cells of the table: nobody says what they hold
	order     []spotID        // masked in order
}

// copyParts are the parts and what is changed in them.
type copyParts struct {
	roots map[string]*ooxml.Node // parsed
	edits map[string][]ooxml.Edit
	cuts  map[*ooxml.Node]bool
	cutIn map[string][]*ooxml.Node // nodes cut out of each part
	gone  map[string]bool          // parts to be left out, by folded name
}

// A spotID is a cell: the number of its tab, row and column.
type spotID struct{ tab, row, col int32 }

// A mask is why a cell does not keep its value.
type mask struct {
	why   i18n.Text
	empty bool   // without a mark
	of    int    // the withheld cell whose value it repeats, −1 for none
	mark  string // its own; empty: that of all
}

var errOrder = i18n.New("cells that are not in order")

func (c *copying) edit(part string, e ...ooxml.Edit) { c.edits[part] = append(c.edits[part], e...) }

// say notes what was done; where is data or a message.
func (c *copying) say(where any, what, why i18n.Text) {
	c.changes = append(c.changes, change{Where: i18n.T("%s", where).Changed(c.quiet), What: what, Why: why.Changed(c.quiet)})
}

// quiet takes withheld numbers out of what is said, which names of sheets, names and properties may have.
func (c *copying) quiet(s string) string {
	all := slices.DeleteFunc(c.secrets.namings(s, inOffice), func(n naming) bool { return !n.sure })
	for k := len(all) - 1; k >= 0; k-- {
		s = s[:all[k].from] + "…" + s[all[k].to:]
	}
	return s
}

// maxLooks bounds the list of what somebody has to look at.
const maxLooks = 50

func (c *copying) look(where any, what i18n.Text) {
	if c.looks++; c.looks <= maxLooks {
		c.changes = append(c.changes, change{Where: i18n.T("%s", where).Changed(c.quiet), What: what.Changed(c.quiet), Look: true})
	}
}

func (c *copying) where(id spotID) string {
	return c.tabs[id.tab].name + "!" + ooxml.CellName(int(id.row), int(id.col))
}

// find finds a cell that a caller names.
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

// withhold does all the work up to writing.
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
		if s != nil && held == "" && w.Value == "" { // taken out, and a mark may stand behind the number
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
		c.mirrors()
	}
	c.dropNames() // somebody may say which go where no cell does
	if len(cells) > 0 {
		c.follow()
		for _, id := range c.order { // values derived from it are told by other places, too
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

// lookAtHidden names the hidden sheets that stay: what the cells are made of may stand there with no formula that says so.
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

// hide masks a cell that is no cell of the table that was withheld by the caller, unless it is published.
func (c *copying) hide(id spotID, m mask) {
	if c.published[id] || c.masked[id] != nil {
		return
	}
	c.masked[id] = &m
	c.order = append(c.order, id)
}

// derive masks a cell derived from a withheld one.
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
