package interval

import (
	"fmt"

	"github.com/hitoku/hitoku/table"
)

// A Tally is what the line about a pattern counts that every verb and page has, so that all word its verdict alike.
type Tally struct {
	Verdict         Verdict
	Withheld, Cells int // of all cells of the table
	// Sensitive counts the withheld cells that are sensitive, if Told: else nothing tells which they are.
	Sensitive int
	Told      bool
	// Unprotected, Disclosed and Unsettled count cells of which the intervals are known, Open those of which they are not
	// settled.
	Unprotected, Disclosed, Unsettled, Open int
}

// Tally counts the cells of r.
func (r *Report) Tally(t *table.Table, told bool) Tally {
	y := Tally{Verdict: r.Verdict(), Withheld: len(r.Cells), Cells: t.Len(), Told: told}
	for k := range r.Cells {
		c := &r.Cells[k]
		if t.Status[c.Index] == table.Sensitive {
			y.Sensitive++
		}
		switch {
		case c.Unsettled:
			y.Unsettled++
		case !c.Protected:
			y.Unprotected++
		}
		if c.Inexact {
			y.Open++
		}
		if c.Disclosed {
			y.Disclosed++
		}
	}
	return y
}

// TallyWords are what a line is made of in a language: formats of numbers of cells, each after the one before.
type TallyWords struct {
	Verdicts map[Verdict]string
	Withheld string // those withheld and all
	Told     string // sensitive and secondary ones
	// Cells that miss their levels, that can be computed, and of which it is not known whether they do; left out where there are none.
	Unprotected, Disclosed, Unsettled string
	Open                              string // intervals that are not settled; left out where there are none
}

// English are those of the verbs.
var English = TallyWords{
	Verdicts: map[Verdict]string{Protected: "protected", Unprotected: "unprotected", Unsettled: "unsettled"},
	Withheld: ", %d of %d cells withheld", Told: " (%d sensitive, %d secondary)",
	Unprotected: ", %d unprotected", Disclosed: ", %d disclosed", Unsettled: ", %d not settled", Open: ", %d intervals open",
}

// Line is the line in English: "unprotected, 9 of 25 cells withheld (2 sensitive, 7 secondary), 1 unprotected, 1 disclosed".
func (y Tally) Line() string { return y.In(English) }

// In is the line in other words.
func (y Tally) In(w TallyWords) string {
	line := w.Verdicts[y.Verdict] + fmt.Sprintf(w.Withheld, y.Withheld, y.Cells)
	if y.Told {
		line += fmt.Sprintf(w.Told, y.Sensitive, y.Withheld-y.Sensitive)
	}
	for _, x := range []struct {
		format string
		n      int
	}{{w.Unprotected, y.Unprotected}, {w.Disclosed, y.Disclosed}, {w.Unsettled, y.Unsettled}, {w.Open, y.Open}} {
		if x.n > 0 {
			line += fmt.Sprintf(x.format, x.n)
		}
	}
	return line
}
