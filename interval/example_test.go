package interval_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/hitoku/hitoku/interval"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// This published table withholds five cells. 2/c is alone in its column and so known to
// be 9. What is left of the rows is 20 and 12, of the columns 15 and 17, so 1/a is
// at least 20 − 17 and at most 15.
//
//	        a   b   c  Total
//	1       x   x   5     25
//	2       x   x   x     21
//	Total  15  17  14     46
func ExampleAudit() {
	const file = `row,column,value
1,a,x
1,b,x
1,c,5
1,Total,25
2,a,x
2,b,x
2,c,x
2,Total,21
Total,a,15
Total,b,17
Total,c,14
Total,Total,46
`
	in, err := tableio.ReadFrom(strings.NewReader(file), "published.csv", tableio.Options{})
	if err != nil {
		log.Fatal(err)
	}
	t := in.Table
	withheld := make([]bool, t.Len())
	for i := range withheld {
		withheld[i] = !t.Known(i)
	}
	r, err := interval.Audit(context.Background(), t, withheld, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range r.Cells {
		fmt.Printf("%s: [%s, %s] disclosed %t\n", t.CellName(c.Index),
			table.FormatRat(c.Lo, t.Decimals), table.FormatRat(c.Hi, t.Decimals), c.Disclosed)
	}
	// Output:
	// 1/a: [3, 15] disclosed false
	// 1/b: [5, 17] disclosed false
	// 2/a: [0, 12] disclosed false
	// 2/b: [0, 12] disclosed false
	// 2/c: [9, 9] disclosed true
}
