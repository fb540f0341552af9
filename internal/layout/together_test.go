package layout

import (
	"strconv"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// TestTied: tables of the same units by two classifications are one problem, in which what both tell is one number. Where their numbers differ they are of
// other units, and it is asked which is meant.
func TestTied(t *testing.T) {
	t.Parallel()
	const byGround = `Table 1. Applications by area and ground

Area,All,Work,Family,Study
All,125,39,48,38
Adair,60,21,25,14
Boone,41,11,14,16
Clay,24,7,9,8

`
	for _, c := range []struct {
		name, text, want string
		relations        int
	}{
		{"by ground and by sex", byGround + `Table 2. Applications by area and sex

Area,All,Men,Women
All,125,68,57
Adair,60,31,29
Boone,41,24,17
Clay,24,13,11
`, "", 4 + 4 + 4 + 3 + 4},
		{"a table without totals of its own", `Table 1. Applications by area and sex

Area,Men,Women,Unknown
All,68,50,7
Adair,31,26,3
Boone,24,14,3
Clay,13,10,1

` + strings.Replace(byGround, "Table 1", "Table 2", 1), "", 3 + 4 + 4 + 4},
		{"of other units", byGround + `Table 2. Prisoners by area and sex

Area,All,Men,Women
All,126,69,57
Adair,60,31,29
Boone,41,24,17
Clay,25,14,11
`, "2 tables, of which one is protected at a time", 0},
		{"of other units that are far more here and far less there", byGround + `Table 2. Prisoners by area and sex

Area,All,Men,Women
All,126,69,57
Adair,30,19,11
Boone,71,36,35
Clay,25,14,11
`, "", 4 + 4 + 4 + 3},
		{"of other units, of which some are withheld already", byGround + `Table 2. Prisoners by area and sex

Area,All,Men,Women
All,126,69,57
Adair,30,[c],[c]
Boone,71,[c],[c]
Clay,25,14,11
`, "2 tables, of which one is protected at a time", 0},
		{"rows that go on at the right, where another header lacks its label", `Commune,,Ensemble,,Mariés,Commune,Ensemble,Célibataires,Mariés
France entière,,90,10,80,Belmont,38,8,30
Aubigny,,19,1,18,Dompierre,33,1,32
`, "", 4 + 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := Open(strings.NewReader(c.text), "t.csv", "", "", Options{})
			if err != nil {
				t.Fatal(err)
			}
			in, err := s.Input(formats.Options{})
			if c.want != "" {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, want %q", err, c.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if n := in.Table.Rel.Len(); n != c.relations {
				t.Errorf("%d relations, want %d", n, c.relations)
			}
		})
	}
}

// TestToldAgain: a list of the cells of a table ties all of them to it, whether it has the labels of its codes or calls them otherwise.
func TestToldAgain(t *testing.T) {
	t.Parallel()
	values := [][]string{{"2018", "131", "68", "63"}, {"", "62", "31", "31"}, {"", "45", "24", "21"}, {"", "24", "13", "11"}, {"2019", "132", "67", "65"}, {"", "61", "29", "32"}, {"", "47", "25", "22"}, {"", "24", "13", "11"}}
	for name, areas := range map[string][]string{"its labels": {"All", "Adair", "Boone", "Clay"}, "other names": {"Total", "A.", "B.", "C."}} {
		table, list := "Code|Area|All|Theft|Fraud\n", ""
		for i, row := range values {
			if row[0] != "" {
				table += row[0] + "\n"
			}
			table += itoa(100+i%4) + "|" + []string{"All", "Adair", "Boone", "Clay"}[i%4] + "|" + strings.Join(row[1:], "|") + "\n"
			for j, kind := range []string{"All", "Theft", "Fraud"} {
				list += areas[i%4] + "|" + kind + "|" + values[i-i%4][0] + "|" + row[1+j] + "\n"
			}
		}
		b, more := sheetOf(table), sheetOf(list).Grids[0]
		b.Grids[0].Sheet, more.Sheet = "Data", "Raw"
		b.Grids = append(b.Grids, more)
		r, err := find(b, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Tables) != 2 {
			t.Fatalf("%s: %d tables, want 2", name, len(r.Tables))
		}
		if all := together(r.Tables); all == nil || len(all.ties) != 24 {
			t.Errorf("%s: want the 24 cells tied: %v", name, all)
		}
	}
}

// TestListedQuotients: a sheet that lists cells may list the numbers that were divided from them as well, by the name of what they are.
func TestListedQuotients(t *testing.T) {
	t.Parallel()
	areas, kinds, count := []string{"Adair", "Boone", "Clay", "Total"}, []string{"Theft", "Fraud", "Total"}, [][]int{{38, 37, 75}, {44, 55, 99}, {4, 31, 35}, {86, 123, 209}}
	amounts := [][]int{{1824, 3663, 5487}, {1982, 2758, 4740}, {385, 2791, 3176}, {4191, 9212, 13403}}
	table, list := "", ""
	for k, name := range []string{"number", "EUR", "per establishment"} {
		table += name + "\nArea|" + strings.Join(kinds, "|") + "\n"
		for i, area := range areas {
			table += area
			for j, kind := range kinds {
				value := itoa(count[i][j])
				if k == 1 {
					value = itoa(amounts[i][j])
				} else if k == 2 {
					value = strconv.FormatFloat(float64(amounts[i][j])/float64(count[i][j]), 'f', 1, 64)
				}
				table += "|" + value
				list += area + "|" + kind + "|" + name + "|" + value + "\n"
			}
			table += "\n"
		}
		table += "\n"
	}
	b, more := sheetOf(table), sheetOf(list).Grids[0]
	b.Grids[0].Sheet, more.Sheet, more.State = "Data", "Raw", "hidden"
	b.Grids = append(b.Grids, more)
	r, err := find(b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if a := (&Source{Reading: r, grids: b.Grids}).Account(nil); len(a.copies) != 36 || len(a.Unknown) > 0 {
		t.Errorf("%d numbers are known to be listed, want 36, and unknown are %v\n%v", len(a.copies), a.Unknown, r.Words())
	}
}
