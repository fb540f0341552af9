package layout

import (
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
	if err == nil || !strings.Contains(err.Error(), `--derived "Single per 100 Divorced"`) {
		t.Errorf("%v, want a question about the last column", err)
	}
}
