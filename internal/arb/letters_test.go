package arb

import (
	"strings"
	"testing"
)

// Letters and shares of output type 4, as τ-ARGUS gives them: the largest contributions that dominance and p%-rules look
// at are kept, and no others. One kept is B with its share, more are C with that of two, a p%-rule is F with each. What
// is unsafe for another reason is B with the share of what is kept, also none. A share that ends in half of its last decimal is
// rounded away from 0, as 91.25 in INSEE's published example of 32,773 cells, which comes out alike, line by line.
func TestLetters(t *testing.T) {
	files := map[string]string{
		"m.csv": "A,70,1,0\nA,20,2,0\nA,5,2,0\nA,5,3,0\nB,30,4,1\nB,30,5,0\nB,30,6,0\nB,10,7,0\nC,1,8,0\nD,0,9,0\nD,0,10,0\nD,0,11,0\n",
		"m.rda": "<SEPARATOR> \",\"\nR 1\n<RECODEABLE>\nV 2\n<NUMERIC>\nH 2\n<HOLDING>\nQ 1\n<REQUEST> \"1\"\n",
		"t.tab": "A;100;4;70;20\nB;100;4;30;30\nC;1;1;1;0\n",
		"t.rda": "<SEPARATOR> \";\"\nR\n<RECODEABLE>\nV\n<NUMERIC>\nF\n<FREQUENCY>\nM1\n<MAXSCORE>\nM2\n<MAXSCORE>\n",
		"s.tab": "A;100;4;U;70;20\nB;100;4;S;30;30\nC;1;1;S;1;0\n",
		"s.rda": "<SEPARATOR> \";\"\n<SAFE> \"S\"\n<UNSAFE> \"U\"\nR\n<RECODEABLE>\nV\n<NUMERIC>\nF\n<FREQUENCY>\nS\n<STATUS>\nM1\n<MAXSCORE>\nM2\n<MAXSCORE>\n",
	}
	plain := map[string]string{"m.rda": strings.Replace(files["m.rda"], "<HOLDING>", "<RECODEABLE>", 1)}
	const micro = "<OPENMICRODATA> \"m.csv\"\n<OPENMETADATA> \"m.rda\"\n<SPECIFYTABLE> \"R\"|\"V\"||\n<SAFETYRULE> RULES\n<READMICRODATA>\n"
	const table = "<OPENTABLEDATA> \"t.tab\"\n<OPENMETADATA> \"t.rda\"\n<SPECIFYTABLE> \"R\"|\"V\"||\n<SAFETYRULE> RULES\n<READTABLE> 1\n"
	given := strings.NewReplacer("t.tab", "s.tab", "t.rda", "s.rda").Replace(table)
	for _, tc := range []struct {
		name, batch, rules, want string
		more                     map[string]string
	}{
		{"the largest", micro, "NK(1,60)|FREQ(3,10)", "A,100,4,B,70.0 B,100,4,V C,1,1,B,100.0 D,0,3,V", plain},
		{"half a tenth", micro, "NK(1,60)", "A,576,2,B,91.3", map[string]string{"m.csv": "A,525.6,1,0\nA,50.4,2,0\n", "m.rda": strings.Replace(plain["m.rda"], "V 2\n", "V 5\n", 1)}},
		{"two", micro, "NK(2,60)|FREQ(3,10)", "A,100,4,C,90.0 B,100,4,V C,1,1,C,100.0 D,0,3,V", plain},
		{"three", micro, "NK(3,95)", "A,100,4,V B,100,4,V C,1,1,C,100.0 D,0,3,V", plain},
		{"two rules", micro, "NK(1,60)|NK(2,99)", "A,100,4,C,90.0 B,100,4,V C,1,1,C,100.0 D,0,3,V", plain},
		{"p%", micro, "P(20,1)", "A,100,4,F,70.0,20.0 B,100,4,V C,1,1,F,100.0,0.0 D,0,3,V", plain},
		{"p% beside dominance", micro, "P(1,1)|NK(1,60)", "A,100,4,F,70.0,20.0 B,100,4,V C,1,1,F,100.0,0.0 D,0,3,V", plain},
		{"few alone", micro, "FREQ(2,10)|ZERO(5)", "A,100,4,V B,100,4,V C,1,1,A D,0,3,B,0.0", plain},
		{"request, none kept", micro, "REQ(20,20,3,10)", "A,100,4,V B,100,4,B,0.0 C,1,1,V D,0,3,V", plain},
		{"request, one kept", micro, "REQ(20,20,3,10)|NK(1,99)", "A,100,4,V B,100,4,B,30.0 C,1,1,B,100.0 D,0,3,V", plain},
		{"request, two kept", micro, "REQ(20,20,3,10)|NK(2,99)", "A,100,4,V B,100,4,B,60.0 C,1,1,C,100.0 D,0,3,V", plain},
		{"holdings, the largest", micro, "NK(0,0)|NK(0,0)|NK(1,60)", "A,100,3,B,70.0 B,100,4,V C,1,1,B,100.0 D,0,3,V", nil},
		{"holdings, two", micro, "NK(0,0)|NK(0,0)|NK(2,60)", "A,100,3,C,95.0 B,100,4,V C,1,1,C,100.0 D,0,3,V", nil},
		{"a table, the largest", table, "NK(1,60)", "A,100,4,B,70.0 B,100,4,V C,1,1,B,100.0", nil},
		{"a table, two", table, "NK(2,60)", "A,100,4,C,90.0 B,100,4,V C,1,1,C,100.0", nil},
		{"a table, two of which one is shown otherwise", table, "NK(2,90)|FREQ(2,10)", "A,100,4,V B,100,4,V C,1,1,C,100.0", nil},
		{"statuses of a table", given, "MAN(10)", "A,100,4,B,0.0 B,100,4,V C,1,1,V", nil},
		{"statuses of a table, no rules", given, "", "A,100,4,B,0.0 B,100,4,V C,1,1,V", nil},
	} {
		all := map[string]string{}
		for k, v := range files {
			all[k] = v
		}
		for k, v := range tc.more {
			all[k] = v
		}
		out, log, err := written(t, strings.Replace(tc.batch, "RULES", tc.rules, 1)+"<WRITETABLE> (1,4,QU-,\"out.txt\")\n", all)
		_, got, _ := strings.Cut(strings.Join(strings.Fields(out), " "), " ") // without the total
		if err != nil || got != tc.want {
			t.Errorf("%s: %v\ngot  %s\nwant %s\n%s", tc.name, err, got, tc.want, log)
		}
	}
}
