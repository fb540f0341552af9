package layout

import "testing"

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
