package layout

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/hitoku/hitoku/internal/i18n"
)

// openWords reads the text of a made-up file drawn after one that an office publishes.
func openWords(t *testing.T, text string, o Options) *Reading {
	t.Helper()
	s, err := Open(strings.NewReader(text), "t.csv", "", "", o)
	if err != nil {
		t.Fatal(err)
	}
	return s.Reading
}

// lines are messages, one below the other.
func lines(all []i18n.Text, between string) string {
	var b strings.Builder
	for k, t := range all {
		if k > 0 {
			b.WriteString(between)
		}
		b.WriteString(t.String())
	}
	return b.String()
}

// told is a line on each dimension of a table, and one on its sums.
func told(t *Table) string {
	var all []string
	for _, d := range t.describe()[1:] {
		all = append(all, strings.TrimSpace(d.String()))
	}
	return strings.Join(all, "\n")
}

// Years below those of an era stand in parentheses, where they are no negative numbers; columns
// and rows of shares, changes and ranks are no values.
func TestYearsInParentheses(t *testing.T) {
	t.Parallel()
	r := openWords(t, `表2-2　年齢層別けが人の推移,,,,,,
,,,,,,（各年3月末）
年,平成,平成,令和,,,
,29年,30年,元年,,,
年齢層,(2017),(2018),(2019),増減数,増減率,順位
15歳以下,12,17,13,-4,-23.5,3
16～24歳,25,31,29,-2,-6.5,2
25～64歳,141,120,133,13,10.8,1
合計,178,168,175,7,4.2,
65歳以上構成率,10.1,11.3,12.8,,,
`, Options{})
	if len(r.Tables) != 1 {
		t.Fatalf("%d tables: %v", len(r.Tables), r.Words())
	}
	if got, want := told(r.Tables[0]), "12 cells, 6:2 … 9:4; counts\n年齢層: 4 codes, depth 1, total 合計\n年次: 3 codes, periods, which do not add up\nsums: 3 right\nderived: 11 numbers, 6:5 … 9:6, differences"; got != want {
		t.Errorf("read\n%s\nwant\n%s", got, want)
	}
}

// Columns of numbers that are names go with the labels where rows would be the same without.
func TestNumbersAreNames(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("year,month,day_endofweek,statefips,claims,rate\n")
	for day := range 3 {
		for state := range 4 {
			fmt.Fprintf(&b, "2021,1,%d,%d,%d,0.%d\n", 9+7*day, 1+state, 310+17*day*state+state, 11+day+state)
		}
	}
	r := openWords(t, b.String(), Options{})
	if len(r.Tables) != 1 {
		t.Fatalf("%d tables", len(r.Tables))
	}
	if n := len(r.Tables[0].Cells); n != 24 && n != 12 {
		t.Errorf("%d cells: %s", n, lines(r.Words(), "\n"))
	}
	var names []string
	for _, d := range r.Tables[0].Dimensions {
		names = append(names, d.Name)
	}
	if !slices.Contains(names, "day_endofweek") || !slices.Contains(names, "statefips") {
		t.Errorf("dimensions %q", names)
	}

	// amounts are no names
	_, err := Open(strings.NewReader("area,sales,staff\nA,12,1\nA,13,2\nA,14,3\nB,15,4\n"), "t.csv", "", "", Options{})
	if want := "t.csv: A/sales in 3:2: the cell already stands in 2:2; give --range, --label-columns or a layout, or, if lines are single units and no cells, make the table with hitoku tabulate"; err == nil || err.Error() != want {
		t.Errorf("amounts: %v, want %s", err, want)
	}
}

// The 計 of several groups in one column of labels are rows of their own.
func TestRowsNumbered(t *testing.T) {
	t.Parallel()
	text := `県別の件数,,
地域,件数,負傷者
札幌,311,347
函館,25,39
計,336,386
青森,141,164
岩手,105,123
秋田,67,81
計,313,368
合計,649,754
`
	r := openWords(t, text, Options{})
	if got, want := told(r.Tables[0]), "16 cells, 3:2 … 10:3; counts\n地域: 8 codes, depth 2, total 合計\n県: 2 codes, no total\nsums: 6 right"; got != want {
		t.Errorf("read\n%s\nwant\n%s", got, want)
	}
	if len(r.Ambiguities) != 2 || r.Ambiguities[0].Readings[0].String() != `they are rows of their own, called "計 (2)"` || !strings.HasPrefix(r.Ambiguities[1].Question.String(), "県: 件数 may count") {
		t.Errorf("open: %+v", r.Ambiguities)
	}
	again := openWords(t, text, Options{From: r.Layout})
	if d := cmp.Diff(r.Tables, again.Tables, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(Table{}, Derived{})); d != "" {
		t.Errorf("by its layout (-found +read): %s", d)
	}
}

// A row without a label that is no total has none, by whatever number it is told from the total.
func TestNumberIsNoLabel(t *testing.T) {
	t.Parallel()
	table := openWords(t, "Area,State,North,South\nTotal,15,7,8\nSingle,6,2,4\nMarried,4,1,3\n,5,4,1\n", Options{}).Tables[0]
	if got, want := fmt.Sprint(table.unnamed), "[{0 Total (2)}]"; got != want {
		t.Errorf("without a label %s, want %s", got, want)
	}
}

// A table that cannot be read is left aside where others can.
func TestOneTableAside(t *testing.T) {
	t.Parallel()
	r := openWords(t, `Table 1
Area,men,women,all
North,12,13,25
South,31,17,48
Total,43,30,73



Table 2
Plot,Depth,Yield
x,3.5,4.5
x,3.6,4.7
x,3.5,4.4
y,3.5,4.5
`, Options{})
	if len(r.Tables) != 1 || len(r.Tables[0].Cells) != 9 {
		t.Fatalf("tables: %s", lines(r.Words(), "\n"))
	}
	if !slices.ContainsFunc(r.Aside, func(a Aside) bool { return strings.Contains(a.Why.String(), "stands in") }) {
		t.Errorf("left aside: %+v", r.Aside)
	}
}

// no. above several columns of values is what they count, not a code.
func TestNumberIsNoCode(t *testing.T) {
	t.Parallel()
	r := openWords(t, `Table 1 Replies by State,,,,,,
,Replies,,,,,
,Yes,,No,,Total,
,no.,%,no.,%,no.,%
New South Wales,2371,57.7,1736,42.3,4107,100
Victoria,2145,64.9,1161,35.1,3306,100
Tasmania,191,63.7,109,36.3,300,100
Australia,4707,61.0,3006,39.0,7713,100
`, Options{})
	if got, want := told(r.Tables[0]), "12 cells, 5:2 … 8:6; counts in no.\nState: 4 codes, depth 1, total Australia\nColumn: 3 codes, depth 1, total Total\nsums: 7 right\nderived: 12 numbers, 5:3 … 8:7, per cent of another column"; got != want {
		t.Errorf("read\n%s\nwant\n%s", got, want)
	}
}

// A computed number of a workbook has more decimals than are kept.
func TestLongNumber(t *testing.T) {
	t.Parallel()
	if got, ok := parseNumber("0.0952199581032184"); !ok || got != "0.095219958103218" {
		t.Errorf("read %q, %v", got, ok)
	}
	if _, ok := parseNumber("12345678901234567890.5"); ok {
		t.Error("a number of 20 digits is read")
	}
}

// SDMX-CSV 2.0 may name the separator of lists in its first field, and repeat keys.
func TestStructureWithSeparator(t *testing.T) {
	t.Parallel()
	r := openWords(t, `STRUCTURE[;],STRUCTURE_ID,ACTION,SERIES_KEY,OBS_KEY,AREA,SEX,TIME_PERIOD,OBS_VALUE,REMARK[]
dataflow,OFF:DF(1.0),I,N.M,N.M.2024,N,M,2024,12,a;b
dataflow,OFF:DF(1.0),I,N.F,N.F.2024,N,F,2024,15,
dataflow,OFF:DF(1.0),I,N._T,N._T.2024,N,_T,2024,27,
dataflow,OFF:DF(1.0),I,S.M,S.M.2024,S,M,2024,31,
dataflow,OFF:DF(1.0),I,S.F,S.F.2024,S,F,2024,38,
dataflow,OFF:DF(1.0),I,S._T,S._T.2024,S,_T,2024,69,
`, Options{})
	if got, want := r.File.Format+"\n"+told(r.Tables[0]), "sdmx-csv\n6 cells, 2:9 … 7:9; counts\nAREA: 2 codes, no total\nSEX: 3 codes, depth 1, total _T\nTIME_PERIOD: 1 code, a period\nsums: 2 right"; got != want {
		t.Errorf("read\n%s\nwant\n%s", got, want)
	}
}

// A column that counts the rows is no label, with or without a head: names that are numbers, and
// texts, tell the rows apart; a code for each row goes with its name.
func TestCountsOfRows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"without a head", `,Jahr,AlterVon,Geschlecht,Faelle
1,2019,0,m,13
2,2019,30,m,27
3,2019,0,w,12
4,2019,30,w,31
5,2020,0,m,17
6,2020,30,m,22
7,2020,0,w,15
8,2020,30,w,19
`, "Jahr: 2019 2020\nAlterVon: 0 30\nGeschlecht: m w"},
		{"with a head", `Nr.,Jahr,Alter,Jan,Feb,Summe
1,2019,Insgesamt,25,31,56
2,2019,0-30,12,14,26
3,2019,30 u. mehr,13,17,30
4,2020,Insgesamt,27,40,67
5,2020,0-30,16,19,35
6,2020,30 u. mehr,11,21,32
`, "Jahr: 2019 2020\nAlter: Insgesamt 0-30<Insgesamt 30 u. mehr<Insgesamt\nColumn: Jan<Summe Feb<Summe Summe"},
		{"weeks above columns", `Nr.,Jahr,Alter,Woche,,,,,,,,,
,,,1,2,3,4,5,6,7,8,9,10
1,2019,Insgesamt,25,31,56,40,41,36,37,30,29,51
2,2019,0-30,12,14,26,19,21,16,17,15,12,24
3,2019,30 u. mehr,13,17,30,21,20,20,20,15,17,27
4,2020,Insgesamt,44,33,29,57,30,49,34,39,43,38
5,2020,0-30,20,14,17,28,11,26,15,20,25,17
6,2020,30 u. mehr,24,19,12,29,19,23,19,19,18,21
`, "Jahr: 2019 2020\nAlter: Insgesamt 0-30<Insgesamt 30 u. mehr<Insgesamt\nColumn: 1 2 3 4 5 6 7 8 9 10"},
		{"a code for each row", `コード,都道府県,市区町村,人口,世帯数
01101,北海道,中央区,310,120
01102,北海道,北区,250,90
13101,東京都,中央区,170,80
13102,東京都,北区,350,140
`, "市区町村: 01101 01102 13101 13102\n表章項目: 人口 世帯数"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := openWords(t, c.text, Options{})
			if len(r.Tables) != 1 {
				t.Fatalf("%d tables: %v", len(r.Tables), r.Words())
			}
			if got := forestOf(r.Tables[0]); got != c.want {
				t.Errorf("read\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestCodesBehindTotal: the first page of a table has rows of the outer total alone, of which the codes are no numbers.
func TestCodesBehindTotal(t *testing.T) {
	t.Parallel()
	r := openWords(t, `,コード,地域,若年,高齢,計
総数,100,計,43,31,74
総数,101,北浜市,14,12,26

（続き）
,コード,地域,若年,高齢,計
総数,102,松原市,29,19,48
男,100,計,22,14,36
男,101,北浜市,8,3,11
男,102,松原市,14,11,25
女,100,計,21,17,38
女,101,北浜市,6,9,15
女,102,松原市,15,8,23
`, Options{})
	if got, want := len(r.Tables[0].Dimensions[0].Codes), 3; len(r.Tables) != 1 || got != want {
		t.Errorf("%d tables, %d codes, want %d: %v", len(r.Tables), got, want, r.Words())
	}
}

// A line of marks alone belongs to its table, and a piece of a table is none.
func TestPieces(t *testing.T) {
	t.Parallel()
	r := openWords(t, `;;Geschlecht;Geschlecht;Geschlecht
;;männlich;weiblich;Insgesamt
31.12.2019;0-29;11;14;25
31.12.2019;30-;12;19;31
31.12.2019;unbekannt;-;-;-
31.12.2019;Insgesamt;23;33;56
31.12.2020;0-29;15;10;25
31.12.2020;30-;17;20;37
31.12.2020;unbekannt;-;-;-
31.12.2020;Insgesamt;32;30;62
__________
© Amt (Musterland);2021
`, Options{})
	want := "Year: 31.12.2019 31.12.2020\nRow: 0-29<Insgesamt 30-<Insgesamt unbekannt<Insgesamt Insgesamt\nGeschlecht: männlich<Insgesamt weiblich<Insgesamt Insgesamt"
	if len(r.Tables) != 1 || forestOf(r.Tables[0]) != want {
		t.Errorf("%d tables, read\n%s\nwant\n%s", len(r.Tables), forestOf(r.Tables[0]), want)
	}
	_, err := Open(strings.NewReader(`State,Area,Population,Theft,Arson
Utah,Cities,310,12,7
,Counties,250,9,3
,All,560,21,10
Ohio,Cities,,,
Iowa,Cities,120,4,9
Iowa,Cities,140,3,8
Iowa,Cities,150,5,2
`), "t.csv", "", "", Options{})
	if err == nil || !strings.Contains(err.Error(), "stands in") {
		t.Errorf("a piece was read: %v", err)
	}
}

// TestHiddenRepeat looks at a hidden row that says a shown one again, one with another number, and one of another name.
func TestHiddenRepeat(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"South|4|0|4": 3, "South|5|0|5": 0, "Souther|4|0|4": 0} {
		g := sheetOf("Area|Men|Women|All\nSouth|4|0|4\nNorth|1|7|8\nWest|3|2|5\nTotal|8|9|17\n" + text).Grids[0]
		g.HiddenRows = map[int]bool{5: true}
		s := &surveyor{found: map[fieldAt]*computed{}}
		n := numbersOf(g, &numberStyle{Decimal: '.'})
		n.found = s.found
		if s.hidden(n); len(s.found) != want {
			t.Errorf("%s: %d numbers that repeat others, want %d", text, len(s.found), want)
		}
	}
}

// TestHiddenAlike: a hidden row that has the numbers of another repeats it where its label does, or it has none.
func TestHiddenAlike(t *testing.T) {
	t.Parallel()
	for label, want := range map[string]bool{"South": true, "Souther": false, "": true} {
		g := sheetOf("Area|Men|Women|All\nSouth|4|0|4\nNorth|1|7|8\n" + label + "|4|0|4\nTotal|8|9|17").Grids[0]
		g.HiddenRows = map[int]bool{3: true}
		r := &Reading{}
		_, found := r.survey([]*Grid{g}, &Options{}, func(*Grid) *numberStyle { return &numberStyle{Decimal: '.'} })
		if got := slices.ContainsFunc(found, func(f *computed) bool { return f.at.r == 3 }); got != want {
			t.Errorf("%q repeats the row of South: %v", label, got)
		}
	}
}

// TestHiddenBesideShares: a hidden row that repeats another does so in the table of shares beside it, whose labels are those of the rows.
func TestHiddenBesideShares(t *testing.T) {
	t.Parallel()
	g := sheetOf("|||||in %\nArea|Single|Widowed|All|Area|Single|Widowed|All\nTotal|32|9|41|Total|100|100|100\nAdair|3|9|12|Adair|9.38|100|29.27\nBoone|29|0|29|Boone|90.63|0|70.73\n\nAdair|3|9|12|Adair|9.38|100|29.27").Grids[0]
	g.HiddenRows = map[int]bool{6: true}
	r := &Reading{}
	_, found := r.survey([]*Grid{g}, &Options{}, func(*Grid) *numberStyle { return &numberStyle{Decimal: '.'} })
	if !slices.ContainsFunc(found, func(f *computed) bool { return f.at.r == 4 && f.at.c == 6 && f.has(fieldAt{g.Sheet, 4, 2}) }) {
		t.Errorf("no share of Boone: %v", found)
	}
}

// TestGroupsCalledAlike reads two groups of rows of one name, as two districts of a country may have: the second is numbered.
func TestGroupsCalledAlike(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("District,Sex,Young,Old,All\n")
	for i, group := range []string{"Adair", "Boone", "Clay", "Boone", "Elk"} {
		for k, sex := range []string{"Men", "Women", "Both"} {
			v := [2]int{11 + 7*i, 5 + 3*i}
			w := [2]int{4 + 2*i, 19 + 5*i}
			x := [][2]int{v, w, {v[0] + w[0], v[1] + w[1]}}[k]
			fmt.Fprintf(&b, "%s,%s,%d,%d,%d\n", group, sex, x[0], x[1], x[0]+x[1])
		}
	}
	r := openWords(t, b.String(), Options{})
	if got := lines(r.Words(), "\n"); len(r.Tables) != 1 || len(r.Tables[0].Cells) != 45 || !strings.Contains(got, "Boone (2)") {
		t.Errorf("%d tables: %s", len(r.Tables), got)
	}
}

// TestTotalsCalledAlike: the totals of groups that have one name are codes of their own, in rows within others and in columns.
func TestTotalsCalledAlike(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"rows":    {"Sex,Area,All,Young,Old\nMen,A,41,20,21\nMen,B,56,25,31\nMen,Together,97,45,52\nMen,C,42,30,12\nMen,D,14,9,5\nMen,Together,56,39,17\nWomen,A,40,19,21\nWomen,B,57,27,30\nWomen,Together,97,46,51\nWomen,C,43,30,13\nWomen,D,18,11,7\nWomen,Together,61,41,20\n", "Area"},
		"columns": {"Age,A,B,Together,C,D,Together,E,All\nYoung,20,25,45,30,9,39,7,91\nOld,21,31,52,12,5,17,9,78\nBoth,41,56,97,42,14,56,16,169\n", "Column"},
	} {
		s, err := Open(strings.NewReader(c.text), "t.csv", "", "", Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := lines(s.Reading.Words(), "\n"); !strings.Contains(got, "Together (2)") || strings.Contains(got, "no reading fits") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestCodesAbove: whole numbers over all labels of a header are codes, not data; over flags they are data.
func TestCodesAbove(t *testing.T) {
	t.Parallel()
	for text, cells := range map[string]int{
		"Table 1. Persons\n,Code,100,101,102\n,Area,All,Adair,Boone\n1 to 4,Men,6,2,4\n1 to 4,Women,7,3,4\nAll,Men,6,2,4\nAll,Women,7,3,4\n": 12,
		"Age,All,Adair,Boone\nYoung,100,101,201\n,e,u,b\nOld,7,3,10\n,e,,b\nBoth,107,104,211\n":                                              9,
	} {
		s, err := Open(strings.NewReader(text), "t.csv", "", "", Options{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		n := 0
		for _, table := range s.Reading.Tables {
			n += len(table.Cells)
		}
		if n != cells {
			t.Errorf("%s: want %d cells: %v", text, cells, s.Reading.Words())
		}
	}
}

// TestTwice: columns with the labels of others are asked about, as a table of its own where labels stand before them, else as of another measure.
func TestTwice(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Area,Adair,Boone,All,Table 2. Accidents,,Single,All\nSingle,3,2,5,Accidents,,32,4\nMarried,4,1,5,,,,\n": "2:4 and 2:8 have the same labels: the table A1:D3 alone (--range A1:D3); or the table E1:H3 alone (--range E1:H3)",
		"Area,Persons,Children,Children\nAdair,12,5,17\nBoone,9,4,31\nAll,21,9,11\n":                             "(--derived 4); or 3, 4 is a measure of its own, whose numbers go where they may tell (--derived 3 --derived 4)",
	} {
		_, err := Open(strings.NewReader(text), "t.csv", "", "", Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestYearsBesideLabels: numbers that are all years and come again are labels, whatever heads them; counts that are years once are not.
func TestYearsBesideLabels(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"x\ngemeente|jaar|laag|hoog|Totaal\nAlmen|2012|5|7|12\n|2013|6|9|15\nBunnik|2012|3|8|11\n|2013|1|2|3\nTotaal|2012|8|15|23\n|2013|7|11|18\n": 18,
		"x\ngemeente|laag|hoog|Totaal\nAlmen|2012|5|2017\nBunnik|1950|9|1959\nTotaal|3962|14|3976\n":                                                9,
	} {
		r, err := find(sheetOf(text), Options{})
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if got := len(r.Tables[0].Cells); got != want {
			t.Errorf("%q: %d cells, want %d: %v", text, got, want, r.Words())
		}
	}
}

// TestYearsOfPageBeside: the years beside the labels of a page at the right are labels of its rows, not a copy of the first page's.
func TestYearsOfPageBeside(t *testing.T) {
	t.Parallel()
	r, err := find(sheetOf("|Nr.|100|101|102|||continued||Nr.|103\n|Ort|Adair|Boone|Clay|||||Ort|Total\n"+
		"Theft|2018|132|248|148||||Theft|2018|528\n|2019|251|3|65|||||2019|319\nFraud|2018|215|106|1||||Fraud|2018|322\n|2019|250|274|2|||||2019|526\n"+
		"Total|2018|347|354|149||||Total|2018|850\n|2019|501|277|67|||||2019|845"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, x := range r.Tables {
		n += len(x.Cells)
	}
	if n != 24 {
		t.Errorf("%d cells\n%v", n, r.Words())
	}
}

// TestYearOfMonths: the column of the year beside its months is their sum, and no name of the rows, which have the same labels else.
func TestYearOfMonths(t *testing.T) {
	t.Parallel()
	b := sheetOf("|Ort|Jahr|Januar|Februar|März\nInsgesamt|öffentlich|44|13|16|15\n|privat|81|25|28|28\n|Zusammen|125|38|44|43\n" +
		"  Altdorf|öffentlich|13|6|4|3\n|privat|20|11|7|2\n|Zusammen|33|17|11|5\n  Bergen|öffentlich|11|3|7|1\n" +
		"|privat|11|1|1|9\n|Zusammen|22|4|8|10\n Insgesamt|öffentlich|24|9|11|4\n|privat|31|12|8|11\n" +
		"|Zusammen|55|21|19|15\n  Celle|öffentlich|10|3|3|4\n|privat|22|8|8|6\n|Zusammen|32|11|11|10\n" +
		"  Dorfen|öffentlich|10|1|2|7\n|privat|28|5|12|11\n|Zusammen|38|6|14|18\n Insgesamt|öffentlich|20|4|5|11\n" +
		"|privat|50|13|20|17\n|Zusammen|70|17|25|28\n")
	r, err := find(b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range r.Tables {
		for i := range x.Cells {
			if x.Cells[i].Ref == "C5" {
				return
			}
		}
	}
	t.Errorf("C5 is no cell: %v", r.Words())
}

// TestYearOfRoundedMonths: likewise where all numbers are rounded to tens, and sums miss by that.
func TestYearOfRoundedMonths(t *testing.T) {
	t.Parallel()
	b := sheetOf("Ort|Jahr 2020|Januar|Februar|März\nNord|||\nAltdorf|11340|470|1990|8890\nBergen|11350|2060|0|9280\n" +
		"Zusammen|22690|2530|1990|18170\nSüd|||\nCelle|10080|610|1820|7650\nDorfen|16070|0|2700|13380\n" +
		"Zusammen|26150|610|4510|21030\nInsgesamt|48830|3140|6500|39190\n")
	r, err := find(b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(r.Tables[0].Dimensions[1].Codes); n != 4 {
		t.Errorf("%d columns: %v", n, r.Words())
	}
}

// TestYearOfThousandMonths: a year is the sum of its months also where all of them are rounded, although no other period is.
func TestYearOfThousandMonths(t *testing.T) {
	t.Parallel()
	r, err := find(sheetOf("地域|１月|２月|３月|４月|５月|６月|７月|８月|９月|10月|11月|12月|令和２年\n計|128|74|92|85|61|136|96|65|55|66|106|136|1099\n北浜市|27|2|2|32|1|27|7|20|13|38|4|24|197\n"+
		"松原市|20|23|36|5|20|18|11|7|21|3|33|34|229\n東丘市|24|17|31|35|3|37|16|3|19|1|33|20|238\n南川市|38|32|14|3|18|33|29|21|1|22|31|27|268\n西谷町|18|0|9|10|19|22|34|14|1|2|6|32|166"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := r.Tables[0].Dimensions[1]; d.Role != ofClassification || d.Codes[0].Parent == nil {
		t.Errorf("%v", r.Words())
	}
}
