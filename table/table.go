// Package table knows statistical tables: cells, dimensions with hierarchies,
// the additive relations between cells, statuses, costs, intruder's bounds and
// protection levels. It reads no files (see tableio) and solves nothing.
//
// Every number is exact. Values, levels and bounds are int64 multiples of
// 10^−Decimals, costs of 10^−CostDecimals; a table of counts has Decimals 0.
//
// The central idea is that every table, flat or hierarchical, linked or of several responses, is a list of cells a_0,
// …, a_{n−1} with relations M a = b between them; later steps know nothing else. [Build] makes a table from records and
// dimensions and checks that it adds up, [Link] joins tables that share cells. Rules (Hundepool and others, Statistical
// Disclosure Control, Wiley 2012) set Status and the levels; they compute in rational numbers.
package table

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// PosInf and NegInf stand for missing bounds.
const (
	PosInf = math.MaxInt64
	NegInf = math.MinInt64
)

// A Status says what may be done with a cell.
type Status uint8

const (
	Safe      Status = iota // may be withheld if that protects others
	Sensitive               // must be withheld and protected (primary suppression)
	Published               // must stay published
	Withheld                // already withheld, needs no protection itself
)

var statusLetters = [...]string{"s", "u", "z", "m"}

// String returns the letter of the status in tidy CSV and JJ files: s, u, z, m.
func (s Status) String() string {
	if int(s) < len(statusLetters) {
		return statusLetters[s]
	}
	return "Status(" + strconv.Itoa(int(s)) + ")"
}

// A Table holds n cells, each a row across its slices, and their relations. An optional slice is nil or of length n.
type Table struct {
	Name         string
	Decimals     int
	CostDecimals int

	Dims  []Dimension // empty for a table given by relations alone
	Coord []int32     // n×len(Dims): Coord[i*len(Dims)+d] indexes Dims[d].Codes

	Value   []int64
	Missing []bool    // optional: the value is unknown (a published table)
	Freq    []int64   // optional: number of contributors, −1 unknown
	Max     [][]int64 // optional: Max[r][i] is the (r+1)-st largest contribution
	// Contributors is optional: who they are, and which of them consented to disclosure.
	Contributors *Contributors
	Cost         []int64
	Status       []Status
	Reason       []Reason // optional: why a cell is sensitive

	LPL, UPL, Width []int64 // levels of sensitive cells; Width is the SPL of the literature
	Lower, Upper    []int64 // what the intruder knows beforehand: Lower ≤ y ≤ Upper
	// Given is optional: which bounds (LowerSide, UpperSide) belong to this cell alone, as a published interval does,
	// rather than to every cell. See SetBounds.
	Given []uint8

	// Rounding is optional: the value of cell i is rounded to a multiple of Rounding[i], so the true value is at most
	// half of it away; 0: exact. Relations hold for the true values, and Rel.RHS holds the differences of the rounded
	// ones. See Opened.
	Rounding []int64

	// Counts says that the values count units, so the intruder knows that they are integers.
	Counts bool
	// Strict asks for intervals wider than Width rather than at least as wide.
	Strict bool

	// Layers, if above 1, says that the table is a stack of that many tables with the same relations, one after
	// another: cell i is withheld in all of them or in none. See Stack.
	Layers int

	Rel *Relations
}

// Len returns the number of cells n.
func (t *Table) Len() int { return len(t.Value) }

// Known reports whether the value of cell i is known.
func (t *Table) Known(i int) bool { return t.Missing == nil || !t.Missing[i] }

// CellName returns the codes of cell i joined with "/", or its index in a table
// without dimensions.
func (t *Table) CellName(i int) string {
	if len(t.Dims) == 0 {
		return strconv.Itoa(i)
	}
	return strings.Join(t.CellCodes(i), "/")
}

// CellCodes returns the codes of cell i, one for each dimension; nil in a table without dimensions.
func (t *Table) CellCodes(i int) []string {
	k := len(t.Dims)
	if k == 0 {
		return nil
	}
	return sets.List(k, func(d int) string { return t.Dims[d].Codes[t.Coord[i*k+d]] })
}

// RelationName describes relation j: "II/Total = sum over REGION", the words
// of Relations.Names, or "relation 17" of one of which nothing is told.
func (t *Table) RelationName(j int) i18n.Text {
	r := t.Rel
	if name, ok := r.Names[j]; ok {
		return name
	}
	if r.Dim == nil || r.Dim[j] < 0 {
		return i18n.T("relation %d", j)
	}
	k, d := len(t.Dims), int(r.Dim[j])
	if r.Margin[j] >= 0 {
		return i18n.T("%s = sum over %s", t.CellName(int(r.Margin[j])), t.Dims[d].Name)
	}
	i := int(r.Cell[r.Ptr[j]])
	codes := t.CellCodes(i)
	codes[d] = t.Dims[d].Codes[t.Dims[d].Parent[t.Coord[i*k+d]]]
	return i18n.T("%s (empty) = sum over %s", strings.Join(codes, "/"), t.Dims[d].Name)
}

// PartSign returns the coefficient of the parts of relation j. The total is the margin, if the table names it, or else
// the only cell of its sign. 0: no cell is alone in its sign, or a coefficient is not ±1.
func (t *Table) PartSign(j int) int32 {
	cell, coef := t.Rel.Row(j)
	if t.Rel.Dim != nil && t.Rel.Dim[j] >= 0 {
		return 1
	}
	plus := 0
	for _, c := range coef {
		switch {
		case c == 1:
			plus++
		case c != -1:
			return 0
		}
	}
	switch {
	case plus == len(cell)-1:
		return 1
	case plus == 1:
		return -1
	}
	return 0
}

// IsMargin reports whether cell i is a margin: some coordinate is not a leaf. leaves is t.Leaves(). A table without
// dimensions has no margins.
func (t *Table) IsMargin(i int, leaves [][]bool) bool {
	k := len(t.Dims)
	for d := range k {
		if !leaves[d][t.Coord[i*k+d]] {
			return true
		}
	}
	return false
}

// Leaves returns Dimension.Leaves of every dimension.
func (t *Table) Leaves() [][]bool {
	return sets.List(len(t.Dims), func(d int) []bool { return t.Dims[d].Leaves() })
}

// CheckAdditive verifies every relation whose cells are all known, exactly, and
// returns the violated ones in order, at most limit of them (0: all).
func (t *Table) CheckAdditive(limit int) []*AdditivityError {
	var bad []*AdditivityError
	r := t.Rel
	for j := range r.Len() {
		cell, coef := r.Row(j)
		known := true
		for _, i := range cell {
			known = known && t.Known(int(i))
		}
		if !known {
			continue
		}
		v, zero := r.Residual(j, t.Value)
		if zero {
			continue
		}
		// Σ coef·y = rhs is read as parts = margin, the margin having coefficient −1.
		want := big.NewInt(r.RHS[j])
		margin, dim := -1, ""
		if r.Dim != nil && r.Dim[j] >= 0 {
			dim = t.Dims[r.Dim[j]].Name
		}
		if r.Margin != nil && r.Margin[j] >= 0 {
			margin = int(r.Margin[j])
			for s, i := range cell {
				if i == r.Margin[j] && coef[s] == -1 {
					want.Add(want, big.NewInt(t.Value[i]))
				}
			}
		}
		got := new(big.Int).Add(want, v)
		bad = append(bad, &AdditivityError{
			Index:    j,
			Margin:   margin,
			Dim:      dim,
			Relation: t.RelationName(j),
			Want:     FormatRat(new(big.Rat).SetInt(want), t.Decimals),
			Got:      FormatRat(new(big.Rat).SetInt(got), t.Decimals),
		})
		if len(bad) == limit {
			break
		}
	}
	return bad
}

// A CellError says what is wrong with one cell. Column is the field of a tidy
// file that it concerns.
type CellError struct {
	Cell, Column, Value string
	Want                i18n.Text
}

func (e *CellError) Error() string { return e.Message().String() }

// Message is the text of e.
func (e *CellError) Message() i18n.Text {
	return i18n.T("cell %s: column %q: %s: %s", e.Cell, e.Column, e.Value, e.Want)
}

// Validate checks what the solver and the intruder rely on: consistent lengths, levels and costs ≥ 0, Lower ≤ value ≤
// Upper for every known value, and that a cell without a value is withheld or sensitive. The first offending cell is
// returned as a *CellError. It does not check additivity.
func (t *Table) Validate() error {
	n := t.Len()
	lengths := []int{len(t.Cost), len(t.Status), len(t.LPL), len(t.UPL), len(t.Width), len(t.Lower), len(t.Upper), t.Rel.N}
	if t.Missing != nil {
		lengths = append(lengths, len(t.Missing))
	}
	if t.Freq != nil {
		lengths = append(lengths, len(t.Freq))
	}
	if t.Reason != nil {
		lengths = append(lengths, len(t.Reason))
	}
	if t.Rounding != nil {
		lengths = append(lengths, len(t.Rounding))
	}
	if t.Given != nil {
		lengths = append(lengths, len(t.Given))
	}
	for _, m := range t.Max {
		lengths = append(lengths, len(m))
	}
	lengths = append(lengths, t.Contributors.lengths()...)
	for _, l := range lengths {
		if l != n {
			return i18n.Errorf("table %s: %d values but a column of length %d", t.Name, n, l)
		}
	}
	if t.Layers > 1 {
		if err := t.validLayers(); err != nil {
			return err
		}
	}
	for i := range n {
		bad := func(column string, v int64, scale int, want i18n.Text) error {
			return &CellError{t.CellName(i), column, FormatDecimal(v, scale), want}
		}
		if err := t.checkContributors(i); err != nil {
			return err
		}
		switch {
		case t.Cost[i] < 0:
			return bad("cost", t.Cost[i], t.CostDecimals, i18n.T("costs must be ≥ 0"))
		case t.LPL[i] < 0:
			return bad("lpl", t.LPL[i], t.Decimals, i18n.T("protection levels must be ≥ 0"))
		case t.UPL[i] < 0:
			return bad("upl", t.UPL[i], t.Decimals, i18n.T("protection levels must be ≥ 0"))
		case t.Width[i] < 0:
			return bad("spl", t.Width[i], t.Decimals, i18n.T("protection levels must be ≥ 0"))
		case t.Rounding != nil && t.Rounding[i] < 0:
			return bad("value", t.Rounding[i], t.Decimals, i18n.T("a unit of rounding must be ≥ 0"))
		case t.Lower[i] > t.Upper[i]:
			return bad("lower", t.Lower[i], t.Decimals, i18n.T("want at most the upper bound %s", FormatDecimal(t.Upper[i], t.Decimals)))
		case !t.Known(i):
			if t.Status[i] != Withheld && t.Status[i] != Sensitive {
				return &CellError{t.CellName(i), "value", "missing", i18n.T("only a withheld cell may lack a value")}
			}
		case t.Value[i] < t.Lower[i]:
			return bad("value", t.Value[i], t.Decimals, i18n.T("below the intruder's lower bound %s; give a lower bound that holds for every cell", FormatDecimal(t.Lower[i], t.Decimals)))
		case t.Value[i] > t.Upper[i]:
			return bad("value", t.Value[i], t.Decimals, i18n.T("above the intruder's upper bound %s; give an upper bound that holds for every cell", FormatDecimal(t.Upper[i], t.Decimals)))
		}
	}
	return nil
}

// Unit returns the largest power of ten, at most 1, that divides all known values, in units of 10^−Decimals. Levels and
// contributions may have given the table more decimals than its values have; readers do not see those. Cost linear in
// the cells.
func (t *Table) Unit() int64 {
	unit := Pow10(t.Decimals)
	for i, v := range t.Value {
		for t.Known(i) && v%unit != 0 {
			unit /= 10
		}
	}
	return unit
}

// Rescale changes Decimals to d, which must not be smaller, so that levels with more decimals fit. If a number would
// overflow an int64, it fails and leaves t as it was.
func (t *Table) Rescale(d int) error {
	if d == t.Decimals {
		return nil
	}
	if d < t.Decimals || d > MaxDecimals {
		return i18n.Errorf("table %s: %d decimals, want %d to %d", t.Name, d, t.Decimals, MaxDecimals)
	}
	f := Pow10(d - t.Decimals)
	columns := append([][]int64{t.Value, t.LPL, t.UPL, t.Width, t.Lower, t.Upper, t.Rounding, t.Rel.RHS}, t.Max...)
	if c := t.Contributors; c != nil {
		columns = append(columns, c.Absolute, c.Target)
	}
	for _, c := range columns {
		for _, v := range c {
			if v != PosInf && v != NegInf && (v > maxMagnitude/f || v < -maxMagnitude/f) {
				return i18n.Errorf("table %s: %s with %d decimals: %w", t.Name, FormatDecimal(v, t.Decimals), d, ErrOutOfRange)
			}
		}
	}
	for _, c := range columns {
		for i, v := range c {
			if v != PosInf && v != NegInf {
				c[i] = v * f
			}
		}
	}
	t.Decimals = d
	return nil
}

// Clone returns a deep copy, except that Dims and the structure of Rel, which nobody modifies, are shared; RHS is
// copied.
func (t *Table) Clone() *Table {
	c := *t
	cp := func(s []int64) []int64 { return append([]int64(nil), s...) }
	c.Value, c.Cost, c.LPL, c.UPL, c.Width, c.Lower, c.Upper = cp(t.Value), cp(t.Cost), cp(t.LPL), cp(t.UPL), cp(t.Width), cp(t.Lower), cp(t.Upper)
	c.Freq, c.Rounding = cp(t.Freq), cp(t.Rounding)
	c.Missing = append([]bool(nil), t.Missing...)
	c.Status = append([]Status(nil), t.Status...)
	c.Reason = append([]Reason(nil), t.Reason...)
	c.Given = append([]uint8(nil), t.Given...)
	c.Max, c.Contributors = nil, t.Contributors.clone()
	for _, m := range t.Max {
		c.Max = append(c.Max, cp(m))
	}
	rel := *t.Rel
	rel.RHS = cp(t.Rel.RHS)
	c.Rel = &rel
	return &c
}
