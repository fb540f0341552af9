package risk

import (
	"context"
	"encoding/csv"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/hitoku/hitoku/internal/exact/num"
	"github.com/hitoku/hitoku/internal/test/must"
)

// The vectors of the microdata metrics.
func init() {
	runners["k_anonymity"] = runKAnonymity
	runners["k_anonymity_entity"] = runEntities
	runners["l_diversity"] = runLDiversity
	runners["t_closeness"] = runTCloseness
	runners["k_map_and_delta_presence/attack_table"] = runAttackTable
	runners["k_map_and_delta_presence/relative_frequency"] = runRelativeFrequency
	runners["k_map_and_delta_presence/uniform_thinning"] = runThinning
	const models = "sample_frequencies_and_population_models/"
	runners[models+"survey"] = runSurvey
	runners[models+"zayatz"] = runZayatz
	runners[models+"pitman"] = runPitman
	runners[models+"poisson_threshold"] = runPoisson
}

// scanFile reads a file into accumulators; columns are made of names.
func scanFile[A Accumulator[A]](t testing.TB, path string, names, amounts []string, fresh func(*Columns) A) A {
	t.Helper()
	columns := must.Get(NewColumns(names...))(t)
	s := must.Get(NewScanner(Layout{}, columns, amounts, func() A { return fresh(columns) }))(t)
	must.Do(t, s.ReadFile(context.Background(), path))
	return must.Get(s.Result())(t)
}

func scanClasses(t testing.TB, path string, qi []string) *Classes {
	t.Helper()
	return scanFile(t, path, qi, nil, func(c *Columns) *Classes { return NewClasses(c, len(qi)) })
}

// rows reads some columns of a small file in another way.
func rows(t testing.TB, path string, names []string) [][]string {
	t.Helper()
	f := must.Get(os.Open(path))(t)
	defer f.Close()
	all := must.Get(csv.NewReader(f).ReadAll())(t)
	var out [][]string
	for _, r := range all[1:] {
		var x []string
		for _, n := range names {
			x = append(x, r[slices.Index(all[0], n)])
		}
		out = append(out, x)
	}
	return out
}

// none is nil for a k that is not defined.
func none(k uint64) any {
	if k == 0 {
		return nil
	}
	return k
}

func bars(h Histogram, records string) []map[string]any {
	out := []map[string]any{}
	for _, s := range h {
		out = append(out, map[string]any{"size": s.Size, "classes": s.Classes, records: s.Records})
	}
	return out
}

func runKAnonymity(t *testing.T, c vectorCase, tol tolerance) {
	var in struct {
		CSV            string
		QI             []string
		Missing        MissingMode
		MissingMarkers []string `json:"missing_markers"`
	}
	c.input(t, &in)
	path := filepath.Join(c.dir, in.CSV)
	classes := scanClasses(t, path, in.QI)
	m := Missing{in.Missing, in.MissingMarkers}
	r := must.Get(classes.KAnonymity(t.Context(), m, 3))(t)
	frequencies := must.Get(classes.Frequencies(t.Context(), m))(t)
	f := []uint64{}
	for _, row := range rows(t, path, in.QI) {
		f = append(f, frequencies[classes.Class(row...)])
	}
	c.check(t, tol, map[string]any{
		"records": r.Records, "excluded": r.Excluded, "classes": r.Classes, "k": none(r.K), "max_class": none(r.MaxClass),
		"sample_uniques": r.Uniques, "histogram": bars(r.Histogram, "records"), "prosecutor_max_risk": r.MaxRisk,
		"average_risk": r.AverageRisk, "f": f, "expected_reidentifications": r.Reidentified,
	})
}

func runEntities(t *testing.T, c vectorCase, tol tolerance) {
	var in struct {
		CSV    string
		QI     []string
		Entity string
	}
	c.input(t, &in)
	path := filepath.Join(c.dir, in.CSV)
	e := scanFile(t, path, append(slices.Clone(in.QI), in.Entity), nil, NewEntities)
	r := must.Get(e.KAnonymity(t.Context(), Missing{Markers: []string{""}}, 3))(t)
	of := map[string]uint64{}
	for _, row := range rows(t, path, []string{in.Entity}) {
		of[row[0]] = e.classSize(r, row[0])
	}
	c.check(t, tol, map[string]any{
		"rows": r.Records, "entities": r.Entities, "classes": r.Classes, "k": none(r.K), "histogram": bars(r.Histogram, "entities"),
		"class_of_entity": of, "row_level_k": r.RowK, "distinct_entities_per_tuple_min": r.LeastPerTuple,
	})
}

func scanSensitive(t testing.TB, path string, qi []string, sensitive ...string) *Sensitive {
	t.Helper()
	return scanFile(t, path, append(slices.Clone(qi), sensitive...), nil, func(c *Columns) *Sensitive { return NewSensitive(c, len(qi)) })
}

func runLDiversity(t *testing.T, c vectorCase, tol tolerance) {
	var in struct {
		CSV            string
		QI             []string
		Sensitive      string
		MissingSA      string   `json:"missing_sa"`
		MissingMarkers []string `json:"missing_markers"`
	}
	c.input(t, &in)
	s := scanSensitive(t, filepath.Join(c.dir, in.CSV), in.QI, in.Sensitive)
	all := must.Get(s.LDiversity(t.Context(), Missing{Markers: in.MissingMarkers}, in.MissingSA == "own", []uint64{1, 2, 3}, 3))(t)
	r := all[0]
	histogram := map[string]uint64{}
	for l, n := range r.Histogram {
		histogram[strconv.FormatUint(l, 10)] = n
	}
	recursive := []map[string]any{}
	for _, x := range r.Recursive {
		recursive = append(recursive, map[string]any{"l": x.L, "c_infimum": x.Infimum})
	}
	c.check(t, tol, map[string]any{
		"classes": r.Classes, "distinct_l": r.Distinct, "entropy_l": r.Entropy, "distinct_l_histogram": histogram,
		"recursive": recursive, "alpha": r.Alpha,
	})
}

func runTCloseness(t *testing.T, c vectorCase, tol tolerance) {
	var in struct {
		CSV       string
		QI        []string
		Sensitive string
		Distance  Distance
	}
	c.input(t, &in)
	s := scanSensitive(t, filepath.Join(c.dir, in.CSV), in.QI, in.Sensitive)
	all := must.Get(s.TCloseness(t.Context(), Missing{Markers: []string{""}}, false, []Distance{in.Distance}, 3))(t)
	r := all[0]
	c.check(t, tol, map[string]any{"t": r.T, "t_float": num.Float(r.T), "classes": r.Classes, "distinct_values": r.Values})
}

// attackTable counts the classes of data in a population file.
func attackTable(t testing.TB, data *Classes, path string, l Layout, wildcards, amounts []string) *Population {
	t.Helper()
	p := NewPopulation(data, wildcards)
	s, err := NewScanner(Layout{}, data.columns, amounts, p.Fresh)
	if err != nil {
		t.Fatal(err)
	}
	s.Known = true
	must.Do(t, s.ReadFile(context.Background(), path))
	if p, err = s.Result(); err != nil {
		t.Fatal(err)
	}
	return p
}

func runAttackTable(t *testing.T, c vectorCase, tol tolerance) {
	var in struct {
		CSV           string
		PopulationCSV string `json:"population_csv"`
		QI, Wildcards []string
		CountColumn   string `json:"count_column"`
	}
	c.input(t, &in)
	data := scanClasses(t, filepath.Join(c.dir, in.CSV), in.QI)
	var amounts []string
	if in.CountColumn != "" {
		amounts = []string{in.CountColumn}
	}
	p := attackTable(t, data, filepath.Join(c.dir, in.PopulationCSV), Layout{}, in.Wildcards, amounts)
	r := p.KMap(3)
	classes := []map[string]any{}
	for _, g := range worst(data.Len(), data.Len(), nil, data.compareTuples) {
		classes = append(classes, map[string]any{"tuple": data.Tuple(g), "sample": data.Size(g), "population": p.frequency(g)})
	}
	got := map[string]any{"classes": classes, "k_map": r.K, "tuples_absent_from_population": r.Absent,
		"tuples_with_population_below_sample": r.Below, "delta_max": nil}
	if r.Absent == 0 {
		got["delta_max"], got["journalist_max_risk"] = r.Presence.Max, r.Journalist.Max
		got["marketer_risk"], got["journalist_avg_risk"] = r.Journalist.Marketer, r.Journalist.Average
	}
	c.check(t, tol, got)
}

func runRelativeFrequency(t *testing.T, c vectorCase, tol tolerance) {
	var in struct {
		Rows []struct {
			Values map[string]string
			F      uint64
		}
		PopulationSize uint64 `json:"population_size"`
		Tables         []struct {
			Columns []string
			Freq    map[string]spelt
		}
	}
	c.input(t, &in)
	var names []string
	var tables []*Weighted
	for _, x := range in.Tables {
		names = append(names, x.Columns...)
		columns := must.Get(NewColumns(x.Columns...))(t)
		w := NewWeighted(columns, len(x.Columns))
		for key, q := range x.Freq {
			a := must.Get(readAmount(string(q)))(t)
			must.Do(t, w.Add(1, a, splitKey(key)...))
		}
		tables = append(tables, w)
	}
	columns := must.Get(NewColumns(names...))(t)
	data := NewClasses(columns, len(names))
	for _, row := range in.Rows {
		var tuple []string
		for _, n := range names {
			tuple = append(tuple, row.Values[n])
		}
		must.Do(t, data.Add(row.F, tuple...))
	}
	r := must.Get(newRelativeFrequencies(data, in.PopulationSize, tables))(t)
	classes := []map[string]any{}
	for g, row := range in.Rows {
		F := r.estimate(g)
		d := new(big.Rat).Quo(num.Whole(int64(row.F)), F)
		classes = append(classes, map[string]any{"values": row.Values, "sample": row.F, "population_estimate": F, "delta_estimate": d})
	}
	m := r.kMap(3)
	c.check(t, tol, map[string]any{"classes": classes, "k_map_estimate": m.K})
	if want := classes[len(classes)-1]["delta_estimate"].(*big.Rat); m.Delta.Cmp(want) != 0 {
		t.Errorf("delta %v, want %v", m.Delta, want)
	}
}

func splitKey(s string) []string {
	var out []string
	for from, i := 0, 0; i <= len(s); i++ {
		if i == len(s) || s[i] == '|' {
			out = append(out, s[from:i])
			from = i + 1
		}
	}
	return out
}

// sizes reads a histogram {"size": classes}.
func sizes(t *testing.T, in map[string]uint64) Histogram {
	m := map[uint64]uint64{}
	for s, n := range in {
		size := must.Get(strconv.ParseUint(s, 10, 64))(t)
		m[size] = n
	}
	return histogram(m)
}

type sizesInput struct {
	PopulationSize uint64            `json:"population_size"`
	ClassSizes     map[string]uint64 `json:"class_sizes"`
}

func runThinning(t *testing.T, c vectorCase, tol tolerance) {
	var in sizesInput
	c.input(t, &in)
	h := sizes(t, in.ClassSizes)
	n := uint64(0)
	for _, s := range h {
		n += s.Records
	}
	ks := []uint64{2, 5, 10}
	list, reidentified := must.Two(Thinned(n, in.PopulationSize, h, ks))(t)
	classes := []map[string]any{}
	for _, x := range list {
		prob := map[string]any{}
		for i, k := range ks {
			prob[fmt.Sprint(k)] = x.AtLeast[i]
		}
		classes = append(classes, map[string]any{"size": x.Size, "population_estimate": x.Estimate, "risk_exact": x.Risk, "risk_approx": x.Approx, "prob_F_at_least": prob})
	}
	c.check(t, tol, map[string]any{"n": n, "sampling_fraction": float64(n) / float64(in.PopulationSize), "classes": classes, "expected_reidentifications": reidentified})
}

func runSurvey(t *testing.T, c vectorCase, tol tolerance) {
	var in struct {
		CSV    string
		QI     []string
		Weight string
	}
	c.input(t, &in)
	path := filepath.Join(c.dir, in.CSV)
	w := scanFile(t, path, in.QI, []string{in.Weight}, func(c *Columns) *Weighted { return NewWeighted(c, len(in.QI)) })
	r := must.Get(w.Risk(t.Context(), Missing{Markers: []string{""}}, 3))(t)
	records := []map[string]any{}
	for _, row := range rows(t, path, in.QI) {
		x, F := r.Class(&w.Classes, w.Class(row...))
		records = append(records, map[string]any{"f": x.Frequency, "Fw": F, "risk_exact": x.Risk, "risk_approx": x.Approx})
	}
	c.check(t, tol, map[string]any{"records": records, "expected_reidentifications_exact": r.Reidentified})
}

func runZayatz(t *testing.T, c vectorCase, tol tolerance) {
	var in sizesInput
	c.input(t, &in)
	r := must.Get(newZayatz(sizes(t, in.ClassSizes), in.PopulationSize))(t)
	c.check(t, tol, map[string]any{"prob": r.Prob, "population_uniques": r.Uniques})
}

func runPitman(t *testing.T, c vectorCase, tol tolerance) {
	var in sizesInput
	c.input(t, &in)
	r := must.Get(newPitman(sizes(t, in.ClassSizes), in.PopulationSize))(t)
	c.check(t, tol, map[string]any{"theta": r.Theta, "alpha": r.Alpha, "population_uniques": r.Uniques})
}

func runPoisson(t *testing.T, c vectorCase, tol tolerance) {
	var in struct {
		K, N           uint64
		PopulationSize uint64 `json:"population_size"`
		Level          spelt
	}
	c.input(t, &in)
	level := must.Get(strconv.ParseFloat(string(in.Level), 64))(t)
	r := must.Get(NewPoissonThreshold(in.K, in.N, in.PopulationSize, level))(t)
	c.check(t, tol, map[string]any{"threshold": r.Threshold, "uncapped": r.Uncapped, "lambda": r.Lambda})
}

// classSize returns the number of entities in the class of an entity, 0 for one that
// does not count.
func (e *Entities) classSize(r *EntityAnonymity, entity string) uint64 {
	id, ok := e.columns.Find(e.t.w, entity)
	if !ok {
		return 0
	}
	k, ok := slices.BinarySearch(r.entity, id)
	if !ok {
		return 0
	}
	return r.sizes[r.class[k]]
}
