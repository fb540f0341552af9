package table

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// TestPublishTwins asks that two tables which differ in what is withheld alone, its decimals included, make the same publication.
func TestPublishTwins(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		codes := []string{"a", "b", "c"}
		dim, err := FlatDimension("d", "Total", codes)
		if err != nil {
			t.Fatal(err)
		}
		total := rapid.Int64Range(0, 9).Draw(t, "total")
		drawn := func(label string) *Table {
			rec := []Record{{Codes: []string{"Total"}, Value: Num(10*total, 1), Freq: Num(5, 0)}}
			left := 10 * total
			for k, c := range codes {
				v := rapid.Int64Range(0, left).Draw(t, label)
				if k == len(codes)-1 {
					v = left
				}
				left -= v
				rec = append(rec, Record{Codes: []string{c}, Value: Num(v, 1), Freq: Num(rapid.Int64Range(0, 9).Draw(t, label+"'s contributors"), 0), Max: []Number{Num(v, 1)}})
			}
			tab, _, err := BuildFrom("t", []Dimension{dim}, len(rec), func(i int) *Record { return &rec[i] }, false, true)
			if err != nil {
				t.Fatal(err)
			}
			if rapid.Bool().Draw(t, "rounded") {
				tab.Rounding = []int64{10, 10, 10, 10}
				for i := range tab.Len() {
					if i > 0 && rapid.Bool().Draw(t, label+" is nothing") {
						tab.Rounding[i] = 0
					}
				}
				tab.Rel.RHS[0] += rapid.Int64Range(-9, 9).Draw(t, label+" lacks")
			}
			return tab
		}
		one, other := drawn("one"), drawn("other")
		if one.Rounded() != other.Rounded() {
			return
		}
		withheld := make([]bool, one.Len())
		for i := range withheld {
			withheld[i] = one.CellName(i) != "Total"
		}
		a, b := Publish(one, withheld, Intruder{}), Publish(other, withheld, Intruder{})
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("two tables with one publication: %+v and %+v", a.Table(), b.Table())
		}
		if a.Table().Decimals != 0 {
			t.Fatalf("%d decimals, and what is published has none", a.Table().Decimals)
		}
	})
}
