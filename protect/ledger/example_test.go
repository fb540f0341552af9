package ledger_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/hitoku/hitoku/protect/ledger"
	"github.com/hitoku/hitoku/table"
)

// Whoever reads an older table by coast and inland, and knows which regions lie inland, computes a count that is about to be withheld.
func ExampleSet_Join() {
	present, err := regions([]string{"north", "south", "west"}, 3, 14, 9)
	if err != nil {
		log.Fatal(err)
	}
	if _, _, err := present.MinimumFrequency(5, false); err != nil {
		log.Fatal(err)
	}
	width := &table.Level{Decimal: table.Decimal{Unscaled: 1}}
	if err := present.SetLevels(table.Levels{Width: width}); err != nil {
		log.Fatal(err)
	}
	older, err := regions([]string{"inland", "coast"}, 23, 3)
	if err != nil {
		log.Fatal(err)
	}
	sums, err := ledger.ReadSums(strings.NewReader("region: inland = south + west"), "sums.txt")
	if err != nil {
		log.Fatal(err)
	}
	known := &ledger.Set{Releases: []*ledger.Release{{Table: older, File: "older.csv"}}, Sums: sums}
	joint, err := known.Join(&ledger.Release{Table: present, File: "regions.csv"}, ledger.Options{})
	if err != nil {
		log.Fatal(err) // a *ledger.ConflictError where two files have other values of one cell
	}
	exposed, _, err := joint.Exposed(context.Background(), nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, x := range exposed {
		fmt.Println(joint.Origin(x.Cell).Name, "is left with", x.Lo.RatString(), "to", x.Hi.RatString())
		for _, c := range x.Follows {
			fmt.Println(c.Text(joint.Table, joint.Where))
		}
	}
	// Output:
	// north is left with 3 to 3
	// north = 3
}

// regions is a table of counts by region.
func regions(codes []string, counts ...int64) (*table.Table, error) {
	region, err := table.FlatDimension("region", "all", codes)
	if err != nil {
		return nil, err
	}
	var records []table.Record
	for k, c := range codes {
		records = append(records, table.Record{Codes: []string{c}, Value: table.Num(counts[k], 0)})
	}
	return table.Build("regions", []table.Dimension{region}, records, true)
}
