package formats

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/hitoku/hitoku/table"
)

// TestGathered takes every record as it was added, with the fields that most files have and those that few do.
func TestGathered(t *testing.T) {
	var all []table.Record
	g := gathered{codes: []*codes{{index: map[string]int{}}, {index: map[string]int{}}}}
	for i := range 3*mostGathered + 5 {
		r := table.Record{Line: i + 2, Codes: []string{g.codes[0].add(fmt.Sprint(i%7), i), g.codes[1].add(fmt.Sprint(i/1000), i)}, Value: table.Num(int64(i), 0), Status: table.Status(i % 3), Max: []table.Number{table.Num(int64(i), 1)}}
		switch i % 5 {
		case 1:
			r.Freq, r.Cost, r.Max = table.Num(3, 0), table.Num(1, 0), nil
		case 2:
			r.LPL = table.Num(int64(i), 2)
		case 3:
			r.Upper, r.Told = table.Num(7, 0), &table.Told{}
		case 4:
			r.Value, r.Cost = table.Number{}, table.Number{Set: true, Inf: 1}
		}
		all = append(all, r)
		g.add(&r)
	}
	for i := range all {
		if got := g.at(i); !reflect.DeepEqual(*got, all[i]) {
			t.Fatalf("%d of %d: %v, want %v", i, len(all), *got, all[i])
		}
	}
}
