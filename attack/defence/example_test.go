package defence_test

import (
	"context"
	"fmt"
	"log"

	"github.com/hitoku/hitoku/attack/defence"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// Cells are chosen by what is public alone: an intruder who knows this procedure learns no more than that every count that the rule may have hit has an interval of width 4.
func ExampleSuppress() {
	in, err := tableio.Read("../../testdata/frequency.csv", tableio.Options{Total: "合計"})
	if err != nil {
		log.Fatal(err)
	}
	t := in.Table
	t.PublishMargins()
	if _, _, err := t.MinimumFrequency(3, false); err != nil {
		log.Fatal(err)
	}
	level := &table.Level{Decimal: table.Decimal{Unscaled: 4}}
	if err := t.SetLevels(table.Levels{Width: level}); err != nil {
		log.Fatal(err)
	}
	res, err := defence.Suppress(context.Background(), t, &defence.Options{Kind: defence.Quantised, Below: 3, Width: 4})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Guarantee)
	for i, withheld := range res.Pattern {
		if withheld {
			fmt.Println(t.CellName(i), t.Value[i])
		}
	}
	// Output:
	// every table that agrees with what is published and public (the class of every cell, [0, 6), then steps of 12) leads to this pattern; the width of every interval to protect is reached among them
	// M1/P2 15
	// M1/P3 30
	// M1/P4 20
	// M1/P5 10
	// M2/P1 72
	// M2/P2 20
	// M2/P3 1
	// M2/P4 30
	// M2/P5 10
	// M3/P1 38
	// M3/P2 38
	// M3/P3 15
	// M3/P4 40
	// M3/P5 2
}
