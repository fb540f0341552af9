package document

import (
	"slices"

	"github.com/hitoku/hitoku/internal/i18n"
)

// Title returns the name of the series in words.
func (s *ExperimentSeries) Title() i18n.Text {
	if s.Defended() {
		return i18n.T("defence %s, procedure and public data known", s.Defence)
	}
	return i18n.T("cheapest patterns by %s, match %s", s.Cost, s.Match)
}

// Defended reports whether the series has patterns that are not the cheapest ones.
func (s *ExperimentSeries) Defended() bool { return s.Defence != "none" && s.Defence != "" }

// Caveat says what the intruder in a defended series is assumed not to know; it is empty if that is nothing.
func (s *ExperimentSeries) Caveat(below int64) i18n.Text {
	if !s.Defended() || s.Defence == "quantised" || s.Defence == "random-quantised" {
		return i18n.Text{}
	}
	return i18n.T("Which cells are sensitive is public here, so an intruder who knows the rule as well knows that each is below %d, whatever the pattern.", below)
}

// Settled reports whether no cell of the series is unsafe or unknown.
func (s *ExperimentSeries) Settled() bool {
	return !slices.ContainsFunc(s.Sizes, func(z *ExperimentSize) bool { return z.Unsafe+z.Unknown > 0 })
}

// Printed reports whether printed figures exist for some size.
func (s *ExperimentSeries) Printed() bool {
	return slices.ContainsFunc(s.Sizes, func(z *ExperimentSize) bool { return z.Source != nil })
}

// Notes says in words how many tables were drawn again, left out or not attacked completely, and how many unsafe
// cells have no known width for that reason.
func (z *ExperimentSize) Notes() (notes i18n.Text) {
	for _, c := range []struct {
		n    int
		note i18n.Text
	}{
		{z.Redrawn, i18n.T("%d drawn again for want of a sensitive cell", z.Redrawn)},
		{z.Impossible, i18n.T("%d drawn again since no pattern protects them", z.Impossible)},
		{z.Unsolved, i18n.T("%d left out since a limit stopped the office", z.Unsolved)},
		{z.Refused, i18n.T("%d left out since the defence cannot protect them", z.Refused)},
		{z.Stopped, i18n.T("%d attacked until a limit stopped it", z.Stopped)},
		{z.Unsettled, i18n.T("%d unsafe cells of unknown effective width", z.Unsettled)},
	} {
		switch {
		case c.n == 0:
		case notes.IsZero():
			notes = c.note
		default:
			notes = notes.Plus("; %s", c.note)
		}
	}
	return notes
}
