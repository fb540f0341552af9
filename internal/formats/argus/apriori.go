package argus

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/records"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// An aprioriAction is what a line of an a-priori file does to a cell.
type aprioriAction string

// The actions.
const (
	makeSafe      aprioriAction = "S"
	makeUnsafe    aprioriAction = "U"  // levels may stand behind it
	makeProtected aprioriAction = "P"  // must stay published
	makeSecondary aprioriAction = "M"  // withheld, needs no protection
	makeLinked    aprioriAction = "ML" // like M, where a linked table withholds the cell
	setCost       aprioriAction = "C"  // also written W
	setLevels     aprioriAction = "PL" // lower and upper protection level, or one for both
	setBounds     aprioriAction = "AB" // the intruder's bounds: lower and upper
)

// An aprioriLine is one line of an a-priori file.
type aprioriLine struct {
	Line   int
	Codes  []string // in the order of the table's dimensions; "" stands for the total
	does   aprioriAction
	Values []table.Decimal
	bad    error // why the line cannot be read
}

// Apriori is the content of a .hst file.
type Apriori struct {
	File  string
	lines []aprioriLine
}

// ReadApriori reads a .hst file for a table of dims dimensions.
func ReadApriori(path, separator string, dims int, encoding string) (*Apriori, error) {
	h, err := ReadAprioriLines(path, separator, dims, encoding)
	if err != nil {
		return nil, err
	}
	return h.sound()
}

// ReadAprioriLines is ReadApriori, but accepts lines whose action or numbers cannot be read. Apply treats such
// a line as one that cannot be applied.
func ReadAprioriLines(path, separator string, dims int, encoding string) (*Apriori, error) {
	f, err := formats.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readApriori(f, path, separator, dims, encoding)
}

// sound returns h, or the error of its first line that cannot be read.
func (h *Apriori) sound() (*Apriori, error) {
	for n := range h.lines {
		if h.lines[n].bad != nil {
			return nil, h.lines[n].bad
		}
	}
	return h, nil
}

// readApriori reads an a-priori file from r, called file in messages. Each line holds the codes of a cell, an
// action and its arguments. If separator is empty, it is whichever of semicolon, comma and tab is most frequent
// on the first line.
func readApriori(r io.Reader, file, separator string, dims int, encoding string) (*Apriori, error) {
	if len(separator) > 1 || separator == `"` {
		return nil, i18n.Errorf("separator %s of an a-priori file: want one ASCII character, and not a quote", formats.Show(separator))
	}
	h := &Apriori{File: file}
	err := eachLine(r, file, encoding, false, func(line int, text string) error {
		if separator == "" {
			separator = string(records.Commonest(text, ";,\t"))
		}
		fields, err := splitFields(nil, file, line, text, separator[0])
		if err != nil {
			return err
		}
		if len(h.lines) == 0 && len(fields) == 1 {
			return fault(file, line, formats.Show(text), "without the separator %s", formats.Show(separator))
		}
		for len(fields) > dims+1 && Code(fields[len(fields)-1]) == "" {
			fields = fields[:len(fields)-1] // drop empty fields at the end
		}
		if len(fields) <= dims {
			return fault(file, line, formats.Show(text), "%d fields, want %d codes and an action", len(fields), dims)
		}
		a := aprioriLine{Line: line, Codes: make([]string, dims)}
		for d := range dims {
			a.Codes[d] = Code(fields[d])
		}
		a.bad = a.action(file, fields[dims], fields[dims+1:])
		h.lines = append(h.lines, a)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return h, nil
}

// action reads the fields after the codes: the action and its arguments.
func (a *aprioriLine) action(file, word string, rest []string) error {
	a.does = aprioriAction(strings.ToUpper(Code(word)))
	if a.does == "W" {
		a.does = setCost
	}
	least, most := 0, 0
	switch a.does {
	case makeSafe, makeProtected, makeSecondary, makeLinked:
	case makeUnsafe:
		most = 2
	case setCost:
		least, most = 1, 1
	case setLevels:
		least, most = 1, 2
	case setBounds:
		least, most = 2, 2
	default:
		return fault(file, a.Line, formats.Show(Code(word)), "no such action; want S, U, P, M, ML, C, W, PL or AB")
	}
	if n := len(rest); n < least || n > most || a.does == makeUnsafe && n == 1 {
		want := i18n.T("%d", most)
		if a.does == makeUnsafe {
			want = i18n.T("none, or a lower and an upper level")
		}
		return fault(file, a.Line, string(a.does), "%d numbers behind it, want %s", n, want)
	}
	for _, s := range rest {
		v, err := table.ParseDecimal(s)
		switch {
		case err != nil:
			return fault(file, a.Line, formats.Show(Code(s)), "%v", err)
		case a.does == setCost && v.Unscaled < 0:
			return fault(file, a.Line, formats.Show(Code(s)), "costs must be ≥ 0")
		case a.does == setCost && v.Unscaled == 0:
			v = table.Decimal{Unscaled: 1} // as in τ-ARGUS, where a cost of 0 counts as none given
		case a.does != setBounds && v.Unscaled < 0:
			return fault(file, a.Line, formats.Show(Code(s)), "protection levels must be ≥ 0")
		}
		a.Values = append(a.Values, v)
	}
	if a.does == setLevels && len(a.Values) == 1 {
		a.Values = append(a.Values, a.Values[0])
	}
	if a.does == setBounds && less(a.Values[1], a.Values[0]) {
		return fault(file, a.Line, string(a.does), "the lower bound %s is above the upper one %s", a.Values[0], a.Values[1])
	}
	return nil
}

// AprioriOptions are the last two arguments of <APRIORI>, and what Apply must know of the table.
type AprioriOptions struct {
	// Ignore skips lines that cannot be applied, instead of failing.
	Ignore bool
	// Expand repeats a change along chains of codes with one child each, since these stand for the same cell.
	Expand bool
	// Trees are the dimensions with all their codes. Cells with a code that the table lacks are empty ones.
	// Nil: there are no such codes.
	Trees []table.Dimension
	// Manual is the protection level of unsafe cells for which no line gives one, whether a line or the table
	// makes them unsafe. Nil: later rules set it.
	Manual *table.Level
}

// Apply changes t line by line and returns how many cells changed. A line that cannot be applied is an error
// or, with Ignore, is skipped and its error returned in skipped.
//
// A cell can be made safe from any status but empty and withheld; unsafe if it is safe or unsafe; protected or
// withheld if it is safe. Empty cells, which are published cells of value 0, cannot be changed; a cost for such
// a cell is ignored.
//
// A lower protection level is cut to the value, since an intruder knows that the cell is not negative.
func (h *Apriori) Apply(t *table.Table, o AprioriOptions) (changed int, skipped []error, err error) {
	at := cellIndex(t)
	chains := make([][][]string, len(t.Dims)) // for each code of a dimension, the codes of the same cells
	index := make([]map[string]int, len(t.Dims))
	for d := range t.Dims {
		index[d] = sets.Places[int](t.Dims[d].Codes)
		chains[d] = chainsOf(&t.Dims[d], o.Expand)
	}
	for d, tree := range o.Trees {
		for _, code := range tree.Codes {
			if _, ok := index[d][code]; !ok {
				index[d][code] = -1
			}
		}
	}
	c := t.Clone() // so that t is unchanged if a line fails
	bare := false
	given := map[int]bool{} // cells whose levels were last set by a line
	for n := range h.lines {
		a := &h.lines[n]
		cells, err := []int(nil), a.bad
		if err == nil {
			cells, err = h.cells(c, a, at, index, chains)
		}
		if err == nil {
			err = h.change(c, a, cells)
		}
		if err != nil && !o.Ignore {
			return 0, nil, err
		}
		if err != nil {
			skipped = append(skipped, err)
			continue
		}
		changed += len(cells)
		bare = bare || a.does == makeUnsafe && len(a.Values) == 0
		if a.does == makeUnsafe || a.does == setLevels {
			for _, i := range cells {
				given[i] = len(a.Values) > 0
			}
		}
	}
	if bare && o.Manual != nil {
		if err := h.manual(c, o.Manual, given); err != nil {
			return 0, nil, err
		}
	}
	*t = *c
	return changed, skipped, nil
}

// manual sets the level of unsafe cells that have none, except those whose levels, even if 0, a line has given.
func (h *Apriori) manual(t *table.Table, level *table.Level, given map[int]bool) error {
	type levels struct{ cell, lpl, upl int64 }
	var keep []levels
	for i, is := range given {
		if is {
			keep = append(keep, levels{int64(i), t.LPL[i], t.UPL[i]})
		}
	}
	before := t.Decimals
	if err := t.SetLevels(table.Levels{LPL: level, UPL: level}); err != nil {
		return fault(h.File, 0, "", "%v", err)
	}
	f := table.Pow10(t.Decimals - before) // SetLevels may have rescaled all numbers of t
	for _, k := range keep {
		t.LPL[k.cell], t.UPL[k.cell] = k.lpl*f, k.upl*f
	}
	return nil
}

// chainsOf returns for every code all codes that have the same cells: with expand, its ancestors for as long as
// each has only one child, and likewise its descendants.
func chainsOf(d *table.Dimension, expand bool) [][]string {
	children := make([]int, len(d.Codes))
	for _, p := range d.Parent[1:] {
		children[p]++
	}
	head := make([]int, len(d.Codes)) // the top code of the chain
	of := make(map[int][]string, len(d.Codes))
	for i, p := range d.Parent {
		head[i] = i
		if expand && p >= 0 && children[p] == 1 {
			head[i] = head[p]
		}
		of[head[i]] = append(of[head[i]], d.Codes[i])
	}
	return sets.List(len(d.Codes), func(i int) []string { return of[head[i]] })
}

// cells returns the cells that a line changes, beginning with the one that it names.
func (h *Apriori) cells(t *table.Table, a *aprioriLine, at map[string]int, index []map[string]int, chains [][][]string) ([]int, error) {
	codes := make([]string, len(t.Dims))
	if len(a.Codes) != len(codes) {
		return nil, fault(h.File, a.Line, fmt.Sprintf("%d codes", len(a.Codes)), "want %d for this table", len(codes))
	}
	all := [][]string{nil}
	for d, code := range a.Codes {
		if code == "" {
			code = t.Dims[d].Total()
		}
		c, ok := index[d][code]
		if !ok {
			return nil, &formats.Error{File: h.File, Line: a.Line, Field: t.Dims[d].Name, Value: formats.Show(code), Want: i18n.T("not a code of this dimension")}
		}
		codes[d] = code
		if c < 0 {
			continue
		}
		var more [][]string
		for _, prefix := range all {
			for _, s := range chains[d][c] {
				more = append(more, append(slices.Clone(prefix), s))
			}
		}
		all = more
	}
	first, ok := at[cellKey(codes)]
	if !ok && a.does == setCost {
		return nil, nil
	}
	if !ok {
		return nil, fault(h.File, a.Line, strings.Join(codes, "/"), "an empty cell, which cannot be changed")
	}
	cells := []int{first}
	for _, c := range all {
		if i, ok := at[cellKey(c)]; ok && i != first {
			cells = append(cells, i)
		}
	}
	return cells, nil
}

// change applies a line to all of cells, or to none.
func (h *Apriori) change(t *table.Table, a *aprioriLine, cells []int) error {
	for _, i := range cells {
		bad := func(want string, args ...any) error { return fault(h.File, a.Line, t.CellName(i), want, args...) }
		st := t.Status[i]
		switch {
		case a.does == setCost && st == table.Published:
		case st == table.Published && t.Known(i) && t.Value[i] == 0:
			return bad("an empty cell, which cannot be changed")
		case a.does == makeSafe && st == table.Withheld:
			return bad("withheld already, cannot become safe")
		case a.does == makeUnsafe && st != table.Safe && st != table.Sensitive:
			return bad("has status %s, only safe and unsafe cells can become unsafe", st)
		case (a.does == makeProtected || a.does == makeSecondary || a.does == makeLinked) && st != table.Safe:
			return bad("has status %s, only a safe cell can become %s", st, a.does)
		case a.does == makeSafe && !t.Known(i), a.does == makeProtected && !t.Known(i):
			return bad("has no value to publish")
		}
	}
	scale := t.Decimals
	if a.does == setCost {
		scale = t.CostDecimals
	}
	for _, v := range a.Values {
		scale = max(scale, v.Scale)
	}
	rescale := t.Rescale
	if a.does == setCost {
		rescale = func(d int) error { return rescaleCosts(t, d) }
	}
	if err := rescale(scale); err != nil {
		return fault(h.File, a.Line, "", "%v", err)
	}
	values := make([]int64, len(a.Values))
	for k, v := range a.Values {
		var ok bool
		if values[k], ok = v.At(scale); !ok {
			return fault(h.File, a.Line, v.String(), "does not fit beside numbers with %d decimals in 18 digits", scale)
		}
	}
	if a.does == setBounds {
		for _, i := range cells {
			if t.Known(i) && (t.Value[i] < values[0] || t.Value[i] > values[1]) {
				return fault(h.File, a.Line, t.CellName(i), "the bounds do not hold its value %s", table.FormatDecimal(t.Value[i], t.Decimals))
			}
		}
	}
	for _, i := range cells {
		switch a.does {
		case makeSafe:
			t.Status[i] = table.Safe
			setReason(t, i, table.NoReason)
			t.LPL[i], t.UPL[i], t.Width[i] = 0, 0, 0
		case makeUnsafe:
			t.Status[i] = table.Sensitive
			setReason(t, i, table.ByManual)
			if len(values) == 2 {
				t.LPL[i], t.UPL[i] = cutAt(t, i, values[0]), values[1]
			} else {
				t.LPL[i], t.UPL[i], t.Width[i] = 0, 0, 0
			}
		case makeProtected:
			t.Status[i] = table.Published
		case makeSecondary, makeLinked:
			t.Status[i] = table.Withheld
		case setCost:
			t.Cost[i] = values[0]
		case setLevels:
			t.LPL[i], t.UPL[i] = cutAt(t, i, values[0]), values[1]
		case setBounds:
			t.Lower[i], t.Upper[i] = values[0], values[1]
			t.Give(i, table.LowerSide|table.UpperSide)
		}
	}
	return nil
}

// cutAt returns the lower level for cell i, which is at most its value.
func cutAt(t *table.Table, i int, level int64) int64 {
	if !t.Known(i) {
		return level
	}
	return min(level, num.Abs(t.Value[i]))
}

// setReason records why cell i is sensitive, in a table that has reasons.
func setReason(t *table.Table, i int, why table.Reason) {
	if t.Reason != nil {
		t.Reason[i] = why
	}
}

// rescaleCosts converts the costs of t to d decimals.
func rescaleCosts(t *table.Table, d int) error {
	if d <= t.CostDecimals {
		return nil
	}
	f := table.Pow10(d - t.CostDecimals)
	for _, c := range t.Cost {
		if c > 1e18/f {
			return i18n.Errorf("cost %s with %d decimals: %w", table.FormatDecimal(c, t.CostDecimals), d, table.ErrOutOfRange)
		}
	}
	for i := range t.Cost {
		t.Cost[i] *= f
	}
	t.CostDecimals = d
	return nil
}
