package bench

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"time"

	"github.com/hitoku/hitoku/document"
	"github.com/hitoku/hitoku/risk"
)

// riskQI are the quasi-identifiers of the benchmark.
var riskQI = []string{"region", "age", "sex", "occupation"}

// riskRun measures the records of a file: the metric's value and the number of
// classes.
type riskRun func(path string, workers int) (value float64, classes int64, err error)

// riskRuns are the metrics and their implementations. Naive is encoding/csv with a map
// by strings, as one writes it at first.
var riskRuns = []struct {
	metric, implementation string
	missing                float64
	run                    riskRun
}{
	{"k-anonymity", "hitoku", 0, riskK(risk.Own)},
	{"k-anonymity", "naive", 0, naiveK},
	{"l-diversity", "hitoku", 0, riskDiversity},
	{"l-diversity", "naive", 0, naiveDiversity},
	{"t-closeness", "hitoku", 0, riskT},
	{"k-map", "hitoku", 0, riskMap},
	{"survey", "hitoku", 0, riskSurvey},
	{"entities", "hitoku", 0, riskEntities},
	{"special-uniques", "hitoku", 0, riskSpecials},
	{"beta-likeness", "hitoku", 0, riskBeta},
	{"generalise", "hitoku", 0, riskLattice},
	{"withhold", "hitoku", 0, riskWithhold},
	{"uniques", "hitoku", 0, riskUniques},
	{"k-anonymity, wildcards", "hitoku", 0.05, riskK(risk.Wildcard)},
	{"l-diversity, wildcards", "hitoku", 0.05, riskWildDiversity},
	{"entities, wildcards", "hitoku", 0.05, riskWildEntities},
}

// RiskMetrics are the metrics that Risk measures.
func RiskMetrics() []string {
	var names []string
	for _, r := range riskRuns {
		if !slices.Contains(names, r.metric) {
			names = append(names, r.metric)
		}
	}
	return names
}

// Risk measures metrics, all for nil, on a file of so many generated records, which is
// written before the clock starts and removed in the end. naive adds the naive
// implementations; duck, the path of hitoku-duck, adds DuckDB, whose number of classes must be
// the same.
func Risk(ctx context.Context, records int64, seed uint64, metrics []string, naive bool, duck string, workers int, show func(*document.BenchRisk) error) error {
	files := map[float64]string{}
	defer func() {
		for _, path := range files {
			os.Remove(path)
		}
	}()
	for _, r := range riskRuns {
		if metrics != nil && !slices.Contains(metrics, r.metric) || r.implementation == "naive" && !naive {
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
			if err := writePersons(f, records, seed, r.missing); err != nil {
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
		value, classes, err := r.run(path, workers)
		x := &document.BenchRisk{Metric: r.metric, Implementation: r.implementation, Records: records, Missing: r.missing, Classes: classes,
			Value: value, Seconds: time.Since(start).Seconds(), Workers: workers}
		w.stop(&m)
		if err != nil {
			return fmt.Errorf("%s: %w", r.metric, err)
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
		y, err := duckRisk(ctx, duck, path, r.metric)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", r.metric, err)
		case y == nil:
			continue
		case y.Classes != x.Classes:
			return fmt.Errorf("%s: %d classes, by DuckDB %d", r.metric, x.Classes, y.Classes)
		}
		y.Records, y.Missing, y.Value = x.Records, x.Missing, x.Value
		if err := show(y); err != nil {
			return err
		}
	}
	return nil
}

// riskScan reads a file of the benchmark; further columns follow the quasi-identifiers.
func riskScan[A risk.Accumulator[A]](path string, workers int, further, amounts []string, fresh func(*risk.Columns) A) (A, error) {
	columns, err := risk.NewColumns(slices.Concat(riskQI, further)...)
	if err != nil {
		return *new(A), err
	}
	s, err := risk.NewScanner(risk.Layout{Workers: workers}, columns, amounts, func() A { return fresh(columns) })
	if err != nil {
		return *new(A), err
	}
	if err := s.ReadFile(context.Background(), path); err != nil {
		return *new(A), err
	}
	return s.Result()
}

func riskClasses(path string, workers int) (*risk.Classes, error) {
	return riskScan(path, workers, nil, nil, func(c *risk.Columns) *risk.Classes { return risk.NewClasses(c, len(riskQI)) })
}

// riskK returns the expected number of re-identifications, which depends on every
// class.
func riskK(mode risk.MissingMode) riskRun {
	return func(path string, workers int) (float64, int64, error) {
		c, err := riskClasses(path, workers)
		if err != nil {
			return 0, 0, err
		}
		r, err := c.KAnonymity(risk.Missing{Mode: mode, Markers: []string{""}}, 0)
		if err != nil {
			return 0, 0, err
		}
		return r.Reidentified, int64(c.Len()), nil
	}
}

func riskSensitive(path string, workers int) (*risk.Sensitive, error) {
	return riskScan(path, workers, []string{"income"}, nil, func(c *risk.Columns) *risk.Sensitive { return risk.NewSensitive(c, len(riskQI)) })
}

// riskDiversity returns the sum of distinct l over classes, which depends on each.
func riskDiversity(path string, workers int) (float64, int64, error) {
	s, err := riskSensitive(path, workers)
	if err != nil {
		return 0, 0, err
	}
	r, err := s.LDiversity(risk.Missing{}, false, []uint64{2, 3}, 0)
	if err != nil {
		return 0, 0, err
	}
	sum := 0.0
	for l, n := range r[0].Histogram {
		sum += float64(l * n)
	}
	return sum, int64(s.Len()), nil
}

func riskT(path string, workers int) (float64, int64, error) {
	s, err := riskSensitive(path, workers)
	if err != nil {
		return 0, 0, err
	}
	r, err := s.TCloseness(risk.Missing{}, false, []risk.Distance{risk.Ordered}, 0)
	if err != nil {
		return 0, 0, err
	}
	t, _ := r[0].T.Float64()
	return t, int64(s.Len()), nil
}

// riskMap takes the file as its own population: it is read twice, and k-map is k.
func riskMap(path string, workers int) (float64, int64, error) {
	c, err := riskClasses(path, workers)
	if err != nil {
		return 0, 0, err
	}
	p := risk.NewPopulation(c, nil)
	s, err := risk.NewScanner(risk.Layout{Workers: workers}, c.Columns(), nil, p.Fresh)
	if err != nil {
		return 0, 0, err
	}
	s.Known = true
	if err := s.ReadFile(context.Background(), path); err != nil {
		return 0, 0, err
	}
	if p, err = s.Result(); err != nil {
		return 0, 0, err
	}
	return float64(p.KMap(0).K), int64(c.Len()), nil
}

func riskSurvey(path string, workers int) (float64, int64, error) {
	w, err := riskScan(path, workers, nil, []string{"weight"}, func(c *risk.Columns) *risk.Weighted { return risk.NewWeighted(c, len(riskQI)) })
	if err != nil {
		return 0, 0, err
	}
	r, err := w.Risk(risk.Missing{}, 0)
	if err != nil {
		return 0, 0, err
	}
	return r.Reidentified, int64(w.Len()), nil
}

func riskEntities(path string, workers int) (float64, int64, error) {
	e, err := riskScan(path, workers, []string{"id"}, nil, risk.NewEntities)
	if err != nil {
		return 0, 0, err
	}
	r, err := e.KAnonymity(risk.Missing{Markers: []string{""}}, 0)
	if err != nil {
		return 0, 0, err
	}
	return float64(r.K), int64(r.Classes), nil
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

func naiveK(path string, _ int) (float64, int64, error) {
	classes := map[[4]string]int{}
	if err := naiveRows(path, func(qi [4]string, _ string) { classes[qi]++ }); err != nil {
		return 0, 0, err
	}
	k := math.MaxInt
	for _, n := range classes {
		k = min(k, n)
	}
	return float64(len(classes)), int64(len(classes)), nil
}

func naiveDiversity(path string, _ int) (float64, int64, error) {
	classes := map[[4]string]map[string]int{}
	err := naiveRows(path, func(qi [4]string, income string) {
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
		for _, x := range c {
			n += x
		}
		for _, x := range c {
			p := float64(x) / float64(n)
			h -= p * math.Log(p)
			alpha = max(alpha, p)
		}
		l = min(l, math.Exp(h))
		distinct += len(c)
	}
	return float64(distinct), int64(len(classes)), nil
}
