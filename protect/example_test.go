package protect_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table/tableio"
)

// An office reads its policy and a table, protects the table, and writes what may be published. The
// same policy gives the same pattern again.
func ExampleRun() {
	policy, err := protect.ReadTOML(strings.NewReader(`
		below = 5
		width = 8
		cost = "count"
		canonical = true
	`))
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
func ExamplePolicy_WriteTOML() {
	p := protect.Policy{Below: 3, PPercent: []string{"10"}, LPL: "15%", UPL: "15%", Margins: "weight:2", TimeLimit: "10m"}
	if err := p.WriteTOML(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// below = 3
	// p-percent = ["10"]
	// lpl = "15%"
	// upl = "15%"
	// margins = "weight:2"
	// time-limit = "10m"
}
