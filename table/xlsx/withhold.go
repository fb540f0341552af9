package xlsx

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/ooxml"
)

// A Place is a cell of a workbook: the name of its sheet and its address, as B7.
type Place struct{ Sheet, Ref string }

func (p Place) String() string { return p.Sheet + "!" + p.Ref }

// A WithheldCell is a cell whose value a copy must not tell.
type WithheldCell struct {
	Place
	Value  string   // a decimal number, as it was read; "" where the workbook tells none. Withhold reports where the workbook holds another
	Mark   string   // stands in the cell instead of the mark of all; empty: that
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
	Drop      bool     // leave out what cannot be searched, rather than refuse the workbook: pictures, embedded objects, macros
	Keep      []string // parts that cannot be searched and stay, because somebody has looked at them
}

// A Change is what a copy changed beyond the cells withheld, or what somebody has to look at.
type Change struct {
	Where string // 表１!B4, xl/charts/chart1.xml, a name
	What  string // what was done
	Why   string
	Look  bool // nothing was done: a number there may be a withheld one, or a coincidence
}

func (c Change) String() string {
	s := c.Where + ": " + c.What
	if c.Why != "" {
		s += ": " + c.Why
	}
	return s
}

// A RefusedError is a workbook with something in it that cannot be made safe.
type RefusedError struct {
	Part string
	What string // what it is, and what to do
	Drop bool   // CopyOptions.Drop leaves it out
}

func (e *RefusedError) Error() string { return e.Part + ": " + e.What }

// Withhold writes a copy of the workbook src in which cells hold the mark, and nothing tells their values. The
// copy is that workbook: every part that has nothing to hide is copied byte for byte, and in others only the elements that
// change are written anew. Withheld cells keep their style; where it does not say how to align, they are
// aligned to the right, as numbers are.
//
// What is done so that nothing tells a withheld value, told in the changes:
//
//   - Formulas that depend on a cell of the table, directly or through others, become their values. One that depends on a withheld
//     cell without being a published cell of the table (a share, a difference, =B7) gets the mark. So do
//     those computed from there, those whose references cannot be followed (INDIRECT, OFFSET) where they may reach one, and published cells that are computed from
//     one by more than sums, as a mean is.
//   - Cells a withheld cell is computed from, and that are not in the table, get the mark or, in hidden sheets, are
//     emptied; several in a visible sheet refuse the workbook, as they publish what is withheld.
//   - Cells that repeat a withheld value get the mark: those with the same labels; those in a copy of the table, where
//     others agree at the same distance; in hidden sheets, rows and columns every number of three or more digits, and elsewhere of four
//     or more where one of the labels is the same, and of six or more wherever they stand, zeros at the end not counted in these two.
//   - Points in caches of charts go with their cells. Defined names that are a withheld number, rules and lists that name it, comments on a
//     withheld cell that name its number, filters, scenarios and controls on it are left out.
//   - In running text (comments, text boxes, titles, headers and footers, properties, alternative
//     texts, number formats, custom XML) a number that is withheld becomes the mark: of three or more digits where readers do not look, of four or more
//     telling ones elsewhere, of any size where the text also has the labels of the cell. Whole numbers from 1900 to 2100 count as years, and ends of classes
//     in view stay.
//     Numbers are read with separators of thousands, decimal commas, full-width digits, exponents and 万. Smaller ones are in
//     every other sentence: these texts stay, and a change with Look says where.
//   - Left out whole: pivot tables' caches with slicers and timelines (the cells stay), query tables, connections, signatures, previews,
//     revision logs, caches of RTD functions, calculation chains of formulas that went.
//   - Refused, unless Drop or Keep says otherwise: what cannot be searched, as pictures, embedded objects, macros.
//
// Cells with a value in other units or rounded are told if long enough; such forms in text or shorter ones
// (48 thousand), spelt-out numbers and pictures of them are not found.
// The copy is the same for the same input. Time and memory are a small multiple of the unpacked size.
func Withhold(dst io.Writer, src []byte, cells []WithheldCell, o CopyOptions) ([]Change, error) {
	c, err := newCopying(src, o)
	if err != nil {
		return nil, err
	}
	if err := c.withhold(cells); err != nil {
		return nil, err
	}
	slices.SortStableFunc(c.changes, func(a, b Change) int { return boolInt(a.Look) - boolInt(b.Look) })
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
	p         *ooxml.Package
	o         CopyOptions
	main      string
	book      *ooxml.Node // of main
	tabs      []*tab
	tabOf     map[string]*tab // by folded name of the sheet
	byPart    map[string]*tab // by folded name of the part
	words     *words
	names     []*copyName
	nameOf    map[string][]*copyName // by folded name
	lists     []*listTable           // of all sheets
	secrets   secrets
	published map[spotID]bool
	table     map[spotID]bool // published and withheld cells
	masked    map[spotID]*mask
	order     []spotID // of masked
	changes   []Change
	looks     int
	edits     map[string][]ooxml.Edit // by part
	roots     map[string]*ooxml.Node  // parsed parts
	cuts      map[*ooxml.Node]bool
	cutIn     map[string][]*ooxml.Node // by part
	gone      map[string]bool          // parts to be left out, by folded name
	frozen    int                      // formulas that became values
	steps     int                      // of following formulas that may still be taken
}

// A spotID is a cell: the number of its tab, row and column.
type spotID struct{ tab, row, col int32 }

// A mask is why a cell does not keep its value.
type mask struct {
	why   string
	empty bool   // without a mark
	of    int    // the withheld cell whose value it repeats, −1 for none
	mark  string // its own; empty: that of all
}

var errOrder = errors.New("cells that are not in order")

func (c *copying) edit(part string, e ...ooxml.Edit) { c.edits[part] = append(c.edits[part], e...) }

func (c *copying) say(where, what, why string) {
	c.changes = append(c.changes, Change{Where: c.quiet(where), What: what, Why: c.quiet(why)})
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

func (c *copying) look(where, what string) {
	if c.looks++; c.looks <= maxLooks {
		c.changes = append(c.changes, Change{Where: c.quiet(where), What: c.quiet(what), Look: true})
	}
}

func (c *copying) where(id spotID) string {
	return c.tabs[id.tab].name + "!" + ooxml.CellName(int(id.row), int(id.col))
}

// find finds a cell that a caller names.
func (c *copying) find(p Place) (spotID, *spot, error) {
	t := c.tabOf[foldSheet(p.Sheet)]
	if t == nil || t.part == "" {
		return spotID{}, nil, fmt.Errorf("%s: the workbook has no such sheet of cells", p)
	}
	row, col, ok := ooxml.Cell(strings.ReplaceAll(p.Ref, "$", ""))
	if !ok {
		return spotID{}, nil, fmt.Errorf("%s: not the address of a cell", p)
	}
	return spotID{int32(t.number), int32(row), int32(col)}, t.at(row, col), nil
}

// withhold does the work of Withhold up to writing.
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
			return fmt.Errorf("%s is both withheld and published", w.Place)
		}
		given, _ := ooxml.Canon(w.Value)
		held := ""
		if s != nil {
			held = s.canon
		}
		switch {
		case given == "" && w.Value != "":
			return fmt.Errorf("%s: %s: not a number", w.Place, w.Value)
		case given != "" && held != given:
			return fmt.Errorf("%s does not hold the number that was read there: the file has changed, or the address is wrong", w.Place)
		}
		if _, twice := c.masked[id]; twice {
			return fmt.Errorf("%s is withheld twice", w.Place)
		}
		c.table[id] = true
		c.masked[id] = &mask{of: len(ids), mark: w.Mark}
		ids = append(ids, id)
		c.order = append(c.order, id)
		c.secrets.add(c, id, held, w.Labels)
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
		c.dropNames()
		c.follow()
		for _, id := range c.order { // what is derived is told by other places, too
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
		c.changes = append(c.changes, Change{Where: "the workbook", What: fmt.Sprintf("%d more places name a number that is withheld somewhere", c.looks-maxLooks), Look: true})
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
			c.look("sheet "+t.name, "hidden, and stays with "+plural(numbers, "one number", "numbers"))
		}
	}
}

// hide masks a cell that is no cell of the table that was withheld by the caller, unless it is published.
func (c *copying) hide(id spotID, m mask) bool {
	if c.published[id] || c.masked[id] != nil {
		return false
	}
	c.masked[id] = &m
	c.order = append(c.order, id)
	return true
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
			c.hide(id, mask{why: "derived from " + p.String(), of: -1})
			return nil
		}
	}
	return nil
}
