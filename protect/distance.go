package protect

import (
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/table"
)

// distanceCost is the cost distance:1,3,5 or distance:A=1,3,5;B=2,4: the steps of every
// dimension, or of each by its name.
type distanceCost struct {
	all []int64
	of  map[string][]int64 // by lower-case name
}

// parseDistance reads what stands behind "distance:".
func parseDistance(text string) (*distanceCost, error) {
	bad := func() (*distanceCost, error) {
		return nil, wrong("cost", "{cost} %q: want distance:1,3,5, or distance:A=1,3,5;B=2,4 with a list for each dimension", "distance:"+text)
	}
	d := &distanceCost{of: map[string][]int64{}}
	for _, part := range strings.Split(text, ";") {
		name, list, named := strings.Cut(part, "=")
		if !named {
			list = part
		}
		var steps []int64
		for _, s := range strings.Split(list, ",") {
			n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
			if err != nil || n < 0 {
				return bad()
			}
			steps = append(steps, n)
		}
		name = strings.ToLower(strings.TrimSpace(name))
		switch {
		case !named && strings.Contains(text, ";"), named && (name == "" || d.of[name] != nil):
			return bad()
		case named:
			d.of[name] = steps
		default:
			d.all = steps
		}
	}
	return d, nil
}

// apply prices the cells of t by their distance from the sensitive ones.
func (d *distanceCost) apply(t *table.Table) error {
	steps := make([][]int64, len(t.Dims))
	found := 0
	for k := range t.Dims {
		if steps[k] = d.all; d.all == nil {
			if steps[k] = d.of[strings.ToLower(t.Dims[k].Name)]; steps[k] != nil {
				found++
			}
		}
	}
	if found < len(d.of) {
		return wrong("cost", "table %s: {cost} names a dimension that it has not", t.Name)
	}
	return t.SetDistanceCost(steps)
}
