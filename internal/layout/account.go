package layout

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/internal/sets"
)

// standalone matches a text that is a number by itself, whatever its marks: a sign or triangle, brackets, a letter or
// note before it, a per cent sign, a unit or notes of a few characters behind it.
var standalone = lazy.Regexp(`^[(（\[]?(?:[▲△−‐‑‒–—―－+\-]|[prePRE]?\s?)\s*[$€£¥]?[.,]?[0-9０-９](?:[0-9０-９.,．，'’\s\x{a0}\x{202f}]*[0-9０-９])?\s*[^0-9０-９\s]{0,4}(?:\s*[(（\[注]?[0-9０-９]{1,2}[)）\]/])?$`)

// figure matches a mark that begins like a number: a number with a note that nobody explains.
var figure = lazy.Regexp(`^[^\pL\pN]*(?:[prePRE]\s?)?[0-9０-９]`)

// year matches a number that heads a column or a block.
var year = lazy.Regexp(`^(?:1[89]|20)[0-9][0-9](?:\.0+)?\D?$`)

// dated matches a day, or the number of a page between dashes.
var dated = lazy.Regexp(`^(?:[0-9]{1,2}[./\-][0-9]{1,2}[./\-](?:[0-9]{2}|[0-9]{4})|(?:1[89]|20)[0-9]{2}[./\-][0-9]{1,2}(?:[./\-][0-9]{1,2})?|[-–—]\s?[0-9]{1,4}\s?[-–—])$`)

// mostNamed is how many addresses a message names at most.
const mostNamed = 12

// An Account says of every number of a file what it is.
type Account struct {
	Numbers int
	Roles   []Role   // in the order in which they are found, values first
	Unknown []string // addresses of numbers without a role: a copy would keep them, whatever is withheld
	copies  []copyOf
	notes   []noteOf
	fields  []fieldAt // those of the unknown numbers that stand in the grids
	beside  []string  // addresses of the unknown numbers beside the cells of a workbook
}

// A noteOf is a number in running text that may be the value of a cell, as the text has labels of the cell.
type noteOf struct {
	at     address
	text   string
	number string
	of     []string // where such cells stand
}

// A copyOf is a number of a sheet that repeats the table, and the fields that it may be the copy of.
type copyOf struct {
	at fieldAt
	of []fieldAt
}

// A Role is what some numbers of a file are, and where these stand.
type Role struct {
	What string
	Refs []string
}

// Roles of numbers, apart from those that say how derived numbers are computed.
const (
	asValue  = "values"
	asLabel  = "labels"
	asPeriod = "periods"
	asNote   = "in texts"
	asResult = "results of formulas"
	asCopy   = "repeated on other sheets"
	asBlank  = "to be blanked"
	asCount  = "contributors"
	asPoint  = "points of charts"
)

func (a *Account) add(what, ref string) {
	a.Numbers++
	k := slices.IndexFunc(a.Roles, func(r Role) bool { return r.What == what })
	if k < 0 {
		k = len(a.Roles)
		a.Roles = append(a.Roles, Role{What: what})
	}
	a.Roles[k].Refs = append(a.Roles[k].Refs, ref)
}

func (a *Account) unknown(ref string) {
	a.Numbers++
	a.Unknown = append(a.Unknown, ref)
}

// Words returns the account in one line.
func (a *Account) Words() i18n.Text {
	var roles i18n.List
	for _, r := range a.Roles {
		roles.Items = append(roles.Items, i18n.T("%d %s", len(r.Refs), i18n.Term(r.What)))
	}
	s := some(a.Numbers, "1 number", "%d numbers").Plus(": %s", roles)
	if len(a.Unknown) == 0 {
		return s.Plus("; none unknown")
	}
	return s.Plus("; %d unknown: %s", len(a.Unknown), a.named())
}

// mostFields bounds the unknown numbers for which areas looks for rectangles, mostAreas the rectangles that it returns.
const (
	mostFields = 1 << 10
	mostAreas  = 40
)

// areas returns rectangles that hold all unknown numbers and no known ones, and the texts beside the cells of a
// workbook; nil where there are too many.
func (s *Source) areas(a *Account) (refs []string) {
	if len(a.fields)+len(a.beside) < len(a.Unknown) || len(a.fields) > mostFields {
		return nil
	}
	open := sets.Of(a.fields)
	computed := map[address]bool{} // they may be taken out as well, as nobody needs them
	for _, t := range s.Reading.Tables {
		for i := range t.Derived {
			computed[address{nameOfSheet(t.Derived[i].Sheet), t.Derived[i].Ref}] = true
		}
	}
	for _, g := range s.grids {
		var areas []Rect
		for _, f := range a.fields {
			if f.sheet != g.Sheet {
				continue
			}
			k := slices.IndexFunc(areas, func(x Rect) bool {
				// parts of a shared field have one address in the file, so a rectangle would take all of them
				if x = x.with(f.r, f.c); x.Left < x.Right && g.origin(x.Left).share {
					return false
				}
				for r := x.Top; r <= x.Bottom; r++ {
					for c := x.Left; c <= x.Right; c++ {
						if at := g.At(r, c); (at.Number || hasDigit(at.Text)) && !open[fieldAt{g.Sheet, r, c}] && !computed[address{g.Sheet, g.ref(r, c)}] {
							return false
						}
					}
				}
				return true
			})
			if k < 0 {
				areas = append(areas, Rect{f.r, f.c, f.r, f.c})
			} else {
				areas[k] = areas[k].with(f.r, f.c)
			}
			if len(refs)+len(areas) > mostAreas {
				return nil
			}
		}
		for _, x := range areas {
			ref := g.span(x)
			if x.Top == x.Bottom && x.Left == x.Right {
				ref = g.ref(x.Top, x.Left)
			}
			refs = append(refs, address{g.Sheet, ref}.String())
		}
	}
	for _, where := range a.beside {
		if !slices.Contains(refs, where) {
			refs = append(refs, where)
		}
	}
	return refs
}

// with returns the smallest rectangle that contains x and a field.
func (x Rect) with(r, c int) Rect {
	return Rect{min(x.Top, r), min(x.Left, c), max(x.Bottom, r), max(x.Right, c)}
}

// named returns the addresses of the first unknown numbers, and how many more there are.
func (a *Account) named() i18n.Text {
	where := i18n.T("%s", strings.Join(a.Unknown[:min(mostNamed, len(a.Unknown))], ", "))
	if n := len(a.Unknown) - mostNamed; n > 0 {
		where = where.Plus(" and %d more", n)
	}
	return where
}

func nameOfSheet(sheet *string) string {
	if sheet == nil {
		return ""
	}
	return *sheet
}

// hasNumber reports whether a row has a number.
func (g *Grid) hasNumber(r int) bool {
	return slices.ContainsFunc(g.Rows[r], func(f Field) bool { return f.Number })
}

func hasDigit(s string) bool { return strings.ContainsFunc(s, unicode.IsDigit) }

// isNumber reports whether a field holds a number, in whatever spelling.
func (f *Field) isNumber() bool {
	return f.Number || standalone().MatchString(strings.TrimSpace(f.Text))
}

// An address is where a field stands, as messages have it.
type address struct{ sheet, ref string }

func (a address) String() string {
	if a.sheet != "" {
		return a.sheet + "!" + a.ref
	}
	return a.ref
}

// An accountant finds the roles of the numbers in a file from what was read of it.
type accountant struct {
	s       *Source
	a       Account
	known   map[address]string // roles of the cells and of what is computed from them
	apart   map[address]bool   // cells of other tables
	told    []*Table
	byValue map[string][]toldCell
	digits  []string        // labels with digits and more, which are no numbers where a text has them
	rounded bool            // in texts, look only for numbers that round to a value, not for the value itself
	tens    bool            // all values are multiples of ten
	place   address         // where the text stands that is looked at
	marks   map[string]bool // the marks of withheld cells
}

// A toldCell is a cell as a text may tell it: with its labels, but for those of totals.
type toldCell struct {
	labels []string
	ref    string
	value  float64
}

// Account finds the role of every number of the file, by all tables of the reading or, where t is not nil, by t alone.
// The cells of other tables are unknown then.
func (s *Source) Account(t *Table) *Account {
	k := &accountant{s: s, a: Account{Roles: []Role{{What: asValue}}}, known: map[address]string{}, apart: map[address]bool{}, marks: map[string]bool{}}
	for _, of := range s.Reading.Tables {
		for i := range of.Cells {
			c := &of.Cells[i]
			at := address{nameOfSheet(c.Sheet), c.Ref}
			if c.Mark != nil && c.Means == Suppressed {
				k.marks[*c.Mark] = true
			}
			if t != nil && !t.has(of) || c.figure() {
				k.apart[at] = true
				continue
			}
			k.known[at] = asValue
			if c.MarkRef != "" {
				k.known[address{at.sheet, c.MarkRef}] = asValue
			}
		}
		if t == nil || t.has(of) {
			k.told = append(k.told, of)
			for i := range of.Derived {
				k.known[address{nameOfSheet(of.Derived[i].Sheet), of.Derived[i].Ref}] = of.Derived[i].How
			}
		}
	}
	for at := range s.others {
		if k.known[at] == "" {
			k.apart[at] = true
		}
	}
	if s.cube != nil { // a cube has no fields apart from its data
		for _, at := range slices.SortedFunc(maps.Keys(k.known), func(a, b address) int { return strings.Compare(a.ref, b.ref) }) {
			k.a.add(k.known[at], at.String())
		}
		for _, of := range k.told {
			for _, n := range of.Notes {
				k.prose(n.Text, n.Ref)
			}
		}
		return &k.a
	}
	for _, at := range s.noted {
		k.a.add(asNote, at.String())
	}
	for _, at := range s.blanks {
		k.a.add(asBlank, at.String())
	}
	k.bracketed()
	cells := map[string][]fieldAt{} // where each text stands in the tables
	sheets := map[string]bool{}
	for at := range k.known {
		sheets[at.sheet] = true
	}
	beside := slices.ContainsFunc(s.grids, func(g *Grid) bool { return !sheets[g.Sheet] })
	for _, g := range s.grids {
		for r, row := range g.Rows {
			for c := range row {
				if beside && k.known[address{g.Sheet, g.ref(r, c)}] != "" {
					text := unmarked(&row[c])
					cells[text] = append(cells[text], fieldAt{g.Sheet, r, c})
				}
			}
		}
	}
	for _, g := range s.grids {
		var copied map[[2]int][]fieldAt
		whole := false
		if !sheets[g.Sheet] && !k.contents(g) {
			if copied = repeats(g, cells); copied == nil {
				copied = k.listed(g)
			} else {
				whole = true
			}
		}
		for at, of := range copied {
			k.a.copies = append(k.a.copies, copyOf{fieldAt{g.Sheet, at[0], at[1]}, of})
			for c := range g.Rows[at[0]] {
				switch f := g.At(at[0], c); {
				case whole:
				case c == at[1]:
					k.known[address{g.Sheet, g.ref(at[0], c)}] = asCopy
				case hasDigit(f.Text):
					k.known[address{g.Sheet, g.ref(at[0], c)}] = asLabel
				}
			}
		}
		k.grid(g, whole)
	}
	slices.SortFunc(k.a.copies, func(a, b copyOf) int {
		return cmp.Or(strings.Compare(a.at.sheet, b.at.sheet), a.at.r-b.at.r, a.at.c-b.at.c)
	})
	k.around()
	return &k.a
}

// has reports whether of is t or a part of it.
func (t *Table) has(of *Table) bool { return of == t || slices.Contains(t.parts, of) }

// inProse finds numbers and what stands before them. numbered matches what stands before the numbers of tables, notes,
// pages and paragraphs.
var (
	inProse  = lazy.Regexp(`(\pL*[^0-9]?\s*)([0-9]+(?:[.,][0-9]+)*)`)
	numbered = lazy.Regexp(`(?i)^(?:tab(?:le|leau|el|elle|ela|la|ella|lica)?\.?|tavola|cuadro|exhibit|worksheet|figure|fig\.?|no\.?|nr\.?|note|fußnote|page|p\.|s\.|seite|art\.?|article|第|表|図|注|§)\s*$`)
)

// A fieldAt is where a field stands.
type fieldAt struct {
	sheet string
	r, c  int
}

// repeats returns the fields of the tables that the numbers of a sheet repeat, where all of them do at one distance
// down and to the right, or with rows and columns exchanged. Such a sheet is a copy and loses what the table loses. It
// returns nil for any other sheet.
func repeats(g *Grid, cells map[string][]fieldAt) map[[2]int][]fieldAt {
	type field struct {
		at   [2]int
		text string
	}
	var numbers []field
	for r, row := range g.Rows {
		for c := range row {
			if f := &row[c]; f.Number && f.Formula == "" {
				numbers = append(numbers, field{[2]int{r, c}, strings.TrimSpace(f.Text)})
			}
		}
	}
	if len(numbers) == 0 {
		return nil
	}
	var found map[[2]int][]fieldAt
	for _, turned := range []bool{false, true} {
		for _, from := range cells[numbers[0].text] {
			at := func(f field) fieldAt {
				d := [2]int{f.at[0] - numbers[0].at[0], f.at[1] - numbers[0].at[1]}
				if turned {
					d[0], d[1] = d[1], d[0]
				}
				return fieldAt{from.sheet, from.r + d[0], from.c + d[1]}
			}
			if slices.ContainsFunc(numbers, func(f field) bool { return !slices.Contains(cells[f.text], at(f)) }) {
				continue
			}
			if found == nil {
				found = map[[2]int][]fieldAt{}
			}
			for _, f := range numbers {
				found[f.at] = append(found[f.at], at(f))
			}
		}
	}
	return found
}

// contents reports whether the numbers of a sheet do no more than count lines from 1, each with a text of its own behind
// it: they are equal to others by chance, and no more than labels. A single line may repeat a cell, unless its text is
// the name of a sheet.
func (k *accountant) contents(g *Grid) bool {
	n, texts := 0, map[string]bool{}
	for _, row := range g.Rows {
		text, number := "", ""
		for c := range row {
			switch f := &row[c]; {
			case number != "" && text == "" && k.s.sheet(strings.TrimSpace(f.Text)): // a sheet may be called 2023
				text = strings.TrimSpace(f.Text)
			case f.isNumber() && (number != "" || text != ""):
				return false
			case f.isNumber():
				number = fold(f.Text)
			default:
				text += strings.TrimSpace(f.Text)
			}
		}
		if number == "" {
			continue
		}
		if n++; number != strconv.Itoa(n) || text == "" || texts[text] {
			return false
		}
		texts[text] = true
	}
	if n == 0 || n == 1 && !slices.ContainsFunc(k.s.grids, func(of *Grid) bool { return texts[of.Sheet] }) {
		return false
	}
	for r, row := range g.Rows {
		for c := range row {
			if f := &row[c]; f.isNumber() || k.s.sheet(strings.TrimSpace(f.Text)) {
				k.known[address{g.Sheet, g.ref(r, c)}] = asLabel
			}
		}
	}
	return true
}

// sheet reports whether a sheet has that name.
func (s *Source) sheet(name string) bool {
	return slices.ContainsFunc(s.grids, func(g *Grid) bool { return name != "" && g.Sheet == name })
}

// takesOut returns the flags that take the unknown numbers out.
func (s *Source) takesOut(a *Account) string {
	refs := s.areas(a)
	if len(refs) == 0 {
		return "--blank"
	}
	return "--blank " + strings.Join(sets.Each(refs, quoteName), " --blank ")
}

// leftOpen returns a question about a table other than t, as its answer may be why numbers are in no table that is
// read; nil for none.
func (s *Source) leftOpen(t *Table) *AmbiguityError {
	for _, of := range s.Reading.Tables {
		if ask := s.asks(of); !t.has(of) && ask != nil {
			return ask
		}
	}
	return nil
}

// account returns an error where some numbers of the file have no role, or says how many they are where somebody has
// looked at them.
func (s *Source) account(t *Table, o *formats.Options) error {
	a := s.Account(t)
	n := len(a.Unknown)
	switch {
	case n == 0:
	case !s.leave:
		for _, f := range s.shared() {
			if slices.Contains(a.fields, fieldAt{f.g.Sheet, f.r, f.c}) && f.amid() {
				return f.refuse(s.name)
			}
		}
		out := s.takesOut(a)
		if ask := s.leftOpen(t); ask != nil {
			ask.Readings, ask.Options = append(slices.Clone(ask.Readings), i18n.T("%d numbers in no table that is read are taken out", n)), append(slices.Clone(ask.Options), out)
			return ask
		}
		return s.fault("%d numbers of the file are in no table that is read, and may tell what is withheld: %s; if they are computed from others say which (--derived), where the table stands (--range, --header-rows, --sheet), which are numbers of notes (--note), take them out (%s), or, if somebody has looked at them, --leave-aside", n, a.named(), out)
	case o.Say != nil:
		o.Say(i18n.T("%d numbers are left aside, as --leave-aside says, and no verdict covers them: %s", n, a.named()))
	}
	return nil
}
