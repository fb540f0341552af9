package bench

import (
	"encoding/csv"
	"io"

	"github.com/hitoku/hitoku/document"
)

// WriteLP writes a report as one JSON document or, where f is CSV, its results with one
// line each and its conditions in every line.
func WriteLP(w io.Writer, f Format, r *LPReport) error {
	if f != CSV {
		return document.Write(w, r)
	}
	c := csv.NewWriter(w)
	var header []string
	for _, f := range r.fields(&document.BenchLPCase{}) {
		header = append(header, f.name)
	}
	if err := c.Write(header); err != nil {
		return err
	}
	for _, x := range r.Results {
		var line []string
		for _, f := range r.fields(x) {
			line = append(line, f.text())
		}
		if err := c.Write(line); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// fields returns the columns of a result, called like its keys and those of the
// report.
func (r *LPReport) fields(x *document.BenchLPCase) []field {
	return []field{
		{"case", &x.Case}, {"kind", &x.Kind}, {"table", &x.Table}, {"cells", &x.Cells}, {"relations", &x.Relations},
		{"cols", &x.Cols}, {"rows", &x.Rows}, {"entries", &x.Entries}, {"lp", &x.LP}, {"skipped", &x.Skipped},
		{"solves", &x.Solves}, {"passes", &x.Passes}, {"seconds", &x.Seconds}, {"q1", &x.Q1}, {"q3", &x.Q3}, {"runs", &x.Runs},
		{"cpu_seconds", &x.CPUSeconds}, {"cpu_runs", &x.CPURuns}, {"ratio", &x.Ratio}, {"cpu_ratio", &x.CPURatio},
		{"allocs", &x.Allocs}, {"alloc_bytes", &x.AllocBytes}, {"rss", &x.RSS},
		{"checked", &x.Checked}, {"differ", &x.Differ}, {"unanswered", &x.Unanswered}, {"worst", &x.Worst}, {"difference", &x.Difference},
		{"base", &r.Base}, {"limit", &r.Limit}, {"version", &r.Version}, {"machine", &r.Machine},
	}
}
