package beam

import (
	"context"
	"errors"
	"fmt"
	"slices"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"github.com/hitoku/hitoku/risk"
)

// A Metric is a measure, with the name of the verb of hitoku risk.
type Metric string

// The metrics.
const (
	KAnonymity    Metric = "k-anonymity"
	LDiversity    Metric = "l-diversity"
	TCloseness    Metric = "t-closeness"
	KMap          Metric = "k-map"
	DeltaPresence Metric = "delta-presence"
)

// Metrics lists all metrics.
var Metrics = []Metric{KAnonymity, LDiversity, TCloseness, KMap, DeltaPresence}

// A Job says what to measure. It is sent to the workers.
type Job struct {
	Metric Metric
	Files  []string // from one file system, or from several
	QI     []string
	Entity string // for k-anonymity of entities: the column of their id
	// The sensitive attributes and, for t-closeness, the distance used for each.
	Sensitive    []string
	Distances    []risk.Distance
	OwnSensitive bool     // a missing sensitive value counts as a value
	L            []uint64 // the l of recursive (c,l)-diversity
	// Population are the files with which k-map compares; Count is their column of counts, if they have one.
	Population []string
	Count      string
	Missing    risk.Missing // own or drop
	Worst      int          // number of worst classes to list
	// Separator and Encoding of the files are those of risk.Layout, which contains a function and so cannot be
	// sent.
	Separator byte
	Encoding  string
	// Parts is the number of parts into which classes are divided. Each part must fit into the memory of a
	// worker.
	Parts int
}

// population reports whether the metric compares with a population.
func (j *Job) population() bool { return j.Metric == KMap || j.Metric == DeltaPresence }

// sensitive reports whether the metric is about sensitive attributes.
func (j *Job) sensitive() bool { return j.Metric == LDiversity || j.Metric == TCloseness }

// Check returns an error if the job cannot be done.
func (j *Job) Check() error {
	given := func(what string, is, wanted bool) error {
		switch {
		case is && !wanted:
			return fmt.Errorf("%s: %s has none", what, j.Metric)
		case wanted && !is:
			return fmt.Errorf("%s: no %s", j.Metric, what)
		}
		return nil
	}
	switch {
	case !slices.Contains(Metrics, j.Metric):
		return fmt.Errorf("no measure %q: want k-anonymity, l-diversity, t-closeness, k-map or delta-presence", j.Metric)
	case len(j.Files) == 0:
		return errors.New("no input")
	case len(j.QI) == 0:
		return errors.New("no quasi-identifiers; name them by --qi")
	case j.Parts < 1:
		return fmt.Errorf("--parts %d: want at least 1", j.Parts)
	case j.Worst < 0:
		return fmt.Errorf("--worst %d: want 0 or more", j.Worst)
	case j.Missing.Mode == risk.Wildcard:
		return errors.New("missing values as wildcards go across classes and cannot be counted in parts; want own or drop")
	case j.Missing.Mode == risk.Drop && j.population():
		return fmt.Errorf("--missing: %s has none", j.Metric)
	case j.OwnSensitive && !j.sensitive():
		return fmt.Errorf("--missing-sensitive: %s has none", j.Metric)
	case j.Metric == TCloseness && len(j.Distances) != len(j.Sensitive):
		return fmt.Errorf("%d distances of %d sensitive attributes", len(j.Distances), len(j.Sensitive))
	case j.Entity != "" && j.Metric != KAnonymity:
		return fmt.Errorf("--entity: %s has none", j.Metric)
	case j.Entity != "" && j.Worst > 0:
		return errors.New("--worst: not with --entity")
	case j.Count != "" && !j.population():
		return fmt.Errorf("--count: %s has none", j.Metric)
	}
	if err := given("--sensitive", len(j.Sensitive) > 0, j.sensitive()); err != nil {
		return err
	}
	if err := given("--population", len(j.Population) > 0, j.population()); err != nil {
		return err
	}
	_, err := risk.NewColumns(j.columns()...)
	return err
}

// columns returns the columns of the data set that are needed, the quasi-identifiers first.
func (j *Job) columns() []string {
	c := slices.Concat(j.QI, j.Sensitive)
	if j.Entity != "" {
		c = append(c, j.Entity)
	}
	return c
}

// Find returns the files that match some patterns, those of each pattern sorted by name. A pattern without a
// match is an error.
func Find(ctx context.Context, patterns []string) ([]string, error) {
	var files []string
	for _, p := range patterns {
		fs, err := filesystem.New(ctx, p)
		if err != nil {
			return nil, err
		}
		list, err := fs.List(ctx, p)
		fs.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("%s: no such file", p)
		}
		slices.Sort(list)
		files = append(files, list...)
	}
	return files, nil
}

// Measure builds the pipeline. Its single result is that for all files.
func (j *Job) Measure(s sdk.Scope) (sdk.PCollection, error) {
	if err := j.Check(); err != nil {
		return sdk.PCollection{}, err
	}
	nothing, err := j.nothing()
	if err != nil {
		return sdk.PCollection{}, err
	}
	data, faults := j.scan(s.Scope("data"), j.Files, false)
	results := []sdk.PCollection{sdk.Create(s, nothing), faults}
	switch {
	case j.population():
		people, faults := j.scan(s.Scope("population"), j.Population, true)
		results = append(results, faults, sdk.ParDo(s, &matchFn{*j}, sdk.CoGroupByKey(s, data, people)))
	case j.Metric == TCloseness:
		shares := sdk.ParDo(s, &wholeFn{*j}, data)
		whole := sdk.Combine(s, &mergeCounts{}, shares)
		results = append(results, sdk.ParDo(s, &distanceFn{*j}, data, sdk.SideInput{Input: whole}))
	case j.Entity != "":
		results = append(results, j.entities(s, data)...)
	default:
		results = append(results, sdk.ParDo(s, &measureFn{*j}, data))
	}
	return sdk.Combine(s, &mergeResults{}, sdk.Flatten(s, results...)), nil
}

// nothing returns the result for no records.
func (j *Job) nothing() (r Result, err error) {
	c, err := risk.NewColumns(j.columns()...)
	if err != nil {
		return r, err
	}
	switch {
	case j.population():
		return j.match(risk.NewClasses(c, len(j.QI)), nil)
	case j.Entity != "":
		for kind := sets; kind <= shared && err == nil; kind++ {
			var one Result
			if one, err = j.ofEntities(risk.NewClasses(c, len(j.QI)), kind); err == nil {
				r, err = r.add(one)
			}
		}
		return r, err
	}
	x := risk.NewSensitive(c, len(j.QI))
	if j.Metric == TCloseness {
		return j.distance(x, x)
	}
	return j.measure(x)
}
