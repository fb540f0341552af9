package tables

import (
	"slices"

	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/table"
)

// newIntruder describes what is assumed about those who look for the values of cells of t.
func newIntruder(t *table.Table, cells []int, who table.Intruder) *document.Intruder {
	d := &document.Intruder{Rounding: "none", Whole: who.Whole, Procedure: who.Procedure}
	unit := who.Base
	switch {
	case who.Kind != "":
		d.Rounding, d.Steps = who.Kind, who.Steps
	case t.Rounded():
		d.Rounding, d.Ties, unit = "nearest", "either", slices.Max(t.Rounding)
	}
	if d.Rounding == conventional {
		d.Ties = "away"
	}
	if unit > 0 {
		d.Base = render.Decimal(unit, t.Decimals)
	}
	// The bounds reported are those of most cells of the table; if two are equally common, the wider ones.
	type bounds struct{ lower, upper int64 }
	of, most := map[bounds]int{}, bounds{table.NegInf, table.PosInf}
	for i := range t.Len() {
		of[bounds{t.Lower[i], t.Upper[i]}]++
	}
	for i := range t.Len() {
		b := bounds{t.Lower[i], t.Upper[i]}
		if of[b] > of[most] || of[b] == of[most] && (b.upper > most.upper || b.upper == most.upper && b.lower < most.lower) {
			most = b
		}
	}
	for _, i := range cells {
		if t.Lower[i] != most.lower || t.Upper[i] != most.upper {
			d.Own++
		}
	}
	if most.lower != table.NegInf {
		d.Lower = render.Decimal(most.lower, t.Decimals)
	}
	if most.upper != table.PosInf {
		d.Upper = render.Decimal(most.upper, t.Decimals)
	}
	return d
}

// intruderLine returns the description as a line after others, empty for nil.
func intruderLine(name string, d *document.Intruder) i18n.Text {
	if d == nil {
		return i18n.Text{}
	}
	return i18n.T("\n%s", supposed(name, d))
}

// supposed returns the description as a line of its own.
func supposed(name string, d *document.Intruder) i18n.Text {
	bounds := i18n.T("values of any size")
	switch {
	case d.Lower != "" && d.Upper != "":
		bounds = i18n.T("values from %s to %s", d.Lower, d.Upper)
	case d.Lower != "":
		bounds = i18n.T("values ≥ %s", d.Lower)
	case d.Upper != "":
		bounds = i18n.T("values ≤ %s", d.Upper)
	}
	if d.Own > 0 {
		bounds = i18n.T("%s but for bounds of %d cells", bounds, d.Own)
	}
	rounding := i18n.T("not rounded")
	switch {
	case d.Ties == "either":
		rounding = i18n.T("rounded to the nearest %s with halves either way", d.Base)
	case d.Ties == "away":
		rounding = i18n.T("rounded to the nearest %s with halves away from zero", d.Base)
	case d.Rounding == smallCounts:
		rounding = i18n.T("counts below %s rounded", d.Base)
	case d.Rounding != "none" && d.Steps > 0:
		rounding = i18n.T("rounded up or down to multiples of %s or up to %d beyond", d.Base, d.Steps)
	case d.Rounding != "none":
		rounding = i18n.T("rounded up or down to multiples of %s", d.Base)
	}
	whole := i18n.T("whole or not")
	if d.Whole {
		whole = i18n.T("whole numbers of the last decimal")
	}
	procedure := i18n.T("procedure not used")
	if d.Procedure {
		procedure = i18n.T("procedure known")
	}
	return i18n.T("%s: supposed of readers: %s; %s; %s; %s", name, bounds, rounding, whole, procedure)
}
