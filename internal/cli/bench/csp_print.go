package bench

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/hitoku/hitoku/bench"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/report"
)

// resultColumns are the columns of a line of results and their widths.
var resultColumns = []struct {
	name  string
	width int
	of    func(r *bench.Result) string
}{
	{"cells", 7, func(r *bench.Result) string { return strconv.Itoa(r.Cells) }},
	{"relations", 9, func(r *bench.Result) string { return strconv.Itoa(r.Relations) }},
	{"sensitive", 9, func(r *bench.Result) string { return strconv.Itoa(r.Sensitive) }},
	{"cost", 9, func(r *bench.Result) string { return string(r.Cost) }},
	{"withheld", 9, func(r *bench.Result) string { return string(r.WithheldCost) }},
	{"bound", 9, func(r *bench.Result) string { return string(r.Bound) }},
	{"gap", 7, func(r *bench.Result) string { return percent(r.Gap) }},
	{"nodes", 7, func(r *bench.Result) string { return strconv.Itoa(r.Nodes) }},
	{"rounds", 7, func(r *bench.Result) string { return strconv.Itoa(r.Rounds) }},
	{"cuts", 7, func(r *bench.Result) string { return strconv.Itoa(r.TotalCuts()) }},
	{"first", 8, func(r *bench.Result) string { return seconds(r.FirstSeconds) }},
	{"proof", 8, func(r *bench.Result) string { return seconds(r.ProofSeconds) }},
	{"seconds", 8, func(r *bench.Result) string { return seconds(&r.Seconds) }},
	{"cpu", 8, func(r *bench.Result) string { return seconds(r.CPUSeconds) }},
	{"heap MB", 8, func(r *bench.Result) string { return megabytes(&r.HeapPeak) }},
	{"rss MB", 8, func(r *bench.Result) string { return megabytes(r.RSSPeak) }},
}

// resultLines prints results as they come, in columns of fixed width.
type resultLines struct {
	w    io.Writer
	name int // width of the column of names
	head bool
}

func newResultLines(w io.Writer, names []string) *resultLines {
	l := &resultLines{w: w, name: render.TextWidth(i18n.Of(w).Label("table"))}
	for _, s := range names {
		l.name = max(l.name, render.TextWidth(s))
	}
	return l
}

func (l *resultLines) print(r *bench.Result) error {
	var head, line strings.Builder
	label := i18n.Of(l.w).Label
	head.WriteString(left(label("table"), l.name))
	line.WriteString(left(r.Table, l.name))
	for _, c := range resultColumns {
		s := orDash(c.of(r))
		name := label(c.name)
		if c.name == "sensitive" { // these are cells, whereas the usual label is for attributes of microdata
			name = i18n.Of(l.w).Say(i18n.T("sensitive"))
		}
		width := max(c.width, render.TextWidth(name))
		head.WriteString("  " + blanks(width-render.TextWidth(name)) + name)
		fmt.Fprintf(&line, "  %*s", width, s)
	}
	audit, last := label(r.Audit), label("audit")
	if r.Certificate != "" {
		last, audit = left(last, 11)+"  "+label("certificate"), left(audit, 11)+"  "+label(r.Certificate)
	}
	if !l.head {
		l.head = true
		fmt.Fprintf(l.w, "%s  %s  %s\n", head.String(), left(label("status"), 13), last)
	}
	_, err := fmt.Fprintf(l.w, "%s  %s  %s\n", line.String(), left(label(string(r.Status)), 13), audit)
	if b := r.Batch; b != nil && err == nil {
		err = render.Tell(l.w, "%s: %d tables, %d protected, %d unprotectable, %d stopped; %s a table in the median, %s mean, %s at most\n",
			r.Table, b.Tables, b.Protected, b.Unprotectable, b.Stopped, milliseconds(b.MedianMS), milliseconds(b.MeanMS), milliseconds(b.MaxMS))
	}
	return err
}

// blanks returns n blanks, none if n is negative.
func blanks(n int) string { return strings.Repeat(" ", max(n, 0)) }

// left pads s with blanks to the width of a column.
func left(s string, width int) string { return s + blanks(width-render.TextWidth(s)) }

// printTotals counts the results by status and audit.
func printTotals(w io.Writer, results []*bench.Result) error {
	n := report.Count(results)
	line := i18n.T("\n%d instances: %d optimal, %d feasible, %d unprotectable, %d without a pattern; ",
		len(results), n.Optimal, n.Feasible, n.Unprotectable, n.None)
	if n.Unprotected == 0 {
		line = line.Plus("every pattern audited and protected")
	} else {
		line = line.Plus("patterns of %d UNPROTECTED", n.Unprotected)
	}
	if n.Confirmed+n.Refuted > 0 {
		line = line.Plus("; %d certificates confirmed", n.Confirmed)
	}
	if n.Refuted > 0 {
		line = line.Plus(", %d REFUTED", n.Refuted)
	}
	return render.Tell(w, "%s\n", line)
}

// given formats a number that may be missing.
func given[T any](x *T, none string, show func(T) string) string {
	if x == nil {
		return none
	}
	return show(*x)
}

func percent(x *float64) string {
	return given(x, "", func(x float64) string { return strconv.FormatFloat(100*x, 'f', 2, 64) + "%" })
}

// places returns a format with that many decimals.
func places(n int) func(float64) string {
	return func(x float64) string { return strconv.FormatFloat(x, 'f', n, 64) }
}

func seconds(x *float64) string { return given(x, "", places(3)) }

func milliseconds(x float64) string { return strconv.FormatFloat(x, 'f', 3, 64) + " ms" }

func megabytes(x *int64) string {
	return given(x, "", func(x int64) string { return places(1)(float64(x) / (1 << 20)) })
}

// batchProgress prints how many tables of a batch are done.
type batchProgress struct {
	w    io.Writer
	next time.Time
}

func (p *batchProgress) show(done, total int) {
	if now := time.Now(); now.After(p.next) {
		p.next = now.Add(render.Pause)
		render.Tell(p.w, "%d of %d tables solved\n", done, total)
	}
}
