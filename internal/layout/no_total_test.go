package layout

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// haveRelations reads a text of which a dimension is said to have no total, and wants so many relations.
func haveRelations(t *testing.T, text, noTotal string, want int) {
	t.Helper()
	s, err := Open(strings.NewReader(text), "f.csv", "", "", Options{NoTotal: []string{noTotal}})
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Input(formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := in.Table.Rel.Len(); n != want {
		t.Errorf("%d relations, want %d", n, want)
	}
}

// TestSeenSums: where a classification is said to have no total, sums that hold beside numbers of another kind still count, place by place.
func TestSeenSums(t *testing.T) {
	t.Parallel()
	const head = "Area;Single;Married;Total;km²\n"
	const rows = "Adair;3;30;33;79\nBoone;21;40;61;49\nClay;14;17;31;20\n"
	for _, c := range []struct {
		name, text string
		relations  int
	}{
		{"an area that does not add up", head + rows + "All;38;87;125;71\n", 7},
		{"nothing adds up", head + rows + "All;51;67;118;71\n", 4},
		{"a total that another measure misses by far", "Area;Single;Married;Total;Population\nOverall;38;87;125;13120\nAdair;3;30;33;1284\nBoone;21;40;61;502\nClay;14;17;31;1842\n", 7},
		{"told again", head + rows + "All;38;87;125;71\nof which Adair and Clay;17;47;64;68\n", 11},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			haveRelations(t, c.text, "Area", c.relations)
		})
	}
}

// TestSeenChanges: a column that is the change between two years everywhere counts, whatever somebody says of its sums; one that is so by chance in few rows does not.
func TestSeenChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		relations  int
	}{
		{"a change", "Age;2019;2020;2021;Balance\nYoung;5;4;11;7\nGrown;3;2;6;4\nOld;7;4;5;1\nAll ages;15;10;22;12\n", 8},
		{"another measure", "Age;2019;2020;2021;Balance\nYoung;5;4;11;7\nGrown;3;2;6;5\nOld;7;4;5;1\nAll ages;15;10;22;13\n", 4},
		{"two rows", "Age;2019;2020;2021;Balance\nYoung;5;4;11;7\nOld;7;4;5;1\n", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			haveRelations(t, c.text, "Column", c.relations)
		})
	}
}

// TestSeenBesideOthers: what is said to have no total may be so because one code stands outside the sum of the others; the sum is there all the same, and holds
// where one of its numbers is withheld. A sum of all codes is what no reader overlooks.
func TestSeenBesideOthers(t *testing.T) {
	t.Parallel()
	const wide = "Area;Single;Married;Total\nAll;38;87;125\nAdair;3;30;33\nBoone;21;40;61\nClay;14;17;31\n"
	const long = "Area,Sex,Value\nAll,Both,38\nAll,Men,20\nAll,Women,18\nAdair,Both,17\nAdair,Men,9\nAdair,Women,8\nBoone,Both,21\nBoone,Men,11\nBoone,Women,10\n"
	for _, c := range []struct {
		name, text string
		relations  int
	}{
		{"a code outside", wide + "Offshore;9;19;28\n", 8},
		{"a code outside, and a number withheld", strings.Replace(wide, "21;40", "x;40", 1) + "Offshore;9;19;28\n", 8},
		{"long", long + "Offshore,Both,15\nOffshore,Men,5\nOffshore,Women,10\n", 7},
		{"long, with a number withheld", strings.Replace(long, "Men,11", "Men,x", 1) + "Offshore,Both,15\nOffshore,Men,5\nOffshore,Women,10\n", 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			haveRelations(t, c.text, "Area", c.relations)
		})
	}
	for _, text := range []string{wide, long} {
		if _, err := Open(strings.NewReader(text), "f.csv", "", "", Options{NoTotal: []string{"Area"}}); err == nil || !strings.Contains(err.Error(), "take the flag out") {
			t.Errorf("a sum of all codes: %v", err)
		}
	}
}

// TestNoTotalElsewhere: a dimension said to have no total may be one of what --sheet, --range or --response leaves out, but not one that the file has nowhere.
func TestNoTotalElsewhere(t *testing.T) {
	t.Parallel()
	const text = "Area;Single;Married;Total\nAll;38;87;125\nAdair;17;47;64\nBoone;21;40;61\n;;;\nYear;Births;Deaths\n2019;50;31\n2020;47;33\n2021;41;39\n"
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{NoTotal: []string{"Year"}, Range: "A1:D4"}, ""},
		{Options{NoTotal: []string{"Yaer"}, Range: "A1:D4"}, "no such dimension"},
		{Options{NoTotal: []string{"Yaer"}}, "no such dimension"},
	} {
		_, err := Open(strings.NewReader(text), "f.csv", "", "", c.o)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v, want %q", c.o, err, c.want)
		}
	}
}
