package layout

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/exact/num"
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

// key joins the codes of a cell in the kept dimensions.
func (b *built) key(c *Cell) string {
	codes := sets.Pick(c.Codes, b.kept)
	return strings.Join(codes, "\x00")
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
		return nil, "", b.s.fault("%d measures, %s; say with --response which to protect, several of them to be withheld together (--response %s)", len(dim.Codes), dim.list(), quoteName(strings.Join(names, ","))+answer)
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

// A relation is a sum over one kept dimension, in cells of the table.
type relation struct {
	dim   int
	total int // a cell, as the parts are
	parts []int
	seen  bool // it holds only where all its numbers are known and agree with it
	near  bool // in that case, it may miss by rounding
}

// relations returns the sums of the cells: one for each sum of codes and each combination of the other codes.
func (b *built) relations() []relation {
	at := sets.Places[int](b.keys)
	var all []relation
	for k, d := range b.kept {
		dim := &b.t.Dimensions[d]
		if b.t.NotAdditive {
			continue
		}
		if !dim.Additive {
			all = append(all, b.seen(k, at)...)
			continue
		}
		sums := b.t.sums(d)
		for i := range b.cell {
			codes := strings.Split(b.keys[i], "\x00")
			own := codes[k]
			for _, of := range sums[own] {
				r := relation{dim: k, total: i}
				for _, p := range of {
					codes[k] = p
					if c, ok := at[strings.Join(codes, "\x00")]; ok {
						r.parts = append(r.parts, c)
					}
				}
				if len(r.parts) > 0 { // else the file does not divide this total
					all = append(all, r)
				}
			}
		}
	}
	return append(all, b.ties()...)
}

// ties returns the cells that the file has twice, as sums along no dimension.
func (b *built) ties() (all []relation) {
	at := sets.Places[int](b.cell)
	for _, x := range b.t.ties {
		i, ok := at[x.cell]
		r := relation{dim: -1, total: i}
		for _, c := range x.same {
			if p, here := at[c]; here {
				r.parts = append(r.parts, p)
			}
		}
		if ok && len(r.parts) == len(x.same) {
			all = append(all, r)
		}
	}
	return all
}

// sums returns, by code of dimension d, the lists of codes that add up to it: its parts, those that a repeated code is
// the sum of, and the parts of every other sum that was found.
func (t *Table) sums(d int) map[string][][]string {
	dim := &t.Dimensions[d]
	tree := map[string][]string{}
	sums := map[string][][]string{}
	for _, c := range dim.Codes {
		if c.Parent != nil && !c.Memo {
			tree[*c.Parent] = append(tree[*c.Parent], c.Code)
		}
	}
	add := func(total string, parts []string) {
		parts = slices.Sorted(slices.Values(parts))
		if !slices.ContainsFunc(sums[total], func(of []string) bool { return slices.Equal(of, parts) }) {
			sums[total] = append(sums[total], parts)
		}
	}
	for _, c := range dim.Codes {
		if len(c.Equals) > 0 {
			add(c.Code, c.Equals)
		}
		if len(tree[c.Code]) > 0 {
			add(c.Code, tree[c.Code])
		}
	}
	for _, r := range t.Relations {
		if r.Dim == d {
			add(r.Total, r.Parts)
		}
	}
	return sums
}

// columns makes the table of cells and relations.
func (b *built) columns(relations []relation, freqs map[string]*Cell, freq string) error {
	n := len(b.cell)
	values := make([]table.Decimal, n)
	state := make([]uint8, n)
	scale, negative := 0, false
	for i := range n {
		c := &b.t.Cells[b.cell[i]]
		if state[i] = known(c.Means); state[i] == isKnown && c.Value == nil {
			state[i] = isHidden
		}
		if state[i] != isKnown {
			continue
		}
		v, err := table.ParseDecimal(string(*c.Value))
		if err != nil {
			return b.s.fault("%s: %s: %v", c.Ref, *c.Value, err)
		}
		values[i], scale, negative = v, max(scale, v.Scale), negative || v.Unscaled < 0
	}
	v := make([]int64, n)
	for i := range n {
		var ok bool
		if v[i], ok = values[i].At(scale); !ok {
			return b.s.fault("%s: %s does not fit beside numbers with %d decimals in 18 digits", b.t.Cells[b.cell[i]].Ref, values[i], scale)
		}
	}
	relations = slices.DeleteFunc(relations, func(r relation) bool { return r.seen && !r.holds(v, state) })
	b.settle(relations, v, state, negative)
	keep := make([]int32, n) // number of the cell in the table, −1 for none
	kept := 0
	for i := range n {
		if keep[i] = -1; state[i] != isFree {
			keep[i] = int32(kept)
			kept++
		}
	}
	t := &table.Table{Name: b.s.tableName(), Decimals: scale, CostDecimals: scale, Rel: table.NewRelations(kept)}
	t.Counts = b.counts(scale)
	whole := t.Counts && freq == "" && !b.t.counted()
	b.fill(t, v, state, freqs, whole, whole || freq != "" || b.t.counted())
	for _, column := range []*[]int64{&t.Cost, &t.LPL, &t.UPL, &t.Width, &t.Lower, &t.Upper} {
		*column = make([]int64, kept)
	}
	below := b.below(t, negative)
	for i := range kept {
		t.Upper[i] = table.PosInf
		if negative && below(i) {
			t.Lower[i] = table.NegInf
		}
	}
	if err := b.dimensions(t); err != nil {
		return err
	}
	if err := b.relate(t, relations, v, state, keep); err != nil {
		return err
	}
	var err error
	if b.table, err = table.FromRelations(t); err != nil {
		return err
	}
	if err := t.SetCost(table.CostKind{Kind: "value"}); err != nil {
		return err
	}
	return t.SetBounds(b.o.Lower, b.o.Upper)
}

// below tells which cells may be below 0: those that are missing, and those of which every code has some number below
// 0. Where a balance stands beside counts, readers know that no count is below 0.
func (b *built) below(t *table.Table, negative bool) func(cell int) bool {
	codes := sets.List(len(b.t.Dimensions), func(int) map[string]bool { return map[string]bool{} })
	for i := range t.Value {
		if negative && t.Value[i] < 0 {
			for d, code := range b.t.Cells[b.cell[i]].Codes {
				codes[d][code] = true
			}
		}
	}
	return func(cell int) bool {
		if t.Missing != nil && t.Missing[cell] {
			return true
		}
		for d, code := range b.t.Cells[b.cell[cell]].Codes {
			if !codes[d][code] {
				return false
			}
		}
		return true
	}
}

// fill gives t the value, status and number of contributors of each cell that is not free, and keeps the places and
// keys of these cells only. whole says that the values are themselves numbers of contributors, counted that these are
// known for some cell.
func (b *built) fill(t *table.Table, v []int64, state []uint8, freqs map[string]*Cell, whole, counted bool) {
	cells, keys := b.cell, b.keys
	b.cell, b.keys = nil, nil
	hidden, other, flagged := false, false, false
	for i := range state {
		if state[i] == isHidden {
			means := b.t.Cells[cells[i]].Means
			other = other || means != Suppressed
		}
	}
	for i := range state {
		if state[i] == isFree {
			continue
		}
		c := &b.t.Cells[cells[i]]
		b.cell, b.keys = append(b.cell, cells[i]), append(b.keys, keys[i])
		status, told := table.Safe, b.t.told(cells[i])
		switch {
		// where several marks occur, that for suppression tells which cells are sensitive
		case state[i] == isHidden && c.Means == Suppressed && other:
			status, hidden = table.Sensitive, true
		case state[i] == isHidden:
			status, hidden = table.Withheld, true
		case c.Means == isNil:
			status = table.Published
		default: // the status that the file gives a cell with a value
			status = told.status
			flagged = flagged || status != table.Safe
		}
		t.Reason = append(t.Reason, told.reason)
		t.Value = append(t.Value, v[i])
		t.Missing = append(t.Missing, state[i] == isHidden)
		t.Status = append(t.Status, status)
		t.Freq = append(t.Freq, b.contributors(state[i], v[i], whole, freqs[keys[i]], told.freq))
	}
	if !hidden {
		t.Missing = nil
	}
	if !counted {
		t.Freq = nil
	}
	if !flagged {
		t.Reason = nil
	}
}

// contributors returns how many contribute to a cell, −1 if unknown. A number with decimals, as from a sample, is cut
// to whole ones, so that no rule finds the cell safer than it is; below 1 it is 1.
func (b *built) contributors(state uint8, v int64, whole bool, freq *Cell, told *Decimal) int64 {
	if freq != nil {
		told = freq.Value
	}
	switch {
	case whole && state == isKnown:
		return v
	case told == nil:
		return -1
	}
	d, err := table.ParseDecimal(string(*told))
	if err != nil || d.Unscaled < 0 {
		return -1
	}
	f := d.Unscaled
	for range d.Scale {
		f /= 10
	}
	if f == 0 && d.Unscaled > 0 {
		return 1
	}
	return f
}

// told returns what the file says of a cell beside its value.
func (t *Table) told(cell int) beside {
	if cell < len(t.beside) {
		return t.beside[cell]
	}
	var b beside
	if flag := t.Cells[cell].Flag; flag != "" { // a mark behind the value, as in 12 c
		if _, means, ok := marksOf(eurostat).find(flag); ok && means == Suppressed && (flag != asterisk || t.tells(asterisk)) {
			b.status = table.Sensitive
		}
	}
	return b
}

// An asterisk behind a value is the mark of a footnote, and says that the cell is withheld only where a note explains
// it so.
const asterisk = "*"

// tells reports whether the notes of a table say that a mark stands for withheld values.
func (t *Table) tells(mark string) bool {
	m := &marks{}
	for _, n := range t.Notes {
		m.learn(n.Text)
	}
	return m.told[mark] == Suppressed
}

// counted reports whether the file has a number of contributors for some cell beside its value.
func (t *Table) counted() bool {
	return slices.ContainsFunc(t.beside, func(b beside) bool { return b.freq != nil })
}

// counts reports whether the values count single units.
func (b *built) counts(scale int) bool {
	kind := b.t.Kind
	if m := b.measure(); m >= 0 {
		code := b.t.Cells[b.cell[0]].Codes[m]
		if k := b.t.Dimensions[m].Codes[b.t.Dimensions[m].find(code)].Kind; k != "" {
			kind = k
		}
	}
	return kind == ofCounts && scale == 0 && b.t.UnitMultiplier <= 1 && !b.o.Magnitude
}

// settle decides whether free cells contribute to a sum: they do where the known parts, with the most that withheld
// ones can be, do not reach the total, or where they exceed it. Elsewhere free cells are taken not to contribute, so
// that no cell seems better protected than it is. signed says that cells may be below 0. Rounding is allowed for if
// some sum without free cells misses.
func (b *built) settle(relations []relation, v []int64, state []uint8, signed bool) {
	rounded := slices.ContainsFunc(relations, func(r relation) bool {
		miss, known := r.misses(v, state)
		return known && miss != 0
	})
	for again := true; again; {
		again = false
		most := b.most(relations, v, state, signed)
		for k := range relations {
			r := &relations[k]
			sum, top, free := int64(0), int64(0), []int(nil)
			for _, p := range r.parts {
				switch {
				case state[p] == isFree:
					free = append(free, p)
				case state[p] == isKnown:
					sum += v[p]
				case most[p] > maxWhole || top > maxWhole:
					top = 2 * maxWhole
				default:
					top += most[p]
				}
			}
			if len(free) == 0 || state[r.total] != isKnown {
				continue
			}
			slack := int64(0)
			if rounded {
				slack = int64(len(r.parts)+1) / 2
			}
			if d := v[r.total] - sum; d > top+slack || d < -slack && !signed && top == 0 || signed && top == 0 && (d > slack || d < -slack) {
				for _, p := range free {
					state[p], again = isHidden, true
				}
			}
		}
	}
}

// maxWhole is the bound above which the upper bound of a cell counts as infinite.
const maxWhole = 1 << 60

// most returns an upper bound for each hidden cell: what its totals leave beside the known parts.
func (b *built) most(relations []relation, v []int64, state []uint8, signed bool) []int64 {
	most := make([]int64, len(v))
	for i := range most {
		if most[i] = 2 * maxWhole; state[i] == isKnown {
			most[i] = v[i]
		}
	}
	for range 4 { // a few rounds, as totals may be hidden, too
		for k := range relations {
			r := &relations[k]
			if signed || most[r.total] > maxWhole {
				continue
			}
			left := most[r.total]
			for _, p := range r.parts {
				if state[p] == isKnown {
					left -= v[p]
				}
			}
			for _, p := range r.parts {
				if state[p] != isKnown {
					most[p] = min(most[p], max(left, 0))
				}
			}
		}
	}
	return most
}

// relate adds the relations to the table. If rounding makes a complete sum miss, the difference is its right-hand side,
// and the cells are rounded.
func (b *built) relate(t *table.Table, relations []relation, v []int64, state []uint8, keep []int32) error {
	told, given := b.tolerance()
	tolerance, _ := told.At(max(t.Decimals, told.Scale))
	if told.Scale > t.Decimals {
		tolerance /= table.Pow10(told.Scale - t.Decimals)
	}
	unit := int64(0) // numbers may be rounded to tens, say
	for i, x := range v {
		if state[i] == isKnown {
			unit = num.GCD(unit, x)
		}
	}
	missed := false
	e := newExactness(t.Len())
	var cells, coef []int32
	for _, r := range relations {
		if keep[r.total] < 0 {
			continue
		}
		cells, coef = cells[:0], coef[:0]
		sum, complete := -v[r.total], state[r.total] == isKnown
		for _, p := range r.parts {
			if keep[p] >= 0 {
				cells, coef = append(cells, keep[p]), append(coef, 1)
				sum += v[p]
				complete = complete && state[p] == isKnown
			}
		}
		if len(cells) == 0 && v[r.total] == 0 {
			continue
		}
		cells, coef = append(cells, keep[r.total]), append(coef, -1)
		if !complete {
			sum = 0
		}
		e.together(cells)
		missed = missed || sum != 0
		if most := max(tolerance, max(unit, 1)*(int64(len(r.parts)+1)/2)); sum > most || sum < -most {
			return b.s.fault("%s is %s, but its parts along %s add up to %s; say --no-total if they do not belong together, or --tolerance",
				b.Address(int(keep[r.total])), table.FormatDecimal(v[r.total], t.Decimals), formats.Show(b.t.Dimensions[b.kept[r.dim]].Name), table.FormatDecimal(v[r.total]+sum, t.Decimals))
		}
		if complete && v[r.total] != 0 {
			e.sum(cells[0], sum == 0)
		}
		t.Rel.Add(cells, coef, sum)
		t.Rel.Dim = append(t.Rel.Dim, int8(r.dim))
		t.Rel.Margin = append(t.Rel.Margin, keep[r.total])
	}
	switch {
	case given:
		if told.Scale > t.Decimals { // the tolerance has more decimals than the values
			unit *= table.Pow10(told.Scale - t.Decimals)
			if err := t.Rescale(told.Scale); err != nil {
				return b.s.fault("--tolerance: %v", err)
			}
		}
		step, _ := told.At(t.Decimals)
		b.round(t, e, min(step, max(unit, 1)))
	case missed:
		step := int64(1)
		for unit != 0 && unit%(10*step) == 0 {
			step *= 10
		}
		b.round(t, e, step)
	}
	return nil
}

// tolerance returns by how much sums may miss, as the options or a saved layout give it.
func (b *built) tolerance() (d table.Decimal, given bool) {
	text := b.s.tolerance
	if l := b.s.Reading.Layout; text == "" && l != nil {
		for k := range l.Blocks {
			if text == "" && (len(l.Blocks) == 1 || l.Blocks[k].Name == b.t.Name) {
				text = l.Blocks[k].Tolerance
			}
		}
	}
	d, err := table.ParseDecimal(text)
	return d, err == nil
}

// round notes that values are rounded to multiples of unit, except cells whose mark stands for nothing and those that
// sums show to be exact.
func (b *built) round(t *table.Table, e *exactness, unit int64) {
	if unit <= 0 {
		return
	}
	t.Rounding = make([]int64, t.Len())
	for i := range t.Rounding {
		if b.t.Cells[b.cell[i]].Means != isNil && !e.exact(int32(i)) {
			t.Rounding[i] = unit
		}
	}
}

// dimensions gives the table its trees and coordinates. Where a dimension has no single root, it gets one that no cell
// has.
func (b *built) dimensions(t *table.Table) error {
	index := make([]map[string]int32, len(b.kept))
	for k, d := range b.kept {
		dim := &b.t.Dimensions[d]
		var roots []string
		for _, c := range dim.Codes {
			if c.Parent == nil && !c.Memo {
				roots = append(roots, c.Code)
			}
		}
		root := ""
		if len(roots) == 1 {
			root = roots[0]
		} else {
			root = "Total"
			for dim.find(root) >= 0 {
				root += "*"
			}
		}
		var edges []table.Edge
		for _, c := range dim.Codes {
			switch {
			case c.Code == root:
			case c.Parent != nil:
				edges = append(edges, table.Edge{Code: c.Code, Parent: *c.Parent})
			default:
				edges = append(edges, table.Edge{Code: c.Code, Parent: root})
			}
		}
		x, err := table.NewDimension(dim.Name, root, edges)
		if err != nil {
			return b.s.fault("%v", err)
		}
		x.NoTotal = len(roots) != 1
		for _, c := range dim.Codes {
			if c.Label != c.Code {
				if x.Labels == nil {
					x.Labels = map[string]string{}
				}
				x.Labels[c.Code] = c.Label
			}
		}
		index[k] = sets.Places[int32](x.Codes)
		t.Dims = append(t.Dims, x)
	}
	for _, key := range b.keys {
		for k, code := range strings.Split(key, "\x00") {
			t.Coord = append(t.Coord, index[k][code])
		}
	}
	return nil
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
