package layout

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// A code in no sum that is no period among periods, or alone has numbers below 0, or with which a sum is right to within rounding, is asked about; contributions to a change are found by their numbers.
func TestStray(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"no period":                {"Area,2019,2020,Grade\nTotal,30,41,3\nA,10,20,2\nB,20,21,1", "Column: Grade is not what stands beside it, and in no sum"},
		"below 0":                  {"Area,Single,Married,Odd\nTotal,30,41,2\nA,10,20,3\nB,20,21,-1", "Column: Odd is not what stands beside it, and in no sum"},
		"below 0 beside blanks":    {"Area,Single,Married,Total,Balance\nAdair,,2,2,-2\nBoone,3,,3,3\nClay,,1,1,-1\nAll,3,3,6,0", "Column: Balance is not what stands beside it, and in no sum"},
		"rounded":                  {"Area,2019,2020\nTotal,45569,70490\nA,1,14230\nB,3,3\nC,39539,54141\nD,6026,2116\nE,0,1", "Area: Total may be the sum of A, B, C, D, E, which is not in the tree that was found"},
		"rounded group":            {"Area,Single,Married\nNorth,57030,25038\nAdair,57029,1\nBoone,1,25037\nSouth,80957,81848\nClay,2,31697\nDover,57654,50151\nElk,23301,1\nAll,137987,106886\n\nSource: census of 2020.", "Area: South may be the sum of Clay, Dover, Elk, which is not in the tree that was found"},
		"few periods":              {"Area,2019,2020,Pokytis,Contribution\nA,3,3,0,0\nB,1,173,172,4300\nTotal,4,176,172,4300", "Column: Pokytis, Contribution is not what stands beside it, and in no sum"},
		"beside a balance":         {"Area,All,Adair,Boone\n2019,2,2,0\n2020,2,1,1\n2021,3,1,2\nBalance,-1,1,-2\nContribution,50,0,50", "Area: Contribution is not what stands beside it, and in no sum"},
		"told again":               {"Area,2019,2020\nTotal,4801,7\nAdair,1622,3\nBoone,1181,3\nClay,1998,1\nof which Adair and Boone,2802,6", "Area: of which Adair and Boone may be the sum of Adair, Boone, which is not in the tree that was found"},
		"quotient of two":          {"Area,Single,Married,Widowed,All,Single / 1 Widowed\nA,3,2,1,6,3\nB,-,1,1,2,0\nC,3,3,-,6,-\nAll,6,6,2,14,3", "Column: Single / 1 Widowed is not what stands beside it, and in no sum"},
		"zero quotient of two":     {"Area,All,Single,Married,Single / 1 Married\nCounty,96,2,94,0\nAdair,41,1,40,0\nBoone,53,1,52,0\nClay,2,0,2,0", "Column: Single / 1 Married is not what stands beside it, and in no sum"},
		"rounded total, no name":   {"Ort,2020,1. Quartal,2. Quartal,3. Quartal,4. Quartal\nZusammen,1161,1,681,107,372\nAltdorf,943,1,679,3,261\nBergen,218,0,2,104,111", "Column: 2020 may be the sum of \"1. Quartal\", \"2. Quartal\", \"3. Quartal\", \"4. Quartal\", which is not in the tree that was found"},
		"told of two, rounded":     {"Area,All,Single,Married,Widowed,of which Married e Widowed\nTotal,105,62,3,40,43\nA,79,38,1,40,40\nB,26,24,2,0,3", "Column: Married e Widowed may be the sum of Married, Widowed, which is not in the tree that was found"},
		"rate of zeros, no total":  {"Area,Single,Married,Widowed,Population,per 100\nA,3,1,2,2057,0\nB,0,2,2,537,0\nC,0,1,3,4014,0\nAll,3,4,7,6608,0", "Column: per 100 is 0 everywhere, as the rate of another code to Population would be"},
		"rate of zeros":            {"Area,Total,Single,Married,Population,per 100\nA,7,1,6,3477,0\nB,15,3,12,2568,0\nTotal,22,4,18,6045,0", "Column: per 100 is 0 everywhere, as the rate of another code to Population would be"},
		"period of none":           {"Area,Year,1st quarter,2019Q2,2019Q3,Population\nA,7,1,6,0,3477\nB,15,3,12,0,2568\nTotal,22,4,18,0,6045", ""},
		"memo item of none":        {"Area,Total,Single,Married,of which Married,Population\nA,7,1,6,0,3477\nB,15,3,12,0,2568\nTotal,22,4,18,0,6045", ""},
		"count of none":            {"Area,Total,Single,Married,Population,Other\nA,700,100,600,3477,0\nB,1500,300,1200,2568,0\nTotal,2200,400,1800,6045,0", ""},
		"bounds":                   {"Area,2019,2020,lower,upper\nAll,14,2,0,4\nAdair,3,2,0,4\nBoone,11,0,0,0", "Column: another code is the middle of lower and upper everywhere"},
		"bounds by chance in sums": {"Area,2019,2020,2021,2022,lower,upper\nAdair,1,0,4,0,-1,3\nBoone,0,5,0,9,0,0\nAll,1,5,4,9,-1,3", "Column: another code is the middle of lower and upper everywhere"},
		"no bounds":                {"Area,lower,upper,2020\nAll,3,5,4\nAdair,0,2,1\nBoone,3,3,3", ""},
		"periods":                  {"Area,2018,2019,2020\nTotal,30,41,5\nA,10,20,2\nB,20,21,3", ""},
		"cumulated":                {"Art,Zusammen,A,B\nFälle,11,7,4\nkumuliert bis Juni,16,9,7\nkumuliert bis September,25,14,11", "Art: kumuliert bis Juni, kumuliert bis September is not what stands beside it, and in no sum"},
		"not cumulated":            {"Art,Zusammen,A,B\nFälle,11,7,4\nim Juni,16,9,7\nim September,25,14,11", ""},
		"contributions":            {"Area,2019,2020,Effect\nTotal,300,411,37.0\nA,100,203,34.3\nB,150,153,1.0\nC,50,55,1.7", ""},
	} {
		s, err := Open(strings.NewReader(tc.text), "t.csv", "", "", Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		table := s.Reading.Tables[0]
		got := ""
		for _, d := range table.doubts {
			got = d.Question.String()
		}
		if got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
		if name == "contributions" && len(table.Derived) != 4 {
			t.Errorf("%d contributions, want 4", len(table.Derived))
		}
	}
}

// TestUnrounded: a column of numbers that nobody rounded, which nothing explains, does not hide that the others add up: it is asked about.
func TestUnrounded(t *testing.T) {
	t.Parallel()
	text := "Effectifs\nCommune|Jeunes|Adultes|Aînés|Ensemble|Rapport\nChampfort|88|147|175|410|178.9115646258503\nRivelle|63|70|167|300|328.5714285714286\nHautefage|16|34|2|52|52.94117647058824\nEnsemble|167|251|344|762|203.585657370518\n"
	s, err := Open(strings.NewReader(strings.ReplaceAll(text, "|", ";")), "f.csv", "", "", Options{})
	if err == nil {
		_, err = s.Input(formats.Options{})
	}
	if err == nil || !strings.Contains(err.Error(), "(--derived Rapport)") {
		t.Errorf("%v, want a question about Rapport", err)
	}
}

// TestUnnamedPeriod: a text may call the one code among periods that is none by its period, and tells the sum of two of its cells all the same.
func TestUnnamedPeriod(t *testing.T) {
	t.Parallel()
	const text = "Year,Adair,Boone,Clay,All\n2019,7,171,31,209\n2020,8,150,22,180\n2021,5,158,40,203\nNumber,2,149,33,184\n\nAdair and Boone in 2022: 151\n"
	s, err := Open(strings.NewReader(text), "f.csv", "", "", Options{NoTotal: []string{"Year"}})
	if err != nil {
		t.Fatal(err)
	}
	if told := s.toldTogether(s.Reading.Tables[0]); len(told) != 1 || told[0].number != "151" {
		t.Errorf("%v", told)
	}
}

// TestSingle: lines of key figures below a table are asked about, not read as rows of it that have one number.
func TestSingle(t *testing.T) {
	t.Parallel()
	const text = "Area,Men,Women,Total\nNorth,12,2,14\nSouth,31,25,56\nEast,9,8,17\nAll,52,35,87\n\nKey figures\nNorth / Women,2,,\n"
	s, err := Open(strings.NewReader(text), "f.csv", "", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Input(formats.Options{}); err == nil || !strings.Contains(err.Error(), "North / Women has a single number, and is in no sum: it repeats or sums up others, and goes (--blank 8:2)") {
		t.Error(err)
	}
}
