package bench_test

import (
	"context"
	"fmt"
	"log"

	"github.com/hitoku/hitoku/attack"
	"github.com/hitoku/hitoku/bench"
)

// The solver on a drawn table of 10 × 10 counts.
func ExampleRun() {
	instances, err := new(bench.Source).Find([]string{"10x10-fs-1"})
	if err != nil {
		log.Fatal(err)
	}
	res, err := bench.Run(context.Background(), &instances[0], nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Table, res.Cells, "cells,", res.Sensitive, "sensitive:", res.Status, "cost", res.Cost)
	// Output:
	// 10x10-fs-1 121 cells, 1 sensitive: optimal cost 122
}

// The experiment on twenty tables of 4 × 4: how many sensitive cells are narrowed by an intruder who reruns the office's procedure.
func ExampleExperiment() {
	e := bench.DefaultExperiment()
	shape, err := bench.ParseShape("4x4")
	if err != nil {
		log.Fatal(err)
	}
	e.Shapes, e.Tables, e.Costs, e.Matches = [][]bench.Branching{shape}, 20, []string{"count"}, []attack.Match{attack.Exact}
	res, err := e.Run(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, series := range res.Series {
		size := series.Sizes[0]
		fmt.Printf("%s: %d tables, %d sensitive cells, %d narrowed\n", series.Title(), size.Tables, size.Primary, size.Unsafe)
	}
	// Output:
	// cheapest patterns by count, match exact: 20 tables, 36 sensitive cells, 25 narrowed
}
