package bench

import (
	"context"
	"encoding/csv"
	"io"
	"math"
	"os"
	"slices"
	"time"

	"github.com/hitoku/hitoku/internal/document"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/risk"
)

// riskQI are the quasi-identifiers of the benchmark, which uses the first of them.
var riskQI = []string{"region", "age", "sex", "occupation", "education", "status", "hours", "household", "country", "sector"}

// persons are the records of a file and the columns that identify them.
type persons struct {
	path    string
	qi      []string
	workers int
}

// A riskRun measures records: it returns the metric's value and the number of classes.
type riskRun func(ctx context.Context, x *persons) (value float64, classes int64, err error)

// riskRuns are the metrics and their implementations. Naive uses encoding/csv and a map keyed by strings, as a first
// version would. Metrics marked four always use the first four columns.
var riskRuns = []struct {
	metric, implementation string
	missing                float64
	four                   bool
	run                    riskRun
}{
	{"k-anonymity", "hitoku", 0, false, riskK(risk.Own)},
	{"k-anonymity", "naive", 0, true, naiveK},
	{"l-diversity", "hitoku", 0, false, riskDiversity(risk.Missing{})},
	{"l-diversity", "naive", 0, true, naiveDiversity},
	{"t-closeness", "hitoku", 0, false, riskOf(scanSensitive, ordered)},
	{"k-map", "hitoku", 0, false, riskMap},
	{"survey", "hitoku", 0, false, riskSurvey},
	{"entities", "hitoku", 0, false, riskEntities(risk.Missing{Markers: blank.Markers})},
	{"special-uniques", "hitoku", 0, false, riskSpecials},
	{"beta-likeness", "hitoku", 0, false, riskOf(scanSensitive, delta)},
	{"all", "hitoku", 0, false, riskAll},
	{"generalise", "hitoku", 0, true, riskLattice},
	{"withhold", "hitoku", 0, true, riskWithhold},
	{"uniques", "hitoku", 0, false, riskUniques},
	{"k-anonymity, wildcards", "hitoku", 0.05, false, riskK(risk.Wildcard)},
	{"l-diversity, wildcards", "hitoku", 0.05, false, riskDiversity(blank)},
	{"entities, wildcards", "hitoku", 0.05, false, riskEntities(blank)},
}

// RiskMetrics returns the metrics that Risk measures.
func RiskMetrics() []string {
	var names []string
	for _, r := range riskRuns {
		if !slices.Contains(names, r.metric) {
			names = append(names, r.metric)
		}
	}
	return names
}

// Risk measures metrics (nil: all) on a file of generated records with 4 to 10 quasi-identifiers, which is written
// before the clock starts and removed at the end; with more than 4 the metrics that search for releases are skipped.
// naive adds the naive implementations; duck, the path of hitoku-duck, adds DuckDB, whose number of classes must be the
// same.
func Risk(ctx context.Context, records int64, columns int, seed uint64, metrics []string, naive bool, duck string, workers int, show func(*document.BenchRisk) error) error {
	files := map[float64]string{}
	defer func() {
		for _, path := range files {
			os.Remove(path)
		}
	}()
	for _, r := range riskRuns {
		if metrics != nil && !slices.Contains(metrics, r.metric) || r.implementation == "naive" && !naive || r.four && columns > 4 {
			continue
		}
		path, ok := files[r.missing]
		if !ok {
			f, err := os.CreateTemp("", "hitoku-bench-*.csv")
			if err != nil {
				return err
			}
			path = f.Name()
			files[r.missing] = path
			if err := writePersons(f, records, columns, seed, r.missing); err != nil {
				f.Close()
				return err
			}
			if err := f.Close(); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		m := Result{}
		w := watchMemory()
		cpu, _ := cpuTime()
		start := time.Now()
		value, classes, err := r.run(ctx, &persons{path, riskQI[:columns], workers})
		x := &document.BenchRisk{Metric: r.metric, Implementation: r.implementation, Records: records, Columns: columns, Missing: r.missing, Classes: classes,
			Value: value, Seconds: time.Since(start).Seconds(), Workers: workers}
		w.stop(&m)
		if err != nil {
			return i18n.Errorf("%s: %w", r.metric, err)
		}
		if after, ok := cpuTime(); ok {
			s := (after - cpu).Seconds()
			x.CPUSeconds = &s
		}
		x.HeapPeak = m.HeapPeak
		if m.RSSScope == "instance" {
			x.RSSPeak = m.RSSPeak
		}
		if err := show(x); err != nil {
			return err
		}
		if duck == "" || r.implementation != "hitoku" {
			continue
		}
		y, err := duckRisk(ctx, duck, path, r.metric, riskQI[:columns])
		switch {
		case err != nil:
			return i18n.Errorf("%s: %w", r.metric, err)
		case y == nil:
			continue
		case y.Classes != x.Classes:
			return i18n.Errorf("%s: %d classes, by DuckDB %d", r.metric, x.Classes, y.Classes)
		}
		y.Records, y.Columns, y.Missing, y.Value = x.Records, x.Columns, x.Missing, x.Value
		if err := show(y); err != nil {
			return err
		}
	}
	return nil
}

// naiveRows calls f with the four quasi-identifiers and the income of every record.
func naiveRows(path string, f func(qi [4]string, income string)) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	r := csv.NewReader(in)
	if _, err := r.Read(); err != nil {
		return err
	}
	for {
		row, err := r.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		f([4]string(row[1:5]), row[5])
	}
}

func naiveK(_ context.Context, x *persons) (float64, int64, error) {
	classes := map[[4]string]int{}
	if err := naiveRows(x.path, func(qi [4]string, _ string) { classes[qi]++ }); err != nil {
		return 0, 0, err
	}
	k := math.MaxInt
	for _, n := range classes {
		k = min(k, n)
	}
	return float64(len(classes)), int64(len(classes)), nil
}

func naiveDiversity(_ context.Context, x *persons) (float64, int64, error) {
	classes := map[[4]string]map[string]int{}
	err := naiveRows(x.path, func(qi [4]string, income string) {
		c := classes[qi]
		if c == nil {
			c = map[string]int{}
			classes[qi] = c
		}
		c[income]++
	})
	if err != nil {
		return 0, 0, err
	}
	l, distinct, alpha := math.Inf(1), 0, 0.0
	for _, c := range classes {
		n, h := 0, 0.0
		for _, m := range c {
			n += m
		}
		for _, m := range c {
			p := float64(m) / float64(n)
			h -= float64(p * math.Log(p))
			alpha = max(alpha, p)
		}
		l = min(l, math.Exp(h))
		distinct += len(c)
	}
	return float64(distinct), int64(len(classes)), nil
}
