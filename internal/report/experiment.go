package report

import (
	"io"
	"math"
	"strconv"

	"github.com/hitoku/hitoku/bench"
	"github.com/hitoku/hitoku/internal/document"
)

// experimentPage is what experiment.html shows.
type experimentPage struct {
	Title string
	*bench.ExperimentResult
	Parts []experimentPart
}

// An experimentPart shows one series of attacks.
type experimentPart struct {
	*document.ExperimentSeries
	Printed    bool
	Defended   bool
	Caveat     string
	Dimensions histogram // over all sizes
	Sizes      []experimentSize
}

// An experimentSize shows the tables of one shape.
type experimentSize struct {
	*document.ExperimentSize
	Letter                        string // (a), (b), … as in the source
	Widths, Dimensions, Intervals histogram
}

// Kinds of columns.
const (
	ours, theirs           = "here", "printed"
	feasibleWide, narrowed = "feasible", "effective"
)

// Experiment writes the figures of an experiment as a page: for every size the
// widths of unsafe cells and the shares by dimension beside those printed in the
// source, and the widths of all sensitive cells' intervals before and after the
// attack.
func Experiment(w io.Writer, doc *document.Experiment) error {
	r := &bench.ExperimentResult{Experiment: *doc}
	p := experimentPage{Title: "hitoku experiment", ExperimentResult: r}
	for _, s := range r.Series {
		part := experimentPart{ExperimentSeries: s, Printed: s.Printed(), Defended: s.Defended(), Caveat: s.Caveat(r.Settings.Below).String()}
		part.Dimensions = dimensionHistogram("All sizes: unsafe cells by dimension", s.Dimensions)
		for k, z := range s.Sizes {
			one := experimentSize{ExperimentSize: z, Letter: letter(k)}
			head := one.Letter + " " + strconv.Itoa(z.Cells) + " cells (" + z.Shape + "): "
			one.Widths = widthHistogram(head+"unsafe cells by width", z)
			one.Dimensions = dimensionHistogram(head+"unsafe cells by dimension", z.Dimensions)
			one.Intervals = intervalHistogram(head+"intervals of sensitive cells", z, int(r.Settings.Width))
			part.Sizes = append(part.Sizes, one)
		}
		p.Parts = append(p.Parts, part)
	}
	return execute(w, "experiment.html", p)
}

// letter returns (a), (b), …, and the number after (z).
func letter(k int) string {
	if k < 26 {
		return "(" + string(rune('a'+k)) + ")"
	}
	return "(" + strconv.Itoa(k+1) + ")"
}

// widthHistogram shows the share of the sensitive cells that are unsafe with each width
// of the effective interval.
func widthHistogram(title string, z *document.ExperimentSize) histogram {
	kinds := []kind{{"ours", ours, percentages(z.Widths, z.Primary)}}
	if p := z.Source; p != nil {
		kinds = append(kinds, kind{"theirs", theirs, percentages(p.Widths, p.Primary)})
	}
	return newHistogram(title, "width of the effective interval", "% of sensitive cells", categories(len(z.Widths), false), kinds...)
}

// manyDimensions is the dimension from which on tables are drawn together.
const manyDimensions = 12

// dimensionHistogram shows the share of unsafe cells by dimension of the null space.
func dimensionHistogram(title string, list []*document.ExperimentDimension) histogram {
	var names []string
	own, from, any := []float64{}, []float64{}, false
	for _, d := range bench.Grouped(list, manyDimensions) {
		name := strconv.Itoa(d.Dimension)
		if d.Dimension == manyDimensions {
			name += "+"
		}
		names = append(names, name)
		own, from, any = append(own, hundred(d.Share)), append(from, hundred(d.Printed)), any || d.Printed != nil
	}
	kinds := []kind{{"ours", ours, own}}
	if any {
		kinds = append(kinds, kind{"theirs", theirs, from})
	}
	return newHistogram(title, "dimension of the null space", "% of sensitive cells", names, kinds...)
}

// widestBin is the width from which on intervals are drawn together.
const widestBin = 30

// intervalHistogram shows how wide feasible and effective intervals are.
func intervalHistogram(title string, z *document.ExperimentSize, width int) histogram {
	feasible, effective := together(z.Feasible), together(z.Effective)
	n := max(len(feasible), len(effective), 1)
	names := categories(n, n > widestBin)
	h := newHistogram(title, "width", "% of sensitive cells", names,
		kind{"feasible", feasibleWide, percentages(pad(feasible, n), sum(feasible))}, kind{"ours", narrowed, percentages(pad(effective, n), sum(effective))})
	h.mark(width, n, "required")
	return h
}

// together sums the widths from widestBin on up.
func together(counts []int) []int {
	if len(counts) <= widestBin {
		return counts
	}
	short := append([]int(nil), counts[:widestBin+1]...)
	for _, n := range counts[widestBin+1:] {
		short[widestBin] += n
	}
	return short
}

func pad(counts []int, n int) []int {
	return append(append([]int(nil), counts...), make([]int, n-len(counts))...)
}

func sum(counts []int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// categories names the widths 0 … n−1, the last of them "…+" if open.
func categories(n int, open bool) []string {
	names := make([]string, n)
	for k := range names {
		names[k] = strconv.Itoa(k)
	}
	if open {
		names[n-1] += "+"
	}
	return names
}

// percentages returns 100·counts/all.
func percentages(counts []int, all int) []float64 {
	x := make([]float64, len(counts))
	for k, n := range counts {
		if all > 0 {
			x[k] = 100 * float64(n) / float64(all)
		}
	}
	return x
}

func hundred(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return 100 * *x
}
