package layout

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/stranger"
)

// TestCountedApart withholds numbers of lines that are in proportion by chance: as both are parts of totals they tell nothing of each other, but they may
// where nothing says that they add up.
func TestCountedApart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		told       bool
	}{
		{"parts of a total", "Area,Under 15,15 to 64,65 and over,Total\nNorth,12,60,36,108\nSouth,11,91,17,119\nEast,4,20,12,36\nAll,27,171,65,263\n", false},
		{"classes of their own", "Area,Lead,Iron,Clay,Silt\nNorth,12,60,36,108\nSouth,11,91,17,29\nEast,4,20,12,36\n", true},
	} {
		s, err := Open(strings.NewReader(c.text), "f.csv", "", "", Options{})
		if err != nil {
			t.Fatal(err)
		}
		table := s.Reading.Tables[0]
		secret := map[stranger.Place]bool{{Row: 3, Col: 1}: true, {Row: 3, Col: 3}: true}
		copied := fieldsOf(s.grids)
		for p := range secret {
			copied[0][p.Row][p.Col] = "x"
		}
		if _, told, _ := stranger.Find(fieldsOf(s.grids), copied, secret, s.apart(table)); len(told) > 0 != c.told {
			t.Errorf("%s: told %v, want %v", c.name, told, c.told)
		}
		if _, told, _ := stranger.Find(fieldsOf(s.grids), copied, secret, nil); len(told) == 0 {
			t.Errorf("%s: nothing is told to somebody who knows no sums", c.name)
		}
	}
}

// TestCountedInCopy: the line of a hidden copy that is in proportion to a withheld one tells as little as the line that it repeats.
func TestCountedInCopy(t *testing.T) {
	t.Parallel()
	text := "Area|Under 15|15 to 64|65 and over|Total\nNorth|12|60|36|108\nSouth|11|91|17|119\nEast|4|20|12|36\nAll|27|171|65|263"
	b, again := sheetOf(text), sheetOf(text).Grids[0]
	again.Sheet, again.State = "Copy", "hidden"
	b.Grids = append(b.Grids, again)
	r, err := find(b, Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &Source{Reading: r, grids: b.Grids}
	secret, copied := map[stranger.Place]bool{}, fieldsOf(s.grids)
	for i := range copied {
		for _, c := range []int{1, 3} {
			copied[i][3][c] = "x"
			secret[stranger.Place{Sheet: i, Row: 3, Col: c}] = true
		}
	}
	if _, told, _ := stranger.Find(fieldsOf(s.grids), copied, secret, s.apart(r.Tables[0])); len(told) > 0 {
		t.Errorf("told %v, want nothing", told)
	}
}
