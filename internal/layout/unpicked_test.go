package layout

import (
	"slices"
	"strings"
	"testing"
)

// Of two tables of which one is picked, no number of the other one is accounted for because it is equal to one beside it, to one of a header, or looks like a year.
func TestUnpicked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, sheet, picked, unknown string }{
		{
			"beside", "Age,Shops,Industry,Building,Hotels,All,,Age,Men,Women,All\n" +
				"0 to 14,71,33,19,11,134,,0 to 14,1,4,5\n15 to 24,4,2,3,2,11,,15 to 24,4,9,13\n25 to 44,4,5,4,1,14,,25 to 44,3,8,11\nAll,79,40,26,14,159,,All,8,21,29",
			"H1:K5", "2:2 2:3 2:4 2:5 2:6 3:2 3:3 3:4 3:5 3:6 4:2 4:3 4:4 4:5 4:6 5:2 5:3 5:4 5:5 5:6",
		},
		{
			"below, equal to the header", "Area,All,Men,Women\n1,2,3,4\nNorth,22,10,12\nSouth,33,20,13\nTotal,55,30,25\n\nArea,All,Old,Young\nEast,2,1,1\nWest,7,3,4\nTotal,9,4,5",
			"A1:D5", "8:2 8:3 8:4 9:2 9:3 9:4 10:2 10:3 10:4",
		},
		{
			"below, as years", "Area,All,Men,Women\nNorth,22,10,12\nSouth,33,20,13\nTotal,55,30,25\n\nArea,All\nEast,1990\nWest,10\nTotal,2000",
			"A1:D4", "7:2 8:2 9:2",
		},
	} {
		s, err := Open(strings.NewReader(c.sheet), "x.csv", "", "", Options{Range: c.picked})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := s.Account(s.Reading.Tables[0]).Unknown
		for _, at := range strings.Fields(c.unknown) {
			if !slices.Contains(got, at) {
				t.Errorf("%s: %s is accounted for, unknown are %v", c.name, at, got)
			}
		}
	}
}

// A number behind a dash is one below 0 on a sheet that nobody reads, too.
func TestDashed(t *testing.T) {
	t.Parallel()
	book := sheetOf("\nPersons\nArea|All|Single|Married\nAdair|9|1|8\nBoone|14|5|9\nTotal|23|6|17")
	r, err := find(book, Options{})
	if err != nil {
		t.Fatal(err)
	}
	other := &Grid{Sheet: "2", Rows: [][]Field{{{Text: "Area"}, {Text: "All"}}, {{Text: "Adair"}, {Text: "–9,1"}}, {{Text: "Boone"}, {Text: "—40"}}}}
	s := &Source{Reading: r, grids: append(book.Grids, other), book: []byte{}}
	if got := s.Account(nil).Unknown; !slices.Equal(got, []string{"2!B2", "2!B3"}) {
		t.Errorf("unknown %v", got)
	}
}
