package report

import (
	"io"
	"strconv"

	"github.com/hitoku/hitoku/internal/compare"
)

// frontierPage is the data of frontier.svg.
type frontierPage struct {
	frame
	Ticks, UpTicks []tick // ticks of both axes
	Points         []frontierPoint
}

// A frontierPoint is a release; On says that no other release is better.
type frontierPoint struct {
	point
	On bool
}

// DrawFrontier draws releases by their risk (vertically) and their loss (horizontally), both from 0 to 1, as a
// self-contained SVG. Releases that no other beats are filled, and named in its title. The same points give the
// same bytes.
func DrawFrontier(w io.Writer, points []compare.Point) error {
	p := &frontierPage{frame: plotFrame}
	x := func(v float64) float64 { return p.Left + float64((p.Right-p.Left)*min(1, max(0, v))) }
	y := func(v float64) float64 { return p.Bottom + float64((p.Top-p.Bottom)*min(1, max(0, v))) }
	for i := range 6 {
		v := float64(i) / 5
		label := strconv.FormatFloat(v, 'g', -1, 64)
		p.Ticks, p.UpTicks = append(p.Ticks, tick{x(v), label}), append(p.UpTicks, tick{y(v), label})
	}
	on := compare.Frontier(points)
	var at []point
	for i, r := range points {
		number := func(v float64) string { return strconv.FormatFloat(v, 'f', 4, 64) }
		at = append(at, point{X: x(r.Loss), Y: y(r.Risk), Label: r.Name, Open: !on[i], Title: r.Name + ": risk " + number(r.Risk) + ", loss " + number(r.Loss)})
	}
	placeLabels(at)
	for i := range at {
		p.Points = append(p.Points, frontierPoint{at[i], on[i]})
	}
	return execute(w, "frontier.svg", p)
}
