package arb

import (
	"fmt"

	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/argus"
)

// distances returns what m says of each dimension of t.
func distances(m *argus.Metadata, t *table.Table) ([][]int64, error) {
	var all [][]int64
	for d := range t.Dims {
		v := m.Find(t.Dims[d].Name)
		if v == nil || len(v.Distance) == 0 {
			return nil, fmt.Errorf("cost -3: %s has no <DISTANCE> in %s", t.Dims[d].Name, m.File)
		}
		steps := make([]int64, len(v.Distance))
		for k, x := range v.Distance {
			steps[k] = int64(x)
		}
		all = append(all, steps)
	}
	return all, nil
}

// link joins the tables of all jobs. Where all have costs by distance, so has what they
// make together: by itself each table might lack the sensitive cell that is nearest.
func (b *batch) link(tables []*table.Table) (*table.Linked, error) {
	steps := map[string][]int64{}
	for _, j := range b.jobs {
		if j.steps == nil {
			return table.Link("linked", tables)
		}
		for d, s := range j.steps {
			steps[j.t.Dims[d].Name] = s
		}
		if err := j.t.SetCost(table.CostKind{Kind: "count"}); err != nil {
			return nil, err
		}
	}
	l, err := table.Link("linked", tables)
	if err != nil {
		return nil, err
	}
	all := make([][]int64, len(l.Dims))
	for d := range l.Dims {
		all[d] = steps[l.Dims[d].Name]
	}
	if err := l.SetDistanceCost(all); err != nil {
		return nil, err
	}
	for k, t := range tables {
		for i, c := range l.Cell[k] {
			t.Cost[i] = l.Cost[c]
		}
	}
	return l, nil
}
