package layout

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// TestRefused: a total that most sums miss is asked about, and no table is made before it is answered, as
// every withheld cell of a table without sums seems safe.
func TestRefused(t *testing.T) {
	t.Parallel()
	const wide = `Table 1. Employees by region and sector
(persons),,,,
Region,Metal,Wood,Paper,Total
North,X,X,31,75
South,X,X,40,98
West,25,17,22,65
Total,65,72,93,239
`
	const long = `region,sector,value
North,Metal,X
North,Wood,X
North,Total,75
South,Metal,X
South,Wood,X
South,Total,98
West,Metal,25
West,Wood,17
West,Total,49
Total,Metal,130
Total,Wood,85
Total,Total,215
`
	for _, c := range []struct {
		name, text string
		o          Options
		asked      string // "": nothing
		relations  int
	}{
		{"wide", wide, Options{}, "Region: Total is the sum of its parts in 1 of 2 cases, not in 7:5: 239, but its parts are 1 less; " +
			"Sector: Total is the sum of its parts in 0 of 2 cases, not in 7:5: 239, but its parts are 9 less: " +
			"the sums are meant and rounded or wrong (--tolerance 9); or it is no total (--no-total Region --no-total Sector)", 0},
		{"wide, tolerated", wide, Options{Tolerance: "9"}, "", 8},
		{"wide, no totals", wide, Options{NoTotal: []string{"Region", "Sector"}}, "", 0},
		{"long", long, Options{}, "region: Total is the sum of its parts in 0 of 1 cases, not in 13:3: 215, but its parts are 7 more; " +
			"sector: Total is the sum of its parts in 1 of 2 cases, not in 10:3: 49, but its parts are 7 less: " +
			"the sums are meant and rounded or wrong (--tolerance 7); or it is no total (--no-total region --no-total sector)", 0},
		{"long, far away", strings.ReplaceAll(long, "Total,215", "Total,500"), Options{}, "region: Total is the sum of its parts in 0 of 1 cases, not in 13:3: 500, but its parts are 278 less; " +
			"sector: Total is the sum of its parts in 0 of 2 cases, not in 13:3: 500, but its parts are 285 less: " +
			"its parts are others than the codes beside it; or it is no total (--no-total region --no-total sector)", 0},
		{"understood wrongly", "Region,A,B,Total\nNorth,10,20,900\nSouth,30,40,800\n", Options{},
			"Column: Total is the sum of its parts in 0 of 2 cases, not in 2:4: 900, but its parts are 870 less: the table is understood wrongly (--range, --header-rows, --label-columns, --layout); or it is no total (--no-total Column)", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := Open(strings.NewReader(c.text), "f.csv", "", "", c.o)
			if err != nil {
				t.Fatal(err)
			}
			in, err := s.Input(formats.Options{})
			var open *AmbiguityError
			switch {
			case c.asked == "" && err != nil:
				t.Fatal(err)
			case c.asked == "":
				if n := in.Table.Rel.Len(); n != c.relations || len(s.Reading.Ambiguities) > 0 {
					t.Errorf("%d relations, want %d; open %v", n, c.relations, s.Reading.Ambiguities)
				}
			case !errors.As(err, &open) || !strings.HasPrefix(err.Error(), "f.csv: "+c.asked):
				t.Errorf("%v, want %s", err, c.asked)
			case len(s.Reading.Ambiguities) != 1 || s.Reading.Ambiguities[0].Question.String() != open.Question.String():
				t.Errorf("a reading with open questions %v", s.Reading.Ambiguities)
			}
			if c.asked == "" || s.Reading.Layout == nil {
				return
			}
			for _, d := range s.Reading.Layout.Blocks[0].Dimensions { // next year's file is asked about again
				if d.NoTotal && d.Name != "Region" || d.NoTotal && c.name != "understood wrongly" {
					t.Errorf("the layout settles that %s has no total", d.Name)
				}
			}
		})
	}
}

// TestWithheldFirst: where all values are needed, those that are withheld already are named before anything is asked that would not help.
func TestWithheldFirst(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"sums that miss":    "Region,Metal,Wood,Paper,Total\nNorth,X,x,31,75\nSouth,x,x,40,98\nWest,25,17,22,65\nTotal,65,72,93,239\n",
		"numbers elsewhere": "Region,Metal,Wood,Total\nNorth,10,x,31\nSouth,20,38,58\nTotal,30,59,89\n\n12.7,,,\n",
	} {
		for _, values := range []bool{false, true} {
			s, err := Open(strings.NewReader(text), "f.csv", "", "", Options{Values: values})
			if err != nil {
				t.Fatal(err)
			}
			const want = " cells have no value, as they are withheld already or lacking: 2:"
			if _, err = s.Input(formats.Options{}); err == nil || strings.Contains(err.Error(), want) != values {
				t.Errorf("%s, values needed %v: %v", name, values, err)
			}
		}
	}
}

// TestApart: the few columns in which a total misses are asked about together.
func TestApart(t *testing.T) {
	t.Parallel()
	_, err := Open(strings.NewReader("Region,A,B,Total,from,to\nNorth,10,20,30,8,12\nSouth,30,41,71,22,38\nEast,7,9,16,3,11\nTotal,47,70,117,37,57\n"), "f.csv", "", "", Options{})
	if err == nil || !strings.Contains(err.Error(), "from, to is a measure of its own, whose numbers go where they may tell (--derived from --derived to)") {
		t.Error(err)
	}
}

// TestRefusedGiven: parents that a layout tells and that the sums of another year miss.
func TestRefusedGiven(t *testing.T) {
	t.Parallel()
	read := func(sheet string, o Options) *Reading {
		r, err := find(sheetOf(sheet), o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	last := read("\nArea|All\nTotal|100\nNorth|70\nSouth|30", Options{})
	dim := &last.Layout.Blocks[0].Dimensions[0]
	dim.Parents = map[string]string{"North": "Total", "South": "Total"}
	sheet := "\nArea|All\nTotal|104\nNorth|70\nSouth|31"
	this := read(sheet, Options{From: last.Layout})
	if len(this.Ambiguities) != 1 || !strings.Contains(this.Ambiguities[0].Question.String(), "104, but its parts are 3 less") {
		t.Errorf("%+v", this.Ambiguities)
	}
	this = read(sheet, Options{From: last.Layout, NoTotal: []string{dim.Name}})
	if len(this.Ambiguities) != 0 || this.Tables[0].Dimensions[0].Additive {
		t.Errorf("%+v", this)
	}
}

// TestSamples reads the tables of the project, plain as they are.
func TestSamples(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../testdata/*.csv")
	if err != nil || len(files) < 7 {
		t.Fatalf("%v: %v", files, err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			s, err := Open(f, path, "", "", Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Reading.Tables) != 1 || len(s.Reading.Tables[0].Dimensions) != 2 {
				t.Fatalf("%v", s.Reading.Words())
			}
			for _, d := range s.Reading.Tables[0].Dimensions {
				if root := d.Codes[len(d.Codes)-1]; !d.Additive || d.Codes[0].Parent == nil || *d.Codes[0].Parent != root.Code {
					t.Errorf("%s: %+v", d.Name, d.Codes)
				}
			}
		})
	}
}

// TestRounding: a sum of small numbers that misses by as much as its total is not rounded, unless to what its parts are multiples of.
func TestRounding(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		total       Decimal
		miss, slack int64
		want        bool
	}{{"9", 9, 3, false}, {"2", 6, 2, false}, {"2", 1, 2, true}, {"20", 9, 2, true}, {"30", 10, 10, true}, {"900", 60, 2, true}} {
		r := refusal{worst: &Cell{Value: &tc.total}, miss: tc.miss, slack: tc.slack}
		if got := r.rounding(); got != tc.want {
			t.Errorf("%s, %d more: %v", tc.total, tc.miss, got)
		}
	}
}
