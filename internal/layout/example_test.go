package layout_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/hitoku/hitoku/internal/layout"
	"github.com/hitoku/hitoku/table/tableio"
)

// A file as an office lays it out: title, unit, header and notes are found by the sums that hold, and every number has a role.
func ExampleOpen() {
	source, err := layout.Open(strings.NewReader(`Employees by region,,,
(persons),,,
region,farming,trade,total
north,12,30,42
south,7,21,28
all,19,51,70
Source: survey of 2024,,,
`), "employees.csv", "", "", layout.Options{})
	if err != nil {
		log.Fatal(err) // a *layout.AmbiguityError where several readings are as good
	}
	for _, line := range source.Reading.Words() {
		fmt.Println(line)
	}
	fmt.Println(source.Account(source.Reading.Tables[0]).Words())
	in, err := source.Input(tableio.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(in.Table.Len(), "cells,", in.Table.Rel.Len(), "relations")
	// Output:
	// employees.csv: csv, utf-8, fields apart by ","
	// table: Employees by region
	//   9 cells, 4:2 … 6:4; counts in persons
	//   region: 3 codes, depth 1, total all
	//   Region: 3 codes, depth 1, total total
	//   sums: 6 right
	// 10 numbers: 9 values, 1 in texts; none unknown
	// 9 cells, 6 relations
}
