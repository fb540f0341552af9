package partial_test

import (
	"context"
	"fmt"
	"log"

	"github.com/hitoku/hitoku/methods/partial"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// In place of marks intervals are published, as narrow as the levels allow. These lie around the values; without Plain they lie around a table that a
// secret draw has moved.
func ExampleSuppress() {
	in, err := tableio.Read("../../testdata/frequency.csv", tableio.Options{Total: "合計"})
	if err != nil {
		log.Fatal(err)
	}
	t := in.Table
	t.PublishMargins()
	if _, _, err := t.MinimumFrequency(5, false); err != nil {
		log.Fatal(err)
	}
	level := &table.Level{Decimal: table.Decimal{Unscaled: 8}}
	if err := t.SetLevels(table.Levels{Width: level}); err != nil {
		log.Fatal(err)
	}
	res, err := partial.Suppress(context.Background(), t, &partial.Options{Ends: partial.Ends{Plain: true}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Status, res.Intervals, "intervals")
	for i, marked := range res.Pattern {
		if marked {
			fmt.Println(t.CellName(i), res.Lower[i], "to", res.Upper[i])
		}
	}
	// Output:
	// optimal 4 intervals
	// M2/P3 1 to 9
	// M2/P5 2 to 10
	// M3/P3 7 to 15
	// M3/P5 2 to 10
}
