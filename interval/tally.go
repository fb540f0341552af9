package interval

import (
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// A Tally holds the counts for the summary line about a pattern, which is the same in every verb and page.
type Tally struct {
	Verdict         Verdict
	Withheld, Cells int // counted over all cells of the table
	// Sensitive counts the withheld cells that are sensitive, if Told; otherwise nothing tells which they are.
	Sensitive int
	Told      bool
	// Unprotected, Disclosed and Unsettled count cells with known intervals; Open counts cells whose intervals are not
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

// Message returns the summary: "unprotected, 9 of 25 cells withheld (2 sensitive, 7 secondary), 1 unprotected, 1
// disclosed".
func (y Tally) Message() i18n.Text {
	verdict := string(y.Verdict)
	if y.Verdict == Nothing {
		verdict = "nothing to protect"
	}
	line := i18n.T("%s, %d of %d cells withheld", i18n.Word(verdict), y.Withheld, y.Cells)
	if y.Told {
		line = line.Plus(" (%d sensitive, %d secondary)", y.Sensitive, y.Withheld-y.Sensitive)
	}
	for _, x := range []struct {
		format string
		n      int
	}{{", %d unprotected", y.Unprotected}, {", %d disclosed", y.Disclosed}, {", %d not settled", y.Unsettled}, {", %d intervals open", y.Open}} {
		if x.n > 0 {
			line = line.Plus(x.format, x.n)
		}
	}
	return line
}
