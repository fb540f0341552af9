package fill_test

import (
	"context"
	"fmt"
	"log"

	"github.com/hitoku/hitoku/methods/fill"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// A published table without its withheld values is filled with whole numbers that agree with all that is published.
func ExampleTable() {
	in, err := tableio.Read("../../testdata/3x3-published.csv", tableio.Options{Total: "合計"})
	if err != nil {
		log.Fatal(err)
	}
	t := in.Table
	res, err := fill.Table(context.Background(), table.Publish(t, nil, table.Intruder{}), nil)
	if err != nil {
		log.Fatal(err)
	}
	for k, i := range res.Cells {
		fmt.Println(t.CellName(i), res.Lower[k].RatString(), "to", res.Upper[k].RatString(), "filled with", res.Value[i])
	}
	// Output:
	// M1/P1 0 to 48 filled with 24
	// M1/P3 0 to 48 filled with 24
	// M2/P1 10 to 58 filled with 34
	// M2/P3 20 to 68 filled with 44
}
