package report

import (
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/bench"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
)

// experimentPage is the data of experiment.html.
type experimentPage struct {
	words
	Lang, Title string
	Drawn       string // how counts are drawn and which of them are sensitive
	*bench.ExperimentResult
	Parts []experimentPart
}

// An experimentPart shows one series of attacks.
type experimentPart struct {
	*document.ExperimentSeries
	Printed    bool
	Defended   bool
	Caveat     string
	Dimensions histogram // for all sizes together
	Sizes      []experimentSize
}

// An experimentSize shows the tables of one shape.
type experimentSize struct {
	*document.ExperimentSize
	Letter                        string // (a), (b), … as in the source
	Widths, Dimensions, Intervals histogram
}

// Experiment writes the figures of an experiment as a page. For every size it shows the widths of unsafe cells
// and their shares by dimension, beside the figures printed in the source, and the widths of all sensitive
// cells' intervals before and after the attack. lang is "en" or "ja".
func Experiment(w io.Writer, lang string, doc *document.Experiment) error {
	said, err := wordsOf(lang, "experiment")
	if err != nil {
		return err
	}
	r := &bench.ExperimentResult{Experiment: *doc}
	p := experimentPage{words: said, Lang: lang, Title: "hitoku experiment", ExperimentResult: r, Drawn: said.T("series", Drawn(r.Settings.Words))}
	for _, s := range r.Series {
		part := experimentPart{ExperimentSeries: s, Printed: s.Printed(), Defended: s.Defended(), Caveat: said.T("series", s.Caveat(r.Settings.Below))}
		part.Dimensions = dimensionHistogram(said.T("all"), s.Dimensions, said)
		for k, z := range s.Sizes {
			one := experimentSize{ExperimentSize: z, Letter: letter(k)}
			head := func(key string) string { return said.T(key, one.Letter, z.Cells, z.Shape) }
			one.Widths = widthHistogram(head("widths"), z, said)
			one.Dimensions = dimensionHistogram(head("dimensions"), z.Dimensions, said)
			one.Intervals = intervalHistogram(head("intervals"), z, int(r.Settings.Width), said)
			part.Sizes = append(part.Sizes, one)
		}
		p.Parts = append(p.Parts, part)
	}
	return execute(w, "experiment.html", p)
}

// Drawn returns a convention, given in the words of a document, as a text.
func Drawn(words string) i18n.Text {
	drawn, rule, ok := strings.Cut(words, ", sensitive iff ")
	if !ok {
		return i18n.T("%s", words)
	}
	return i18n.T("%s, sensitive iff %s", drawn, rule)
}

// letter returns (a), (b), …, and after (z) the number.
func letter(k int) string {
	if k < 26 {
		return "(" + string(rune('a'+k)) + ")"
	}
	return "(" + strconv.Itoa(k+1) + ")"
}

// widthHistogram shows, for each width of the effective interval, the share of sensitive cells that are unsafe
// with that width.
func widthHistogram(title string, z *document.ExperimentSize, said words) histogram {
	kinds := []kind{{"ours", said.T("here"), percentages(z.Widths, z.Primary)}}
	if p := z.Source; p != nil {
		kinds = append(kinds, kind{"theirs", said.T("theirs"), percentages(p.Widths, p.Primary)})
	}
	return newHistogram(title, said.T("effectivewidth"), said.T("ofsensitive"), categories(len(z.Widths), false), kinds...)
}

// manyDimensions is the dimension from which on tables are shown together.
const manyDimensions = 12

// dimensionHistogram shows the share of unsafe cells by dimension of the null space.
func dimensionHistogram(title string, list []*document.ExperimentDimension, said words) histogram {
	var names []string
	own, from, any := []float64{}, []float64{}, false
	for _, d := range document.GroupDimensions(list, manyDimensions) {
		name := strconv.Itoa(d.Dimension)
		if d.Dimension == manyDimensions {
			name += "+"
		}
		names = append(names, name)
		own, from, any = append(own, hundred(d.Share)), append(from, hundred(d.Printed)), any || d.Printed != nil
	}
	kinds := []kind{{"ours", said.T("here"), own}}
	if any {
		kinds = append(kinds, kind{"theirs", said.T("theirs"), from})
	}
	return newHistogram(title, said.T("dimension"), said.T("ofsensitive"), names, kinds...)
}

// widestBin is the width from which on intervals are shown together.
const widestBin = 30

// intervalHistogram shows how wide the feasibility intervals and the effective intervals are.
func intervalHistogram(title string, z *document.ExperimentSize, width int, said words) histogram {
	feasible, effective := together(z.Feasible), together(z.Effective)
	n := max(len(feasible), len(effective), 1)
	names := categories(n, n > widestBin)
	h := newHistogram(title, said.T("width"), said.T("ofsensitive"), names,
		kind{"feasible", said.T("feasible"), percentages(pad(feasible, n), sum(feasible))}, kind{"ours", said.T("effective"), percentages(pad(effective, n), sum(effective))})
	h.mark(width, n, said.T("required"))
	return h
}

// together adds up the counts of widths from widestBin on.
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

// categories returns the names of the widths 0 … n−1, the last with "+" if open is set.
func categories(n int, open bool) []string {
	names := sets.List(n, strconv.Itoa)
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
