package interval

import (
	"fmt"

	"github.com/hitoku/hitoku/table"
)

// A Tally is what the line about a pattern counts that every verb ends with, so that all word its verdict alike.
type Tally struct {
	Verdict  Verdict
	Withheld int
	// Sensitive counts the sensitive cells, if Told: else nothing tells which they are.
	Sensitive int
	Told      bool
	// Cells and Secondary, the cells of the table and those withheld for others, are of patterns that a search found.
	Cells, Secondary int
	// Unprotected, Disclosed and Unsettled count cells of which the intervals are known.
	Unprotected, Disclosed, Unsettled int
}

// Tally counts the cells of r.
func (r *Report) Tally(t *table.Table, told bool) Tally {
	y := Tally{Verdict: r.Verdict(), Withheld: len(r.Cells), Told: told}
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
		if c.Disclosed {
			y.Disclosed++
		}
	}
	return y
}

// Intervals is the line of an audit: "unprotected, 9 cells withheld (2 sensitive), 1 unprotected, 1 disclosed".
func (y Tally) Intervals() string {
	line := fmt.Sprintf("%s, %d cells withheld", y.Verdict, y.Withheld)
	if y.Told {
		line += fmt.Sprintf(" (%d sensitive)", y.Sensitive)
	}
	line += fmt.Sprintf(", %d unprotected, %d disclosed", y.Unprotected, y.Disclosed)
	if y.Unsettled > 0 {
		line += fmt.Sprintf(", %d not settled", y.Unsettled)
	}
	return line
}

// Pattern is that of a search: "4 of 12 cells withheld (1 sensitive, 3 secondary), audit: protected".
func (y Tally) Pattern() string {
	return fmt.Sprintf("%d of %d cells withheld (%d sensitive, %d secondary), audit: %s", y.Withheld, y.Cells, y.Sensitive, y.Secondary, y.Verdict)
}
