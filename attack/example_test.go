package attack_test

import (
	"context"
	"fmt"
	"log"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// A published table of counts leaves ten tables possible. An office that makes counts
// below 5 sensitive, asks for intervals of width 8, withholds as few cells as
// possible and breaks ties canonically would have withheld these cells in four of
// them.
func ExampleRun() {
	in, err := tableio.Read("../testdata/4x4-candidates.csv", tableio.Options{Total: "Sum"})
	if err != nil {
		log.Fatal(err)
	}
	t := in.Table
	t.PublishMargins()
	withheld := make([]bool, t.Len())
	for i := range withheld {
		withheld[i] = !t.Known(i)
	}
	width := table.Level{Decimal: table.Decimal{Unscaled: 8}}
	r, err := attack.Run(context.Background(), attack.Published(t, withheld), &attack.Options{
		Office: attack.Office{Below: 5, Levels: table.Levels{Width: &width}, Match: attack.Exact},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Candidates, "candidates,", r.Matching, "match")
	for _, c := range r.Cells {
		fmt.Printf("%s: feasible [%s, %s], effective [%d, %d], %s\n",
			t.CellName(c.Index), c.Lo.RatString(), c.Hi.RatString(), c.Outer.Lo, c.Outer.Hi, c.Verdict)
	}
	// Output:
	// 10 candidates, 4 match
	// M2/P2: feasible [14, 23], effective [19, 22], safe
	// M2/P4: feasible [0, 9], effective [1, 4], unsafe
	// M4/P2: feasible [0, 9], effective [1, 4], unsafe
	// M4/P4: feasible [0, 9], effective [5, 8], safe
}
