package cellkey_test

import (
	"fmt"
	"log"

	"github.com/hitoku/hitoku/methods/cellkey"
)

// A perturbation table of the largest entropy: noise of at most 3, a variance of at most 2, and no published 1.
func ExampleDesign() {
	design := cellkey.Design{D: 3, V: 2, JS: 1}
	table, err := design.Table()
	if err != nil {
		log.Fatal(err)
	}
	for r := range table.Rows {
		row := &table.Rows[r]
		fmt.Print(row.I, ":")
		for _, v := range row.V {
			fmt.Printf(" %+d with chance %.3f", v, row.Chance(v))
		}
		fmt.Println(", mean", table.Mean(r).RatString())
	}
	// Output:
	// 0: +0 with chance 1.000, mean 0
	// 1: -1 with chance 0.621 +1 with chance 0.200 +2 with chance 0.114 +3 with chance 0.065, mean 0
	// 2: -2 with chance 0.268 +0 with chance 0.362 +1 with chance 0.235 +2 with chance 0.104 +3 with chance 0.031, mean 0
	// 3: -3 with chance 0.085 -1 with chance 0.276 +0 with chance 0.288 +1 with chance 0.209 +2 with chance 0.105 +3 with chance 0.037, mean 0
	// 4: -2 with chance 0.168 -1 with chance 0.233 +0 with chance 0.244 +1 with chance 0.192 +2 with chance 0.113 +3 with chance 0.050, mean 0
	// 5: -3 with chance 0.037 -2 with chance 0.112 -1 with chance 0.216 +0 with chance 0.269 +1 with chance 0.216 +2 with chance 0.112 +3 with chance 0.037, mean 0
}
