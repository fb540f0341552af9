package bench

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/bench"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/render"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/private"
	"github.com/hitoku/hitoku/internal/report"
)

// sideBySide compares two files of results.
func (b *cspBench) sideBySide(cmd *cobra.Command, files []string) error {
	before, err := bench.ReadFile(files[0])
	if err != nil {
		return err
	}
	after, err := bench.ReadFile(files[1])
	if err != nil {
		return err
	}
	c := bench.Compare(files[0], before, files[1], after)
	for _, path := range b.output {
		if err := formats.SaveAs(private.Drawn, path, func(w io.Writer) error { return report.Compare(w, cli.Speaks().Tag, c) }); err != nil {
			return err
		}
	}
	if b.json {
		return document.Write(cmd.OutOrStdout(), c)
	}
	return printComparison(cmd.OutOrStdout(), c)
}

// printComparison prints one line of ratios per instance, and their means.
func printComparison(w io.Writer, c *document.BenchComparison) error {
	render.Tell(w, "%s / %s: below 1 is less than before\n\n", c.New, c.Old)
	grid := render.NewColumns(1, append(append([]string{"table"}, c.Metrics...), "status")...)
	for _, p := range c.Tables {
		line := []string{p.Table}
		for _, m := range c.Metrics {
			line = append(line, share(p.Ratios[m]))
		}
		grid.Add(append(line, statusChange(p.Old, p.New))...)
	}
	mean := []string{"geometric mean"}
	for _, m := range c.Metrics {
		mean = append(mean, share(c.Means[m].Ratio))
	}
	grid.Add(append(mean, "")...)
	grid.Print(w)
	blank := "\n"
	for _, part := range []struct {
		words i18n.Text
		list  []string
	}{
		{i18n.T("not alike"), c.Differs},
		{i18n.T("only in %s", c.Old), c.OnlyOld},
		{i18n.T("only in %s", c.New), c.OnlyNew},
	} {
		for _, s := range part.list {
			render.Tell(w, "%s%s: %s\n", blank, part.words, s)
			blank = ""
		}
	}
	return nil
}

func statusChange(a, b string) string {
	if a == b {
		return a
	}
	return a + " → " + b
}
