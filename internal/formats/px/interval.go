package px

import (
	"cmp"
	"strings"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/lazy"
	"github.com/hitoku/hitoku/table"
)

// intervalNote matches the note on a cell that publishes an interval in place of its value. The words are in
// every encoding.
var intervalNote = lazy.Regexp(`^Interval \[(-inf|-?[0-9]+(?:\.[0-9]+)?), (inf|-?[0-9]+(?:\.[0-9]+)?)\]$`)

// errPart is returned for a file of which --select takes a part, since that part is written as a new file.
var errPart = i18n.New("intervals are written to whole PX files only: convert what --select takes to tidy CSV, a workbook or SDMX first")

// Intervals implements formats.Intervaller.
func (l *layout) Intervals() error {
	if len(l.p.o.Select) > 0 {
		return errPart
	}
	return nil
}

// writeIntervals writes the notes.
func (p *parser) writeIntervals(b *strings.Builder, in *formats.Input, withheld []bool) {
	for i := range p.recs {
		if !withheld[i] {
			continue
		}
		lower, upper := formats.Interval(in, i)
		upper = cmp.Or(upper, "inf")
		writeNote(b, "CELLNOTE", p.names(i), "Interval ["+lower+", "+upper+"]")
	}
}

// intervals reads the notes on cells without value.
func (p *parser) intervals() error {
	var cell map[string]int
	for _, s := range p.find("CELLNOTE") {
		x := intervalNote().FindStringSubmatch(s.text())
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
		lo, up, err := ends(x[1], x[2])
		if err != nil {
			return &formats.Error{File: p.file, Line: s.line, Value: formats.Show(s.text()), Want: i18n.T("%s", err), Err: formats.ErrEnds}
		}
		p.recs[i].Lower, p.recs[i].Upper = lo, up
	}
	return nil
}

// ends reads the two ends of an interval.
func ends(lower, upper string) (lo, up table.Number, err error) {
	lo, up = table.Number{Set: true, Inf: -1}, table.Number{Set: true, Inf: 1}
	if lower != "-inf" {
		lo.Inf = 0
		if lo.Decimal, err = table.ParseDecimal(lower); err != nil {
			return lo, up, err
		}
	}
	if upper != "inf" {
		up.Inf = 0
		up.Decimal, err = table.ParseDecimal(upper)
	}
	return lo, up, err
}
