package layout

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/near"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// Format is the name of layouts in formats.Options.From.
const Format formats.Format = "layout"

// A built is a table.Table made of one response of a Table, and the way back from its cells to the file.
type built struct {
	s     *Source
	t     *Table
	table *table.Table
	cell  []int            // by cell of table: the cell of t
	same  map[string][]int // by the codes of the kept dimensions: the cells of all responses
	keys  []string         // by cell of table: its codes in the kept dimensions
	kept  []int            // the dimensions of t that table has
	also  []string         // other responses whose cells are withheld together with those of table
	o     *formats.Options

	changes []fmt.Stringer // in the last copy written
	copied  *Copy          // what became of the numbers in that copy
}

// Input makes the table that the options choose: of several tables the only one that adds up, of several measures
// Response, or the only one that is not a number of contributors. Periods become one table without relations between
// them. Cells keep the file's marks for withheld values. A cell that is not available or impossible is left out of the
// table, unless a sum shows that it contributes.
//
// Of the options it uses Columns (value and freq), Response, Responses, Select, Magnitude, Lower and Upper.
func (s *Source) Input(o formats.Options) (*formats.Input, error) {
	t, err := s.table()
	if err != nil {
		return nil, err
	}
	open := s.account(t, &o)
	if open != nil && !s.values {
		return nil, open
	}
	b := &built{s: s, t: t, o: &o, same: map[string][]int{}}
	if err := b.build(); err != nil {
		return nil, cmp.Or(open, err)
	}
	in := formats.Foreign(&formats.Input{Table: b.table, File: s.name, LeftAside: s.leave}, Format, b)
	if open != nil && b.marked() { // the values are missing, so the other question need not be asked
		if err := Withheld(in); err != nil {
			return nil, err
		}
	}
	if open != nil {
		return nil, open
	}
	return in, nil
}

func (s *Source) fault(format string, args ...any) error {
	return &formats.Error{File: s.name, Want: i18n.T(format, args...)}
}

// table chooses one of the tables of the file.
func (s *Source) table() (*Table, error) {
	all := s.Reading.Tables
	if len(all) == 0 {
		return nil, s.fault("no table was found; hitoku inspect tells what was left aside, --range and --header-rows where one stands")
	}
	for _, t := range all {
		if t.unused != nil {
			return nil, t.unused
		}
	}
	additive := slices.DeleteFunc(slices.Clone(all), func(t *Table) bool { return !t.adds() })
	if len(s.Reading.open) > 0 { // the open question may be about the table that is meant
		return nil, &AmbiguityError{File: s.name, Ambiguity: s.choice(s.Reading.open[0].Ambiguity, additive)}
	}
	if len(all) > 1 {
		all = additive
	}
	for _, t := range all {
		if err := s.withheld(t); err != nil && t.asked() {
			return nil, err
		} else if ask := s.asks(t); ask != nil {
			return nil, ask
		}
	}
	if len(all) == 1 {
		return all[0], nil
	} else if len(all) > 1 {
		if t := together(all); t != nil {
			return t, nil
		}
	}
	if len(all) == 0 {
		all = s.Reading.Tables
	}
	return nil, &AmbiguityError{File: s.name, Ambiguity: s.choice(Ambiguity{Question: i18n.T("%d tables, of which one is protected at a time", len(all))}, all)}
}

// asks returns what is open about a table, nil for nothing.
func (s *Source) asks(t *Table) *AmbiguityError {
	switch {
	case len(t.doubts) > 0:
		return &AmbiguityError{File: s.name, Ambiguity: t.doubts[0].Ambiguity}
	case len(t.refused) > 0: // without its sums all of its cells would seem safe
		return &AmbiguityError{File: s.name, Ambiguity: refused(t.refused)}
	}
	return nil
}

// choice adds to a question the answers that choose one table alone.
func (s *Source) choice(ask Ambiguity, all []*Table) Ambiguity {
	ask.Readings, ask.Options = slices.Clone(ask.Readings), slices.Clone(ask.Options)
	for _, t := range all {
		area := s.within(t)
		if area != "" {
			area = "--range " + quoteName(area)
		}
		ask.Readings, ask.Options = append(ask.Readings, i18n.T("the table %s alone", t.words())), append(ask.Options, area)
	}
	return ask
}

// within returns the rectangle of a table and its header as --range takes it, "" where it stands on several sheets.
func (s *Source) within(t *Table) string {
	var in *Grid
	var area Rect
	for i := range t.Cells {
		c := &t.Cells[i]
		k := slices.IndexFunc(s.grids, func(g *Grid) bool { return g.Sheet == nameOfSheet(c.Sheet) })
		if k < 0 || in != nil && in != s.grids[k] {
			return ""
		}
		at, ok := s.grids[k].Area(c.Ref)
		if !ok {
			return ""
		}
		if in == nil {
			in, area = s.grids[k], at
		}
		area = area.with(at.Top, at.Left)
	}
	if in == nil || s.Reading.Layout == nil {
		return ""
	}
	all := area
	for _, b := range s.Reading.Layout.Blocks {
		if r, ok := in.Area(b.Range); ok && b.Sheet == in.Sheet && r.Top <= area.Bottom && r.Bottom >= area.Top && r.Left <= area.Right && r.Right >= area.Left {
			all = all.with(r.Top, r.Left).with(r.Bottom, r.Right)
		}
	}
	return address{in.Sheet, columnName(in.origin(all.Left).column) + strconv.Itoa(all.Top+1) + ":" + columnName(in.origin(all.Right).column) + strconv.Itoa(all.Bottom+1)}.String()
}

// adds reports whether some codes of the table add up.
func (t *Table) adds() bool {
	return !t.NotAdditive && slices.ContainsFunc(t.Dimensions, func(d Dimension) bool { return d.Additive })
}

// words names a table in a message.
func (t *Table) words() i18n.Text {
	name := t.Name
	if name == "" {
		name = t.Title
	}
	if len(t.Cells) > 0 && t.Cells[0].Sheet != nil {
		return i18n.T("%s (sheet %s, from %s)", formats.Show(name), *t.Cells[0].Sheet, t.Cells[0].Ref)
	}
	return i18n.T("%s", formats.Show(name))
}

// find returns the index of the code with a code or label, or both as list prints them; −1 for none.
func (d *Dimension) find(name string) int {
	for c := range d.Codes {
		if d.Codes[c].Code == name {
			return c
		}
	}
	for c := range d.Codes {
		if d.Codes[c].Label == name {
			return c
		}
	}
	for c := range d.Codes {
		if d.Codes[c].Code+" "+d.Codes[c].Label == name {
			return c
		}
	}
	return -1
}

func (d *Dimension) list() string {
	var names []string
	for _, c := range d.Codes {
		if c.Label != c.Code {
			names = append(names, c.Code+" "+c.Label)
		} else {
			names = append(names, c.Code)
		}
	}
	return formats.ShowList(names)
}

func (b *built) build() error {
	only, freq, err := b.choose()
	if err != nil {
		return err
	}
	for d := range b.t.Dimensions {
		if only[d] == "" && len(b.t.Dimensions[d].Codes) > 1 {
			b.kept = append(b.kept, d)
		}
	}
	if len(b.kept) == 0 {
		b.kept = []int{len(b.t.Dimensions) - 1}
	}
	if len(b.kept) > 6 {
		return b.s.fault("%d dimensions, want 1 to 6; fix some with --select DIM=CODE", len(b.kept))
	}
	measure := b.measure()
	freqs := map[string]*Cell{}
	for i := range b.t.Cells {
		c := &b.t.Cells[i]
		match := true
		for d, code := range only {
			if code != "" && d != measure && c.Codes[d] != code {
				match = false
			}
		}
		if !match {
			continue
		}
		key := b.key(c)
		if measure >= 0 && freq != "" && c.Codes[measure] == freq {
			freqs[key] = c
		}
		if measure >= 0 && only[measure] != "" && c.Codes[measure] != only[measure] {
			if slices.Contains(b.also, c.Codes[measure]) {
				b.same[key] = append(b.same[key], i)
			}
			continue
		}
		b.same[key] = append(b.same[key], i)
		b.cell = append(b.cell, i)
		b.keys = append(b.keys, key)
	}
	if len(b.cell) == 0 {
		return b.s.fault("no cells with the codes selected")
	}
	relations := b.relations()
	if err := b.columns(relations, freqs, freq); err != nil {
		return err
	}
	return nil
}

// measure returns the dimension of the measures, −1 for none.
func (b *built) measure() int {
	return slices.IndexFunc(b.t.Dimensions, func(d Dimension) bool { return d.Role == Measure && len(d.Codes) > 1 })
}

// choose returns the one code that is read of each dimension, "" for all, and the measure that is the number of
// contributors.
func (b *built) choose() (only []string, freq string, err error) {
	only = make([]string, len(b.t.Dimensions))
	for name, code := range b.o.Select {
		d := slices.IndexFunc(b.t.Dimensions, func(d Dimension) bool { return d.Name == name })
		if d < 0 {
			names := sets.Each(b.t.Dimensions, func(x Dimension) string { return x.Name })
			return nil, "", b.s.fault("--select %s: no such dimension%s; they are %s", formats.Show(name), near.Hint(name, names, ""), formats.ShowList(names))
		}
		c := b.t.Dimensions[d].find(code)
		if c < 0 {
			return nil, "", b.s.fault("--select %s=%s: no such code; they are %s", name, formats.Show(code), b.t.Dimensions[d].list())
		}
		only[d] = b.t.Dimensions[d].Codes[c].Code
	}
	m := b.measure()
	response := b.o.Response
	if response == "" {
		response = b.o.Columns["value"]
	}
	if m < 0 {
		if name := b.o.Columns["freq"]; name != "" && !b.t.counted() {
			return nil, "", b.s.fault("--freq %s: the table has one measure only, and no column counts contributors", formats.Show(name))
		}
		if response != "" && !slices.ContainsFunc(b.t.Dimensions, func(d Dimension) bool { return d.Role == Measure && d.find(response) >= 0 }) {
			return nil, "", b.s.fault("--response %s: the table has one measure only", formats.Show(response))
		}
		return only, "", nil
	}
	dim := &b.t.Dimensions[m]
	named := func(flag, name string) (string, error) {
		c := dim.find(name)
		if c < 0 {
			return "", b.s.fault("%s %s: no such measure; they are %s", flag, formats.Show(name), dim.list())
		}
		return dim.Codes[c].Code, nil
	}
	var free []string
	for _, c := range dim.Codes {
		if c.Use == "freq" && freq == "" {
			freq = c.Code
		}
	}
	if name := b.o.Columns["freq"]; name != "" && !b.t.counted() {
		if freq, err = named("--column freq="+name+":", name); err != nil {
			return nil, "", err
		}
	}
	for _, c := range dim.Codes {
		if c.Code != freq {
			free = append(free, c.Code)
		}
	}
	switch {
	case response != "":
		if only[m], err = named("--response", response); err != nil {
			return nil, "", err
		}
	case only[m] != "":
	case len(free) == 1:
		only[m] = free[0]
	default:
		answer, names := "", []string(nil)
		for _, c := range dim.Codes {
			names = append(names, c.Code)
		}
		if k := b.counting(m); k >= 0 {
			answer = " --freq " + quoteName(names[k])
		}
		return nil, "", b.s.fault("%d measures, %s; say with --response which to protect, several of them to be withheld together (--response %s)", len(dim.Codes), dim.list(), quoteNames(names)+answer)
	}
	for _, name := range b.o.Responses {
		code, err := named("--response", name)
		if err != nil {
			return nil, "", err
		}
		if code != only[m] {
			b.also = append(b.also, code)
		}
	}
	return only, freq, nil
}

// counting returns the index of a measure that may be the number of contributors to each of the others, −1 for none.
func (b *built) counting(m int) int {
	dim := &b.t.Dimensions[m]
	values := map[string][]float64{} // by the other codes: the value of each measure
	for i := range b.t.Cells {
		c := &b.t.Cells[i]
		if c.Value == nil {
			continue
		}
		v, err := strconv.ParseFloat(string(*c.Value), 64)
		codes := slices.Clone(c.Codes)
		k := slices.IndexFunc(dim.Codes, func(x Code) bool { return x.Code == codes[m] })
		if err != nil || k < 0 {
			continue
		}
		codes[m] = ""
		key := strings.Join(codes, "\x00")
		if values[key] == nil {
			values[key] = slices.Repeat([]float64{math.NaN()}, len(dim.Codes))
		}
		values[key][k] = v
	}
	for k := range dim.Codes {
		n, counts := 0, true
		for _, v := range values {
			for j, w := range v {
				if j == k || math.IsNaN(v[k]) || math.IsNaN(w) {
					continue
				}
				if n++; v[k] < 0 || v[k] > w || v[k] == 0 && w != 0 {
					counts = false
				}
			}
		}
		if counts && n >= leastCounted {
			return k
		}
	}
	return -1
}

// tableName returns the name of the table: that of the file without folder and extensions.
func (s *Source) tableName() string {
	name := s.name[strings.LastIndexAny(s.name, "/\\")+1:]
	name = strings.TrimSuffix(name, ".gz")
	if k := strings.LastIndexByte(name, '.'); k > 0 {
		name = name[:k]
	}
	return name
}

// Column implements formats.Layout; messages name the address of the cell.
func (b *built) Column(record int, field string) string {
	if a := b.Address(record); a != "" {
		return a
	}
	return field
}

// Address implements formats.Addresser.
func (b *built) Address(i int) string {
	if i < 0 || i >= len(b.cell) {
		return ""
	}
	c := &b.t.Cells[b.cell[i]]
	if c.Sheet != nil {
		return *c.Sheet + "!" + c.Ref
	}
	return c.Ref
}

// withheld returns an error where the file says that it withholds values of a table, and all are needed.
func (s *Source) withheld(t *Table) error {
	if !s.values {
		return nil
	}
	a := &Account{}
	for i := range t.Cells {
		if c := &t.Cells[i]; c.Value == nil && c.Means == Suppressed {
			a.unknown(address{nameOfSheet(c.Sheet), c.Ref}.String())
		}
	}
	return s.hollow(a)
}

// marked reports whether only marks, and no other words, stand in the place of values.
func (b *built) marked() bool {
	for _, i := range b.cell {
		if c := &b.t.Cells[i]; c.Value == nil && c.Mark != nil {
			if _, _, ok := marksOf("").find(*c.Mark); !ok && c.Means != Suppressed {
				return false
			}
		}
	}
	return true
}

// figure reports whether a mark that is not understood begins like a number.
func (c *Cell) figure() bool {
	return c.Mark != nil && c.Means != isNil && figure().MatchString(*c.Mark)
}

// Withheld returns an error that names the cells without values of a file that is already protected; nil where it has
// all values, or no addresses.
func Withheld(in *formats.Input) error {
	b, ok := formats.LayoutOf(in).(*built)
	if !ok {
		return nil
	}
	a := &Account{}
	for i := range in.Table.Len() {
		if at := b.Address(i); at != "" && !in.Table.Known(i) && !b.t.Cells[b.cell[i]].figure() {
			a.unknown(at)
		}
	}
	return b.s.hollow(a)
}

// hollow returns the error for cells without values, nil where there are none.
func (s *Source) hollow(a *Account) error {
	if len(a.Unknown) == 0 {
		return nil
	}
	return s.fault("%d cells have no value, as they are withheld already or lacking: %s; protect the file that has the values, or ask hitoku audit what this one tells", len(a.Unknown), a.named())
}

// Write implements formats.Layout. It writes a copy of the file in which withheld cells have the mark.
func (b *built) Write(w io.Writer, in *formats.Input, withheld []bool) error {
	return b.s.write(w, b, &in.Style, withheld)
}
