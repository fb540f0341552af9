package bench

import (
	"fmt"
	"io"
	"strconv"

	"github.com/hitoku/hitoku/bench"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/report"
	"github.com/hitoku/hitoku/lp"
)

// printLP prints one line per case and back end, the means by kind, and notes about answers and back ends.
func printLP(w io.Writer, r *bench.LPReport) error {
	fmt.Fprintf(w, "%s; hitoku %s\n", r.Machine, r.Version)
	render.Tell(w, "microseconds a solve (suppress: a search), median and quartiles of %d repetitions; ratios are to %s, repetition by repetition\n\n", r.Done, r.Base)
	grid := render.NewColumns(2, "case", "back end", "entries", "µs", "q1", "q3", "ratio", "cpu µs", "cpu ratio", "allocs", "kB", "model kB", "answers")
	for _, x := range r.Results {
		line := []string{x.Case, x.LP, strconv.Itoa(x.Entries)}
		if x.Skipped != "" {
			grid.Add(append(line, "-", "-", "-", "-", "-", "-", "-", "-", "-", x.Skipped)...)
			continue
		}
		kB := ""
		if x.RSS != nil {
			kB = shortNumber(new(float64(*x.RSS)), 1e-3)
		}
		grid.Add(append(line, shortNumber(x.Seconds, 1e6), shortNumber(x.Q1, 1e6), shortNumber(x.Q3, 1e6), shortNumber(x.Ratio, 1),
			shortNumber(x.CPUSeconds, 1e6), shortNumber(x.CPURatio, 1), shortNumber(x.Allocs, 1), shortNumber(x.AllocBytes, 1e-3), kB, answersText(x))...)
	}
	grid.Print(w)
	fmt.Fprintln(w)
	printLPMeans(w, r)
	return printLPAnswers(w, r)
}

// printLPMeans prints one line per kind, with a column for each back end.
func printLPMeans(w io.Writer, r *bench.LPReport) {
	names := r.Measured()
	grid := render.NewColumns(1, append([]string{"geometric mean of ratios"}, names...)...)
	for at := 0; at < len(r.Means); at += len(names) {
		line := []string{r.Means[at].Kind}
		for _, m := range r.Means[at : at+len(names)] {
			s := shortNumber(m.Ratio, 1)
			if m.Cases < m.Of {
				s += fmt.Sprintf(" (%d of %d)", m.Cases, m.Of)
			}
			line = append(line, s)
		}
		grid.Add(line...)
	}
	grid.Print(w)
}

func printLPAnswers(w io.Writer, r *bench.LPReport) error {
	checked, unanswered, worst := 0, 0, 0.0
	for _, x := range r.Results {
		checked, unanswered, worst = checked+x.Checked, unanswered+x.Unanswered, max(worst, x.Worst)
	}
	agree := i18n.T("all agree")
	if n := r.Differ(); n > 0 {
		agree = i18n.T("%d DIFFER", n)
	}
	line := i18n.T("\n%d answers compared: %s, optima to %.1g", checked, agree, worst)
	if unanswered > 0 {
		line = line.Plus("; %d without a verdict", unanswered)
	}
	err := render.Tell(w, "%s\n", line)
	for _, x := range r.Results {
		if x.Difference != "" {
			render.Tell(w, "%s on %s: %d of %d differ, first %s\n", x.LP, x.Case, x.Differ, x.Checked, x.Difference)
		}
	}
	lacking := map[string]i18n.Text{}
	for _, e := range lp.Missing() {
		lacking[e.Error()] = flags.Lacking(e)
	}
	for _, b := range r.Backends {
		if b.Missing != "" {
			why, known := lacking[b.Missing]
			if !known { // the document was written by another build
				why = i18n.T("%s", b.Missing)
			}
			err = render.Tell(w, "missing: %s: %s\n", b.Name, why)
		}
	}
	return err
}

// answersText counts the answers compared, and those that differ.
func answersText(x *document.BenchLPCase) string {
	s := strconv.Itoa(x.Checked)
	if x.Differ > 0 {
		s = fmt.Sprintf("%d of %s DIFFER", x.Differ, s)
	}
	if x.Unanswered > 0 {
		s += fmt.Sprintf(", %d unknown", x.Unanswered)
	}
	return s
}

// shortNumber writes x·unit.
func shortNumber(x *float64, unit float64) string {
	return given(x, "-", func(x float64) string { return report.Short(x * unit) })
}
