package report

import (
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/hitoku/hitoku/internal/document"
)

// plotFrame is the frame of a plot of points.
var plotFrame = newFrame(760, 420, 70, 40, 15, 50)

// Sizes of bars, in pixels.
const (
	barWidth, barHeight = 400, 20
	barLeft             = 260
)

// benchPage is the data of bench.html.
type benchPage struct {
	words
	Lang    string
	Title   string
	Results []numbered
	Counts  Counts
	Run     *document.Bench // the conditions of the run, from the first result that is no batch
	Times   scatter
	Gaps    bars
}

// A numbered result is a line of the table; plots refer to it by its number.
type numbered struct {
	*document.Bench
	N int
}

// A scatter is a plot with two logarithmic axes.
type scatter struct {
	frame
	Title, XName, YName string
	X, Y                []tick
	Points              []point
}

// A point is one instance; Open says that its search was stopped. Its label, at LabelX and LabelY, is empty if
// there is no room for it.
type point struct {
	X, Y           float64
	Label          string
	LabelX, LabelY float64
	Title          string
	Open           bool
}

// bars is a plot of horizontal bars, one on each line.
type bars struct {
	Title         string
	Width, Height float64
	Left          float64
	Zero          float64 // where the bars start
	Bottom        float64 // where the lines through the ticks end
	Ticks         []tick
	Bars          []bar
}

// A bar starts at X and is W pixels long.
type bar struct {
	Y, X, W float64
	Name    string
	Text    string
	TextX   float64
	Less    bool // it is to the left of Zero
}

// Bench writes the results of a benchmark as a page: a table, times against sizes, and the gaps of searches
// that were stopped. lang is "en" or "ja".
func Bench(w io.Writer, lang string, results []*document.Bench) error {
	said, err := wordsOf(lang, "bench")
	if err != nil {
		return err
	}
	p := benchPage{words: said, Lang: lang, Title: "hitoku bench csp", Counts: Count(results), Run: &document.Bench{}}
	for n, r := range results {
		p.Results = append(p.Results, numbered{r, n + 1})
	}
	for _, r := range slices.Backward(results) {
		if r.Batch == nil || p.Run.Table == "" {
			p.Run = r
		}
	}
	p.Times = timesOverCells(p.Results, said)
	p.Gaps = gapBars(results, said)
	return execute(w, "bench.html", p)
}

// timesOverCells plots for each instance that is no batch the seconds against the number of cells.
func timesOverCells(results []numbered, said words) scatter {
	s := scatter{frame: plotFrame, Title: said.T("over"), XName: said.T("cells"), YName: said.T("seconds")}
	var cells, times []float64
	for _, r := range results {
		if r.Batch == nil {
			cells, times = append(cells, float64(r.Cells)), append(times, r.Seconds)
		}
	}
	x, y := newAxis(10, cells, s.Left, s.Right), newAxis(10, times, s.Bottom, s.Top)
	s.X, s.Y = x.ticks(), y.ticks()
	for _, r := range results {
		if r.Batch != nil {
			continue
		}
		s.Points = append(s.Points, point{
			X: x.at(float64(r.Cells)), Y: y.at(r.Seconds), Label: strconv.Itoa(r.N), Open: r.Stopped(),
			Title: r.Table + ": " + seconds(&r.Seconds) + " s, " + said.Label(r.Status),
		})
	}
	placeLabels(s.Points)
	return s
}

// Approximate size of a label in pixels.
const (
	digitWidth  = 5.5
	labelHeight = 9
)

// placeLabels places each label beside its point where it meets no other, or leaves it out.
func placeLabels(points []point) {
	type box struct{ x, y, w float64 } // left end of the baseline, and width
	var taken []box
	for k := range points {
		p := &points[k]
		w := digitWidth * float64(len(p.Label))
		free := func(b box) bool {
			return !slices.ContainsFunc(taken, func(o box) bool {
				return b.x < o.x+o.w+2 && o.x < b.x+b.w+2 && math.Abs(b.y-o.y) < labelHeight
			})
		}
		places := []box{{p.X + 6, p.Y - 4, w}, {p.X - 6 - w, p.Y - 4, w}, {p.X + 6, p.Y + 11, w}, {p.X - 6 - w, p.Y + 11, w}, {p.X - w/2, p.Y - 12, w}, {p.X - w/2, p.Y + 20, w}}
		at := slices.IndexFunc(places, free)
		if at < 0 {
			p.Label = ""
			continue
		}
		p.LabelX, p.LabelY = places[at].x, places[at].y
		taken = append(taken, places[at])
	}
}

// gapBars shows the gap of each instance whose search was stopped.
func gapBars(results []*document.Bench, said words) bars {
	b := bars{Title: said.T("bars"), Width: barLeft + barWidth + 100, Left: barLeft, Zero: barLeft}
	widest := 0.0
	for _, r := range results {
		if r.Stopped() && r.Gap != nil {
			widest = max(widest, *r.Gap)
		}
	}
	for _, r := range results {
		if !r.Stopped() {
			continue
		}
		one := bar{Name: r.Table, X: barLeft, Y: float64(len(b.Bars)) * barHeight, Text: said.T("nopattern"), TextX: barLeft + 6}
		if r.Gap != nil {
			if widest > 0 {
				one.W = barWidth * *r.Gap / widest
			}
			one.Text, one.TextX = percent(r.Gap), barLeft+one.W+6
		}
		b.Bars = append(b.Bars, one)
	}
	b.Bottom = float64(len(b.Bars)) * barHeight
	b.Height = b.Bottom + 4
	return b
}
