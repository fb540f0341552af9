package bench

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/hitoku/hitoku/bench"
	"github.com/hitoku/hitoku/internal/cli"
	"github.com/hitoku/hitoku/internal/cli/flags"
	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
)

// riskBench is hitoku bench risk.
type riskBench struct {
	records int64
	columns int
	seed    uint64
	metrics []string
	naive   bool
	duck    bool
	workers int
	json    bool
}

func newBenchRisk() *cobra.Command {
	b := &riskBench{}
	cmd := &cobra.Command{
		Use:   "risk",
		Short: "Measure how fast risks of microdata are computed",
		Long: `Draw records of persons into a temporary file and compute metrics of it with four
quasi-identifiers or more, each from the file to the result. With --naive, k-anonymity and
l-diversity also by encoding/csv and maps of strings, which must agree; with --duck,
k-anonymity, l-diversity, k-map and t-closeness also by DuckDB and the queries of hitoku risk sql.`,
		Example: `  hitoku bench risk --records 1000000 --naive`,
		Args:    cli.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return b.run(cmd) },
	}
	flags.Declare(cmd,
		flags.In(flags.MeasureGroup, []flags.Flag{
			{Name: "records", To: &b.records, Default: 1_000_000, Range: "[1, ∞)", Text: "draw `N` records"},
			{Name: "columns", To: &b.columns, Default: 4, Range: "[4, 10]", Text: "tell them apart by `N` quasi-identifiers; by more than 4 no release is looked for"},
			{Name: "seed", To: &b.seed, Default: 1, Text: "seed `N` of the records"},
			{Name: "metric", To: &b.metrics, From: bench.RiskMetrics(), Text: "measure this `metric`", Else: "all"},
			{Name: "naive", To: &b.naive, Text: "also by encoding/csv and maps of strings (k-anonymity, l-diversity), whose results must agree"},
			{Name: "duck", To: &b.duck, Text: "also by hitoku-duck (make duck) and the queries of hitoku risk sql (k-anonymity, l-diversity, k-map, t-closeness)"},
			{Name: "workers", Rare: true, To: &b.workers, Text: "parse in `N` goroutines", Else: "one a processor, up to 8"},
		}),
		flags.In(flags.OutputGroup, []flags.Flag{
			flags.JSON(&b.json, "print one JSON document a line"),
		}),
	)
	return cmd
}

func (b *riskBench) run(cmd *cobra.Command) error {
	duck := ""
	if b.duck {
		var err error
		if duck, err = flags.FindDuck(); err != nil {
			return i18n.Errorf("--duck: %w", err)
		}
	}
	w := cmd.OutOrStdout()
	value := map[string]float64{}
	if !b.json {
		fmt.Fprintf(w, "%-22s  %-8s  %10s  %9s  %7s  %7s  %7s  %7s\n", "metric", "by", "records", "classes", "seconds", "cpu", "heap MB", "rss MB")
	}
	return bench.Risk(cmd.Context(), b.records, b.columns, b.seed, b.metrics, b.naive, duck, b.workers, func(r *document.BenchRisk) error {
		if v, ok := value[r.Metric]; ok && v != r.Value {
			return i18n.Errorf("%s: %s gives %v, another implementation %v", r.Metric, r.Implementation, r.Value, v)
		}
		value[r.Metric] = r.Value
		if b.json {
			return document.Write(w, r)
		}
		rss := "-"
		if r.RSSPeak != nil {
			rss = megabytes(r.RSSPeak)
		}
		_, err := fmt.Fprintf(w, "%-22s  %-8s  %10d  %9d  %7s  %7s  %7s  %7s\n", r.Metric, r.Implementation, r.Records, r.Classes,
			strconv.FormatFloat(r.Seconds, 'f', 2, 64), seconds(r.CPUSeconds), megabytes(&r.HeapPeak), rss)
		return err
	})
}
