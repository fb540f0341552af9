package compare

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/hitoku/hitoku/internal/sets"
	"github.com/hitoku/hitoku/risk"
)

// A Column holds the statistics of a column of a file.
type Column struct {
	Name                     string
	Number                   bool
	Distinct, Alone, Missing int
	Min, Max, Mean, SD       float64 // for numbers only
	Quantiles                []float64
	Top                      []Frequent
}

// A Frequent is a value with the number of records that have it.
type Frequent struct {
	Value   string
	Records int
}

// Percents are the percents of Column.Quantiles.
var Percents = []int{1, 5, 10, 25, 50, 75, 90, 95, 99}

// Statistics returns the statistics of columns of a file, with the top most frequent values of each, ties by value. The
// quantile at p % is the smallest number such that at least p % are no larger. Cost: sorting the values.
//
// They are the numerical and categorical statistics of Google's Sensitive Data Protection.
func Statistics(ctx context.Context, l risk.Layout, columns, categories []string, path string, top int) (records int, all []Column, err error) {
	c, err := risk.NewColumns(columns...)
	if err != nil {
		return 0, nil, err
	}
	files, err := read(ctx, l, c, columns, categories, []string{path})
	if err != nil {
		return 0, nil, err
	}
	r := files[0]
	for k, name := range columns {
		x := Column{Name: name, Number: r.X[k] != nil}
		count := map[uint32]int{}
		for _, id := range r.ID[k] {
			count[id]++
		}
		var list []Frequent
		for id, n := range count {
			v := c.Value(k, id)
			if v == "" { // missing, which is not a value
				x.Missing = n
				continue
			}
			if n == 1 {
				x.Alone++
			}
			list = append(list, Frequent{v, n})
		}
		x.Distinct = len(list)
		slices.SortFunc(list, func(a, b Frequent) int {
			return cmp.Or(cmp.Compare(b.Records, a.Records), cmp.Compare(a.Value, b.Value))
		})
		x.Top = list[:min(top, len(list))]
		if x.Number {
			sorted := sets.Where(r.X[k], func(v float64) bool { return !math.IsNaN(v) })
			slices.Sort(sorted)
			x.Min, x.Max = sorted[0], sorted[len(sorted)-1]
			x.Mean, x.SD = moments(sorted)
			for _, p := range Percents {
				x.Quantiles = append(x.Quantiles, sorted[max(0, (p*len(sorted)+99)/100-1)])
			}
		}
		all = append(all, x)
	}
	return r.N, all, nil
}
