package guard_test

import (
	"context"
	"fmt"
	"log"

	"github.com/hitoku/hitoku/protect/guard"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// A pattern under which no only contributor of a cell computes another sensitive one.
func ExampleInsiders() {
	in, err := tableio.Read("../../testdata/frequency.csv", tableio.Options{Total: "合計"})
	if err != nil {
		log.Fatal(err)
	}
	t := in.Table
	t.PublishMargins()
	if _, _, err := t.MinimumFrequency(3, false); err != nil {
		log.Fatal(err)
	}
	level := &table.Level{Decimal: table.Decimal{Unscaled: 8}}
	if err := t.SetLevels(table.Levels{Width: level}); err != nil {
		log.Fatal(err)
	}
	res, err := guard.Insiders(context.Background(), t, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	for i, withheld := range res.Pattern {
		if withheld {
			fmt.Println(t.CellName(i), t.Value[i])
		}
	}
	exact, open := res.Open()
	fmt.Println(res.Status, "after", res.Rounds, "searches;", exact, "cells are computed by insiders,", open, "are narrow for them")
	// Output:
	// M1/P3 30
	// M1/P5 10
	// M2/P3 1
	// M2/P5 10
	// M3/P3 15
	// M3/P5 2
	// optimal after 2 searches; 0 cells are computed by insiders, 0 are narrow for them
}
