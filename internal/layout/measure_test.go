package layout

import (
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// TestShareInRatio: a column of shares stays one where by chance a further column is a ratio of it: it tells of withheld cells, as a measure of its own would not.
func TestShareInRatio(t *testing.T) {
	t.Parallel()
	r := readText(t, `,Persons,,,,,,Per cent
Area,All,Single,Married,Widowed,Divorced,Unknown,Area,All,Single,Married,Widowed,Divorced,Unknown,Children,Children a person
North,22,3,9,2,–,8,North,100,14,41,9,0,36,0,-
South,15,1,2,–,3,9,South,100,7,13,0,20,60,6,2
All,37,4,11,2,3,17,All,100,11,30,5,8,46,12,4
`, Options{})
	shares := 0
	for _, d := range r.Tables[0].Derived {
		if d.How == asRowShare {
			shares++
		}
	}
	if shares != 18 {
		t.Errorf("%d shares, want 18", shares)
	}
}

// TestPerInRatio: a column that is so many per 100 of others is no measure of its own either, though the shares of one column are a ratio of it by chance.
func TestPerInRatio(t *testing.T) {
	t.Parallel()
	s, err := Open(strings.NewReader(`Area,Single,%,Married,%,Widowed,%,Divorced,%,Single per 100 Divorced
Adair,1,6.7 %,3,75.0 %,37,88.1 %,1,100.0 %,100.0
Boone,14,93.3 %,1,25.0 %,5,11.9 %,0,0.0 %,-
Total,15,100.0 %,4,100.0 %,42,100.0 %,1,100.0 %,1500.0
`), "f.csv", "", "", Options{})
	if err == nil {
		_, err = s.Input(formats.Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
	if of := s.Reading.Tables[0].Derived; len(of) != 15 || !slices.ContainsFunc(of, func(x Derived) bool { return x.Ref == "4:10" && x.How == asMeasure }) {
		t.Errorf("%v, want the last column to be of another measure", s.Reading.Words())
	}
}

// TestRatioBesidePart: a part that is told of one of two measures only is in the total of neither, so the other is no less a measure to be protected.
func TestRatioBesidePart(t *testing.T) {
	t.Parallel()
	b := sheetOf(`x
|Low|Low|Low|High|High|High|All|All|All
|Households|Persons|Per one|Households|Persons|Per one|Households|Persons|Per one
All|339|923|2.7|191|484|2.5|530|1407|2.7
Jaca|23|50|2.2|19|49|2.6|42|99|2.4
Calpe|33|93|2.8|29|85|2.9|62|178|2.9
Daimiel|23|64|2.8|11|25|2.3|34|89|2.6
South|79|207|2.6|59|159|2.7|138|366|2.7
Getxo|17|44|2.6|18|50|2.8|35|94|2.7
Lorca|243|672|2.8|114|275|2.4|357|947|2.7
West|260|716|2.8|132|325|2.5|392|1041|2.7
of which: foreign|65|||38|||103||
`)
	if r, err := find(b, Options{}); err == nil {
		for _, d := range r.Tables[0].Derived {
			if d.How == asMeasure {
				t.Fatalf("%s is taken for a number of another measure: %v", d.Ref, r.Words())
			}
		}
	}
}

// TestWholeShareRow: a row of shares that are whole by chance is one of shares, as the others of its name are, whatever that is.
func TestWholeShareRow(t *testing.T) {
	t.Parallel()
	r, err := find(sheetOf(`x
Comune|Totale|a|b|c|d
Tutti|107|2|22|54|29
Frazione|100|1.87|20.56|50.47|27.1
Alba|20|0|9|5|6
Frazione|100|0|45|25|30
Bra|10|2|2|3|3
Frazione|100|20|20|30|30
Carpi|17|0|5|11|1
Frazione|100|0|29.41|64.71|5.88
Desio|60|0|6|35|19
Frazione|100|0|10|58.33|31.67
`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if of := r.Tables[0]; len(of.Cells) != 25 || len(of.Derived) != 25 {
		t.Errorf("%d cells and %d computed numbers, want 25 of each: %v", len(of.Cells), len(of.Derived), r.Words())
	}
}
