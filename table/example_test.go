package table_test

import (
	"fmt"
	"log"

	"github.com/hitoku/hitoku/table"
)

// grid builds the table
//
//	       Total  north  south
//	Total     30     12     18
//	2024      10      3      7
//	2025      20      9     11
//
// of its inner cells: Build adds up the margins.
func grid() *table.Table {
	year, err := table.FlatDimension("year", "Total", []string{"2024", "2025"})
	if err != nil {
		log.Fatal(err)
	}
	region, err := table.FlatDimension("region", "Total", []string{"north", "south"})
	if err != nil {
		log.Fatal(err)
	}
	t, err := table.Build("grid", []table.Dimension{year, region}, []table.Record{
		{Codes: []string{"2024", "north"}, Value: table.Num(3, 0)},
		{Codes: []string{"2024", "south"}, Value: table.Num(7, 0)},
		{Codes: []string{"2025", "north"}, Value: table.Num(9, 0)},
		{Codes: []string{"2025", "south"}, Value: table.Num(11, 0)},
	}, true)
	if err != nil {
		log.Fatal(err)
	}
	return t
}

// Cells that no record has, here all margins, are added up; they come last.
func ExampleBuild() {
	t := grid()
	for i, v := range t.Value {
		fmt.Println(t.CellName(i), v)
	}
	// Output:
	// 2024/north 3
	// 2024/south 7
	// 2025/north 9
	// 2025/south 11
	// Total/north 12
	// Total/south 18
	// 2024/Total 10
	// 2025/Total 20
	// Total/Total 30
}

// Every row and every column of a two-way table is one relation Σ coef·y = rhs.
func ExampleRelations_Row() {
	t := grid()
	for j := range t.Rel.Len() {
		cells, coefs := t.Rel.Row(j)
		for k, c := range cells {
			fmt.Printf("%+d·%s ", coefs[k], t.CellName(int(c)))
		}
		fmt.Println("=", t.Rel.RHS[j])
	}
	fmt.Println("holds for the values:", t.Rel.Holds(t.Value))
	// Output:
	// -1·Total/north +1·2024/north +1·2025/north = 0
	// -1·Total/south +1·2024/south +1·2025/south = 0
	// -1·Total/Total +1·2024/Total +1·2025/Total = 0
	// -1·2024/Total +1·2024/north +1·2024/south = 0
	// -1·2025/Total +1·2025/north +1·2025/south = 0
	// -1·Total/Total +1·Total/north +1·Total/south = 0
	// holds for the values: true
}

// Cells of fewer than 5 persons are sensitive, and whatever is published must leave
// them an interval of width 8. In a table of counts the value is the number of persons.
func ExampleTable_MinimumFrequency() {
	t := grid()
	marked, _, err := t.MinimumFrequency(5, false)
	if err != nil {
		log.Fatal(err)
	}
	width, err := table.ParseLevel("8")
	if err != nil {
		log.Fatal(err)
	}
	if err := t.SetLevels(table.Levels{Width: &width}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(marked, "marked")
	for i, s := range t.Status {
		if s == table.Sensitive {
			fmt.Println(t.CellName(i), "needs width", t.Width[i])
		}
	}
	// Output:
	// 1 marked
	// 2024/north needs width 8
}

// Rules that look at contributions need the largest of each cell. Those of the north
// are 900, 60 and 40 in small ones: the first has more than 85 % of 1000 (dominance). It is
// sensitive by the p %-rule, too: the second knows the first but for the 40, and 10 % of
// 900 are more. The reason is that of the first rule that hits.
func ExampleTable_ApplyRules() {
	rules, err := table.ParseRules("NK(1,85)|P(10,1)")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rules)
	region, err := table.FlatDimension("region", "Total", []string{"north", "south"})
	if err != nil {
		log.Fatal(err)
	}
	n := func(v int64) table.Number { return table.Num(v, 0) }
	t, err := table.Build("turnover", []table.Dimension{region}, []table.Record{
		{Codes: []string{"north"}, Value: n(1000), Freq: n(6), Max: []table.Number{n(900), n(60)}},
		{Codes: []string{"south"}, Value: n(1000), Freq: n(9), Max: []table.Number{n(300), n(200)}},
		{Codes: []string{"Total"}, Value: n(2000), Freq: n(15), Max: []table.Number{n(900), n(300)}},
	}, false)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := t.ApplyRules(rules); err != nil {
		log.Fatal(err)
	}
	for i := range t.Value {
		fmt.Printf("%s %s %q\n", t.CellName(i), t.Status[i], t.ReasonOf(i))
	}
	// Output:
	// NK(1,85)|P(10,1)
	// north u "dominance"
	// south s ""
	// Total s ""
}
