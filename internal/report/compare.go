package report

import (
	"io"

	"github.com/hitoku/hitoku/internal/document"
)

// comparePage is the data of compare.html.
type comparePage struct {
	words
	Lang, Title string
	*document.BenchComparison
	Times bars // ratios of seconds
}

// Compare writes a comparison of two benchmarks as a page: a table of ratios, and a plot of those of times.
// lang is "en" or "ja".
func Compare(w io.Writer, lang string, c *document.BenchComparison) error {
	said, err := wordsOf(lang, "compare")
	if err != nil {
		return err
	}
	return execute(w, "compare.html", comparePage{
		words: said, Lang: lang, Title: "hitoku bench csp --compare", BenchComparison: c, Times: ratioBars(c, "seconds", said.T("bars")),
	})
}

// ratioBars draws the ratios of a metric as bars that start at 1 on a logarithmic axis.
func ratioBars(c *document.BenchComparison, metric, title string) bars {
	b := bars{Title: title, Width: barLeft + barWidth + 100, Left: barLeft}
	values := []float64{1}
	for _, p := range c.Tables {
		if x := p.Ratios[metric]; x != nil {
			values = append(values, *x)
		}
	}
	a := newAxis(2, values, barLeft, barLeft+barWidth)
	b.Zero, b.Ticks = a.at(1), a.ticks()
	for _, p := range c.Tables {
		one := bar{Name: p.Table, Y: float64(len(b.Bars)) * barHeight, X: b.Zero, Text: unknown, TextX: barLeft + barWidth + 10}
		if x := p.Ratios[metric]; x != nil {
			at := a.at(*x)
			one.X, one.W, one.Less = min(at, b.Zero), max(at, b.Zero)-min(at, b.Zero), *x < 1
			one.Text = fixed(x, 1, 3, "")
		}
		b.Bars = append(b.Bars, one)
	}
	b.Bottom = float64(len(b.Bars)) * barHeight
	b.Height = b.Bottom + 24
	return b
}
