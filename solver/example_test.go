package solver_test

import (
	"context"
	"fmt"
	"log"

	"github.com/hitoku/hitoku/solver"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// Protect a table of counts: cells below 5 are sensitive, the intruder's interval of
// each must be at least 8 wide, margins are published, and a withheld cell costs its
// value. Sensitive cells are withheld in any case; the cost is that of the others.
func ExampleSuppress() {
	in, err := tableio.Read("../testdata/frequency.csv", tableio.Options{Total: "合計"})
	if err != nil {
		log.Fatal(err)
	}
	t := in.Table
	if _, _, err := t.MinimumFrequency(5, false); err != nil {
		log.Fatal(err)
	}
	width, err := table.ParseLevel("8")
	if err != nil {
		log.Fatal(err)
	}
	if err := t.SetLevels(table.Levels{Width: &width}); err != nil {
		log.Fatal(err)
	}
	t.PublishMargins()
	s, err := solver.Suppress(context.Background(), t, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Status, "cost", s.Cost, "bound", s.Bound)
	for i, w := range s.Pattern {
		if w {
			fmt.Println(t.CellName(i), t.Value[i], t.Status[i])
		}
	}
	// Output:
	// optimal cost 25 bound 25
	// M2/P3 1 u
	// M2/P5 10 s
	// M3/P3 15 s
	// M3/P5 2 u
}
