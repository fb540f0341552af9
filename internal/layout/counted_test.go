package layout

import (
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// TestCountedAll: the answer offered for codes that may be measures names all of them, as one left out would be published where a single
// contributor makes it up. A name tells as much as many numbers, and a part of a total counts nothing.
func TestCountedAll(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"three measures", "Area;Holdings;Workers;Cattle\nNorth;3;9;40\nSouth;2;8;30\nEast;4;7;21\nWest;2;6;31\nHill;3;5;17\nDale;1;4;9\nAll;15;39;148\n", `--response "Workers,Cattle,Holdings" --freq Holdings`},
		{"few lines", "Alter;Unternehmen;Umsatz;Fläche\nunter 30;3;90;4\n30 bis 40;2;18;30\n40 bis 50;4;7;21\nZusammen;9;115;55\n", `--response "Umsatz,Fläche,Unternehmen" --freq Unternehmen`},
		{"more than one of the others", "Kind;Aston;Boxley;Cray\nTheft;3;9;4\nFraud;2;8;3\nArson;4;7;2\nRape;2;6;7\nRiot;3;5;8\nFire;1;4;2\nAll;15;39;26\n", `they are measures (--response, --freq); or they are classes without a total (--no-total Column)`},
		{"a day below the title", "Arbetsställen efter kommun\nPer 31 december 2023\n\nKommun,Män,Kvinnor,Totalt\nBoden,5,3,8\nEda,2,1,3\nHabo,4,0,4\nTotalt,11,4,15\n\nAnställda efter kommun\nKommun,Män,Kvinnor,Totalt\nBoden,51,33,84\nEda,22,14,36\nHabo,40,0,40\nTotalt,113,47,160\n", `--freq "Arbetsställen efter kommun"`},
		{"parts of totals", "Area;North;Cray;Dale;South;Ely;Fen\nBirths;9;4;5;11;6;5\nDeaths;7;3;4;12;5;7\nMoves;8;6;2;13;1;12\nWeddings;9;8;1;11;10;1\nParties;7;2;5;8;7;1\nVisits;8;3;5;9;3;6\nTrips;8;3;5;9;2;7\n", ""},
	} {
		s, err := Open(strings.NewReader(c.text), "f.csv", "", "", Options{})
		if err == nil {
			_, err = s.Input(formats.Options{})
		}
		var open *AmbiguityError
		if errors.As(err, &open); c.want == "" && err != nil && strings.Contains(err.Error(), "may count what makes up North") || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// TestCountedFew: a code whose numbers are all too large for a rule about few contributors is asked about only where a
// larger rule, a withheld number or a unit that may be a thousand leaves room for few.
func TestCountedFew(t *testing.T) {
	t.Parallel()
	text := func(least string) string {
		return "Kind;Aston;Boxley\nTheft;300;910\nFraud;220;815\nArson;410;722\nRape;275;633\nRiot;333;578\nFire;" + least + ";470\nAll;" + map[string]string{"180": "1718", "99": "1637", "x": "1720"}[least] + ";4128\n"
	}
	for _, c := range []struct {
		name, text string
		below      int64
		asked      bool
	}{
		{"large", text("180"), 0, false},
		{"as large as the rule", text("180"), 180, false},
		{"a larger rule", text("180"), 181, true},
		{"few", text("99"), 0, true},
		{"withheld", text("x"), 0, true},
		{"thousands", "Kind;Aston;Boxley\nTheft;0.3;9.1\nFraud;2.2;8.5\nArson;4.1;7.2\nRape;2.5;6.3\nRiot;3.3;5.8\nFire;1.8;4.7\nAll;14.2;41.6\n", 0, false},
		{"thousands, exactly", "Kind;Aston;Boxley\nTheft;0.003;9.100\nFraud;2.200;8.500\nArson;4.100;7.200\nRape;2.500;6.300\nRiot;3.300;5.800\nFire;1.800;4.700\nAll;13.903;41.600\n", 0, true},
	} {
		s, err := Open(strings.NewReader(c.text), "f.csv", "", "", Options{Below: c.below})
		if err != nil {
			t.Fatal(err)
		}
		if asked := len(s.Reading.Tables[0].doubts) > 0; asked != c.asked {
			t.Errorf("%s: asked %v, want %v: %v", c.name, asked, c.asked, s.Reading.Words())
		}
	}
}

// TestNumberedColumns: numbers below the header that count the columns, from the first of labels, are neither units nor codes.
func TestNumberedColumns(t *testing.T) {
	t.Parallel()
	r := openWords(t, "Deaths by cause, sex and age\nCause,Male,,,Female,,\n,0-39,40+,Total,0-39,40+,Total\n1,2,3,4,5,6,7\nHeart,3,40,43,2,50,52\nLungs,4,30,34,5,20,25\nAll,7,70,77,7,70,77\n", Options{})
	if got, want := forestOf(r.Tables[0]), "Cause: Heart<All Lungs<All All\nColumn: Male Female\nColumn 2: 0-39<Total 40+<Total Total"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestFewPlaces: a class that is empty but for one area has no ranks of the others, which have no place at all.
func TestFewPlaces(t *testing.T) {
	t.Parallel()
	text := "Area,Total,a,b,c\nAll,46,22,23,1\n"
	for i, row := range [][2]int{{0, 2}, {1, 0}, {2, 0}, {1, 3}, {3, 1}, {1, 4}, {4, 5}, {1, 0}, {3, 3}, {2, 5}} {
		text += fmt.Sprintf("%c,%d,%d,%d,0\n", 'A'+i, row[0]+row[1], row[0], row[1])
	}
	text += "Z,5,4,0,1\n"
	s, err := Open(strings.NewReader(text), "t.csv", "", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if table := s.Reading.Tables[0]; len(table.Cells) != 48 || len(table.Derived) > 0 {
		t.Errorf("%d cells and %d computed numbers, want 48 and none", len(table.Cells), len(table.Derived))
	}
}

// TestRanksOfPanels: places that begin anew in each panel are ranks, whatever they are called, as are those that go on through all.
func TestRanksOfPanels(t *testing.T) {
	t.Parallel()
	values := [3][5][2]int{{{14, 3}, {9, 2}, {31, 8}, {5, 1}, {22, 4}}, {{7, 9}, {21, 5}, {13, 12}, {2, 2}, {40, 3}}, {{11, 6}, {8, 33}, {17, 1}, {29, 7}, {3, 2}}}
	for _, through := range []bool{false, true} {
		text := "x\nArea|a|b|All|Puesto\n"
		for p, panel := range values {
			text += fmt.Sprintf("Panel %c\n", 'A'+p)
			var sum [2]int
			for i, v := range panel {
				place := 1
				for q, other := range values {
					for _, o := range other {
						if (through || q == p) && o[0]+o[1] > v[0]+v[1] {
							place++
						}
					}
				}
				text += fmt.Sprintf("%c|%d|%d|%d|%d\n", 'N'+i, v[0], v[1], v[0]+v[1], place)
				sum[0], sum[1] = sum[0]+v[0], sum[1]+v[1]
			}
			text += fmt.Sprintf("All|%d|%d|%d|\n", sum[0], sum[1], sum[0]+sum[1])
		}
		r, err := find(sheetOf(text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if table := r.Tables[0]; len(table.Cells) != 54 || len(table.Derived) != 15 {
			t.Errorf("%v: %d cells and %d ranks, want 54 and 15: %v", through, len(table.Cells), len(table.Derived), r.Words())
		}
	}
}

// TestRankDash: a dash beside the total is no place among ranks, and no number of the table.
func TestRankDash(t *testing.T) {
	t.Parallel()
	for _, rank := range []string{"Rank", "Miejsce", "Место", "Rangorde", "Posição", "位次", "Σειρά"} {
		r := openWords(t, "Area,Men,Women,Total,"+rank+"\nAll,40,34,74,-\nNorth,17,2,19,3\nSouth,11,11,22,2\nEast,5,4,9,4\nWest,7,17,24,1\n", Options{})
		if got, want := forestOf(r.Tables[0]), "Area: All North<All South<All East<All West<All\nColumn: Men<Total Women<Total Total"; got != want || len(r.Tables[0].Cells) != 15 {
			t.Errorf("%s: %s, %d cells\nwant\n%s", rank, got, len(r.Tables[0].Cells), want)
		}
	}
}

// TestCountedTrees: the parts of one total may count what the parts of another measure.
func TestCountedTrees(t *testing.T) {
	t.Parallel()
	text := "Item,Ash,Bow,Cam,Dee,Ely,Fen,Gil\nFarms,5,3,9,7,4,6,2\n  leased,2,1,4,3,1,2,1\n  owned,3,2,5,4,3,4,1\n"
	cattle := "Cattle,51,37,93,60,44,70,25\n  on leased land,20,11,41,25,9,22,12\n  on own land,31,26,52,35,35,48,13\n"
	for name, text := range map[string]string{"farms and cattle": text + cattle, "farms": text} {
		s, err := Open(strings.NewReader(text), "f.csv", "", "", Options{})
		if err == nil {
			_, err = s.Input(formats.Options{})
		}
		if asked := err != nil && strings.Contains(err.Error(), "may count what makes up"); asked != (name == "farms and cattle") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestQuoted: names with commas and quotes are told apart in the value of a flag that takes several.
func TestQuoted(t *testing.T) {
	t.Parallel()
	for want, names := range map[string][]string{
		`"A,B"`:                     {"A", "B"},
		`"A b,C"`:                   {"A b", "C"},
		`"\"Jobs, 2023\",Shops"`:    {"Jobs, 2023", "Shops"},
		`"\"a \"\"b\"\"\",C:\\x y"`: {`a "b"`, `C:\x y`},
	} {
		got := quoteNames(names)
		if got != want {
			t.Errorf("%q: %s, want %s", names, got, want)
		}
		if whole, err := strconv.Unquote(got); err == nil {
			got = whole
		}
		if back, err := csv.NewReader(strings.NewReader(got)).Read(); err != nil || !slices.Equal(back, names) {
			t.Errorf("%s is read as %q, %v", got, back, err)
		}
	}
}
