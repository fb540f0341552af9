package adjust_test

import (
	"context"
	"fmt"
	"log"

	"github.com/hitoku/hitoku/methods/adjust"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// The sensitive count below 2 moves by its level, others by as little as keeps every sum.
func ExampleAdjust() {
	in, err := tableio.Read("../../testdata/frequency.csv", tableio.Options{Total: "合計"})
	if err != nil {
		log.Fatal(err)
	}
	t := in.Table
	if _, _, err := t.MinimumFrequency(2, false); err != nil {
		log.Fatal(err)
	}
	level := &table.Level{Decimal: table.Decimal{Unscaled: 3}}
	if err := t.SetLevels(table.Levels{LPL: level, UPL: level}); err != nil {
		log.Fatal(err)
	}
	res, err := adjust.Adjust(context.Background(), t, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Status, "distance", res.Distance)
	for i, y := range res.Value {
		if y != t.Value[i] {
			fmt.Println(t.CellName(i), t.Value[i], "->", y)
		}
	}
	// Output:
	// optimal distance 12
	// M1/P2 15 -> 18
	// M1/P3 30 -> 27
	// M2/P2 20 -> 17
	// M2/P3 1 -> 4
}
