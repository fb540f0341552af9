package tableio_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/hitoku/hitoku/table"
	"github.com/hitoku/hitoku/table/tableio"
)

const persons = `region,job,value
north,a,20
north,b,3
south,a,12
south,b,9
`

// A tidy file has one line a cell: its codes and its value. Totals may be left out.
// What was read is written back in the format it came in, with a column that says
// what is withheld; here everything below 5. (That does not protect the cell yet: the
// totals give it away, and package solver finds what else must go.)
func ExampleReadFrom() {
	in, err := tableio.ReadFrom(strings.NewReader(persons), "persons.csv", tableio.Options{})
	if err != nil {
		log.Fatal(err)
	}
	t := in.Table
	fmt.Println(in.Format, t.Name, t.Len(), "cells", t.Rel.Len(), "relations")
	withheld := make([]bool, t.Len())
	for i, v := range t.Value {
		if v < 5 {
			t.Status[i] = table.Sensitive
			withheld[i] = true
		}
	}
	if err := tableio.Write(os.Stdout, in, withheld); err != nil {
		log.Fatal(err)
	}
	// Output:
	// tidy persons 9 cells 6 relations
	// region,job,value,status
	// north,a,20,s
	// north,b,,u
	// south,a,12,s
	// south,b,9,s
	// Total,a,32,s
	// Total,b,12,s
	// north,Total,23,s
	// south,Total,21,s
	// Total,Total,44,s
}

// Read takes the name of a file, plain or compressed with gzip.
func ExampleRead() {
	in, err := tableio.Read("../../testdata/frequency.csv", tableio.Options{Total: "合計"})
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range in.Table.Dims {
		fmt.Println(d.Name, d.Codes)
	}
	// Output:
	// 地域 [合計 M1 M2 M3]
	// column [合計 P1 P2 P3 P4 P5]
}

// A table is written anew as SDMX-CSV. Values that its statuses suppress are not in it, and OBS_STATUS and CONF_STATUS say why.
func ExampleWriteTable() {
	in, err := tableio.Read("../../testdata/3x3.csv", tableio.Options{Total: "合計"})
	if err != nil {
		log.Fatal(err)
	}
	in.Table.Status[0] = table.Withheld
	var sheet strings.Builder
	if err := tableio.WriteTable(&sheet, in.Table, tableio.SDMX, tableio.Style{}); err != nil {
		log.Fatal(err)
	}
	for _, line := range strings.Split(sheet.String(), "\n")[:3] {
		fmt.Println(line)
	}
	// Output:
	// STRUCTURE,STRUCTURE_ID,ACTION,地域,職種,OBS_VALUE,OBS_STATUS,CONF_STATUS
	// dataflow,LOCAL:3x3(1.0),I,M1,P1,,Q,D
	// dataflow,LOCAL:3x3(1.0),I,M1,P2,24,A,F
}

// A table is saved for τ-ARGUS with all values and its metadata beside it, and read again.
func ExampleSaveTable() {
	in, err := tableio.Read("../../testdata/3x3.csv", tableio.Options{Total: "合計"})
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "income.tab")
	if err := tableio.SaveTable(path, in.Table, tableio.Argus, tableio.Style{Flag: true}); err != nil {
		log.Fatal(err)
	}
	again, err := tableio.Read(path, tableio.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.Format, again.Table.Len(), "cells,", again.Table.CellName(0), again.Table.Value[0])
	// Output:
	// tauargus 16 cells, M1/P1 20
}
