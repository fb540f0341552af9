package table

import (
	"slices"
)

// An Intruder is what readers are assumed to know besides the published numbers, the sums and the bounds of cells: the
// model on which a verdict rests. The zero value knows nothing else.
type Intruder struct {
	// Beside: readers also see the other columns of a withheld cell: its status, levels, cost and, unless that is the
	// value itself, its number of contributors.
	Beside bool
	// Procedure: they know the office's procedure and draw conclusions from it.
	Procedure bool
	// Unit: everybody knows how many decimals the values have. Otherwise only the published numbers tell.
	Unit bool
	// Whole: intervals are taken over tables of whole multiples of Unit.
	Whole bool
	// Kind, Base (in units) and Steps describe values that were all rounded to multiples of Base: Kind is a verb of
	// package rounding, Steps how many multiples beyond the two nearest a value may go. Kind "": values are exact, or
	// rounded as Table.Rounding says, halves to either side.
	Kind  string
	Base  int64
	Steps int
}

// A Publication is a table as its readers have it, with the Intruder assumed. It cannot hold anything unpublished:
// neither the values of withheld cells, their decimals and contributions, nor their share in the differences of rounded
// sums. Two tables with the same published content make the same Publication, so nothing computed from it can tell them
// apart.
type Publication struct {
	Intruder
	table    *Table
	withheld []bool
}

// Publish returns t as its readers have it, without the values of the withheld cells (nil: none); cells without a value
// are always withheld. Cost: a copy.
func Publish(t *Table, withheld []bool, who Intruder) *Publication {
	w := t.Clone()
	p := &Publication{Intruder: who, table: w, withheld: make([]bool, t.Len())}
	for i := range p.withheld {
		p.withheld[i] = withheld != nil && withheld[i] || !t.Known(i)
	}
	withheld = p.withheld
	if w.Missing = nil; slices.Contains(withheld, true) {
		w.Missing = slices.Clone(withheld)
	}
	w.Max, w.Contributors, w.Reason = nil, nil, nil
	if w.Counts || !who.Beside {
		w.Freq = nil
	}
	w.Strict = w.Strict && who.Beside
	for i, hidden := range withheld {
		if hidden {
			w.Value[i] = 0
		}
		if who.Beside {
			continue
		}
		if w.Status[i] = Published; hidden {
			w.Status[i] = Withheld
		}
		w.LPL[i], w.UPL[i], w.Width[i], w.Cost[i] = 0, 0, 0, 0
	}
	if w.Rounded() {
		w.roundedAlike(withheld)
	}
	if !who.Unit && !who.Whole {
		w.coarsen()
	}
	return p
}

// roundedAlike removes, from a table with rounded values, what the differences of sums owe to withheld cells and the
// information whether a withheld value is exact.
func (t *Table) roundedAlike(withheld []bool) {
	unit := int64(0)
	for i, u := range t.Rounding {
		if !withheld[i] {
			unit = max(unit, u)
		}
	}
	for i, hidden := range withheld {
		if hidden {
			t.Rounding[i] = unit
		}
	}
	for j := range t.Rel.Len() {
		if cell, _ := t.Rel.Row(j); slices.ContainsFunc(cell, func(i int32) bool { return withheld[i] }) {
			t.Rel.RHS[j] = 0
		}
	}
}

// Table returns a copy of the readers' table; cells without a value are withheld.
func (p *Publication) Table() *Table { return p.table.Clone() }

// Withheld reports for every cell whether it is withheld.
func (p *Publication) Withheld() []bool { return slices.Clone(p.withheld) }

// coarsen reduces the decimals of t to those needed by its known values, bounds, levels and right-hand sides.
func (t *Table) coarsen() {
	columns := [][]int64{t.Value, t.LPL, t.UPL, t.Width, t.Lower, t.Upper, t.Rounding, t.Rel.RHS}
	for t.Decimals > 0 {
		for _, c := range columns {
			for _, v := range c {
				if v != PosInf && v != NegInf && v%10 != 0 {
					return
				}
			}
		}
		for _, c := range columns {
			for i, v := range c {
				if v != PosInf && v != NegInf {
					c[i] = v / 10
				}
			}
		}
		t.Decimals--
	}
}
