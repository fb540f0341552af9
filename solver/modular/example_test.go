package modular_test

import (
	"context"
	"fmt"
	"log"

	"github.com/hitoku/hitoku/solver/modular"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// A large table is protected sub-table by sub-table; the bound is one of the whole table. A small one is left to solver.Suppress.
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
	res, err := modular.Suppress(context.Background(), t, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Status, "cost", res.Cost, "bound", res.Bound)
	// Output:
	// optimal cost 25 bound 25
}
