package protect_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

// An office reads its policy and a table, protects the table, and writes what may be published. The
// same policy gives the same pattern again.
func ExampleRun() {
	policy, _, err := protect.Read(strings.NewReader(`
		below = 5
		width = 8
		cost = "count"
		canonical = true
	`), "office.toml")
	if err != nil {
		log.Fatal(err)
	}
	in, err := tableio.Read("../testdata/frequency.csv", tableio.Options{Total: "合計"})
	if err != nil {
		log.Fatal(err)
	}
	tables := []protect.Input{{Table: in.Table, CrossTab: in.Laid() == tableio.CrossTab, Source: in.File}}
	res, err := protect.Run(context.Background(), tables, policy, nil)
	if err != nil {
		log.Fatal(err) // a field of the policy, or why there is no pattern
	}
	fmt.Println(res.Solution.Status, "cost", res.Solution.Cost, "audit", res.Verdict)
	if err := tableio.Write(os.Stdout, in, res.Patterns[0]); err != nil {
		log.Fatal(err)
	}
	// Output:
	// optimal cost 2 audit protected
	// 地域,P1,P2,P3,P4,P5,合計
	// M1,20,15,30,20,10,95
	// M2,72,20,,30,,133
	// M3,38,38,,40,,133
	// 合計,130,73,46,90,22,361
}

// The policy that a program amounts to is written for whoever repeats the run.
func ExampleWrite() {
	ten, level := table.Decimal{Unscaled: 10}, &table.Level{Decimal: table.Decimal{Unscaled: 15}, Percent: true}
	p := protect.Policy{Below: 3, PPercent: []table.PQ{{P: ten, Q: table.Decimal{Unscaled: 100}, N: 1}}, LPL: level, UPL: level,
		Margins: protect.Margins{Kind: "weight", Weight: table.Decimal{Unscaled: 2}}, TimeLimit: 10 * time.Minute}
	if err := protect.Write(os.Stdout, "office.toml", p, protect.Change{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// below = 3
	// p-percent = ["10"]
	// lpl = "15%"
	// upl = "15%"
	// margins = "weight:2"
	// time-limit = "10m0s"
}

// A table that is in memory: firms by region and sector. Totals are computed from the cells that are given, and are published here.
func ExampleRun_memory() {
	regions, sectors := []string{"north", "east", "south", "west"}, []string{"mining", "trade", "services"}
	counts := [][]int64{{2, 20, 15}, {9, 31, 8}, {6, 12, 4}, {7, 14, 25}}
	region, err := table.FlatDimension("region", "all", regions)
	if err != nil {
		log.Fatal(err) // a code that is empty or stands twice
	}
	sector, err := table.FlatDimension("sector", "total", sectors)
	if err != nil {
		log.Fatal(err)
	}
	var records []table.Record
	for r, row := range counts {
		for s, n := range row {
			records = append(records, table.Record{Codes: []string{regions[r], sectors[s]}, Value: table.Num(n, 0)})
		}
	}
	firms, err := table.Build("firms", []table.Dimension{region, sector}, records, true)
	if err != nil {
		log.Fatal(err)
	}
	policy := protect.Policy{Below: 5, Width: &table.Level{Decimal: table.Decimal{Unscaled: 8}}, Cost: protect.Cost{Kind: "count"},
		Margins: protect.Margins{Kind: "publish"}, Canonical: true}
	res, err := protect.Run(context.Background(), []protect.Input{{Table: firms}}, policy, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Verdict)
	for i, withheld := range res.Patterns[0] {
		if withheld {
			fmt.Println(firms.CellName(i), firms.Value[i], firms.Status[i])
		}
	}
	// Output:
	// protected
	// north/mining 2 u
	// north/services 15 s
	// south/mining 6 s
	// south/services 4 u
}

// What the office of the last program published is attacked by somebody who knows its policy. A cell without a value is withheld.
func ExamplePolicy_Office() {
	regions, sectors := []string{"all", "north", "east", "south", "west"}, []string{"total", "mining", "trade", "services"}
	counts := [][]int64{{153, 24, 77, 52}, {37, -1, 20, -1}, {48, 9, 31, 8}, {22, -1, 12, -1}, {46, 7, 14, 25}}
	region, err := table.FlatDimension("region", "all", regions[1:])
	if err != nil {
		log.Fatal(err)
	}
	sector, err := table.FlatDimension("sector", "total", sectors[1:])
	if err != nil {
		log.Fatal(err)
	}
	var records []table.Record
	for r, row := range counts {
		for s, n := range row {
			records = append(records, table.Record{Codes: []string{regions[r], sectors[s]}})
			if n >= 0 {
				records[len(records)-1].Value = table.Num(n, 0)
			}
		}
	}
	published, err := table.Build("firms", []table.Dimension{region, sector}, records, true)
	if err != nil {
		log.Fatal(err)
	}
	published.PublishMargins()
	policy := protect.Policy{Below: 5, Width: &table.Level{Decimal: table.Decimal{Unscaled: 8}}, Cost: protect.Cost{Kind: "count"},
		Margins: protect.Margins{Kind: "publish"}, Canonical: true}
	office, err := policy.Office(published)
	if err != nil {
		log.Fatal(err) // a field that no attack repeats
	}
	res, err := attack.Run(context.Background(), attack.Published(published, nil), &attack.Options{Office: office})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Candidates, "tables are possible,", res.Matching, "of them explain the pattern")
	for _, c := range res.Cells {
		fmt.Printf("%s: %s to %s, with the policy %d to %d: %s\n",
			published.CellName(c.Index), c.Lo.RatString(), c.Hi.RatString(), c.Outer.Lo, c.Outer.Hi, c.Verdict)
	}
	// Output:
	// 9 tables are possible, 3 of them explain the pattern
	// north/mining: 0 to 8, with the policy 1 to 4: unsafe
	// north/services: 9 to 17, with the policy 13 to 16: safe
	// south/mining: 0 to 8, with the policy 4 to 7: unsafe
	// south/services: 2 to 10, with the policy 3 to 6: unsafe
}
