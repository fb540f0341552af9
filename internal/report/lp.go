package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hitoku/hitoku/bench"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/sets"
)

// lpPage is the data of lp.html.
type lpPage struct {
	words
	Lang, Title string
	*bench.LPReport
	Names  []string    // names of the measured back ends
	Rows   []lpMeanRow // one for each kind
	Curves []curves
}

// An lpMeanRow holds the means of a kind by back end.
type lpMeanRow struct {
	Kind  string
	Means []document.BenchLPMean
}

// curves is a plot of times against sizes with logarithmic axes and a line for each back end.
type curves struct {
	frame
	Title, Label, XName string
	X, Y                []tick
	Lines               []curve
}

// A curve belongs to one back end: points, and lines through those of similar tables. Colour counts from 0.
type curve struct {
	Name           string
	Colour         int
	Lines          []string
	Marks          []point
	LabelX, LabelY float64
}

// LP writes a comparison of LP back ends as a page: means, curves of time against size, and all numbers. lang
// is "en" or "ja".
func LP(w io.Writer, lang string, doc *document.BenchLP) error {
	said, err := wordsOf(lang, "lp")
	if err != nil {
		return err
	}
	r := &bench.LPReport{BenchLP: *doc}
	p := lpPage{words: said, Lang: lang, Title: "hitoku bench lp", LPReport: r, Names: r.Measured()}
	for at := 0; at < len(r.Means); at += len(p.Names) {
		p.Rows = append(p.Rows, lpMeanRow{r.Means[at].Kind, r.Means[at : at+len(p.Names)]})
	}
	for _, kind := range r.Kinds() {
		p.Curves = append(p.Curves, timesOverEntries(r, kind, p.Names, said))
	}
	return execute(w, "lp.html", p)
}

// lpColours is the number of colours of lp.html.
const lpColours = 8

func timesOverEntries(r *bench.LPReport, kind string, names []string, said words) curves {
	c := curves{
		frame: newFrame(560, 360, 70, 90, 28, 50), // the names of the curves are on the right
		Title: kind, Label: said.T("over", kind), XName: said.T("coefficients"),
	}
	var sizes, times []float64
	for _, x := range r.Results {
		if x.Kind == kind && x.Seconds != nil {
			sizes, times = append(sizes, float64(x.Entries)), append(times, 1e6**x.Seconds)
		}
	}
	across, up := newAxis(10, sizes, c.Left, c.Right), newAxis(10, times, c.Bottom, c.Top)
	c.X, c.Y = across.ticks(), up.ticks()
	for n, name := range names {
		one := curve{Name: name, Colour: n % lpColours}
		alike := map[string][]string{}
		var groups []string
		end := -1.0
		for _, x := range r.Results { // smaller instances come first
			if x.Kind != kind || x.LP != name || x.Seconds == nil {
				continue
			}
			at := point{
				X: across.at(float64(x.Entries)), Y: up.at(1e6 * *x.Seconds),
				Title: fmt.Sprintf("%s, %s: %s µs", x.Case, name, micro(x.Seconds)),
			}
			one.Marks = append(one.Marks, at)
			g := likeness(x.Table)
			if len(alike[g]) == 0 {
				groups = append(groups, g)
			}
			alike[g] = append(alike[g], fmt.Sprintf("%.1f,%.1f", at.X, at.Y))
			if at.X > end {
				end, one.LabelY = at.X, at.Y+4
			}
		}
		if len(one.Marks) == 0 {
			continue
		}
		for _, g := range groups {
			if line := alike[g]; len(line) > 1 {
				one.Lines = append(one.Lines, strings.Join(line, " "))
			}
		}
		one.LabelX = c.Right + 24
		c.Lines = append(c.Lines, one)
	}
	spreadLabels(c.Lines, c.Top, c.Bottom)
	return c
}

// likeness returns what similar tables have in common: the number of variables of a random table, whether it
// has trees, and its family: "2 flat mag" for 20x20-mag0.02-1.
func likeness(name string) string {
	shape, family, _ := strings.Cut(name, "-")
	form := "flat"
	if strings.Contains(shape, ".") {
		form = "tree"
	}
	return fmt.Sprintf("%d %s %s", 1+strings.Count(shape, "x"), form, strings.TrimRight(family, "0123456789.-"))
}

// micro returns x·10⁶ as text.
func micro(x *float64) string { return given(x, func(x float64) string { return Short(1e6 * x) }) }

// labelStep is the smallest distance between the names of two curves, in pixels.
const labelStep = 14

// spreadLabels moves the names of curves apart, keeping each as near to the end of its curve as those above it
// allow.
func spreadLabels(lines []curve, top, bottom float64) {
	order := sets.List(len(lines), func(k int) *curve { return &lines[k] })
	slices.SortStableFunc(order, func(a, b *curve) int { return cmp.Compare(a.LabelY, b.LabelY) })
	least := top
	for k, l := range order {
		most := bottom - float64(labelStep*float64(len(order)-1-k))
		l.LabelY = min(max(l.LabelY, least), max(most, least))
		least = l.LabelY + labelStep
	}
}
