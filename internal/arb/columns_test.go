package arb

import (
	"strings"
	"testing"
)

// Every column of every output type, as τ-ARGUS writes them: of intermediate tables as many of the largest contributions as the
// rules look at, in SBS levels behind the codes of trees. The levels of unsafe cells are worked out by hand, as 70/0.6 − 100 of
// A under NK(1,60).
func TestColumns(t *testing.T) {
	files := map[string]string{
		"m.csv": "A,x,70,1\nA,x,20,2\nA,y,10,3\nB,x,30,1\nB,x,30,1\nB,y,2,2\nB,y,3,1\n",
		"m.rda": "<SEPARATOR> \",\"\nR 1\n<RECODEABLE>\n<TOTCODE> \"Total\"\nS 1\n<RECODEABLE>\n<TOTCODE> \"Total\"\n<HIERARCHICAL>\n<HIERCODELIST> \"s.hrc\"\n<HIERLEADSTRING> \"@\"\nV 2\n<NUMERIC>\nC 1\n<NUMERIC>\n",
		"s.hrc": "z\n@x\n@y\n",
	}
	const begin = "<OPENMICRODATA> \"m.csv\"\n<OPENMETADATA> \"m.rda\"\n<SPECIFYTABLE> \"R\"\"S\"|\"V\"||\"C\"\n<SAFETYRULE> RULES\n<READMICRODATA>\n<WRITETABLE> (1,KIND,\"out.txt\")\n"
	for _, tc := range []struct{ rules, kind, want string }{
		{"NK(1,60)|FREQ(2,10)", "1,", `,"Total","z","x","y"|"Total",165,165,150,x|"A",x,x,x,x|"B",65,65,60,5||`},
		{"NK(1,60)|FREQ(2,10)", "2,AS+SE+", `"R","S","V","Status"|"Total","Total",165,1|"Total","z",165,1|"Total","x",150,1|"Total","y",15,3|"A","Total",100,3|"A","z",100,3|"A","x",90,3|"A","y",10,3|"B","Total",65,1|"B","z",65,1|"B","x",60,1|"B","y",5,1|`},
		{"NK(1,60)|FREQ(2,10)", "3,FL+AS+QU-", `R,S,V,Status|Total,Total,165,1|Total,z,165,1|Total,x,150,1|Total,y,15,3|A,Total,100,3|A,z,100,3|A,x,90,3|A,y,10,3|B,Total,65,1|B,z,65,1|B,x,60,1|B,y,5,1|`},
		{"NK(1,60)|FREQ(2,10)", "4,HL+", `"Total",0,"Total",0,165,7,V|"Total",0,"z",1,165,7,V|"Total",0,"x",2,150,4,V|"Total",0,"y",2,15,3,B,66.7|"A",0,"Total",0,100,3,B,70.0|"A",0,"z",1,100,3,B,70.0|"A",0,"x",2,90,2,B,77.8|"A",0,"y",2,10,1,B,100.0|"B",0,"Total",0,65,4,V|"B",0,"z",1,65,4,V|"B",0,"x",2,60,2,V|"B",0,"y",2,5,2,V|`},
		{"NK(1,60)|FREQ(2,10)", "4,", `"Total","Total",165,7,V|"Total","z",165,7,V|"Total","x",150,4,V|"Total","y",15,3,B,66.7|"A","Total",100,3,B,70.0|"A","z",100,3,B,70.0|"A","x",90,2,B,77.8|"A","y",10,1,B,100.0|"B","Total",65,4,V|"B","z",65,4,V|"B","x",60,2,V|"B","y",5,2,V|`},
		{"NK(1,60)|FREQ(2,10)", "5,", `"Total";"Total";165;7;165;11;70;S;0.000;0.000|"Total";"z";165;7;165;11;70;S;0.000;0.000|"Total";"x";150;4;150;5;70;S;0.000;0.000|"Total";"y";15;3;15;6;10;U;1.667;1.667|"A";"Total";100;3;100;6;70;U;16.667;16.667|"A";"z";100;3;100;6;70;U;16.667;16.667|"A";"x";90;2;90;3;70;U;26.667;26.667|"A";"y";10;1;10;3;10;U;6.667;6.667|"B";"Total";65;4;65;5;30;S;0.000;0.000|"B";"z";65;4;65;5;30;S;0.000;0.000|"B";"x";60;2;60;2;30;S;0.000;0.000|"B";"y";5;2;5;3;3;S;0.000;0.000|`},
		{"NK(2,85)", "5,SE+QU-", `Total;Total;165;7;165;11;70;30;S;0.000;0.000|Total;z;165;7;165;11;70;30;S;0.000;0.000|Total;x;150;4;150;5;70;30;S;0.000;0.000|Total;y;15;3;15;6;10;3;U;1.000;1.000|A;Total;100;3;100;6;70;20;U;5.883;5.883|A;z;100;3;100;6;70;20;U;5.883;5.883|A;x;90;2;90;3;70;20;U;15.883;15.883|A;y;10;1;10;3;10;0;U;1.765;1.765|B;Total;65;4;65;5;30;30;U;5.589;5.589|B;z;65;4;65;5;30;30;U;5.589;5.589|B;x;60;2;60;2;30;30;U;10.589;10.589|B;y;5;2;5;3;3;2;U;1.000;1.000|`},
		{"NK(3,95)", "5,SE+QU-", `Total;Total;165;7;165;11;70;30;30;S;0.000;0.000|Total;z;165;7;165;11;70;30;30;S;0.000;0.000|Total;x;150;4;150;5;70;30;30;S;0.000;0.000|Total;y;15;3;15;6;10;3;2;U;1.000;1.000|A;Total;100;3;100;6;70;20;10;U;5.264;5.264|A;z;100;3;100;6;70;20;10;U;5.264;5.264|A;x;90;2;90;3;70;20;0;U;4.737;4.737|A;y;10;1;10;3;10;0;0;U;1.000;1.000|B;Total;65;4;65;5;30;30;3;U;1.316;1.316|B;z;65;4;65;5;30;30;3;U;1.316;1.316|B;x;60;2;60;2;30;30;0;U;3.158;3.158|B;y;5;2;5;3;3;2;0;U;1.000;1.000|`},
		{"P(10,1)", "5,SE+QU-", `Total;Total;165;7;165;11;70;30;S;0;0|Total;z;165;7;165;11;70;30;S;0;0|Total;x;150;4;150;5;70;30;S;0;0|Total;y;15;3;15;6;10;3;S;0;0|A;Total;100;3;100;6;70;20;S;0;0|A;z;100;3;100;6;70;20;S;0;0|A;x;90;2;90;3;70;20;U;7;7|A;y;10;1;10;3;10;0;U;1;1|B;Total;65;4;65;5;30;30;S;0;0|B;z;65;4;65;5;30;30;S;0;0|B;x;60;2;60;2;30;30;U;3;3|B;y;5;2;5;3;3;2;U;1;1|`},
		{"FREQ(2,10)", "5,SE+QU-", `Total;Total;165;7;165;11;S;0;0|Total;z;165;7;165;11;S;0;0|Total;x;150;4;150;5;S;0;0|Total;y;15;3;15;6;S;0;0|A;Total;100;3;100;6;S;0;0|A;z;100;3;100;6;S;0;0|A;x;90;2;90;3;S;0;0|A;y;10;1;10;3;U;1;1|B;Total;65;4;65;5;S;0;0|B;z;65;4;65;5;S;0;0|B;x;60;2;60;2;S;0;0|B;y;5;2;5;3;S;0;0|`},
		{"P(10,1)", "5,SE+QU-SO+", `Total;Total;165;7;11;S;0;0|Total;z;165;7;11;S;0;0|Total;x;150;4;5;S;0;0|Total;y;15;3;6;S;0;0|A;Total;100;3;6;S;0;0|A;z;100;3;6;S;0;0|A;x;90;2;3;U;7;7|A;y;10;1;3;U;1;1|B;Total;65;4;5;S;0;0|B;z;65;4;5;S;0;0|B;x;60;2;2;U;3;3|B;y;5;2;3;U;1;1|`},
		{"NK(1,60)", "6,", `0|12|0 165 11 s 0 inf 0 0 0|1 165 11 s 0 inf 0 0 0|2 150 5 s 0 inf 0 0 0|3 15 6 u 0 inf 1.667 1.667 0|4 100 6 u 0 inf 16.667 16.667 0|5 100 6 u 0 inf 16.667 16.667 0|6 90 3 u 0 inf 26.667 26.667 0|7 10 3 u 0 inf 6.667 6.667 0|8 65 5 s 0 inf 0 0 0|9 65 5 s 0 inf 0 0 0|10 60 2 s 0 inf 0 0 0|11 5 3 s 0 inf 0 0 0|10|0 3 : 0 (-1) 4 (1) 8 (1)|0 3 : 1 (-1) 5 (1) 9 (1)|0 3 : 2 (-1) 6 (1) 10 (1)|0 3 : 3 (-1) 7 (1) 11 (1)|0 2 : 0 (-1) 1 (1)|0 3 : 1 (-1) 2 (1) 3 (1)|0 2 : 4 (-1) 5 (1)|0 3 : 5 (-1) 6 (1) 7 (1)|0 2 : 8 (-1) 9 (1)|0 3 : 9 (-1) 10 (1) 11 (1)|`},
	} {
		out, log, err := written(t, strings.NewReplacer("RULES", tc.rules, "KIND", tc.kind).Replace(begin), files)
		if got := strings.ReplaceAll(out, "\n", "|"); err != nil || got != tc.want {
			t.Errorf("%s, type %s: %v\ngot  %s\nwant %s\n%s", tc.rules, tc.kind, err, got, tc.want, log)
		}
	}
}
