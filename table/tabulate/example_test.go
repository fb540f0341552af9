package tabulate_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tabulate"
)

// Firms with their turnover become a table of regions: what each adds up to, of how
// many firms, and whether the p %-rule makes it sensitive. In the north the second
// firm knows that the first has no more than 100 − 15 = 85, which is within 10 % of its 80.
func ExampleTabulator() {
	const firms = `region,turnover
north,80
north,15
north,5
south,40
south,30
south,30
`
	rules, err := table.ParseRules("P(10,1)")
	if err != nil {
		log.Fatal(err)
	}
	source := tabulate.Source{Header: true, Separator: ','}
	spec := tabulate.Spec{Name: "turnover", Dims: []string{"region"}, Response: "turnover", Rules: rules}
	t, err := tabulate.New(source, []tabulate.Spec{spec}, 0)
	if err != nil {
		log.Fatal(err)
	}
	if err := t.Read(context.Background(), strings.NewReader(firms), "firms.csv"); err != nil {
		log.Fatal(err)
	}
	results, err := t.Tables()
	if err != nil {
		log.Fatal(err)
	}
	r := results[0]
	for n := range r.Len() {
		c, err := r.Cell(n)
		if err != nil {
			log.Fatal(err)
		}
		value := table.FormatDecimal(c.Value.Unscaled, c.Value.Scale)
		fmt.Printf("%s: %s of %d firms, sensitive %t\n", r.CellName(n), value, c.Freq, c.Verdict.Reason != table.NoReason)
	}
	// Output:
	// Total: 200 of 6 firms, sensitive false
	// north: 100 of 3 firms, sensitive true
	// south: 100 of 3 firms, sensitive false
}
