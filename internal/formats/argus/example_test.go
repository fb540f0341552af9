package argus_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/hitoku/hitoku/internal/formats"
	"github.com/hitoku/hitoku/internal/formats/argus"
)

// A table is written for τ-ARGUS with the metadata beside it, and read again.
func ExampleWriteTable() {
	in, err := formats.Read("../../../testdata/3x3.csv", formats.Options{Total: "合計"})
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "income.tab")
	if err := argus.WriteTable(path, in.Table, nil, argus.WriteOptions{Lossy: true}); err != nil {
		log.Fatal(err)
	}
	metadata, err := os.ReadFile(argus.MetadataOf(path))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(metadata))
	again, err := argus.ReadTable(path, argus.Options{})
	if err != nil {
		log.Fatal(err)
	}
	t := again.Table
	fmt.Println(t.Len(), "cells,", t.CellName(0), t.Value[0], t.Status[0])
	// Output:
	// <SEPARATOR> ";"
	// <SAFE> S
	// <UNSAFE> U
	// <PROTECT> P
	// 地域
	//     <RECODEABLE>
	//     <TOTCODE> "合計"
	// 職種
	//     <RECODEABLE>
	//     <TOTCODE> "合計"
	// Value
	//     <NUMERIC>
	//     <DECIMALS> 0
	// Value_Shadow
	//     <NUMERIC> <SHADOW>
	// Value_Cost
	//     <NUMERIC> <COSTVAR>
	// StatusVar
	//     <STATUS>
	// LowerProtLevel
	//     <NUMERIC> <LOWERPL>
	// UpperProtLevel
	//     <NUMERIC> <UPPERPL>
	// 16 cells, M1/P1 20 s
}
