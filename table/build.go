package table

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// A Number is an optional number of a Record, possibly infinite (bounds only).
type Number struct {
	Decimal
	Set bool
	Inf int8 // ±1: infinite, Decimal is ignored
}

// Num returns a set, finite Number.
func Num(unscaled int64, scale int) Number {
	return Number{Decimal: Decimal{unscaled, scale}, Set: true}
}

// A Record is one cell as a reader found it. Build fills in the numbers that are not Set: bounds become 0 and +∞,
// levels 0, the cost ValueCost.
type Record struct {
	Line  int // line of the file, for messages
	Codes []string
	Value Number // not Set: withheld in a published table
	Freq  Number
	Cost  Number
	Status
	Reason          Reason
	LPL, UPL, Width Number
	Lower, Upper    Number
	Max             []Number
	Told            *Told // nil: nothing is known of contributors
}

// A RecordError says what is wrong with one record. Column is a field of a tidy file, the name of a
// dimension, or empty if the error concerns the record as a whole.
type RecordError struct {
	Record        int // index of the record
	Line          int
	Column, Value string
	Want          i18n.Text
}

func (e *RecordError) Error() string { return e.Message().String() }

// Message returns the text of e.
func (e *RecordError) Message() i18n.Text {
	if e.Column == "" {
		return i18n.T("line %d: %s: %s", e.Line, e.Value, e.Want)
	}
	return i18n.T("line %d: column %q: %s: %s", e.Line, e.Column, e.Value, e.Want)
}

// A buildIndex finds cells by their coordinates.
type buildIndex struct {
	stride []uint64
	dense  []int32          // cell+1 by key, if the product of the dimensions' sizes is small
	sparse map[uint64]int32 // otherwise
}

func newBuildIndex(dims []Dimension, n int) (*buildIndex, error) {
	x := &buildIndex{stride: make([]uint64, len(dims))}
	size := uint64(1)
	for d := len(dims) - 1; d >= 0; d-- {
		x.stride[d] = size
		k := uint64(len(dims[d].Codes))
		if size > 1<<62/k {
			return nil, i18n.Errorf("table: the dimensions span more than 2^62 cells")
		}
		size *= k
	}
	if size <= 8*uint64(n)+4096 {
		x.dense = make([]int32, size)
	} else {
		x.sparse = make(map[uint64]int32, n)
	}
	return x, nil
}

func (x *buildIndex) key(coord []int32) uint64 {
	k := uint64(0)
	for d, c := range coord {
		k += uint64(c) * x.stride[d]
	}
	return k
}

func (x *buildIndex) get(k uint64) int32 { // −1: no such cell
	if x.dense != nil {
		return x.dense[k] - 1
	}
	return x.sparse[k] - 1
}

func (x *buildIndex) put(k uint64, i int32) {
	if x.dense != nil {
		x.dense[k] = i + 1
	} else {
		x.sparse[k] = i + 1
	}
}

// Build makes a table over dims from its records, in their order.
//
// A code that no record uses, but a descendant of which is used, is an omitted margin: its cells are computed
// and follow the records. A cell that is absent although its codes are used is an empty cell: 0, published,
// and not part of the table. Relations are all margins over all dimensions. Build checks codes, duplicates,
// additivity (exactly, *AdditivityError) and Validate.
//
// At most 2^20 + 64·len(records) margins are computed. Errors about a single record are *RecordError. Cost
// O(records·dims) plus the margins computed.
func Build(name string, dims []Dimension, records []Record, counts bool) (*Table, error) {
	t, _, err := BuildFrom(name, dims, len(records), func(i int) *Record { return &records[i] }, counts, false)
	return t, err
}

// BuildFrom is Build for n records made on demand: at(i) is called several times for each i, and its result is used
// only until the next call.
//
// inexact accepts a table that does not add up, because of rounding, say. The difference of each sum is then assumed
// known to everybody and becomes the right-hand side of Σ coef·y = rhs, which never makes the intruder's intervals too
// wide. The violated relations are returned. A margin whose parts are all empty cells gets a relation of its own.
func BuildFrom(name string, dims []Dimension, n int, at func(i int) *Record, counts, inexact bool) (*Table, []*AdditivityError, error) {
	t := &Table{Name: name, Dims: dims, Counts: counts}
	if len(dims) == 0 || n == 0 {
		return nil, nil, i18n.Errorf("table %s: no cells", name)
	}
	if len(dims) > 6 {
		return nil, nil, i18n.Errorf("table %s: %d dimensions, want 1 to 6", name, len(dims))
	}
	if err := t.setScales(n, at); err != nil {
		return nil, nil, err
	}
	index, err := newBuildIndex(dims, n)
	if err != nil {
		return nil, nil, err
	}
	codes := make([]map[string]int32, len(dims))
	used := make([][]bool, len(dims))
	for d := range dims {
		codes[d] = sets.Places[int32](dims[d].Codes)
		used[d] = make([]bool, len(dims[d].Codes))
	}
	coord := make([]int32, len(dims))
	t.reserve(n)
	for r := range n {
		rec := at(r)
		if len(rec.Codes) != len(dims) {
			return nil, nil, &RecordError{r, rec.Line, "", fmt.Sprint(rec.Codes), i18n.T("want %d codes", len(dims))}
		}
		for d, code := range rec.Codes {
			c, ok := codes[d][code]
			if !ok {
				return nil, nil, &RecordError{r, rec.Line, dims[d].Name, strconv.Quote(code), i18n.T("not a code of this dimension")}
			}
			coord[d] = c
			used[d][c] = true
		}
		k := index.key(coord)
		if first := index.get(k); first >= 0 {
			line := rec.Line
			return nil, nil, &RecordError{r, line, "", t.CellName(int(first)),
				i18n.T("cell given twice, first on line %d; if lines are single units and no cells, make the table with hitoku tabulate", at(int(first)).Line)}
		}
		index.put(k, int32(r))
		t.Coord = append(t.Coord, coord...)
		if err := t.addRecord(rec); err != nil {
			return nil, nil, err
		}
	}
	if t.Missing != nil && !slices.Contains(t.Missing, true) {
		t.Missing = nil
	}
	given := false
	for i := range n { // before computed margins add up the costs of their parts
		if given = given || at(i).Cost.Set; !at(i).Cost.Set {
			c, ok := t.valueCost(i)
			if !ok {
				v := Decimal{t.Value[i], t.Decimals}
				return nil, nil, &RecordError{i, at(i).Line, "cost", `""`,
					i18n.T("the value %s, which stands for it, does not fit beside costs with %d decimals in 18 digits", v, t.CostDecimals)}
			}
			t.Cost[i] = c
		}
	}
	t.boundPublished()
	if err := t.computeMargins(index, used, n, at); err != nil {
		return nil, nil, err
	}
	for i := n; i < t.Len() && !given; i++ {
		t.Cost[i], _ = t.valueCost(i) // costs have no decimals of their own
	}
	bad := t.buildRelations(index, inexact)
	if !inexact && bad == nil {
		bad = t.CheckAdditive(1)
	} else if inexact {
		bad = append(bad, t.CheckAdditive(0)...)
	}
	if bad != nil && !inexact {
		return nil, nil, i18n.Errorf("table %s: %w", name, bad[0])
	}
	if err := t.takeResiduals(bad); err != nil {
		return nil, nil, i18n.Errorf("table %s: %w", name, err)
	}
	if err := t.Validate(); err != nil {
		return nil, nil, t.withLine(err, n, at)
	}
	return t, bad, nil
}

// boundPublished allows negative published values in a published table in which every withheld cell has its own lower
// bound. Then no cell needs the default lower bound 0, and a published value needs no bound at all.
func (t *Table) boundPublished() {
	if t.Missing == nil || t.Given == nil {
		return
	}
	shown := func(i int) bool { return t.Known(i) && (t.Status[i] == Safe || t.Status[i] == Published) }
	for i := range t.Value {
		if !shown(i) && t.Given[i]&LowerSide == 0 {
			return
		}
	}
	for i := range t.Value {
		if shown(i) && t.Given[i]&LowerSide == 0 {
			t.Lower[i] = min(t.Lower[i], t.Value[i])
		}
	}
}

// withLine turns a CellError about a given record into a RecordError.
func (t *Table) withLine(err error, n int, at func(i int) *Record) error {
	if e, ok := err.(*CellError); ok {
		for i := range n {
			if t.CellName(i) == e.Cell {
				return &RecordError{i, at(i).Line, e.Column, e.Value, e.Want}
			}
		}
	}
	return err
}

// setScales chooses Decimals and CostDecimals so that every number is exact.
func (t *Table) setScales(n int, at func(i int) *Record) error {
	for r := range n {
		rec := at(r)
		for _, v := range []*Number{&rec.Value, &rec.LPL, &rec.UPL, &rec.Width, &rec.Lower, &rec.Upper} {
			t.Decimals = max(t.Decimals, v.Scale)
		}
		for m := range rec.Max {
			t.Decimals = max(t.Decimals, rec.Max[m].Scale)
		}
		if rec.Told != nil {
			t.Decimals = max(t.Decimals, rec.Told.Absolute.Scale, rec.Told.Target.Scale)
		}
		t.CostDecimals = max(t.CostDecimals, rec.Cost.Scale)
	}
	t.CostDecimals = max(t.CostDecimals, t.Decimals)
	return nil
}

// reserve makes room for n cells in the columns that every table has; growing them cell by cell would take four times
// the memory.
func (t *Table) reserve(n int) {
	t.Coord = make([]int32, 0, n*len(t.Dims))
	t.Status = make([]Status, 0, n)
	for _, column := range []*[]int64{&t.Value, &t.Cost, &t.LPL, &t.UPL, &t.Width, &t.Lower, &t.Upper} {
		*column = make([]int64, 0, n)
	}
}

// addRecord appends one record to the columns.
func (t *Table) addRecord(rec *Record) error {
	var bad *RecordError
	i := len(t.Value)
	at := func(v Number, scale int, column string, unset int64) int64 {
		switch {
		case !v.Set:
			return unset
		case v.Inf > 0:
			return PosInf
		case v.Inf < 0:
			return NegInf
		}
		u, ok := v.At(scale)
		if !ok && bad == nil {
			bad = &RecordError{i, rec.Line, column, v.String(), i18n.T("does not fit beside numbers with %d decimals in 18 digits", scale)}
		}
		return u
	}
	t.Value = append(t.Value, at(rec.Value, t.Decimals, "value", 0))
	if !rec.Value.Set && t.Missing == nil {
		t.Missing = make([]bool, i, i+1)
	}
	sets.Extend(&t.Missing, !rec.Value.Set)
	if rec.Freq.Set && t.Freq == nil {
		t.Freq = make([]int64, i, i+1)
		for j := range t.Freq {
			t.Freq[j] = -1
		}
	}
	if t.Freq != nil {
		f := at(rec.Freq, 0, "freq", -1)
		if rec.Freq.Set && f < 0 {
			bad = &RecordError{i, rec.Line, "freq", rec.Freq.String(), i18n.T("frequencies must be ≥ 0")}
		}
		t.Freq = append(t.Freq, f)
	}
	for len(t.Max) < len(rec.Max) {
		t.Max = append(t.Max, make([]int64, i))
	}
	for m := range t.Max {
		v := int64(0)
		if m < len(rec.Max) {
			v = at(rec.Max[m], t.Decimals, "max"+strconv.Itoa(m+1), 0)
		}
		t.Max[m] = append(t.Max[m], v)
	}
	t.tell(rec.Told, at)
	t.Cost = append(t.Cost, at(rec.Cost, t.CostDecimals, "cost", 0))
	st := rec.Status
	if !rec.Value.Set && st == Safe {
		st = Withheld
	}
	t.Status = append(t.Status, st)
	if rec.Reason != NoReason && t.Reason == nil {
		t.Reason = make([]Reason, i, i+1)
	}
	sets.Extend(&t.Reason, rec.Reason)
	t.LPL = append(t.LPL, at(rec.LPL, t.Decimals, "lpl", 0))
	t.UPL = append(t.UPL, at(rec.UPL, t.Decimals, "upl", 0))
	t.Width = append(t.Width, at(rec.Width, t.Decimals, "spl", 0))
	t.Lower = append(t.Lower, at(rec.Lower, t.Decimals, "lower", 0))
	t.Upper = append(t.Upper, at(rec.Upper, t.Decimals, "upper", PosInf))
	var given uint8
	if rec.Lower.Set {
		given |= LowerSide
	}
	if rec.Upper.Set {
		given |= UpperSide
	}
	if t.Given == nil && given != 0 {
		t.Given = make([]uint8, i, i+1)
	}
	sets.Extend(&t.Given, given)
	if bad != nil {
		return bad
	}
	return nil
}

// maxCells bounds the cells of a table including its margins: a deep tree or many dimensions can turn a few cells into
// millions of sums.
func maxCells(records int) int { return min(1<<24, 1<<20+64*records) }

// computeMargins adds the cells of every margin code that no record uses, dimension by dimension and deepest codes
// first, so that a new cell is always the sum of existing ones. Cost O(cells·log cells) for each dimension that lacks a
// margin.
func (t *Table) computeMargins(index *buildIndex, used [][]bool, given int, at func(i int) *Record) error {
	k := len(t.Dims)
	for d := range t.Dims {
		dim := &t.Dims[d]
		leaf := dim.Leaves()
		lacks := func(h int) bool { return !used[d][h] && !leaf[h] }
		if !slices.ContainsFunc(dim.Parent, func(h int32) bool { return h >= 0 && lacks(int(h)) }) {
			continue
		}
		cells := t.byCode(d)
		children := make([][]int, len(dim.Codes))
		for c, h := range dim.Parent[1:] {
			children[h] = append(children[h], c+1)
		}
		var parts []int32
		for h := len(dim.Codes) - 1; h >= 0; h-- {
			if !lacks(h) {
				continue
			}
			parts = parts[:0]
			for _, c := range children[h] {
				parts = append(parts, cells[c]...)
			}
			slices.Sort(parts)
			n := t.Len()
			for _, p := range parts {
				i := int(p)
				if !t.Known(i) {
					return &RecordError{i, at(i).Line, "value", t.CellName(i),
						i18n.T("withheld, so the margin %q of %s, which has no rows, cannot be computed", dim.Codes[h], dim.Name)}
				}
				key := index.key(t.Coord[i*k:i*k+k]) + (uint64(h)-uint64(t.Coord[i*k+d]))*index.stride[d]
				m := int(index.get(key))
				if m < 0 && t.Len() == maxCells(given) {
					return i18n.Errorf("table %s: %d cells make more than %d with the margins of the trees of their codes; leave levels out, or give a table of margins", t.Name, given, t.Len())
				}
				if m < 0 {
					m = t.appendMargin(i, d, int32(h))
					index.put(key, int32(m))
				}
				if err := t.addTo(m, i); err != nil {
					return err
				}
			}
			for m := n; m < t.Len(); m++ {
				cells[h] = append(cells[h], int32(m))
			}
			used[d][h] = t.Len() > n
		}
	}
	return nil
}

// byCode returns the cells of each code of dimension d, ascending.
func (t *Table) byCode(d int) [][]int32 {
	k := len(t.Dims)
	count := make([]int, len(t.Dims[d].Codes))
	for i := range t.Len() {
		count[t.Coord[i*k+d]]++
	}
	all := make([]int32, t.Len())
	cells := make([][]int32, len(count))
	for c, n := range count {
		cells[c], all = all[:0:n], all[n:]
	}
	for i := range t.Len() {
		c := t.Coord[i*k+d]
		cells[c] = append(cells[c], int32(i))
	}
	return cells
}

// appendMargin appends an empty cell with the coordinates of cell i, except code h in dimension d, and returns it.
func (t *Table) appendMargin(i, d int, h int32) int {
	k, m := len(t.Dims), t.Len()
	t.Coord = append(t.Coord, t.Coord[i*k:i*k+k]...)
	t.Coord[m*k+d] = h
	t.Value = append(t.Value, 0)
	sets.Extend(&t.Missing, false)
	sets.Extend(&t.Freq, 0)
	for r := range t.Max {
		t.Max[r] = append(t.Max[r], 0)
	}
	if t.Contributors != nil {
		t.Contributors.grow(m+1, nil)
	}
	t.Cost = append(t.Cost, 0)
	t.Status = append(t.Status, Safe)
	sets.Extend(&t.Reason, NoReason)
	t.LPL, t.UPL, t.Width = append(t.LPL, 0), append(t.UPL, 0), append(t.Width, 0)
	t.Lower, t.Upper = append(t.Lower, 0), append(t.Upper, PosInf)
	sets.Extend(&t.Given, 0)
	return m
}

// addTo adds the value, contributors, cost and bounds of cell i to margin m;
// the largest contributions of a margin are the largest of its parts.
func (t *Table) addTo(m, i int) error {
	var ok bool
	if t.Value[m], ok = addExact(t.Value[m], t.Value[i]); !ok || num.Abs(t.Value[m]) > maxMagnitude {
		return i18n.Errorf("table %s: margin %s: %w", t.Name, t.CellName(m), ErrOutOfRange)
	}
	if t.Freq != nil {
		if t.Freq[m] < 0 || t.Freq[i] < 0 {
			t.Freq[m] = -1
		} else if t.Freq[m], ok = addExact(t.Freq[m], t.Freq[i]); !ok {
			return i18n.Errorf("table %s: contributors of margin %s: %w", t.Name, t.CellName(m), ErrOutOfRange)
		}
	}
	if t.Cost[m], ok = addExact(t.Cost[m], t.Cost[i]); !ok {
		t.Cost[m] = maxMagnitude
	}
	if len(t.Max) > 0 {
		all := make([]int64, 0, 2*len(t.Max))
		for r := range t.Max {
			all = append(all, t.Max[r][m], t.Max[r][i])
		}
		slices.SortFunc(all, func(a, b int64) int { return int(min(1, max(-1, b-a))) })
		for r := range t.Max {
			t.Max[r][m] = all[r]
		}
	}
	if c := t.Contributors; c != nil && c.Waived != nil {
		c.Waived[m] += c.Waived[i]
		c.Target[m] = max(c.Target[m], c.Target[i])
	}
	if t.Lower[i] == NegInf || t.Lower[m] == NegInf {
		t.Lower[m] = NegInf
	} else if t.Lower[m], ok = addExact(t.Lower[m], t.Lower[i]); !ok {
		t.Lower[m] = NegInf
	}
	return nil
}

// buildRelations sets t.Rel: in each dimension, each margin code gives one relation for every combination of codes of
// the other dimensions. They are ordered by dimension, then by margin cell. A margin whose parts are all empty cells
// has no relation and must be 0; the first that is not is returned. If inexact, each such margin gets a relation that
// fixes it, and all are returned.
func (t *Table) buildRelations(index *buildIndex, inexact bool) (bad []*AdditivityError) {
	k, n := len(t.Dims), t.Len()
	r := NewRelations(n)
	t.Rel = r
	part := make([]int32, n) // margin of each cell, −1 none
	start := make([]int32, n+2)
	for d := range t.Dims {
		dim := &t.Dims[d]
		leaf := dim.Leaves()
		var orphans map[uint64][]int32 // parts whose margin is an empty cell
		var keys []uint64
		clear(start)
		for i := range n {
			part[i] = -1
			c := t.Coord[i*k+d]
			h := dim.Parent[c]
			if h < 0 {
				continue
			}
			key := index.key(t.Coord[i*k:i*k+k]) + (uint64(h)-uint64(c))*index.stride[d]
			m := index.get(key)
			if m < 0 {
				if orphans == nil {
					orphans = map[uint64][]int32{}
				}
				if orphans[key] == nil {
					keys = append(keys, key)
				}
				orphans[key] = append(orphans[key], int32(i))
				continue
			}
			part[i] = m
			start[m+2]++
		}
		for m := range n {
			start[m+2] += start[m+1]
		}
		parts := make([]int32, start[n+1])
		r.Cell, r.Coef = slices.Grow(r.Cell, len(parts)), slices.Grow(r.Coef, len(parts))
		for i := range n {
			if m := part[i]; m >= 0 {
				parts[start[m+1]] = int32(i)
				start[m+1]++
			}
		}
		var cell, coef []int32
		add := func(margin int32, parts []int32) {
			cell, coef = cell[:0], coef[:0]
			if margin >= 0 {
				cell, coef = append(cell, margin), append(coef, -1)
			}
			for _, i := range parts {
				cell, coef = append(cell, i), append(coef, 1)
			}
			r.Add(cell, coef, 0)
			r.Dim, r.Margin = append(r.Dim, int8(d)), append(r.Margin, margin)
		}
		for m := range n {
			if start[m+1] > start[m] {
				add(int32(m), parts[start[m]:start[m+1]])
			} else if !leaf[t.Coord[m*k+d]] && t.Known(m) && t.Value[m] != 0 {
				e := &AdditivityError{Index: -1, Margin: m, Dim: dim.Name, Relation: i18n.T("%s = sum over %s", t.CellName(m), dim.Name),
					Want: FormatDecimal(t.Value[m], t.Decimals), Got: "0"}
				if !inexact {
					return []*AdditivityError{e}
				}
				e.Index = r.Len()
				r.Add([]int32{int32(m)}, []int32{-1}, -t.Value[m])
				r.Dim, r.Margin = append(r.Dim, int8(d)), append(r.Margin, int32(m))
				bad = append(bad, e)
			}
		}
		for _, key := range keys {
			add(-1, orphans[key])
		}
	}
	return bad
}

// takeResiduals adjusts the right-hand sides of the violated relations so that they hold.
func (t *Table) takeResiduals(bad []*AdditivityError) error {
	for _, e := range bad {
		v, zero := t.Rel.Residual(e.Index, t.Value)
		if zero {
			continue
		}
		v.Add(v, big.NewInt(t.Rel.RHS[e.Index]))
		if !v.IsInt64() || num.Abs(v.Int64()) > maxMagnitude {
			return e
		}
		t.Rel.RHS[e.Index] = v.Int64()
	}
	return nil
}

// FromRelations completes a table without dimensions whose columns are ready, as JJ files give them: it checks
// additivity and Validate. The result shares t's slices.
func FromRelations(t *Table) (*Table, error) {
	if bad := t.CheckAdditive(1); bad != nil {
		return nil, i18n.Errorf("table %s: %w", t.Name, bad[0])
	}
	if err := t.Validate(); err != nil {
		return nil, err
	}
	return t, nil
}
