package arb

import (
	"github.com/hitoku/hitoku/internal/formats/argus"
	"github.com/hitoku/hitoku/internal/i18n"
	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/table"
)

// distances returns the distance costs that m gives for each dimension of t.
func distances(m *argus.Metadata, t *table.Table) ([][]int64, error) {
	var all [][]int64
	for d := range t.Dims {
		v := m.Find(t.Dims[d].Name)
		if v == nil || len(v.Distance) == 0 {
			return nil, i18n.Errorf("cost -3: %s has no <DISTANCE> in %s", t.Dims[d].Name, m.File)
		}
		steps := sets.Each(v.Distance, func(x int) int64 { return int64(x) })
		all = append(all, steps)
	}
	return all, nil
}

// pricing returns a function that sets the costs of a table by distance from the cells that are sensitive now:
// of the table of one job, or of the one that several jobs make together. It returns nil unless all jobs have
// such costs. Tables that are protected together are priced together, since one alone may lack the nearest
// sensitive cell.
func pricing(jobs []*job) (joined func(*table.Table) error, err error) {
	steps := map[string][]int64{}
	for _, j := range jobs {
		if j.steps == nil {
			return nil, nil
		}
		for d, s := range j.steps {
			steps[j.t.Dims[d].Name] = s
		}
	}
	if len(jobs) == 1 {
		return nil, jobs[0].t.SetDistanceCost(jobs[0].steps)
	}
	for _, j := range jobs {
		if err := j.t.SetCost(table.CostKind{Kind: "count"}); err != nil {
			return nil, err
		}
	}
	return func(t *table.Table) error {
		all := sets.List(len(t.Dims), func(d int) []int64 { return steps[t.Dims[d].Name] })
		return t.SetDistanceCost(all)
	}, nil
}
