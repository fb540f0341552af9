package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// widestGroup is the largest width, in pixels, of the bars of a category.
const widestGroup = 64

// A histogram has groups of adjacent bars, one group for each category, with one or two kinds of bars.
type histogram struct {
	frame
	Title, Label string // what is shown; and the same with all numbers, for those who cannot see it
	XName, YName string
	X, Y         []tick
	Bars         []column
	Key          []keyEntry
	Mark         float64 // position of a vertical line between two categories; 0: none
	MarkName     string
}

// A column is a bar of the histogram.
type column struct {
	X, Y, W, H float64
	Class      string
	Title      string
}

// A keyEntry says what a class of bars is.
type keyEntry struct {
	X     float64
	Class string
	Name  string
}

// A kind is a series of numbers drawn in the same way; NaN is left out.
type kind struct {
	class, name string
	values      []float64
}

// newHistogram draws percentages of each kind over the named categories.
func newHistogram(title, xName, yName string, categories []string, kinds ...kind) histogram {
	h := histogram{frame: newFrame(400, 260, 46, 10, 52, 44), Title: title, XName: xName, YName: yName}
	most := 0.0
	for _, k := range kinds {
		for _, v := range k.values {
			if v > most { // false for NaN
				most = v
			}
		}
	}
	step, top := scale(most)
	at := func(v float64) float64 { return h.Bottom - (h.Bottom-h.Top)*v/top }
	for v := 0.0; v <= top*(1+1e-9); v += step {
		h.Y = append(h.Y, tick{at(v), tickText(v)})
	}
	room := (h.Right - h.Left) / float64(max(1, len(categories)))
	every := 1 // label every so many categories, so that labels do not overlap
	for float64(every)*room < labelRoom(categories) {
		every++
	}
	for c, name := range categories {
		if c%every == 0 {
			h.X = append(h.X, tick{h.Left + float64((float64(c)+.5)*room), name})
		}
	}
	w := min(room*.8, widestGroup) / float64(len(kinds))
	words := []string{title}
	keyAt := h.Left
	for n, k := range kinds {
		var list []string
		for c, v := range k.values {
			if math.IsNaN(v) {
				list = append(list, categories[c]+": none")
				continue
			}
			text := strconv.FormatFloat(v, 'f', 1, 64) + " %"
			list = append(list, categories[c]+": "+text)
			h.Bars = append(h.Bars, column{
				X: h.Left + float64((float64(c)+.5)*room) + float64((float64(n)-float64(len(kinds))/2)*w), Y: at(v), W: w, H: h.Bottom - at(v),
				Class: k.class, Title: fmt.Sprintf("%s, %s %s: %s", k.name, xName, categories[c], text),
			})
		}
		words = append(words, k.name+" "+strings.Join(list, ", "))
		h.Key = append(h.Key, keyEntry{keyAt, k.class, k.name})
		keyAt += 34 + float64(6.2*letters(k.name))
	}
	h.Label = strings.Join(words, "; ")
	return h
}

// mark draws a line before category c.
func (h *histogram) mark(c, categories int, name string) {
	if c > 0 && c < categories {
		h.Mark, h.MarkName = h.Left+(h.Right-h.Left)*float64(c)/float64(categories), name
	}
}

// labelRoom returns the width of the longest label in pixels.
func labelRoom(labels []string) float64 {
	n := 1.0
	for _, l := range labels {
		n = max(n, letters(l))
	}
	return float64(7*n) + 4
}

// letters returns the width of a text in Latin letters; Japanese characters are twice as wide.
func letters(s string) float64 {
	n := 0.0
	for _, r := range s {
		n++
		if r >= 0x2e80 {
			n++
		}
	}
	return n
}

// scale returns a round step for an axis from 0, and its end, a multiple of the step that is at least most, so
// that there are at most 6 steps.
func scale(most float64) (step, top float64) {
	if most <= 0 {
		return 1, 1
	}
	step = math.Pow(10, math.Floor(math.Log10(most))-1)
	for k := 0; most > 6*step; k++ {
		step *= [...]float64{2, 2.5, 2}[k%3]
	}
	return step, step * math.Ceil(most/step-1e-9)
}
