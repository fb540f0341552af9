package layout

import (
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// A balance of two columns is in a sum though few numbers speak for it, and nothing beside it is below 0.
func TestBalance(t *testing.T) {
	t.Parallel()
	s, err := Open(strings.NewReader("Area,2019,2020,2021,Balance\nAdair,0,2,0,0\nBoone,0,2,2,-2\nClay,1,1,2,-1\nTotal,1,5,4,-3\n"), "t.csv", "", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	tab := s.Reading.Tables[0]
	if !slices.ContainsFunc(tab.Relations, func(x Relation) bool { return x.Total == "2019" && len(x.Parts) == 2 }) {
		t.Errorf("2019 is not the sum of 2021 and the balance: %v", tab.Relations)
	}
	in, err := s.Input(formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range in.Table.Value {
		if v > 0 && in.Table.Lower[i] < 0 {
			t.Errorf("%d may be below 0", v)
		}
	}
}

// Where more speaks for it, it is computed from the two.
func TestBalanceDerived(t *testing.T) {
	t.Parallel()
	r := openWords(t, "地域,未婚,有配偶,総数,差引\n北浜市,1,3,4,-2\n松原市,-,-,-,0\n東丘市,1,5,6,-4\n計,2,8,10,-6\n", Options{})
	if n := len(r.Tables[0].Derived); n != 4 {
		t.Errorf("%d numbers are computed: %v", n, r.Tables[0].Derived)
	}
}
