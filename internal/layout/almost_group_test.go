package layout

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// TestAlmostGroup: a group whose total the rounding misses in one column is asked about where few numbers speak for it, too.
func TestAlmostGroup(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Commune,2019,2020,2021\nTotal,55,93,76\nNord,29,66,22\nAubigny,4,40,2\nBelmont,0,15,2\nDompierre,25,11,18\nSud,26,27,54\nÉtréval,1,26,14\nFontenay,25,2,40\n",
		"Area,Single,Married,Widowed\nNorth,153,375,25\nAdair,1,1,23\nBoone,151,374,2\nSouth,677,192,989\nClay,1,189,376\nDover,562,0,2\nElk,114,3,611\nAll,830,567,1014\n",
	} {
		s, err := Open(strings.NewReader(text), "f.csv", "", "", Options{})
		if err == nil {
			_, err = s.Input(formats.Options{})
		}
		if err == nil || !strings.Contains(err.Error(), "--tolerance") {
			t.Errorf("%v", err)
		}
	}
}

// TestAlmostGroupBeside: likewise where the parts of all groups add up to the total exactly, as a formula says of the groups.
func TestAlmostGroupBeside(t *testing.T) {
	t.Parallel()
	book := sheetOf("Ort|2019|2020\nNord|2|316\nAltdorf|0|1\nBergen|2|314\nSüd|1270|1049\nCelle|892|809\nDorfen|376|1\nEschen|2|240\nInsgesamt|1272|1365")
	book.Grids[0].Rows[8][1].Formula = "B2+B5"
	r, err := find(book, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(r.Words()); !strings.Contains(got, "Süd may be the sum of Celle, Dorfen, Eschen") {
		t.Errorf("%v", got)
	}
}

// TestOnlyPart: a group with one part has all its numbers, whichever of the two stands first; the others add up without one of them.
func TestOnlyPart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"Cases\nDistrict,Theft,Fraud,Arson,All\nCoast,43,26,21,90\nFenwick,12,9,4,25\nKingsley,31,17,17,65\nInland,8,2,31,41\nHillcrest,8,2,31,41\nUpland,9,15,14,38\nMoor,4,5,6,15\nMarsh,5,10,8,23\nCounty,60,43,66,169\n",
			"District: Coast<County Fenwick<Coast Kingsley<Coast Inland<County Hillcrest<Inland* Upland<County Moor<Upland Marsh<Upland County"},
		{"Cases\nDistrict,Theft,Fraud,Arson,All\nFenwick,12,9,4,25\nKingsley,31,17,17,65\nCoast,43,26,21,90\nHillcrest,8,2,31,41\nInland,8,2,31,41\nMoor,4,5,6,15\nMarsh,5,10,8,23\nUpland,9,15,14,38\nCounty,60,43,66,169\n",
			"District: Fenwick<Coast Kingsley<Coast Coast<County Hillcrest<County Inland<Hillcrest* Moor<Upland Marsh<Upland Upland<County County"},
	} {
		r := openWords(t, c.text, Options{})
		if got, _, _ := strings.Cut(forestOf(r.Tables[0]), "\n"); got != c.want {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
}

// TestHeadingsOfColumns: a heading of an inner column of labels ends where the outer one goes on; headings of the first column are over its labels, not between
// these and the inner ones.
func TestHeadingsOfColumns(t *testing.T) {
	t.Parallel()
	rows := map[string][2]int{"County": {19, 31}, "Fenwick": {2, 9}, "Kingsley": {4, 8}, "Moor": {6, 1}, "Marsh": {7, 13}}
	inner, outer := "Cases\nSex,District,Theft,Fraud,All\n", "Cases\nDistrict,Sex,Theft,Fraud,All\n"
	for i, sex := range []string{"Males", "Females", "Both"} {
		for _, name := range []string{"County", "Coast", "Fenwick", "Kingsley", "Upland", "Moor", "Marsh"} {
			v, ok := rows[name]
			times := []int{1, 3, 4}[i]
			switch {
			case ok:
				inner += fmt.Sprintf("%s,%s,%d,%d,%d\n", sex, name, times*v[0], times*v[1], times*(v[0]+v[1]))
				sex = ""
			default:
				inner += "," + name + ",,,\n"
			}
		}
	}
	for _, name := range []string{"County", "Coast", "Fenwick", "Kingsley", "Upland", "Moor", "Marsh"} {
		v, ok := rows[name]
		if !ok {
			outer += name + ",,,,\n"
			continue
		}
		for i, sex := range []string{"Males", "Females", "Both"} {
			times := []int{1, 3, 4}[i]
			outer += fmt.Sprintf("%s,%s,%d,%d,%d\n", name, sex, times*v[0], times*v[1], times*(v[0]+v[1]))
			name = ""
		}
	}
	for _, text := range []string{inner, outer} {
		if got := forestOf(openWords(t, text, Options{}).Tables[0]); !strings.Contains(got, "Males<Both Females<Both Both") || !strings.Contains(got, "County Fenwick<County Kingsley<County Moor<County Marsh<County") {
			t.Errorf("%s\nis read as\n%s", text, got)
		}
	}
}

// TestTotalBelowHeadings: a bare total below the last heading that is the sum of what stands below all of them has its own name, not that of the last heading.
func TestTotalBelowHeadings(t *testing.T) {
	t.Parallel()
	r := openWords(t, "Cases\nDistrict,Theft,Fraud,All\nCoast,,,\nFenwick,21,11,32\nKingsley,8,5,13\nUpland,,,\nMoor,7,1,8\nMarsh,35,31,66\nDale,13,8,21\nTotal,84,56,140\n", Options{})
	if got, want := forestOf(r.Tables[0]), "District: Fenwick<Total Kingsley<Total Moor<Total Marsh<Total Dale<Total Total\n"; !strings.HasPrefix(got, want) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
