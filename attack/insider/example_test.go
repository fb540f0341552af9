package insider_test

import (
	"context"
	"fmt"
	"log"

	"github.com/hitoku/hitoku/attack/insider"
	"github.com/hitoku/hitoku/table/tableio"
)

// Whoever is the only contributor of a withheld cell knows its value, and what follows from it: here one person computes the counts that are withheld beside.
func ExampleRun() {
	in, err := tableio.Read("../../testdata/frequency.csv", tableio.Options{Total: "合計"})
	if err != nil {
		log.Fatal(err)
	}
	t := in.Table
	t.PublishMargins()
	if _, _, err := t.MinimumFrequency(3, false); err != nil {
		log.Fatal(err)
	}
	withheld := make([]bool, t.Len())
	cells, err := t.FindCells([]string{"M2/P3", "M2/P5", "M3/P3", "M3/P5"})
	if err != nil {
		log.Fatal(err)
	}
	for _, i := range cells {
		withheld[i] = true
	}
	report, err := insider.Run(context.Background(), t, withheld, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, x := range report.Findings {
		fmt.Print("who knows")
		for _, i := range x.Coalition {
			fmt.Print(" ", t.CellName(i))
		}
		fmt.Println(" is left with", x.Lo.RatString(), "to", x.Hi.RatString(), "for", t.CellName(x.Cell))
	}
	// Output:
	// who knows M2/P3 is left with 2 to 2 for M3/P5
}
