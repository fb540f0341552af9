package layout

import (
	"slices"
	"strings"
	"testing"
)

// Numbers that all have their unit behind them are read, whatever the word; those of a part without a table are unknown, as numbers without units are.
func TestUnited(t *testing.T) {
	for name, tc := range map[string]struct {
		text           string
		cells, unknown int
	}{
		"all":         {"Kreis,Alter A,Alter B,Alle\nAdorf,4 Kühe,9 Kühe,13 Kühe\nBerg,2 Kühe,7 Kühe,9 Kühe\nZusammen,6 Kühe,16 Kühe,22 Kühe", 9, 0},
		"beside rank": {"County,Under 15,15 and over,All,Rank\nAdams,4 persons,9 persons,13 persons,2\nBaker,2 persons,7 persons,9 persons,3\nClark,9 persons,8 persons,17 persons,1\nTotal,15 persons,24 persons,39 persons,", 12, 0},
		"with flags":  {"County,Establishments,Employees\nAll areas,35 persons,54 persons\nPolk,9 r,15 persons\nHayes,26 persons,39 r", 6, 0},
		"over flags":  {"Status,Adair,Boone,Clay,Total\nSingle,0 persons,0 persons,10 persons,10 persons,p\n,e,,,\nMarried,20,40,30,90\n,,e,b,\nTotal,20,40,40,100\n", 12, 0},
		"list beside": {"Kreis,A,B,Alle\nAdorf,4,9,13\nBerg,2,7,9\nZusammen,6,16,22\n\nBestand\nAdorf,2 Kühe\nBerg,7 Kühe\nMoor,8 Kühe", 9, 3},
		"classes":     {"世帯,1人,2人,3人,計\nA,5人,3人,2人,10人\nB,1人,7人,4人,12人\n計,6人,10人,6人,22人", 12, 0},
		"one row":     {"地域,北浜市,松原市,東丘市,総数\n未婚,1人,-,-,1人\n有配偶,3,1,8,12\n死別,-,1,8,9", 12, 0},
		"rounded row": {"地域,総数,北浜市,松原市,東丘市\n総数,5750人,2480人,280人,2980人\n未婚,480,470,-,10\n有配偶,1740,860,-,880\n死別,3530,1150,280,2100", 16, 0},
		"one note":    {"Kreis,A,B,Alle\nAdorf,4,9,13\nBerg,2,7,9\nZusammen,6,16,22\n\nStand,31 Dezember", 9, 0},
	} {
		s, err := Open(strings.NewReader(tc.text), "t.csv", "", "", Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		n := 0
		for _, table := range s.Reading.Tables {
			n += len(slices.DeleteFunc(slices.Clone(table.Cells), func(c Cell) bool { return c.Value == nil }))
		}
		if a := s.Account(nil); n != tc.cells || len(a.Unknown) != tc.unknown {
			t.Errorf("%s: %d cells and unknown %v, want %d and %d", name, n, a.Unknown, tc.cells, tc.unknown)
		}
	}
}
