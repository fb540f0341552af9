package xlsx_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/xlsx"
)

// A workbook, which lacks the sensitive value of M2/P3 already, is copied so that two more tell their values nowhere in it. What is done beside marking them
// would be told.
func ExampleCopy() {
	in, err := formats.Read("../../../testdata/3x3.csv", formats.Options{Total: "合計"})
	if err != nil {
		log.Fatal(err)
	}
	var book bytes.Buffer
	if err := xlsx.Write(&book, in.Table, formats.Style{}); err != nil {
		log.Fatal(err)
	}
	cells := []xlsx.WithheldCell{
		{Place: xlsx.Place{Sheet: "values", Ref: "C2"}, Value: "20"},
		{Place: xlsx.Place{Sheet: "values", Ref: "C10"}, Value: "40"},
	}
	var published bytes.Buffer
	changes, err := xlsx.Copy(&published, "income.xlsx", book.Bytes(), cells, xlsx.CopyOptions{Mark: "x"})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range changes {
		fmt.Println(c)
	}
	again, err := xlsx.ReadFrom(&published, "income.xlsx", formats.Options{Total: "合計"})
	if err != nil {
		log.Fatal(err)
	}
	for i := range again.Table.Len() {
		if !again.Table.Known(i) {
			fmt.Println(again.Table.CellName(i), "is withheld")
		}
	}
	// Output:
	// M1/P1 is withheld
	// M2/P3 is withheld
	// M3/P1 is withheld
}
