package office_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/hitoku/hitoku/office"
	"github.com/hitoku/hitoku/protect"
	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

const employees = `Employees by region,,,
(persons),,,
region,farming,trade,total
north,2,30,32
south,17,21,38
west,9,14,23
all,28,65,93
Source: survey of 2024,,,
`

// A file is read, what its numbers are is asked, its small cells are protected, and a copy is written that no longer tells them.
func Example() {
	file, err := office.Read(strings.NewReader(employees), "employees.csv", office.Options{})
	if err != nil {
		log.Fatal(err) // an *office.AmbiguityError where several readings are as good
	}
	for _, line := range file.Understood() {
		fmt.Println(line)
	}
	account := file.Account()
	fmt.Println(account.Numbers, "numbers,", len(account.Roles["values"]), "values,", len(account.Unknown), "unknown")

	t, err := file.Table(tableio.Options{})
	if err != nil {
		log.Fatal(err)
	}
	policy := protect.Policy{Below: 3, Width: &table.Level{Decimal: table.Decimal{Unscaled: 4}}, Margins: protect.Margins{Kind: "publish"}, Canonical: true}
	res, err := protect.Run(context.Background(), []protect.Input{{Table: t.Table, Source: t.File}}, policy, nil)
	if err != nil {
		log.Fatal(err)
	}
	for i, out := range res.Patterns[0] {
		if out {
			fmt.Println(t.Address(i), t.Table.CellName(i), t.Table.Value[i])
		}
	}
	audit, err := t.Write(os.Stdout, res.Patterns[0])
	if err != nil {
		log.Fatal(err) // a number of the copy would tell a suppressed one
	}
	fmt.Println(audit.Suppressed, "suppressed of", audit.Numbers)
	// Output:
	// employees.csv: csv, utf-8, fields apart by ","
	// table: Employees by region
	//   12 cells, 4:2 … 7:4; counts in persons
	//   region: 4 codes, depth 1, total all
	//   Region: 3 codes, depth 1, total total
	//   sums: 7 right
	// 13 numbers, 12 values, 0 unknown
	// 4:2 north/farming 2
	// 4:3 north/trade 30
	// 6:2 west/farming 9
	// 6:3 west/trade 14
	// Employees by region,,,
	// (persons),,,
	// region,farming,trade,total
	// north,x,x,32
	// south,17,21,38
	// west,x,x,23
	// all,28,65,93
	// Source: survey of 2024,,,
	// 4 suppressed of 13
}

// How a file was understood is saved, so that the file of the next year is read alike.
func ExampleFile_WriteLayout() {
	file, err := office.Read(strings.NewReader(employees), "employees.csv", office.Options{})
	if err != nil {
		log.Fatal(err)
	}
	var saved strings.Builder
	if err := file.WriteLayout(&saved); err != nil {
		log.Fatal(err)
	}
	next := strings.ReplaceAll(employees, "17,21,38", "18,21,39")
	next = strings.ReplaceAll(next, "28,65,93", "29,65,94")
	again, err := office.Read(strings.NewReader(next), "employees-2025.csv", office.Options{Layout: []byte(saved.String())})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.Understood()[2])
	// Output: 12 cells, 4:2 … 7:4; counts in persons
}
