package layout

import (
	"strings"
	"testing"
)

// A part that goes on below others which are told apart by what stands over their columns does not say which of them it belongs to.
func TestPageOfSeveral(t *testing.T) {
	t.Parallel()
	text := `,öffentlich,privat,privat,privat,privat
10 Altdorf,48,e,36,u,14
40 Nord,54,,142,,74
,öffentlich,privat,privat,privat,privat
100 West,58,e,6,p,74
`
	s, err := Open(strings.NewReader(text), "f.csv", "", "", Options{})
	if err == nil && len(s.Reading.Tables) == 0 {
		t.Error("neither a table nor a reason")
	}
}

// TestPartsNamed: what a label names behind words of whatever language is what it is the sum of, where few numbers bear it out, an empty row or not.
func TestPartsNamed(t *testing.T) {
	t.Parallel()
	const rows = "Kreis,insgesamt,m,w\nMühlbach,0,0,0\nKirchdorf,2,2,0\nDorfen,25,4,21\nNeustadt,12,2,10\nHohenau,1,1,0\nAhrberg,3,0,3\nFreital,17,3,14\nLand,60,12,48\n"
	for label, want := range map[string]int{"dar. Neustadt + Ahrberg": 2, "out of these: Neustadt, Ahrberg": 2, "Neustadt/Ahrberg": 2, "BadNeustadt + Ahrberg": 0, "dar. Neustadt": 0} {
		r := readText(t, rows+"\""+label+"\",15,2,13\n", Options{})
		codes := r.Tables[0].Dimensions[0].Codes
		if got := codes[len(codes)-1].Equals; len(got) != want {
			t.Errorf("%s is the sum of %v, want %d codes", label, got, want)
		}
	}
}

// TestPageInAnyLanguage: a title with a word or two more goes on, where the columns are the same and the rows others.
func TestPageInAnyLanguage(t *testing.T) {
	t.Parallel()
	const first, second = "Town,m,w,All\nAsh,3,5,8\nBow,2,2,4\nCam,7,1,8\n", "Town,m,w,All\nDee,4,4,8\nEly,6,9,15\nAll,22,21,43\n"
	for _, title := range []string{"(pokračování) Deaths by town and sex", "Deaths by town and sex – ytterligare", "계속: Deaths by town and sex"} {
		r := readText(t, "Deaths by town and sex\n"+first+"\n"+title+"\n"+second, Options{})
		if len(r.Tables) != 1 || len(r.Tables[0].Cells) != 18 {
			t.Errorf("%s: %d tables", title, len(r.Tables))
		}
	}
}

// TestPartAlone: what alone is indented below a code and less than it is a part of it, whatever it is called; what is the same is all of it.
func TestPartAlone(t *testing.T) {
	t.Parallel()
	for row, want := range map[string]bool{"  jen ženy,2,1,3": true, "  jen ženy,7,1,8": false, "  jen ženy,9,1,10": false} {
		s, err := Open(strings.NewReader("Obec,a,b,Celkem\nAš,3,5,8\nBěhařov,7,1,8\n"+row+"\nCheb,2,2,4\nCelkem,12,8,20\n"), "f.csv", "", "", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if c := s.Reading.Tables[0].Dimensions[0].Codes; len(c) != 5 || (c[2].Memo && c[2].Parent != nil && *c[2].Parent == "Běhařov" && c[2].Equals == nil) != want {
			t.Errorf("%s: %+v", row, c[2])
		}
	}
}

// TestDerivedOfLevels: a code that is made of two header rows, or of two columns of labels, can be called derived by its name.
func TestDerivedOfLevels(t *testing.T) {
	t.Parallel()
	for text, name := range map[string]string{
		"Ort;Frauen;Männer;Alle;Ziffer\n;;;;Alle\nA;50;64;114;2\nB;1;65;66;4\nC;12;18;30;5\nZusammen;63;147;210;\n": "Ziffer Alle",
		"Ort;Art;2020;2021\nA;Fälle;11;12\nA;Ziffer;4;5\nB;Fälle;20;21\nB;Ziffer;3;3\n":                             "A Ziffer",
	} {
		s, err := Open(strings.NewReader(text), "t.csv", "", "", Options{Derived: []string{name}})
		if err != nil {
			t.Fatal(err)
		}
		derived := 0
		for _, tab := range s.Reading.Tables {
			derived += len(tab.Derived)
		}
		if derived == 0 {
			t.Errorf("%s is not derived", name)
		}
	}
}
