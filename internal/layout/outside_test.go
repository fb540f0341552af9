package layout

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// TestNothingHalfRead: files whose copy once told withheld cells, each small: what is not understood is asked about or named by its
// address before a table is made. What numbers and labels tell is not asked.
func TestNothingHalfRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text, want string // in the error, empty: a table
	}{
		{"subtotals that few numbers show", `Area,Single,Married
Nord,5,1
Aubigny,3,0
Belmont,2,1
Sud,2,2
Dompierre,0,0
Clay,0,1
Fontenay,2,1
Total,7,3
`, "may be the sum of"},
		{"indents that tell no groups", `Area,under 5,5 to 9,10 or more
Capital,6,181,755
  Adair,9,16,48
  Boone,4,278,334
  Clay,2,46,1194
`, ""},
		{"years before 1900", `Anos,People,,
,Total,Men,Women
1872,313,157,156
1890⁽¹⁾,649,342,307
1900,2398,1246,1152
1920,5790,2940,2850
`, ""},
		{"codes beside texts that are the same in all rows", `country,region,code,begins,deaths
Norland,Norland,0,1 January 2015,2490
Norland,Norland,0,1 February 2015,2139
Norland,Norland,0,1 March 2015,2051
Norland,Norland,0,1 April 2015,1906
`, ""},
		{"weeks above what they end with", `Deaths by week

Week,1,2,3,4,5,6,7,8,9,10
Ended,6 Jan,13 Jan,20 Jan,27 Jan,3 Feb,10 Feb,17 Feb,24 Feb,3 Mar,10 Mar

All,119,137,134,128,124,122,116,117,112,110
North,60,70,71,62,64,61,57,53,50,51
South,59,67,63,66,60,61,59,64,62,59
`, ""},
		{"a total with units", `Area,All,Adair,Boone
Single,197,1,196
Married,91,44,47
Total,288 persons,45 persons,243 persons
In homes,30,5,25
`, ""},
		{"what is told again behind the total", `Area,All,Single,Married
Adair,173,138,35
Boone,3,2,1
Clay,2,0,2
Total,178,140,38
Boone & Clay,5,2,3
`, ""},
		{"what is told again behind a total that is not understood", `Area,2019,2020
North,,
Adair,0,3
Boone,0,3
All,0,6
South,,
Clay,0,2
Dover,0,0
All,0,2
All,0,8
of which Adair and Boone,0,6
`, "may be the sum of"},
		{"subtotals that stand beside their parts", `Area,All,Single,Married,Widowed
North,3,2,0,1
Adair,1,1,0,0
Boone,2,1,0,1
South,7,2,2,3
Dover,4,0,1,3
Elk,3,2,1,0
All,10,4,2,4
`, ""},
		{"one row that goes on at the right", `Area,All,Single,Married,Area,All,Single,Married
Adair,4,1,3,Clay,125,0,125
Boone,167,128,39,,,,
,,,,All,296,129,167
`, ""},
		{"a column told again", `Area,Single,Married,Widowed,All,Widowed
Adair,2,3,36,41,36
Boone,21,13,15,49,15
All,23,16,51,90,51
`, ""},
		{"a column without a header that is like another", `Area,2019,,2021
All,4,4,3
Adair,1,1,1
Boone,3,3,2
`, "has no label"},
		{"two tables of the same classes", `Area,All,Single,Married,,Accidents,Number,,Accidents,Number
All,14,4,10,,Car,0,,Car,6
Adair,3,1,2,,Train,6,,Train,0
Boone,11,3,8,,All,6,,All,6
`, ""},
		{"rows of shares beside another table", `Area,All,Single,Married,,,Accidents
All,89,87,2,,Car,7
Percent,100.00,100.00,100.00,,Train,5
Adair,8,7,1,,All,12
Percent,8.99,8.05,50.00
Boone,81,80,1
Percent,91.01,91.95,50.00
`, ""},
		{"cumulated columns", `Area,Single,Married,Widowed,Divorced,cumulated to Married,cumulated to Widowed,Total
Adair,11,20,31,14,31,62,76
Boone,2,3,41,25,5,46,71
Clay,16,0,18,33,16,34,67
Total,29,23,90,72,52,142,214
`, ""},
		{"cumulated, without a total", `Area,2019,2020,2021,2022,to 2020,to 2021,to 2022
Adair,0,1,0,0,1,1,1
Boone,2,3,1,3,5,6,9
Total,2,4,1,3,6,7,10
`, "may be the sum of"},
		{"a column with its unit, before the others", `Area,Total,Single,Married
Total,149 Pers.,38,111
Adair,61 Pers.,13,48
Boone,88 Pers.,25,63
`, ""},
		{"units that count the rows", `Area,Deaths,Men,Women
Adair,1 persons,31,20
Boone,2 persons,15,16
Total,3 persons,46,36
`, "numbers of the file are in no table"},
		{"a number with a flag before it", `Area,2019,2020,2021
Adair,31,p1,30
Boone,20,13,11
Total,51,14,41
`, ""},
		{"a number with a note that nobody explains", `Area,2019,2020,2021
Adair,31,1 q 7,30
Boone,20,13,11
Total,51,14,41
`, "numbers of the file are in no table"},
		{"sizes of households are labels", `Area,Size,Men,Women
Adair,1 person,31,20
Adair,2 persons,15,16
Boone,1 person,12,19
Boone,2 persons,21,33
`, ""},
		{"measures, and a column without their name", `Area,Wheat,,Rye,,of which organic
,Farms,Hectares,Farms,Hectares,
Adair,4,31,2,20,3
Boone,7,62,9,81,5
Clay,3,45,4,39,2
Dover,5,58,1,14,4
All,19,196,16,154,14
`, "Farms may count what makes up Hectares: they are measures (--response \"Hectares,Farms\" --freq Farms)"},
		{"codes of a column", `Code,Area,Men,Women
01,Adair,31,20
02,Boone,15,16
09,Clay,12,19
00,Total,58,55
`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := Open(strings.NewReader("Table 1. Persons\n"+c.text), "t.csv", "", "", Options{})
			if err == nil {
				_, err = s.Input(formats.Options{})
			}
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// TestCodesAgain: codes before shares that repeat those before the numbers are labels, and the rows have their total.
func TestCodesAgain(t *testing.T) {
	t.Parallel()
	r, err := find(sheetOf("Code|Area|All|Men|Women|Code|Area|All|Men|Women\n100|Adair|10|4|6|100|Adair|34.5|28.6|40.0\n101|Boone|3|3|0|101|Boone|10.3|21.4|0.0\n102|Clay|16|7|9|102|Clay|55.2|50.0|60.0\n103|Total|29|14|15|103|Total|100.0|100.0|100.0"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if t0 := r.Tables[0]; len(r.Tables) != 1 || len(t0.Cells) != 12 || !t0.Dimensions[0].Additive || !t0.Dimensions[1].Additive {
		t.Errorf("%d tables, the first of %d cells: %+v", len(r.Tables), len(t0.Cells), t0.Dimensions)
	}
}

// TestCopiedWhole: a sheet that repeats a table whose rows go on at the right is a copy, each number of its cell.
func TestCopiedWhole(t *testing.T) {
	t.Parallel()
	book := sheetOf("Area|All|Men|Women|Area|All|Men|Women\nAdair|4|1|3|Clay|125|0|125\nBoone|167|128|39|All|296|129|167")
	again := sheetOf("Area|All|Men|Women\nAdair|4|1|3\nBoone|167|128|39\nClay|125|0|125\nAll|296|129|167").Grids[0]
	again.Sheet = "Copy"
	book.Grids = append(book.Grids, again)
	r, err := find(book, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Tables) != 1 || len(r.Tables[0].Derived) != 12 || r.Tables[0].Derived[6].Of[0][0] != "Clay" || r.Tables[0].Derived[6].Ref != "B4" {
		t.Errorf("%d tables, of the first computed: %+v", len(r.Tables), r.Tables[0].Derived)
	}
}

// A note that tells a withheld cell of a text file loses its number, in whatever digits, and nothing else; it may leave out the number before a name.
func TestNotesOfTexts(t *testing.T) {
	t.Parallel()
	text := "Table 1. Persons\nArea,2019,2020\n%sAdair,2,30\n%sBoone,1,38\nTotal,3,68\n\nBoone: %s person (2019); 38 in 2020.\n"
	for _, c := range [][3]any{{"", "", "1"}, {"", "", "１"}, {"10 ", "20 ", "1"}} {
		s, err := Open(strings.NewReader(fmt.Sprintf(text, c[:]...)), "t.csv", "", "", Options{})
		if err != nil {
			t.Fatal(err)
		}
		in, err := s.Input(formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		withheld := make([]bool, in.Table.Len())
		for i, v := range in.Table.Value {
			withheld[i] = v == 1 || v == 2
		}
		var out strings.Builder
		if err := formats.Write(&out, in, withheld); err != nil {
			t.Fatal(err)
		}
		if want := "Boone: x person (2019); 38 in 2020.\n"; !strings.HasSuffix(out.String(), want) {
			t.Errorf("%q, want it to end in %q", out.String(), want)
		}
	}
}

// TestLabelsOfTexts: a number within a label is none of a cell, whatever other labels stand beside it.
func TestLabelsOfTexts(t *testing.T) {
	t.Parallel()
	s, err := Open(strings.NewReader("Table 1. Persons\nArea,1 to 4,5 and more,All\nAdair,2,30,32\nBoone,38,1,39\nTotal,40,31,71\n\nBoone: 5 and more are fewer than 1 to 4.\n"), "t.csv", "", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if notes := s.Account(nil).notes; len(notes) != 0 {
		t.Errorf("%v, want none", notes)
	}
}

// TestTextOfLackingName: a text tells of a share of a column whose own name the table lacks, which has that of the header over several columns.
func TestTextOfLackingName(t *testing.T) {
	t.Parallel()
	book := sheetOf("|Status|||\nArea|Single||Total|Population\nNorth|5|2|7|6087\nAdair|3|2|5|4905\nBoone|2|-|2|1182\nSouth|6|5|11|6690\nClay|3|1|4|2014\nDover|3|3|6|3105\nElk|-|1|1|1571\nTotal|11|7|18|12777\n\nAdair, married: 11.1 %")
	book.Grids[0].Merged = []Rect{{0, 1, 0, 3}}
	r, err := find(book, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &Source{Reading: r, grids: book.Grids}
	if notes := s.toldTogether(r.Tables[0]); len(notes) != 1 || len(notes[0].of) == 0 {
		t.Errorf("%v\n%v", notes, r.Words())
	}
}

// A total that is divided twice ties the cells of both divisions, and so does one of two codes with the same numbers.
func TestEverySum(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		relations  int
	}{
		{"by sex and by age", `Area,Total,Men,Women,Under 30,30 to 59,60 or more
All,100,52,48,21,45,34
North,40,20,20,2,25,13
South,60,32,28,19,20,21
`, 6 + 3 + 3},
		{"two areas with the same numbers", `Area,Total,Men,Women
All,16,7,9
North,10,4,6
Belmont,6,3,3
Dover,4,1,3
South,6,3,3
Elk,2,0,2
Forbes,4,3,1
`, 7 + 3*6},
		{"by sex and by size of place, without a row between", `Area,All,Theft,Fraud,Arson,Other
All,573,85,98,124,266
Adair,139,12,8,59,60
Boone,186,34,6,39,107
Clay,248,39,84,26,99
Men,277,34,89,36,118
Women,296,51,9,88,148
Small,347,62,81,58,146
Middling,88,15,2,18,53
Large,138,8,15,48,67
`, 9 + 3*5},
		{"towns and countryside, whose rows are known to readers", `Area,All,Theft,Fraud,Arson,Other
All,3538,907,895,916,820
Adair,610,133,186,274,17
Boone,483,241,130,29,83
Clay,625,60,193,243,129
Dover,829,197,281,55,296
Elk,463,130,9,113,211
Forbes,528,146,96,202,84
Towns,1763,339,475,719,230
Countryside,1775,568,420,197,590
`, 9 + 4*5},
		{"groups, and towns and countryside behind the total", `Area,All,Theft,Fraud,Arson,Other
North,305,38,7,32,228
Vic,111,16,1,9,85
Denia,58,7,2,7,42
Motril,136,15,4,16,101
East,250,27,11,22,190
Cazorla,68,6,3,3,56
Guadix,40,4,2,3,31
Figueras,142,17,6,16,103
South,229,31,13,13,172
Ibi,166,25,8,11,122
Huesca,35,2,4,1,28
Baza,28,4,1,1,22
All,784,96,31,67,590
Urban,469,57,23,38,351
Rural,315,39,8,29,239
`, 15 + 7*5},
		{"groups, and towns and countryside, without a total of all", `Area,All,Theft,Fraud,Arson,Other
Vic,111,16,1,9,85
Denia,58,7,2,7,42
Motril,136,15,4,16,101
North,305,38,7,32,228
Cazorla,68,6,3,3,56
Guadix,40,4,2,3,31
Figueras,142,17,6,16,103
East,250,27,11,22,190
Ibi,166,25,8,11,122
Huesca,35,2,4,1,28
Baza,28,4,1,1,22
South,229,31,13,13,172
Urban,481,64,16,40,361
Rural,303,32,15,27,229
`, 14 + 5*5},
		{"a total in the middle, of columns without a total", `Area,Theft,Fraud,Arson
North,381,406,121
A,66,129,10
B,169,273,51
All counties,622,648,363
C,146,4,60
South,241,242,242
D,238,1,182
E,3,241,60
`, 3 * 3},
		{"a total in the middle of the last group", `Area,Total,Under 20,20-34,35-49,50-64,65 and over
Adair,664,249,1,86,261,67
Boone,618,171,128,1,94,224
North,1282,420,129,87,355,291
Dover,385,22,126,3,115,119
Elk,689,192,148,152,2,195
South,1074,214,274,155,117,314
Floyd,599,249,90,11,248,1
United counties,4198,1200,592,387,1034,985
Gibson,522,59,28,3,165,267
Harlan,721,258,71,131,149,112
West,1842,566,189,145,562,380
`, 11 + 4*6},
		{"a total in the middle of the first group", `Area,Q1,Q2,Q3,Q4,2020
North,176,153,69,64,462
Adair,103,39,2,0,144
Boone,34,10,11,27,82
All,266,278,186,213,943
Clay,39,104,56,37,236
South,90,125,117,149,481
Dover,48,71,116,41,276
Elk,42,54,1,108,205
`, 8 + 3*5},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := Open(strings.NewReader("Table 1. Persons\n"+c.text), "t.csv", "", "", Options{})
			if err != nil {
				t.Fatal(err)
			}
			in, err := s.Input(formats.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if n := in.Table.Rel.Len(); n != c.relations {
				t.Errorf("%d relations, want %d: %v", n, c.relations, s.Reading.Tables[0].Relations)
			}
		})
	}
}

// TestRoundedBeside: where values are rounded, what is told again is known to be a sum, too, and shares are known that were computed before.
func TestRoundedBeside(t *testing.T) {
	t.Parallel()
	s, err := Open(strings.NewReader(`Area,All,Single,Married,Widowed,Divorced,Unknown,of which Divorced and Unknown
North,105,17,15,36,6,30,37
Adair,10,1,1,5,3,1,3
Boone,46,12,3,1,1,28,30
Clay,49,5,11,30,3,1,4
South,171,39,49,31,49,3,52
Dover,64,2,31,1,29,1,30
Elk,107,37,18,30,20,2,22
Total,275,56,64,67,55,33,88
`), "t.csv", "", "", Options{Tolerance: "1"})
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, r := range s.Reading.Tables[0].Relations {
		found = found || strings.Contains(r.Total, "Divorced and Unknown") && fmt.Sprint(r.Parts) == "[Divorced Unknown]"
	}
	if !found {
		t.Errorf("%+v", s.Reading.Tables[0].Relations)
	}
	s, err = Open(strings.NewReader("Area,All,Single,%,Married,%\nAdair,30,1,2.3,29,97.7\nBoone,14,5,32.5,10,67.5\nClay,55,30,54.7,25,45.3\nTotal,99,36,36.4,63,63.6\n"), "t.csv", "", "", Options{Tolerance: "1"})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(s.Reading.Tables[0].Derived); n != 8 {
		t.Errorf("%d shares are known, want 8", n)
	}
}

// TestCloserNote: a note that tells a cell more closely than its rounded value does is accounted for by nobody.
func TestCloserNote(t *testing.T) {
	t.Parallel()
	for note, unknown := range map[string]int{"In Adair there were 1.4 persons (Single).": 1, "In Adair there were 2.4 persons (Single).": 0, "Adair: 1.4": 0} {
		book := sheetOf("\nPersons\nArea|All|Single|Married\nAdair|9|1|8\nBoone|14|5|9\nTotal|23|6|17\n\n" + note)
		r, err := find(book, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if a := (&Source{Reading: r, grids: book.Grids, book: []byte{}}).Account(nil); len(a.Unknown) != unknown {
			t.Errorf("%s: unknown %v, want %d", note, a.Unknown, unknown)
		}
	}
}

// TestRowsCounted: numbers 1, 2, 3, … before the labels count the rows.
func TestRowsCounted(t *testing.T) {
	t.Parallel()
	book := sheetOf("No.|Area|Sex|Single|Married|All\n1|Adair|Men|31|20|51\n2||Women|15|16|31\n3|Boone|Men|12|19|31\n4||Women|21|33|54\n5|All|Men|43|39|82\n6||Women|36|49|85")
	r, err := find(book, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if a := (&Source{Reading: r, grids: book.Grids}).Account(nil); len(a.Unknown) > 0 {
		t.Errorf("unknown %v", a.Unknown)
	}
}
