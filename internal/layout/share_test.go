package layout

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/formats"
)

// TestShareInField: numbers with their shares in one field are read as two numbers, go together, and leave what stood beside them; a share goes by itself where its number
// stays and what it is a share of does not. They are not taken out beside numbers that add up with them.
func TestShareInField(t *testing.T) {
	t.Parallel()
	const text = "Area,All,Single,Married,Widowed\nAll,100,40,50,10 (10.0%)\nAdair,60,25,30,5 (8.3%)\nBoone,40,15,20,5 (12.5%)\n"
	for _, o := range []Options{{Tolerance: "10", Blank: []string{"2:5-4:5"}}, {NoTotal: []string{"Column"}, Blank: []string{"2:5-4:5"}}} {
		s, err := Open(strings.NewReader(text), "f.csv", "", "", o)
		if err == nil {
			_, err = s.Input(formats.Options{})
		}
		if err == nil || !strings.Contains(err.Error(), "has a number and its share") {
			t.Errorf("%+v: %v", o.Blank, err)
		}
	}
	if _, err := Open(strings.NewReader(text), "f.csv", "", "", Options{Blank: []string{"2:2-4:5"}}); err != nil && strings.Contains(err.Error(), "its share") {
		t.Error(err) // nothing is left that would tell
	}
	for _, tc := range []struct{ text, account, want string }{
		{text, "15 numbers: 12 values, 3 per cent of another column; none unknown", "Area,All,Single,Married,Widowed\nAll,100,40,50,10 (10.0%)\nAdair,60,x,30,x (x)\nBoone,40,x,20,x (x)\n"},
		{"Deaths in 2021;;;\nCause;Both;Males;Females\nAll;1\u00a0240 [100,0 %];622 [50,2 %];618 [49,8 %]\nStroke;1\u00a0230 [100,0 %];620 [50,4 %];610 [49,6 %]\nFlood;10 [100,0 %];2 [20,0 %];8 [80,0 %]\n", "",
			"Deaths in 2021;;;\nCause;Both;Males;Females\nAll;1\u00a0240 [100,0 %];622 [50,2 %];618 [49,8 %]\nStroke;1\u00a0230 [x];x [x];x [x]\nFlood;10 [x];x [x];x [x]\n"},
		// the first row has no shares, and is no header
		{"Area,All,Single,Other\nAdair,-,-,-\nBoone,40 (48),15 (50),25 (47)\nClay,43 (52),15 (50),28 (53)\nAll,83 (100),30 (100),53 (100)\n", "",
			"Area,All,Single,Other\nAdair,-,-,-\nBoone,40 (48),x (x),x (x)\nClay,43 (52),x (x),x (x)\nAll,83 (100),30 (100),53 (100)\n"},
	} {
		s, err := Open(strings.NewReader(tc.text), "f.csv", "", "", Options{})
		if err != nil {
			t.Fatal(err)
		}
		in, err := s.Input(formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(s.Account(nil).Words()); tc.account != "" && got != tc.account {
			t.Error(got)
		}
		pattern := make([]bool, in.Table.Len())
		for i := range pattern {
			name := in.Table.CellName(i)
			pattern[i] = !strings.Contains(name, "All") && !strings.Contains(name, "Both") && !strings.Contains(name, "Married") && !strings.Contains(name, "Adair/Other") && (!strings.Contains(name, "Adair") || strings.Contains(tc.text, "Married"))
		}
		var out bytes.Buffer
		if err := formats.Write(&out, in, pattern); err != nil || out.String() != tc.want {
			t.Errorf("%v\n%s\nwant\n%s", err, &out, tc.want)
		}
	}
}
