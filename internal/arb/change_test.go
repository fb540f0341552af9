package arb

import (
	"strings"
	"testing"

	"github.com/hitoku/hitoku/internal/test/must"
)

const counted = `<OPENTABLEDATA> "t.csv"
<OPENMETADATA> "t.rda"
<SPECIFYTABLE> "Ind""Reg"|"Turn"||
<SAFETYRULE>
<READTABLE>
`

// twoByTwo is a table with one unsafe cell, of levels 20 %.
var twoByTwo = map[string]string{
	"t.csv": "A;x;12;S\nA;y;7;U\nA;T;19;S\nB;x;23;S\nB;y;41;S\nB;T;64;S\nT;x;35;S\nT;y;48;S\nT;T;83;S\n",
	"t.rda": `<SEPARATOR> ";"
<SAFE> S
<UNSAFE> U
<PROTECT> P
Ind
<RECODEABLE>
<TOTCODE> T
Reg
<RECODEABLE>
<TOTCODE> T
Turn
<NUMERIC>
Status
<STATUS>
`,
}

// TestRound rounds and adjusts a table in place of withholding cells of it: what is written adds up, and has nothing but values.
func TestRound(t *testing.T) {
	t.Parallel()
	dir, log := must.Two(keyedBatch(t, counted+`<SUPPRESS> RND(1,5,0,10,0,3,1)
<WRITETABLE> (1,3,AS+,"round.csv")
<SUPPRESS> RND(1,15)
<WRITETABLE> (1,3,AS+,"fifteen.csv")
<SUPPRESS> CTA(1)
<WRITETABLE> (1,3,AS+,"adjust.csv")
<SUPPRESS> OPT(1,1)
<WRITETABLE> (1,3,AS+,"withheld.csv")
`, twoByTwo))(t)
	for name, want := range map[string]string{
		"round.csv":    "T,T,85,1 T,x,35,1 T,y,50,1 A,T,20,1 A,x,15,1 A,y,5,1 B,T,65,1 B,x,20,1 B,y,45,1",
		"fifteen.csv":  "T,T,75,1 T,x,30,1 T,y,45,1 A,T,15,1 A,x,15,1 A,y,0,1 B,T,60,1 B,x,15,1 B,y,45,1",
		"adjust.csv":   "T,T,83,1 T,x,35,1 T,y,48,1 A,T,19,1 A,x,10,1 A,y,9,1 B,T,64,1 B,x,25,1 B,y,39,1",
		"withheld.csv": "T,T,83,1 T,x,35,1 T,y,48,1 A,T,19,1 A,x,12,11 A,y,7,9 B,T,64,1 B,x,23,11 B,y,41,11",
	} {
		if got := strings.Join(strings.Fields(strings.ReplaceAll(read(t, dir, name), "\"", "")), " "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if !strings.Contains(log, "Method RND: controlled rounding to base 5") || !strings.Contains(log, "all sums hold") {
		t.Error(log)
	}
}

// TestRoundFails names what is wrong with arguments and outputs.
func TestRoundFails(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"<SUPPRESS> RND(1)":                                   `base "": want a number`,
		"<SUPPRESS> RND(1,1)":                                 "want a base above",
		"<SUPPRESS> RND(1,5,x)":                               `steps "x"`,
		"<SUPPRESS> RND(1,5,0,1,7)":                           "argument 5 of RND",
		"<SUPPRESS> RND(2,5)":                                 "want a number from 1 to 1",
		"<SUPPRESS> RND(1,5)\n<WRITETABLE> (1,4,,\"x.csv\")":  "want 1, 2 or 3",
		"<SUPPRESS> RND(1,5)\n<APRIORI> \"a.hst\",1,\";\"":    "has been protected already",
		"<SUPPRESS> CTA(1)\n<WRITETABLE> (1,5,AR+,\"x.csv\")": "want 1, 2 or 3",
	} {
		if _, _, err := keyedBatch(t, counted+text+"\n", twoByTwo); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
