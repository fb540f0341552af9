package layout

import (
	"strings"
	"testing"
)

// TestBelowHeader: what stands between the labels of the columns and the numbers, and names of totals and parts that repeat what stands around them.
func TestBelowHeader(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"letters that name the columns", `Table 1. Persons
Area,Men,Men,Men,Women,Women,Women,All,All,All
,Single,Married,All,Single,Married,All,Single,Married,All
a,b,c,d,e,f,g,h,i,j
All,21,17,38,19,16,35,40,33,73
Adair,8,7,15,9,5,14,17,12,29
Boone,13,10,23,10,11,21,23,21,44
`, "Area: All Adair<All Boone<All\nColumn: Men<All Women<All All\nColumn 2: Single<All Married<All All"},
		{"numbers of the columns, from the one of the labels on", `Table 1. Persons
Code,Area,Men,,,Women,,,All,,
,,Single,Married,All,Single,Married,All,Single,Married,All
,1,2,3,4,5,6,7,8,9,10
00,All,21,17,38,19,16,35,40,33,73
01,Adair,8,7,15,9,5,14,17,12,29
02,Boone,13,10,23,10,11,21,23,21,44
`, "Code: 00 01<00 02<00\nColumn: Men<All Women<All All\nColumn 2: Single<All Married<All All"},
		{"what is counted, at the right end of a line above the header", `Tablica 1. Osoby
,,,,,,Jednostka: osoby
Powiaty,Mężczyźni,,,Kobiety,,
,Panny,Zamężne,Razem,Panny,Zamężne,Razem
Chełm,8,7,15,9,5,14
Mława,13,10,23,10,11,21
Razem,21,17,38,19,16,35
`, "Powiaty: Chełm<Razem Mława<Razem Razem\nColumn: Mężczyźni Kobiety\nColumn 2: Panny<Razem Zamężne<Razem Razem"},
		{"numbers of the rows beside codes and names, from 1 in each panel", `Table 1. Persons
No.,Code,Area,Single,Married,All
,,,Men,,
1,01,Adair,55,26,81
2,0101,Alba,18,20,38
3,0102,Arden,37,6,43
4,02,Boone,59,43,102
5,0201,Bell,26,21,47
6,0202,Berry,33,22,55
,,,Women,,
1,01,Adair,43,32,75
2,0101,Alba,40,4,44
3,0102,Arden,3,28,31
4,02,Boone,71,19,90
5,0201,Bell,33,10,43
6,0202,Berry,38,9,47
,,,All,,
1,01,Adair,98,58,156
2,0101,Alba,58,24,82
3,0102,Arden,40,34,74
4,02,Boone,130,62,192
5,0201,Bell,59,31,90
6,0202,Berry,71,31,102
`, "Row: Men<All Women<All All\nArea: 01 0101<01 0102<01 02 0201<02 0202<02\nColumn: Single<All Married<All All"},
		{"what is counted in all columns, and a heading", `Table 1. Persons
Area,Single,Married,All
,Number,,
North,,,
  Adair,8,7,15
  Boone,13,10,23
South,,,
  Clay,4,9,13
  Dover,6,5,11
All,31,31,62
`, "Area: Adair<All Boone<All Clay<All Dover<All All\nColumn: Single<All Married<All All"},
		{"a total with the name of its group", `Table 1. Persons
Year,Single,Married,All
2019,,,
  Quarter 1,8,7,15
  Quarter 2,13,10,23
Total 2019,21,17,38
2020,,,
  Quarter 1,4,9,13
  Quarter 2,6,5,11
Total 2020,10,14,24
`, "Year: 2019 2020\nYear 2: Quarter 1<Total Quarter 2<Total Total\nColumn: Single<All Married<All All"},
		{"parts told again", `Tavola 1. Persone
Comune,Celibi,Coniugati,Totale
Totale,40,33,73
Acquarola,17,12,29
di cui: Rurale,5,1,6
Borgolungo,23,21,44
`, "Comune: Totale Acquarola<Totale Rurale<Acquarola* Borgolungo<Totale\nColumn: Celibi<Totale Coniugati<Totale Totale"},
		{"a page that goes on with its title, without its number", `Table 1. Persons by area
Area,Single,Married,All
Adair,8,7,15
Boone,13,10,23

Persons by area (continued)
Area,Single,Married,All
Clay,4,9,13
All,25,26,51
`, "Area: Adair<All Boone<All Clay<All All\nColumn: Single<All Married<All All"},
		{"a page that goes on with what tables are called", `Gestorbene
Kreis,ledig,verheiratet,Insgesamt
Adorf,8,7,15
Berg,13,10,23

Noch: Tabelle 3
Kreis,ledig,verheiratet,Insgesamt
Celle,4,9,13
Insgesamt,25,26,51
`, "Kreis: Adorf<Insgesamt Berg<Insgesamt Celle<Insgesamt Insgesamt\nColumn: ledig<Insgesamt verheiratet<Insgesamt Insgesamt"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := readText(t, c.text, Options{})
			if len(r.Tables) != 1 {
				t.Fatalf("%d tables", len(r.Tables))
			}
			if got := forestOf(r.Tables[0]); got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}

// TestCountsUpInTotal: a row of 1, 2, 3 below units is data where a total below has the sum with it, and numbers the columns where it has not.
func TestCountsUpInTotal(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"x\nComune|M|F|Totale\n|n|n|n\nAlba|1|2|3\nBra|20|14|34\nCarpi|2|3|5\nTutti|23|19|42\n":                           12,
		"x\nComune|M|F|Totale\n|n|n|n\nNo.|1|2|3\nBra|20|14|34\nCarpi|2|3|5\nTutti|22|17|39\n":                            9,
		"x\nComune|M|F|Totale\n|n|n|n\nAlba|1|2|3\nNord|1|2|3\nBra|20|14|34\nCarpi|2|3|5\nSud|22|17|39\nTutti|23|19|42\n": 18,
	} {
		r, err := find(sheetOf(text), Options{})
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if got := len(r.Tables[0].Cells); got != want {
			t.Errorf("%q: %d cells, want %d: %v", text, got, want, r.Words())
		}
	}
}

// TestHeadingBelowHeader: a heading of a group in the row below the header, beside the label of an outer group that the
// next row repeats, is no name of a label column.
func TestHeadingBelowHeader(t *testing.T) {
	t.Parallel()
	r := openWords(t, `Sex;Place;Size;;
;;Total;1-9;10+
Men;01 Coast;;;
Men;0101 Dover;9;4;5
Men;0102 Sidmouth;7;5;2
Men;01 Total;16;9;7
Men;02 Hills;;;
Men;0201 Malvern;6;2;4
Men;0202 Ludlow;8;7;1
Men;02 Total;14;9;5
Women;01 Coast;;;
Women;0101 Dover;11;6;5
Women;0102 Sidmouth;4;1;3
Women;01 Total;15;7;8
Women;02 Hills;;;
Women;0201 Malvern;5;3;2
Women;0202 Ludlow;9;3;6
Women;02 Total;14;6;8
`, Options{})
	var names []string
	for _, d := range r.Tables[0].Dimensions {
		names = append(names, d.Name)
	}
	if got := strings.Join(names, ", "); got != "Sex, Place, Column" || len(r.Tables[0].Cells) != 36 {
		t.Errorf("%s, %d cells: %v", got, len(r.Tables[0].Cells), r.Words())
	}
}

// TestOpenClasses: classes without a least or a largest number are no numbers of a row of data where they go on beside closed ones.
func TestOpenClasses(t *testing.T) {
	t.Parallel()
	const rows = "Ajka,3,4,2,5,14\nLenti,2,1,12,4,19\nKalocsa,9,35,51,56,151\nEgyütt,14,40,65,65,184\n"
	for header, want := range map[string]int{"–19,20–39,40–64,65–": 20, "-19,20-39,40-64,65-": 20, "65-,40-65,20-40,-20": 20} {
		r := readText(t, "Halottak\n\nTelepülés,"+header+",Összesen\n"+rows, Options{})
		if len(r.Tables) != 1 || len(r.Tables[0].Cells) != want {
			t.Errorf("%s: %d tables, %d cells", header, len(r.Tables), len(r.Tables[0].Cells))
		}
	}
}

// TestLineAboveHeader: a line that says something of all columns is no row of the header, wherever it stands, and in whatever language it tells the unit.
func TestLineAboveHeader(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"|||Enhet: antal|", "|||(단위: 명)|", "|||Vienetas: žmonės|", "||Unité : nombre||"} {
		r, err := find(sheetOf("Employees by area\n"+line+"\nArea|Both|||Men|||Women||\n|All|1-4|5-9|All|1-4|5-9|All|1-4|5-9\nNorth|26|15|11|16|12|4|10|3|7\nSouth|67|40|27|56|31|25|11|9|2\nAll|93|55|38|72|43|29|21|12|9\n"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Tables) != 1 || len(r.Tables[0].Cells) != 27 || len(r.Tables[0].Dimensions) != 3 {
			t.Errorf("%q: %v", line, r.Words())
		} else if unit := r.Tables[0].Unit; strings.HasPrefix(unit, "é") {
			t.Errorf("unit %q", unit)
		}
	}
}
