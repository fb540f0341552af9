package layout

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// TestAnother: a column beside others that add up is of another measure, which nobody need say, where its sums miss by far and its numbers alone have decimals, are the
// places of others or the bounds of one; it is asked about where a wrong number explains it as well.
func TestAnother(t *testing.T) {
	t.Parallel()
	const head = "Area,Single,Married,Widowed,All,"
	for _, c := range []struct {
		name, text, want string
		derived          int
	}{
		{"a rate", head + "per 1000\nTotal,120,210,31,361,4.8\nAdair,20,70,9,99,3.1\nBoone,61,40,12,113,7.7\nClay,39,100,10,149,4.4\n", "", 4},
		{"a place", head + "Place\nTotal,120,210,31,361,1\nAdair,20,70,9,99,4\nBoone,61,40,12,113,3\nClay,39,100,10,149,2\n", "", 4},
		{"bounds", head + "lower,upper\nTotal,120,210,31,361,331,391\nAdair,20,70,9,99,84,114\nBoone,61,40,12,113,97,129\nClay,39,100,10,149,131,167\n", "", 8},
		{"a wrong number", head + "Unknown\nTotal,120,210,31,361,18\nAdair,20,70,9,99,3\nBoone,61,40,12,113,5\nClay,39,100,10,149,4\n", "--derived Unknown", 0},
		{"a rounded amount", head + "Pay\nTotal,120,210,31,361,18.9\nAdair,20,70,9,99,5.1\nBoone,61,40,12,113,5.4\nClay,39,100,10,149,8.2\n", "Pay", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := Open(strings.NewReader(c.text), "t.csv", "", "", Options{})
			if err == nil {
				_, err = s.Input(formats.Options{})
			}
			if c.want != "" {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, want %q", err, c.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if of := s.Reading.Tables[0]; len(of.Cells) != 16 || len(of.Derived) != c.derived || of.Derived[0].How != asMeasure || len(of.Derived[0].Of) < 4 {
				t.Errorf("%d cells and %d computed numbers: %v", len(of.Cells), len(of.Derived), s.Reading.Words())
			}
		})
	}
}

// TestCalledQuotient: a column called a quotient of something that is not in the file is of another measure and goes
// where a cell of its line or of a total is withheld; one called a change may tell of other lines, and is asked about.
func TestCalledQuotient(t *testing.T) {
	t.Parallel()
	for head, known := range map[string]bool{
		"Crude death rate per 1,000": true, "Crude death rate (‰)": true, "死亡率（人口千対）": true, "Anteil je 100 000": true, "Births rate per capita": true,
		"Rate of change": false, "Share": false,
	} {
		r := openWords(t, "Year;Men;Women;Total;"+head+"\n2001;2;28;30;4.1\n2002;12;13;25;3.7\n2003;20;24;44;6.6\n2004;2;2;4;0.3\n", Options{})
		if of := r.Tables[0]; len(of.Cells) != 12 || (len(of.Derived) == 4 && of.Derived[1].How == asMeasure && len(of.Derived[1].Of) == 3) != known {
			t.Errorf("%s: %d cells and %d computed numbers: %v", head, len(of.Cells), len(of.Derived), r.Words())
		}
	}
}

// TestDerivedNames: what is said to be computed is a column, by number, letter or header, or a row; a name that stands nowhere is an error, not passed over.
func TestDerivedNames(t *testing.T) {
	t.Parallel()
	const text = "Year;Men;Women;Total;Change\n2001;2;28;30;4.1\n2002;12;13;25;3.7\n2003;20;24;44;6.6\nMean;9;10;19;0.3\n"
	for name, want := range map[string]string{"5": "", "E": "", "Change": "", "Mean": "", "F": "--derived F: no such column or row", "Chance": "--derived Chance: no such"} {
		_, err := Open(strings.NewReader(text), "t.csv", "", "", Options{Derived: []string{name}})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTypedDecimals: one number typed with two decimals among many that are not rounded is computed as they are.
func TestTypedDecimals(t *testing.T) {
	t.Parallel()
	text := "Year;Boys;Girls;All;Sex ratio\n"
	for i, n := range [][2]int{{1849, 1742}, {1793, 1699}, {2113, 1987}, {1755, 1671}, {1692, 1613}, {1880, 1801}} {
		ratio := strconv.FormatFloat(100*float64(n[0])/float64(n[1]), 'g', -1, 64)
		if i == 5 {
			ratio = "104.39"
		}
		text += fmt.Sprintf("%d;%d;%d;%d;%s\n", 2001+i, n[0], n[1], n[0]+n[1], ratio)
	}
	if of := openWords(t, text, Options{}).Tables[0]; len(of.Cells) != 18 || len(of.Derived) != 6 || len(of.Derived[5].Of) != 2 {
		t.Errorf("%d cells and %v", len(of.Cells), of.Derived)
	}
}

// TestOfOtherLines: of running totals and changes that no formula explains those of other lines than a withheld number's
// give it away, so that each tells of all cells; what else somebody calls computed tells of its line and of totals.
func TestOfOtherLines(t *testing.T) {
	t.Parallel()
	const columns = "Area;Men;Women;Total;%s\nNorth;2;28;30;30\nSouth;12;13;25;55\nEast;20;24;44;99\nWest;2;2;4;104\nCoast;30;33;63;167\n"
	const rows = "Kind;North;South;East;West;Coast\nMen;2;12;20;2;30\nWomen;28;13;24;2;33\nTotal;30;25;44;4;63\n%s;30;55;99;104;167\n"
	for _, c := range []struct {
		text, name string
		of         int
	}{{columns, "Cumulated", 15}, {columns, "Net change", 15}, {columns, "Index", 3}, {rows, "Cumulated", 15}, {rows, "Index", 3}} {
		if of := openWords(t, fmt.Sprintf(c.text, c.name), Options{Derived: []string{c.name}}).Tables[0]; len(of.Cells) != 15 || len(of.Derived) != 5 || len(of.Derived[1].Of) != c.of {
			t.Errorf("%s: %d cells and %v", c.name, len(of.Cells), of.Derived)
		}
	}
}

// TestGroupTotalRounded: the total of a group of columns that misses its parts by rounding is asked about where another
// column stands outside the group, as it is where none does.
func TestGroupTotalRounded(t *testing.T) {
	t.Parallel()
	const text = "Area;Status;;;;People\n;Single;Married;Widowed;Total;\nAll;1629;492;2034;4156;9491\nHill;0;1;1631;1633;7893\nDale;1629;491;403;2523;1598\n"
	r := openWords(t, text, Options{})
	if asked := lines(r.Words(), "\n"); !strings.Contains(asked, "--tolerance 1") {
		t.Errorf("not asked: %s", asked)
	}
}

// TestStrayLine: a line below a table that fills columns without labels may repeat one of another table, be it a sum.
func TestStrayLine(t *testing.T) {
	t.Parallel()
	_, err := Open(strings.NewReader("Kind;Cases;;;;\nTheft;8;;;;\nFraud;8;;;;\nTotal;16;;;;\nDover;9;3;3;1;2\n"), "t.csv", "", "", Options{})
	if err == nil || !strings.Contains(err.Error(), "has no label") {
		t.Error(err)
	}
}
