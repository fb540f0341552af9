package layout

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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

// told is a line on each dimension of a table, and one on its sums.
func told(t *Table) string {
	var all []string
	for _, d := range t.describe()[1:] {
		all = append(all, strings.TrimSpace(d))
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
		t.Fatalf("%d tables: %s", len(r.Tables), strings.Join(r.Words(), "\n"))
	}
	if got, want := told(r.Tables[0]), "12 cells, 6:2 … 9:4; counts\n年齢層: 4 codes, depth 1, total 合計\n年次: 3 codes, periods, which do not add up\nsums: 3 right"; got != want {
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
		t.Errorf("%d cells: %s", n, strings.Join(r.Words(), "\n"))
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
	if want := "t.csv: A/sales in 3:2: stands in 2:2, too; give --range, --label-columns or a layout, or, if lines are single units and no cells, make the table with hitoku tabulate"; err == nil || err.Error() != want {
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
	if len(r.Ambiguities) != 1 || r.Ambiguities[0].Readings[0] != `they are rows of their own, called "計 (2)"` {
		t.Errorf("open: %+v", r.Ambiguities)
	}
	again := openWords(t, text, Options{From: r.Layout})
	if d := cmp.Diff(r.Tables, again.Tables, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(Table{})); d != "" {
		t.Errorf("by its layout (-found +read): %s", d)
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
		t.Fatalf("tables: %s", strings.Join(r.Words(), "\n"))
	}
	if !slices.ContainsFunc(r.Aside, func(a Aside) bool { return strings.Contains(a.Why, "stands in") }) {
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
	if got, want := told(r.Tables[0]), "12 cells, 5:2 … 8:6; counts in no.\nState: 4 codes, depth 1, total Australia\nColumn: 3 codes, depth 1, total Total\nsums: 7 right\nderived: 8 numbers, 5:3 … 8:5, per cent of another column"; got != want {
		t.Errorf("read\n%s\nwant\n%s", got, want)
	}
}

// A computed number of a workbook has more decimals than are kept.
func TestLongNumber(t *testing.T) {
	t.Parallel()
	if got, ok := Number("0.0952199581032184"); !ok || got != "0.095219958103218" {
		t.Errorf("read %q, %v", got, ok)
	}
	if _, ok := Number("12345678901234567890.5"); ok {
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
