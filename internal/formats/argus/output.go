package argus

import (
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// The output types of <WRITETABLE>.
const (
	Matrix       = 1 // CSV, with one block for each layer
	Pivot        = 2 // one line for each cell, with the names of the columns
	CodeValue    = 3 // one line for each cell
	SBS          = 4 // one line for each cell with its contributors, status letter and shares
	Intermediate = 5 // a table that can be read again
	JJ           = 6
	CellKey      = 7 // one line for each cell with the noise of the cell key method (WriteCellKeyed)
)

// An Output is an output type with its options, each of which is shown with its name in τ-ARGUS.
type Output struct {
	Type          int
	AddStatus     bool // AS: true values, each with its status
	SuppressEmpty bool // SE: no lines for empty cells
	FirstLine     bool // FL: names of the columns on the first line
	Quote         bool // QU: quotes around codes and names
	Levels        bool // HL: the level after each code, in SBS
	StatusOnly    bool // SO: neither shadow values nor largest contributions, in Intermediate
	Audit         bool // AR: the intervals WriteOptions.Realized, in Intermediate
	Holdings      bool // HI: contributors must be holdings, in Intermediate
	Trivial       bool // TR: no margins with a single part, in JJ
	Original      bool // AO: true values, in CellKey
	Difference    bool // AD: the noise, in CellKey
	Key           bool // AC: cell keys, in CellKey
}

// ParseOutput reads the second and third argument of <WRITETABLE>: a type, and options such as AS+QU-, or in
// their place the number that old versions used. Options not mentioned are off, except quotes and, in Pivot,
// the names on the first line.
func ParseOutput(kind int, options string) (Output, error) {
	o := Output{Type: kind, Quote: true, FirstLine: kind == Pivot}
	if kind < Matrix || kind > CellKey {
		return o, i18n.Errorf("output type %d, want 1 (matrix), 2 (pivot), 3 (code-value), 4 (SBS), 5 (intermediate), 6 (JJ) or 7 (cell key method)", kind)
	}
	s := strings.ToUpper(strings.Map(func(r rune) rune {
		if r == ' ' || r == '\t' || r == '"' {
			return -1
		}
		return r
	}, options))
	if len(s) == 1 && s[0] >= '0' && s[0] <= '3' {
		n := int(s[0] - '0')
		switch kind {
		case Pivot, CodeValue:
			o.AddStatus, o.SuppressEmpty = n&1 != 0, n&2 != 0
		case SBS:
			o.Levels = n&1 != 0
		case Intermediate:
			o.StatusOnly = n == 0
		}
		return o, nil
	}
	for ; s != ""; s = s[3:] {
		if len(s) < 3 || s[2] != '+' && s[2] != '-' {
			return o, i18n.Errorf("options %s: want two letters and + or -, like AS+QU-", formats.Show(options))
		}
		on := s[2] == '+'
		switch s[:2] {
		case "AS":
			o.AddStatus = on
		case "SE":
			o.SuppressEmpty = on
		case "FL":
			o.FirstLine = on || kind == Pivot
		case "QU":
			o.Quote = on
		case "HL":
			o.Levels = on
		case "SO":
			o.StatusOnly = on
		case "AR":
			o.Audit = on
		case "HI":
			o.Holdings = on
		case "TR":
			o.Trivial = on
		case "AO", "AD", "AC":
			if on && kind != CellKey {
				return o, i18n.Errorf("option %s+: of output type 7, which holds the noise of the cell key method", s[:2])
			}
			*map[string]*bool{"AO": &o.Original, "AD": &o.Difference, "AC": &o.Key}[s[:2]] = on
		default:
			return o, i18n.Errorf("option %s: want AS, SE, FL, QU, HL, SO, AR, HI, TR, AO, AD or AC", formats.Show(s[:2]))
		}
	}
	return o, nil
}

// maxOutput is the largest number of cells that an output lists, including empty ones.
const maxOutput = 1 << 24

// WriteOutput writes t to path in one of τ-ARGUS's output types. pattern marks the cells to withhold; nil:
// those with a withholding status. Without AddStatus, types 1 to 3 show x for withheld cells. SBS, AddStatus
// and types 5 and 6 show the true values of withheld cells: such files are for the office only.
//
// Cells are in the order of the trees, totals first, the last dimension fastest, including empty ones unless
// these are suppressed. As in τ-ARGUS a cell has 1 contributor if the table does not tell the number.
func WriteOutput(path string, t *table.Table, pattern []bool, out Output, o WriteOptions) error {
	switch out.Type {
	case CellKey:
		return i18n.Errorf("output type 7 is for tables with the noise of the cell key method, which batch files make")
	case Intermediate:
		return writeIntermediate(path, t, pattern, o, out)
	case JJ:
		u := withholding(t, pattern)
		if out.Trivial {
			var err error
			if u, err = collapse(u); err != nil {
				return err
			}
		}
		return formats.Save(path, func(w io.Writer) error { return formats.WriteJJ(o.ended(w), u) })
	}
	p, err := newPrinter(t, pattern, out, o)
	if err != nil {
		return err
	}
	content, err := p.text()
	if err != nil {
		return err
	}
	save := func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	}
	if o.Behind == nil && (out.AddStatus || out.Type == SBS) { // such files are the office's own
		return formats.Save(path, save)
	}
	withheld := make([]bool, t.Len())
	for i := range withheld {
		st := p.o.status(t, i, pattern)
		withheld[i] = st != 1 && st != 10 && st != 14
	}
	return formats.SavePublished((&formats.Input{Table: t, Behind: o.Behind}), path, withheld, save)
}

// withholding returns t with the statuses of the cells that the pattern withholds set accordingly.
func withholding(t *table.Table, pattern []bool) *table.Table {
	if pattern == nil {
		return t
	}
	t = t.Clone()
	for i, x := range pattern {
		if x && t.Status[i] == table.Safe {
			t.Status[i] = table.Withheld
		}
	}
	return t
}

// printer writes types 1 to 4.
type printer struct {
	t       *table.Table
	pattern []bool
	out     Output
	o       WriteOptions
	w       *text
	grid
	level   [][]int
	percent bool // a p%-rule is among the rules
	top     int  // number of largest contributions that τ-ARGUS keeps of a cell
	digits  int  // decimals of values
}

// A grid has one place for each combination of codes that an output lists, in row-major order.
type grid struct {
	dims []table.Dimension
	size []int
	at   []int32 // for each place, 1 plus the number of its cell; 0 where the table has no such cell
}

// newGrid puts the cells of t into the grid of dims, which must contain all codes of t.
func newGrid(t *table.Table, dims []table.Dimension) (grid, error) {
	g := grid{dims: dims}
	n := 1
	place := make([][]int, len(dims)) // for each dimension, the place in dims of each code of t
	for d := range dims {
		size := len(dims[d].Codes)
		if n *= size; n > maxOutput {
			return g, i18n.Errorf("table %s: more than %d combinations of codes, which this output lists; option SE+ leaves out the empty cells of types 2, 3 and 5", t.Name, maxOutput)
		}
		g.size = append(g.size, size)
		of := sets.Places[int](dims[d].Codes)
		place[d] = sets.Each(t.Dims[d].Codes, func(code string) int { return of[code] })
	}
	g.at = make([]int32, n)
	k := len(dims)
	for i := range t.Len() {
		at := 0
		for d := range k {
			at = at*g.size[d] + place[d][t.Coord[i*k+d]]
		}
		g.at[at] = int32(i + 1)
	}
	return g, nil
}

// codes sets code to the indices in dims of the codes of a place.
func (g *grid) codes(place int, code []int) {
	for d := len(g.size) - 1; d >= 0; d-- {
		code[d] = place % g.size[d]
		place /= g.size[d]
	}
}

func newPrinter(t *table.Table, pattern []bool, out Output, o WriteOptions) (*printer, error) {
	if len(t.Dims) == 0 {
		return nil, i18n.Errorf("table %s: no dimensions; a table of relations alone is written as JJ", t.Name)
	}
	p := &printer{t: t, pattern: pattern, out: out, o: o, digits: Decimals(t, o)}
	if o.Rules != nil {
		p.percent, p.top = len(o.Rules.PQ) > 0, kept(o.Rules)
	} else {
		p.percent, p.top = slices.Contains(t.Reason, table.ByPercent), len(t.Max)
	}
	dims := o.listed(t, out)
	var err error
	if p.grid, err = newGrid(t, dims); err != nil {
		return nil, err
	}
	for d := range dims {
		level := make([]int, p.size[d])
		for c, h := range dims[d].Parent {
			if h >= 0 && !dims[d].Flat() {
				level[c] = level[h] + 1
			}
		}
		p.level = append(p.level, level)
	}
	for i := range t.Len() {
		if st := p.o.status(t, i, pattern); !t.Known(i) && (out.AddStatus || out.Type == SBS || st == 1 || st == 10) {
			return nil, i18n.Errorf("table %s: cell %s has no value, which this output shows", t.Name, t.CellName(i))
		}
	}
	return p, nil
}

// kept returns how many of a cell's largest contributions τ-ARGUS keeps: as many as dominance and p% rules use,
// of holdings if a rule is about those.
func kept(r *table.Rules) int {
	records, holdings := (&table.Rules{Dominance: r.Dominance, PQ: r.PQ}).Top()
	if holdings > 0 {
		return holdings
	}
	return records
}

// decimals returns how many decimals the values of t need. The table may have more, for its levels.
func decimals(t *table.Table) int {
	n := t.Decimals
	for one := int64(10); n > 0; n-- {
		if slices.ContainsFunc(t.Value, func(v int64) bool { return v%one != 0 }) {
			break
		}
		one *= 10
	}
	return n
}

// text returns the whole output.
func (p *printer) text() ([]byte, error) {
	return lines(&p.o, func(w *text) {
		if p.w = w; p.out.Type == Matrix {
			p.matrix()
		} else {
			p.lines()
		}
	})
}

// value returns what types 1 to 3 show for place g of the grid, which may have no cell, and its status.
func (p *printer) value(g int, open bool) (string, int) {
	i := int(p.at[g]) - 1
	if i < 0 {
		return "-", 14
	}
	st := p.o.status(p.t, i, p.pattern)
	switch {
	case st == 14:
		return "-", st
	case !open && st != 1 && st != 10:
		return "x", st
	}
	return fixed(p.t.Value[i], p.t.Decimals, p.digits), st
}

// matrix writes type 1.
func (p *printer) matrix() {
	k := len(p.size)
	rows, columns := 1, p.size[k-1]
	if k > 1 {
		rows = p.size[k-2]
	}
	var header strings.Builder
	for c := range columns {
		header.WriteString("," + p.o.label(p.dims, k-1, c, p.out.Quote))
	}
	for g := 0; g < len(p.at); g += rows * columns {
		if k > 2 { // name the layer
			parts := make([]string, k-2)
			rest := g / (rows * columns)
			for d := k - 3; d >= 0; d-- {
				parts[d] = fmt.Sprintf("Var %d,", d+1) + p.o.label(p.dims, d, rest%p.size[d], p.out.Quote)
				rest /= p.size[d]
			}
			p.w.print(strings.Join(parts, ", "))
		}
		p.w.print(header.String())
		for r := range rows {
			var b strings.Builder
			if k > 1 {
				b.WriteString(p.o.label(p.dims, k-2, r, p.out.Quote))
			}
			for c := range columns {
				s, _ := p.value(g+r*columns+c, false)
				b.WriteString("," + s)
			}
			p.w.print(b.String())
		}
		if k > 1 {
			p.w.print("")
		}
	}
}

// lines writes types 2 to 4.
func (p *printer) lines() {
	k := len(p.size)
	if p.out.FirstLine && p.out.Type != SBS {
		names := sets.List(k, func(d int) string { return p.t.Dims[d].Name })
		names = append(names, responseName(p.t, p.o))
		if p.out.AddStatus {
			names = append(names, "Status")
		}
		if p.out.Quote {
			for n := range names {
				names[n] = `"` + strings.ReplaceAll(names[n], `"`, "'") + `"`
			}
		}
		p.w.print(strings.Join(names, ","))
	}
	code := make([]int, k)
	var b strings.Builder
	for g := range p.at {
		p.codes(g, code)
		s, st := p.value(g, p.out.AddStatus || p.out.Type == SBS)
		if st == 14 && (p.out.SuppressEmpty || p.out.Type == SBS) {
			continue
		}
		b.Reset()
		for d := range k {
			b.WriteString(p.o.label(p.dims, d, code[d], p.out.Quote) + ",")
			if p.out.Levels && p.out.Type == SBS {
				fmt.Fprintf(&b, "%d,", p.level[d][code[d]])
			}
		}
		b.WriteString(s)
		switch {
		case p.out.Type == SBS:
			b.WriteString(p.sbs(int(p.at[g])-1, st))
		case p.out.AddStatus:
			fmt.Fprintf(&b, ",%d", st)
		}
		p.w.print(b.String())
	}
}

// sbs returns the end of a line of type 4: number of contributors, status letter and, for some letters, the
// share of the largest contributions in the total. At most two contributions count; their shares are added up,
// or given one by one if there is a p% rule.
func (p *printer) sbs(i, st int) string {
	t := p.t
	freq := int64(1)
	switch {
	case t.Freq != nil && t.Freq[i] >= 0:
		freq = t.Freq[i]
	case t.Freq == nil && t.Counts:
		freq = t.Value[i]
	}
	s, shares := fmt.Sprintf(",%d,", freq), true
	switch {
	case st == 3 && p.percent:
		s += "F"
	case st == 3 && p.top > 1:
		s += "C"
	case st == 3 || st == 4 || st == 6 || st == 9:
		s += "B"
	default:
		shares = false
		s += map[int]string{1: "V", 10: "V", 5: "A", 11: "D"}[st]
	}
	if !shares {
		return s
	}
	unit, shadow := t.Decimals, t.Value
	if p.o.Shadow != nil {
		unit, shadow = p.o.ShadowDecimals, p.o.Shadow
	}
	part, whole := new(big.Int), new(big.Int)
	share := func(x ...int64) string { // in %, halves rounded away from 0 as on the machines τ-ARGUS runs on
		part.SetInt64(0)
		for _, v := range x {
			part.Add(part, big.NewInt(v))
		}
		part.Mul(part, big.NewInt(100))
		part.Mul(part, big.NewInt(table.Pow10(unit)))
		if whole.Mul(big.NewInt(shadow[i]), big.NewInt(table.Pow10(t.Decimals))).Sign() == 0 {
			return ",0.0"
		}
		return "," + new(big.Rat).SetFrac(part, whole).FloatString(1)
	}
	var x [2]int64
	for r := range min(2, p.top, len(t.Max)) {
		x[r] = t.Max[r][i]
	}
	if p.percent {
		return s + share(x[0]) + share(x[1])
	}
	return s + share(x[:]...)
}

// Decimals returns how many decimals outputs show of the values of t.
func Decimals(t *table.Table, o WriteOptions) int { return max(o.Decimals, decimals(t)) }
