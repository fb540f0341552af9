package layout

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// TestHeaderAgain: a header that stands again on the next page without what was added at its right is completed, where it repeats the rest.
func TestHeaderAgain(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		text   string
		tables int
	}{
		"shorter": {"Area,Single,Married,Total,People\nAdair,12,30,42,901\nBoone,7,9,16,333\n,,,,\nArea,Single,Married,Total,\nClay,3,4,7,77\nTotal,22,43,65,1311\n", 1},
		"flags":   {"Area,Single,Flag,Total,Flag,Rank\nAdair,12,p,42,,1\nBoone,7,,16,,2\n,,,,,\nArea,Single,Flag,Total,Flag,\nClay,3,,7,,3\nDover,2,,5,,4\n", 1},
		"months":  {"Area,１月,２月,３月,People\nAdair,12,30,42,901\nBoone,7,9,16,333\n,,,,\nArea,１月,２月,３月,\nClay,3,4,7,77\nDover,2,4,5,65\n", 1},
		"a mark":  {"Area,Single,Married,Total,People,Growth\nAdair,12,30,42,901,5\nBoone,7,9,16,333,2\n,,,,,\nArea,Single,Married,Total,,\nClay,3,4,7,77,-\nTotal,22,43,65,1311,7\n", 1},
		"another": {"Area,Single,Married,Total,People\nAdair,12,30,42,901\nTotal,12,30,42,901\n,,,,\nArea,Single,Widowed,Total,\nClay,3,4,7,\nDover,1,2,3,\nTotal,4,6,10,\n", 2},
	} {
		s, err := Open(strings.NewReader(tc.text), "t.csv", "", "", Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if n := len(s.Reading.Tables); n != tc.tables {
			t.Errorf("%s: %d tables, want %d: %v", name, n, tc.tables, s.Reading.Words())
		}
		if _, err := s.Input(formats.Options{}); tc.tables == 1 && err != nil && strings.Contains(err.Error(), "no label") {
			t.Errorf("%s: %v", name, err)
		}
		if name == "shorter" && len(s.Reading.Tables[0].Cells) != 16 {
			t.Errorf("%s: %v", name, s.Reading.Words())
		}
	}
}

// TestHeaderBeside: where rows go on at the right, the header there and the first one complete each other in the one text that one of them lacks; headers that differ
// otherwise stay as they are, and so do rows of numbers.
func TestHeaderBeside(t *testing.T) {
	t.Parallel()
	const below = "Total,24,14,Clay,9,7\nAdair,12,1,Dover,1,2\nBoone,2,4,,,\n"
	for name, tc := range map[string]struct{ header, want string }{
		"first":   {"Area,,2020,Area,2019,2020\n", "Area,2019,2020,Area,2019,2020"},
		"second":  {"Area,2019,2020,Area,2019,\n", "Area,2019,2020,Area,2019,2020"},
		"blank":   {"Area,,2020,,Area,2019,2020\n", "Area,2019,2020,,Area,2019,2020"},
		"both":    {"Area,,2020,Area,2019,\n", ""},
		"another": {"Area,,2021,Area,2019,2020\n", ""},
		"numbers": {"Total,,14,Total,24,14\n", ""},
		"again":   {"Total,24,14,Total,24,14\nArea,,2020,Area,2019,2020\n", ""},
	} {
		g, got := &Grid{}, ""
		for line := range strings.Lines(tc.header + below) {
			var row []Field
			for _, text := range strings.Split(strings.TrimSpace(line), ",") {
				row = append(row, Field{Text: text})
			}
			g.Rows = append(g.Rows, row)
		}
		for r := range strings.Count(tc.header, "\n") {
			if whole := g.halved(r); whole != nil {
				var texts []string
				for _, f := range whole {
					texts = append(texts, f.Text)
				}
				got = strings.Join(texts, ",")
			}
		}
		if got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
	s, err := Open(strings.NewReader("Area,,2020,Area,2019,2020\n"+below), "t.csv", "", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(s.Reading.Tables); n != 1 || len(s.Reading.Tables[0].Cells) != 10 {
		t.Errorf("%d tables: %v", n, s.Reading.Words())
	}
}

// TestPageInGroup: a page that breaks off within a group goes on below, where the label of the group stands again, with the sums and the shares
// of the group.
func TestPageInGroup(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"measures": {"|Area|Theft|Fraud|Total\nCases|Total|191|72|263\n|Adair|7|2|9\n|Boone|147|61|208\n|North|154|63|217\n|Clay|27|4|31\n|Dover|10|5|15\n|South|37|9|46\nPersons|Total|10551|6477|17028\n|Adair|230|95|325\n|Boone|7149|1003|8152\n\n" +
			"|Area|Theft|Fraud|Total\nPersons|North|7379|1098|8477\n|Clay|2999|743|3742\n|Dover|173|4636|4809\n|South|3172|5379|8551", "42 cells, 1!C2 … E17"},
		"shares": {"|Area|Jan|%|Feb|%\nMen|Adair|11|11|32|27\nMen|Boone|6|6|14|12\nMen|North|17|18|46|38\nMen|Clay|39|40|31|26\nMen|Dover|41|42|43|36\nMen|South|80|82|74|62\nMen|Total|97|100|120|100\nWomen|Adair|9|10|21|18\nWomen|Boone|15|16|35|30\n\n(continued)\n" +
			"|Area|Jan|%|Feb|%\nWomen|North|24|26|56|49\nWomen|Clay|29|31|8|7\nWomen|Dover|40|43|51|44\nWomen|South|69|74|59|51\nWomen|Total|93|100|115|100", "28 cells, 1!C2 … E18"},
	} {
		r, err := find(sheetOf(c.text), Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(r.Tables) != 1 || !strings.HasPrefix(told(r.Tables[0]), c.want) || name == "shares" && len(r.Tables[0].Derived) != 28 {
			t.Errorf("%s: %d tables\n%v", name, len(r.Tables), r.Words())
		}
	}
}

// TestUnitOverGroup: a unit of any language at the right end above a header of groups is no header of the last column, nor does it take that out of its group.
func TestUnitOverGroup(t *testing.T) {
	t.Parallel()
	const below = "\n|Össz|Fé|Nő|Össz|Fé|Nő|Össz|Fé|Nő\nGy|9|4|5|7|3|4|16|7|9\nMe|5|2|3|6|4|2|11|6|5\nEg|14|6|8|13|7|6|27|13|14"
	for _, head := range []string{"Hely|Ipar|||Keres|||Össz||", "Hely|Ipar|Ipar|Ipar|Keres|Keres|Keres|Össz|Össz|Össz"} {
		r, err := find(sheetOf("Tábla\n|||||||||darab\n"+head+below), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := told(r.Tables[0]); !strings.Contains(got, "Column: 3 codes, depth 1, total Össz\nColumn 2: 3 codes, depth 1, total Össz\n") {
			t.Errorf("%s\n%s", head, got)
		}
	}
}
