package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/risksql"
	"github.com/hitoku/hitoku/risk"
)

// duckRuns are the metrics that DuckDB measures for comparison, by the queries of package risksql, and the result
// column with the number of classes.
var duckRuns = []struct {
	metric, classes string
	query           func(*risksql.Query) (string, error)
}{
	{"k-anonymity", "classes", (*risksql.Query).KAnonymity},
	{"l-diversity", "classes", (*risksql.Query).LDiversity},
	{"k-map", "tuples", (*risksql.Query).KMap},
	{"t-closeness", "classes", func(q *risksql.Query) (string, error) {
		q.Distance = risk.Ordered
		return q.TCloseness()
	}},
}

// duckRisk measures one metric of a file by running the program hitoku-duck.
func duckRisk(ctx context.Context, program, path, metric string, qi []string) (*document.BenchRisk, error) {
	for _, r := range duckRuns {
		if r.metric != metric {
			continue
		}
		q := &risksql.Query{Dialect: risksql.DuckDB, Table: "records", QI: qi, Sensitive: "income", Population: "population",
			Missing: risk.Missing{Mode: risk.Own, Markers: []string{""}}}
		text, err := r.query(q)
		if err != nil {
			return nil, err
		}
		args := []string{"sql"}
		if metric == "k-map" {
			args = append(args, "--population", path)
		}
		var out, words bytes.Buffer
		run := exec.CommandContext(ctx, program, append(args, path)...)
		run.Stdin, run.Stdout, run.Stderr = strings.NewReader(text), &out, &words
		start := time.Now()
		if err := run.Run(); err != nil {
			return nil, i18n.Errorf("%s: %w: %s", filepath.Base(program), err, bytes.TrimSpace(words.Bytes()))
		}
		x := &document.BenchRisk{Metric: metric, Implementation: "duckdb", Seconds: time.Since(start).Seconds()}
		x.CPUSeconds, x.RSSPeak = usage(run.ProcessState)
		var doc map[string]float64
		if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
			return nil, i18n.Errorf("%s: %w", filepath.Base(program), err)
		}
		x.Classes = int64(doc[r.classes])
		return x, nil
	}
	return nil, nil
}
