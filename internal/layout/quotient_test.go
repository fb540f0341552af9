package layout

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// TestQuotients: a quotient of so few numbers that nothing speaks for it, and bounds of which the lower one is 0 everywhere, are asked about.
func TestQuotients(t *testing.T) {
	t.Parallel()
	const few = "Ort,ledig,verheiratet,verwitwet,Insgesamt,"
	const bounds = "Area,Single,Married,Total,lower,upper\nTotal,3,2,5,0,4\nAdair,2,2,4,0,"
	for _, c := range []struct{ text, want string }{
		{few + "ledig je 100 verwitwet\nAltdorf,0,2,0,2,-\nBergen,2,1,1,4,200\nZusammen,2,3,1,6,200\n", `--derived "ledig je 100 verwitwet"`},
		{few + "Quote\nAltdorf,0,3,0,3,-\nBergen,5,1,2,8,250.0\nZusammen,5,4,2,11,250.0\n", "--derived Quote"},
		{few + "Quote\nAltdorf,2,3,7,12,286\nBergen,5,1,8,14,625\n", "--derived Quote"},
		{few + "zugezogen\nAltdorf,2,2,7,11,3\nBergen,2,1,8,11,2\nZusammen,4,3,15,22,5\n", ""},
		{bounds + "4\nBoone,1,0,1,0,0\n", "--derived lower --derived upper"},
		{bounds + "3\nBoone,1,0,1,0,1\n", ""},
	} {
		s, err := Open(strings.NewReader(c.text), "f.csv", "", "", Options{})
		if err == nil {
			_, err = s.Input(formats.Options{})
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestFractional: a code in no sum that alone has fractions among counts, whose unit may say that they are, is asked about, once; amounts that have them elsewhere, too, are not.
func TestFractional(t *testing.T) {
	t.Parallel()
	const rows = "Area,Males,Females,Total\nAshford,12,7,19\nBrinton,1,9,10\nDunmore,8,15,23\n"
	for _, c := range []struct {
		text, want string
		o          Options
	}{
		{rows + "Fairholt,5,2,7\nAverage,6.9,8.7,15.6\n", "--derived Average", Options{}},
		{"(persons)\n" + rows + "Fairholt,5,2,7\nAverage,6.9,8.7,15.6\n", "--derived Average", Options{}},
		{rows + "Fairholt,5,2,7\nAverage,6.9,8.7,15.6\n", "", Options{NoTotal: []string{"Area"}}},
		{rows + "Fairholt,5.5,2,7.5\nAverage,6.9,8.6,15.4\n", "", Options{}},
		{rows + "Fairholt,5,2.5,7.5\nTotal,26,33.5,59.5\n", "", Options{}},
		{"Area,Shops,Per shop\nAshford,12,7.5\nBrinton,1,9\nDunmore,8,15.5\n", "", Options{}},
	} {
		s, err := Open(strings.NewReader(c.text), "f.csv", "", "", c.o)
		if err == nil {
			_, err = s.Input(formats.Options{})
		}
		if c.want == "" && err != nil && strings.Contains(err.Error(), "--derived") || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}

// TestAverageLeft: of averages that are explained but for one the last is no count either.
func TestAverageLeft(t *testing.T) {
	t.Parallel()
	const text = "Ort;ledig;verheiratet;;;Insgesamt;Rang\nAltdorf;0;79;;;79;4\nBergen;3;144;;;147;3\nCelle;188;1;;;189;5\nDorfen;120;151;;;271;2\nInsgesamt;311;375;;;686;1\nDurchschnitt;77,8;93,8;;;171,5;\n"
	s, err := Open(strings.NewReader(text), "t.csv", "", "", Options{Derived: []string{"Rang"}})
	if err != nil {
		t.Fatal(err)
	}
	doubts := s.Reading.Tables[0].doubts
	if want := "Ort: Durchschnitt is not what stands beside it, and in no sum"; len(doubts) != 1 || doubts[0].Question.String() != want {
		t.Errorf("asked %v, want %s", doubts, want)
	}
}

// TestZeroQuotient: a column written with decimals is of another measure, also where all its numbers are 0.0.
func TestZeroQuotient(t *testing.T) {
	t.Parallel()
	s, err := Open(strings.NewReader("Area,All,Single,Married,Widowed,Odd\nA,347,3,24,320,0.0\nB,76,1,17,58,0.0\nAll,423,4,41,378,0.0\n"), "t.csv", "", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	doubts := s.Reading.Tables[0].doubts
	if want := "Column: Odd is not what stands beside it, and in no sum"; len(doubts) != 1 || doubts[0].Question.String() != want {
		t.Errorf("asked %v, want %s", doubts, want)
	}
}

// TestUnroundedRate: of a rate with all decimals that a program computed, nobody says per how many.
func TestUnroundedRate(t *testing.T) {
	t.Parallel()
	s, err := Open(strings.NewReader("Year,Deaths,People,rate\n1990,11500,83971014,13.6952020133995\n1991,12656,85583336,14.7879255372798\n1992,12900,87100000,14.8105625717566\n1993,13100,88000000,14.8863636363636\n"), "f.csv", "", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Account(nil).Words().String(); got != "16 numbers: 8 values, 4 labels, 4 quotients; none unknown" {
		t.Error(got)
	}
}

// TestQuotientOfTables: what one table has per person of another one beside it tells of the cells of both.
func TestQuotientOfTables(t *testing.T) {
	t.Parallel()
	const text = "Persons,,,,,,,,,\n,,,,,,Accidents,,,\nArea,Single,Widowed,Total,,,,Accidents,Children,Children per person\n" +
		"All,8,3,11,,,Single,0,11,3.7\nAdair,2,2,4,,,Married,3,5,2.5\nBoone,3,0,3,,,Widowed,6,0,-\nClay,3,1,4,,,Divorced,3,4,4.0\n,,,,,,All,12,,\n"
	s, err := Open(strings.NewReader(text), "f.csv", "", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if tables := s.Reading.Tables; len(tables) != 2 || len(tables[0].Derived) != 4 || strings.Join(tables[0].Derived[1].Of[0], " ") != "Adair Widowed" || strings.Join(tables[1].Derived[1].Of[0], " ") != "Married Children" {
		t.Errorf("%d tables, of which the first explains %d numbers", len(tables), len(tables[0].Derived))
	}
}
