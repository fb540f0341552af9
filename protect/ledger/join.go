package ledger

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// Options say what else is known about the tables. The zero value is ready to use.
type Options struct {
	// Withheld marks the withheld cells of the present table, for an audit; nil: they are still to be chosen.
	Withheld []bool
	Sums     []Sum
	Changes  []Change
	// Periods are the codes of the dimension "period" in order of time; nil: sorted by name.
	Periods []string
	// Width is the width that sensitive cells of earlier releases need, at least one unit. A cell that only sums name
	// counts as sensitive unless it has at least Below contributors; 0: whatever their number.
	Width *table.Decimal
	Below int64
}

// A Joint is the present table and the releases as one problem: first the cells of the present table in their order,
// then those of releases, those that only sums name, and the slack cells of bounds on change. Only cells of the present
// table have a cost. Cells that readers see have the status table.Published. The relations of the present table come
// first. Slack cells have no contributors.
//
// If the pattern is still to be chosen (Options.Withheld is nil), cells of the present table keep their statuses,
// except that those published in a release are Published, and every cell occurs once. For an audit, a cell that one
// table publishes and another withholds occurs twice, as a cell of each, with the relation that the two are equal; a
// cell that is published rounded always does.
type Joint struct {
	*table.Table
	Present  int       // number of cells of the present table
	Cell     [][]int32 // Cell[k][i] is the cell that is cell i of the k-th release
	Withheld []bool    // what readers of all releases do not see; for the present table by Options.Withheld, else by status
	// Each is a list of present cells with the first file concerned. Again: a release withholds the same cell. Fixed: a
	// release publishes it. Lost: the sensitive ones of Fixed, which nobody can protect any more.
	Again, Fixed, Lost []Mention
	// Before are the present cells that a release of the latest earlier period has, and whether it publishes them.
	Before []Mention
	Shared []int // by release: number of its cells that are also cells of the present table
	// Skipped tells, in words, which bounds on change do not hold and what else was skipped; of a long list the first
	// and how many more.
	Skipped []i18n.Text

	sources []*placed
	origin  []origin
	rooms   map[int]fmt.Stringer // names of slack cells
	unit    []int64              // by source: the unit to which its values are rounded
	dims    int                  // number of dimensions of the present table
}

// Judged returns the table against which a report on what readers learn is judged. Withheld cells get the unit to which
// their values would be rounded, so that a cell counts as disclosed if readers know it that closely. If nothing is
// rounded, it is the table itself.
func (j *Joint) Judged() *table.Table {
	if slices.Max(j.unit) <= 0 {
		return j.Table
	}
	t := *j.Table
	t.Rounding = make([]int64, t.Len())
	copy(t.Rounding, j.Rounding)
	for i, o := range j.origin {
		if j.Withheld[i] && t.Rounding[i] == 0 && o.k >= 0 {
			t.Rounding[i] = j.unit[o.k]
		}
	}
	return &t
}

// A Mention is a cell of the present table and what a file does with it.
type Mention struct {
	Cell int
	File string
	Told bool
}

// An origin is where a cell comes from: cell i of source k, or no source (k < 0).
type origin struct{ k, i int32 }

// A group holds the cells that share coordinates, −1: none.
type group struct {
	told, hid int32
	own       []int32 // cells published rounded
	coord     []int32
}

// members returns the cells of the group, each once.
func (g *group) members() []int32 {
	var all []int32
	for _, c := range append([]int32{g.told, g.hid}, g.own...) {
		if c >= 0 && !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	return all
}

// A joiner builds a Joint.
type joiner struct {
	*Joint
	opt    *Options
	groups map[string]*group
	order  []*group
	seen   map[string]bool // keys of relations
	coord  []int32

	sourced bool // the relations of the present table have been added
}

// join makes one problem of the present table and releases, without modifying them. Errors are *ConflictError,
// *formats.Error or about something that a table or a statement lacks. Cost linear in the cells and relations.
func join(present *Release, releases []*Release, opt *Options) (*Joint, error) {
	if opt == nil {
		opt = &Options{}
	}
	x := &joiner{Joint: &Joint{Table: &table.Table{Name: present.Table.Name, Counts: true}, rooms: map[int]fmt.Stringer{}}, opt: opt, groups: map[string]*group{}, seen: map[string]bool{}}
	if err := x.open(append([]*Release{present}, releases...)); err != nil {
		return nil, err
	}
	dims, err := joinDims(x.sources, opt.Sums)
	if err != nil {
		return nil, err
	}
	x.Dims, x.dims, x.coord = dims, len(present.Table.Dims), make([]int32, len(dims))
	for k, s := range x.sources {
		if err := x.cells(k, s); err != nil {
			return nil, err
		}
	}
	x.Rel = table.NewRelations(x.Len())
	x.Rel.Names = map[int]i18n.Text{}
	for k, s := range x.sources {
		x.relations(k, s)
	}
	x.equal()
	if err := x.sums(); err != nil {
		return nil, err
	}
	x.before()
	if err := x.changes(); err != nil {
		return nil, err
	}
	x.finish()
	if n := len(x.Skipped) - mostSkipped; n > 1 {
		x.Skipped = append(x.Skipped[:mostSkipped], i18n.T("and %d such remarks more", n))
	}
	return x.Joint, x.Validate()
}

// open converts the tables to common decimals and opens releases with rounded values.
func (x *joiner) open(all []*Release) error {
	x.Counts, x.CostDecimals, x.Strict = true, all[0].Table.CostDecimals, all[0].Table.Strict
	for k, r := range all {
		if len(r.Table.Dims) == 0 {
			return i18n.Errorf("%s: cells are found by their codes, which this table does not have", r.File)
		}
		if r.Table.Layers > 1 {
			return i18n.Errorf("%s: it is of several responses", r.File)
		}
		s := &placed{Release: r, t: r.Table.Clone(), hidden: make([]bool, r.Table.Len())}
		for i := range s.hidden {
			s.hidden[i] = r.withheld(i)
		}
		if k == 0 && x.opt.Withheld != nil {
			s.hidden = slices.Clone(x.opt.Withheld)
		}
		if k > 0 && s.t.Rounded() {
			open, hidden, _, err := s.t.Opened(s.hidden, false)
			if err != nil {
				return i18n.Errorf("%s: %w", r.File, err)
			}
			s.near = sets.List(len(hidden), func(i int) bool { return hidden[i] && !s.hidden[i] })
			s.t = open
		}
		x.Decimals, x.Counts = max(x.Decimals, s.t.Decimals), x.Counts && s.t.Counts
		x.sources = append(x.sources, s)
	}
	if d := x.opt.Width; d != nil {
		x.Decimals = max(x.Decimals, d.Scale)
	}
	for _, s := range x.sources {
		if err := s.t.Rescale(x.Decimals); err != nil {
			return i18n.Errorf("%s: %w", s.File, err)
		}
	}
	return nil
}

// key returns a map key for coordinates.
func key(coord []int32) string {
	b := make([]byte, 0, 4*len(coord))
	for _, c := range coord {
		b = binary.LittleEndian.AppendUint32(b, uint32(c))
	}
	return string(b)
}

// group returns the group at x.coord.
func (x *joiner) group() *group {
	k := key(x.coord)
	g := x.groups[k]
	if g == nil {
		g = &group{told: -1, hid: -1, coord: slices.Clone(x.coord)}
		x.groups[k] = g
		x.order = append(x.order, g)
	}
	return g
}

// cells adds the cells of source k.
func (x *joiner) cells(k int, s *placed) error {
	cell := make([]int32, s.t.Len())
	suspect := s.suspect()
	shared := 0
	for i := range s.t.Len() {
		s.coord(x.coord, i)
		var err error
		if k == 0 {
			cell[i] = x.present(s, i)
		} else if cell[i], err = x.cell(k, s, i, suspect); err != nil {
			return err
		}
		// Cells published rounded are not merged with cells of the present table.
		if own := x.group().own; int(cell[i]) < x.Present || len(own) > 0 && int(own[0]) < x.Present {
			shared++
		}
	}
	if k == 0 {
		x.Present = s.t.Len()
	} else {
		x.Cell, x.Shared = append(x.Cell, cell), append(x.Shared, shared)
	}
	return nil
}

// present adds cell i of the present table.
func (x *joiner) present(s *placed, i int) int32 {
	g := x.group()
	c := x.push(0, s, i)
	if u := s.t.RoundedTo(i); u > 0 {
		if x.Rounding == nil {
			x.Rounding = make([]int64, s.t.Len())
		}
		x.Rounding[i] = u
	}
	switch {
	case s.t.RoundedTo(i) > 0:
		g.own = append(g.own, c)
	case x.opt.Withheld == nil:
		g.told, g.hid = c, c
	case s.hidden[i]:
		g.hid = c
	default:
		g.told = c
	}
	x.Withheld[c] = s.hidden[i]
	return c
}

// push appends cell i of source k, without a cost.
func (x *joiner) push(k int, s *placed, i int) int32 {
	c := int32(x.Len())
	t := s.t
	x.Coord = append(x.Coord, x.coord...)
	x.Value, x.Missing = append(x.Value, t.Value[i]), append(x.Missing, !t.Known(i))
	x.Status, x.Withheld = append(x.Status, t.Status[i]), append(x.Withheld, false)
	x.LPL, x.UPL, x.Width = append(x.LPL, t.LPL[i]), append(x.UPL, t.UPL[i]), append(x.Width, t.Width[i])
	x.Lower, x.Upper = append(x.Lower, t.Lower[i]), append(x.Upper, t.Upper[i])
	cost, freq := int64(0), int64(-1)
	if k == 0 {
		cost = t.Cost[i]
	}
	if t.Freq != nil {
		freq = t.Freq[i]
	}
	x.Cost, x.Freq = append(x.Cost, cost), append(x.Freq, freq)
	x.origin = append(x.origin, origin{int32(k), int32(i)})
	return c
}

// suspect reports whether the statuses of s do not tell which withheld cells are sensitive.
func (s *placed) suspect() bool {
	for i, h := range s.hidden {
		if h && s.Table.Status[i] == table.Sensitive {
			return false
		}
	}
	return true
}

// cell adds cell i of a release, or finds it if it exists.
func (x *joiner) cell(k int, s *placed, i int, suspect bool) (int32, error) {
	g := x.group()
	near := s.near != nil && s.near[i]
	if c := x.exact(g); s.Revision && len(g.members()) > 0 && (s.hidden[i] || near || c < 0 || x.Value[c] != s.t.Value[i]) {
		return x.release(k, s, i, suspect), nil
	}
	switch {
	case near:
		if c := x.exact(g); c >= 0 && (x.Value[c] < s.t.Lower[i] || x.Value[c] > s.t.Upper[i]) {
			return 0, x.conflict(c, s, i)
		}
		c := x.release(k, s, i, suspect)
		g.own = append(g.own, c)
		return c, nil
	case x.differs(g, s, i):
		return 0, x.conflict(x.exact(g), s, i)
	case s.hidden[i]:
		return x.hide(g, k, s, i, suspect)
	}
	return x.tell(g, k, s, i, suspect)
}

// exact returns a cell of g with a known, exact value, −1 if there is none.
func (x *joiner) exact(g *group) int32 {
	for _, c := range [2]int32{g.told, g.hid} {
		if c >= 0 && !x.Missing[c] {
			return c
		}
	}
	return -1
}

// differs reports whether cell i of s has a value and g a different one.
func (x *joiner) differs(g *group, s *placed, i int) bool {
	c := x.exact(g)
	return c >= 0 && s.t.Known(i) && x.Value[c] != s.t.Value[i]
}

func (x *joiner) conflict(c int32, s *placed, i int) error {
	other := x.sources[x.origin[c].k]
	tells := func(s *placed, i int) i18n.Text {
		if s.hidden[i] {
			return i18n.T("withheld")
		}
		return i18n.T("%s", table.FormatDecimal(s.Table.Value[i], s.Table.Decimals))
	}
	e := &ConflictError{Cell: s.Table.CellName(i), First: other.File, Second: s.File, A: tells(other, int(x.origin[c].i)), B: tells(s, i)}
	if other.hidden[x.origin[c].i] {
		e.A = i18n.T("withheld, as another number,")
	}
	return e
}

// release adds cell i of a release as a new cell, with the status that it has for whoever protects what is withheld
// there.
func (x *joiner) release(k int, s *placed, i int, suspect bool) int32 {
	c := x.push(k, s, i)
	near := s.near != nil && s.near[i]
	x.Withheld[c] = s.hidden[i] || near
	switch {
	case near:
		x.Status[c], x.Missing[c] = table.Withheld, true
	case !s.hidden[i]:
		x.Status[c] = table.Published
	case s.Table.Status[i] == table.Sensitive || suspect:
		x.Status[c] = table.Sensitive
		x.guard(c)
	default:
		x.Status[c] = table.Withheld
	}
	if x.Status[c] != table.Sensitive {
		x.LPL[c], x.UPL[c], x.Width[c] = 0, 0, 0
	}
	return c
}

// guard gives a sensitive cell of an earlier release the levels that it lacks: the width asked for, or one unit.
// Distances from an unknown value would be meaningless.
func (x *joiner) guard(c int32) {
	if x.Missing[c] {
		x.LPL[c], x.UPL[c] = 0, 0
	}
	if x.LPL[c] > 0 || x.UPL[c] > 0 || x.Width[c] > 0 {
		return
	}
	if d := x.opt.Width; d != nil {
		x.Width[c], _ = d.At(x.Decimals)
	}
	if !x.Strict {
		x.Width[c] = max(1, x.Width[c])
	}
}

// hide finds or adds the withheld cell i of a release.
func (x *joiner) hide(g *group, k int, s *placed, i int, suspect bool) (int32, error) {
	c := g.hid
	if c < 0 {
		if g.told >= 0 {
			if err := x.meet(g.told, k, s, i); err != nil {
				return 0, err
			}
		}
		c = x.release(k, s, i, suspect)
		if g.hid = c; x.opt.Withheld == nil && g.told >= 0 { // published by another release
			x.link(g.told, c)
		}
		return c, nil
	}
	if err := x.meet(c, k, s, i); err != nil {
		return 0, err
	}
	if x.Missing[c] && s.t.Known(i) {
		x.Value[c], x.Missing[c] = s.t.Value[i], false
	}
	if int(c) < x.Present && (x.opt.Withheld == nil || x.Withheld[c]) {
		x.Again = append(x.Again, Mention{int(c), s.File, false})
	}
	if s.Table.Status[i] == table.Sensitive && x.Status[c] == table.Safe {
		x.Status[c] = table.Sensitive
		x.guard(c)
	}
	return c, nil
}

// meet intersects the bounds of cell c with those of cell i of source k, which is the same cell. If nothing is left, or
// a known value is outside, the sources contradict each other.
func (x *joiner) meet(c int32, k int, s *placed, i int) error {
	lower, upper := max(x.Lower[c], s.t.Lower[i]), min(x.Upper[c], s.t.Upper[i])
	outside := func(v int64) bool { return v < lower || v > upper }
	if lower > upper || !x.Missing[c] && outside(x.Value[c]) || s.t.Known(i) && outside(s.t.Value[i]) {
		return x.apart(c, k, s, i)
	}
	x.Lower[c], x.Upper[c] = lower, upper
	return nil
}

// apart reports two files that contradict each other about cell c; the second is source k. If intervals have no point
// in common, two of them are disjoint.
func (x *joiner) apart(c int32, k int, s *placed, i int) error {
	in := func(s *placed, i int) i18n.Text {
		if s.t.Known(i) {
			if s.hidden[i] {
				return i18n.T("withheld, as a number that is not there,")
			}
			return i18n.T("%s", table.FormatDecimal(s.t.Value[i], s.t.Decimals))
		}
		return i18n.T("in %s", s.t.Box(i))
	}
	bounds := func(s *placed, i int) (lower, upper int64) {
		lower, upper = s.t.Lower[i], s.t.Upper[i]
		if v := s.t.Value[i]; s.t.Known(i) {
			lower, upper = max(lower, v), min(upper, v)
		}
		return lower, upper
	}
	other, at := x.sources[x.origin[c].k], int(x.origin[c].i)
	lower, upper := bounds(s, i)
	for q, cells := range x.Cell[:k-1] {
		for n, cell := range cells {
			if l, u := bounds(x.sources[q+1], n); cell == c && (l > upper || u < lower) {
				other, at = x.sources[q+1], n
			}
		}
	}
	return &ConflictError{Cell: s.Table.CellName(i), First: other.File, Second: s.File, A: in(other, at), B: in(s, i)}
}

// tell finds or adds the published cell i of a release.
func (x *joiner) tell(g *group, k int, s *placed, i int, suspect bool) (int32, error) {
	c := g.told
	if c < 0 && g.hid >= 0 {
		if err := x.meet(g.hid, k, s, i); err != nil {
			return 0, err
		}
	}
	switch {
	case c < 0:
		c = x.release(k, s, i, suspect)
		if g.told = c; g.hid >= 0 && int(g.hid) < x.Present {
			x.Fixed = append(x.Fixed, Mention{int(g.hid), s.File, true})
		}
		if x.opt.Withheld == nil && g.hid >= 0 {
			x.link(c, g.hid)
		}
		return c, nil
	case int(c) < x.Present && x.opt.Withheld == nil && x.Status[c] != table.Published:
		x.Fixed = append(x.Fixed, Mention{int(c), s.File, true})
		if x.Status[c] == table.Sensitive {
			x.Lost = append(x.Lost, Mention{int(c), s.File, true})
		}
		x.Status[c], x.LPL[c], x.UPL[c], x.Width[c] = table.Published, 0, 0, 0
		x.Value[c], x.Missing[c] = s.t.Value[i], false
	}
	return c, nil
}

// link removes demands that nobody can meet: protection of a cell that one release withholds and another publishes.
func (x *joiner) link(told, hid int32) {
	x.Value[hid], x.Missing[hid] = x.Value[told], false
	if int(hid) >= x.Present {
		x.Status[hid], x.LPL[hid], x.UPL[hid], x.Width[hid] = table.Published, 0, 0, 0
		x.Withheld[hid] = false
		x.skip("%s, withheld in %s, is published in %s", x.name(int(hid)), x.file(int(hid)), x.file(int(told)))
	}
}

// mostSkipped is the number of remarks on skipped things that are kept.
const mostSkipped = 10

func (x *joiner) skip(format string, args ...any) {
	x.Skipped = append(x.Skipped, i18n.T(format, args...))
}

// relations adds the relations of source k.
func (x *joiner) relations(k int, s *placed) {
	for j := range s.t.Rel.Len() {
		cell, coef := s.t.Rel.Row(j)
		moved := slices.Clone(cell)
		for e, i := range cell {
			if k > 0 {
				moved[e] = x.Cell[k-1][i]
			}
		}
		dim, margin := int8(-1), int32(-1)
		if r := s.t.Rel; r.Dim != nil && r.Dim[j] >= 0 {
			dim = int8(s.at[r.Dim[j]])
			if margin = r.Margin[j]; margin >= 0 && k > 0 {
				margin = x.Cell[k-1][margin]
			}
		}
		x.relate(moved, slices.Clone(coef), s.t.Rel.RHS[j], dim, margin, i18n.Text{})
	}
	x.sourced = true
}

// relate adds a relation unless it exists.
func (x *joiner) relate(cell, coef []int32, rhs int64, dim int8, margin int32, name i18n.Text) {
	order := sets.Upto(len(cell))
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(cell[a], cell[b]) })
	var k strings.Builder
	for _, e := range order {
		k.WriteString(strconv.Itoa(int(coef[e])) + "*" + strconv.Itoa(int(cell[e])) + " ")
	}
	if x.seen[k.String()] && x.sourced { // those of the present table keep their positions
		return
	}
	x.seen[k.String()] = true
	x.Rel.N = x.Len()
	x.Rel.Add(cell, coef, rhs)
	x.Rel.Dim, x.Rel.Margin = append(x.Rel.Dim, dim), append(x.Rel.Margin, margin)
	if !name.IsZero() {
		x.Rel.Names[x.Rel.Len()-1] = name
	}
}

// equal adds the relations that copies of a cell are equal.
func (x *joiner) equal() {
	for _, g := range x.order {
		m := g.members()
		for _, c := range m[min(1, len(m)):] {
			rhs := int64(0)
			if x.Rounded() && !x.Missing[c] && !x.Missing[m[0]] {
				rhs = x.Value[m[0]] - x.Value[c]
			}
			x.relate([]int32{m[0], c}, []int32{1, -1}, rhs, -1, -1, i18n.T("%s = %s", x.Where(int(m[0])), x.Where(int(c))))
		}
	}
}

// roundedTo returns the unit to which the values of each source are rounded, 0 if exact; for a source that publishes no
// value, the finest unit of all.
func (x *joiner) roundedTo() []int64 {
	const open = -1
	unit, finest := make([]int64, len(x.sources)), int64(0)
	for k, s := range x.sources {
		unit[k] = open
		for i := range s.t.Len() {
			if s.hidden[i] {
				continue
			}
			if u := s.Table.RoundedTo(i) * table.Pow10(x.Decimals-s.Table.Decimals); unit[k] == open || u < unit[k] {
				unit[k] = u
			}
		}
		if u := unit[k]; u > 0 && (finest == 0 || u < finest) {
			finest = u
		}
	}
	for k, u := range unit {
		if u == open {
			unit[k] = finest
		}
	}
	return unit
}

// finish extends all slices to the number of cells.
func (x *joiner) finish() {
	x.unit = x.roundedTo()
	x.Rel.N = x.Len()
	if x.Rounding != nil {
		x.Rounding = append(x.Rounding, make([]int64, x.Len()-len(x.Rounding))...)
	}
	if !slices.Contains(x.Missing, true) {
		x.Missing = nil
	}
	if x.sources[0].t.Freq == nil {
		x.Freq = nil
		return
	}
	for i := range x.Freq {
		if x.slack(i) {
			x.Freq[i] = 0
		}
	}
}

// before finds the present cells in the latest earlier period.
func (x *joiner) before() {
	d := slices.IndexFunc(x.Dims, func(d table.Dimension) bool { return d.Name == Period })
	if d < 0 || d < x.dims {
		return
	}
	periods := x.periods(d)
	at := slices.Index(periods, x.sources[0].base[d])
	if at < 0 {
		return
	}
	coord := make([]int32, len(x.Dims))
	for i := range x.Present {
		x.sources[0].coord(coord, i)
		for p := at - 1; p >= 0; p-- {
			coord[d] = periods[p]
			g := x.groups[key(coord)]
			if g == nil || len(g.members()) == 0 {
				continue
			}
			c := g.members()[0]
			x.Before = append(x.Before, Mention{i, x.file(int(c)), g.told >= 0 && !x.Withheld[g.told]})
			break
		}
	}
}

// An Origin tells where a cell of a Joint comes from.
type Origin struct {
	Release *Release // the table it is in; nil: none
	Number  int      // number of that table: 0 is the present, k the k-th release, from 1
	Cell    int      // its index there
	Name    string   // its name there, or by all codes
	// Room is, for the slack cell of a bound on change, how readers call it; nil for all other cells. Nobody asks about
	// a slack cell.
	Room fmt.Stringer
}

// Origin tells where cell i comes from.
func (j *Joint) Origin(i int) Origin {
	o := Origin{Number: -1, Name: j.name(i), Room: j.rooms[i]}
	if from := j.origin[i]; from.k >= 0 {
		o.Release, o.Number, o.Cell = j.sources[from.k].Release, int(from.k), int(from.i)
	}
	return o
}

// slack reports whether cell i is the slack of a bound on change.
func (j *Joint) slack(i int) bool { return j.origin[i].k == -2 }

// Asked returns the withheld cells that somebody may ask about, that is, all but slack cells.
func (j *Joint) Asked() []int {
	cells := []int{}
	for i, w := range j.Withheld {
		if w && !j.slack(i) {
			cells = append(cells, i)
		}
	}
	return cells
}

// file returns the file that has cell i, "" for none.
func (j *Joint) file(i int) string {
	if k := j.origin[i].k; k >= 0 {
		return j.sources[k].File
	}
	return ""
}

// name returns the name of cell i in its table, or by all codes.
func (j *Joint) name(i int) string {
	if o := j.origin[i]; o.k >= 0 {
		return j.sources[o.k].Table.CellName(int(o.i))
	}
	if room := j.rooms[i]; room != nil {
		return room.String()
	}
	return j.CellName(i)
}

// Where returns the name of cell i in its table, with the file unless that is the present table's.
func (j *Joint) Where(i int) string {
	if f := j.file(i); f != "" && j.origin[i].k > 0 {
		return j.name(i) + " (" + f + ")"
	}
	return j.name(i)
}
