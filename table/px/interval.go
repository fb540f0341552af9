package px

import (
	"errors"
	"regexp"
	"strings"

	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// An interval that is published in place of a value is a note on its cell, in words that every encoding has.
var intervalNote = regexp.MustCompile(`^Interval \[(-inf|-?[0-9]+(?:\.[0-9]+)?), (inf|-?[0-9]+(?:\.[0-9]+)?)\]$`)

// errPart is for files of which a part was taken, which is written as a new file.
var errPart = errors.New("intervals are written to whole PX files only: convert what --select takes to tidy CSV, a workbook or SDMX first")

// Intervals implements tableio.Intervaller.
func (l *layout) Intervals() error {
	if len(l.p.o.Select) > 0 {
		return errPart
	}
	return nil
}

// writeIntervals writes the notes.
func (p *parser) writeIntervals(b *strings.Builder, in *tableio.Input, withheld []bool) {
	for i := range p.recs {
		if !withheld[i] {
			continue
		}
		lower, upper := in.Interval(i)
		if upper == "" {
			upper = "inf"
		}
		writeNote(b, "CELLNOTE", p.names(i), "Interval ["+lower+", "+upper+"]")
	}
}

// intervals reads the notes on cells without value.
func (p *parser) intervals() {
	var cell map[string]int
	for _, s := range p.find("CELLNOTE") {
		x := intervalNote.FindStringSubmatch(s.text())
		if x == nil || len(s.args) != len(p.vars) {
			continue
		}
		var codes []string
		known := true
		for n, a := range s.args {
			v := p.vars[n]
			i, ok := v.code(a)
			known = known && ok && (v.only < 0 || i == v.only)
			if ok && v.dim >= 0 {
				codes = append(codes, v.codes[i])
			}
		}
		if cell == nil {
			cell = p.byCodes()
		}
		i, ok := cell[strings.Join(codes, "\x00")]
		if !known || !ok || p.recs[i].Value.Set {
			continue
		}
		if lo, up, ok := ends(x[1], x[2]); ok {
			p.recs[i].Lower, p.recs[i].Upper = lo, up
		}
	}
}

// ends are the numbers of an interval.
func ends(lower, upper string) (lo, up table.Number, ok bool) {
	lo, up = table.Number{Set: true, Inf: -1}, table.Number{Set: true, Inf: 1}
	var errs [2]error
	if lower != "-inf" {
		lo.Inf = 0
		lo.Decimal, errs[0] = table.ParseDecimal(lower)
	}
	if upper != "inf" {
		up.Inf = 0
		up.Decimal, errs[1] = table.ParseDecimal(upper)
	}
	return lo, up, errs == [2]error{}
}
