package protect

import (
	"strconv"
	"strings"

	"github.com/hitoku/hitoku/table"
)

// parseDistance parses the text after "distance:", either 1,3,5 (steps for every dimension, stored under "") or
// A=1,3,5;B=2,4 (steps by dimension).
func parseDistance(text string) (steps map[string][]int64, ok bool) {
	steps = map[string][]int64{}
	for _, part := range strings.Split(text, ";") {
		name, list, named := strings.Cut(part, "=")
		if !named {
			name, list = "", part
		}
		name = strings.TrimSpace(name)
		if named == (name == "") || !named && strings.Contains(text, ";") || stepsOf(steps, name) != nil {
			return nil, false
		}
		for _, s := range strings.Split(list, ",") {
			n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
			if err != nil || n < 0 {
				return nil, false
			}
			steps[name] = append(steps[name], n)
		}
	}
	return steps, true
}

// stepsOf returns the steps of a dimension, whose name is matched regardless of case.
func stepsOf(steps map[string][]int64, dim string) []int64 {
	for name, of := range steps {
		if strings.EqualFold(name, dim) {
			return of
		}
	}
	return nil
}

// setDistance sets the cost of each cell of t by its distance from the sensitive cells.
func setDistance(t *table.Table, by map[string][]int64) error {
	steps := make([][]int64, len(t.Dims))
	found := 0
	for k := range t.Dims {
		if steps[k] = by[""]; steps[k] == nil {
			if steps[k] = stepsOf(by, t.Dims[k].Name); steps[k] != nil {
				found++
			}
		}
	}
	if by[""] == nil && found < len(by) {
		return wrong("cost", "table %s: {cost} names a dimension that it has not", t.Name)
	}
	return t.SetDistanceCost(steps)
}
