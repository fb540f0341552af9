package layout

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// TestRoundedWholes reads whole numbers whose sums miss: rounded where all are tens, or where some parts are more and some less than their totals, and asked about where one
// wrong number or what is left out explains it as well.
func TestRoundedWholes(t *testing.T) {
	t.Parallel()
	const head = "Area,Single,Married,Widowed,Total\n"
	for _, c := range []struct {
		name, text, want string
		derived          int
	}{
		{"tens", head + "Total,4320,7120,980,12430\nAdair,1040,2260,310,3610\nBoone,1530,2410,290,4230\nClay,1760,2450,380,4580\n", "", 0},
		{"tens with shares of what they were", "Area,Single,%,Married,%,Widowed,%,Total,%\nTotal,430,100.0,710,100.0,100,100.0,1250,100.0\nAdair,100,24.1,230,31.8,30,31.6,360,29.1\nBoone,150,35.4,240,33.8,30,29.6,420,34.0\nClay,180,40.7,250,34.4,40,38.8,460,36.9\n", "", 16},
		{"wholes", head + "Total,4321,7118,983,12422\nAdair,1042,2261,311,3614\nBoone,1530,2413,290,4234\nClay,1748,2445,381,4574\n", "", 0},
		{"one wrong number", head + "Total,4320,7119,982,12421\nAdair,1042,2261,311,3614\nBoone,1531,2413,290,4233\nClay,1748,2445,381,4574\n", "--tolerance 1", 0},
		{"something is left out", head + "Total,4321,7120,983,12424\nAdair,1042,2261,311,3614\nBoone,1530,2413,290,4234\nClay,1748,2445,381,4575\n", "--tolerance 1", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := Open(strings.NewReader(c.text), "t.csv", "", "", Options{})
			if err == nil {
				_, err = s.Input(formats.Options{})
			}
			var ask *AmbiguityError
			if c.want != "" {
				if !errors.As(err, &ask) || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, want %q", err, c.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if of := s.Reading.Tables[0]; len(of.Cells) != 16 || len(of.Derived) != c.derived || !strings.Contains(fmt.Sprint(s.Reading.Words()), "give or take rounding") {
				t.Errorf("%d cells and %d computed numbers: %v", len(of.Cells), len(of.Derived), s.Reading.Words())
			}
		})
	}
}

// TestRoundedBase: a number that was next to 0 before it was rounded, or a share with decimals, lets no sheet of values pass for shares of
// another sheet with the same labels.
func TestRoundedBase(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sheets []string
		want   int
	}{
		"numbers of two measures": {[]string{
			"Table 1\nnombre\nCommune|1 à 4|%|5 à 9|%|10 à 19|%|20 à 49|%|Ensemble|%\nAubigny|61|1.14|631|11.85|713|13.39|5|0.1|1411|26.48\nBelmont|2|0.03|279|5.23|608|11.42|875|16.42|1764|33.1\nDompierre|765|14.35|1|0.01|675|12.68|713|13.38|2153|40.42\nEnsemble|827|15.53|910|17.09|1997|37.48|1593|29.9|5328|100",
			"Table 1\neuros\nCommune|1 à 4|%|5 à 9|%|10 à 19|%|20 à 49|%|Ensemble|%\nAubigny|2196|0.99|13911|6.28|10710|4.83|100|0.05|26917|12.15\nBelmont|133|0.06|9489|4.28|6097|2.75|61253|27.65|76972|34.74\nDompierre|56618|25.56|33|0.01|18928|8.54|42074|18.99|117653|53.11\nEnsemble|58947|26.61|23433|10.58|35735|16.13|103427|46.69|221542|100",
		}, 40},
		"years": {[]string{
			"Area|Total|%|Under 20|%|20-34|%|35-49|%\nTotal|186340|100.00 %|54330|29.15 %|300|0.16 %|131710|70.69 %\nAdair|42940|23.04 %|0|0.00 %|0|0.00 %|42940|23.04 %\nBoone|53510|28.71 %|0|0.00 %|0|0.00 %|53510|28.71 %\nClay|89890|48.24 %|54330|29.15 %|300|0.16 %|35270|18.92 %",
			"Area|Total|%|Under 20|%|20-34|%|35-49|%\nTotal|207960|100.00 %|86140|41.42 %|57150|27.48 %|64670|31.10 %\nAdair|68450|32.91 %|0|0.00 %|54740|26.32 %|13710|6.59 %\nBoone|88850|42.72 %|52510|25.25 %|0|0.00 %|36340|17.47 %\nClay|50660|24.36 %|33630|16.17 %|2410|1.16 %|14620|7.03 %",
		}, 32},
	} {
		book := sheetOf(c.sheets[0])
		other := sheetOf(c.sheets[1]).Grids[0]
		book.Grids[0].Sheet, other.Sheet = "2018", "2021"
		book.Grids = append(book.Grids, other)
		r, err := find(book, Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if n := len(r.Tables); n != 1 || len(r.Tables[0].Cells) != c.want {
			t.Errorf("%s: %d tables\n%v", name, n, r.Words())
		}
	}
}

// TestRatesOfRounded: rates that were computed before deaths and population were rounded to thousands are known to be computed from them, as
// the sums show how they are rounded.
func TestRatesOfRounded(t *testing.T) {
	t.Parallel()
	r, err := find(sheetOf(`Table 1. Persons by area
|1 to 4|||5 to 9|||10 to 19|||20 to 49|||Grand total
Area|Deaths|Population|per 1,000|Deaths|Population|per 1,000|Deaths|Population|per 1,000|Deaths|Population|per 1,000|Deaths|Population|per 1,000
Adair ........|16|2436|6.6|3|901|3.4|36|2636|13.8|36|2960|12.2|92|8933|10.3
Boone ........|19|2746|6.9|15|870|17.7|23|3149|7.3|2|327|6.1|59|7092|8.3
Clay ........|27|1912|13.9|15|2023|7.6|17|1083|16.0|29|311|93.6|88|5329|16.6
North ..........|62|7094|8.7|34|3794|8.9|77|6868|11.1|67|3598|18.7|239|21354|11.2
Dover ........|34|378|90.5|2|2500|0.8|8|390|19.2|27|1479|18.1|70|4747|14.8
Elk ........|2|2150|0.9|20|617|32.3|21|1286|16.3|18|295|61.7|61|4348|14.0
South ..........|36|2528|14.3|22|3117|7.0|28|1676|16.9|45|1774|25.3|131|9095|14.4
Utopia ............|98|9622|10.2|56|6911|8.1|105|8544|12.3|112|5372|20.9|371|30449|12.2`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Tables) != 1 || len(r.Tables[0].Cells) != 80 || len(r.Tables[0].Derived) != 40 || len(r.Tables[0].refused) > 0 {
		t.Errorf("%d tables\n%v", len(r.Tables), r.Words())
	}
}

// TestRoundedColumnIsNoMeasure: a column whose parts were rounded to 0 misses its total by what rounding explains, and is no measure of its own.
func TestRoundedColumnIsNoMeasure(t *testing.T) {
	t.Parallel()
	r, err := find(sheetOf("Table 1. Persons by area and status\nArea|Jan|%|Feb|%|Mar|%|Apr|%|May|%|Jun|%|Jul|%|Aug|%|Sep|%|Oct|%|Nov|%|Dec|%|Total 2020|%\n"+
		"Both|1400|16.2|1410|16.4|540|6.2|1270|14.7|190|2.2|470|5.4|800|9.2|850|9.8|400|4.7|500|5.8|10|0.1|790|9.1|8630|100.0\n"+
		"Adair|810|23.2|550|15.8|300|8.6|560|16.2|190|5.5|0|0.0|360|10.5|400|11.5|60|1.7|0|0.0|0|0.0|240|7.0|3470|100.0\n"+
		"Boone|140|5.2|860|33.2|0|0.1|700|27.0|0|0.0|0|0.1|100|3.7|90|3.3|340|13.2|340|13.1|0|0.1|30|1.0|2600|100.0\n"+
		"Clay|460|18.1|0|0.1|240|9.3|0|0.1|0|0.0|470|18.2|340|13.2|360|14.2|0|0.1|160|6.4|0|0.1|520|20.3|2560|100.0"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Tables) != 1 || len(r.Tables[0].Cells) != 52 {
		t.Errorf("%v", r.Words())
	}
}

// TestSharesAreNoLabels: shares taken for labels would make a table of its own of what stands beside them, without the sums that tie it to the rest.
func TestSharesAreNoLabels(t *testing.T) {
	t.Parallel()
	for labels, want := range map[string]bool{"1|0.45454545454545453|0.2222222222222222 (2)": true, "1.1|1.2|1.25": false, "Total|Adair|0.5555": false} {
		d := &draft{dims: []draftDim{{}}}
		for _, label := range strings.Split(labels, "|") {
			d.dims[0].items = append(d.dims[0].items, entry{label: label})
		}
		if err := d.labelledByShares("x.csv"); (err != nil) != want {
			t.Errorf("%s: %v", labels, err)
		}
	}
}

// TestDerivedOnSheets: a column that is said to be computed is computed from the cells of its own sheet, not from those at the same place on another.
func TestDerivedOnSheets(t *testing.T) {
	t.Parallel()
	book := sheetOf("Table 1\nAge|2018|2019|Index\nAll|28|39|3\nYoung|15|18|5\nOld|13|21|7")
	other := sheetOf("Table 1\nAge|2018|2019|Index\nAll|11|17|1\nYoung|8|11|2\nOld|3|6|4").Grids[0]
	book.Grids[0].Sheet, other.Sheet = "Adair", "Boone"
	book.Grids = append(book.Grids, other)
	r, err := find(book, Options{Derived: []string{"Index"}})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, table := range r.Tables {
		for _, d := range table.Derived {
			if n++; slices.ContainsFunc(d.Of, func(codes []string) bool { return !slices.Contains(codes, nameOfSheet(d.Sheet)) }) {
				t.Errorf("%s %s is computed from %v", nameOfSheet(d.Sheet), d.Ref, d.Of)
			}
		}
	}
	if n != 6 {
		t.Errorf("%d numbers are computed, want 6: %v", n, r.Words())
	}
}

// TestNarrow: a change of numbers that were rounded later tells of the cells in a sum with them; one of exact numbers does not.
func TestNarrow(t *testing.T) {
	t.Parallel()
	for second, want := range map[string]int{"2020,150,40,50,30,29": 10, "2020,149,40,50,30,29": 2} {
		r := openWords(t, "Year,All,A,B,C,D\n2019,100,20,31,39,10\n"+second+"\n2021,211,61,70,50,30\nChange,61,21,20,20,1\n", Options{Tolerance: "1"})
		var n int
		for _, d := range r.Tables[0].Derived {
			if d.Ref == "5:3" {
				n = len(d.Of)
			}
		}
		if n != want {
			t.Errorf("%s: the change of A tells of %d cells, want %d: %v", second, n, want, r.Tables[0].Derived)
		}
	}
}
