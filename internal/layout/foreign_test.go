package layout

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// The sums that other measures hide are asked about however small the table is, and where a code is told beside its total;
// not where the others are the bounds of an estimate and miss the sums themselves.
func TestForeignSmall(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Area,State,Adair,Boone\nSingle,3,3,0\nMarried,4,1,3\nTotal,7,4,3\nRank,1,3,2\n":                                                                                                   "--derived Rank",
		"Ort,ledig,verheiratet,Insgesamt,von,bis\nA,21,35,56,14,28\nB,16,175,191,10,22\nC,2,0,2,0,4\nD,151,105,256,133,169\nΣ,190,315,505,169,211\ndarunter C und D,153,105,258,134,172\n": "",
		"Area,Single,Married,Widowed\nAdair,278,537,1\nBoone,11,750,521\nClay,506,517,1\nDover,769,1,1\nTotal,1564,1804,523\n":                                                             "--tolerance 2",
		"Area,Total,Single,Married,Widowed,km2\nNorth,6,2,1,3,49\nAdair,1,0,1,0,79\nBoone,5,2,0,3,63\nSouth,9,1,4,4,34\nClay,5,1,2,2,53\nDover,4,0,2,2,94\nState,15,3,5,7,48\n":            "--derived km2",
	} {
		s, err := Open(strings.NewReader(text), "t.csv", "", "", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err = s.Input(formats.Options{}); want == "" {
			if err != nil || len(s.Reading.Tables[0].Derived) != 12 {
				t.Errorf("%v and %v, want the bounds without a question", err, s.Reading.Words())
			}
		} else if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestBalances: what a column says of two others is known however few numbers speak for it, and where it is 0 everywhere.
func TestBalances(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Area,Single,Other,Total,Balance\nAdair,2,0,2,2\nBoone,3,3,6,0\nTotal,5,3,8,2\n":                  "Single = [Other Balance]",
		"Area,Single,Married,Widowed,Total,Balance\nAdair,3,2,3,8,0\nBoone,2,3,2,7,0\nTotal,5,5,5,15,0\n": "Widowed = [Single Balance]",
	} {
		s, err := Open(strings.NewReader(text), "t.csv", "", "", Options{})
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, r := range s.Reading.Tables[0].Relations {
			all = append(all, fmt.Sprint(r.Total, " = ", r.Parts))
		}
		if !slices.Contains(all, want) {
			t.Errorf("%v, want %s", all, want)
		}
	}
}

// A rank beside what is counted does not hide the sums of all else, whatever their total is called, and nobody need say that it is one.
func TestForeign(t *testing.T) {
	t.Parallel()
	text := "Kommun,Totalt,Ogifta,Gifta,Plats\nNorr,298,71,227,4\nAubigny,145,3,142,6\nBelmont,153,68,85,5\nSöder,132,125,7,2\nDompierre,123,123,0,3\nÉtréval,9,2,7,7\nΣ,430,196,234,1\n"
	read := func(o Options) error {
		s, err := Open(strings.NewReader(text), "t.csv", "", "", o)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Input(formats.Options{})
		return err
	}
	if err := read(Options{}); err != nil {
		t.Error(err)
	}
	if err := read(Options{Derived: []string{"Plats"}}); err != nil {
		t.Error(err)
	}
}
