package rounding_test

import (
	"context"
	"fmt"
	"log"

	"github.com/hitoku/hitoku/methods/rounding"
	"github.com/hitoku/hitoku/table/tableio"
)

// Every count becomes a multiple of 3, one of the two beside it, and sums still hold. A reader is left with values within 2 of the published ones.
func ExampleRound() {
	in, err := tableio.Read("../../testdata/frequency.csv", tableio.Options{Total: "合計"})
	if err != nil {
		log.Fatal(err)
	}
	t := in.Table
	res, err := rounding.Round(context.Background(), t, &rounding.Options{Base: 3})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Status, "distance", res.Distance)
	for i, y := range res.Value[:6] {
		fmt.Println(t.CellName(i), t.Value[i], "->", y)
	}
	// Output:
	// optimal distance 20
	// M1/P1 20 -> 21
	// M1/P2 15 -> 15
	// M1/P3 30 -> 30
	// M1/P4 20 -> 21
	// M1/P5 10 -> 9
	// M1/合計 95 -> 96
}
