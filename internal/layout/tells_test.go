package layout

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestTells: what tells of the cells of a table beside its sums is found, however small the table is: by the words of its header where numbers
// have several readings, and by all readings where words have none.
func TestTells(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, sheet, trees string
		text               bool
		derived            map[string]string // a number and cells that it tells of
		equals             string            // of the last column
	}{
		{name: "a header ends in a word that is a mark", sheet: `
地域|総数|未婚|有配偶|死別|離別|不詳
計|53|7|15|7|12|12
北浜市|23|2|5|6|8|2
松原市|30|5|10|1|4|10`, trees: "計=北浜市+松原市; 総数=未婚+有配偶+死別+離別+不詳"},
		{name: "above a mark", sheet: `
|配偶関係|||||
地域|総数|未婚|有配偶|死別|離別|不詳
計|10|5|-|-|3|2
北浜市|6|3|-|-|1|2
松原市|4|2|-|-|2|-`, trees: "計=北浜市+松原市; 総数=未婚+有配偶+死別+離別+不詳"},
		{name: "shares that two columns have", sheet: `
Commune|Ensemble|%|Célibataires|%|Mariés|%|Veufs|%
Aubigny|4|40|0|-|2|66.7|2|40
Belmont|6|60|2|100|1|33.3|3|60
Ensemble|10|100|2|100|3|100|5|100`, trees: "Ensemble=Aubigny+Belmont; Ensemble=Célibataires+Mariés+Veufs",
			derived: map[string]string{"C2": "B2 B4 H2 H4", "I3": "B3 B4 H3 H4", "G2": "F2 F4"}},
		{name: "of which two, where others have the same sum", sheet: `
Ort|ledig|verheiratet|verwitwet|geschieden|darunter verwitwet und geschieden
Altdorf|1|1|2|0|2
Bergen|2|0|0|2|2
Insgesamt|3|1|2|2|4`, trees: "Insgesamt=Altdorf+Bergen; ", equals: "verwitwet geschieden"},
		{name: "shares of two totals that are equal", sheet: `
|Commune|Ensemble|Vols|Fraudes|Violences
Aubigny|Hommes|6|1|0|5
|Femmes|8|3|0|5
Belmont|Hommes|3|2|0|1
|Femmes|8|1|2|5
Dompierre|Hommes|6|3|2|1
|Femmes|5|2|1|2
Total|Hommes|15|6|2|7
|Femmes|21|6|3|12


en %
|Commune|Ensemble|Vols|Fraudes|Violences
Aubigny|Hommes|40|16.7|0|71.4
|Femmes|38.1|50|0|41.7
Belmont|Hommes|20|33.3|0|14.3
|Femmes|38.1|16.7|66.7|41.7
Dompierre|Hommes|40|50|100|14.3
|Femmes|23.8|33.3|33.3|16.7
Total|Hommes|100|100|100|100
|Femmes|100|100|100|100`, trees: "Total=Aubigny+Belmont+Dompierre; ; Ensemble=Vols+Fraudes+Violences", derived: map[string]string{"D18": "D6 D8 D9"}},
		{name: "an index", sheet: `
Area|2019|2020|2021|2021 (2019 = 100)
Total|2|6|10|500
Adair|1|3|7|700
Clay|1|3|3|300`, trees: "Total=Adair+Clay; ", derived: map[string]string{"E2": "D2 B2"}},
		{name: "a mean of years", sheet: `
Area|2019|2020|2021|Average
Total|30|42|47|39.7
Adair|10|21|19|16.7
Boone|20|21|28|23`, trees: "Total=Adair+Boone; ", derived: map[string]string{"E3": "B3 C3 D3"}},
		{name: "cumulated", sheet: `
Ort|2019|2020|2021|kumuliert bis 2020|kumuliert bis 2021
Insgesamt|0|1|4|1|5
Altdorf|0|1|3|1|4
Bergen|0|0|1|0|1`, trees: "Insgesamt=Altdorf+Bergen; ", derived: map[string]string{"E2": "B2 C2", "F3": "B3 C3 D3"}},
		{name: "cumulated shares", sheet: `
Ort|ledig|verheiratet|verwitwet|geschieden|Insgesamt|kumuliert % ledig|kumuliert % verheiratet|kumuliert % verwitwet|kumuliert % geschieden
Insgesamt|468|319|93|265|1145|40.9|68.7|76.9|100.0
Altdorf|152|193|28|3|376|40.4|91.8|99.2|100.0
Bergen|316|126|65|262|769|41.1|57.5|65.9|100.0`, trees: "Insgesamt=Altdorf+Bergen; Insgesamt=ledig+verheiratet+verwitwet+geschieden", derived: map[string]string{"I3": "B3 C3 D3 F3"}},
		{name: "running down", sheet: `
Month|Adults|Juveniles|Total|Cumulative total
Jan|30|3|33|33
Feb|28|5|33|66
Mar|41|2|43|109
Total|99|10|109|`, trees: "Total=Jan+Feb+Mar; Total=Adults+Juveniles", derived: map[string]string{"E2": "D2", "E4": "D2 D3 D4"}},
		{name: "a total of which all is withheld", sheet: `
r|x|y|Total
a|x|8|x
b|x|0|x
Total|x|8|x`, trees: "Total=a+b; Total=x+y"},
		{name: "one number is left", sheet: `
r|x|y|Total
a|x|x|x
b|x|x|x
c|x|x|6
Total|x|x|x`, trees: "Total=a+b+c; Total=x+y"},
		{name: "rows in groups", sheet: `
r|k|n
a|x|x
|y|8
|Total|x
b|x|x
|y|0
|Total|x
Total|x|x
|y|8
|Total|x`, trees: "Total=a+b; Total=x+y"},
		{name: "a tidy file of which one number is left", text: true, sheet: `
r|k|freq
a|x|x
a|y|x
a|Total|x
b|x|x
b|y|x
b|Total|x
c|x|x
c|y|x
c|Total|6
Total|x|x
Total|y|x
Total|Total|x`, trees: "Total=a+b+c; Total=x+y"},
		{name: "codes that are marks elsewhere", text: true, sheet: `
r|k|n
a|x|3
a|y|x
a|Total|x
c|x|4
c|y|x
c|Total|6
Total|x|7
Total|y|x
Total|Total|x`, trees: "Total=a+c; Total=x+y"},
		{name: "rows of whole shares", sheet: `
Ort|ledig|verheiratet|verwitwet
Zusammen|8|2|4
in %|100|100|100
Altdorf|0|2|3
in %|0|100|75
Bergen|8|0|1
in %|100|0|25`, trees: "Zusammen=Altdorf+Bergen; "},
		{name: "shares of the total of a later group", sheet: `
|Men||Women||||Men||Women
Area|Young|Old|Young|Old||Area|Young|Old|Young|Old
North||||||North||||
Adair|0|4|1|0||Adair|0.0|44.4|9.1|0.0
Boone|3|4|0|4||Boone|25.0|44.4|0.0|44.4
Clay|1|1|3|3||Clay|8.3|11.1|27.3|33.3
Total|4|9|4|7||Total|33.3|100.0|36.4|77.8
South||||||South||||
Dover|5|0|4|2||Dover|41.7|0.0|36.4|22.2
Elk|3|0|3|0||Elk|25.0|0.0|27.3|0.0
Total|8|0|7|2||Total|66.7|0.0|63.6|22.2
All|12|9|11|9||All|100.0|100.0|100.0|100.0`, trees: "North=Adair+Boone+Clay South=Dover+Elk All=North+South; ; ", derived: map[string]string{"K7": "E7 C7 E12"}},
		{name: "shares beside a column of their own", sheet: `
Table 1|||||||||in %
Area|Single|%|Married|%|Widowed|%|All|%|Area|Single|Married|Widowed|All|Single / 1 Widowed
Adair|2|33.33|0|0.00|0|0.00|2|33.33|Adair|1|0|0|1|-
Boone|0|0.00|1|16.67|3|50.00|4|66.67|Boone|0|0.25|0.75|1|0.0
|||||||||Total|0.3333333333333333|0.16666666666666666|0.5|1
Total|2|33.33|1|16.67|3|50.00|6|100.00||||||0.7`, trees: "Total=Adair+Boone; All=Single+Married+Widowed", derived: map[string]string{"L5": "D6 H6"}},
		{name: "a column without a header behind one of shares", sheet: `
Area|All|%|Single|%|Married|%||%
All|10|100|4|100|2|100|4|100
Adair|3|30|1|25|1|50|1|25
Boone|3|30|1|25|1|50|1|25
Clay|4|40|2|50|0|0|2|50`, trees: "All=Adair+Boone+Clay; All=Single+Married+(H)", derived: map[string]string{"I3": "D3 D2 H2 H3"}},
		{name: "rounded counts with shares below them", sheet: `
Area|Total|Single|Married|Widowed|Divorced|Unknown
Adair|129180|42230|0|55030|0|31920
Percent|84.6|96.1|0|80|75|100
Boone|23460|1710|7990|13750|0|0
Percent|15.4|3.9|100|20|25|0
Total|152650|43950|7990|68780|0|31920
Percent|100|100|100|100|100|100`, trees: "Total=Adair+Boone; Total=Single+Married+Widowed+Divorced+Unknown"},
		{name: "headings of panels across, and of groups among the labels", sheet: `
Area|Single|Married|All
|Men
Total|23|12|35
North
 Adair|5|1|6
 Boone|10|6|16
South
 Clay|6|3|9
 Dover|2|2|4
|Women
Total|33|22|55
North
 Adair|3|5|8
 Boone|15|10|25
South
 Clay|7|6|13
 Dover|8|1|9
|All
Total|56|34|90
North
 Adair|8|6|14
 Boone|25|16|41
South
 Clay|13|9|22
 Dover|10|3|13`, trees: "All=Men+Women; Total=Adair+Boone+Clay+Dover; All=Single+Married"},
		{name: "a total between its parts", sheet: `
Area|2019|2020|2021
 Adair|143|-|40
 Boone|102|173|170
Total|245|176|212
 Clay|-|3|2`, trees: "Total=Adair+Boone+Clay; "},
		{name: "a total between groups and the last of their parts", sheet: `
Area|Single|Married|All
 North|11|9|20
  Adair|7|9|16
  Boone|4|0|4
 South|25|9|34
  Dover|8|1|9
All|36|18|54
  Elgin|11|5|16
  Flint|6|3|9`, trees: "North=Adair+Boone South=Dover+Elgin+Flint All=North+South; All=Single+Married"},
		{name: "a total between its parts, under a name of its own", sheet: `
Area|Single|Married|Widowed|All
 Adair|4|9|1|14
 Boone|35|13|3|51
Σ|53|23|7|83
 Clay|14|1|3|18`, trees: "Σ=Adair+Boone+Clay; All=Single+Married+Widowed"},
		{name: "shares in rows, of totals of two parts", sheet: `
Area|North|Adair|Boone|South|Clay|Dover|All
Single|0|0|0|3|1|2|3
%|0|0|0|100|33.33|66.67|100
Married|10|8|2|15|4|11|25
%|40|32|8|60|16|44|100
Widowed|2|0|2|11|7|4|13
%|15.38|0|15.38|84.62|53.85|30.77|100
Total|12|8|4|29|12|17|41
%|29.27|19.51|9.76|70.73|29.27|41.46|100`, trees: "Total=Single+Married+Widowed; North=Adair+Boone South=Clay+Dover All=North+South"},
		{name: "a balance below 0 in one column", sheet: `
Status|All|North|Adair|Boone|South|Clay|Dover
Single|89|49|13|36|40|27|13
Married|8|4|2|2|4|3|1
Widowed|63|57|34|23|6|3|3
Divorced|46|32|14|18|14|11|3
Unknown|40|23|19|4|17|15|2
Total|246|165|82|83|81|59|22
Balance|49|26|-6|32|23|12|11`, trees: "Total=Single+Married+Widowed+Divorced+Unknown; All=North+South North=Adair+Boone South=Clay+Dover"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			book := sheetOf(c.sheet)
			if c.text {
				book.Grids[0].Lines = make([]int, len(book.Grids[0].Rows))
			}
			r, err := find(book, Options{})
			if err != nil {
				t.Fatal(err)
			}
			table := r.Tables[0]
			var trees []string
			for k := range table.Dimensions {
				trees = append(trees, tree(&table.Dimensions[k]))
			}
			if got := strings.Join(trees, "; "); got != c.trees {
				t.Errorf("%s, want %s", got, c.trees)
			}
			for ref, want := range c.derived {
				var of []string
				for i := range table.Derived {
					for _, codes := range table.Derived[i].Of {
						at := slices.IndexFunc(table.Cells, func(x Cell) bool { return slices.Equal(x.Codes, codes) })
						if table.Derived[i].Ref == ref {
							of = append(of, table.Cells[at].Ref)
						}
					}
				}
				if got := strings.Join(of, " "); got != want {
					t.Errorf("%s tells of %s, want %s", ref, got, want)
				}
			}
			columns := table.Dimensions[len(table.Dimensions)-1].Codes
			if got := strings.Join(columns[len(columns)-1].Equals, " "); got != c.equals {
				t.Errorf("the last column is the sum of %q, want %q", got, c.equals)
			}
		})
	}
}

// TestNamedParts: a row that names some of the others is their sum also where two numbers alone would be no evidence, whether or not it says that it tells
// them again.
func TestNamedParts(t *testing.T) {
	t.Parallel()
	for _, label := range []string{"再掲　製造業/飲食業/小売業", "うち製造業/飲食業/小売業", "製造業/飲食業/小売業"} {
		r, err := find(sheetOf("\n産業分類|2015年|2016年\n計|12|100\n小売業|3|26\nその他|3|26\n建設業|1|7\n卸売業|3|27\n製造業|1|10\n飲食業|1|4\n"+label+"|5|40"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		codes := r.Tables[0].Dimensions[0].Codes
		if got := strings.Join(codes[len(codes)-1].Equals, " "); got != "製造業 飲食業 小売業" {
			t.Errorf("%s: the sum of %q", label, got)
		}
	}
	// In a tree without gaps small numbers do, too.
	r, err := find(sheetOf("Area|2019|2020\nNorth|6|6\nAdair|3|3\nBoone|3|3\nSouth|6|5\nClay|2|3\nDover|1|0\nElk|3|2\nAll|12|11\nof which Boone and Clay|5|6"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	codes := r.Tables[0].Dimensions[0].Codes
	if got := strings.Join(codes[len(codes)-1].Equals, " "); got != "Boone Clay" {
		t.Errorf("the sum of %q", got)
	}
}

// TestCopied: the numbers of a sheet that repeats a small table are known to be copies, each of its cell, also where years stand above them.
func TestCopied(t *testing.T) {
	t.Parallel()
	book := sheetOf("\nArea|2019|2020\nAdair|2|0\nBoone|0|1\nClay|0|0\nTotal|2|1")
	book.Grids[0].Rows[1][2] = Field{Text: "-"} // for nothing
	again := sheetOf("\nCopy of 1\nArea|2019|2020\nAdair|2|0\nBoone|0|1\nClay|0|0\nTotal|2|1").Grids[0]
	again.Sheet, again.State = "Copy", "hidden"
	for c := range again.Rows[1] {
		again.Rows[1][c].Number = false
	}
	book.Grids = append(book.Grids, again)
	r, err := find(book, Options{})
	if err != nil {
		t.Fatal(err)
	}
	account := (&Source{Reading: r, grids: book.Grids}).Account(nil)
	if len(account.Unknown) > 0 || len(account.copies) != 8 {
		t.Fatalf("%d copies: %s", len(account.copies), account.Words())
	}
	for _, x := range account.copies {
		if !slices.Contains(x.of, fieldAt{"1", x.at.r - 1, x.at.c}) {
			t.Errorf("%v is a copy of %v", x.at, x.of)
		}
	}
}

// TestListed: a sheet that lists the cells of a table repeats it also where a period stands before a mark of nothing, and a note behind some of its numbers.
func TestListed(t *testing.T) {
	t.Parallel()
	book := sheetOf("2020\nArea|Men|Women|All\nAdair|12|–|12\nBoone|31|45|76\nAll areas|43|45|88\n2021\nArea|Men|Women|All\nAdair|22|7|29\nBoone|–|19|19\nAll areas|22|26|48")
	list := "Area|Sex|Year|Deaths"
	for _, row := range []string{"Adair|12|–|12|22|7|29", "Boone|31|45 1)|76|–|19|19", "All areas|43 1)|45|88|22|26|48"} {
		parts := strings.Split(row, "|")
		for k, sex := range []string{"Men", "Women", "All"} {
			list += "\n" + parts[0] + "|" + sex + "|2020|" + parts[1+k] + "\n" + parts[0] + "|" + sex + "|2021|" + parts[4+k]
		}
	}
	again := sheetOf(list).Grids[0]
	again.Sheet, again.State = "List", "hidden"
	book.Grids = append(book.Grids, again)
	r, err := find(book, Options{})
	if err != nil {
		t.Fatal(err)
	}
	account := (&Source{Reading: r, grids: book.Grids}).Account(nil)
	if len(account.Unknown) > 0 || len(account.copies) != 18 {
		t.Fatalf("%d copies: %s", len(account.copies), account.Words())
	}
}

// TestHiddenShares: a hidden copy of a table with shares repeats it, although every number is its own per cent of a total of 100.
func TestHiddenShares(t *testing.T) {
	t.Parallel()
	rows := "Table 1\nArea|All|%|Men|%|Women|%\nAdair|64|100.0|23|35.9|41|64.1\nBoone|31|100.0|12|38.7|19|61.3\nClay|57|100.0|28|49.1|29|50.9\nTotal|152|100.0|63|41.4|89|58.6"
	book, again := sheetOf(rows), sheetOf(rows).Grids[0]
	again.Sheet, again.State = "Copy", "hidden"
	book.Grids = append(book.Grids, again)
	r, err := find(book, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if table := r.Tables[0]; len(table.Cells) != 12 || len(table.Derived) != 36 {
		t.Errorf("%d cells, %d derived", len(table.Cells), len(table.Derived))
	}
}

// TestHiddenRow: a row that is not shown and says what another one says is no part of the group above it.
func TestHiddenRow(t *testing.T) {
	t.Parallel()
	book := sheetOf("\nArea|All|Single|Married\nTotal|101|46|55\nNorth\nAdair|19|8|11\nBoone|4|1|3\nAll|23|9|14\nSouth\nClay|47|19|28\nDover|31|18|13\nAll|78|37|41\n\n\nBoone|4|1|3")
	book.Grids[0].HiddenRows = map[int]bool{12: true}
	r, err := find(book, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if table := r.Tables[0]; len(table.Cells) != 21 || len(table.Derived) != 3 || table.Derived[0].How != asRepeat {
		t.Errorf("%d cells, derived %v", len(table.Cells), table.Derived)
	}
}

// TestSpannedUnits: words that are units are measures where the columns under them are called alike, next to each other or not.
func TestSpannedUnits(t *testing.T) {
	t.Parallel()
	r, err := find(sheetOf("\nTable 3: Enterprises by size\nIndustry|Enterprises|||Employees||\n|total|small|large|total|small|large\nMining|12|9|3|1250|50|1200\nFood|14|11|3|4310|310|4000\nTotal|26|20|6|5560|360|5200"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := told(r.Tables[0]), "18 cells, 1!B4 … G6; counts in Enterprises, Employees\nIndustry: 3 codes, depth 1, total Total\nMeasure: 2 measures: \"Enterprises [Enterprises]\", \"Employees [Employees]\"\nSize: 3 codes, depth 1, total total\nsums: 12 right"; got != want {
		t.Errorf("read as\n%s\nwant\n%s", got, want)
	}
}

// TestFarRates: a row of rates is one of any two rows above it, however far away these are.
func TestFarRates(t *testing.T) {
	t.Parallel()
	r, err := find(sheetOf("\nGraduates by destination and type\nDestination|Total|Public|Private\nGraduates|960|700|260\nUniversity|540|380|160\nCollege|211|160|51\nWork|190|148|42\nOther|19|12|7\nUniversity in %|56.3|54.3|61.5"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := told(r.Tables[0]), "15 cells, 1!B3 … D7; counts\nDestination: 5 codes, depth 1, total Graduates\nType: 3 codes, depth 1, total Total\nsums: 8 right\nderived: 3 numbers, B8 … D8, quotients"; got != want {
		t.Errorf("read as\n%s\nwant\n%s", got, want)
	}
}

// TestCalledRates: a title that speaks of rates or averages says nothing against sums that the numbers prove; where some columns add up and others do not, they
// are measures, or so it is asked.
func TestCalledRates(t *testing.T) {
	t.Parallel()
	r, err := find(sheetOf("\nUnemployment rate and number of unemployed by district and sex\nDistrict|Men|Women|Both\nNorth|120|110|230\nSouth|3|14|17\nWest|40|35|75\nAll|163|159|322"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := told(r.Tables[0]), "12 cells, 1!B3 … D6; counts\nDistrict: 4 codes, depth 1, total All\nSex: 3 codes, depth 1, total Both\nsums: 7 right"; got != want {
		t.Errorf("read as\n%s\nwant\n%s", got, want)
	}
	if r, err = find(sheetOf("\nTable 9. Median earnings by sector\nSector|Employees|Median wage\nPublic|120|33120\nPrivate|340|28740\nCharity|4|23500\nAll|464|30100"), Options{}); err != nil {
		t.Fatal(err)
	}
	_, err = (&Source{Reading: r}).table()
	if ask := (*AmbiguityError)(nil); !errors.As(err, &ask) || !slices.Contains(ask.Options, "--response Employees") {
		t.Errorf("asked %v", err)
	}
}

// TestPerHundredThousand: rates by a population that stands below, per as many as the title says.
func TestPerHundredThousand(t *testing.T) {
	t.Parallel()
	r, err := find(sheetOf("\nAdmissions by diagnosis (number and rate per 100 000)\nDiagnosis|2020||2021|\n|Number|Rate|Number|Rate\nAll|1500|300.0|1540|305.0\nInfection|310|62.0|330|65.3\nInjury|1186|237.2|1207|239.0\nPoisoning|4|0.8|3|0.6\nPopulation|500000||505000|"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := told(r.Tables[0]), "derived: 8 numbers, C4 … E7, quotients"; !strings.HasSuffix(got, want) {
		t.Errorf("read as\n%s\nwant at its end\n%s", got, want)
	}
}

// TestMeans: a column that is called an average is one of the total beside it, by the number of columns that this has.
func TestMeans(t *testing.T) {
	t.Parallel()
	r, err := find(sheetOf("\nQuarterly permits\nArea|Q1|Q2|Q3|Q4|Year|Average per quarter\nNorth|12|15|9|14|50|12.5\nSouth|3|4|2|1|10|2.5\nIslands|1|0|0|2|3|0.8\nTotal|16|19|11|17|63|15.8"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := told(r.Tables[0]), "20 cells, 1!B3 … F6; counts\nArea: 4 codes, depth 1, total Total\nColumn: 5 codes, depth 1, total Year\nsums: 9 right\nderived: 4 numbers, G3 … G6, quotients"; got != want {
		t.Errorf("read as\n%s\nwant\n%s", got, want)
	}
}

// TestRemarks: the mark of a note among remarks is known where the note follows, and may be a number where none does.
func TestRemarks(t *testing.T) {
	t.Parallel()
	for note, unknown := range map[string]int{"※1 令和4年に開設": 0, "※2 令和4年に開設": 1, "※12 床": 1, "令和4年に開設": 1} {
		book := sheetOf("\n市町村別患者数\n市町村|一般|療養|計|備考\n合計|21|9|30\nA市|12|4|16\nB町|9|5|14|※1\n" + note)
		r, err := find(book, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if account := (&Source{Reading: r, grids: book.Grids}).Account(nil); len(account.Unknown) != unknown {
			t.Errorf("%s: unknown %v, want %d", note, account.Unknown, unknown)
		}
	}
}

// TestBrackets: a count in brackets may be below 0 or marked, which nobody but the office knows; an amount is below 0.
func TestBrackets(t *testing.T) {
	t.Parallel()
	for unit, unknown := range map[string]int{"(persons)": 2, "(million dollars)": 0} {
		book := sheetOf("\nTable 1. Gains by area\n" + unit + "\n|2019|2020|2021|2022\nTotal|12|13|3|(2)\nAdair|1|6|1|0\nBoone|11|7|2|(2)")
		r, err := find(book, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if account := (&Source{Reading: r, grids: book.Grids}).Account(nil); len(account.Unknown) != unknown {
			t.Errorf("%s, a table of %s: %s", unit, r.Tables[0].Kind, account.Words())
		}
	}
}

// TestLost: a withheld value of a row that the reading leaves out is a number in no table.
func TestLost(t *testing.T) {
	t.Parallel()
	const list = `
r|k|freq
a|x|x
a|y|x
a|Total|x
c|x|x
c|y|x
c|Total|6
Total|x|x
Total|y|x
Total|Total|x`
	book := sheetOf(list)
	r, err := find(book, Options{})
	if err != nil {
		t.Fatal(err)
	}
	account := (&Source{Reading: r, grids: book.Grids}).Account(nil)
	if len(r.Tables[0].Cells)+len(account.Unknown) != 9 {
		t.Errorf("%d cells and %d unknown, want 9 of both\n%s", len(r.Tables[0].Cells), len(account.Unknown), account.Words())
	}
}

// TestBalanceRow: areas are no differences of others where all that is below 0 is in a row that is one.
func TestBalanceRow(t *testing.T) {
	t.Parallel()
	text := "Status,Total,North,Adair,Boone,South,Clay,Dover\nAll,973,581,247,334,392,155,237\nSingle,286,135,60,75,151,148,3\nMarried,136,131,51,80,5,3,2\n" +
		"Widowed,370,206,134,72,164,1,163\nDivorced,181,109,2,107,72,3,69\nBalance,105,26,58,-32,79,145,-66\n"
	s, err := Open(strings.NewReader(text), "t.csv", "", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range s.Reading.Tables[0].Derived {
		if d.How == asDifference && !strings.HasPrefix(d.Ref, "7:") {
			t.Errorf("%s is taken for a difference", d.Ref)
		}
	}
}

// TestOddNumbers: numbers with a unit or a flag are those of their column where nothing else stands in it, below a header with years, too.
func TestOddNumbers(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"地域,総数,未婚,有配偶\n北浜市,39,31人,8\n松原市,28,p28,-\n東丘市,10,p9,1\n総数,77,p68,9\n",
		"地域,計,北浜市\n2019,1819人,665人\n2020,1588,-\n",
		"地域,計,北浜市,松原市,西谷町\n未婚,295人,166人,127人,2人\n有配偶,275,190,83,2\n",
		"Area,Adair,Boone,All,Clay,Dover\n2019,0 persons,p0,2 persons,p0,2 persons\n2020,0,1,7,p3,3\n",
		"Area,Total,Adair,Boone\nTotal,1342,803,539\nSingle,458 persons,3 persons,455 persons\nMarried,884,800,84\n",
		"Ort,2020,Januar,Dezember\nAltdorf,12,8,4 Pers.\nBergen,13,10,3 Pers.\nInsgesamt,25,18,7 Pers.\n",
	} {
		s, err := Open(strings.NewReader(text), "t.csv", "", "", Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := (strings.Count(text, "\n") - 1) * strings.Count(text[:strings.Index(text, "\n")], ",")
		if all := s.Reading.Tables; len(all) != 1 || len(all[0].Cells) != want {
			t.Errorf("%d tables, want one of %d cells: %v", len(all), want, s.Reading.Words())
		}
	}
}

// TestWrittenZero: counts are counts where their zeros are written with a decimal.
func TestWrittenZero(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"Area,Single,Total\nAdair,12,30\nBoone,0.0,5\nAll,12,35\n": ofCounts, "Area,Single,Total\nAdair,12,30\nBoone,1.5,5\nAll,13.5,35\n": ofMagnitudes} {
		s, err := Open(strings.NewReader(text), "t.csv", "", "", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if kind := s.Reading.Tables[0].Kind; kind != want {
			t.Errorf("%s, want %s", kind, want)
		}
	}
}

// TestShareRows: a column in which fractions that are shown as per cent stand between counts is no share of another one.
func TestShareRows(t *testing.T) {
	t.Parallel()
	book := sheetOf("\nArea|Single|Married|Widowed|Divorced\nAdair|6|8|10|1\nPercent|0.75|1|0.714285714285714|1\nBoone|2|0|4|0\nPercent|0.25|0|0.285714285714286|0\nTotal|8|8|14|1\nPercent|1|1|1|1")
	for r := 2; r < len(book.Grids[0].Rows); r += 2 {
		for c := range book.Grids[0].Rows[r][1:] {
			book.Grids[0].Rows[r][c+1].Style = &Style{Format: "0.0%"}
		}
	}
	r, err := find(book, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := told(r.Tables[0]), "12 cells, 1!B2 … E6; counts\nArea: 3 codes, depth 1, total Total\nColumn: 4 codes, no total\nsums: 4 right\nderived: 12 numbers, B3 … E7, quotients"; got != want {
		t.Errorf("read as\n%s\nwant\n%s", got, want)
	}
}

// TestEveryDifference: what is called a balance, and fits as the difference of two pairs of columns, tells of both.
func TestEveryDifference(t *testing.T) {
	t.Parallel()
	r, err := find(sheetOf("Ort|Jahr|Januar|Mai|Juni|November|Dezember|Saldo\nAltdorf|10|0|1|4|2|3|-1\nBergen|15|1|2|5|2|5|0\nCelle|12|3|2|3|2|2|0\nInsgesamt|37|4|5|12|6|10|-1"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	before, err := find(sheetOf("Ort|Jahr|Januar|Mai|Juni|November|Dezember|Saldo\nAltdorf|10|0|1|5|2|1|-1\nBergen|15|1|2|9|2|1|0\nCelle|12|0|2|8|2|0|0\nInsgesamt|37|1|5|22|6|2|-1"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for k, c := range []struct {
		r    *Reading
		want int
	}{{r, 2}, {before, 4}} {
		for _, d := range c.r.Tables[0].Derived {
			if d.Ref == "H2" && len(d.Of) != c.want {
				t.Errorf("%d: %v", k, d.Of)
			}
		}
	}
}

// TestCumulatedHundred: a count of 100 that is a sum of others is no share of itself, which tells nothing.
func TestCumulatedHundred(t *testing.T) {
	t.Parallel()
	r, err := find(sheetOf("Persons\n\nArea|Total|Single|Married|Widowed|Divorced|Unknown|of which Unknown|cumulated to Married|cumulated to Widowed|cumulated to Divorced|cumulated to Unknown\n"+
		"All|351|3|100|4|111|133|133|103|107|218|351\nAdair|342|0|100|1|108|133|133|100|101|209|342\nBoone|9|3|0|3|3|0|0|3|6|9|9\n\nSource: census.\n\nPer cent\n"+
		"Area|Total|Single|Married|Widowed|Divorced|Unknown|of which Unknown\nAll|100.0|100.0|100.0|100.0|100.0|100.0|100.0\nAdair|97.4|0.0|100.0|25.0|97.3|100.0|100.0\nBoone|2.6|100.0|0.0|75.0|2.7|0.0|0.0"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Tables[0].Derived {
		if d.Ref == "I5" && d.itself {
			t.Errorf("%s: %v", d.How, d.Of)
		}
	}
}

// TestShareOfTable: fractions that are shown as per cent of the total of a table are no means, though another table beside it has a larger number.
func TestShareOfTable(t *testing.T) {
	t.Parallel()
	book := sheetOf("Ort||Insgesamt|Prozent|ledig|Prozent|verheiratet|Prozent||||Unfälle\nAltdorf||2|0.4|2|0.4|0|0|||Ein|0\nBergen||0|0|0|0|0|0|||Zwei|2\n" +
		"Celle||3|0.6|1|0.2|2|0.4|||Drei|6\n||||||||||Vier|3\nZusammen||5|1|3|0.6|2|0.4|||Insgesamt|11")
	for _, row := range book.Grids[0].Rows[1:] {
		for c := 3; c < 8 && row[2].Number; c += 2 {
			row[c].Style = &Style{Format: "0.0%"}
		}
	}
	r, err := find(book, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Tables[0].Derived {
		if d.Ref == "F6" && len(d.Of) != 2 {
			t.Errorf("%s of %v", d.How, d.Of)
		}
	}
	if n := len(r.Tables[0].Derived); n != 12 {
		t.Errorf("%d numbers are computed", n)
	}
}

// TestRounded: a table of the numbers of another, rounded to tens or fives or in hundreds, is computed from it, whatever its sums miss, and loses what that withholds.
func TestRounded(t *testing.T) {
	t.Parallel()
	rows := [][]int{{1187, 2687, 330, 1819}, {138, 384, 46, 264}, {117, 257, 39, 156}, {315, 726, 98, 497}, {162, 362, 45, 238}, {259, 553, 76, 396}, {67, 140, 25, 112}, {129, 265, 1, 156}}
	names := strings.Fields("Total Beaulac Champfort Rivelle Lormont Guermont Vauclair Clairvaux")
	for _, c := range []struct{ by, times int }{{10, 10}, {5, 5}, {100, 1}} {
		exact, rounded := "Effectifs\n|T1|T2|T3|T4|Année\n|nombre|nombre|nombre|nombre|nombre\n", "Effectifs arrondis\n|T1|T2|T3|T4|Année\n"
		for i, row := range rows {
			sum := 0
			exact, rounded = exact+names[i], rounded+names[i]
			for _, v := range append(slices.Clone(row), 0) {
				if sum += v; v == 0 {
					v = sum
				}
				exact += fmt.Sprintf("|%d", v)
				rounded += fmt.Sprintf("|%d", (v+c.by/2)/c.by*c.times)
			}
			exact, rounded = exact+"\n", rounded+"\n"
		}
		book := sheetOf(exact)
		other := sheetOf(rounded).Grids[0]
		book.Grids[0].Sheet, other.Sheet = "A", "B"
		book.Grids = append(book.Grids, other)
		r, err := find(book, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(r.Tables); n != 1 || len(r.Tables[0].Derived) != 40 || r.Tables[0].Derived[0].How != asRounded {
			t.Errorf("by %d: %d tables, %v", c.by, n, r.Words())
		}
	}
}

// TestRoundedTwice: what was rounded to units before it is told in tens misses these by a twentieth of a unit at most.
func TestRoundedTwice(t *testing.T) {
	t.Parallel()
	f, l := formula{form: 'r', factor: 10}, &line{most: 251}
	for v, want := range map[float64]bool{185: true, 186: false, 193: false} {
		if _, ok := f.says(figureOf{v: v}, figureOf{v: 1852}, figureOf{}, l, 0.5); ok != want {
			t.Errorf("%g for 1852: %t", v, ok)
		}
	}
}

// TestMeanGrowth: the mean change a year over several years is computed from the first and the last of them.
func TestMeanGrowth(t *testing.T) {
	t.Parallel()
	text := "Cases\nDistrict|2019|2020|2021|2022|Average annual growth 2019-2022 (%)\n"
	for i, row := range [][4]int{{117, 112, 115, 134}, {17, 19, 18, 22}, {23, 31, 34, 28}, {59, 51, 54, 72}, {18, 11, 9, 12}} {
		text += fmt.Sprintf("%s|%d|%d|%d|%d|%.1f\n", []string{"All", "North", "South", "East", "West"}[i], row[0], row[1], row[2], row[3], 100*(math.Cbrt(float64(row[3])/float64(row[0]))-1))
	}
	r := openWords(t, strings.ReplaceAll(text, "|", ","), Options{})
	if n := len(r.Tables[0].Derived); n != 5 || r.Tables[0].Derived[1].How != asChange || len(r.Tables[0].Derived[1].Of) != 2 {
		t.Errorf("%d computed numbers: %v", n, r.Words())
	}
}

// TestListedByChance: of a list of ratios a few agree with a cell that has a label of theirs, by chance; none of them is a copy.
func TestListedByChance(t *testing.T) {
	t.Parallel()
	for _, list := range []string{"Adair|25\nBoone|0.69\nClay|0.25\nDover|-\nTotal|1.01", "Adair|25\nBoone|0\nClay|-\nDover|0\nTotal|1.01"} { // 0 agrees everywhere
		book := sheetOf("Cases\nArea|Men|Women|All\nAdair|25|7|32\nBoone|31|45|76\nClay|4|16|20\nDover|9|0|9\nTotal|69|68|137")
		ratios := sheetOf("Men / Women\n\n" + list).Grids[0]
		ratios.Sheet = "Ratios"
		book.Grids = append(book.Grids, ratios)
		r, err := find(book, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if account := (&Source{Reading: r, grids: book.Grids}).Account(nil); len(account.copies) > 0 {
			t.Errorf("%s: %d copies: %s", list, len(account.copies), account.Words())
		}
	}
}

// TestSharesOfTen: counts of which ten are all are a tenth of their shares, and no rounding of them.
func TestSharesOfTen(t *testing.T) {
	t.Parallel()
	b := sheetOf("Tabelle 1: Personen nach Ort und Stand\n(Anzahl)\n|Familienstand||||in Prozent\nOrt|ledig|verheiratet|Insgesamt||Ort|ledig|verheiratet|Insgesamt\n" +
		"Altdorf|3|3|6||Altdorf|30|30|60\nBergen|2|0|2||Bergen|20|0|20\nCelle|0|1|1||Celle|0|10|10\nDorfen|0|1|1||Dorfen|0|10|10\n|||||Insgesamt|50|50|100\nInsgesamt|5|5|10\n")
	r, err := find(b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range r.Tables {
		for _, d := range x.Derived {
			if d.How == asRounded {
				t.Fatalf("%s is a rounding: %v", d.Ref, r.Words())
			}
		}
	}
}
