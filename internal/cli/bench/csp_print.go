package bench

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/hitoku/hitoku/bench"
	"github.com/hitoku/hitoku/internal/cli/render"
)

// resultColumns are the numbers of a line of results and the room for each.
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
	name int // width of the names
	head bool
}

func newResultLines(w io.Writer, names []string) *resultLines {
	l := &resultLines{w: w, name: len("table")}
	for _, s := range names {
		l.name = max(l.name, render.TextWidth(s))
	}
	return l
}

func (l *resultLines) print(r *bench.Result) error {
	var head, line strings.Builder
	head.WriteString("table" + strings.Repeat(" ", l.name-len("table")))
	line.WriteString(r.Table + strings.Repeat(" ", l.name-render.TextWidth(r.Table)))
	for _, c := range resultColumns {
		s := c.of(r)
		if s == "" {
			s = "-"
		}
		fmt.Fprintf(&head, "  %*s", c.width, c.name)
		fmt.Fprintf(&line, "  %*s", c.width, s)
	}
	audit := r.Audit
	last := "audit"
	if r.Certificate != "" {
		last = fmt.Sprintf("%-11s  certificate", last)
		audit = fmt.Sprintf("%-11s  %s", audit, r.Certificate)
	}
	if !l.head {
		l.head = true
		fmt.Fprintf(l.w, "%s  %-13s  %s\n", head.String(), "status", last)
	}
	_, err := fmt.Fprintf(l.w, "%s  %-13s  %s\n", line.String(), r.Status, audit)
	if b := r.Batch; b != nil && err == nil {
		_, err = fmt.Fprintf(l.w, "%s: %d tables, %d protected, %d unprotectable, %d stopped; %s a table in the median, %s mean, %s at most\n",
			r.Table, b.Tables, b.Protected, b.Unprotectable, b.Stopped, milliseconds(b.MedianMS), milliseconds(b.MeanMS), milliseconds(b.MaxMS))
	}
	return err
}

// printTotals counts the results by status and audit.
func printTotals(w io.Writer, results []*bench.Result) error {
	n := bench.Count(results)
	line := fmt.Sprintf("\n%d instances: %d optimal, %d feasible, %d unprotectable, %d without a pattern; ",
		len(results), n.Optimal, n.Feasible, n.Unprotectable, n.None)
	if n.Unprotected == 0 {
		line += "every pattern audited and protected"
	} else {
		line += fmt.Sprintf("patterns of %d UNPROTECTED", n.Unprotected)
	}
	if n.Confirmed+n.Refuted > 0 {
		line += fmt.Sprintf("; %d certificates confirmed", n.Confirmed)
	}
	if n.Refuted > 0 {
		line += fmt.Sprintf(", %d REFUTED", n.Refuted)
	}
	_, err := fmt.Fprintln(w, line)
	return err
}

func percent(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(100**x, 'f', 2, 64) + "%"
}

func seconds(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'f', 3, 64)
}

func milliseconds(x float64) string { return strconv.FormatFloat(x, 'f', 3, 64) + " ms" }

func megabytes(x *int64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(float64(*x)/(1<<20), 'f', 1, 64)
}

// batchProgress prints how many tables of a batch are done.
type batchProgress struct {
	w    io.Writer
	next time.Time
}

func (p *batchProgress) show(done, total int) {
	if now := time.Now(); now.After(p.next) {
		p.next = now.Add(render.Pause)
		fmt.Fprintf(p.w, "%d of %d tables solved\n", done, total)
	}
}
